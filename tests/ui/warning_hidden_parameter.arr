-- A parameter that is used nowhere, as another binding has its name.
def by_let (x: i64): i64 = let x = 1 in x
def by_pattern (x: i64) (y: i64): i64 = let (x, z) = (y, y) in x + z
def by_function (x: i64) (y: i64): i64 = let x a = a + y in x 1
def in_lambda (xs: []i64): []i64 = map (\x -> let x = 1 in x) xs
def by_case (x: i64) (o: #some i64 | #none): i64 = match o case #some x -> x case #none -> 0
def updated (x: i64): i64 = let x = x + 1 in x
entry demo (a: i64) (xs: []i64): []i64 =
  in_lambda (map (+ (by_let a + by_pattern a a + by_function a a + by_case a #none + updated a)) xs)
