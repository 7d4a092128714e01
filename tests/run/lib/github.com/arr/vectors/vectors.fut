-- | Vectors of a length that their module knows.

module type vector = {
  type vector 'a
  val map 'a 'b: (a -> b) -> vector a -> vector b
  val map2 'a 'b 'c: (a -> b -> c) -> vector a -> vector b -> vector c
  val reduce 'a: (a -> a -> a) -> a -> vector a -> a
  val zip 'a 'b: vector a -> vector b -> vector (a, b)
  val replicate 'a: a -> vector a
  val get 'a: i64 -> vector a -> a
  val length: i64
  val to_array 'a: vector a -> [length]a
  val from_array 'a: [length]a -> vector a
}

module any_vector (P: {val length: i64}): vector = {
  let stdreplicate = replicate
  let length = P.length
  type vector 'a = [length]a
  let map = map
  let map2 = map2
  let reduce = reduce
  let zip = zip
  let replicate a = stdreplicate length a
  let get (i: i64) a = a[i]
  let to_array = id
  let from_array = id
}

module vector_1: vector = {
  type vector 'a = a
  let stdreplicate = replicate
  let map f a = f a
  let map2 f a b = f a b
  let reduce f ne a = f ne a
  let zip a b = (a, b)
  let replicate a = a
  let get _ a = a
  let length = 1i64
  let to_array a = stdreplicate length a
  let from_array as = as[0]
}

module cat_vector (X: vector) (Y: vector): vector = {
  type vector 'a = (X.vector a, Y.vector a)
  let map f (xs, ys) = (X.map f xs, Y.map f ys)
  let map2 f (xs_a, ys_a) (xs_b, ys_b) = (X.map2 f xs_a xs_b, Y.map2 f ys_a ys_b)
  let reduce f ne (xs, ys) = X.reduce f ne xs `f` Y.reduce f ne ys
  let zip (xs_a, ys_a) (xs_b, ys_b) = (X.zip xs_a xs_b, Y.zip ys_a ys_b)
  let replicate a = (X.replicate a, Y.replicate a)
  let get i (xs, ys) = if i < X.length then X.get i xs else Y.get (i - X.length) ys
  let length = X.length + Y.length
  let to_array 't (xs, ys) = X.to_array xs ++ Y.to_array ys :> [length]t
  let from_array 't (as: [length]t) =
    let xs = X.from_array (take X.length as)
    let ys = Y.from_array (take Y.length (drop X.length as) :> [Y.length]t)
    in (xs, ys)
}

-- | A sequence whose length only its values know.
module type sequence = {
  type~ sequence 'a
  val nothing 'a: a -> sequence a
  val added 'a: a -> sequence a -> sequence a
  val kept 'a: (a -> bool) -> sequence a -> sequence a
  val elements 'a: sequence a -> []a
}

module sequence: sequence = {
  type~ sequence 'a = []a
  let nothing 'a (_: a): sequence a = []
  let added 'a (x: a) (xs: sequence a): sequence a = xs ++ [x]
  let kept 'a (p: a -> bool) (xs: sequence a): sequence a = filter p xs
  let elements 'a (xs: sequence a): []a = xs
}
