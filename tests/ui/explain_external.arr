-- $ arrc explain --verbose FILE
external median [n] (xs: [n]f64): f64
#[effect(io)] external report (x: f64): f64

entry f [n] (xs: [n]f64): ([n]f64, [n]f64, [n]f64) =
  let ys = map (* 2) xs
  let m = median ys
  let as = map (\y -> report (y - m)) ys
  let bs = map (\y -> report (y + m)) ys
  in (map (+ 1) as, map (+ 1) bs, ys)
