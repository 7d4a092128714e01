-- Updates that are written before branches, loops and other updates which still need the old elements. All are in place: a call
-- allocates the arrays that it makes at first, and no other one.

-- | The heap without its first number, and that number: the last one sinks. The child is chosen behind the update.
def sink [n] (keys: *[n]i64) (items: *[n]i64) (count: i64): (*[n]i64, *[n]i64) =
  let last = count - 1
  let (key, item) = (keys[last], items[last])
  let below (keys: [n]i64) place =
    let child = 2 * place + 1
    in if child + 1 < last && keys[child + 1] < keys[child] then child + 1 else child
  let (keys, items, place, _) =
    loop (keys, items, place, child) = (keys, items, 0, below keys 0)
        while child < last && keys[child] < key do
      (keys with [place] = keys[child], items with [place] = items[child], child, below keys child)
  in (keys with [place] = key, items with [place] = item)

-- | Numbers with their items, the least one first, from a heap.
-- ==
-- entry: taken
-- input { [1i64, 3i64, 2i64, 7i64, 4i64, 5i64] } output { [1i64, 2i64, 3i64, 4i64, 5i64, 7i64] [0i64, 2i64, 1i64, 4i64, 5i64, 3i64] }
-- allocates 4
-- input { [5i64] } output { [5i64] [0i64] }
-- input { empty([0]i64) } output { empty([0]i64) empty([0]i64) }
entry taken [n] (heap: [n]i64): ([n]i64, [n]i64) =
  let (_, _, keys, items) =
    loop (heap, items, ks, is) = (copy heap, iota n, replicate n 0, replicate n 0) for i < n do
      let (ks, is) = (ks with [i] = heap[0], is with [i] = items[0])
      let (heap, items) = sink heap items (n - i)
      in (heap, items, ks, is)
  in (keys, items)

-- | An update before a loop that reads the old elements.
-- ==
-- entry: before_a_loop
-- input { [3i64, 1i64, 2i64] 1i64 } output { [3i64, 6i64, 2i64] }
-- allocates 1
-- input { [3i64] 1i64 } error: index 1 is out of bounds for an array of length 1
-- input { [3i64] -1i64 } error: index -1 is out of bounds for an array of length 1
entry before_a_loop [n] (xs: [n]i64) (i: i64): [n]i64 =
  let old = map (+ 0) xs
  let next = old with [i] = 0
  let (sum, _) = loop (sum, j) = (0, 0) while j < n do (sum + old[j], j + 1)
  in next with [i] = sum

-- | Two arrays, each with an element of the other one.
-- ==
-- entry: exchanged
-- input { [1i64, 2i64] [3i64, 4i64] 0i64 1i64 } output { [4i64, 2i64] [3i64, 1i64] }
-- allocates 2
-- input { [1i64, 2i64] [3i64, 4i64] 2i64 1i64 } error: index 2 is out of bounds for an array of length 2
-- input { [1i64, 2i64] [3i64, 4i64] 0i64 3i64 } error: index 3 is out of bounds for an array of length 2
entry exchanged [n] (xs: [n]i64) (ys: [n]i64) (i: i64) (j: i64): ([n]i64, [n]i64) =
  let (a, b) = (map (+ 0) xs, map (+ 0) ys)
  in (a with [i] = b[j], b with [j] = a[i])

-- | The array behind the update may be the result of the branch, so it is copied.
-- ==
-- entry: kept
-- input { [1i64, 2i64] true } output { [0i64, 2i64] [1i64, 2i64] }
-- input { [1i64, 2i64] false } output { [0i64, 2i64] [0i64, 2i64] }
entry kept [n] (xs: [n]i64) (c: bool): ([n]i64, [n]i64) =
  let a = map (+ 0) xs
  let b = a with [0] = 0
  in (b, if c then a else b)
