-- | Two results of one map (002, section 6.2).
entry map_map_i32 [n] (xs: [n]i32): ([n]i32, [n]i32) =
  let more = map (+ 1) xs
  in (map (* 3) more, map (+ 7) more)
