-- $ arrc fmt --check FILE
def f (x:i64)=x+1

-- | A matrix.
entry g (n: i64): [2][2]i64 = [[f n, 1],
  [2, 3]]

def h = 1
