type bad = *[3]i64
type option 'a = #some (*a) | #none

def inner [n] (xss: [n](*[2]i64)): i64 = n
def ascribed [n] (xs: [n]i64) = (xs : *[n]i64)
