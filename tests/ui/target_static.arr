-- $ arrc build FILE --lib=static --target=aarch64-unknown-linux-musl -o no-such-folder/x.a
entry twice (x: i64): i64 = 2 * x
