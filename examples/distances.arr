-- The lengths of the shortest ways between all places, by the method of R. Floyd and S. Warshall: each turn lets the
-- ways lead through one more place.
--
-- Shows `modarray` in a loop, and infinity as the length of a missing way.
--
--     arrc run examples/distances.arr distances '[[0, 5, inf], [inf, 0, 1], [2, inf, 0]]'

-- | The length of the shortest way from each place to each, given the lengths of the direct ways.
-- ==
-- entry: distances
-- input { [[0.0, 5.0, inf, 9.0], [inf, 0.0, 1.0, 3.0], [2.0, inf, 0.0, inf], [inf, inf, inf, 0.0]] }
-- output { [[0.0, 5.0, 6.0, 8.0], [3.0, 0.0, 1.0, 3.0], [2.0, 7.0, 0.0, 10.0], [inf, inf, inf, 0.0]] }
-- input { [[0.0]] } output { [[0.0]] }
-- input { empty([0][0]f64) } output { empty([0][0]f64) }
-- random input { [12][12]f64 } auto output
-- structure distances.loop { clusters 1 arrays 0 loops 2 }
entry distances [n] (d: [n][n]f64): [n][n]f64 =
  loop d for k < n do
    with { (. <= [i, j] <= .) :
             let (now, through) = (d[i, j], d[i, k] + d[k, j])
             in if through < now then through else now }
      : modarray d
