-- $ arrc build FILE --target=abacus-unknown-none -o no-such-folder/x.o
entry twice (x: i64): i64 = 2 * x
