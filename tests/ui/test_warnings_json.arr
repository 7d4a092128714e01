-- $ arrc test FILE --message-format=json
-- Half of a number, and a name for nothing.
-- ==
-- entry: half
-- input { 4i64 } output { 2i64 }
-- input { 5i64 } output { 2i64 }
entry half (x: i64): i64 =
  let y = x + 1
  in x / 2
