-- Names that languages have for themselves, and values of every shape.

-- | Gives back what it takes: `a` */ "b" \n.
entry move (self: bool) (outputs: i64) (out0: f32): (bool, i64, f32) = (self, outputs, out0)

entry check (ctx: i64) (ctx_: i64): i64 = 10 * ctx + ctx_

-- | The point that is farthest from the origin.
entry farthest [n] (ps: [n]{x: f64, y: f64}): {x: f64, y: f64} =
  reduce (\p q -> if p.x * p.x + p.y * p.y >= q.x * q.x + q.y * q.y then p else q) {x = 0, y = 0} ps

entry root (x: f64): #none | #some f64 = if x < 0 then #none else #some (f64.sqrt x)
entry flipped [n] [m] (bs: [n][m]bool): [m][n]bool = transpose (map (map (\b -> !b)) bs)
entry both [n] (xs: [n]i64): ([n]i64, [n]i64) = let ys = map (+ 1) xs in (ys, ys)
entry three: [3]u8 = [1, 2, 255]
