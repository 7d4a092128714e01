def a (n: i64): i64 = for (i = 0; i < n; i++) { s += i }
def b (n: i64): i64 = while (n < 10) { n = n + 1 }
def c [n] (xs: [n]i64): [n]i64 = [x * 2 for x in xs]
def d [n] (xs: [n]i64): [n]i64 = [x * 2 | x <- xs]
def e (n: i64): i64 = loop s = 0 for i in range(n) do s + i
def f (n: i64): [n]i64 = [0..n]
