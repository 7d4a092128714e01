-- $ arrc build FILE -o no-such-folder/x.o
def double (x: i64): i64 = 2 * x
