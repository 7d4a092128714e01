-- Fields on grids, step by step: a potential by the method of C. Jacobi, cells that live and die by the rules of J. Conway, and
-- water that flows in a shallow basin, by the method of P. Lax and K. Friedrichs.
--
-- Shows `modarray`, which leaves the edges as they are; the library's stencils, over the edges of a torus and of records; loops that
-- carry fields until they settle.
--
--     arrc run examples/fields.arr potential 0.001 '[[0, 0, 0], [0, 0, 0]]' '[[1, 0, 1], [0, 1, 0]]'

import "stencil"

-- | One step towards the potential of charges: the mean of the neighbours, and the charge. And the largest change.
-- ==
-- entry: jacobi_step
-- input { [[0.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 0.0]] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]] }
-- output { [[1.0, 2.0, 3.0], [4.0, 6.0, 6.0], [7.0, 8.0, 9.0]] 1.0 }
-- input { empty([0][2]f64) empty([0][2]f64) } output { empty([0][2]f64) 0.0 }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry jacobi_step [n] [m] (charge: [n][m]f64) (a: [n][m]f64): ([n][m]f64, f64) =
  let b =
    with { (. < [i, j] < .) :
             0.25 * (((a[i - 1, j] + a[i + 1, j]) + (a[i, j - 1] + a[i, j + 1])) + charge[i, j]) }
      : modarray a
  in (b, with { (. <= iv <= .) : f64.abs (b[iv] - a[iv]) } : fold (f64.max, 0))

-- | The potential of charges between edges that are held, until a step changes nothing by more than `eps`; and the steps.
-- A step and its test are one sweep; two arrays take turns.
-- ==
-- entry: potential
-- "a plane is the potential of nothing"
-- input { 0.00000001 [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
--                    [[0.0, 1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 4.0], [2.0, 9.0, 7.0, 5.0], [3.0, 4.0, 5.0, 6.0]] }
-- output { [[0.0, 1.0, 2.0, 3.0], [1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.0], [3.0, 4.0, 5.0, 6.0]] 28i64 }
-- structure potential.loop { clusters 1 arrays 0 writes 1 loops 2 }
entry potential [n] [m] (eps: f64) (charge: [n][m]f64) (a: [n][m]f64): ([n][m]f64, i64) =
  let (a, _, steps) =
    loop (a, change, steps) = (a, f64.inf, 0) while change > eps do
      let (b, change) = jacobi_step charge a
      in (b, change, steps + 1)
  in (a, steps)

-- | One step of the Game of Life on a torus.
-- ==
-- entry: life_step
-- "a blinker"
-- input { [[false, false, false, false, false], [false, false, true, false, false], [false, false, true, false, false],
--          [false, false, true, false, false], [false, false, false, false, false]] }
-- output { [[false, false, false, false, false], [false, false, false, false, false], [false, true, true, true, false],
--           [false, false, false, false, false], [false, false, false, false, false]] }
-- "across the corner"
-- input { [[true, false, false, true], [false, false, false, false], [false, false, false, false], [true, false, false, true]] }
-- output { [[true, false, false, true], [false, false, false, false], [false, false, false, false], [true, false, false, true]] }
-- input { empty([0][2]bool) } output { empty([0][2]bool) }
-- structure { clusters 1 arrays 0 writes 1 loops 2 allocations 1 }
entry life_step [n] [m] (board: [n][m]bool): [n][m]bool =
  stencil_2 #wrap 1
    (\at ->
      let row i = u8.bool (at i (-1)) + u8.bool (at i 0) + u8.bool (at i 1)
      let around = row (-1) + row 0 + row 1
      in around == 3 || (around == 4 && at 0 0))
    board

-- | Water above a point: its depth, and what flows to higher rows and columns.
type water = {depth: f64, down: f64, right: f64}

-- | How much of everything that flows goes down, for each unit of breadth.
def flow_down (w: water): water =
  let v = w.down / w.depth
  in {depth = w.down, down = w.down * v + 4.905 * (w.depth * w.depth), right = w.right * v}

-- | The same to the right.
def flow_right (w: water): water =
  let v = w.right / w.depth
  in {depth = w.right, down = w.down * v, right = w.right * v + 4.905 * (w.depth * w.depth)}

-- | One step of water on a torus: `r` is the length of the step in time, divided by the width of a square of the grid.
def flowed [n] [m] (r: f64) (field: [n][m]water): [n][m]water =
  let next (get: water -> f64) (up: (water, water)) (down: (water, water)) (left: (water, water))
      (right: (water, water)): f64 =
    0.25 * ((get up.0 + get down.0) + (get left.0 + get right.0))
    - 0.5 * r * ((get down.1 - get up.1) + (get right.1 - get left.1))
  in stencil_2 #wrap 1
       (\at ->
         let with_flow flow w = (w, flow w)
         let (up, down) = (with_flow flow_down (at (-1) 0), with_flow flow_down (at 1 0))
         let (left, right) = (with_flow flow_right (at 0 (-1)), with_flow flow_right (at 0 1))
         in { depth = next (.depth) up down left right
            , down = next (.down) up down left right
            , right = next (.right) up down left right })
       field

-- | The heights and flows after a number of steps of water.
-- ==
-- entry: flow
-- "still water stays"
-- input { 0.1 3i64 [[2.0, 2.0], [2.0, 2.0]] [[0.0, 0.0], [0.0, 0.0]] [[0.0, 0.0], [0.0, 0.0]] }
-- output { [[2.0, 2.0], [2.0, 2.0]] [[0.0, 0.0], [0.0, 0.0]] [[0.0, 0.0], [0.0, 0.0]] }
-- "an even flow goes on"
-- input { 0.1 2i64 [[2.0, 2.0, 2.0]] [[1.0, 1.0, 1.0]] [[3.0, 3.0, 3.0]] }
-- output { [[2.0, 2.0, 2.0]] [[1.0, 1.0, 1.0]] [[3.0, 3.0, 3.0]] }
-- input { 0.1 1i64 [[1.0, 2.0, 1.0, 1.0]] [[0.0, 0.0, 0.0, 0.0]] [[0.0, 0.0, 0.0, 0.0]] }
-- output { [[1.25, 1.5, 1.25, 1.0]] [[0.0, 0.0, 0.0, 0.0]] [[-0.73575, 0.0, 0.73575, 0.0]] }
-- structure flow.loop { clusters 1 arrays 0 writes 3 loops 2 }
entry flow [n] [m] (r: f64) (steps: i64) (depth: [n][m]f64) (down: [n][m]f64) (right: [n][m]f64):
    ([n][m]f64, [n][m]f64, [n][m]f64) =
  let field = map3 (map3 (\depth down right -> {depth, down, right})) depth down right
  let field = loop field for _i < steps do flowed r field
  in (map (map (.depth)) field, map (map (.down)) field, map (map (.right)) field)
