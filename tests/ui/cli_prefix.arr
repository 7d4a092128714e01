-- $ arrc build FILE '--prefix=2 -' -o no-such-folder/x.o
entry once (x: i64): i64 = x
