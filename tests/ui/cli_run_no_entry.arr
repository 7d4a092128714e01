-- $ arrc run FILE twice 3
def double (x: i64): i64 = 2 * x
