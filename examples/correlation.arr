-- How galaxies cluster in the sky: how many more pairs of them there are at each angle than of places at random (the
-- angular correlation, after S. Landy and A. Szalay, 1993).
--
-- Shows `cross`, whose pairs are never stored, a search in each of them, and histograms.
--
--     arrc run examples/correlation.arr correlation '[1, 2]' '[10, 10.5, 40]' '[0, 0, 5]' '[5, 20, 70]' '[0, 1, 9]'

-- | A direction, as a vector of length 1.
type direction = {x: f64, y: f64, z: f64}

-- | The direction of a right ascension and a declination, in degrees.
def direction_of (ra: f64) (dec: f64): direction =
  let (a, d) = (ra * f64.pi / 180, dec * f64.pi / 180)
  in {x = f64.cos a * f64.cos d, y = f64.sin a * f64.cos d, z = f64.sin d}

-- | The cosine of the angle between two directions.
def cosine (a: direction) (b: direction): f64 = a.x * b.x + a.y * b.y + a.z * b.z

-- | How many of some falling cosines are greater than c: the number of the interval that c is in.
def interval [k] (cosines: [k]f64) (c: f64): i64 =
  let (low, _) =
    loop (low, high) = (0, k) while low < high do
      let middle = (low + high) / 2
      in if c < cosines[middle] then (middle + 1, high) else (low, middle)
  in low

-- | The number of pairs in each interval of angles. The last interval holds all larger angles.
def pairs [k] [n] [m] (cosines: [k]f64) (as: [n]direction) (bs: [m]direction): [k + 1]i64 =
  hist (+) 0 (k + 1) (map (\(a, b) -> interval cosines (cosine a b)) (cross as bs))
    (replicate (n * m) 1)

-- | The cosines of angles in degrees, which have to rise.
def cosines_of [k] (angles: [k]f64): [k]f64 = map (\angle -> f64.cos (angle * f64.pi / 180)) angles

-- | How many pairs of the galaxies, which are counted once each, are within each of the angles.
-- ==
-- entry: pairs_within
-- "three on the equator: 1, 9 and 10 degrees"
-- input { [2.0, 9.5, 20.0] [10.0, 11.0, 20.0] [0.0, 0.0, 0.0] } output { [1i64, 2i64, 3i64] }
-- input { [5.0] empty([0]f64) empty([0]f64) } output { [0i64] }
-- input { [5.0] [1.0, 2.0] [1.0] } error: must be equal
entry pairs_within [k] [n] (angles: [k]f64) (ras: [n]f64) (decs: [n]f64): [k]i64 =
  let stars = map2 direction_of ras decs
  let counts = pairs (cosines_of angles) stars stars
  -- Each star forms a pair with itself, and each other pair occurs twice.
  in map (\count -> (count - n) / 2) (scan (+) 0 counts[:k])

-- | The correlation in each interval of angles, from one given angle to the next: (DD - 2 DR + RR) / RR. DD, DR and RR
-- are the fractions of all pairs that lie there, of galaxies (D) and random places (R). It is 0 where RR is 0.
-- ==
-- entry: correlation
-- "the galaxies are where the places at random are"
-- input { [5.0, 90.0] [0.0, 1.0, 50.0] [0.0, 0.0, 0.0] [0.0, 1.0, 50.0] [0.0, 0.0, 0.0] }
-- output { [-1.3333333333333333, 0.6666666666666667] }
-- "no pairs at random"
-- input { [5.0] [0.0, 1.0] [0.0, 0.0] [0.0, 90.0] [0.0, 0.0] } output { [0.0] }
entry correlation [k] [n] [m]
    (angles: [k]f64) (ras: [n]f64) (decs: [n]f64) (random_ras: [m]f64)
    (random_decs: [m]f64): [k]f64 =
  let cosines = cosines_of angles
  let (stars, places) = (map2 direction_of ras decs, map2 direction_of random_ras random_decs)
  -- The pairs of a galaxy with itself are in the first interval.
  let without_own (count: i64) (size: i64) (i: i64) =
    f64.i64 (if i == 0 then count - size else count)
  let part pairs all = pairs / f64.i64 all
  let estimate i dd dr rr =
    let d = part (without_own dd n i) (n * (n - 1))
    let r = part (without_own rr m i) (m * (m - 1))
    in if r == 0 then 0 else (d - 2 * part (f64.i64 dr) (n * m) + r) / r
  let counts as bs = (pairs cosines as bs)[:k]
  in map4 estimate (iota k) (counts stars stars) (counts stars places) (counts places places)
