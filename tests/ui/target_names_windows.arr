-- $ arrc build FILE --target=x86_64-pc-windows-msvc -o no-such-folder/x.o
entry twice (x: i64): i64 = 2 * x
