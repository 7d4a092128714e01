-- The prelude: the names that every Arr program can use without importing them.
--
-- An `intrinsic` has no body: the compiler knows its meaning. Everything else is ordinary Arr. `*` before the type
-- of a result says that it shares memory with nothing; before that of a parameter, that the parameter is consumed.
-- The compiler makes the scalar types' modules (`f64.sqrt`, `i64.max`); the end of this file adds to them.

-- Combinators over arrays.

-- | Applies a function to each element.
intrinsic map [n] 'a 'b (f: a -> b) (xs: [n]a): *[n]b

-- | Applies a function to the elements of two arrays, pair by pair.
intrinsic map2 [n] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [n]b): *[n]c

-- | As `map2`, of three arrays.
intrinsic map3 [n] 'a 'b 'c 'd (f: a -> b -> c -> d) (xs: [n]a) (ys: [n]b) (zs: [n]c): *[n]d

-- | As `map2`, of four arrays.
intrinsic map4 [n] 'a 'b 'c 'd 'e
    (f: a -> b -> c -> d -> e) (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d): *[n]e

-- | As `map2`, of five arrays.
intrinsic map5 [n] 'a 'b 'c 'd 'e 'f
    (f: a -> b -> c -> d -> e -> f)
    (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e): *[n]f

-- | The pairs of the elements of two arrays. Costs nothing: an array of pairs is stored as two arrays.
intrinsic zip [n] 'a 'b (xs: [n]a) (ys: [n]b): [n](a, b)

-- | As `zip`.
intrinsic zip2 [n] 'a 'b (xs: [n]a) (ys: [n]b): [n](a, b)

-- | As `zip`, of three arrays.
intrinsic zip3 [n] 'a 'b 'c (xs: [n]a) (ys: [n]b) (zs: [n]c): [n](a, b, c)

-- | As `zip`, of four arrays.
intrinsic zip4 [n] 'a 'b 'c 'd
    (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d): [n](a, b, c, d)

-- | As `zip`, of five arrays.
intrinsic zip5 [n] 'a 'b 'c 'd 'e
    (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e): [n](a, b, c, d, e)

-- | The first and the second parts of an array of pairs. Costs nothing.
intrinsic unzip [n] 'a 'b (xs: [n](a, b)): ([n]a, [n]b)

-- | As `unzip`.
intrinsic unzip2 [n] 'a 'b (xs: [n](a, b)): ([n]a, [n]b)

-- | As `unzip`, of triples.
intrinsic unzip3 [n] 'a 'b 'c (xs: [n](a, b, c)): ([n]a, [n]b, [n]c)

-- | As `unzip`, of tuples of four.
intrinsic unzip4 [n] 'a 'b 'c 'd (xs: [n](a, b, c, d)): ([n]a, [n]b, [n]c, [n]d)

-- | As `unzip`, of tuples of five.
intrinsic unzip5 [n] 'a 'b 'c 'd 'e (xs: [n](a, b, c, d, e)): ([n]a, [n]b, [n]c, [n]d, [n]e)

-- | The elements for which the predicate holds, in order. Their number is only known when the filter
-- has run, so the result of each call has a size of its own.
intrinsic filter [n] 'a (p: a -> bool) (xs: [n]a): ?[k].*[k]a

-- | The elements for which the predicate holds, and the others, both in order. One pass, which evaluates the
-- predicate once for each element.
intrinsic partition [n] 'a (p: a -> bool) (xs: [n]a): ?[k].(*[k]a, *[n - k]a)

-- | The elements for which the first predicate holds, those for which only the second does, and the
-- others, each in order. One pass.
intrinsic partition2 [n] 'a (p: a -> bool) (q: a -> bool) (xs: [n]a):
    ?[k][m].(*[k]a, *[m]a, *[n - k - m]a)

-- | Combines all elements. `op` must be associative, and `ne` neutral for it: the compiler may group
-- the elements as it likes.
intrinsic reduce [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): a

-- | As `reduce`; `op` must also be commutative: the compiler may take the elements in any order.
intrinsic reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): a

-- | Combines all elements strictly from the left, beginning with `z`.
intrinsic fold [n] 'a 'b (f: b -> a -> b) (z: b) (xs: [n]a): b

-- | As `fold`.
intrinsic foldl [n] 'a 'b (f: b -> a -> b) (z: b) (xs: [n]a): b

-- | The results of `reduce` for the first element, for the first two, and so on up to all. `op` must be
-- associative, and `ne` neutral for it. Fuses with the combinators before it and after it.
intrinsic scan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a

-- | As `scan`, but without the element at the position itself: first `ne`, then the result of `reduce`
-- for the first element, and so on up to all but the last.
intrinsic exscan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): *[n]a

-- | The numbers 0, 1, …, n - 1.
intrinsic iota (n: i64): *[n]i64

-- | n times the same element.
intrinsic replicate 'a (n: i64) (x: a): *[n]a

-- | The results of a function on 0, 1, …, n - 1.
intrinsic generate 'a (n: i64) (f: i64 -> a): *[n]a

-- | As `generate`.
intrinsic tabulate 'a (n: i64) (f: i64 -> a): *[n]a

-- | The elements at some positions, which must be positions of the array.
intrinsic gather [n] [m] 'a (xs: [n]a) (is: [m]i64): *[m]a

-- | Each element of the first array paired with each of the second: for the first element of `xs` all
-- of `ys`, then for the second, and so on.
intrinsic cross [n] [m] 'a 'b (xs: [n]a) (ys: [m]b): *[n * m](a, b)

-- | The elements of the first array and then those of the second.
intrinsic (++) [n] [m] 'a (xs: [n]a) (ys: [m]a): *[n + m]a

-- | The rows one after the other. Costs nothing: an array of arrays is stored like this.
intrinsic flatten [n] [m] 'a (xss: [n][m]a): [n * m]a

-- | An array cut into rows. Costs nothing. The type of the result tells their number and their length.
intrinsic unflatten [n] [m] 'a (xs: [n * m]a): [n][m]a

-- | The number of elements.
intrinsic length [n] 'a (xs: [n]a): i64

-- | `x`. A program that is compiled with traces prints it to standard error when it is computed, with its place and a name.
intrinsic trace_as [n] 'a (name: [n]u8) (x: a): a

-- | `x`, printed as by `trace_as`. Its name is the text of the argument.
def trace 'a (x: a): a = trace_as "" x

-- Functions.

