def set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1

def same [n] (xs: [n]i64): [n]i64 = xs

entry again [n] (xs: *[n]i64): i64 =
  let ys = set xs
  in ys[0] + xs[0]

entry alias [n] (xs: *[n]i64): i64 =
  let part = xs[1:]
  let others = same xs
  let ys = set xs
  in ys[0] + part[0] + others[0]

entry both [n] (xs: *[n]i64): ([n]i64, [n]i64) = (set xs, set xs)

entry branch [n] (xs: *[n]i64) (c: bool): [n]i64 =
  let ys = if c then set xs else replicate n 0
  in map2 (+) ys xs

entry update [n] (xs: *[n]i64): i64 =
  let ys = xs with [0] = 3
  let zs = scatter ys [1] [2]
  in ys[0] + zs[0]

entry loops [n] (xs: *[n]i64): ([n]i64, [n]i64) =
  let ys = loop ys = xs for i < n do set ys
  let (zs: *[n]i64) = ys
  in (xs, zs)
