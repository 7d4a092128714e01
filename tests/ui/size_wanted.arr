def ones [n] (x: i64): [n]i64 = replicate n x
entry one (x: i64): i64 = length (ones x)
entry two (x: i64): ?[k].[k]i64 = filter (> 0) (rep x)
def called [n] (x: i64): [n]i64 = if x > 0 then called (x - 1) else replicate n x
#[noinline]
def kept [n] (x: i64): [n]i64 = replicate n x
def above [n] (x: i64): [n + 1]i64 = replicate (n + 1) x
entry of_local [n] (xs: [n]i64): [n]i64 =
  let ones [m] (x: i64): [m]i64 = replicate m x
  in map2 (+) xs (ones 1)
