-- Recursive functions that append to several arrays at once. The arrays are in a record that the calls share.

-- The arrays change places in the second call, and one of the branches appends to one of them only.
def crossed (n: i64): ([]i64, []i64) =
  if n < 1 then ([], [n])
  else if n == 1 then ([n, 10 * n], [])
  else
    let (a, b) = crossed (n - 1)
    let (c, d) = crossed (n - 2)
    in (a ++ d, b ++ c)

-- ==
-- entry: cross
-- input { 0i64 } output { empty([0]i64) [0i64] }
-- input { 1i64 } output { [1i64, 10i64] empty([0]i64) }
-- input { 2i64 } output { [1i64, 10i64, 0i64] empty([0]i64) }
-- input { 3i64 } output { [1i64, 10i64, 0i64] [1i64, 10i64] }
-- input { 4i64 } output { [1i64, 10i64, 0i64] [1i64, 10i64, 1i64, 10i64, 0i64] }
-- random input { 9i64 } auto output
-- random input { 12i64 } auto output
entry cross (n: i64): ([]i64, []i64) = crossed n

-- Each branch gives the arrays in another way: as they were, in turn, one twice, from an array that exists.
def mixed (n: i64) (xs: []i64): ([]i64, []i64, []f64) =
  if n == 0 then (xs, [], [])
  else if n == 1 then (xs, xs, [0.5])
  else if n % 3 == 0 then
    let (a, b, c) = mixed (n - 1) (map (+ n) xs)
    let (d, e, f) = mixed (n - 2) (filter (> n) xs)
    in if n % 2 == 0 then (a ++ d, b ++ e, c ++ f) else (b ++ e, a ++ d, c ++ f)
  else
    let (a, b, c) = mixed (n / 2) xs
    let (d, e, f) = mixed (n - 2) (filter (\x -> x % 2 == 0) xs)
    in (a ++ [n] ++ d, b ++ xs ++ e, if n % 2 == 0 then c ++ f else c ++ map f64.i64 xs ++ f)

-- ==
-- entry: mix
-- input { 0i64 [1i64, 2i64] } output { [1i64, 2i64] empty([0]i64) empty([0]f64) }
-- input { 1i64 [1i64, 2i64] } output { [1i64, 2i64] [1i64, 2i64] [0.5] }
-- input { 2i64 [1i64, 2i64] } output { [1i64, 2i64, 2i64, 2i64] [1i64, 2i64, 1i64, 2i64] [0.5] }
-- random input { 7i64 [5]i64 } auto output
-- random input { 11i64 [9]i64 } auto output
-- random input { 14i64 [3]i64 } auto output
entry mix (n: i64) (xs: []i64): ([]i64, []i64, []f64) = mixed n xs

-- Two functions: one calls the other, and gives what that appends in another order.
def inner (n: i64): ([]i64, []i64) =
  if n <= 0 then ([], [])
  else
    let (a, b) = inner (n - 1)
    let (c, d) = inner (n - 3)
    in (a ++ [n] ++ c, b ++ [-n] ++ d)

def outer (n: i64): ([]i64, []i64, i64) =
  if n <= 0 then ([], [7], 1)
  else
    let (p, q) = inner n
    let (a, b, s) = outer (n - 1)
    let (c, d, t) = outer (n - 2)
    in (a ++ q ++ c, b ++ p ++ d, s + t + length p)

-- ==
-- entry: nested
-- input { 0i64 } output { empty([0]i64) [7i64] 1i64 }
-- input { 1i64 } output { [-1i64] [7i64, 1i64, 7i64] 3i64 }
-- input { 2i64 } output { [-1i64, -1i64, -2i64] [7i64, 1i64, 7i64, 1i64, 2i64, 7i64] 6i64 }
-- random input { 6i64 } auto output
entry nested (n: i64): ([]i64, []i64, i64) = outer n

-- In each step of a loop, and of a map.
-- ==
-- entry: repeated
-- input { 1i64 } output { [1i64] 0i64 }
-- input { 2i64 } output { [1i64, 1i64, 2i64] 9i64 }
-- random input { 6i64 } auto output
entry repeated (n: i64): ([]i64, i64) =
  let all = loop all = [] for i < n do all ++ (inner (i + 1)).0
  let sums = map (\i -> let (a, b) = inner i in i64.sum a - 2 * i64.sum b) (iota n)
  in (all, i64.sum (map (* 3) sums))
