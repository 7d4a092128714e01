-- Loops of steps begin with an array that all steps share. It is in a small buffer, whose reference count only one thread may change.

-- ==
-- entry: from_one
-- input { [[5i32, 1i32], [2i32, 8i32]] [3i32, 4i32] } auto output
-- random input { [331][8]i32 [8]i32 } auto output
-- random input { [1000][3]i32 [3]i32 } auto output
entry from_one [n] [m] (xss: [n][m]i32) (c: [m]i32): [n][m]i32 =
  let ws = reduce (map2 (+)) (replicate m 0) (map (\k -> map (* k) c) [1, 2, 3])
  in map (\r ->
       let (_, _, w) = loop (v, u, w) = (map (% 10) r, map (* 2) r, ws) for q < 3 do
         (if q > 1 then map2 (\x y -> x * 2 - y) v u
          else tabulate m (\j -> u[j] * w[(j + i64.i32 (v[j] & 7)) % m]),
          map2 (-) v u,
          map2 (\x y -> x * 2 - y) v u)
       in w) xss
