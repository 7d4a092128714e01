-- Pictures of the Mandelbrot set: the numbers c of the plane for which z, z² + c, (z² + c)² + c, …, from
-- z = 0, stays bounded.
--
-- Shows operators of one's own for complex numbers, a `while` loop in each element of a matrix, and a
-- histogram. `area` never stores the picture that it counts: each row is counted when it has been made.
--
--     arrc run examples/mandelbrot.arr steps 5 3 100
--
-- ==
-- structure area none { clusters 3 } ilp { clusters 1 arrays 0 }

-- | Complex numbers as pairs of numbers.
type complex = {re: f64, im: f64}

def (+^) (a: complex) (b: complex): complex = {re = a.re + b.re, im = a.im + b.im}

def (*^) (a: complex) (b: complex): complex =
  {re = a.re * b.re - a.im * b.im, im = a.re * b.im + a.im * b.re}

-- | The square of the distance from 0.
def norm (a: complex): f64 = a.re * a.re + a.im * a.im

-- | After how many steps z is farther than 2 from 0, from where it never comes back; `limit` if it is
-- not by then.
def escape (limit: i32) (c: complex): i32 =
  let (_, n) =
    loop (z, n) = ({re = 0, im = 0}, 0) while n < limit && norm z <= 4 do (z *^ z +^ c, n + 1)
  in n

-- | The point of the plane at the middle of a pixel, in a picture from -2 to 1 and from 1.5 to -1.5.
def point (height: i64) (width: i64) (i: i64) (j: i64): complex =
  { re = 3 * (f64.i64 j + 0.5) / f64.i64 width - 2
  , im = 1.5 - 3 * (f64.i64 i + 0.5) / f64.i64 height }

-- | The picture, as the number of steps of each pixel.
-- ==
-- entry: steps
-- input { 3i64 5i64 100 } output { [[2, 3, 4, 4, 2], [100, 100, 100, 100, 3], [2, 3, 4, 4, 2]] }
-- input { 0i64 2i64 100 } output { empty([0][2]i32) }
-- input { 2i64 2i64 0 } output { [[0, 0], [0, 0]] }
-- input { -1i64 2i64 0 } error: negative size -1
entry steps (height: i64) (width: i64) (limit: i32): [height][width]i32 =
  tabulate_2d height width (\i j -> escape limit (point height width i j))

-- | The picture in 256 shades, so that each shade gets about as many pixels: a pixel is as bright as the
-- part of pixels that take fewer steps. What stays bounded is black.
-- ==
-- entry: shades
-- input { 3i64 3i64 100 } output { [[0u8, 113u8, 0u8], [0u8, 0u8, 170u8], [0u8, 113u8, 0u8]] }
entry shades (height: i64) (width: i64) (limit: i32): [height][width]u8 =
  let picture = steps height width limit
  let taken = flatten picture
  let pixels = hist (+) 0 (i64.i32 limit + 1) (map i64.i32 taken) (map (const 1i64) taken)
  let fewer = exscan (+) 0 pixels
  let shade n = if n == limit then 0 else u8.i64 (fewer[i64.i32 n] * 255 / (height * width))
  in map (map shade) picture

-- | About the area of the set: the part of the picture's pixels that stay bounded, times its area.
-- ==
-- entry: area
-- input { 3i64 5i64 100 } output { 2.4 }
entry area (height: i64) (width: i64) (limit: i32): f64 =
  let inside = map (count (== limit)) (steps height width limit)
  in 9 * f64.i64 (i64.sum inside) / f64.i64 (height * width)
