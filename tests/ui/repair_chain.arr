def a (x: i64): bool = 0 <= x < 10
def b (x: f64) (y: f64): bool = x + 1 < y * 2 < 10 && x != y
def c (x: i64) (y: i64): bool = x == y == 3
