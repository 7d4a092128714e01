-- $ arrc build FILE --emit=core,cnf,graph,clusters,process,concrete
-- A call of C is a barrier. What has an effect waits for the effect before it; pure maps fuse with one
-- such node, and across it.
external median [n] (xs: [n]f64): f64
#[effect(io)] external report (x: f64): f64

entry f [n] (xs: [n]f64): ([n]f64, f64) =
  let ys = map (* 2) xs
  let m = median xs
  let as = map report ys
  let bs = map (+ 1) as
  let cs = map (\y -> report (y + m)) ys
  in (bs, reduce (+) 0 (map (* 3) cs))
