-- Generators with large steps, or with steps that the arguments tell: each way of a turn is a loop.

-- | The remainder, by a division, which no range decides.
def rest (i: i64) (s: i64): i64 = i - i / s * s

def in_grid (i: i64) (low: i64) (high: i64) (s: i64) (w: i64): bool =
  low <= i && i < high && rest (i - low) s < w

-- | The number of wrong elements: of a new array, of one that is changed in place, and of a fold.
-- ==
-- entry: given
-- input { 10000i64 3i64 9990i64 100i64 7i64 } output { 0i64 }
-- input { 10000i64 0i64 10000i64 129i64 128i64 } output { 0i64 }
-- input { 4096i64 64i64 4096i64 64i64 1i64 } output { 0i64 }
-- input { 5000i64 17i64 4800i64 1i64 1i64 } output { 0i64 }
-- input { 700i64 5i64 600i64 1000i64 10i64 } output { 0i64 }
-- input { 700i64 5i64 600i64 1000i64 999i64 } output { 0i64 }
-- input { 700i64 600i64 700i64 10i64 2i64 } output { 0i64 }
-- input { 300i64 50i64 5i64 10i64 2i64 } output { 0i64 }
-- input { 3000i64 0i64 3000i64 2i64 1i64 } output { 0i64 }
-- input { 3000i64 1i64 2999i64 9i64 9i64 } output { 0i64 }
-- input { 0i64 0i64 0i64 3i64 2i64 } output { 0i64 }
-- input { 1i64 0i64 1i64 9223372036854775807i64 9223372036854775807i64 } output { 0i64 }
-- input { 300i64 7i64 300i64 4611686018427387904i64 11i64 } output { 0i64 }
-- input { 300i64 0i64 300i64 2305843009213693952i64 1152921504606846977i64 } output { 0i64 }
-- input { 30i64 7i64 20i64 0i64 11i64 } error: the step 0 of a generator is not positive
-- input { 30i64 7i64 20i64 3i64 4i64 } error: the width 4 of a generator is not between 1 and its step 3
entry given (n: i64) (low: i64) (high: i64) (s: i64) (w: i64): i64 =
  let made = with { ([low] <= [i] < [high] step s width w) : i * 3 + 1 } : genarray ([n], -1)
  let changed = with { ([low] <= [i] < [high] step s width w) : made[i] + i } : modarray made
  let total = with { ([low] <= [i] < [high] step s width w) : i * 7 } : fold (+, 0)
  let is_in i = in_grid i low high s w
  in count (!= 0) (tabulate n (\i -> changed[i] - (if is_in i then i * 4 + 1 else -1)))
     + i64.abs (total - i64.sum (tabulate n (\i -> if is_in i then i * 7 else 0)))

-- | Constant steps: two grids whose ways part a turn in five, elements near the edges, and a grid at a distance.
-- ==
-- entry: fixed
-- input { 5000i64 2i64 4990i64 } output { 0i64 }
-- input { 200i64 0i64 130i64 } output { 0i64 }
-- input { 200i64 150i64 140i64 } output { 0i64 }
-- input { 12i64 0i64 12i64 } output { 0i64 }
-- input { 0i64 0i64 0i64 } output { 0i64 }
entry fixed (n: i64) (low: i64) (high: i64): i64 =
  let a = tabulate n (\i -> i * i)
  let b =
    with { ([low] <= [i] < [high] step 11 width 4) : if i >= 3 then a[i - 3] else 5;
           ([low + 5] <= [i] < [high] step 11 width 2) : if i + 7 < n then a[i + 7] else -i }
      : genarray ([n], -1)
  let meant i =
    if in_grid i low high 11 4 then (if i >= 3 then (i - 3) * (i - 3) else 5)
    else if in_grid i (low + 5) high 11 2 then (if i + 7 < n then (i + 7) * (i + 7) else -i)
    else -1
  in count (!= 0) (tabulate n (\i -> b[i] - meant i))

-- | Rows and columns by turns.
-- ==
-- entry: blocks
-- input { 130i64 70i64 1i64 2i64 20i64 9i64 } output { 0i64 }
-- input { 7i64 300i64 0i64 100i64 2i64 2i64 } output { 0i64 }
-- input { 300i64 5i64 290i64 0i64 16i64 1i64 } output { 0i64 }
-- input { 3i64 0i64 0i64 0i64 16i64 1i64 } output { 0i64 }
entry blocks (n: i64) (m: i64) (p: i64) (q: i64) (s: i64) (w: i64): i64 =
  let a =
    with { ([p, q] <= [i, j] < [n, m] step [s, 16] width [w, 5]) : i * 1000 + j }
      : genarray ([n, m], -1)
  let meant i j = if in_grid i p n s w && in_grid j q m 16 5 then i * 1000 + j else -1
  in i64.sum (map i64.sum (tabulate_2d n m (\i j -> i64.bool (a[i, j] != meant i j))))

