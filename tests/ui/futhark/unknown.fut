-- ==
-- error: Unknown (name|variable) "y"
def main (x: i64): i64 = y