-- | Its argument.
def id 'a (x: a): a = x

-- | Its first argument.
def const 'a 'b (x: a) (_: b): a = x

-- | A function with its two parameters the other way round.
def flip 'a 'b 'c (f: a -> b -> c) (y: b) (x: a): c = f x y

-- | A function of a pair as a function of two arguments.
def curry 'a 'b 'c (f: (a, b) -> c) (x: a) (y: b): c = f (x, y)

-- | A function of two arguments as a function of a pair.
def uncurry 'a 'b 'c (f: a -> b -> c) ((x, y): (a, b)): c = f x y

-- | The function applied `n` times, first to `x`, then to its own result; `x` if `n` is not positive.
def iterate 'a (n: i32) (f: a -> a) (x: a): a = loop x for _i < n do f x

-- | The function applied while the predicate holds, first to `x`, then to its own result; `x` if it does not hold for `x`.
def iterate_while 'a (p: a -> bool) (f: a -> a) (x: a): a = loop x while p x do f x

-- | The function applied until the predicate holds, first to `x`, then to its own result; `x` if it holds for `x`.
def iterate_until 'a (p: a -> bool) (f: a -> a) (x: a): a = loop x while !(p x) do f x

-- | `!x`, as a function.
def not (x: bool): bool = !x

-- | Its argument. In other compilers no computation is moved past it; this compiler ignores it.
def opaque 'a (x: a): a = x

-- | Its argument. Other compilers store it in memory here; this compiler decides that itself.
def manifest 'a (x: a): a = x

-- Short names of conversions.

-- | The float of an integer.
def r32 (x: i32): f32 = f32.i32 x

-- | The float of an integer.
def r64 (x: i32): f64 = f64.i32 x

-- | The integer of a float, towards zero.
def t32 (x: f32): i32 = i32.f32 x

-- | The integer of a float, towards zero.
def t64 (x: f64): i32 = i32.f64 x

-- Arrays.

-- | The same value, in memory of its own. It may be consumed, and `x` can still be used.
def copy 'a (x: a): *a = x

-- | Whether there is no element.
def null [n] 'a (_: [n]a): bool = n == 0

-- | The first element; an error at run time if there is none.
def head [n] 'a (xs: [n]a): a = xs[0]

-- | The last element; an error at run time if there is none.
def last [n] 'a (xs: [n]a): a = xs[n - 1]

-- | The positions in an array: 0, 1, …, n - 1.
def indices [n] 'a (_: [n]a): *[n]i64 = iota n

-- | Each element with its position before it.
def indexed [n] 'a (xs: [n]a): [n](i64, a) = zip (iota n) xs

-- | Applies a function to each position and its element.
def map_index [n] 'a 'b (f: i64 -> a -> b) (xs: [n]a): *[n]b = map2 f (iota n) xs

-- | As `map`: the first of `map1` to `map5`.
def map1 [n] 'a 'b (f: a -> b) (xs: [n]a): *[n]b = map f xs

-- | As `fold`; the function also gets the position, before the element.
def fold_index [n] 'a 'b (f: b -> i64 -> a -> b) (z: b) (xs: [n]a): b =
  fold (\acc (i, x) -> f acc i x) z (indexed xs)

-- | Combines all elements strictly from the right, beginning with `z`. The array must be in memory, and is
-- read from its end.
def foldr [n] 'a 'b (f: a -> b -> b) (z: b) (xs: [n]a): b = fold (flip f) z (reverse xs)

-- | Applies a function to the elements of two arrays, pair by pair, as far as the shorter one goes. Both
-- arrays must be in memory.
def zip_with_min [n] [m] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [m]b): ?[k].*[k]c =
  let k = i64.min n m
  in generate k (\i -> f xs[i] ys[i])

-- | For each flag the next element that was not taken yet: of `xs` where it is true, of `ys` where it is
-- false. One pass over the flags; an error at run time if either array has too few elements.
def combine [n] [k] [m] 'a (flags: [n]bool) (xs: [k]a) (ys: [m]a): *[n]a =
  let taken = exscan (+) 0 (map i64.bool flags)
  in map3 (\flag x i -> if flag then xs[x] else ys[i - x]) flags taken (iota n)

-- | As `scan`, by segments: a segment begins at each true flag, and the scan starts anew there. `op` must be
-- associative, and `ne` neutral for it. Fuses as `scan` does.
def segmented_scan [n] 'a (op: a -> a -> a) (ne: a) (flags: [n]bool) (xs: [n]a): *[n]a =
  map (.1) (scan (\(f, x) (g, y) -> (f || g, if g then y else op x y)) (false, ne) (zip flags xs))

-- | As `segmented_scan`, but each result leaves out the element at its own position: the first of a segment is `ne`.
-- Fuses as `exscan` does.
def segmented_exscan [n] 'a (op: a -> a -> a) (ne: a) (flags: [n]bool) (xs: [n]a): *[n]a =
  let before =
    exscan (\(f, x) (g, y) -> (f || g, if g then y else op x y)) (false, ne) (zip flags xs)
  in map2 (\flag (_, x) -> if flag then ne else x) flags before

-- | The result of `reduce` for each segment; the first segment needs no flag. Fuses as `scan` and `filter` do.
def segmented_reduce [n] 'a (op: a -> a -> a) (ne: a) (flags: [n]bool) (xs: [n]a): ?[k].*[k]a =
  let ends = generate n (\i -> if i == n - 1 then true else flags[i + 1])
  in map (.1) (filter (.0) (zip ends (segmented_scan op ne flags xs)))

-- Parts of arrays. They fuse with their consumers; the array itself must be in memory.

-- | The first k elements; an error at run time if there are fewer.
def take [n] 'a (k: i64) (xs: [n]a): [k]a = generate k (\i -> xs[i])

-- | All but the first k elements; an error at run time if there are fewer than k.
def drop [n] 'a (k: i64) (xs: [n]a): [n - k]a = generate (n - k) (\i -> xs[i + k])

-- | All but the first element; an error at run time if there is none.
def tail [n] 'a (xs: [n]a): [n - 1]a = drop 1 xs

-- | All but the last element; an error at run time if there is none.
def init [n] 'a (xs: [n]a): [n - 1]a = take (n - 1) xs

-- | The elements from the last to the first.
def reverse [n] 'a (xs: [n]a): [n]a = generate n (\i -> xs[n - 1 - i])

