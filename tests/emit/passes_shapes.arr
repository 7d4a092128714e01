-- $ arrc build FILE --emit=passes
-- A scan hands its last value on; positions need an offset; a histogram begins each chunk with zeros; a length is
-- counted where the array is not stored; and an array that is read by index is needed whole.
entry shapes [n] (k: i64) (xs: [n]i64): ([n]i64, i64, [k]i64, i64, i64) =
  ( scan (+) 0 xs, i64.sum (map2 (*) xs (iota n)), hist (+) 0 k xs (map (\_ -> 1) xs)
  , length (filter (> 0) xs), i64.sum (map (\x -> xs[x % n]) xs))

entry steps [n] (xs: [n]f64): f64 =
  loop s = 1 while s < 2 do if s > 1.5 then f64.sum (map (* s) xs) else s + xs[0]
