-- $ arrc build FILE --lib=shared -o no-such-folder/libx.so
entry once (x: i64): i64 = x
