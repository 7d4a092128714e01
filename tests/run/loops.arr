-- `loop` in its three forms, over scalars.

-- ==
-- entry: sum_to
-- input { 10i64 } output { 45i64 }
-- input { 0i64 } output { 0i64 }
-- input { -3i64 } output { 0i64 }
-- input { 1i64 } output { 0i64 }
entry sum_to (n: i64): i64 = loop s = 0 for i < n do s + i

-- ==
-- entry: fibonacci
-- input { 10i64 } output { 55i64 }
-- input { 0i64 } output { 0i64 }
-- input { 90i64 } output { 2880067194370816120i64 }
entry fibonacci (n: i64): i64 = (loop (a, b) = (0, 1) for _i < n do (b, a + b)).0

-- ==
-- entry: gcd
-- input { 48i64 36i64 } output { 12i64 }
-- input { 17i64 0i64 } output { 17i64 }
-- input { 0i64 5i64 } output { 5i64 }
entry gcd (a: i64) (b: i64): i64 =
  let (d, _) = loop (a, b) while b != 0 do (b, a % b)
  in d

-- ==
-- entry: collatz
-- input { 27i64 } output { 111i64 }
-- input { 1i64 } output { 0i64 }
entry collatz (n: i64): i64 =
  let (_, steps) =
    loop (n, steps) = (n, 0) while n != 1 do
      if n % 2 == 0 then (n / 2, steps + 1) else (3 * n + 1, steps + 1)
  in steps

-- ==
-- entry: horner
-- input { [1.0, 2.0, 3.0] 2.0 } output { 11.0 }
-- input { empty([0]f64) 2.0 } output { 0.0 }
-- input { [5.0] 100.0 } output { 5.0 }
entry horner [n] (cs: [n]f64) (x: f64): f64 = loop y = 0.0 for c in cs do y * x + c

-- ==
-- entry: last_pair
-- input { [1i64, 2i64] [true, false] } output { 2i64 false 3i64 }
-- input { empty([0]i64) empty([0]bool) } output { -1i64 true 0i64 }
entry last_pair [n] (xs: [n]i64) (bs: [n]bool): (i64, bool, i64) =
  loop (x, b, s) = (-1, true, 0) for (y, c) in zip xs bs do (y, c, s + y)

-- ==
-- entry: nested
-- input { 3i64 4i64 } output { 18i64 }
-- input { 0i64 4i64 } output { 0i64 }
-- input { 3i64 0i64 } output { 0i64 }
entry nested (n: i64) (m: i64): i64 =
  loop s = 0 for i < n do loop s for j < m do s + i * j

-- ==
-- entry: counters
-- input { 5u8 } output { 10u8 }
-- input { 255u8 } output { 129u8 }
entry counters (n: u8): u8 = loop s = 0 for i < n do s + i

-- ==
-- entry: negative_count
-- input { -5i32 } output { 7i32 }
-- input { 3i32 } output { 10i32 }
entry negative_count (n: i32): i32 = loop s = 7 for i < n do s + i

-- ==
-- entry: unsigned_count
-- input { 4u64 } output { 6u64 }
entry unsigned_count (n: u64): u64 = loop s = 0 for i < n do s + i

-- ==
-- entry: literal_count
-- input { 2.0 } output { 1024.0 }
entry literal_count (x: f64): f64 = loop y = 1.0 for _i < 10 do y * x

-- ==
-- entry: left_out
-- input { 3i64 5i64 } output { 18i64 5i64 }
entry left_out (x: i64) (k: i64): (i64, i64) =
  let n = k
  in loop (x, n) for _i < n do (x + 3, n)

-- ==
-- entry: with_types
-- input { 4i64 } output { 16i64 1.0 }
entry with_types (n: i64): (i64, f64) =
  loop (a: i64, b: f64) = (1, 16.0) while b > 1.0 do (a * 2, b / 2.0)

-- ==
-- entry: with_record
-- input { 3i64 } output { 3i64 8i64 }
entry with_record (n: i64): (i64, i64) =
  let r =
    loop {count, power} = {count = 0, power = 1} for _i < n do
      {count = count + 1, power = power * 2}
  in (r.count, r.power)

