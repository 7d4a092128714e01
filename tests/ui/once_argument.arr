-- One array of the wrong type, given to one function twice, and to another.
entry sums [n] (xs: [n]i32): f64 =
  let total (as: [n]f64) = f64.sum as
  let most (as: [n]f64) = f64.maximum as
  let a = total xs
  let b = total xs
  in a + b + most xs
