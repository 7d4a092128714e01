-- A map, a filter, and a fold of what passes the filter, in one loop.
--
-- The smallest program that needs a filter to fuse with what comes after it, though its result is
-- also returned: both `vec3` and `mx` are made while `vec1` is read once.
--
--     arrc run examples/filter_max.arr filter_max '[3, -5, 0, 7, -1]'
--
-- How many loops each strategy makes, which the tests hold it to:
-- ==
-- structure filter_max none { clusters 3 } stream { clusters 2 } megiddo { clusters 2 } ilp { clusters 1 }

-- | The elements that are positive when increased by one, so increased, and the largest of them;
-- 0 if there is none.
entry filter_max [n] (vec1: [n]i64): ?[m].([m]i64, i64) =
  let vec2 = map (+ 1) vec1
  let vec3 = filter (> 0) vec2
  let mx = reduce i64.max 0 vec3
  in (vec3, mx)
