def twice x = (x, x)
def more x = twice (twice (twice (twice x)))

-- Each step multiplies the type by 16.
entry demo (x: i64): i64 =
  let a = more x
  let b = more a
  let c = more b
  let d = more c
  let e = more d
  in e.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0
