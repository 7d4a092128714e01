-- An operator or a function of scalars on arrays gets the code that applies it to each element, in the user's names.
import "statistics"
def a [n] (xs: [n]f64): [n]f64 = let m = mean xs in xs - m
def b [n] (a: [n][n]f64) (b: [n][n]f64): [n][n]f64 = a * b
def c [n] (xs: [n]f64): [n]f64 = (xs - mean xs) / stddev xs
def d [n] (xs: [n]f64) (ys: [n]f64): [n]f64 = 2.0 * xs + ys
def e [n] (xs: [n]i64) (ys: [n]i64): bool = xs != ys
def f [n] (a: [n][n]f64) (xs: [n]f64): [n]f64 = a * xs
def g [n] (a: [n][n]f64): [n]f64 = sum a
def h [n] (x: f64) (ys: [n]f64): [n]f64 = f64.max x ys
def i [n] (xs: [n]f64): f64 = sum (xs * xs)
def j [n] (xs: [n]f64): [n]bool = xs > 0.0
