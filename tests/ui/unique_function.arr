def set [n] (xs: *[n]i64): *[n]i64 = xs with [0] = 1

def each [n] (f: [n]i64 -> [n]i64) (xs: [n]i64): [n]i64 = f xs

entry mapped [n] (xss: [n][2]i64): [n][2]i64 = map set xss

entry passed [n] (xs: [n]i64): [n]i64 = each set xs

entry named [n] (xs: *[n]i64): [n]i64 =
  let f = set
  in f xs
