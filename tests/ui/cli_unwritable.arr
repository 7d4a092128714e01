-- $ arrc build FILE -o no-such-folder/x.o
entry main (x: i64): i64 = x
