-- A product of ten sums has 1024 terms.
def fold_all [a] [b] [c] [d] [e] [f] [g] [h] [i] [j]
    (xs: [(a + 1) * (b + 1) * (c + 1) * (d + 1) * (e + 1) * (f + 1) * (g + 1) * (h + 1) * (i + 1) * (j + 1)]i64)
    (_as: [a]i8) (_bs: [b]i8) (_cs: [c]i8) (_ds: [d]i8) (_es: [e]i8)
    (_fs: [f]i8) (_gs: [g]i8) (_hs: [h]i8) (_is: [i]i8) (_js: [j]i8): i64 =
  i64.sum xs

def powers [a] (xs: [a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a * a]i64) (_as: [a]i8): i64 =
  i64.sum xs

-- So has the size of this, which nobody wrote.
entry pairs [a] [b] [c] [d] (as: [a]i64) (bs: [b]i64) (cs: [c]i64) (ds: [d]i64): i64 =
  let all = as ++ bs ++ cs ++ ds
  let two = map (\(x, y) -> x + y) (cross all all)
  let four = map (\(x, y) -> x * y) (cross two two)
  let eight = map (\(x, y) -> x + y) (cross four four)
  let sixteen = map (\(x, y) -> x * y) (cross eight eight)
  in i64.sum sixteen

-- The power of one sum has few terms.
entry powers_of_a_sum [a] (as: [a]i64) (x: i64): i64 =
  let some = as ++ [x]
  let two = map (\(x, y) -> x + y) (cross some some)
  let four = map (\(x, y) -> x * y) (cross two two)
  in i64.sum four
