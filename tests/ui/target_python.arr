-- $ arrc build FILE --python --target=aarch64-unknown-linux-gnu -o no-such-folder
entry twice (x: i64): i64 = 2 * x
