import "ring_b"
def a: i64 = 1
