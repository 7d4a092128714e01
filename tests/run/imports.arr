-- Files that import files: names as they are, by a module, in the middle, twice; library files.
import "lib/shapes"

-- ==
-- entry: areas
-- input { [1.0, 2.0] } output { [3.141592653589793, 12.566370614359172] }
-- input { empty([0]f64) } output { empty([0]f64) }
entry areas [n] (rs: [n]f64): [n]f64 = map area rs

-- Local names of the imported file cannot be seen, but are used.
-- ==
-- entry: through_local
-- input { 20i64 } output { 42i64 }
entry through_local (x: i64): i64 = seen x

module p = import "lib/sub/points"
module shapes = import "lib/shapes"

-- ==
-- entry: qualified
-- input { 3.0 4.0 } output { 5.0 }
entry qualified (x: f64) (y: f64): f64 = p.norm {x, y}

-- The same file by two ways is one file: its types are the same.
-- ==
-- entry: record_of_import
-- input { 1.0 2.0 } output { 3.0 0.0 }
entry record_of_import (r: f64) (by: f64): (f64, f64) =
  let c: shapes.circle = {centre = {x = 0, y = 0}, r}
  let d = grown c by
  in (d.r, p.norm d.centre)

-- ==
-- entry: entry_of_import
-- input { [1i64, 2i64] } output { [2i64, 4i64] }
entry entry_of_import [n] (xs: [n]i64): [n]i64 = shapes.doubled xs

-- ==
-- entry: nested
-- input { 1i64 } output { 44i64 }
entry nested (x: i64): i64 = shapes.deep.inner.answer + deep.inner.inc x

-- A name that is declared here hides the imported one from here on, and everywhere before the import.
def tau: f64 = 6

-- ==
-- entry: hidden_name
-- input { } output { 6.0 6.283185307179586 }
entry hidden_name: (f64, f64) = (tau, shapes.tau)

module c = import "complex"

-- ==
-- entry: complex_product
-- input { 1.0 2.0 3.0 4.0 } output { -5.0 10.0 }
entry complex_product (a: f64) (b: f64) (x: f64) (y: f64): (f64, f64) =
  let z: c.complex = c.mk a b c.* c.mk x y
  in (z.re, z.im)

-- ==
-- entry: complex_sum
-- input { [1.0, 2.0] [0.5, -0.5] } output { 3.0 0.0 }
-- input { empty([0]f64) empty([0]f64) } output { 0.0 0.0 }
entry complex_sum [n] (re: [n]f64) (im: [n]f64): (f64, f64) =
  let s = reduce (c.+) (c.real 0) (map2 c.mk re im)
  in (s.re, s.im)

-- An error at run time is placed in the imported file.
-- ==
-- entry: fails_there
-- input { [1i64, 2i64, 3i64] } error: lib/shapes.arr:\d+
entry fails_there (xs: [3]i64): i64 = third xs
