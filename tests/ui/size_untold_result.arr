-- $ arrc check FILE
-- Sizes of results that no array of the result tells.
type pairs = ?[k].[2 * k]i64

def twice (n: i64): ?[k].[2 * k]i64 = iota (2 * n)
def none (n: i64): ?[k].i64 = n
def sum (n: i64): ?[k][l].[k + l]i64 = iota n
def later (n: i64): ?[k][l].([k + l]i64, [k]i64) = (iota n, iota 1)
def of_function (f: i64 -> ?[k][l].[k * l]i64): i64 = length (f 1)
entry told (n: i64): ?[k][l].([k]i64, [k + l]i64) = (iota 1, iota n)
