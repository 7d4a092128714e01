-- Indices that no array of their size has.
entry literal: i64 = [1, 2, 3][5]
entry annotated (a: i64): i64 = let xs: [3]i64 = [a, a, a] in xs[3]
entry last [n] (xs: [n]i64): i64 = xs[n]
entry last_by_length (xs: []i64): i64 = xs[length xs]
entry beyond [n] (xs: [n]i64): i64 = xs[n + 1]
entry negative [n] (xs: [n]i64): i64 = xs[-1]
entry negative_known (xs: [4]i64): i64 = xs[-2]
entry negative_far (xs: [4]i64): i64 = xs[-5]
entry one (xs: [1]i64): i64 = xs[1]
entry none: i64 = let xs: [0]i64 = [] in xs[0]
entry matrix [n] (xss: [2][n]i64): i64 = xss[0, n] + xss[2, 0]
entry named (xs: [3]i64): i64 = let k = 5 in xs[k]
entry updated (xs: [3]i64): [3]i64 = xs with [3] = 1
entry let_updated (xs: [3]i64): [3]i64 = let xs[3] = 1 in xs
entry in_record (xs: [3]i64): [3]i64 = ({a = xs} with a[7] = 1).a
entry section (xss: [][2]i64): []i64 = map (.[2]) xss
