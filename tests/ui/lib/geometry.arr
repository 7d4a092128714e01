-- Imported by the cases of tests/ui.
def area (r: f64): f64 = r * r * f64.pi
local def hidden (x: i64): i64 = x
def volume (r: f64) = are r * r
