def one = (1,)

def none = (,)

def array = [1,, 2]

def empty = [,]

def pair (t: (i64, i64,,)) = t.0

def record (r: {x: i64,,}) = r.x

def numbers = {0 = 1, 2 = 3}

def mixed = {0 = 1, x = 3}
