-- The product of two matrices, and its largest element. Rows of the left one meet the columns of the right
-- one, which are rows of its transpose.
--
--     arrc run examples/matmul.arr matmul '[[1.0, 2.0], [3.0, 4.0]]' '[[5.0, 6.0], [7.0, 8.0]]'

def dot [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)

-- | The product of the matrices a and b, and its largest element.
-- ==
-- entry: matmul
-- input { [[1.0, 2.0], [3.0, 4.0]] [[5.0, 6.0], [7.0, 8.0]] } output { [[19.0, 22.0], [43.0, 50.0]] 50.0 }
-- input { [[1.0, 2.0, 3.0]] [[1.0], [2.0], [3.0]] } output { [[14.0]] 14.0 }
-- input { empty([0][2]f64) [[5.0, 6.0], [7.0, 8.0]] } output { empty([0][2]f64) -f64.inf }
-- input { [[1.0, 2.0]] [[5.0, 6.0]] } error: 2
entry matmul [n] [m] [k] (a: [n][m]f64) (b: [m][k]f64): ([n][k]f64, f64) =
  let columns = transpose b
  let product = map (\row -> map (dot row) columns) a
  in (product, f64.maximum (map f64.maximum product))
