def f (x: i32): i32 = x
#comment here
def g (x: i32): i32 = f x #the same number
def h (x: i32): i32 =
  #doubled
  2 * x
