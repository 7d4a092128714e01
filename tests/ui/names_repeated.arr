-- A name that means nothing is one error, however often it is used. The change is made at all places.
def a [n] (xs: [n]f64): i64 = lenght xs + lenght xs
def b [n] (xs: [n]f64): i64 = lenght xs * square (lenght xs)
def c [n] (xs: [n]f64): i64 = len xs + square 2
def d (x: i64): i64 = square x + square 3
def e (p: {first: f64, last: f64}): f64 = p.frist + p.frist
def f (x: reel): reel = x
def g [n] (xs: [n]f64): i64 = len(xs)
