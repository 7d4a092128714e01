type t = {x: i64, y}
type s = #a i64 | b
def f (p: t) (q: s): i64 = p.x
entry e (x: i64): bool = f {x, y = 1} (#a 1)
