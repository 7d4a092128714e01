-- | The price of an Asian option with a strike of 100, estimated from random paths. Each path has one price for each date.
entry path_prices (paths: i64) (dates: i64) (volatility: f64): f64 =
  let hash (x: u32) =
    let x = (x ^ (x >> 16)) * 0x7feb352d
    let x = (x ^ (x >> 15)) * 0x846ca68b
    in x ^ (x >> 16)
  let uniform k = (f64.u32 (hash (u32.i64 k)) + 0.5) / 4294967296
  -- The inverse of the normal distribution, after P. J. Acklam.
  let tail q =
    (((((-7.784894002430293e-3 * q - 3.223964580411365e-1) * q - 2.400758277161838) * q
       - 2.549732539343734) * q
      + 4.374664141464968) * q + 2.938163982698783)
    / ((((7.784695709041462e-3 * q + 3.224671290700398e-1) * q + 2.445134137142996) * q
        + 3.754408661907416) * q + 1)
  let middle q =
    let r = q * q
    in (((((-3.969683028665376e1 * r + 2.209460984245205e2) * r - 2.759285104469687e2) * r
          + 1.383577518672690e2) * r
         - 3.066479806614716e1) * r + 2.506628277459239) * q
       / (((((-5.447609879822406e1 * r + 1.615858368580409e2) * r - 1.556989798598866e2) * r
            + 6.680131188771972e1) * r
           - 1.328068155288572e1) * r + 1)
  let normal p =
    if p < 0.02425 then tail (f64.sqrt (-2 * f64.log p))
    else if p > 0.97575 then -(tail (f64.sqrt (-2 * f64.log (1 - p))))
    else middle (p - 0.5)
  let dt = 1 / f64.i64 dates
  let drift = (0.05 - 0.5 * volatility * volatility) * dt
  let payoff path =
    let steps =
      tabulate dates (\j -> drift + volatility * f64.sqrt dt * normal (uniform (path * dates + j)))
    let prices = map (\x -> 100 * f64.exp x) (scan (+) 0 steps)
    in f64.max 0 (f64.sum prices / f64.i64 dates - 100)
  in f64.exp (-0.05) * f64.sum (map payoff (iota paths)) / f64.i64 paths

-- | One step of k-means: the mean of the points that are nearest to each centre, and their number.
entry means_step [n] [k] [d] (centres: [k][d]f64) (points: [n][d]f64): ([k][d]f64, [k]i64) =
  let distance p q = f64.sum (map2 (\x y -> (x - y) * (x - y)) p q)
  let nearer (i, x) (j, y) = if y < x || (y == x && j < i) then (j, y) else (i, x)
  let nearest p = (reduce nearer (k, f64.inf) (indexed (map (distance p) centres))).0
  let groups = map nearest points
  let counts = hist (+) 0 k groups (replicate n 1i64)
  let sums = hist (map2 (+)) (replicate d 0) k groups points
  in (map2 (\sum count -> map (/ f64.i64 (i64.max 1 count)) sum) sums counts, counts)

-- | How often each number occurs in a picture, up to 255 times.
entry clamped_histogram [h] [w] (k: i64) (img: [h][w]i32): [k]u8 =
  let add a b = i32.min 255 (a + b)
  in map u8.i32 (hist add 0 k (map i64.i32 (flatten img)) (replicate (h * w) 1))

type particle = {x: f64, y: f64, z: f64, charge: f64}
type force = {energy: f64, fx: f64, fy: f64, fz: f64}

-- | The energy of each particle and the force on it, from those in its cell and in the cells around it; b³ cells.
entry cell_forces [m] (b: i64) (cells: [b * b * b][m]particle): [b * b * b][m]force =
  let plus (f: force) (g: force) =
    {energy = f.energy + g.energy, fx = f.fx + g.fx, fy = f.fy + g.fy, fz = f.fz + g.fz}
  let zero = {energy = 0, fx = 0, fy = 0, fz = 0}
  let between (p: particle) (q: particle): force =
    let (dx, dy, dz) = (p.x - q.x, p.y - q.y, p.z - q.z)
    let u = q.charge * f64.exp (-0.5 * (dx * dx + dy * dy + dz * dz))
    in {energy = u, fx = u * dx, fy = u * dy, fz = u * dz}
  let near c =
    let (z, y, x) = (c / (b * b), c / b % b, c % b)
    let is_in i = i >= 0 && i < b
    let at k =
      let (z, y, x) = (z + k / 9 - 1, y + k / 3 % 3 - 1, x + k % 3 - 1)
      in if is_in z && is_in y && is_in x then (z * b + y) * b + x else -1
    in filter (>= 0) (map at (iota 27))
  in map2 (\c cell ->
       let others = near c
       in map
            (\p ->
              reduce plus zero (map (\o -> reduce plus zero (map (between p) cells[o])) others))
            cell)
       (iota (b * b * b)) cells

type direction = {x: f64, y: f64, z: f64}

-- | How many pairs of two sets of directions are within each of some angles, whose cosines fall.
entry angles [n] [m] [k] (cosines: [k]f64) (as: [n]direction) (bs: [m]direction): [k + 1]i64 =
  let bin (a: direction) (b: direction) =
    let c = a.x * b.x + a.y * b.y + a.z * b.z
    let (low, _) = loop (low, high) = (0, k) while low < high do
      let mid = (low + high) / 2
      in if c < cosines[mid] then (mid + 1, high) else (low, mid)
    in low
  in hist (+) 0 (k + 1) (map (uncurry bin) (cross as bs)) (replicate (n * m) 1)
