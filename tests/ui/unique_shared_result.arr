def set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1

def same [n] (xs: [n]i64): [n]i64 = xs

def apply [n] (f: [n]i64 -> *[n]i64) (xs: [n]i64): *[n]i64 = f xs

entry given [n] (xs: [n]i64): *[n]i64 = if n > 3 then xs else copy xs

entry twice [n] (xs: *[n]i64): (*[n]i64, *[n]i64) = (xs, xs)

entry steps [n] (xs: *[n]i64) (ys: [n]i64): [n]i64 =
  loop zs = xs for i < n do
    let zs = set zs
    in if zs[0] > 3 then zs else ys

entry passed [n] (xs: [n]i64): [n]i64 = apply same xs
