type item = {price: f64, count: i64}
entry lambda [n] (xs: [n]i64): f64 = reduce (\acc x -> acc + f64.i64 x) 0.0 xs
entry pairs [n] (xs: [n](i64, f64)): f64 = reduce (\acc (i, x) -> acc + f64.i64 i * x) 0 xs
entry piped [n] (items: [n]item): f64 =
  items |> filter (\i -> i.count > 0) |> reduce (\s i -> s + i.price) 0
entry bounds [n] (xs: [n]i64): (i64, i64) =
  reduce (\(lo, hi) x -> (i64.min lo x, i64.max hi x)) (i64.highest, i64.lowest) xs
def step (acc: f64) (x: i64): f64 = acc + f64.i64 x
entry named [n] (xs: [n]i64): f64 = reduce step 0 xs
entry counted [n] (xs: [n]f64): i64 = reduce (\(acc: i64) (x: f64) -> if x > 0 then acc + 1 else acc) 0 xs
