def f (x: i64): i64 =
<<<<<<< HEAD
  x + 1
=======
  x + 2
>>>>>>> feature
entry e (x: i64): bool = f x
