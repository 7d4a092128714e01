-- | Adds.
def add (x: f64) (y: f64): f64 = x + y
def grow [n] (xs: [n]f64): [n]f64 = map (add 1.0) xs
entry all [n] (xs: [n]f64): f64 = reduse (+) 0 (grow xs)
