-- $ arrc check FILE
-- Sums and products that do not tell their parts.
def half [n] (xs: [2 * n]i64): i64 = n

entry of_one_size [n] (xs: [n]i64): i64 = half xs
entry odd: i64 = half [1, 2, 3]
entry of_a_number (xs: [12]i64) = unflatten xs
entry three_of_two [n] [m] (xss: [n][m]i64) = unflatten_3d (flatten xss)
