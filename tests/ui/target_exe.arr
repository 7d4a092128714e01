-- $ arrc build FILE --exe --target=x86_64-unknown-linux-musl -o no-such-folder/x
entry twice (x: i64): i64 = 2 * x
