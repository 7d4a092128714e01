entry largest [..s] (a: [..s]f64): f64 = reduce_s f64.max f64.lowest a

def untyped [..s] (a: [..s]f64) = a

def first [..s] (a: [..s]f64): f64 = first (map_s (+ 1) [a])

def total [..s] (a: [..s]f64): f64 = total a[0]

def other [..s] (a: [..s]f64): [..t]f64 = a

entry name [n] (a: [n]f64): [n]f64 =
  let f = total
  let g [..s] (b: [..s]f64): f64 = 1
  in a

entry sum_2 [n] [m] (a: [n][m]f64): f64 = total a
