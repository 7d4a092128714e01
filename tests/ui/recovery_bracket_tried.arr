-- $ arrc check FILE
-- A bracket that is missing is put where the program has no error with it.
def function [n] (xs: [n]i64): [n]i64 = map (\x -> x + 1 xs
def section [n] (xs: [n]i64): [n]i64 = map (+ 1 xs
def inner [n] (xs: [n]i64): i64 = reduce (+) 0 (map (\x -> x * (x + 1) xs)
def pair (x: i64): i64 = let (a, b = (x, 2) in a + b
def parameter (x: i64: i64 = x + 1
def size [n] (xs: [n i64): i64 = xs[0]
def index [n] (xs: [n]i64): i64 = xs[0 + xs[n - 1]
def update [n] (xs: *[n]i64): *[n]i64 = xs with [0 = 3
def record (x: f64): {a: f64, b: f64} = {a = x, b = f64.max x (x + 1}
def lines [n] (xs: [n]i64): i64 =
  let ys = map (\x ->
             x + 1
           xs
  in i64.sum ys
