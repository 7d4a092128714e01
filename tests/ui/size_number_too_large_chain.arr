-- Each append doubles the size.
entry doubled [n] (xs: [n]i64): i64 =
  let a = xs ++ xs ++ xs ++ xs ++ xs ++ xs ++ xs ++ xs
  let b = a ++ a ++ a ++ a ++ a ++ a ++ a ++ a
  let c = b ++ b ++ b ++ b ++ b ++ b ++ b ++ b
  let d = c ++ c ++ c ++ c ++ c ++ c ++ c ++ c
  let e = d ++ d ++ d ++ d ++ d ++ d ++ d ++ d
  let f = e ++ e ++ e ++ e ++ e ++ e ++ e ++ e
  let g = f ++ f ++ f ++ f ++ f ++ f ++ f ++ f
  let h = g ++ g ++ g ++ g ++ g ++ g ++ g ++ g
  let i = h ++ h ++ h ++ h ++ h ++ h ++ h ++ h
  let j = i ++ i ++ i ++ i ++ i ++ i ++ i ++ i
  let k = j ++ j ++ j ++ j ++ j ++ j ++ j ++ j
  let l = k ++ k ++ k ++ k ++ k ++ k ++ k ++ k
  let m = l ++ l ++ l ++ l ++ l ++ l ++ l ++ l
  let o = m ++ m ++ m ++ m ++ m ++ m ++ m ++ m
  let p = o ++ o ++ o ++ o ++ o ++ o ++ o ++ o
  let q = p ++ p ++ p ++ p ++ p ++ p ++ p ++ p
  let r = q ++ q ++ q ++ q ++ q ++ q ++ q ++ q
  let s = r ++ r ++ r ++ r ++ r ++ r ++ r ++ r
  let t = s ++ s ++ s ++ s ++ s ++ s ++ s ++ s
  let u = t ++ t ++ t ++ t ++ t ++ t ++ t ++ t
  let v = u ++ u ++ u ++ u ++ u ++ u ++ u ++ u
  in length v
