entry yields [n] (a: [n]f64): [n]f64 = with { (. <= [i] <= .) : i } : genarray ([n], 0.5)

entry folds [n] (a: [n]f64): f64 = with { (. <= iv <= .) : a[iv] } : fold (&&, 0)

entry part [n] (a: [n]f64): ([n]f64, f64) = with { (0 <= [i] < [n]) : a[i] } : (genarray ([n], 0), fold (+, 0))

entry shapes (n: i64): [n]i64 = with { (0 <= [i] < [n]) : i } : genarray ([n == 1], 0)

entry length [n] (a: [n]i64): i64 = with { (0 <= iv < a) : 1 } : fold (+, 0)

def rank a = dim a

entry tuple [n] (a: [n]i64): [n]i64 = with { (. <= iv <= .) : a[iv] } : modarray (a, 0)

entry number (a: i64): i64 = with { ([0] <= [i] < [9]) : i } : modarray a

entry size (n: i64): [n]i64 = with { ([0] <= [i] < [n]) : i } : genarray (n, 0)

entry floats [n] (a: [n]i64) (at: [n]f64): i64 = a[at]

entry negated [n] (a: [n]i64): [n]i64 = -a

entry shapes_of [n] (a: [n][n]i64): [n][1]i64 = map shape a