-- ==
-- entry: in_worker
-- input { [1i64, 5i64, 0i64] } output { [1i64, 120i64, 1i64] }
-- input { empty([0]i64) } output { empty([0]i64) }
entry in_worker [n] (xs: [n]i64): [n]i64 = map (\x -> loop p = 1 for i < x do p * (i + 1)) xs

-- ==
-- entry: in_reduce
-- input { [1i64, 2i64, 3i64] 2i64 } output { 24i64 }
entry in_reduce [n] (xs: [n]i64) (k: i64): i64 =
  reduce (+) 0 (map (\x -> loop y = x for _i < k do 2 * y) xs)

-- ==
-- entry: in_filter
-- input { [6i64, 7i64, 8i64, 9i64, 11i64] } output { [7i64, 11i64] }
entry in_filter [n] (xs: [n]i64): ?[k].[k]i64 =
  filter (\x -> (loop (d, prime) = (2, true) while d * d <= x && prime do (d + 1, x % d != 0)).1) xs

-- ==
-- entry: in_branch
-- input { true 3i64 } output { 6i64 }
-- input { false 3i64 } output { -3i64 }
entry in_branch (c: bool) (n: i64): i64 =
  if c then loop s = 0 for _i < n do s + 2 else loop s = 0 while s > -n do s - 1

-- ==
-- entry: condition_with_loop
-- input { 100i64 } output { 5i64 }
entry condition_with_loop (n: i64): i64 =
  loop k = 1 while (loop p = 1 for i < k do p * (i + 1)) < n do k + 1

-- ==
-- entry: condition_with_pass
-- input { [3i64, 4i64] } output { 15i64 }
entry condition_with_pass [n] (xs: [n]i64): i64 =
  loop k = 1 while reduce (+) 0 (map (* k) xs) < 100 do k + 1

-- ==
-- entry: body_with_pass
-- input { [1i64, 2i64, 3i64] 3i64 } output { 27i64 }
entry body_with_pass [n] (xs: [n]i64) (k: i64): i64 =
  loop s = 0 for i < k do s + reduce (+) 0 (map (+ i) xs)

-- ==
-- entry: unused
-- input { 4i64 } output { 4i64 }
entry unused (n: i64): i64 =
  let (a, _) = loop (a, b) = (0, 1) for i < n do (a + 1, b / (i + 1))
  in a

-- ==
-- entry: constant
-- input { 4i64 } output { 7i64 }
entry constant (n: i64): i64 = loop a = 7 for _i < n do a

-- ==
-- entry: no_steps
-- input { 4i64 } output { 4i64 }
entry no_steps (n: i64): i64 = loop a = n for i < 0 do a / (i - i)

-- ==
-- entry: million
-- input { 1000000i64 } output { 499999500000i64 }
entry million (n: i64): i64 = loop s = 0 for i < n do s + i

def raised (x: i64) (n: i64): i64 = loop p = 1 for _i < n do p * x

-- ==
-- entry: in_function
-- input { 2i64 10i64 } output { 1024i64 59049i64 }
entry in_function (x: i64) (n: i64): (i64, i64) = (raised x n, raised 3 n)

def depth (n: i64): i64 = if n == 0 then 0 else 1 + (loop d = 0 for _i < 1 do d + depth (n - 1))

-- ==
-- entry: recursive
-- input { 5i64 } output { 5i64 }
entry recursive (n: i64): i64 = depth n

-- ==
-- entry: fails_inside
-- input { 3i64 } error: division by zero
-- input { 0i64 } output { 1i64 }
entry fails_inside (n: i64): i64 = loop a = 1 for i < n do a / i

-- ==
-- entry: higher_order
-- input { 3i64 } output { 24i64 }
entry higher_order (n: i64): i64 =
  let times f k x = loop x for _i < k do f x
  in times (* 2) n 3

-- ==
-- entry: fused
-- input { [1i64, -2i64, 3i64] } output { 13i64 }
entry fused [n] (xs: [n]i64): i64 =
  loop h = 0 for x in filter (> 0) xs do h * 10 + x
