-- Text for the test of half-written programs: a bit of everything.
import "linalg"
module type shape = { type t val area: t -> f64 }
module square: shape = { type t = f64 def area (x: f64) = x * x }
module twice (s: shape) = { def area2 x = 2 * s.area x }
module squares = twice square
open squares
type pair 'a = {left: a, right: a}
type tree = #leaf i64 | #none
#[noinline]
def swap 'a (p: pair a): pair a = {left = p.right, right = p.left}
def (<+>) (x: f64) (y: f64) = x + y
entry größe [n] (xs: [n]f64) (k: i64): ?[m].[m]f64 =
  let "é𝄞" = 3
  let ys = map (\x -> x <+> 1) xs |> filter (> 0.5)
  let f 'a (x: a) = x
  let ys[0] = f 2
  let t = #leaf 3
  let u = match t case #leaf n -> n case _ -> 0
  let v = loop acc = 0 for i < k do acc + i
  let w = with { ([0] <= [i] < .) : xs[i] } : genarray ([3], 0)
  in if k > 3 then ys else f64.(map sqrt ys)
