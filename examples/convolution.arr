-- Arrays of any rank: the least and the greatest element, and a convolution with periodic edges that goes on until it converges.
-- These are the programs of C. Grelck, K. Hinckfuss and S.-B. Scholz, *With-Loop Fusion for Data Locality and Parallelism* (2005).
--
-- Shows definitions with shape parameters, which are compiled once for each rank, and several with-loops that run
-- in one pass.
--
--     arrc run examples/convolution.arr convolution_2 '[[0, 0, 0], [0, 9, 0], [0, 0, 0]]' 0.001

-- | The least and the greatest element: two with-loops.
def min_max [..s] (a: [..s]f64): (f64, f64) =
  (with { (0 <= iv < shape a) : a[iv] } : fold (f64.min, f64.inf),
   with { (0 <= iv < shape a) : a[iv] } : fold (f64.max, -f64.inf))

-- | At every rank one pass, and no array.
-- ==
-- entry: min_max_1
-- input { [3.0, -1.0, 2.0] } output { -1.0 3.0 }
-- input { [7.0] } output { 7.0 7.0 }
-- input { empty([0]f64) } output { inf -inf }
-- entry: min_max_1
-- structure { clusters 1 arrays 0 reads 1 writes 0 loops 1 }
entry min_max_1 [n] (a: [n]f64): (f64, f64) = min_max a

-- ==
-- entry: min_max_2
-- input { [[3.0, -1.0], [2.0, 8.0]] } output { -1.0 8.0 }
-- input { empty([3][0]f64) } output { inf -inf }
-- structure { arrays 0 writes 0 loops 2 allocations 0 }
entry min_max_2 [n] [m] (a: [n][m]f64): (f64, f64) = min_max a

-- ==
-- entry: min_max_3
-- input { [[[3.0, -1.0], [2.0, 8.0]], [[9.0, 0.0], [1.0, 1.0]]] } output { -1.0 9.0 }
-- structure { arrays 0 writes 0 loops 3 allocations 0 }
entry min_max_3 [n] [m] [o] (a: [n][m][o]f64): (f64, f64) = min_max a

-- ==
-- entry: min_max_4
-- input { [[[[3.0, -1.0], [2.0, 8.0]]], [[[9.0, 0.0], [1.0, -4.0]]]] } output { -4.0 9.0 }
-- input { empty([2][0][2][2]f64) } output { inf -inf }
-- random input { [3][4][5][6]f64 } auto output
-- structure { arrays 0 writes 0 loops 4 allocations 0 }
entry min_max_4 [n] [m] [o] [p] (a: [n][m][o][p]f64): (f64, f64) = min_max a

-- | The mean of each element and its neighbours in all dimensions, around the edges.
def relax [..s] (a: [..s]f64): [..s]f64 =
  let sum = loop sum = a for k < dim a do
    map2_s (+) sum (map2_s (+) (rotate_axis k 1 a) (rotate_axis k (-1) a))
  in map_s (* (1 / f64.i64 (2 * dim a + 1))) sum

-- | Whether some element has changed by more than that.
def continue [..s] (a: [..s]f64) (b: [..s]f64) (eps: f64): bool =
  reduce_s (||) false (map2_s (\x y -> f64.abs (x - y) > eps) a b)

-- | Relaxed until nothing changes by more than `eps`, and how many steps that took.
def convolution [..s] (a: [..s]f64) (eps: f64): ([..s]f64, i64) =
  let (a, _, steps) =
    loop (a, more, steps) = (a, true, 0) while more do
      let b = relax a
      in (b, continue b a eps, steps + 1)
  in (a, steps)

-- | A step and its test are one sweep: each element is compared with the old one before it is stored.
-- ==
-- entry: convolution_1
-- input { [0.0, 0.0, 9.0] 0.5 } output { [3.0, 3.0, 3.0] 2i64 }
-- input { [4.0] 0.5 } output { [4.0] 1i64 }
-- input { empty([0]f64) 0.5 } output { empty([0]f64) 1i64 }
-- structure convolution_1.loop { clusters 1 arrays 0 writes 1 loops 1 }
entry convolution_1 [n] (a: [n]f64) (eps: f64): ([n]f64, i64) = convolution a eps

-- ==
-- entry: convolution_2
-- input { [[0.0, 0.0, 9.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] 0.001 }
-- output { [[1.0001046528, 1.0001046528, 1.00041984], [0.9997903872, 0.9997903872, 1.0001046528],
--           [0.9997903872, 0.9997903872, 1.0001046528]] 10i64 }
-- input { empty([0][5]f64) 0.5 } output { empty([0][5]f64) 1i64 }
-- random input { [9][7]f64 0.01 } auto output
-- structure convolution_2.loop { clusters 1 arrays 0 writes 1 loops 2 }
entry convolution_2 [n] [m] (a: [n][m]f64) (eps: f64): ([n][m]f64, i64) = convolution a eps

-- ==
-- entry: convolution_3
-- random input { [5][4][6]f64 0.01 } auto output
-- structure convolution_3.loop { clusters 1 arrays 0 writes 1 loops 3 }
entry convolution_3 [n] [m] [o] (a: [n][m][o]f64) (eps: f64): ([n][m][o]f64, i64) =
  convolution a eps

-- | A step and whether to go on, by themselves.
def step [..s] (a: [..s]f64) (eps: f64): ([..s]f64, bool) =
  let b = relax a
  in (b, continue b a eps)

-- ==
-- entry: step_1
-- input { [0.0, 0.0, 9.0, 0.0] 2.9 } output { [0.0, 3.0, 3.0, 3.0] true }
entry step_1 [n]: [n]f64 -> f64 -> ([n]f64, bool) = step

-- ==
-- entry: step_2
-- input { [[5.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] 4.0 }
-- output { [[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, 0.0, 0.0]] false }
-- structure { clusters 1 arrays 0 loops 2 allocations 1 allocated 1 }
entry step_2 [n] [m]: [n][m]f64 -> f64 -> ([n][m]f64, bool) = step

-- ==
-- entry: step_3
-- input { [[[7.0, 0.0, 0.0]]] 6.0 } output { [[[5.0, 1.0, 1.0]]] false }
-- structure { clusters 1 arrays 0 loops 3 allocations 1 allocated 1 }
entry step_3 [n] [m] [o]: [n][m][o]f64 -> f64 -> ([n][m][o]f64, bool) = step
