def a [n] (xs: [n]i64): [n]i64 = map (fun x => x + 1) xs
def b [n] (xs: [n]i64): [n]i64 = map (lambda x: x + 1) xs
def c [n] (xs: [n]i64): i64 = reduce (lambda x, y: x + y) 0 xs
def d [n] (xs: [n]i64): [n]i64 = map (|x| x + 1) xs
def e [n] (xs: [n]i64): [n]i64 = map (x => x + 1) xs
def f [n] (xs: [n]i64): [n]i64 = map (\x => x + 1) xs
