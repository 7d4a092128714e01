-- Recursive definitions whose results have no written type.

-- ==
-- entry: factorial
-- input { 5i64 } output { 120i64 }
-- input { 0i64 } output { 1i64 }
entry factorial (n: i64) = if n <= 1 then 1 else n * factorial (n - 1)

def even (n: i64) = if n == 0 then true else odd (n - 1)

def odd (n: i64) = if n == 0 then false else even (n - 1)

-- ==
-- entry: parity
-- input { 7i64 } output { false true }
-- input { 8i64 } output { true false }
entry parity (n: i64) = (even n, odd n)

-- The literal alone tells nothing, so it is an `i32`.
def depth (n: i64) = if n <= 1 then 0 else 1 + depth (n / 2)

-- ==
-- entry: depths
-- input { [1i64, 8i64, 1000i64] } output { [0i32, 3i32, 9i32] }
entry depths [n] (xs: [n]i64) = map depth xs

-- The recursive call comes first.
def gcd (a: u32) (b: u32) = if b != 0 then gcd b (a % b) else a

-- ==
-- entry: divisors
-- input { [12u32, 7u32] [18u32, 0u32] } output { [6u32, 7u32] }
entry divisors [n] (xs: [n]u32) (ys: [n]u32) = map2 gcd xs ys

type stats = {sum: f64, count: i64}

def walk [n] (xs: [n]f64) (i: i64) =
  if i == n then {sum = 0.0, count = 0i64}
  else let rest = walk xs (i + 1)
       in {sum = rest.sum + xs[i], count = rest.count + 1}

-- ==
-- entry: walked
-- input { [1.0, 2.5] } output { 3.5 2i64 }
-- input { empty([0]f64) } output { 0.0 0i64 }
entry walked [n] (xs: [n]f64): (f64, i64) =
  let s: stats = walk xs 0
  in (s.sum, s.count)

def pair (n: i64) = if n == 0 then (0i64, 1i64) else let (a, b) = pair (n - 1) in (b, a + b)

-- ==
-- entry: fibonacci
-- input { 10i64 } output { 55i64 }
entry fibonacci (n: i64) = (pair n).0

-- One of the two has its type, and the result of the other follows.
def ping (n: i64): f64 = if n == 0 then 0.5 else pong (n - 1)

def pong (n: i64) = ping n

-- ==
-- entry: played
-- input { 3i64 } output { 0.5 }
entry played (n: i64) = pong n

-- A polymorphic one gives a scalar.
def index_from 'a [n] (p: a -> bool) (xs: [n]a) (i: i64) =
  if i == n then -1 else if p xs[i] then i else index_from p xs (i + 1)

-- ==
-- entry: found
-- input { [3, 5, 8] [1.0, -1.0] } output { 2i64 1i64 }
entry found [n] [m] (xs: [n]i32) (ys: [m]f64): (i64, i64) =
  (index_from (\x -> x % 2 == 0) xs 0, index_from (< 0.0) ys 0)
