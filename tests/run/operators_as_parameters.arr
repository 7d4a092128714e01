-- Operators as parameters, and named parameters of functions.

def is_first [n] 't ((<=): t -> t -> bool) (xs: [n]t) (x: t): bool = all (x <=) xs && x <= x

-- ==
-- entry: ordered
-- input { [3.0, 2.0] 1.0 } output { true false }
entry ordered [n] (xs: [n]f64) (x: f64): (bool, bool) = (is_first (<=) xs x, is_first (>=) xs x)

def without_types (<+>) x y = reduce (<+>) x [x <+> y, (x <+>) y, (<+> y) x]

-- ==
-- entry: joined
-- input { 2i64 3i64 } output { 17i64 432i64 }
entry joined (x: i64) (y: i64): (i64, i64) = (without_types (+) x y, without_types (*) x y)

-- ==
-- entry: hidden
-- input { 7i64 } output { 21i64 10i64 }
entry hidden (x: i64): (i64, i64) = ((\(+) -> x + 3) (*), x + 3)

def named (f: (x: f64) -> (factor: f64) -> f64) (g: (xs: []f64) -> (n: i64) -> [n]f64): [2]f64 =
  g [f 1 2] 2

-- ==
-- entry: names
-- input { 3.0 } output { [6.0, 6.0] }
entry names (x: f64): [2]f64 = named (\a b -> a * b * x) (\xs n -> replicate n xs[0])
