-- $ arrc check FILE
-- Types of numbers that Arr does not have.
def half (x: f16): f16 = x
def root (x: f64): f64 = f16.sqrt x
def wide (x: i128): u128 = x
entry main (x: i64): i64 = u128.max 1 x
