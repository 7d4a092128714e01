-- What NumPy, C, Rust, Haskell, MATLAB and Futhark call something is found, with the import that it needs.
def a [n] (xs: [n]f64): f64 = std xs
def b [n] (xs: [n]f64): f64 = np.percentile xs 5.0
def c (n: i64): [n]f64 = np.zeros(n)
def d [n] (xs: [n]f64): [n]f64 = map np.sqrt xs
def e (n: i64): [n]i64 = np.arange n
def f (x: f64) (y: f64): f64 = fmin x y
def g [n] (xs: [n]f64) (ys: [n]f64): [n + n]f64 = np.concatenate((xs, ys))
def h [n] (a: [n][n]f64): [n][n]f64 = np.linalg.inv a
def j [n] (xs: [n]f64): i64 = numel(xs)
def k [n] (xs: [n]f64): f64 = np.frombuffer xs
def l (np1: f64) (n: f64): f64 = np + n
