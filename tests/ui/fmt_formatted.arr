-- $ arrc fmt --check FILE
def f (x: i64) = x + 1