-- How many of n elements a rotation by r places moves to the other end: from 0 to n, if there are elements. Most programs rotate
-- by one place. That needs no division, so the compiler knows the distance between an element and its new place.
local def turned (r: i64) (n: i64): i64 =
  if is_constant r && -1 <= r && r <= 1 then (if r < 0 then n + r else r)
  else if n == 0 then 0
  else r % n

-- Whether an integer is a constant when the program is compiled. That is a constant too. A program may mean the same only,
-- whatever the answer is.
local intrinsic is_constant (x: i64): bool

-- | The array rotated by r places to the left, or to the right if r is negative. The element at position i of
-- the result is the one at `(i + r) % n`.
def rotate [n] 'a (r: i64) (xs: [n]a): [n]a =
  let first = turned r n
  in generate n (\i -> xs[if i < n - first then i + first else i + first - n])

-- | The first n elements and the others: the type of the result says how many they are.
def split [n] [m] 'a (xs: [n + m]a): ([n]a, [m]a) =
  (generate n (\i -> xs[i]), generate m (\i -> xs[n + i]))

-- | As `++`, with a result of size k; an error at run time if it has another size.
def concat_to [n] [m] 'a (k: i64) (xs: [n]a) (ys: [m]a): *[k]a = (xs ++ ys) :> [k]a

-- | The same array, with the size n; an error at run time if it has another size.
def sized [m] 'a (n: i64) (xs: [m]a): [n]a = xs :> [n]a

-- | The same element over and over: the type of the result says how often.
def rep [n] 'a (x: a): *[n]a = replicate n x

-- | At each position the element of `xs` where the flag is true, and of `ys` where it is false.
def pick [n] 'a (flags: [n]bool) (xs: [n]a) (ys: [n]a): *[n]a =
  map3 (\flag x y -> if flag then x else y) flags xs ys

-- | The arrays that a function makes from each element, one after the other. The inner arrays need not exist: if
-- the function ends in a range, a `map` or a literal, it becomes an inner loop. The number of elements is only
-- known when it has run.
intrinsic flatmap [n] 'a 'b (f: a -> ?[k].[k]b) (xs: [n]a): ?[m].*[m]b

-- | As `++`.
def concat [n] [m] 'a (xs: [n]a) (ys: [m]a): *[n + m]a = xs ++ ys

-- Arrays of arrays.

-- | An array of n rows of length m, from a function of the row and the column.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a): *[n][m]a =
  generate n (\i -> generate m (\j -> f i j))

-- | As `tabulate_2d`, of three dimensions.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a): *[n][m][o]a =
  generate n (\i -> generate m (\j -> generate o (\k -> f i j k)))

-- | Rows as columns.
def transpose [n] [m] 'a (xss: [n][m]a): [m][n]a =
  generate m (\j -> generate n (\i -> xss[i, j]))

-- | As `flatten`, of arrays of three dimensions.
def flatten_3d [n] [m] [o] 'a (xsss: [n][m][o]a): [n * m * o]a = flatten (flatten xsss)

-- | As `flatten`, of arrays of four dimensions.
def flatten_4d [n] [m] [o] [p] 'a (xssss: [n][m][o][p]a): [n * m * o * p]a =
  flatten (flatten_3d xssss)

-- | As `unflatten`, to three dimensions.
def unflatten_3d [n] [m] [o] 'a (xs: [n * m * o]a): [n][m][o]a =
  unflatten (unflatten xs : [n * m][o]a)

-- | As `unflatten`, to four dimensions.
def unflatten_4d [n] [m] [o] [p] 'a (xs: [n * m * o * p]a): [n][m][o][p]a =
  unflatten (unflatten_3d xs : [n * m][o][p]a)

-- | The product of two matrices: the elements of each row and each column are joined by `mul`, and these results
-- by `add`, from the left, beginning with `zero`.
def matmul [n] [m] [p] 'a 'b 'c
    (add: c -> c -> c) (mul: a -> b -> c) (zero: c) (xss: [n][m]a) (yss: [m][p]b): *[n][p]c =
  tabulate_2d n p (\i j -> fold (\acc k -> add acc (mul xss[i, k] yss[k, j])) zero (iota m))

-- Arrays of any rank.

-- | The array of the function's results for all elements, of any rank.
def map_s [..s] 'a 'b (f: a -> b) (a: [..s]a): *[..s]b =
  with { (. <= iv <= .) : f a[iv] } : genarray (shape a)

-- | The array of the function's results for the elements of two arrays at each index.
def map2_s [..s] 'a 'b 'c (f: a -> b -> c) (a: [..s]a) (b: [..s]b): *[..s]c =
  with { (. <= iv <= .) : f a[iv] b[iv] } : genarray (shape a)

-- | All elements joined by an operator with its neutral element, in row-major order.
def reduce_s [..s] 'a (op: a -> a -> a) (ne: a) (a: [..s]a): a =
  with { (0 <= iv < shape a) : a[iv] } : fold (op, ne)

-- | The array rotated by r places towards lower indices along one dimension, or towards higher ones if r is negative.
def rotate_axis [..s] 'a (axis: i64) (r: i64) (a: [..s]a): [..s]a =
  if dim a == 0 then a
  else let size = shape a
       let n = size[axis]
       let by = turned r n
       in with { (. <= iv <= .) :
                   let i = iv[axis]
                   let from = if i < n - by then i + by else i + by - n
                   in a[tabulate (dim a) (\k -> if k == axis then from else iv[k])] }
            : genarray (size)

-- Truth values.

-- | Whether all elements are true.
def and [n] (xs: [n]bool): bool = reduce (&&) true xs

-- | Whether some element is true.
def or [n] (xs: [n]bool): bool = reduce (||) false xs

-- | Whether the predicate holds for all elements.
def all [n] 'a (p: a -> bool) (xs: [n]a): bool = and (map p xs)

-- | Whether the predicate holds for some element.
def any [n] 'a (p: a -> bool) (xs: [n]a): bool = or (map p xs)

-- | The number of elements for which the predicate holds.
def count [n] 'a (p: a -> bool) (xs: [n]a): i64 = reduce (+) 0 (map (\x -> i64.bool (p x)) xs)

-- | The array with other values at these positions; a position outside of it is ignored. If a position
-- occurs more than once, the last of its values stays.
def scatter [k] [n] 'a (dest: *[k]a) (is: [n]i64) (vs: [n]a): *[k]a =
  loop dest for (i, v) in zip is vs do
    if i >= 0 && i < k then dest with [i] = v else dest

