def pair (t: (i64, i64,)) = t.0

def first ((a, b,): (i64, i64)) = a

def tuple = (1, 2,)

def array = [1, 2,]

def record (r: {x: i64,}) = r.x
