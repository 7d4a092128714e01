-- $ arrc build FILE -o no-such-folder/x.o
-- A `main` is an entry; a C program has its own.
def square (x: i64): i64 = x * x
def main (x: i64): i64 = square x
