-- The number in a size does not fit in an `i64`: as it is written,
def sum [n] (xs: [n + 9223372036854775807 + 1]i64) (_ns: [n]i8): i64 = i64.sum xs
def product [n] (xs: [4611686018427387904 * n * 2]i64) (_ns: [n]i8): i64 = i64.sum xs
def difference [n] (xs: [n - 9223372036854775807 - 1]i64) (_ns: [n]i8): i64 = i64.sum xs
def negative [n] (xs: [-(n * 9223372036854775807) - n]i64) (_ns: [n]i8): i64 = i64.sum xs
def square [n] (xs: [3037000500 * n * (3037000500 * n)]i64) (_ns: [n]i8): i64 = i64.sum xs

-- and as calls make it.
def many [n] (xs: [n]i64): [4611686018427387904 * n]i64 = replicate (4611686018427387904 * n) xs[0]

entry twice [n] (xs: [n]i64): i64 = length (many (xs ++ xs))
