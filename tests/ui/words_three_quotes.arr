def f (x: i32): i32 = x
"""
Adds one.
"""
def g (x: i32): i32 =
  """Doubles."""
  2 * x
def text: []u8 = """abc"""
