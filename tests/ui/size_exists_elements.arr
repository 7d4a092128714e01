type bag 'a = ?[k].[k]a
type named = {name: i64, items: bag i64}

def sizes [n] (xss: [n]bag i64): i64 = n
def pairs [n] (xss: [n](i64, bag bool)): i64 = n
def records [n] (xss: [n]named): i64 = n
def fine (xs: bag i64) (r: named) = length xs + length r.items

entry opaque [n] (xs: [n]i64): [n]i64 =
  let same (ys: [n]i64): bag i64 = ys
  in map2 (+) xs (same xs)
