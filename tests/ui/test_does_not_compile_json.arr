-- $ arrc test FILE --message-format=json
-- ==
-- input { 4i64 } output { 2i64 }
entry main (x: i64): i64 = x / y