-- | As `scatter`, of a matrix and pairs of a row and a column.
def scatter_2d [k] [m] [n] 'a (dest: *[k][m]a) (is: [n](i64, i64)) (vs: [n]a): *[k][m]a =
  loop dest for ((i, j), v) in zip is vs do
    if i >= 0 && i < k && j >= 0 && j < m then dest with [i, j] = v else dest

-- | As `scatter_2d`, of three dimensions.
def scatter_3d [k] [m] [o] [n] 'a
    (dest: *[k][m][o]a) (is: [n](i64, i64, i64)) (vs: [n]a): *[k][m][o]a =
  loop dest for ((h, i, j), v) in zip is vs do
    if h >= 0 && h < k && i >= 0 && i < m && j >= 0 && j < o then dest with [h, i, j] = v else dest

-- | `k` elements: the values at these positions, and `x` elsewhere. A position outside is ignored.
def spread [n] 'a (k: i64) (x: a) (is: [n]i64) (vs: [n]a): *[k]a = scatter (replicate k x) is vs

-- | The array with each value joined by `op` to the element at its position. A position outside of the array
-- is ignored. `op` must be associative and commutative, and `ne` neutral for it.
def reduce_by_index [k] [n] 'a (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64)
    (vs: [n]a): *[k]a =
  -- This is never computed. With it, `op` and `ne` are examined as those of a `reduce` are.
  let _ = if n < 0 then reduce op ne vs else ne
  in loop dest for (i, v) in zip is vs do
       if i >= 0 && i < k then dest with [i] = op dest[i] v else dest

-- | As `reduce_by_index`, of a matrix and pairs of a row and a column.
def reduce_by_index_2d [k] [m] [n] 'a
    (dest: *[k][m]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64)) (vs: [n]a): *[k][m]a =
  let _ = if n < 0 then reduce op ne vs else ne
  in loop dest for ((i, j), v) in zip is vs do
       if i >= 0 && i < k && j >= 0 && j < m then dest with [i, j] = op dest[i, j] v else dest

-- | As `reduce_by_index_2d`, of three dimensions.
def reduce_by_index_3d [k] [m] [o] [n] 'a
    (dest: *[k][m][o]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64, i64)) (vs: [n]a): *[k][m][o]a =
  let _ = if n < 0 then reduce op ne vs else ne
  in loop dest for ((h, i, j), v) in zip is vs do
       if h >= 0 && h < k && i >= 0 && i < m && j >= 0 && j < o
       then dest with [h, i, j] = op dest[h, i, j] v
       else dest

-- | `k` elements: for each position the values that have it, joined by `op`, or `ne` if there is none. A
-- position outside is ignored.
def hist [n] 'a (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (vs: [n]a): *[k]a =
  reduce_by_index (replicate k ne) op ne is vs

-- Groups.

-- | `k` groups: the elements with the key 0, 1, …, k - 1, each group's values joined by `op`, or `ne` if it has
-- none. An element with another key is ignored. `op` must be associative and commutative, and `ne` neutral
-- for it.
def group_reduce [n] 'a 'v
    (k: i64) (key: a -> i64) (val: a -> v) (op: v -> v -> v) (ne: v) (xs: [n]a): *[k]v =
  hist op ne k (map key xs) (map val xs)

-- | The elements' values by groups: first those with the key 0, then 1, up to k - 1, in order within each
-- group. The first result has positions: group g goes from the g-th up to the (g + 1)-th, which is excluded.
-- An error at run time if a key is outside. Linear in n + k.
def group_collect [n] 'a 'v (k: i64) (key: a -> i64) (val: a -> v)
    (xs: [n]a): (*[k + 1]i64, *[n]v) =
  let keys = map key xs
  let vals = map val xs
  let sizes = loop sizes = replicate k 0 for g in keys do sizes with [g] = sizes[g] + 1
  let ends = scan (+) 0 sizes
  let (_, grouped) =
    loop (next, grouped) = (exscan (+) 0 sizes, vals) for i < n do
      let g = keys[i]
      let at = next[g]
      in (next with [g] = at + 1, grouped with [at] = vals[i])
  in (generate (k + 1) (\g -> if g == 0 then 0 else ends[g - 1]), grouped)

-- Order. `le` says whether its first argument may come before its second, as `(<=)` does. The order of floats is total: `nan` is
-- above all numbers, and equal to itself; zeros of both signs are equal. So `nan` is last where `le` is `(<=)`, and first where it is
-- `(>=)`. In the order of another function on elements with floats, elements that do not come before themselves are last.

-- Where elements with `nan` are: 0 if there are none, 1 last, 2 first, 3 last and found by `le x x`, 4 by `order_key`. It is a constant.
local intrinsic nan_place [n] 'a (le: a -> a -> bool) (xs: [n]a): i64

-- | Whether the first element comes before the second in the order of `le`, and is not equal to it.
def precedes 'a (le: a -> a -> bool) (x: a) (y: a): bool =
  let place = nan_place le [x]
  in if place == 0 then le x y && !(le y x)
     else if place == 1 then !(le y x) && le x x
     else if place == 2 then !(le y x) && le y y
     else if place == 3 then (if le x x == le y y then le x y && !(le y x) else le x x)
     else order_key le x < order_key le y

-- Whether the first element may come before the second. If `le` is `(<)` or `(>)`, equal elements may not.
local def may_precede 'a (le: a -> a -> bool) (x: a) (y: a): bool =
  let place = nan_place le [x]
  in if place == 0 then le x y
     else if place == 1 then le x y || !(le y y)
     else if place == 2 then le x y || !(le x x)
     else if place == 3 then (if le x x == le y y then le x y else le x x)
     else order_key le x < order_key le y

-- | The position of the first element for which the predicate holds. One pass over all elements.
def find_first [n] 'a (p: a -> bool) (xs: [n]a): #some i64 | #none =
  let nowhere = i64.highest
  let at = reduce i64.min nowhere (map_index (\i x -> if p x then i else nowhere) xs)
  in if at < n then #some at else #none

-- | The position of the least element, the first of these if there are several; an error at run time if the
-- array is empty. One pass.
def argmin [n] 'a (le: a -> a -> bool) (xs: [n]a): i64 =
  first_of_order (precedes le) xs

-- | As `argmin`, of the greatest element.
def argmax [n] 'a (le: a -> a -> bool) (xs: [n]a): i64 = first_of_order (flip (precedes le)) xs

