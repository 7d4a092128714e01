-- A mesh around any shape, as the SPEC benchmark tomcatv makes it: the points of a grid lie in the plane so that the lines of the
-- grid are smooth and do not cross.
--
-- The position (x, y) of the grid's point (i, j) is a solution of the equations of A. Winslow,
--
--     a z_ii - 2 c z_ij + b z_jj = 0   for z = x and z = y, where
--     a = x_j x_j + y_j y_j,   b = x_i x_i + y_i y_i,   c = x_i x_j + y_i y_j,
--
-- with differences of neighbours in the place of derivatives. A step computes the residual, the difference of both
-- sides, at each point. The corrections of x and y solve the part of the equations along j, with a part of the terms
-- along i on the diagonal: for each i a system with three diagonals (by the elimination of L. H. Thomas). Edges stay.
--
-- Shows with-loops with several operators; rows of several arrays that a loop makes from the rows before, in place; and
-- the fewest sweeps that the dependences allow, which are two. The systems are along j, so the last row must be
-- eliminated before the first one is substituted. The first sweep computes the residuals, the second the new points.
--
--     arrc run examples/tomcatv.arr tomcatv 1 '[[0, 1, 2], [0, 1.5, 2], [0, 1, 2]]' '[[0, 0, 0], [1, 1, 1], [2, 2, 2]]'

-- | The part of a correction that is applied. Along i the method is Jacobi's, which needs less than 1.
def relaxation: f64 = 0.98

-- | The points of a mesh: row j of the grid, and place i in it.
type mesh [n] [m] = {x: [n][m]f64, y: [n][m]f64}

-- | The coefficients of the equations at a point.
def coefficients [n] [m] (p: mesh [n] [m]) (j: i64) (i: i64): (f64, f64, f64) =
  let (xi, yi) = (p.x[j, i + 1] - p.x[j, i - 1], p.y[j, i + 1] - p.y[j, i - 1])
  let (xj, yj) = (p.x[j + 1, i] - p.x[j - 1, i], p.y[j + 1, i] - p.y[j - 1, i])
  in (0.25 * (xj * xj + yj * yj), 0.25 * (xi * xi + yi * yi), 0.125 * (xi * xj + yi * yj))

-- | The difference of both sides of the equation for z at a point.
def residual [n] [m] (z: [n][m]f64) (a: f64) (b: f64) (c: f64) (j: i64) (i: i64): f64 =
  a * (z[j, i + 1] - 2 * z[j, i] + z[j, i - 1]) + b * (z[j + 1, i] - 2 * z[j, i] + z[j - 1, i])
  - c * (z[j + 1, i + 1] - z[j + 1, i - 1] - z[j - 1, i + 1] + z[j - 1, i - 1])

-- | The systems after the elimination: the correction of x at a point is f plus e times the correction at the next
-- point; for y it is g plus e times that of y at the next point. All are 0 on the edge.
type systems [n] [m] = {e: [n][m]f64, f: [n][m]f64, g: [n][m]f64}

-- | The systems of a mesh, and the largest residuals; only the edges of those before are needed.
def eliminated [n] [m] (p: mesh [n] [m]) (s: systems [n] [m]): (systems [n] [m], f64, f64) =
  loop (s, far_x, far_y) = (s, 0, 0) for k < n - 2 do
    let j = k + 1
    let (e, f, g, u, v) =
      with { (. < [i] < .) :
               let (a, b, c) = coefficients p j i
               let (u, v) = (residual p.x a b c j i, residual p.y a b c j i)
               let d = 1 / (2 * b + a * (2 / relaxation) - b * s.e[k, i])
               in (b * d, (u + b * s.f[k, i]) * d, (v + b * s.g[k, i]) * d, f64.abs u, f64.abs v) }
        : (genarray ([m], 0),
           genarray ([m], 0),
           genarray ([m], 0),
           fold (f64.max, 0),
           fold (f64.max, 0))
    in ({e = s.e with [j] = e, f = s.f with [j] = f, g = s.g with [j] = g},
        f64.max far_x u,
        f64.max far_y v)

-- | The mesh with its points moved by the solutions of the systems.
def moved [n] [m] (p: mesh [n] [m]) (s: systems [n] [m]): mesh [n] [m] =
  let (x, y, _, _) =
    loop (x, y, us, vs) = (p.x, p.y, replicate m 0, replicate m 0) for k < n - 2 do
      let j = n - 2 - k
      let us = map3 (\e f u -> f + e * u) s.e[j] s.f[j] us
      let vs = map3 (\e g v -> g + e * v) s.e[j] s.g[j] vs
      in (x with [j] = map2 (+) x[j] us, y with [j] = map2 (+) y[j] vs, us, vs)
  in {x, y}

-- | The mesh after some steps, and the largest residuals before the last of them.
-- ==
-- entry: tomcatv
-- "an even mesh stays, also a slanted one"
-- input { 5i64 [[0.0, 1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], [1.0, 2.0, 3.0, 4.0]]
--              [[0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0], [4.0, 4.0, 4.0, 4.0]] }
-- output { [[0.0, 1.0, 2.0, 3.0], [0.5, 1.5, 2.5, 3.5], [1.0, 2.0, 3.0, 4.0]]
--          [[0.0, 0.0, 0.0, 0.0], [2.0, 2.0, 2.0, 2.0], [4.0, 4.0, 4.0, 4.0]] 0.0 0.0 }
-- "between even edges, every mesh becomes even"
-- input { 200i64 [[0.0, 1.0, 2.0, 3.0], [0.0, 1.4, 1.7, 3.0], [0.0, 1.1, 2.3, 3.0], [0.0, 1.0, 2.0, 3.0]]
--               [[0.0, 0.0, 0.0, 0.0], [1.0, 0.7, 1.2, 1.0], [2.0, 2.2, 2.1, 2.0], [3.0, 3.0, 3.0, 3.0]] }
-- output { [[0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 2.0, 3.0]]
--          [[0.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0], [2.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 3.0]] 0.0 0.0 }
-- input { 3i64 [[0.0, 1.0]] [[5.0, 5.0]] } output { [[0.0, 1.0]] [[5.0, 5.0]] 0.0 0.0 }
-- input { 3i64 empty([0][4]f64) empty([0][4]f64) } output { empty([0][4]f64) empty([0][4]f64) 0.0 0.0 }
-- random input { 3i64 [9][8]f64 [9][8]f64 } auto output
-- structure { allocated 8 }
-- structure tomcatv.loop.loop { clusters 1 loops 1 }
-- structure tomcatv.loop.loop2 { clusters 1 loops 1 }
entry tomcatv [n] [m] (steps: i64) (x: [n][m]f64) (y: [n][m]f64): ([n][m]f64, [n][m]f64, f64, f64) =
  let none: [n][m]f64 = replicate n (replicate m 0)
  let (p, _, far_x, far_y) =
    loop (p, s, far_x, far_y) = ({x, y}, {e = none, f = none, g = none}, 0, 0) for _i < steps do
      let (s, far_x, far_y) = eliminated p s
      in (moved p s, s, far_x, far_y)
  in (p.x, p.y, far_x, far_y)
