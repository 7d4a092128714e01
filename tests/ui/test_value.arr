-- $ arrc test FILE
-- ==
-- entry: scaled
-- input { [1.0, 2.x, 3] 2 } output { [1, 2] }
-- input { [1.0,
--          2.0] 2.5 } output { 3 }
-- input { [1i64] 2 } output { [1] }
-- random input { [3]i64 i16 } output { empty([0]f64) }
-- random input { [n]f64 2 }
entry scaled [n] (xs: [n]f64) (k: i64): [n]f64 = map (* f64.i64 k) xs
