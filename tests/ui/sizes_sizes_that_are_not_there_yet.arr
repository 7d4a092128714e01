def f ys xs = map2 (+) ys (filter (> 0) xs)
def g = let e = [] in e ++ [filter (> 0) [1, 2]]
