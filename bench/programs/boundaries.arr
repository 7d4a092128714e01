-- The library's stencils with each boundary: differences of fourth order, which read two elements in each direction.
import "stencil"

-- | The weighted differences along a line.
def line (at: i64 -> f64): f64 = (16 * (at (-1) + at 1) - (at (-2) + at 2)) - 30 * at 0

-- | The same along the rows and the columns.
def cross (at: i64 -> i64 -> f64): f64 =
  (16 * ((at (-1) 0 + at 1 0) + (at 0 (-1) + at 0 1))
   - ((at (-2) 0 + at 2 0) + (at 0 (-2) + at 0 2))) - 60 * at 0 0

-- | The same in three dimensions.
def star (at: i64 -> i64 -> i64 -> f64): f64 =
  (16 * (((at (-1) 0 0 + at 1 0 0) + (at 0 (-1) 0 + at 0 1 0)) + (at 0 0 (-1) + at 0 0 1))
   - (((at (-2) 0 0 + at 2 0 0) + (at 0 (-2) 0 + at 0 2 0)) + (at 0 0 (-2) + at 0 0 2)))
  - 90 * at 0 0 0

entry clamp_1_f64 [n] (a: [n]f64): [n]f64 = stencil_1 #clamp 2 line a
entry wrap_1_f64 [n] (a: [n]f64): [n]f64 = stencil_1 #wrap 2 line a
entry reflect_1_f64 [n] (a: [n]f64): [n]f64 = stencil_1 #reflect 2 line a
entry constant_1_f64 [n] (a: [n]f64): [n]f64 = stencil_1 (#constant 0.5) 2 line a

entry clamp_2_f64 [n] [m] (a: [n][m]f64): [n][m]f64 = stencil_2 #clamp 2 cross a
entry wrap_2_f64 [n] [m] (a: [n][m]f64): [n][m]f64 = stencil_2 #wrap 2 cross a
entry reflect_2_f64 [n] [m] (a: [n][m]f64): [n][m]f64 = stencil_2 #reflect 2 cross a
entry constant_2_f64 [n] [m] (a: [n][m]f64): [n][m]f64 = stencil_2 (#constant 0.5) 2 cross a

entry clamp_3_f64 [n] [m] [o] (a: [n][m][o]f64): [n][m][o]f64 = stencil_3 #clamp 2 star a
entry wrap_3_f64 [n] [m] [o] (a: [n][m][o]f64): [n][m][o]f64 = stencil_3 #wrap 2 star a
entry reflect_3_f64 [n] [m] [o] (a: [n][m][o]f64): [n][m][o]f64 = stencil_3 #reflect 2 star a
entry constant_3_f64 [n] [m] [o] (a: [n][m][o]f64): [n][m][o]f64 =
  stencil_3 (#constant 0.5) 2 star a
