-- $ arrc run --interpret FILE deepest [1,2,3]
-- What fails in the library is told of at the user's call of it; the calls in between follow.
def greatest [n] (xs: [n]i64): i64 = last (drop 3 xs)

entry deepest [n] (xs: [n]i64): i64 = 1 + greatest xs
