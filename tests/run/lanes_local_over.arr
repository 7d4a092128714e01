-- Several steps at once, each with a small array of its own. A pass in a step puts its result over one whose elements have
-- another type of the same size.

-- ==
-- entry: floats_over_integers
-- input { [1.0, 2.0, 0.5, 7.0, -3.0, 4.0, 0.0, 2.5, 9.0, -0.5, 3.0] [1.0, 2.5] }
-- output { [10.5, 10.5, 10.5, 24.0, 10.5, 15.0, 10.5, 10.5, 30.0, 10.5, 12.0] }
-- input { empty([0]f64) [1.0] }
-- output { empty([0]f64) }
entry floats_over_integers [n] [m] (xs: [n]f64) (zs: [m]f64): [n]f64 =
  map (\x -> f64.sum (map (\k -> reduce f64.max x zs + f64.i64 k) (iota 3))) xs

-- ==
-- entry: narrow_floats_over_integers
-- input { [1.0, 2.0, 0.5, 7.0, -3.0, 4.0, 0.0, 2.5, 9.0, -0.5, 3.0] [1.0, 2.5] }
-- output { [25.0, 25.0, 25.0, 70.0, 25.0, 40.0, 25.0, 25.0, 90.0, 25.0, 30.0] }
-- input { empty([0]f32) [1.0] }
-- output { empty([0]f32) }
entry narrow_floats_over_integers [n] [m] (xs: [n]f32) (zs: [m]f32): [n]f32 =
  map (\x -> f32.sum (map (\k -> reduce f32.max x zs * f32.i32 k) (map i32.i64 (iota 5)))) xs

-- ==
-- entry: flags_over_bytes
-- input { [0, 1, 2, 3, 100, 127, 128, 255, 254, 5, 7] [3, 6] }
-- output { [true, true, true, false, false, false, false, false, false, false, false] }
-- input { empty([0]u8) [1] }
-- output { empty([0]bool) }
entry flags_over_bytes [n] [m] (xs: [n]u8) (zs: [m]u8): [n]bool =
  map (\x -> reduce (&&) true (map (\k -> reduce u8.max x zs > k) [x, x + 1, x * 2])) xs

-- ==
-- entry: integers_over_floats
-- input { [0, 1, -2, 3, 100, -127, 128, 255, -254, 5, 7] [3, 6] }
-- output { [23, 24, 21, 26, 405, -104, 517, 1025, -231, 28, 33] }
-- input { empty([0]i64) [1] }
-- output { empty([0]i64) }
entry integers_over_floats [n] [m] (xs: [n]i64) (zs: [m]i64): [n]i64 =
  map (\x -> i64.sum (map (\k -> reduce i64.max x zs + i64.f64 k) [f64.i64 x, 2.5, 3])) xs
