-- Definitions that nothing tells the type of are blamed where they are, once.
def scale k x = k * x
def half x = x / 2
def zero = 0
def total xs = reduce (+) 0 xs
def same x y = x == y
def pair (x, y) = x + y
def square x = x * x
def twice x = scale 2 x
def both x = square x + 1
def thrice x = 3 * x

entry a (w: f64): f64 = scale w 2.0 + scale 2.0 w
entry b (xs: []f64): []f64 = map half (map half xs)
entry c (w: f64): f64 = w + zero
entry d (xs: []f64): f64 = total xs + total (map half xs)
entry e (a: f64) (b: f64): bool = same a b && same b a
entry f (a: f64): f64 = pair (a, a)
entry g (w: f64): f64 = twice w + twice (w + 1.0)
entry h (w: f64): f64 = both w
entry i (w: i64): i64 = both w
entry fine (w: i32): i32 = thrice w
