-- Positions that wrap around by a distance that is known only when the program runs.

-- ==
-- entry: plus
-- random input { [37]i32 0i64 } auto output
-- random input { [37]i32 5i64 } auto output
-- random input { [37]i32 36i64 } auto output
-- random input { [37]i32 37i64 } auto output
-- random input { [37]i32 100i64 } auto output
-- random input { [37]i32 -20i64 } auto output
-- random input { [37]i32 9223372036854775790i64 } auto output
-- random input { [37]i32 -9223372036854775808i64 } auto output
-- random input { [1]i32 3i64 } auto output
-- input { empty([0]i32) 3i64 } output { empty([0]i32) }
entry plus [n] (a: [n]i32) (k: i64): [n]i32 = tabulate n (\i -> a[(i + k) % n])

-- ==
-- entry: minus
-- random input { [37]i32 5i64 } auto output
-- random input { [37]i32 -5i64 } auto output
-- random input { [37]i32 37i64 } auto output
-- random input { [37]i32 9223372036854775807i64 } auto output
entry minus [n] (a: [n]i32) (k: i64): ([n]i32, [n]i32) =
  (tabulate n (\i -> a[(i - k) % n]), tabulate n (\i -> a[(i - k + n) % n]))

-- | Backwards, from a position on.
-- ==
-- entry: backwards
-- random input { [37]i32 0i64 } auto output
-- random input { [37]i32 36i64 } auto output
-- random input { [37]i32 -6i64 } auto output
-- random input { [37]i32 50i64 } auto output
entry backwards [n] (a: [n]i32) (k: i64): ([n]i32, [n]i32) =
  (tabulate n (\i -> a[(k - i) % n]), tabulate n (\i -> a[(2 * n - k - i) % n]))

-- | The remainder has the sign of the number, which must not be negative here.
-- ==
-- entry: truncated
-- random input { [37]i32 5i64 } auto output
-- random input { [37]i32 40i64 } auto output
-- random input { [37]i32 -1i64 } error: index -1 is out of bounds for an array of length 37
entry truncated [n] (a: [n]i32) (k: i64): [n]i32 = tabulate n (\i -> a[(i + k) %% n])

-- | Two distances: the steps where either position turns are in the order of the distances.
-- ==
-- entry: both
-- random input { [37]i32 5i64 9i64 } auto output
-- random input { [37]i32 30i64 9i64 } auto output
-- random input { [37]i32 9i64 -9i64 } auto output
entry both [n] (a: [n]i32) (j: i64) (k: i64): [n]i32 =
  tabulate n (\i -> 3 * a[(i + j) % n] - a[(i - k) % n])

-- | In two dimensions.
-- ==
-- entry: torus
-- random input { [5][19]i32 2i64 7i64 } auto output
-- random input { [5][19]i32 -2i64 18i64 } auto output
-- random input { [1][3]i32 4i64 -4i64 } auto output
entry torus [h] [w] (a: [h][w]i32) (p: i64) (q: i64): [h][w]i32 =
  tabulate_2d h w (\y x -> a[(y + p) % h, (x + q) % w])

-- | The length is another one than the divisor.
-- ==
-- entry: other
-- random input { [37]i32 5i64 20i64 } auto output
-- input { [1, 2] 1i64 0i64 } error: division by zero
entry other [n] (a: [n]i32) (k: i64) (m: i64): [n]i32 = tabulate n (\i -> a[(i + k) % m])
