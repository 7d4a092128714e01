-- Many operators side by side are no depth: the mistake is at their end.
entry demo (x: i64): i64 =
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  x + x + x + x + x + x + x + x + x + x +
  true
