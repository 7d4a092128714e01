entry empty (a: bool) (b: bool): i64 =
  match (a, b)
  case ({}, _) -> 1
  case (false, _) -> 2
  case (_, true) -> 3

def first {x} = x

entry more: i64 = first {x = 1, y = 2}

entry after (a: i64): i64 =
  let bigger = \b -> let c = b + 1 in match b case {x} -> c
  in bigger a

entry misses (p: {x: i64, y: i64}): i64 = match p case {} -> 1

entry some (p: {x: i64, y: i64}): i64 = let {x} = p in x

entry other (p: {x: i64, y: i64}): i64 = let {x, z} = p in x + z

entry twice (c: bool): i64 = match {c} case {c = _, c = true} -> 1 case {c = false} -> 2
