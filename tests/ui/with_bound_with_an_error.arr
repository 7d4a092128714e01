entry parts [n] (a: [n]i64): [n]i64 =
  with { (. <= [i] < [n 1]) : i; ([n] <= [i] <= .) : 0 } : modarray a