-- The position of the first element that no other one is before.
local def first_of_order [n] 'a (before: a -> a -> bool) (xs: [n]a): i64 =
  let first (i, x) (j, y) = if before y x then (j, y) else (i, x)
  in (fold first (0, head xs) (indexed xs)).0

-- | The array without the elements that are equal to the one before them. So each value of a sorted array stays
-- once. The result of a filter, a flatmap or a scan need not be in memory.
def unique [n] 'a (eq: a -> a -> bool) (xs: [n]a): ?[k].*[k]a =
  filter (\(i, x) -> i == 0 || !(eq xs[i - 1] x)) (indexed xs) |> map (.1)

-- | The position in a sorted array where an element is, or belongs: the position of the first element that
-- it may come before, or n if there is none. Takes a number of steps logarithmic in n.
def binary_search [n] 'a (le: a -> a -> bool) (xs: [n]a) (x: a): i64 =
  let (at, _) =
    loop (from, to) = (0, n) while from < to do
      let middle = from + (to - from) / 2
      in if may_precede le x xs[middle] then (from, middle) else (middle + 1, to)
  in at

-- | The runs of equal elements: the first element of each run, and the length of the run. For a sorted array,
-- this is each value with its count. The array must be in memory.
def run_lengths [n] 'a (eq: a -> a -> bool) (xs: [n]a): ?[k].(*[k]a, *[k]i64) =
  let ends = filter (\i -> i + 1 == n || !(eq xs[i] xs[i + 1])) (iota n)
  let before = exscan i64.max (-1) ends
  in (map (\e -> xs[e + 1]) before, map2 (-) ends before)

-- | The elements in order; equal elements keep their order. If `le` is `(<=)`, `(>=)`, `(<)` or `(>)` of numbers of 32 or 64 bits, they are
-- sorted in vectors. If it is that of other scalars, or of a scalar component of its arguments, they are sorted by the digits of the bits,
-- in time linear in n. Otherwise they are merged, in n times the logarithm of n steps.
def sort [n] 'a (le: a -> a -> bool) (xs: [n]a): *[n]a = copy (in_order le xs)

-- | As `sort`, in the order of the keys. `key` is evaluated once for each element.
def sort_by_key [n] 'a 'k (key: a -> k) (le: k -> k -> bool) (xs: [n]a): *[n]a =
  gather xs (order_of le (map key xs))

-- | The positions of the elements in sorted order; equal elements keep their order.
def order_of [n] 'k (le: k -> k -> bool) (keys: [n]k): *[n]i64 =
  if is_numbers le keys && order_bits le keys == 64 then copy (positions le keys)
  else map (.1) (ordered (order_bits le keys) (.0) le (zip keys (iota n)))

-- | The width of the numbers that `order_key le` gives; 0 if `le` is not known to be such an operator of scalars, or of a
-- scalar component as in `\p q -> p.x <= q.x`. It is a constant, so an `if` that depends on it keeps one branch.
intrinsic order_bits [n] 'a (le: a -> a -> bool) (xs: [n]a): i64

-- | A number for each element. If `order_bits` is not 0, elements with lower numbers come first in the order.
intrinsic order_key 'a (le: a -> a -> bool) (x: a): u64

-- Whether `exchanged` puts the elements in order: a few numbers whose count is known when the program is compiled. It
-- is a constant.
local intrinsic is_few [n] 'a (le: a -> a -> bool) (xs: [n]a): bool

-- The elements in order, by exchanges of two at a time, without a loop.
local intrinsic exchanged [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]a

-- Whether the elements are numbers of 32 or 64 bits in the order of an operator, which the runtime sorts. It is a constant.
local intrinsic is_numbers [n] 'a (le: a -> a -> bool) (xs: [n]a): bool

-- Such numbers in order, at the positions from `from` on and before `to`. Nothing reads the others.
local intrinsic between [n] 'a (le: a -> a -> bool) (from: i64) (to: i64) (xs: [n]a): [n]a

-- The positions of such numbers of 64 bits in order.
local intrinsic positions [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]i64

local def in_order [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]a =
  if is_few le xs then exchanged le xs
  else if is_numbers le xs then between le 0 n xs
  else ordered (order_bits le xs) id le xs

-- The elements in the order of their keys `part`. For few elements, a histogram would take longer than insertion.
local def ordered [n] 'a 'k (bits: i64) (part: a -> k) (le: k -> k -> bool) (xs: [n]a): [n]a =
  if bits == 0 then compared (nan_place le (map part xs) > 0) (\x y -> le (part x) (part y)) xs
  else if n < bits
  then inserted (const 0) (\x y -> order_key le (part x) <= order_key le (part y)) xs
  else radix_sort bits (\x -> order_key le (part x)) xs

-- The elements, each moved to the left past the elements that come after it, up to its `first`.
local def inserted [n] 'a (first: i64 -> i64) (le: a -> a -> bool) (xs: [n]a): [n]a =
  loop ys = xs for i < n do
    let (x, first) = (ys[i], first i)
    let (ys, at) =
      loop (ys, at) = (ys, i) while at > first && !(le ys[at - 1] x) do
        (ys with [at] = ys[at - 1], at - 1)
    in ys with [at] = x

-- The elements in the order of keys of that width, from the lowest eight bits to the highest ones. One pass counts
-- all digits; a digit that is the same in all keys is skipped.
local def radix_sort [n] 'a (bits: i64) (key: a -> u64) (xs: [n]a): [n]a =
  let digit (d: i64) (x: a): i64 = i64.u64 ((key x >> u64.i64 (8 * d)) & 255)
  let digits = bits / 8
  let counts =
    loop counts = replicate (256 * digits) (0i64) for x in xs do
      loop counts = counts for d < digits do
        let at = 256 * d + digit d x
        in counts with [at] = counts[at] + 1
  let moved (d: i64) (from: [n]a) (to: [n]a): [n]a =
    (loop (next, to) = (exscan (+) 0 counts[256 * d:256 * (d + 1)], to) for x in from do
       let g = digit d x
       let at = next[g]
       in (next with [g] = at + 1, to with [at] = x)).1
  in (loop (from, to) = (moved 0 xs xs, xs) for d < digits - 1 do
        let d = d + 1
        in if counts[256 * d + digit d xs[0]] == n then (from, to) else (moved d from to, from)).0

