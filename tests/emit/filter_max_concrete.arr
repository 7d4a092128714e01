-- $ arrc build FILE --emit=concrete
-- filterMax of 002, section 4.1: figure 4 has the operators of its process, figure 8 its abstract
-- procedure and figure 9 the concrete one.
entry filter_max [n] (vec1: [n]i64): ?[m].([m]i64, i64) =
  let vec2 = map (+ 1) vec1
  let vec3 = filter (> 0) vec2
  let mx   = reduce i64.max 0 vec3
  in (vec3, mx)
