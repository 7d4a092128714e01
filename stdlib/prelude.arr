-- The prelude: what every Arr program can use without importing it.
--
-- An `intrinsic` has no body: the compiler knows what it means. Everything else is ordinary Arr.
-- The scalar types' modules (`f64.sqrt`, `i64.max`, `f64.sum`) are made by the compiler.


-- Combinators over arrays.

-- | Applies a function to each element.
intrinsic map [n] 'a 'b (f: a -> b) (xs: [n]a): [n]b

-- | Applies a function to the elements of two arrays, pair by pair.
intrinsic map2 [n] 'a 'b 'c (f: a -> b -> c) (xs: [n]a) (ys: [n]b): [n]c

-- | As `map2`, of three arrays.
intrinsic map3 [n] 'a 'b 'c 'd (f: a -> b -> c -> d) (xs: [n]a) (ys: [n]b) (zs: [n]c): [n]d

-- | As `map2`, of four arrays.
intrinsic map4 [n] 'a 'b 'c 'd 'e
    (f: a -> b -> c -> d -> e) (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d): [n]e

-- | As `map2`, of five arrays.
intrinsic map5 [n] 'a 'b 'c 'd 'e 'f
    (f: a -> b -> c -> d -> e -> f)
    (xs: [n]a) (ys: [n]b) (zs: [n]c) (us: [n]d) (vs: [n]e): [n]f

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

-- | The elements for which the predicate holds, in order. How many they are is only known when it
-- has run, so each call gives an array of a size of its own.
intrinsic filter [n] 'a (p: a -> bool) (xs: [n]a): ?[k].[k]a

-- | Combines all elements. `op` must be associative, and `ne` neutral for it: the compiler may group
-- the elements as it likes.
intrinsic reduce [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): a

-- | As `reduce`; `op` must also be commutative: the compiler may take the elements in any order.
intrinsic reduce_comm [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): a

-- | Combines all elements strictly from the left, beginning with `z`.
intrinsic fold [n] 'a 'b (f: b -> a -> b) (z: b) (xs: [n]a): b

-- | As `fold`.
intrinsic foldl [n] 'a 'b (f: b -> a -> b) (z: b) (xs: [n]a): b

-- | What `reduce` gives for the first element, for the first two, and so on up to all. `op` must be
-- associative, and `ne` neutral for it. Fuses with the combinators before it and after it.
intrinsic scan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): [n]a

-- | As `scan`, but without each element's own: first `ne`, then what `reduce` gives for the first
-- element, and so on up to all but the last.
intrinsic exscan [n] 'a (op: a -> a -> a) (ne: a) (xs: [n]a): [n]a

-- | The numbers 0, 1, …, n - 1.
intrinsic iota (n: i64): [n]i64

-- | n times the same element.
intrinsic replicate 'a (n: i64) (x: a): [n]a

-- | The results of a function on 0, 1, …, n - 1.
intrinsic generate 'a (n: i64) (f: i64 -> a): [n]a

-- | As `generate`.
intrinsic tabulate 'a (n: i64) (f: i64 -> a): [n]a

-- | The elements at some positions, which must be positions of the array.
intrinsic gather [n] [m] 'a (xs: [n]a) (is: [m]i64): [m]a

-- | Each element of the first array paired with each of the second: for the first element of `xs` all
-- of `ys`, then for the second, and so on.
intrinsic cross [n] [m] 'a 'b (xs: [n]a) (ys: [m]b): [n*m](a, b)

-- | The elements of the first array and then those of the second.
intrinsic (++) [n] [m] 'a (xs: [n]a) (ys: [m]a): [n+m]a

-- | The rows one after the other. Costs nothing: an array of arrays is stored like this.
intrinsic flatten [n] [m] 'a (xss: [n][m]a): [n*m]a

-- | An array cut into rows. Costs nothing. The type of the result says how many rows, and how long.
intrinsic unflatten [n] [m] 'a (xs: [n*m]a): [n][m]a

-- | The number of elements.
intrinsic length [n] 'a (xs: [n]a): i64


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


