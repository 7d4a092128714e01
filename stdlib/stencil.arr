-- Stencils: each element of the result depends on the elements around its index. A boundary defines those outside.
--
--     import "stencil"
--     def blurred [n] (xs: [n]f64): [n]f64 =
--       stencil_1 #reflect 1 (\at -> 0.25 * at (-1) + 0.5 * at 0 + 0.25 * at 1) xs

-- | The elements outside of `a b c d`: the nearest element (`a a|a b c d|d d`), the array again (`c d|a b c d|a b`),
-- the array mirrored at its edge (`b a|a b c d|d c`) or at its last element (`c b|a b c d|c b`), or always the same value.
type boundary 'a = #clamp | #wrap | #reflect | #mirror | #constant a

-- | The index next to k in an axis of n elements.
local def clamped (n: i64) (k: i64): i64 = i64.max 0 (i64.min (n - 1) k)

-- | The index that stands for k in an axis of n elements; k lies at most r outside. Each branch keeps it visibly in bounds,
-- so that no element is checked, at the edges either.
local def wrapped (r: i64) (n: i64) (k: i64): i64 =
  if r <= n then (if k < 0 then k + n else if k < n then k else k - n) else k % i64.max 1 n

local def reflected (r: i64) (n: i64) (k: i64): i64 =
  if r <= n then (if k < 0 then -1 - k else if k < n then k else 2 * n - 1 - k)
  else let k = k % i64.max 1 (2 * n) in if k < n then k else clamped n (2 * n - 1 - k)

local def mirrored (r: i64) (n: i64) (k: i64): i64 =
  if r < n then (if k < 0 then -k else if k < n then k else 2 * n - 2 - k)
  else let k = k % i64.max 1 (2 * n - 2) in if k < n then k else clamped n (2 * n - 2 - k)

-- | `at` of the index that stands for i + d, or the constant. If i is at least r away from both ends, that is i + d. So
-- the compiler splits a loop over i into ranges, and the inner range needs no tests. It is also i + d if d is 0, which
-- is mostly known: such an axis needs no tests at its edges either.
local def along 'a (mode: boundary a) (r: i64) (n: i64) (i: i64) (d: i64) (at: i64 -> a): a =
  let is_inner = d == 0 || (r <= i && i < n - r)
  let k = i + d
  in match mode
     case #clamp -> at (if is_inner then k else clamped n k)
     case #wrap -> at (if is_inner then k else wrapped r n k)
     case #reflect -> at (if is_inner then k else reflected r n k)
     case #mirror -> at (if is_inner then k else mirrored r n k)
     case #constant x -> if is_inner || (0 <= k && k < n) then at k else x

-- | The radius, which must not be negative; an error at run time otherwise.
local def checked (radius: i64): i64 = assert (radius >= 0) radius

-- | `f at` at each index, where `at d` is the element d places further, for d from -radius to radius.
def stencil_1 [n] 'a 'b (mode: boundary a) (radius: i64) (f: (i64 -> a) -> b) (xs: [n]a): *[n]b =
  let r = checked radius
  in with { (. <= [i] <= .) : f (\d -> along mode r n i d (\i -> xs[i])) } : genarray ([n])

-- | `f at` at each index of a matrix, where `at di dj` is the element di rows and dj columns further, both from -radius
-- to radius.
def stencil_2 [n] [m] 'a 'b (mode: boundary a) (radius: i64) (f: (i64 -> i64 -> a) -> b)
    (a: [n][m]a): *[n][m]b =
  let r = checked radius
  in with { (. <= [i, j] <= .) :
              f (\di dj -> along mode r n i di (\i -> along mode r m j dj (\j -> a[i, j]))) }
       : genarray ([n, m])

-- | `f at` at each index in three dimensions, where `at di dj dk` is an element near by, each from -radius to radius.
def stencil_3 [n] [m] [o] 'a 'b (mode: boundary a) (radius: i64) (f: (i64 -> i64 -> i64 -> a) -> b)
    (a: [n][m][o]a): *[n][m][o]b =
  let r = checked radius
  in with { (. <= [i, j, k] <= .) :
              f (\di dj dk ->
                along mode r n i di
                  (\i -> along mode r m j dj (\j -> along mode r o k dk (\k -> a[i, j, k])))) }
       : genarray ([n, m, o])

-- | `f at` at each index of an array of any rank, where `at d` is the element d places further in one dimension, for d
-- from -radius to radius. A separable filter goes through the dimensions one after the other.
def stencil_axis [..s] 'a 'b (mode: boundary a) (axis: i64) (radius: i64) (f: (i64 -> a) -> b)
    (a: [..s]a): *[..s]b =
  let r = checked radius
  let size = shape a
  in with { (. <= iv <= .) :
              f (\d -> along mode r size[axis] iv[axis] d (\i ->
                a[tabulate (dim a) (\k -> if k == axis then i else iv[k])])) }
       : genarray (size)

-- | The sum of the elements around each one, times the weights. The middle one is at the position k / 2 of the weights.
def correlate_1 [n] [k] (mode: boundary f64) (weights: [k]f64) (xs: [n]f64): *[n]f64 =
  stencil_1 mode (k / 2) (\at -> f64.sum (tabulate k (\i -> weights[i] * at (i - k / 2)))) xs

-- | The same of matrices: the middle weight is at the position (k / 2, l / 2).
def correlate_2 [n] [m] [k] [l] (mode: boundary f64) (weights: [k][l]f64)
    (a: [n][m]f64): *[n][m]f64 =
  stencil_2 mode (i64.max (k / 2) (l / 2))
    (\at ->
      f64.sum (flatten (tabulate_2d k l (\i j -> weights[i, j] * at (i - k / 2) (j - l / 2))))) a
