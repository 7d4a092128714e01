def one (x: [i64): i64 = x
def two (x: (i64, )): i64 = 1
def three (x: ->): i64 = 1
def four (x: [n + ]i64): i64 = 1
entry five (x: i64): bool = one x