-- Arrays.

-- | Whether there is no element.
def null [n] 'a (_: [n]a): bool = n == 0

-- | The first element; an error at run time if there is none.
def head [n] 'a (xs: [n]a): a = xs[0]

-- | The last element; an error at run time if there is none.
def last [n] 'a (xs: [n]a): a = xs[n - 1]

-- | The positions in an array: 0, 1, …, n - 1.
def indices [n] 'a (_: [n]a): [n]i64 = iota n

-- | Each element with its position before it.
def indexed [n] 'a (xs: [n]a): [n](i64, a) = zip (iota n) xs

-- | Applies a function to each position and its element.
def map_index [n] 'a 'b (f: i64 -> a -> b) (xs: [n]a): [n]b = map2 f (iota n) xs

-- | An array of n rows of length m, from a function of the row and the column.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a): [n][m]a =
  generate n (\i -> generate m (\j -> f i j))

-- | As `tabulate_2d`, of three dimensions.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a): [n][m][o]a =
  generate n (\i -> generate m (\j -> generate o (\k -> f i j k)))

-- | Rows as columns.
def transpose [n] [m] 'a (xss: [n][m]a): [m][n]a =
  generate m (\j -> generate n (\i -> xss[i, j]))

-- | As `flatten`, of arrays of three dimensions.
def flatten_3d [n] [m] [o] 'a (xsss: [n][m][o]a): [n*m*o]a = flatten (flatten xsss)

-- | As `flatten`, of arrays of four dimensions.
def flatten_4d [n] [m] [o] [p] 'a (xssss: [n][m][o][p]a): [n*m*o*p]a = flatten (flatten_3d xssss)

-- | As `unflatten`, to three dimensions.
def unflatten_3d [n] [m] [o] 'a (xs: [n*m*o]a): [n][m][o]a =
  unflatten (unflatten xs: [n*m][o]a)

-- | As `unflatten`, to four dimensions.
def unflatten_4d [n] [m] [o] [p] 'a (xs: [n*m*o*p]a): [n][m][o][p]a =
  unflatten (unflatten_3d xs: [n*m][o][p]a)

-- | Whether all elements are true.
def and [n] (xs: [n]bool): bool = reduce (&&) true xs

-- | Whether some element is true.
def or [n] (xs: [n]bool): bool = reduce (||) false xs

-- | Whether the predicate holds for all elements.
def all [n] 'a (p: a -> bool) (xs: [n]a): bool = and (map p xs)

-- | Whether the predicate holds for some element.
def any [n] 'a (p: a -> bool) (xs: [n]a): bool = or (map p xs)

-- | How many elements the predicate holds for.
def count [n] 'a (p: a -> bool) (xs: [n]a): i64 = reduce (+) 0 (map (\x -> i64.bool (p x)) xs)

-- | The array with other values at these positions; a position outside of it is ignored. If a position
-- occurs more than once, the last of its values stays.
def scatter [k] [n] 'a (dest: [k]a) (is: [n]i64) (vs: [n]a): [k]a =
  loop dest for (i, v) in zip is vs do
    if i >= 0 && i < k then dest with [i] = v else dest

-- | `k` elements: at these positions these values, and `x` elsewhere. A position outside is ignored.
def spread [n] 'a (k: i64) (x: a) (is: [n]i64) (vs: [n]a): [k]a = scatter (replicate k x) is vs

-- | The array with each value joined by `op` to what is at its position; a position outside of the array
-- is ignored. `op` must be associative and commutative, and `ne` neutral for it.
def reduce_by_index [k] [n] 'a (dest: [k]a) (op: a -> a -> a) (_ne: a) (is: [n]i64) (vs: [n]a): [k]a =
  loop dest for (i, v) in zip is vs do
    if i >= 0 && i < k then dest with [i] = op dest[i] v else dest

-- | `k` elements: for each position the values that have it, joined by `op`, or `ne` if there is none. A
-- position outside is ignored.
def hist [n] 'a (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (vs: [n]a): [k]a =
  reduce_by_index (replicate k ne) op ne is vs
