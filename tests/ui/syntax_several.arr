-- Every definition is read, whatever is wrong in the others.
def first (x: i64): i64 = x +

def second x: i64) = x

def third (x: i64): i64 = x * * 2

entry fine (x: i64): i64 = x

let fourth = 4
