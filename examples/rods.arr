-- How heat spreads in many rods at once, by implicit steps: each is a system of equations with three diagonals for each
-- rod (the method of J. Crank and P. Nicolson, and the elimination of L. H. Thomas).
--
-- Shows functions that make rows of a matrix by loops of their own, with updates in place; a loop over time that carries
-- a matrix; records of arrays.
--
--     arrc run examples/rods.arr spread_heat 100 0.5 '[[0, 0, 100, 0, 0]]'

-- | Tridiagonal systems: the lower, main and upper diagonals, and the right-hand sides.
type system [m] = {left: [m]f64, middle: [m]f64, right: [m]f64, given: [m]f64}

-- | The solution of a system: elimination from the first equation on, then substitution from the last one back. The
-- first number of `left` and the last one of `right` do not matter.
def solution [m] (s: system [m]): [m]f64 =
  let (ratios, values, _, _) =
    loop (ratios, values, ratio, value) = (replicate m 0, replicate m 0, 0, 0) for i < m do
      let left = if i == 0 then 0 else s.left[i]
      let scale = 1 / (s.middle[i] - left * ratio)
      let ratio = s.right[i] * scale
      let value = (s.given[i] - left * value) * scale
      in (ratios with [i] = ratio, values with [i] = value, ratio, value)
  in loop xs = values for j < m - 1 do
       let i = m - 2 - j
       in xs with [i] = xs[i] - ratios[i] * xs[i + 1]

-- | The solutions of many systems, one a row.
-- ==
-- entry: solve
-- "2 x + y = 4, x + 2 y = 5; and one equation by itself would be 4 x = 8"
-- input { [[0.0, 1.0]] [[2.0, 2.0]] [[1.0, 0.0]] [[4.0, 5.0]] } output { [[1.0, 2.0]] }
-- input { [[9.0], [9.0]] [[4.0], [2.0]] [[9.0], [9.0]] [[8.0], [1.0]] } output { [[2.0], [0.5]] }
-- input { empty([0][3]f64) empty([0][3]f64) empty([0][3]f64) empty([0][3]f64) } output { empty([0][3]f64) }
-- input { [[1.0]] [[1.0]] [[1.0]] [[1.0], [2.0]] } error: must be equal
entry solve [n] [m] (left: [n][m]f64) (middle: [n][m]f64) (right: [n][m]f64)
    (given: [n][m]f64): [n][m]f64 =
  map4 (\left middle right given -> solution {left, middle, right, given}) left middle right given

-- | The residual of each system: how far the solution is from satisfying its equations, at most.
-- ==
-- entry: residuals
-- input { [[0.0, 1.0]] [[2.0, 2.0]] [[1.0, 0.0]] [[4.0, 5.0]] [[1.0, 3.0]] } output { [2.0] }
entry residuals [n] [m]
    (left: [n][m]f64) (middle: [n][m]f64) (right: [n][m]f64) (given: [n][m]f64)
    (xss: [n][m]f64): [n]f64 =
  let residual (s: system [m]) (xs: [m]f64): f64 =
    let before i = if i == 0 then 0 else s.left[i] * xs[i - 1]
    let after i = if i == m - 1 then 0 else s.right[i] * xs[i + 1]
    in f64.maximum
         (map (\i -> f64.abs (before i + s.middle[i] * xs[i] + after i - s.given[i])) (iota m))
  in map5 (\left middle right given xs -> residual {left, middle, right, given} xs) left middle
       right given xss

-- | The system whose solution is a rod's temperatures after a step; `r` is half the step's length, times the
-- conductivity, over the square of the distance of neighbours. No heat leaves at the ends.
def next_system [m] (r: f64) (xs: [m]f64): system [m] =
  let at i = xs[i64.max 0 (i64.min i (m - 1))]
  let sides i = if m == 1 then 0 else if i == 0 || i == m - 1 then 1 else 2
  in { left = replicate m (-r)
     , middle = tabulate m (\i -> 1 + sides i * r)
     , right = replicate m (-r)
     , given = tabulate m (\i -> xs[i] + r * (at (i - 1) - 2 * xs[i] + at (i + 1))) }

-- | The temperatures in each rod after some steps.
-- ==
-- entry: spread_heat
-- "nothing happens where all is equally warm"
-- input { 3i64 0.5 [[2.0, 2.0, 2.0]] } output { [[2.0, 2.0, 2.0]] }
-- "two halves: 1 + 1/2 and 0 + 1/2"
-- input { 1i64 0.5 [[2.0, 0.0]] } output { [[1.0, 1.0]] }
-- input { 0i64 0.5 [[1.0, 3.0], [4.0, 2.0]] } output { [[1.0, 3.0], [4.0, 2.0]] }
-- input { 5i64 0.5 [[1.0], [3.0]] } output { [[1.0], [3.0]] }
entry spread_heat [n] [m] (steps: i64) (r: f64) (rods: [n][m]f64): [n][m]f64 =
  loop rods for _ < steps do map (\rod -> solution (next_system r rod)) rods

-- | The heat in each rod, which does not change.
-- ==
-- entry: heat
-- input { [[1.0, 2.0], [0.0, 5.0]] } output { [3.0, 5.0] }
entry heat [n] [m] (rods: [n][m]f64): [n]f64 = map f64.sum rods
