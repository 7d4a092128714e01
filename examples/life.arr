-- Conway's Game of Life on a torus: a cell lives on with two or three living neighbours, and comes to life
-- with three. The board's edges are joined, left to right and top to bottom.
--
-- Shows matrices, a step that makes each cell from those around it, and loops that carry a board: for so many
-- steps, and until nothing changes any more.
--
--     arrc run examples/life.arr generation 1 \
--       '[[false, true, false], [false, true, false], [false, true, false]]'

-- | One step of a board.
def step [h] [w] (board: [h][w]bool): [h][w]bool =
  let living i j = i64.bool board[i % h, j % w]
  let row i j = living i (j - 1) + living i j + living i (j + 1)
  let next i j =
    let neighbours = row (i - 1) j + row i j + row (i + 1) j - living i j
    in neighbours == 3 || (neighbours == 2 && board[i, j])
  in tabulate_2d h w next

-- | How many cells live.
def population [h] [w] (board: [h][w]bool): i64 = count id (flatten board)

-- | The board after so many steps.
-- ==
-- entry: generation
-- "a block stays"
-- input { 5i64 [[false, false, false, false], [false, true, true, false],
--               [false, true, true, false], [false, false, false, false]] }
-- output { [[false, false, false, false], [false, true, true, false],
--           [false, true, true, false], [false, false, false, false]] }
-- "a blinker turns"
-- input { 3i64 [[false, false, false, false, false], [false, false, true, false, false],
--               [false, false, true, false, false], [false, false, true, false, false],
--               [false, false, false, false, false]] }
-- output { [[false, false, false, false, false], [false, false, false, false, false],
--           [false, true, true, true, false], [false, false, false, false, false],
--           [false, false, false, false, false]] }
-- "a glider goes one down and one to the right in four steps, and across the edges"
-- input { 4i64 [[false, true, false, false, false], [false, false, true, false, false],
--               [true, true, true, false, false], [false, false, false, false, false],
--               [false, false, false, false, false]] }
-- output { [[false, false, false, false, false], [false, false, true, false, false],
--           [false, false, false, true, false], [false, true, true, true, false],
--           [false, false, false, false, false]] }
-- input { 20i64 [[false, true, false, false, false], [false, false, true, false, false],
--                [true, true, true, false, false], [false, false, false, false, false],
--                [false, false, false, false, false]] }
-- output { [[false, true, false, false, false], [false, false, true, false, false],
--           [true, true, true, false, false], [false, false, false, false, false],
--           [false, false, false, false, false]] }
-- input { 3i64 empty([0][4]bool) } output { empty([0][4]bool) }
-- random input { 10i64 [16][16]bool } auto output
entry generation [h] [w] (steps: i64) (board: [h][w]bool): [h][w]bool =
  loop board for _i < steps do step board

-- | How many cells live at first and after each of so many steps.
-- ==
-- entry: populations
-- input { 3i64 [[false, true, false, false], [false, true, false, false],
--               [false, true, true, false], [false, false, false, false]] }
-- output { [4i64, 6i64, 8i64, 7i64] }
entry populations [h] [w] (steps: i64) (board: [h][w]bool): [steps + 1]i64 =
  let counts = replicate (steps + 1) (population board)
  let (_, counts) =
    loop (board, counts) for i < steps do
      let board = step board
      in (board, counts with [i + 1] = population board)
  in counts

-- | The step after which the board stays as it is, and how many cells live then; at most `limit` steps
-- are taken, and -1 is the answer if there is still something moving.
-- ==
-- entry: settled
-- "one cell dies"
-- input { 10i64 [[false, false, false], [false, true, false], [false, false, false]] } output { 1i64 0i64 }
-- "a blinker never settles"
-- input { 10i64 [[false, false, false, false, false], [false, false, true, false, false],
--                [false, false, true, false, false], [false, false, true, false, false],
--                [false, false, false, false, false]] }
-- output { -1i64 3i64 }
entry settled [h] [w] (limit: i64) (board: [h][w]bool): (i64, i64) =
  let (board, steps, moving) =
    loop (board, steps, moving) = (board, 0, true) while moving && steps <= limit do
      let next = step board
      let moving = or (map2 (!=) (flatten next) (flatten board))
      in (next, if moving then steps + 1 else steps, moving)
  in (if moving then -1 else steps, population board)
