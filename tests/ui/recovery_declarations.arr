-- An error in one declaration leaves the others as they are: each is told once.
def one (x: i64): i64 = x +
def two (x: i64): i64 = (x * 2
def three (x: i64: i64 = x
def four (x: i64): i64 = if x > 0 then x
type five = {x: i64, y}
def six (x: i64): i64 = let y = x + 1
entry seven (x: i64): i64 = one x + two x + three x + four x + six x + missing x
