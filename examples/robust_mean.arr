-- The mean of measurements without those that lie far away from the others.
--
-- Shows how a program calls functions of C: `median`, which only computes, and `report`, which has an
-- effect: its calls are never left out, and stay in order. The code between two calls is fused as usual:
-- a step finds the distances, and then keeps and counts the near measurements in one pass.
--
--     arrc run --link examples/c/robust_mean.c examples/robust_mean.arr robust_mean 3 '[1.0, 1.1, 0.9, 1.05, 9.0]'
--
-- ==
-- link: c/robust_mean.c

-- | The number in the middle of the sorted numbers, of which there is at least one. The numbers are in C's
-- hands as they are: no copy is made.
external median [n] (xs: [n]f64): f64

-- | Called after each step, with the number of measurements that are left, and of those that were dropped.
#[effect(io)]
external report (step: i64) (kept: i64) (dropped: i64): ()

-- | The mean of the measurements that are left, and how many these are. A measurement is dropped if it is
-- farther from the median than `reach` times the median of these distances, until none is.
-- ==
-- entry: robust_mean
-- input { 3.0 [1.0, 1.0, 4.0] }                      output { 1.0 2i64 }
-- input { 3.0 [1.0, 2.0, 3.0, 4.0, 5.0] }            output { 3.0 5i64 }
-- input { 3.0 [2.0, 1.0, 3.0, 100.0, 4.0, 12.0, 5.0] } output { 3.0 5i64 }
-- input { 3.0 [7.0] }                                output { 7.0 1i64 }
-- input { 3.0 empty([0]f64) }                        error: the external `median` failed: no numbers
entry robust_mean [n] (reach: f64) (xs: [n]f64): (f64, i64) =
  let (_, near, _) =
    loop (step, ys, more) = (1i64, xs, true)
        while more do
      let middle = median ys
      let distance = median (map (\y -> f64.abs (y - middle)) ys)
      let near = filter (\y -> f64.abs (y - middle) <= reach * distance) ys
      let () = report step (length near) (length ys - length near)
      in (step + 1, near, length near < length ys)
  in (reduce (+) 0 near / f64.i64 (length near), length near)
