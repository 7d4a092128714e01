// a comment of another language
/* and
   one more */
# and one
def f (x: i64): i64 = x
entry e (x: i64): bool = f x
