-- $ arrc build FILE --lib=static-parallel --target=aarch64-apple-darwin -o no-such-folder/x.a
entry twice (x: i64): i64 = 2 * x
