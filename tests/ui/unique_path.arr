-- An update consumes the part that it goes to, and no other.
def one [n] (r: {a: *[n]i64, b: *[n]i64}): ([n]i64, [n]i64) =
  let s = r with a[0] = 1
  in (s.a, r.b)

entry two [n] (xs: [n]i64): ([n]i64, i64) =
  let use (r: {a: *[n]i64, b: i64}) =
    let s = r with a[0] = 1
    in (s.a, r.a[0] + r.b)
  in use {a = copy xs, b = 1}
