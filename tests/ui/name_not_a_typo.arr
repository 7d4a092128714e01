-- Another word is not suggested; members of scalar modules, constructors and keywords are.
type answer = #none | #some i64
def word (x: f64): f64 = sqrt x + flor x
def constructor (x: i64): answer = if x > 0 then some else nonee
def keyword (xs: []i64): []i64 = asert xs
def variable (xs: []i64) (n: i64): i64 = ys[n] + m
def typo (xs: []i64): []i64 = flter (> 0) xs
entry main (x: i64): i64 = lenght [x]
