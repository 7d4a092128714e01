-- Products of matrices, in tiles of rows and columns: sizes around the tiles, the spans and the blocks.

def product [h] [k] [w] (a: [h][k]f64) (b: [k][w]f64): [h][w]f64 =
  map (\row -> map (\col -> f64.sum (map2 (*) row col)) (transpose b)) a

-- A matrix that is in memory: a loop carries it.
def kept [h] [w] 't (a: [h][w]t): [h][w]t = loop (b: [h][w]t) = a for _ < h & 1 do b

-- The elements are small integers, so that every order of the sums gives the same.
-- ==
-- entry: right
-- input { 1i64 1i64 1i64 } output { true }
-- input { 8i64 1i64 16i64 } output { true }
-- input { 9i64 0i64 17i64 } output { true }
-- input { 3i64 7i64 40i64 } output { true }
-- input { 40i64 7i64 3i64 } output { true }
-- input { 16i64 256i64 16i64 } output { true }
-- input { 17i64 257i64 33i64 } output { true }
-- input { 265i64 300i64 20i64 } output { true }
-- input { 0i64 5i64 20i64 } output { true }
-- input { 20i64 5i64 0i64 } output { true }
entry right (h: i64) (k: i64) (w: i64): bool =
  let a = tabulate_2d h k (\i t -> f64.i64 (i + t))
  let b = tabulate_2d k w (\t j -> f64.i64 (t * (j % 5)))
  let (linear, square) = (i64.sum (iota k), i64.sum (map (\t -> t * t) (iota k)))
  let expected = \i j -> f64.i64 ((j % 5) * (i * linear + square))
  let found = product (kept a) (kept b)
  in all (\same -> same)
       (flatten (tabulate_2d h w (\i j -> found[h - 1 - i, j] == expected (h - 1 - i) j)))

-- With something before and after the sum, in another type, and with a row that is not there for all.
-- ==
-- entry: scaled
-- input { 20i64 40i64 } output { true }
-- input { 7i64 33i64 } output { true }
entry scaled (h: i64) (w: i64): bool =
  let a = tabulate_2d h 30 (\i t -> i32.i64 (i - t))
  let b = tabulate_2d 30 w (\t j -> i32.i64 (t + j))
  let c = tabulate h (\i -> i32.i64 i)
  let found =
    map2 (\row s -> map (\col -> s + 2 * i32.sum (map2 (*) row col)) (transpose (kept b))) (kept a)
      c
  let expected = \i j -> i32.i64 (i + 2 * i64.sum (map (\t -> (i - t) * (t + j)) (iota 30)))
  in all (\same -> same)
       (flatten (tabulate_2d h w (\i j -> found[h - 1 - i, j] == expected (h - 1 - i) j)))

-- Each row has a fold of another length.
-- ==
-- entry: triangle
-- input { 24i64 40i64 } output { true }
entry triangle (h: i64) (w: i64): bool =
  let b = kept (tabulate_2d h w (\t j -> t * 3 - j))
  let found = tabulate_2d h w (\i j -> i64.sum (map (\t -> b[t, j]) (iota i)))
  let expected = \i j -> 3 * (i * (i - 1) / 2) - i * j
  in all (\same -> same)
       (flatten (tabulate_2d h w (\i j -> found[h - 1 - i, j] == expected (h - 1 - i) j)))

-- Rows by rows: the panel holds rows of the second matrix, transposed.
-- ==
-- entry: rows_by_rows
-- input { 17i64 33i64 300i64 } output { true }
-- input { 9i64 40i64 5i64 } output { true }
-- input { 8i64 16i64 0i64 } output { true }
-- input { 3i64 5i64 7i64 } output { true }
entry rows_by_rows (h: i64) (w: i64) (k: i64): bool =
  let a = kept (tabulate_2d h k (\i t -> f64.i64 (i + t)))
  let b = kept (tabulate_2d w k (\j t -> f64.i64 (t * (j % 5))))
  let (linear, square) = (i64.sum (iota k), i64.sum (map (\t -> t * t) (iota k)))
  let expected = \i j -> f64.i64 ((j % 5) * (i * linear + square))
  let found = map (\row -> map (\other -> f64.sum (map2 (*) row other)) b) a
  in all (\same -> same)
       (flatten (tabulate_2d h w (\i j -> found[h - 1 - i, j] == expected (h - 1 - i) j)))

-- Each distance is added to another number.
-- ==
-- entry: distances
-- input { 17i64 33i64 6i64 } output { true }
-- input { 20i64 33i64 300i64 } output { true }
entry distances (h: i64) (w: i64) (k: i64): bool =
  let a = kept (tabulate_2d h k (\i t -> i32.i64 (i - t)))
  let b = kept (tabulate_2d w k (\j t -> i32.i64 (j - t)))
  let found =
    map
      (\p ->
        map2 (\q s -> s + i32.sum (map2 (\x y -> (x - y) * (x - y)) p q)) b (map i32.i64 (iota w)))
      a
  in all (\same -> same) (flatten (tabulate_2d h w (\i j ->
       found[h - 1 - i, j] == i32.i64 (j + k * (h - 1 - i - j) * (h - 1 - i - j)))))
