-- $ arrc run --plot out.svg FILE table 0
entry table (n: i64): [n][3]i64 = tabulate_2d n 3 (\i j -> i * j)
