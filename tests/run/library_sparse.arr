-- The library's `sparse`, beside the same with matrices whose zeros are stored.

module s = import "sparse"
import "linalg"

-- | Most elements as zeros.
def thinned [n] [m] (a: [n][m]f64): [n][m]f64 = map (map (\x -> if x < 0.7 then 0 else x)) a

def near [n] (xs: [n]f64) (ys: [n]f64): bool = and (map2 (\x y -> f64.abs (x - y) < 1e-12) xs ys)

def near_2 [n] [m] (a: [n][m]f64) (b: [n][m]f64): bool = near (flatten a) (flatten b)

-- | There and back, transposed and multiplied.
-- ==
-- entry: agree
-- random input { [7][5]f64 [5]f64 [7]f64 [5][3]f64 } output { true true true true true }
-- random input { [1][1]f64 [1]f64 [1]f64 [1][1]f64 } output { true true true true true }
-- random input { [20][33]f64 [33]f64 [20]f64 [33][9]f64 } output { true true true true true }
-- input { empty([0][2]f64) [1.0, 2.0] empty([0]f64) [[1.0], [2.0]] } output { true true true true true }
-- input { empty([2][0]f64) empty([0]f64) [1.0, 2.0] empty([0][1]f64) } output { true true true true true }
entry agree [n] [m] [p] (a: [n][m]f64) (x: [m]f64) (y: [n]f64)
    (b: [m][p]f64): (bool, bool, bool, bool, bool) =
  let a = thinned a
  let c = s.of_dense a
  in (near_2 (s.to_dense m c) a,
      near_2 (s.to_dense n (s.transpose m c)) (transpose a),
      near (s.matvec c x) (matvec a x),
      near (s.matvec_t m c y) (matvec_t a y),
      near_2 (s.matmul c b) (mul a b))

-- | Single values in any order; of one place they are added up, also if that gives zero.
-- ==
-- entry: single
-- input { 3i64 [2i64, 0i64, 0i64, 2i64] [1i64, 0i64, 2i64, 1i64] [1.0, 2.0, 3.0, 4.0] }
-- output { [0i64, 2i64, 2i64, 3i64] [0i64, 2i64, 1i64] [2.0, 3.0, 5.0] [0i64, 0i64, 2i64] }
-- input { 1i64 [0i64, 0i64] [1i64, 1i64] [1.0, -1.0] } output { [0i64, 1i64] [1i64] [0.0] [0i64] }
-- input { 2i64 empty([0]i64) empty([0]i64) empty([0]f64) }
-- output { [0i64, 0i64, 0i64] empty([0]i64) empty([0]f64) empty([0]i64) }
-- input { 2i64 [2i64] [0i64] [1.0] } error: out of bounds
-- input { 2i64 [-1i64] [0i64] [1.0] } error: out of bounds
entry single [z] (n: i64) (rows: [z]i64) (columns: [z]i64) (values: [z]f64):
    ?[y].([n + 1]i64, [y]i64, [y]f64, [y]i64) =
  let a = s.of_coo n rows columns values
  in (a.offsets, a.columns, a.values, s.rows_of a)

-- | One by one, in another order, and back.
-- ==
-- entry: reordered
-- random input { [9][8]f64 } output { true }
entry reordered [n] [m] (a: [n][m]f64): bool =
  let a = thinned a
  let (rows, columns, values) = s.to_coo (s.of_dense a)
  let b = s.of_coo n (reverse rows) (reverse columns) (reverse values)
  in near_2 (s.to_dense m b) a && near_2 (s.to_dense m (s.map_values (* 2) b)) (map (map (* 2)) a)

-- ==
-- entry: outside
-- input { [0i64, 1i64] [2i64] [1.0] } error: out of bounds
entry outside (offsets: [2]i64) (columns: [1]i64) (values: [1]f64): [1][2]f64 =
  s.to_dense 2 {offsets, columns, values}

-- | The product and what is made of it are one pass, and each row one in it that stores nothing.
-- ==
-- entry: residual
-- input { [0i64, 1i64, 2i64] [0i64, 1i64] [2.0, 3.0] [1.0, 2.0] [3.0, 4.0] } output { 5.0 }
-- structure ilp { clusters 1 arrays 0 }
entry residual [n] [z] (offsets: [n + 1]i64) (columns: [z]i64) (values: [z]f64) (xs: [n]f64)
    (b: [n]f64): f64 =
  let rest = map2 (-) b (s.matvec {offsets, columns, values} xs)
  in dot rest rest
