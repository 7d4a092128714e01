-- Parameters with names that C's headers give another meaning.
entry sum_of (errno: i64) (size_t: i64) (int64_t: i64) (linux: i64) (stdin: i64) (read: i64)
    (index: i64): i64 =
  errno + size_t + int64_t + linux + stdin + read + index

entry upper (EOF: f64) (INFINITY: f64) (I: f64): f64 = EOF + INFINITY + I
