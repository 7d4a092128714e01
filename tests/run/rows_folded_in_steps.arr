-- Loops that fold a row in each step: rows around one, two and four vectors, and few steps. The numbers are whole, so that sums are exact.

def number (i: i64): f64 = f64.i64 (i * 7919 % 23 - 11)

-- The nearest of some centres, and the distances one after the other.
-- ==
-- entry: nearest
-- input { 3i64 0i64 5i64 } output { true }
-- input { 5i64 1i64 0i64 } output { true }
-- input { 5i64 3i64 1i64 } output { true }
-- input { 5i64 3i64 2i64 } output { true }
-- input { 5i64 3i64 3i64 } output { true }
-- input { 5i64 3i64 4i64 } output { true }
-- input { 5i64 3i64 5i64 } output { true }
-- input { 5i64 3i64 7i64 } output { true }
-- input { 5i64 1i64 8i64 } output { true }
-- input { 9i64 7i64 8i64 } output { true }
-- input { 5i64 3i64 9i64 } output { true }
-- input { 5i64 3i64 12i64 } output { true }
-- input { 5i64 3i64 15i64 } output { true }
-- input { 5i64 3i64 16i64 } output { true }
-- input { 5i64 3i64 17i64 } output { true }
-- input { 5i64 3i64 31i64 } output { true }
-- input { 5i64 3i64 32i64 } output { true }
-- input { 5i64 3i64 33i64 } output { true }
-- input { 0i64 3i64 8i64 } output { true }
entry nearest (n: i64) (k: i64) (d: i64): bool =
  let points = tabulate_2d n d (\i j -> number (i * 31 + j))
  let centres = tabulate_2d k d (\i j -> number (i * 17 + 3 * j + 1))
  let distance p q = f64.sum (map2 (\x y -> (x - y) * (x - y)) p q)
  let nearer (i, x) (j, y) = if y < x || (y == x && j < i) then (j, y) else (i, x)
  let found = map (\p -> reduce nearer (k, f64.inf) (indexed (map (distance p) centres))) points
  let one_by_one i =
    loop (best, least) = (k, f64.inf) for c < k do
      let far =
        loop s = 0 for j < d do s + (points[i, j] - centres[c, j]) * (points[i, j] - centres[c, j])
      in if far < least then (c, far) else (best, least)
  in and (map2 (\(i, x) at -> let (j, y) = one_by_one at in i == j && x == y) found (iota n))

-- Singles, whose vectors are longer; the sums and the greatest of them.
-- ==
-- entry: sums
-- input { 4i64 3i64 7i64 } output { true }
-- input { 4i64 3i64 8i64 } output { true }
-- input { 4i64 3i64 15i64 } output { true }
-- input { 4i64 3i64 16i64 } output { true }
-- input { 4i64 1i64 16i64 } output { true }
-- input { 4i64 0i64 16i64 } output { true }
-- input { 4i64 3i64 17i64 } output { true }
-- input { 4i64 3i64 32i64 } output { true }
-- input { 4i64 3i64 64i64 } output { true }
entry sums (n: i64) (k: i64) (d: i64): bool =
  let xs = tabulate_2d n d (\i j -> f32.f64 (number (i * 31 + j)))
  let ys = tabulate_2d k d (\i j -> f32.f64 (number (i * 17 + 3 * j + 1)))
  let dots = map (\x -> map (\y -> f32.sum (map2 (*) x y)) ys) xs
  let most = map (\x -> f32.maximum (map (\y -> f32.sum (map2 (*) x y)) ys)) xs
  let dot i c = loop s = 0 for j < d do s + xs[i, j] * ys[c, j]
  in and (map (\i -> and (map (\c -> dots[i, c] == dot i c) (iota k))) (iota n))
     && and (map (\i -> most[i] == (loop m = -f32.inf for c < k do f32.max m (dot i c))) (iota n))

-- Integers, and rows that are read backwards.
-- ==
-- entry: integers
-- input { 4i64 3i64 3i64 } output { true }
-- input { 4i64 3i64 8i64 } output { true }
-- input { 4i64 3i64 16i64 } output { true }
-- input { 4i64 3i64 17i64 } output { true }
entry integers (n: i64) (k: i64) (d: i64): bool =
  let xs = tabulate_2d n d (\i j -> i * 31 + j * j % 11)
  let ys = tabulate_2d k d (\i j -> i * 17 - 3 * j)
  let far x y = i64.maximum (map2 (\a b -> (a - b) * (a - b)) (reverse x) y)
  let least = map (\x -> i64.minimum (map (far x) ys)) xs
  let far_at i c =
    loop m = i64.lowest for j < d do
      i64.max m ((xs[i, d - 1 - j] - ys[c, j]) * (xs[i, d - 1 - j] - ys[c, j]))
  in and
       (map (\i -> least[i] == (loop m = i64.highest for c < k do i64.min m (far_at i c))) (iota n))
