-- | Points of part _0.
type point_0 = {x: f64, y: f64}

-- | Twice the signed area of the triangle a b p.
def area_0 (a: point_0) (b: point_0) (p: point_0): f64 =
  (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)

-- | The hull's vertices from a up to but without b.
def side_0 [n] (a: point_0) (b: point_0) (ps: [n]point_0): ?[m].[m]point_0 =
  let left = zip ps (map (area_0 a b) ps) |> filter (\(_, d) -> d > 0)
  let farther l r = if l.1 > r.1 then l else r
  let (far, d) = reduce farther (a, 0) left
  in if d == 0 then [a]
     else side_0 a far (map (.0) left) ++ side_0 far b (map (.0) left)

-- | The mean of some numbers.
def mean_0 [n] (xs: [n]f64): f64 =
  reduce (+) 0 xs / f64.i64 n

-- | Their variance.
def variance_0 [n] (xs: [n]f64): f64 =
  let m = mean_0 xs
  let ds = map (\x -> (x - m) * (x - m)) xs
  in mean_0 ds

-- | A number after some steps.
def steps_0 (n: i64) (x: f64): f64 =
  loop acc = x for i < n do
    let y = acc * 0.5 + f64.i64 i
    let z = if y > 10 then y - 10 else y
    in z

entry run_0 [n] (xs: [n]f64) (ys: [n]f64): f64 =
  let ps = map2 (\x y -> {x, y}) xs ys
  let first = reduce (\p q -> if p.x < q.x then p else q) {x = f64.inf, y = f64.inf} ps
  let hull = side_0 first first ps
  let vs = map (.x) hull
  in variance_0 vs + steps_0 n (mean_0 xs)
