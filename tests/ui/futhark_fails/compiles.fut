-- ==
-- error: Unknown name "z"
def main (x: i64): i64 = y
