-- $ arrc run FILE same @cube.npy
-- In Fortran's order: the element at i, j, k is i + 10j + 100k.
entry same [n] [m] [k] (xsss: [n][m][k]i16): [n][m][k]i16 = xsss
