-- Arrays of a few elements, of each size of element, in recursions: allocated and freed by compiled code itself.

-- Each call has an array that it reads after the call that it makes.
-- ==
-- entry: live_u8
-- input { 1i64 } output { 5i64 }
-- input { 2i64 } output { 50i64 }
-- input { 8i64 } output { 943i64 }
-- input { 9i64 } output { 1233i64 }
-- input { 16i64 } output { 3124i64 }
-- input { 63i64 } output { 15619i64 }
-- input { 64i64 } output { 15790i64 }
-- input { 65i64 } output { 15982i64 }
-- input { 129i64 } output { 31728i64 }
-- input { 1023i64 } output { 255128i64 }
-- input { 1024i64 } output { 255271i64 }
-- input { 1100i64 } output { 274664i64 }
entry live_u8 (n: i64): i64 =
  if n == 0 then 0
  else let a = filter (\_ -> n > 0) (tabulate n (\i -> u8.i64 ((i * 7 + n) % 101)))
       let rest = live_u8 (n - 1)
       in rest + i64.u8 a[rest % n] + i64.u8 a[n - 1] * 3 + i64.u8 a[n / 2]

-- Each call has an array that it reads after the call that it makes.
-- ==
-- entry: live_i16
-- input { 1i64 } output { 5i64 }
-- input { 2i64 } output { 50i64 }
-- input { 8i64 } output { 943i64 }
-- input { 9i64 } output { 1233i64 }
-- input { 16i64 } output { 4075i64 }
-- input { 63i64 } output { 64330i64 }
-- input { 64i64 } output { 66267i64 }
-- input { 65i64 } output { 68384i64 }
-- input { 511i64 } output { 1220201i64 }
-- input { 512i64 } output { 1220884i64 }
-- input { 550i64 } output { 1278219i64 }
entry live_i16 (n: i64): i64 =
  if n == 0 then 0
  else let a = filter (\_ -> n > 0) (tabulate n (\i -> i16.i64 ((i * 7 + n) % 1009)))
       let rest = live_i16 (n - 1)
       in rest + i64.i16 a[rest % n] + i64.i16 a[n - 1] * 3 + i64.i16 a[n / 2]

-- Each call has an array that it reads after the call that it makes.
-- ==
-- entry: live_f32
-- input { 1i64 } output { 5i64 }
-- input { 2i64 } output { 50i64 }
-- input { 8i64 } output { 943i64 }
-- input { 9i64 } output { 1233i64 }
-- input { 16i64 } output { 4075i64 }
-- input { 33i64 } output { 17519i64 }
-- input { 63i64 } output { 64330i64 }
-- input { 64i64 } output { 66267i64 }
-- input { 65i64 } output { 68384i64 }
-- input { 255i64 } output { 594010i64 }
-- input { 256i64 } output { 595108i64 }
-- input { 275i64 } output { 612560i64 }
entry live_f32 (n: i64): i64 =
  if n == 0 then 0
  else let a = filter (\_ -> n > 0) (tabulate n (\i -> f32.i64 ((i * 7 + n) % 1009)))
       let rest = live_f32 (n - 1)
       in rest + i64.f32 a[rest % n] + i64.f32 a[n - 1] * 3 + i64.f32 a[n / 2]

-- Each call has an array that it reads after the call that it makes.
-- ==
-- entry: live_f64
-- input { 1i64 } output { 5i64 }
-- input { 2i64 } output { 50i64 }
-- input { 8i64 } output { 943i64 }
-- input { 9i64 } output { 1233i64 }
-- input { 16i64 } output { 4075i64 }
-- input { 17i64 } output { 4636i64 }
-- input { 63i64 } output { 64330i64 }
-- input { 64i64 } output { 66267i64 }
-- input { 65i64 } output { 68384i64 }
-- input { 127i64 } output { 259303i64 }
-- input { 128i64 } output { 260752i64 }
-- input { 137i64 } output { 272891i64 }
entry live_f64 (n: i64): i64 =
  if n == 0 then 0
  else let a = filter (\_ -> n > 0) (tabulate n (\i -> f64.i64 ((i * 7 + n) % 1009)))
       let rest = live_f64 (n - 1)
       in rest + i64.f64 a[rest % n] + i64.f64 a[n - 1] * 3 + i64.f64 a[n / 2]

