-- Comments hold any text: “quotes”, Ελληνικά, 日本語, 🙂, /* and */, \n and \.
-- Layout is free: lines may break anywhere between two words.

-- ==
-- entry: documented
-- input { 1 } output { 2 }

-- | A doc comment
--   of several lines, with "quotes", \backslashes, */ and /* in it: ünïcödé.
entry documented (x: i32): i32 = x + 1 -- a comment behind

-- ==
-- entry: broken_lines
-- input { [1, 2] } output { [2, 3] 3 }
entry
broken_lines
  [n]
  (xs
    : [n]i32)
  : ([n]i32,
     i32)
  =
  let ys
    =
    map -- between a function
      (+ 1) -- and its arguments
      xs
  in (ys
     , reduce (+)
         0
         xs)

-- ==
-- entry: one_line
-- input { 1 } output { 6 }
entry one_line (x: i32): i32 = let y = x + 1 let z = y + 1 in let w = z * 2 in w

entry last_line (x: i32): i32 = x -- no end of line follows