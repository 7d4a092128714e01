-- Where a bracket that is missing probably belongs: before a line that stands as far to the left as its own.
def lambda (xs: []i64): []i64 =
  map (\x ->
    x + 1
  xs
def wrong (x: i64): []i64 = [x, 2)
def inside (x: i64): i64 = i64.sum (map (+ x [1, 2])
def record (x: f64) =
  {a = x,
   b = 2 * x
def last (x: i64): i64 = (x +
    1
