-- Words that begin declarations, where a name is meant.
def f (x: i64): i64 =
  let open = x + 1
  in open

def g (x: i64): i64 = let type = x in type

def h (x: i64): i64 = loop entry = x for _ < 3 do entry + 1
