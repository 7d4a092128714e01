-- $ arrc run --plot out.svg --plot-as=line FILE table 3
entry table (n: i64): [n][n]i64 = tabulate_2d n n (\i j -> i * j)