-- The elements in order. If some may not come before themselves, these are last, unless that holds for all elements.
local def compared [n] 'a (is_partial: bool) (le: a -> a -> bool) (xs: [n]a): [n]a =
  if !is_partial || all (\x -> le x x) xs then merge_sort le xs
  else
    let (firm, loose) = partition (\x -> le x x) xs
    let (some, rest) =
      (if length firm == 0 then loose else firm, if length firm == 0 then firm else loose)
    in (merge_sort le some ++ rest) :> [n]a

-- The elements in order: runs of eight by insertion, which are then merged, two at a time. Two runs that are in
-- order already are only copied.
local def merge_sort [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]a =
  let run = 8
  let runs = inserted (\i -> i - i % run) le xs
  let merged (width: i64) (from: [n]a) (to: [n]a): [n]a =
    loop to for pair < (n + 2 * width - 1) / (2 * width) do
      let start = 2 * width * pair
      let middle = i64.min n (start + width)
      let end = i64.min n (middle + width)
      let is_ordered = middle == end || le from[middle - 1] from[middle]
      let until = if is_ordered then start else middle
      let (to, l, r) =
        loop (to, l, r) = (to, start, middle) while l < until && r < end do
          let (x, y) = (from[l], from[r])
          let is_left = le x y
          in (to with [l + r - middle] = if is_left then x else y,
              l + i64.bool is_left,
              r + 1 - i64.bool is_left)
      let to = loop to for i < middle - l do to with [l + i + r - middle] = from[l + i]
      in loop to for i < end - r do to with [r + i] = from[r + i]
  in (loop (from, to, width) = (runs, xs, run) while width < n do
        (merged width from to, from, 2 * width)).0

-- Selection. Where a sorted array has no other use, `(sort le xs)[i]` means `at_rank alone le i (for_ranks alone le xs)`, and
-- `take k (sort le xs)` means `first_of alone le k (for_ranks alone le xs)`. `drop k` is `rest_of alone le k`, and
-- `take k (reverse (sort le xs))` is `highest_of alone le k`. Slices are as `take` and `drop`. `alone` is a constant: whether there is only
-- one such use. If the array is sorted by a key, `xs` are pairs of keys and positions here. Of many elements, only those that are read are
-- put in order.

-- Whether the runtime puts only the elements that are read in order. It is a constant.
local def is_lazy [n] 'a (le: a -> a -> bool) (xs: [n]a): bool = is_numbers le xs && !(is_few le xs)

-- Whether elements are selected by the digits of their keys. In a short array, a sort takes less time, or parting it as the runtime does.
local def is_selected [n] 'a (le: a -> a -> bool) (xs: [n]a): bool =
  order_bits le xs > 0 && n >= (if is_lazy le xs then 16384 else 4096)

-- The elements in order, where they are many or were selected. It is compiled once, and not for each use: the code of a
-- sort is long.
#[noinline]
local def all_in_order [n] 'a (le: a -> a -> bool) (xs: [n]a): [n]a = in_order le xs

-- The elements; in order, unless they are selected.
local def for_ranks [n] 'a (alone: bool) (le: a -> a -> bool) (xs: [n]a): [n]a =
  if is_selected le xs || alone && is_lazy le xs then xs else in_order le xs

-- The elements in order, at the positions from `from` on and before `to`.
local def whole [n] 'a (alone: bool) (le: a -> a -> bool) (from: i64) (to: i64) (xs: [n]a): [n]a =
  if is_lazy le xs && (alone || is_selected le xs) then between le from to xs
  else if is_selected le xs then all_in_order le xs
  else xs

-- The element at a position of the sorted array.
local def at_rank [n] 'a (alone: bool) (le: a -> a -> bool) (rank: i64) (xs: [n]a): a =
  if is_selected le xs && rank >= 0 && rank < n then
    let key = order_key le
    let (low, high) = around key rank xs
    let near = filter (\x -> key x >= low && key x <= high) xs
    let rest = rank - count (\x -> key x < low) xs
    let is_near = rest >= 0 && rest < length near && length near < n / 2
    let (near, rank) = if is_near then (near, rest) else (xs, rank)
    let (shift, prefix, rank) = digits_of (order_bits le xs) key rank near
    in (filter (\x -> key x >> u64.i64 shift == prefix) near)[rank]
  else if alone && is_lazy le xs then (between le rank (rank + 1) xs)[rank]
  else xs[rank]

-- The first element of the sorted array.
local def first_rank [n] 'a (alone: bool) (le: a -> a -> bool) (xs: [n]a): a = at_rank alone le 0 xs

-- The last element of the sorted array.
local def last_rank [n] 'a (alone: bool) (le: a -> a -> bool) (xs: [n]a): a =
  at_rank alone le (n - 1) xs

-- The first k elements of the sorted array. Of many equal elements, the first k are enough.
local def first_of [n] 'a (alone: bool) (le: a -> a -> bool) (k: i64) (xs: [n]a): [k]a =
  if is_selected le xs && k > 0 && k <= n / 8 then
    let key = order_key le
    let (_, high) = around key k xs
    let near = filter (\x -> key x <= high) xs
    let some =
      if length near < k then xs
      else if length near < n / 2 then near
      else
        let equal = filter (\x -> key x == high) near
        in filter (\x -> key x < high) near ++ take (i64.min k (length equal)) equal
    in take k (all_in_order le some)
  else take k (whole alone le 0 k xs)

-- The sorted array without its first k elements. Of many equal elements, as many of the last ones are enough.
local def rest_of [n] 'a (alone: bool) (le: a -> a -> bool) (k: i64) (xs: [n]a): [n - k]a =
  if is_selected le xs && k >= n - n / 8 && k < n then
    let key = order_key le
    let (low, _) = around key k xs
    let near = filter (\x -> key x >= low) xs
    let some =
      if length near < n - k then xs
      else if length near < n / 2 then near
      else
        let equal = filter (\x -> key x == low) near
        in drop (i64.max 0 (length equal - (n - k))) equal ++ filter (\x -> key x > low) near
    in drop (length some - (n - k)) (all_in_order le some)
  else drop k (whole alone le k n xs)

-- The last k elements of the sorted array, from the last one on.
local def highest_of [n] 'a (alone: bool) (le: a -> a -> bool) (k: i64) (xs: [n]a): [k]a =
  if is_selected le xs && k > 0 && k <= n / 8 then take k (reverse (rest_of alone le (n - k) xs))
  else take k (reverse (whole alone le (n - k) n xs))

