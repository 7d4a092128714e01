-- Loops of steps that go through rows: of a matrix that all steps share, and of a matrix of each step. The steps run in
-- vectors, and each lane runs the loop.

-- ==
-- entry: nearest
-- input { [[0i32, 0i32], [5i32, 5i32], [9i32, 1i32]] [[1i32, 1i32], [8i32, 2i32], [5i32, 4i32]] } output { [0i64, 2i64, 1i64] }
-- allocates 1
-- random input { [1000][2]i32 [17][2]i32 } auto output
-- random input { [0][2]i32 [17][2]i32 } auto output
-- input { [[1i32, 2i32]] empty([0][2]i32) } error: out of bounds
-- structure { arrays 0 }
entry nearest [n] [m] (ps: [n][2]i32) (qs: [m][2]i32): [n]i64 =
  map
    (\p ->
      argmin (<=) (map (\q -> (p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])) qs)) ps

-- A state of two numbers goes through the rows of each step.
-- ==
-- entry: states
-- input { [[[1i32, 2i32], [3i32, 4i32]], [[5i32, 6i32], [7i32, 8i32]]] } output { [[18i32, -2i32], [94i32, -10i32]] }
-- allocates 1
-- random input { [100][7][2]i32 } auto output
-- random input { [100][0][2]i32 } auto output
-- input { empty([0][7][2]i32) } auto output
entry states [n] [t] (rows: [n][t][2]i32): [n][2]i32 =
  map
    (\rows ->
      loop s = [1, 0] for row in rows do
        [s[0] + row[0] * row[1] + s[1], s[0] + row[1] - row[0] * s[1]]) rows

-- Rows of rows, of an array that all steps share.
-- ==
-- entry: sums
-- random input { [100]i32 [3][4][2]i32 } auto output
-- random input { [100]i32 [3][0][2]i32 } auto output
-- random input { [5]i32 [0][4][2]i32 } auto output
entry sums [n] [h] [w] (xs: [n]i32) (a: [h][w][2]i32): [n]i32 =
  map (\x -> loop s = 0 for rows in a do
    loop s = 3 * s for row in rows do s * x + row[0] ^ row[1]) xs

-- An index that the step tells, and one that may be out of bounds.
-- ==
-- entry: chosen
-- input { [0i64, 1i64, 1i64] [[1i32, 2i32], [30i32, 40i32]] } output { [32i32, 44i32, 44i32] }
-- input { [0i64, 2i64, 1i64] [[1i32, 2i32], [30i32, 40i32]] } error: out of bounds
-- input { [0i64, 2i64, 1i64] empty([0][2]i32) } output { [0i32, 0i32, 0i32] }
-- input { [0i64, 0i64, 1i64] [[1i32], [2i32]] } error: out of bounds
-- input { [0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64, 0i64] [[1i32], [2i32]] } output { [4i32, 4i32, 4i32, 4i32, 4i32, 4i32, 4i32, 4i32, 4i32] }
entry chosen [n] [h] [w] (is: [n]i64) (a: [h][w]i32): [n]i32 =
  map (\i -> loop s = 0 for row in a do 2 * s + row[i]) is

-- An index that may be out of bounds in all lanes.
-- ==
-- entry: picked
-- input { 1i64 [1i32, 2i32, 3i32, 4i32, 5i32] [[1i32, 2i32], [30i32, 40i32]] } output { [48i32, 52i32, 56i32, 60i32, 64i32] }
-- random input { 2i64 [100]i32 [7][3]i32 } auto output
-- random input { 3i64 [100]i32 [0][3]i32 } auto output
-- random input { 3i64 [0]i32 [7][3]i32 } auto output
-- random input { 3i64 [100]i32 [7][3]i32 } error: out of bounds
-- random input { -1i64 [100]i32 [7][3]i32 } error: out of bounds
-- random input { 0i64 [100]i32 [7][0]i32 } error: out of bounds
entry picked [n] [h] [w] (k: i64) (xs: [n]i32) (a: [h][w]i32): [n]i32 =
  map (\x -> loop s = x for row in a do 2 * s + row[k]) xs

-- The same of an array of each step.
-- ==
-- entry: picked_own
-- random input { 2i64 [100][7][3]i32 } auto output
-- random input { 3i64 [100][0][3]i32 } auto output
-- random input { 3i64 [100][7][3]i32 } error: out of bounds
-- random input { 0i64 [100][7][0]i32 } error: out of bounds
entry picked_own [n] [h] [w] (k: i64) (a: [n][h][w]i32): [n]i32 =
  map (\rows -> loop s = 1 for row in rows do s * 2 + row[k]) a

-- In some lanes only.
-- ==
-- entry: some_lanes
-- random input { [100]i32 [5][3]i32 } auto output
-- random input { [100]i32 [0][3]i32 } auto output
entry some_lanes [n] [h] (xs: [n]i32) (a: [h][3]i32): [n]i32 =
  map
    (\x ->
      if x > 1000 then x
      else loop s = x for row in a do if s > row[0] then s * row[1] else s + row[2]) xs

-- The lengths of the parts.
-- ==
-- entry: lengths
-- input { [1i32, 2i32, 3i32, 4i32, 5i32] [[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]] } output { [55i32, 98i32, 141i32, 184i32, 227i32] }
entry lengths [n] [h] [w] [k] (xs: [n]i32) (a: [h][w][k]i32): [n]i32 =
  map (\x -> loop s = 0 for rows in a do
    loop s = s for row in rows do
      s + x * (loop t = 0 for e in row do 2 * t + e) + i32.i64 (length row * length rows)) xs

-- Windows of several planes, which each have weights.
-- ==
-- entry: planes
-- random input { [3][2][2]i32 [3][9][21]i32 } auto output
-- random input { [0][2][2]i32 [0][9][21]i32 } auto output
-- structure { arrays 0 }
entry planes [c] [h] [w] (ks: [c][2][2]i32) (img: [c][h + 1][w + 1]i32): [h][w]i32 =
  tabulate_2d h w (\y x ->
    i32.sum
      (map2
         (\k plane ->
           i32.sum (flatten (tabulate_2d 2 2 (\dy dx -> k[dy, dx] * plane[y + dy, x + dx])))) ks
         img))
