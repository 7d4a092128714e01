external write (x: i64): i64
external stdin (x: i64): i64
external time_t (x: i64): i64
external main (x: i64): i64
entry all (x: i64): i64 = write x + stdin x + time_t x + main x
