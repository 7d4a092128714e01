entry bounds [n] [m] (a: [n][m]i64): i64 = with { ([0] <= iv < [n, m]) : a[iv] } : fold (+, 0)

entry index [n] (a: [n]i64): [n]i64 = with { (. <= [i, j] <= .) : a[i] } : genarray ([n], 0)

entry unknown: i64 = with { (0 <= iv < 9) : 1 } : fold (+, 0)

entry edge: i64 = with { (. <= [i] <= .) : i } : fold (+, 0)

entry sums [n] (a: [n]i64): [2]i64 = let iv = [1, n] in iv + [1, 2, 3]

entry operations [n] (a: [n]i64): ([n]i64, [2]i64) =
  with { ([0] <= [i] < [1]) : (1, 2) } : (modarray a, genarray ([2], 0))

entry several [n] [m] (a: [n][m]i64): [n][m]i64 =
  with { ([0, 0] <= iv < [n] step [2, 2]) : a[iv]; ([1, 1] <= [i, j] < [n, m] step [2, 2]) : 0 } : genarray ([n, m], 0)
