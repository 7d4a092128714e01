-- $ arrc build FILE --lib=shared --target=x86_64-pc-windows-msvc -o no-such-folder/x.so
entry twice (x: i64): i64 = 2 * x
