def a (x: i64): i64 = x > 0 ? x : 0
def b (x: i64): i64 = if x < 0 then 0 elif x < 1 then 1 else 2
def c (x: i64): i64 = if (x > 0) { x } else { 0 }
def d (x: i64): i64 = 1 if x > 0 else 2
def e (x: i64): i64 = match x { 0 => 1, _ => 2 }
def f (x: i64): i64 = case x of
  0 -> 1
  _ -> 2
