-- Brackets in a row that close nothing are one error.
def a (x: i64): i64 = (x + 1)))
def b (x: i64): i64 = x ) ) * 2
def c (x: i64): i64 = [x][0]]]]
def d (x: i64): i64 = (x) + 1)]
def e (x: i64): i64 = x + 1
  )
)
entry main (x: i64): i64 = (x)) + (x))
