-- $ arrc run FILE transposed @matrix.npy
-- The file holds [[1, 2, 3], [4, 5, 6]], row by row.
entry transposed [n] [m] (xss: [n][m]i64): [m][n]i64 = transpose xss
