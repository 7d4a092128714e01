-- An array that a step makes from what is the same in each step is made once, however the steps are written. `allocates`
-- counts the arrays of a whole call: a step that made the array would add to it.

def primes (n: i64): []i64 =
  let sieve =
    loop s = tabulate (n + 1) (\i -> i > 1) for p in 2..<n + 1 do
      if s[p] && p * p <= n
      then loop s = s for q < n / p - p + 1 do s with [p * p + q * p] = false
      else s
  in filter (\i -> sieve[i]) (0...n)

-- ==
-- entry: in_for in_for_of_numbers in_while in_map in_tabulate in_fold in_local_function in_record in_with_loop
-- input { 30 0 } output { 0 }
-- input { 30 7 } output { 58 }
-- allocates 2
-- input { 2 3 } output { 6 }
-- input { -5 0 } output { 0 }
-- input { -5 1 } error: negative size
-- input { 1 1 } error: out of bounds|division by zero
entry in_for (n: i64) (k: i64): i64 =
  loop s = 0 for i < k do
    let ps = primes n
    in s + ps[i % length ps]

entry in_for_of_numbers (n: i64) (k: i64): i64 =
  loop s = 0 for i in 0..<k do
    s + (let ps = primes n in ps[i % length ps])

entry in_while (n: i64) (k: i64): i64 =
  let (s, _) =
    loop (s, i) = (0, 0) while i < k do
      let ps = primes n
      in (s + ps[i % length ps], i + 1)
  in s

entry in_map (n: i64) (k: i64): i64 =
  i64.sum (map (\i -> let ps = primes n in ps[i % length ps]) (iota k))

entry in_tabulate (n: i64) (k: i64): i64 =
  reduce (+) 0 (tabulate k (\i -> let ps = primes n in ps[i % length ps]))

entry in_fold (n: i64) (k: i64): i64 =
  fold (\s i -> let ps = primes n in s + ps[i % length ps]) 0 (iota k)

entry in_local_function (n: i64) (k: i64): i64 =
  let prime i = let ps = primes n in ps[i % length ps]
  in loop s = 0 for i < k do s + prime i

entry in_record (n: i64) (k: i64): i64 =
  let r =
    loop r = {sum = 0, steps = 0} for i < k do
      let found = {all = primes n, at = i}
      in {sum = r.sum + found.all[found.at % length found.all], steps = r.steps + 1}
  in r.sum

entry in_with_loop (n: i64) (k: i64): i64 =
  with { ([0] <= [i] < [k]) : let ps = primes n in ps[i % length ps] } : fold (+, 0)
