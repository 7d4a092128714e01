-- $ arrc build FILE --target=aarch64-apple-darwin -o no-such-folder/x.o
entry twice (x: i64): i64 = 2 * x
