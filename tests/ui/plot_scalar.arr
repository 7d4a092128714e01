-- $ arrc run --plot out.svg FILE square 3
entry square (n: i64): i64 = n * n
