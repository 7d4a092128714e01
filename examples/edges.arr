-- Where a grey picture has edges, after J. Canny (1986): it is smoothed, edges are where its brightness changes most, and
-- a weak edge counts where it leads to a strong one.
--
-- Shows pictures as matrices, filters as functions of the neighbourhood of a pixel, a sum type for the direction of an
-- edge, and a loop that goes on until nothing changes. All numbers are whole, so the result is exact.
--
--     arrc run examples/edges.arr edges 1000 4000 '[[0, 0, 9, 9], [0, 0, 9, 9], [0, 0, 9, 9]]'

-- | A picture: how bright each pixel is.
type picture [h] [w] = [h][w]i32

-- | The pixel of a picture at a place; the nearest pixel if the place is outside of the picture.
def pixel [h] [w] 'a (img: [h][w]a) (y: i64) (x: i64): a =
  img[i64.max 0 (i64.min y (h - 1)), i64.max 0 (i64.min x (w - 1))]

-- | 16 times the weighted mean of five pixels in a line; pixels in the middle have higher weights.
def smooth (at: i64 -> i32): i32 = at (-2) + 4 * at (-1) + 6 * at 0 + 4 * at 1 + at 2

-- | The picture smoothed along its rows and its columns, times 256.
-- ==
-- entry: smoothed
-- input { [[1i32]] } output { [[256i32]] }
-- input { [[0i32, 0i32, 1i32, 0i32, 0i32]] } output { [[16i32, 64i32, 96i32, 64i32, 16i32]] }
entry smoothed [h] [w] (img: picture [h] [w]): picture [h] [w] =
  let rows = tabulate_2d h w (\y x -> smooth (\d -> pixel img y (x + d)))
  in tabulate_2d h w (\y x -> smooth (\d -> pixel rows (y + d) x))

-- | How the brightness changes to the right and downwards.
type change = {right: i32, down: i32}

-- | The change at each pixel, after I. Sobel.
def changes [h] [w] (img: picture [h] [w]): [h][w]change =
  tabulate_2d h w (\y x ->
    let at dy dx = pixel img (y + dy) (x + dx)
    in { right = (at (-1) 1 + 2 * at 0 1 + at 1 1) - (at (-1) (-1) + 2 * at 0 (-1) + at 1 (-1))
       , down = (at 1 (-1) + 2 * at 1 0 + at 1 1) - (at (-1) (-1) + 2 * at (-1) 0 + at (-1) 1) })

-- | The square of the length of a change.
def strength (c: change): i64 =
  let (right, down) = (i64.i32 c.right, i64.i32 c.down)
  in right * right + down * down

-- | The line along which the brightness changes.
type line = #level | #falling | #upright | #rising

-- | The line that is nearest to a change: 5 / 2 is nearly the tangent of 67.5 degrees.
def along (c: change): line =
  let (right, down) = (i32.abs c.right, i32.abs c.down)
  in if 5 * down <= 2 * right then #level
     else if 5 * right <= 2 * down then #upright
     else if (c.right > 0) == (c.down > 0) then #falling
     else #rising

-- | The strength at each pixel where it is at least that of both neighbours in the direction of the change; 0 elsewhere.
-- ==
-- entry: ridges
-- input { [[0i32, 0i32, 9i32, 9i32]] } output { [[0i64, 1296i64, 1296i64, 0i64]] }
entry ridges [h] [w] (img: picture [h] [w]): [h][w]i64 =
  let cs = changes img
  let strengths = map (map strength) cs
  in tabulate_2d h w (\y x ->
       let (dy, dx) =
         match along cs[y, x]
         case #level -> (0, 1)
         case #upright -> (1, 0)
         case #falling -> (1, 1)
         case #rising -> (1, -1)
       let here = strengths[y, x]
       in if here >= pixel strengths (y - dy) (x - dx) && here >= pixel strengths (y + dy) (x + dx)
          then here
          else 0)

-- | The marks of a pixel: no edge, an edge if it leads to one, an edge.
def none: u8 = 0
def weak: u8 = 1
def strong: u8 = 2

-- | Weak pixels beside strong ones become strong, until there are no more.
def followed [h] [w] (marks: [h][w]u8): [h][w]u8 =
  let step (marks: [h][w]u8): [h][w]u8 =
    tabulate_2d h w (\y x ->
      let near = tabulate_2d 3 3 (\dy dx -> pixel marks (y + dy - 1) (x + dx - 1))
      in if marks[y, x] == weak && u8.maximum (flatten near) == strong then strong else marks[y, x])
  let (marks, _) =
    loop (marks, going) = (marks, true) while going do
      let next = step marks
      in (next, or (map2 (!=) (flatten marks) (flatten next)))
  in marks

-- | The edges of a picture: from pixels where the change is stronger than `high`, along those where it is stronger than
-- `low`.
-- ==
-- entry: edges
-- "a step: both of its sides"
-- input { 1000i64 100000i64 [[0i32, 0i32, 0i32, 9i32, 9i32, 9i32]] }
-- output { [[false, false, true, true, false, false]] }
-- "nothing is strong"
-- input { 1000i64 100000000000i64 [[0i32, 0i32, 0i32, 9i32, 9i32, 9i32]] }
-- output { [[false, false, false, false, false, false]] }
-- input { 1i64 1i64 empty([0][3]i32) } output { empty([0][3]bool) }
entry edges [h] [w] (low: i64) (high: i64) (img: picture [h] [w]): [h][w]bool =
  let mark s = if s > high then strong else if s > low then weak else none
  in map (map (== strong)) (followed (map (map mark) (ridges (smoothed img))))