-- The slice `[:to]` of the sorted array.
local def slice_to [n] 'a (alone: bool) (le: a -> a -> bool) (to: i64) (xs: [n]a): [to]a =
  if is_selected le xs && to > 0 && to <= n / 8 then first_of alone le to xs
  else (whole alone le 0 to xs)[:to]

-- The slice `[from:]`.
local def slice_from [n] 'a (alone: bool) (le: a -> a -> bool) (from: i64) (xs: [n]a): [n - from]a =
  if is_selected le xs && from >= n - n / 8 && from < n then rest_of alone le from xs
  else (whole alone le from n xs)[from:]

-- The slice `[from:to]`.
local def slice_of [n] 'a (alone: bool) (le: a -> a -> bool) (from: i64) (to: i64)
    (xs: [n]a): [to - from]a =
  if is_selected le xs && from >= 0 && from <= to && to <= n / 8
  then (first_of alone le to xs)[from:to]
  else if is_selected le xs && from >= n - n / 8 && from <= to && to <= n
  then (rest_of alone le from xs)[:to - from]
  else (whole alone le from to xs)[from:to]

-- The slice `[:to]` of the reversed sorted array.
local def highest_to [n] 'a (alone: bool) (le: a -> a -> bool) (to: i64) (xs: [n]a): [to]a =
  if is_selected le xs && to > 0 && to <= n / 8 then highest_of alone le to xs
  else (reverse (whole alone le (n - to) n xs))[:to]

-- The keys of the elements, with their positions.
local def with_positions [n] 'a 'k (key: a -> k) (xs: [n]a): [n](k, i64) = zip (map key xs) (iota n)

-- The elements at selected positions.
local def ranked [n] [m] 'a 'k (xs: [n]a) (selected: [m](k, i64)): [m]a =
  gather xs (map (.1) selected)

-- The element at a selected position.
local def ranked_one [n] 'a 'k (xs: [n]a) ((_, at): (k, i64)): a = xs[at]

-- Two keys between which that of the element at `rank` probably is, from those of a sample.
local def around [n] 'a (key: a -> u64) (rank: i64) (xs: [n]a): (u64, u64) =
  let size = i64.min 1024 (n / 16)
  let sample = all_in_order (<=) (generate size (\i -> key xs[i * (n / size)]))
  let at = rank / (n / size + 1)
  let most = 4 * i64.f64 (f64.sqrt (f64.i64 at)) + 4
  in (if at < most then 0 else sample[at - most],
      if at + most >= size then u64.highest else sample[at + most])

-- The digits of the element at `rank`, from the highest ones: its key without the `shift` bits that are left, and its rank
-- among the elements with these digits. They are found digit by digit, each from counts of the elements that have the digits
-- before it, until one element is left.
local def digits_of [n] 'a (bits: i64) (key: a -> u64) (rank: i64) (xs: [n]a): (i64, u64, i64) =
  let (_, shift, prefix, rank) =
    loop (left, shift, prefix, rank) = (n, bits, 0u64, rank) while shift > 0 && left > 1 do
      let next = i64.max 0 (shift - 12)
      let width = u64.i64 (shift - next)
      let counts =
        loop counts = replicate 4096 (0i64) for x in xs do
          let digits = key x >> u64.i64 next
          let d = i64.u64 (digits & ((1 << width) - 1))
          in counts with [d] = counts[d] + i64.bool (digits >> width == prefix)
      let (d, before) =
        loop (d, before) = (0, 0) while d < 4095 && before + counts[d] <= rank do
          (d + 1, before + counts[d])
      in (counts[d], next, (prefix << width) | u64.i64 d, rank - before)
  in (shift, prefix, rank)

-- Further functions of the modules of the integer types: `t` is the type, and its module.
module integer = {
  -- | The bit at a position, 0 or 1; the lowest is at 0. Positions are taken modulo the width.
  def get_bit (at: i32) (x: t): i32 = t.to_i32 ((x >> t.i32 at) & 1)

  -- | The number with another bit, 0 or 1, at a position.
  def set_bit (at: i32) (x: t) (bit: i32): t =
    (x & !(1 << t.i32 at)) | (t.i32 (bit & 1) << t.i32 at)

  -- | The upper half of the product's bits, and c more.
  def mad_hi (a: t) (b: t) (c: t): t = t.mul_hi a b + c
}

-- Further functions of the modules of the float types: `t` is the type, and its module; `bits` is the module of
-- the unsigned integers of its width.
module float = {
  -- | The bit at a position, 0 or 1; the lowest is at 0, the sign the highest.
  def get_bit (at: i32) (x: t): i32 = bits.get_bit at (t.to_bits x)

  -- | The number with another bit, 0 or 1, at a position.
  def set_bit (at: i32) (x: t) (bit: i32): t = t.from_bits (bits.set_bit at (t.to_bits x) bit)

  -- | One divided by the number.
  def recip (x: t): t = 1 / x

  -- | One divided by the square root.
  def rsqrt (x: t): t = 1 / t.sqrt x

  -- | 10 to the power.
  def exp10 (x: t): t = 10 ** x

  -- | The quotient of two integers.
  def from_fraction (p: i64) (q: i64): t = t.i64 p / t.i64 q

  -- | a * b + c, rounded twice.
  def mad (a: t) (b: t) (c: t): t = a * b + c

  -- | The point between a and b at k: a for 0, b for 1.
  def lerp (a: t) (b: t) (k: t): t = a + (b - a) * k

  -- | The next number from x on towards y.
  def nextafter (x: t) (y: t): t =
    if t.isnan x || t.isnan y then t.nan
    else if x == y then y
    else if x == 0 then t.copysign (t.from_bits 1) y
    else if (x < y) == (x > 0) then t.from_bits (t.to_bits x + 1)
    else t.from_bits (t.to_bits x - 1)

  -- | x times 2 to the power k, rounded once.
  def ldexp (x: t) (k: i32): t =
    let fraction = if t.num_bits == 32 then 23 else 52
    let most = (1 << (t.num_bits - fraction - 2)) - 1
    let power (k: i32): t = t.from_bits (bits.i32 (k + most) << bits.i32 fraction)
    -- A result that is too small for a fraction of full length has a last factor below an epsilon, so that
    -- it has not been rounded before.
    let least = fraction + 1 - most
    let up (x, k) = if k > most then (x * power most, k - most) else (x, k)
    let down (x, k) = if k < 1 - most then (x * power least, k - least) else (x, k)
    let (x, k) = (x, k) |> up |> up |> down |> down
    in x * power (i32.max (1 - most) (i32.min most k))

