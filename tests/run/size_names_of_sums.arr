-- Names of sizes that are made of sizes which are known only when they are computed: `let [k] v: [k]t = e` binds the parts
-- of `e` first, so `k` has a value.

-- ==
-- entry: two
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 1i64] }
-- input { empty([0]i64) 2i64 } output { empty([0]i64) }
entry two [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k]i64 = filter (> c) xs ++ filter (< c) xs
  in tabulate k (\i -> v[i])

-- ==
-- entry: twice
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 3i64] }
entry twice [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k]i64 = let ys = filter (> c) xs in ys ++ ys
  in tabulate k (\i -> v[i])

-- ==
-- entry: rest
-- input { [1i64, 2i64, 3i64] 2i64 } output { [1i64, 2i64] }
entry rest [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k]i64 = (partition (> c) xs).1
  in tabulate k (\i -> v[i])

-- ==
-- entry: doubled
-- input { [1i64, 2i64, 3i64] 1i64 } output { [2i64, 2i64, 3i64, 3i64] }
entry doubled [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k]i64 = flatten (map (\x -> [x, x]) (filter (> c) xs))
  in tabulate k (\i -> v[i])

-- ==
-- entry: crossed
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 6i64, 9i64] }
entry crossed [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k](i64, i64) = cross xs (filter (> c) xs)
  in tabulate k (\i -> v[i].0 * v[i].1)

-- ==
-- entry: rows
-- input { [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64], [7i64, 8i64]] } output { [1i64, 2i64, 7i64, 8i64] }
entry rows [n] [m] (xss: [n][m]i64) =
  let [k] v: [k]i64 = flatten xss[0::3]
  in tabulate k (\i -> v[i])

-- ==
-- entry: pair
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 1i64] [2i64, 1i64, 3i64] }
entry pair [n] (xs: [n]i64) (c: i64) =
  let [k] [m] (v, w): ([k]i64, [m]i64) =
    (filter (> c) xs ++ filter (< c) xs, filter (== c) xs ++ filter (!= c) xs)
  in (tabulate k (\i -> v[i]), tabulate m (\i -> w[i]))

-- ==
-- entry: in_steps
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 4i64] }
entry in_steps [n] (xs: [n]i64) (c: i64) =
  map (\s -> let [k] v: [k]i64 = filter (> s) xs ++ filter (< s) xs in k + v[k - 1]) [c, c + 1]

-- A name of a name, and the size in other types.
-- ==
-- entry: chained
-- input { [1i64, 2i64, 3i64] 2i64 } output { 2i64 3i64 [3i64, 2i64] 3i64 }
entry chained [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k]i64 = filter (> c) xs ++ filter (< c) xs
  let [l] w: [l]i64 = v ++ filter (== 1) v
  in (k, l, map2 (+) v (iota k), length w)

-- The first part that fails is the first one in the program.
-- ==
-- entry: fails
-- input { [1i64, 2i64, 3i64] 7i64 5i64 } error: index 7
-- input { [1i64, 2i64, 3i64] 1i64 5i64 } error: index 5
-- input { [1i64, 2i64, 3i64] 1i64 1i64 } output { [3i64, 1i64] }
entry fails [n] (xs: [n]i64) (i: i64) (j: i64) =
  let [k] v: [k]i64 = replicate 1 xs[i] ++ filter (> xs[i]) xs ++ filter (< xs[j]) xs
  in tabulate (k - 1) (\at -> v[at + 1])

-- The rest of a partition has a size that is computed in the type, and a name.
-- ==
-- entry: carried
-- input { [1, 2, 3, 4, 5] 3 } output { [4, 8, 12] [4, 5] }
-- input { empty([0]i64) 3 } output { empty([0]i64) empty([0]i64) }
entry carried [n] (xs: [n]i64) (c: i64) =
  let [k] v: [k]i64 = (partition (> c) xs).1
  let [j] w: [j]i64 = (partition (<= c) (filter (> 0) xs)).1
  in (loop a = v for _ < 3 do map2 (+) a v, fold (\a _ -> map (+ 0) a) w xs)

-- The length overflows an `i64`. The program reads no element of the array.
-- ==
-- entry: forgotten_doubles
-- compiled input { [7i64] } error: is too large
-- compiled input { [7i64, 8i64] } error: is too large
-- compiled input { empty([0]i64) } output { 0i64 }
def eight [n] (xs: [n]i64): ?[k].[k]i64 =
  let two = xs ++ xs
  let four = two ++ two
  in four ++ four
entry forgotten_doubles (xs: []i64): i64 =
  let a = eight (eight (eight (eight (eight (eight (eight xs))))))
  let b = eight (eight (eight (eight (eight (eight (eight a))))))
  in length (eight (eight (eight (eight (eight (eight (eight b)))))))

-- ==
-- entry: forgotten_doubles_of_one
-- compiled input { [7i64] } error: is too large
entry forgotten_doubles_of_one (xs: [1]i64): i64 =
  let a = eight (eight (eight (eight (eight (eight (eight xs))))))
  let b = eight (eight (eight (eight (eight (eight (eight a))))))
  in length (eight (eight (eight (eight (eight (eight (eight b)))))))