-- Each call has an array that it reads after the call that it makes.
-- ==
-- entry: live_bool
-- input { 1i64 } output { 5i64 }
-- input { 2i64 } output { 10i64 }
-- input { 8i64 } output { 33i64 }
-- input { 9i64 } output { 38i64 }
-- input { 16i64 } output { 65i64 }
-- input { 63i64 } output { 253i64 }
-- input { 64i64 } output { 257i64 }
-- input { 65i64 } output { 262i64 }
-- input { 129i64 } output { 518i64 }
-- input { 1023i64 } output { 4093i64 }
-- input { 1024i64 } output { 4097i64 }
-- input { 1100i64 } output { 4401i64 }
entry live_bool (n: i64): i64 =
  if n == 0 then 0
  else let a = filter (\_ -> n > 0) (tabulate n (\i -> (i * 7 + n) % 2 == 1))
       let rest = live_bool (n - 1)
       in rest + i64.bool a[rest % n] + i64.bool a[n - 1] * 3 + i64.bool a[n / 2]

-- A call that fails deep down leaves nothing behind, and the next one finds its memory as it should be.
-- ==
-- entry: fails_at_the_end
-- input { 30i64 1i64 } output { 930i64 }
-- input { 30i64 0i64 } error: division by zero
-- input { 300i64 0i64 } error: division by zero
-- input { 200i64 1i64 } output { 40200i64 }
entry fails_at_the_end (n: i64) (d: i64): i64 =
  if n == 0 then 0 / d
  else let a = filter (> 0) (tabulate n (\i -> i + n))
       let rest = fails_at_the_end (n - 1) d
       in rest + a[rest % n] - a[rest % n] + n + a[n / 2] - n / 2

-- Merge sort, down to single elements, which are parts of the array that is sorted.
-- ==
-- entry: sorted
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 13i64 }
-- input { 2i64 } output { 15877i64 }
-- input { 3i64 } output { 63430i64 }
-- input { 17i64 } output { 8534199i64 }
-- input { 1000i64 } output { 33340358695i64 }
def merge [n] [m] (a: [n]i64) (b: [m]i64): [n + m]i64 =
  let (_, _, out) = loop (i, j, out) = (0, 0, replicate (n + m) 0) for k < n + m do
    if j >= m || (i < n && a[i] <= b[j]) then (i + 1, j, out with [k] = a[i])
    else (i, j + 1, out with [k] = b[j])
  in out

def merge_sort [n] (xs: [n]i64): [n]i64 =
  if n <= 1 then xs
  else let h = n / 2
       in merge (merge_sort xs[:h]) (merge_sort xs[h:]) :> [n]i64

entry sorted (n: i64): i64 =
  let s = merge_sort (tabulate n (\i -> (i * 7919 + 13) % 100003))
  in reduce (+) 0 (map2 (\i x -> (i + 1) * x) (iota n) s)

-- Appends fill a small array, then go to the next size, and out of the small ones.
-- ==
-- entry: grown
-- input { 0i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
-- input { 7i64 } output { 532i64 }
-- input { 8i64 } output { 924i64 }
-- input { 9i64 } output { 1500i64 }
-- input { 100i64 } output { 2425850i64 }
-- input { 127i64 } output { 3971752i64 }
-- input { 128i64 } output { 3988264i64 }
-- input { 129i64 } output { 4037800i64 }
-- input { 1000i64 } output { 231211500i64 }
def squares (k: i64) (n: i64): ?[m].[m]i64 =
  if k == n then [] else [k * k % 1000] ++ squares (k + 1) n

entry grown (n: i64): i64 =
  let s = squares 0 n
  in reduce (+) 0 (map2 (\i x -> (i + 1) * x) (indices s) s)

-- A small array with two owners is copied before it is changed.
-- ==
-- entry: changed
-- input { 1i64 } output { [5i64] [9i64] }
-- input { 3i64 } output { [5i64, 6i64, 7i64] [9i64, 6i64, 7i64] }
entry changed (n: i64): ([n]i64, [n]i64) =
  let xs = tabulate n (\i -> i + 5)
  let ys = (copy xs) with [0] = 9
  in (xs, ys)
