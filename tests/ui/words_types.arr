def a (x: int) (y: int): int = x + y
def b (x: double): double = x
def c (xs: Vec<f64>): f64 = xs[0]
def d (xs: f64[]): f64 = xs[0]
def e (f64 x): f64 = x
def f (x: string): i64 = length x
struct point { x: f64, y: f64 }
