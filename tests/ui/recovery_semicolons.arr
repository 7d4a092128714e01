entry e (x: i64): i64 =
  let y = x;
  let z = y;
  in z + true;
