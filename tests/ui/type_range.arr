def some (n: f64) = 0..<n

def mixed (n: i64) (m: i32) = n..<m