  -- | The cube root.
  def cbrt (x: t): t =
    let a = f64.abs (t.to_f64 x)
    let (a, back) =
      if a < 1e-300 then (a * 0x1p300, 0x1p-100)
      else if a > 1e300 then (a * 0x1p-300, 0x1p100)
      else (a, 1)
    -- A third of the exponent, and of the fraction: less than 4 in 100 wrong.
    let guess = f64.from_bits (f64.to_bits a / 3 + 0x2a9f75c2_8f5c28f6)
    let closer (y: f64): f64 =
      let cube = y * y * y
      in y * (cube + 2 * a) / (2 * cube + a)
    -- With half of the bits the square is exact, and one more step gives the remaining bits.
    let half = f64.from_bits (f64.to_bits (closer (closer guess)) & !0x7ff_ffff)
    let third = a / (half * half)
    let root = half + half * ((third - half) / (2 * half + third))
    in if a == 0 || t.isinf x || t.isnan x then x else t.copysign (t.f64 (root * back)) x

  -- | The sine of pi times the number.
  def sinpi (x: t): t = (turn x).0

  -- | The cosine of pi times the number.
  def cospi (x: t): t = (turn x).1

  -- | The tangent of pi times the number.
  def tanpi (x: t): t =
    let (sine, cosine) = turn x
    in sine / cosine

  -- | The arc sine, divided by pi.
  def asinpi (x: t): t = t.asin x / t.pi

  -- | The arc cosine, divided by pi.
  def acospi (x: t): t = t.acos x / t.pi

  -- | The arc tangent, divided by pi.
  def atanpi (x: t): t = t.atan x / t.pi

  -- | The angle of the point (x, y), divided by pi.
  def atan2pi (y: t) (x: t): t = t.atan2 y x / t.pi

  -- The sine and the cosine of pi times the number. Whole turns are removed, and then quarters of turns, which
  -- is exact. A sine of 0 has the sign of the number.
  local def turn (number: t): (t, t) =
    let x = number - 2 * t.round (number / 2)
    let quarter = t.round (2 * x)
    let rest = t.pi * (x - quarter / 2)
    let (sine, cosine) = (t.sin rest, t.cos rest)
    let (sine, cosine) =
      if quarter == 0 then (sine, cosine)
      else if quarter == 1 then (cosine, 0 - sine)
      else if quarter == -1 then (0 - cosine, sine)
      else (0 - sine, 0 - cosine)
    in (if sine == 0 then t.copysign 0 number else sine, cosine)
}

-- The types of the scalar types' modules, for modules that are given one of them: `module sums (T: numeric) = …`.

-- | What is made of a number of each type, and of a `bool`.
module type from_prim = {
  type t
  val i8: i8 -> t
  val i16: i16 -> t
  val i32: i32 -> t
  val i64: i64 -> t
  val u8: u8 -> t
  val u16: u16 -> t
  val u32: u32 -> t
  val u64: u64 -> t
  val f32: f32 -> t
  val f64: f64 -> t
  val bool: bool -> t
}

-- | Numbers: the modules of all types of numbers have it.
module type numeric = {
  include from_prim
  val (+): t -> t -> t
  val (-): t -> t -> t
  val (*): t -> t -> t
  val (/): t -> t -> t
  val (%): t -> t -> t
  val (**): t -> t -> t
  val (==): t -> t -> bool
  val (!=): t -> t -> bool
  val (<): t -> t -> bool
  val (<=): t -> t -> bool
  val (>): t -> t -> bool
  val (>=): t -> t -> bool
  val neg: t -> t
  val abs: t -> t
  val sgn: t -> t
  val min: t -> t -> t
  val max: t -> t -> t
  val lowest: t
  val highest: t
  val sum [n]: [n]t -> t
  val product [n]: [n]t -> t
  val minimum [n]: [n]t -> t
  val maximum [n]: [n]t -> t
  val to_i64: t -> i64
}

-- | Whole numbers: the modules of the integer types have it.
module type integral = {
  include numeric
  val (//): t -> t -> t
  val (%%): t -> t -> t
  val (&): t -> t -> t
  val (|): t -> t -> t
  val (^): t -> t -> t
  val (<<): t -> t -> t
  val (>>): t -> t -> t
  val (>>>): t -> t -> t
  val not: t -> t
  val num_bits: i32
  val get_bit: i32 -> t -> i32
  val set_bit: i32 -> t -> i32 -> t
  val popc: t -> i32
  val clz: t -> i32
  val ctz: t -> i32
  val mul_hi: t -> t -> t
  val mad_hi: t -> t -> t -> t
}

-- | Numbers with fractions: the modules of the float types have it.
module type real = {
  include numeric
  val from_fraction: i64 -> i64 -> t
  val to_f64: t -> f64
  val recip: t -> t
  val sqrt: t -> t
  val cbrt: t -> t
  val exp: t -> t
  val log: t -> t
  val log2: t -> t
  val log10: t -> t
  val log1p: t -> t
  val sin: t -> t
  val cos: t -> t
  val tan: t -> t
  val asin: t -> t
  val acos: t -> t
  val atan: t -> t
  val atan2: t -> t -> t
  val sinh: t -> t
  val cosh: t -> t
  val tanh: t -> t
  val asinh: t -> t
  val acosh: t -> t
  val atanh: t -> t
  val hypot: t -> t -> t
  val gamma: t -> t
  val lgamma: t -> t
  val erf: t -> t
  val erfc: t -> t
  val ceil: t -> t
  val floor: t -> t
  val trunc: t -> t
  val round: t -> t
  val mad: t -> t -> t -> t
  val fma: t -> t -> t -> t
  val lerp: t -> t -> t -> t
  val isinf: t -> bool
  val isnan: t -> bool
  val inf: t
  val nan: t
  val pi: t
  val e: t
}

-- | Floats, with their bits: the modules of `f32` and `f64` have it.
module type float = {
  include real
  -- | The unsigned integers of the same width.
  type int_t
  val from_bits: int_t -> t
  val to_bits: t -> int_t
  val num_bits: i32
  val get_bit: i32 -> t -> i32
  val set_bit: i32 -> t -> i32 -> t
  val epsilon: t
  val nextafter: t -> t -> t
  val ldexp: t -> i32 -> t
}
