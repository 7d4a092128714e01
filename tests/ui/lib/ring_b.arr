module a = import "../lib/ring_a"
def b: i64 = a.a
