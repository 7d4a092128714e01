-- $ arrc check FILE
-- Sizes whose values are needed, and that nothing tells.
def counting [n]: [n]i64 = iota n
def apply [n] (f: [n]i64 -> i64): i64 = f (iota n)

entry empty: (i64, i64) = let [n] [m] (xss: [n][m]i64) = [] in (n + length xss, m)
entry constant: i64 = length counting
entry argument: i64 = apply (\xs -> xs[0])
entry result (b: bool) = if b then counting else rep 2

#[noinline]
def called (x: i64) = rep x
entry of_call: [3]i64 = called 1
