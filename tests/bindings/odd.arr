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

-- | Lists, links and code of the text are no concern of `cargo doc`:
-- - [n] is a size, <xs> no tag, and https://example.org no link;
--   a line that goes on
-- * and another list
-- ```
-- linked [1] [2]
-- ```
-- ~~~rust
-- not rust
entry linked [n] (xs: [n]i64) (ys: [n]i64): i64 = xs[ys[0]] / ys[1]

entry check_: i64 = 2
entry stats: i64 = 3
entry toCamel (Xs: i64): i64 = Xs
entry values (None: i64) (Ok: i64) (PhantomData: i64) (code: i64): i64 =
  None + Ok + PhantomData + code
entry next: i64 = 4
entry into_f (x: i64): i64 = x
entry from_f (x: i64): i64 = x
entry is_f (x: i64): bool = x == 1
entry to_f (x: i64): i64 = x
entry neg (x: i64): i64 = -x
entry many (a: i64) (b: i64) (c: i64) (d: i64) (e: i64) (f: i64) (g: i64)
    (h: i64): (i64, i64, i64, i64, i64) =
  (a + b + c, d, e, f, g + h)

-- | The sums of the columns, and the extents.
entry columns [n] [m] (a: [n][m]{x: f64, y: f64}): ([m]{x: f64, y: f64}, [2]i64) =
  let sums = \f -> map f64.sum (transpose (map (map f) a))
  in (map2 (\x y -> {x, y}) (sums (\p -> p.x)) (sums (\p -> p.y)), [n, m])

entry sum [n] [m] (a: [n][m]i64): i64 = i64.sum (map i64.sum a)

-- | Runs until it is cancelled.
entry forever (x: i64): i64 = loop y = x while y != 0 do if y == 1 then 2 else 1
