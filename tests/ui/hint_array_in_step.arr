-- $ arrc explain FILE
-- An array that each step of a pass allocates: one that grows in a loop, and one that becomes the accumulator of the next step.
entry grown [n] (xs: [n]i64): [n]i64 =
  map (\x -> let ys = loop ys = [x] for i < x do if i < 9 then ys ++ [i] else ys ++ [9, x] in ys[x]) xs

entry next_ones [n] [m] (xs: [n]i64) (z: [m]i64): ([m]i64, [m]i64) =
  fold (\(a, b) x -> (b, map (\i -> a[(i + x) % m]) (iota m))) (z, z) xs

-- Most need no memory of their own, or are in buffers that all steps use.
entry buffered [n] (xs: [n]i64): [n]i64 =
  map
    (\x -> let ys = filter (> 2) (iota x) ++ iota 3
            let zs = flatmap (\y -> iota (y % 5)) ys
            in if length zs > 0 then ys[length ys / 2] + zs[x % length zs] else 0)
    xs

entry none [n] (xs: [n]i64) (m: i64): [n]i64 =
  map (\x -> let ys = scan (+) 0 (map (+ x) (iota m)) in ys[x % m] + i64.sum [x, x + 1]) xs
