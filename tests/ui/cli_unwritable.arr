-- $ arrc build FILE -o no-such-folder/x.o
entry once (x: i64): i64 = x
