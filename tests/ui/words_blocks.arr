def a (x: i64): i64 = { let y = x + 1; y * 2 }
def b (x: i64): i64 = {
  let y = x + 1;
  let z = y * 2;
  z - x
}
def c (x: i64): i64 =
  let y = x + 1;
  y * 2
def d: []u8 = 'abc'
entry main (x: i64): i64 = a x + b x + c x
