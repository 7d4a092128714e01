type option 'a = #some a | #none

def get (#some y: option i64): i64 = y

entry demo [n] (xs: [n]i64): [n]i64 =
  map (\(#some x) -> x + get (#some x)) (map (\x -> #some x : option i64) xs)
