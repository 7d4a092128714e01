-- $ arrc explain FILE
-- A loop that exchanges its arrays may return the caller's: then the call copies it, which the bound counts.
entry exchanged [n] (a: [n]i64): [n]i64 =
  (loop (g, h) = (a, map (* 2) a) for q < 6 do (map (\x -> x + q) g, g)).1
