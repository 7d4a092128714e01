-- $ arrc build FILE --emit=concrete
-- The range in which both elements are there has no jump.
entry words [n] (text: [n]u8): i64 =
  let is_blank (c: u8): bool = c == 32 || c == 10
  in count id (tabulate n (\i -> !(is_blank text[i]) && (i == 0 || is_blank text[i - 1])))
