-- $ arrc build FILE --lib=static --target=wasm32-wasip1 -o no-such-folder/x.a
entry twice (x: i64): i64 = 2 * x
