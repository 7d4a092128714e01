entry two [n] (xs: [n]i64): i64 = reduce_comm \x y -> x * y 1 xs
def shifted [n] (k: i64) (xs: [n]i64) = xs |> map \x -> i64.max k x xs
def apply 'a 'b (f: a -> b) (x: a): b = f x
entry inner (k: i64): i64 = k + apply \x -> let y = x + k in y 3
entry right (k: i64): i64 = apply (\x -> x) \y -> y k