-- | Remainders in other programs: equal to a number, beyond it, and by two divisors.
-- ==
-- entry: remainders
-- input { 3000i64 7i64 13i64 } output { 0i64 }
-- input { 3000i64 -7i64 1i64 } output { 0i64 }
-- input { 3000i64 5i64 4000i64 } output { 0i64 }
-- input { 3000i64 5i64 0i64 } error: division by zero
-- input { 3000i64 5i64 -9i64 } output { 0i64 }
entry remainders (n: i64) (k: i64) (s: i64): i64 =
  let a =
    tabulate n (\i -> if (i + k) % s == 2 then i else if 4 < (i + k) % s then -i else 1000 + i % 20)
  let by: [n]i64 = tabulate n (\i -> rest (i + k) s)
  in count (!= 0)
       (map3 (\i x r -> x - (if r == 2 then i else if 4 < r then -i else 1000 + i % 20)) (iota n) a
          by)

-- | Sums of floats, which have the same bits on any number of threads.
-- ==
-- entry: sums
-- input { 20000i64 16i64 4i64 } output { 0i64 }
-- input { 50000i64 1000i64 900i64 } output { 0i64 }
-- input { 10i64 1000i64 900i64 } output { 0i64 }
-- input { 9000i64 1i64 1i64 } output { 0i64 }
entry sums (n: i64) (s: i64) (w: i64): i64 =
  let value i = f64.i64 (i % 1000) * 0.25 - 100
  let near (x: f64) y = f64.abs (x - y) <= 0.000001 * f64.i64 n
  let x = with { ([0] <= [i] < [n] step s width w) : value i } : fold (+, 0)
  let y = with { ([0] <= [i] < [n] step 20 width 5) : value i } : fold (+, 0)
  let z = with { ([0] <= [i] < [n] step 16 width 5) : value i } : fold (f64.max, -f64.inf)
  let total is_in = f64.sum (map (\i -> if is_in i then value i else 0) (iota n))
  in i64.bool (!(near x (total (\i -> in_grid i 0 n s w))))
     + i64.bool (!(near y (total (\i -> in_grid i 0 n 20 5))))
     + i64.bool
       (z != f64.maximum (map (\i -> if in_grid i 0 n 16 5 then value i else -f64.inf) (iota n)))

-- | The same sums, of which the last bits depend on the order.
-- ==
-- entry: rough_sums
-- input { 50000i64 1000i64 900i64 } output { 10.938615655742312 4.328930837147088 }
entry rough_sums (n: i64) (s: i64) (w: i64): (f64, f64) =
  (with { ([0] <= [i] < [n] step s width w) : 1 / f64.i64 (i + 1) } : fold (+, 0),
   with { ([0] <= [i] < [n] step 20 width 5) : 1 / f64.i64 (i + 1) } : fold (+, 0))

-- | Points by colour, as in a relaxation: each row is in one of two grids. The remainder by the other grid does not matter.
-- ==
-- entry: colours
-- input { 2i64 } output { 0i64 }
-- input { 3i64 } output { 0i64 }
-- input { 4i64 } output { 0i64 }
-- input { 5i64 } output { 0i64 }
-- input { 32i64 } output { 0i64 }
-- input { 67i64 } output { 0i64 }
entry colours (n: i64): i64 =
  let a = tabulate_2d n n (\i j -> i * 100 + j * j)
  let four i j = a[i - 1, j] + 2 * a[i + 1, j] + 3 * a[i, j - 1] + 4 * a[i, j + 1]
  let b =
    with { ([1, 1] <= [i, j] < [n - 1, n - 1] step [2, 2]) : four i j;
           ([2, 2] <= [i, j] < [n - 1, n - 1] step [2, 2]) : four i j }
      : modarray a
  let is_in i j = 0 < i && 0 < j && i < n - 1 && j < n - 1 && rest i 2 == rest j 2
  in i64.sum
       (map i64.sum
          (tabulate_2d n n
             (\i j -> i64.bool (b[i, j] != (if is_in i j then four i j else a[i, j])))))
