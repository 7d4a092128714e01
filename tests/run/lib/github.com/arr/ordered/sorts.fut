-- | Sorting by an order that a module has.

module type ordered = {
  type t
  val <= : t -> t -> bool
}

module type sorter = {
  type t
  val sorted [n]: [n]t -> [n]t
  val is_sorted [n]: [n]t -> bool
}

module mk_sorter (O: ordered): sorter with t = O.t = {
  type t = O.t
  let sorted [n] (xs: [n]t): [n]t = sort (O.<=) xs
  let is_sorted [n] (xs: [n]t): bool = all (\i -> i == 0 || xs[i - 1] O.<= xs[i]) (iota n)
}

-- | The same order, the other way round.
module reversed (O: ordered): ordered with t = O.t = {
  type t = O.t
  let (<=) (a: t) (b: t) = b O.<= a
}

-- | Pairs, by the first component and then by the second.
module both (A: ordered) (B: ordered): ordered with t = (A.t, B.t) = {
  type t = (A.t, B.t)
  let (<=) ((a, b): t) ((c, d): t) = if a A.<= c then !(c A.<= a) || b B.<= d else false
}

-- | A module of any kind, of the order and of its reverse.
module two_ways (F: (O: ordered) -> sorter with t = O.t) (O: ordered) = {
  module up = F O
  module down = F (reversed O)
}
