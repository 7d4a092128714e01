type s = #a i64 | #b
def f (v: s): i64 = match v case #a x x case #b -> 0
def g (v: s): i64 = match v #a x -> x #b -> 0
def h (v: s): i64 = match v case #a x -> case #b -> 0
entry e (x: i64): bool = f (#a x) + g #b
