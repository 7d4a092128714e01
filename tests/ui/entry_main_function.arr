-- A `main` is an entry, and must be what an entry can be.
def twice (f: i64 -> i64) (x: i64): i64 = f (f x)
def main 'a (f: a -> i64) (x: a): i64 = twice (+ 1) (f x)
