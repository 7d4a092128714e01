-- A name of a module in sight is found behind its module, whether it is right or misspelled, and a module of the library by its
-- own name.
module la = import "linalg"
module shapes = { module flat = { def area (w: f64) (h: f64): f64 = w * h } }
def bare [n] (a: [n][n]f64) (b: [n]f64): [n]f64 = solve a b
def bare_and_wrong [n] (a: [n][n]f64): f64 = determinnt a
def inner (w: f64): f64 = area w w
def member [n] (a: [n][n]f64): [n][n]f64 = la.invers a
def file [n] (a: [n][n]f64): f64 = statistics.median (la.diagonal a)
def unfit [n] (a: [n][n]f64): bool = determinant a
