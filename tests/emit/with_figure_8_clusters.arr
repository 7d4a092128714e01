-- $ arrc build FILE --emit=clusters
-- Figures 7 and 8 of paper 004: a step of the convolution and its test of convergence, written for arrays of any rank, are one
-- sweep at each.
def relax [..s] (a: [..s]f64): [..s]f64 =
  let sum = loop sum = a for k < dim a do
    map2_s (+) sum (map2_s (+) (rotate_axis k 1 a) (rotate_axis k (-1) a))
  in map_s (/ f64.i64 (2 * dim a + 1)) sum

def goes_on [..s] (a: [..s]f64) (b: [..s]f64) (eps: f64): bool =
  reduce_s (||) false (map2_s (\x y -> f64.abs (x - y) > eps) a b)

def step [..s] (a: [..s]f64): ([..s]f64, bool) =
  let b = relax a
  in (b, goes_on a b 0.01)

entry step_1 [n] (a: [n]f64): ([n]f64, bool) = step a

entry step_2 [n] [m] (a: [n][m]f64): ([n][m]f64, bool) = step a

entry step_3 [n] [m] [o] (a: [n][m][o]f64): ([n][m][o]f64, bool) = step a
