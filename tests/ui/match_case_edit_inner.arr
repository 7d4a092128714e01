type maybe = #none | #some i64

def sum (a: maybe) (b: maybe): i64 = 1 + (match (a, b) case (#some x, #some y) -> x + y case (#none, _) -> 0)

entry demo (x: i64): i64 = sum (#some x) #none
