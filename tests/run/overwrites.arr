-- Passes that write over the array that they read, at every length around a block of lanes, against
-- arrays that are made elsewhere.

def number (n: i64) (i: i64): i64 = (i * 7919 + n * 31) % 101 - 50

-- An array in memory, since its sum is needed before its elements are.
def made (n: i64): ([n]i64, i64) =
  let ys = scan (+) 0 (generate n (number n))
  in (ys, i64.sum ys)

-- The same, made one after the other.
def again (n: i64): ([n]i64, i64) =
  let ys = loop ys = replicate n 0 for i < n do
    ys with [i] = (if i == 0 then 0 else ys[i - 1]) + number n i
  in (ys, i64.sum ys)

def same [n] [m] (xs: [n]i64) (ys: [m]i64): bool =
  n == m && and (generate n (\i -> xs[i] == ys[i]))

def mapped (n: i64): bool =
  let (ys, s) = made n
  let over = map (\y -> y * 3 + s) ys
  let (zs, t) = again n
  in same over (generate n (\i -> zs[i] * 3 + t))

def filtered (n: i64): bool =
  let (ys, s) = made n
  let kept = filter (\y -> (y + s) % 3 != 0) ys
  let (zs, t) = again n
  let places = filter (\i -> (zs[i] + t) % 3 != 0) (iota n)
  in same kept (gather zs places)

-- Two results, of which one goes over, beside a filter of the same array.
def several (n: i64): bool =
  let (ys, s) = made n
  let a = map (+ s) ys
  let b = filter (> s / 64) ys
  let c = scan i64.max i64.lowest ys
  let (zs, t) = again n
  in same a (generate n (\i -> zs[i] + t))
     && same b (gather zs (filter (\i -> zs[i] > t / 64) (iota n)))
     && same c (generate n (\i -> i64.maximum zs[:i + 1]))

def scanned (n: i64): bool =
  let (ys, s) = made n
  let over = scan (+) 0 (map (^ s) ys)
  let (zs, t) = again n
  in same over (generate n (\i -> i64.sum (map (^ t) zs[:i + 1])))

def repeated (n: i64): bool =
  let over = loop a = generate n (number n) for k < 5 do map (\x -> x * 3 + k) a
  let step k x = x * 3 + k
  in same over (generate n (\i -> loop x = number n i for k < 5 do step k x))

-- Elements of another type, of the same width.
def widths (n: i64): bool =
  let (ys, s) = made n
  let over = map (\y -> f64.i64 (y + s)) ys
  let (zs, t) = again n
  in same (map i64.f64 over) (generate n (\i -> zs[i] + t))

-- ==
-- entry: all_lengths
-- input { 0i64 } output { true }
-- input { 80i64 } output { true }
entry all_lengths (most: i64): bool =
  loop ok = true for n < most do
    ok && mapped n && filtered n && several n && scanned n && repeated n && widths n

-- ==
-- entry: some_lengths
-- input { [127i64, 128i64, 129i64, 255i64, 256i64, 1023i64, 1025i64] } output { true }
entry some_lengths (ns: []i64): bool =
  all (\n -> mapped n && filtered n && repeated n && widths n) ns

-- What passes wrote when a later one fails is nobody's business.
-- ==
-- entry: fails
-- input { [1i64, 2i64, 3i64] 2i64 } output { [3i64, 5i64, 7i64] }
-- input { [1i64, 2i64, 3i64] 3i64 } error: out of bounds
entry fails [n] (xs: [n]i64) (at: i64): [n]i64 =
  let ys = scan (+) 0 xs
  let s = i64.sum ys
  let zs = map (+ s) ys
  let t = zs[at]
  in map2 (\x z -> 2 * x + z + t - z - t + 1) xs zs
