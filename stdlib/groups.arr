-- Elements by groups: a group has the elements with equal keys. Keys may have any type that has an order.
--
--     import "groups"
--     entry totals [n] (places: [n]i32) (amounts: [n]f64): ?[g].([g]i32, [g]f64) =
--       sums_by (.0) (<=) (.1) (zip places amounts)
--
-- `key` gives the key of an element, and `le` says whether one key may come before another, as `(<=)` does. Groups come
-- in the order of their keys. Where keys are the numbers 0 to k - 1, the prelude's `hist` and `group_reduce` are
-- faster: they do not sort.

-- | The groups of the elements: the key of each, the place where it begins, and the elements' positions, group after
-- group, in order within each. Group g goes from the g-th place up to the (g + 1)-th, which is excluded.
def groups_by [n] 'a 'k (key: a -> k) (le: k -> k -> bool)
    (xs: [n]a): ?[g].(*[g]k, *[g + 1]i64, *[n]i64) =
  let keys = map key xs
  let order = order_of le keys
  let sorted = gather keys order
  let starts = filter (\i -> i == 0 || precedes le sorted[i - 1] sorted[i]) (iota n)
  let g = length starts
  in (gather sorted starts, generate (g + 1) (\j -> if j < g then starts[j] else n), order)

-- | The elements' values of each group, joined by `op`, which is associative and has the neutral element `ne`. The
-- values are joined in the order of the elements.
def reduce_by [n] 'a 'k 'v
    (key: a -> k) (le: k -> k -> bool) (val: a -> v) (op: v -> v -> v) (ne: v)
    (xs: [n]a): ?[g].(*[g]k, *[g]v) =
  let (keys, starts, order) = groups_by key le xs
  let joined j =
    reduce op ne (map (\i -> val xs[order[starts[j] + i]]) (iota (starts[j + 1] - starts[j])))
  in (keys, map joined (indices keys))

-- | How many elements each group has.
def counts_by [n] 'a 'k (key: a -> k) (le: k -> k -> bool) (xs: [n]a): ?[g].(*[g]k, *[g]i64) =
  let (keys, starts, _) = groups_by key le xs
  in (keys, map (\j -> starts[j + 1] - starts[j]) (indices keys))

-- | The sum of each group's values.
def sums_by [n] 'a 'k (key: a -> k) (le: k -> k -> bool) (val: a -> f64)
    (xs: [n]a): ?[g].(*[g]k, *[g]f64) =
  reduce_by key le val (+) 0 xs

-- | The mean of each group's values.
def means_by [n] 'a 'k (key: a -> k) (le: k -> k -> bool) (val: a -> f64)
    (xs: [n]a): ?[g].(*[g]k, *[g]f64) =
  let (keys, starts, order) = groups_by key le xs
  let mean j =
    let count = starts[j + 1] - starts[j]
    in f64.sum (map (\i -> val xs[order[starts[j] + i]]) (iota count)) / f64.i64 count
  in (keys, map mean (indices keys))

-- | The `count` elements that come first in the order of `le`, in order; of equal elements, those that stand first. An
-- error at run time if there are fewer. It is one pass, and only an element that enters the list takes longer.
def top [n] 'a (count: i64) (le: a -> a -> bool) (xs: [n]a): *[count]a =
  loop best = sort le (take count xs) for i in count..<n do
    if count == 0 || !(precedes le xs[i] best[count - 1]) then best
    else
      let (best, at) =
        loop (best, at) = (best, count - 1) while at > 0 && precedes le xs[i] best[at - 1] do
          (best with [at] = best[at - 1], at - 1)
      in best with [at] = xs[i]

-- | For each group, the elements whose values come first in the order of `before`, at most `count` of them, in order:
-- the keys, the places where each group's elements begin, and the elements' positions.
def tops_by [n] 'a 'k 'v
    (count: i64) (key: a -> k) (le: k -> k -> bool) (val: a -> v) (before: v -> v -> bool)
    (xs: [n]a):
    ?[g][t].(*[g]k, *[g + 1]i64, *[t]i64) =
  let order = order_of before (map val xs)
  let (keys, starts, sorted) = groups_by (\i -> key xs[i]) le order
  let kept j = i64.min (i64.max 0 count) (starts[j + 1] - starts[j])
  let ends = scan (+) 0 (map kept (indices keys))
  let places =
    flatmap (\j -> map (\i -> order[sorted[starts[j] + i]]) (iota (kept j))) (indices keys)
  in (keys, generate (length starts) (\j -> if j == 0 then 0 else ends[j - 1]), places)
