-- $ arrc build FILE --emit=concrete
-- Figure 6 of paper 004: two folds of one array are one sweep, which loads each element once.
def min_max [..s] (a: [..s]i32): (i32, i32) =
  (reduce_s i32.min i32.highest a, reduce_s i32.max i32.lowest a)

entry min_max_2 [n] [m] (a: [n][m]i32): (i32, i32) = min_max a
