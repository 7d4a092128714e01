-- Forces between the particles of a fluid, after J. Lennard-Jones, where only pairs within a distance of 1 count. The
-- particles are sorted into cells of that size, so that only the cells around a particle need to be searched.
--
-- Shows records that are added up, `group_collect`, parts of an array with different lengths, and nested reductions,
-- none of which is stored.
--
--     arrc run examples/cells.arr forces 2 '[0.2, 1.1]' '[0.5, 0.5]' '[0.5, 0.5]'

-- | A place, or a force.
type vector = {x: f64, y: f64, z: f64}

def (<+>) (a: vector) (b: vector): vector = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def (<->) (a: vector) (b: vector): vector = {x = a.x - b.x, y = a.y - b.y, z = a.z - b.z}
def (<*>) (k: f64) (a: vector): vector = {x = k * a.x, y = k * a.y, z = k * a.z}
def zero: vector = {x = 0, y = 0, z = 0}

-- | The square of a vector's length.
def norm2 (a: vector): f64 = a.x * a.x + a.y * a.y + a.z * a.z

-- | The effect of the other particles on one: its energy, the force on it, and how many are near.
type effect = {energy: f64, force: vector, near: i64}

def nothing: effect = {energy = 0, force = zero, near = 0}
def both (a: effect) (b: effect): effect =
  {energy = a.energy + b.energy, force = a.force <+> b.force, near = a.near + b.near}

-- | The distance at which two particles neither attract nor repel each other, squared.
def size2: f64 = 0.16

-- | The effect of a particle at q on one at p. Half of the energy belongs to the other.
def between (p: vector) (q: vector): effect =
  let way = p <-> q
  let r2 = norm2 way
  let s6 = (size2 / r2) * (size2 / r2) * (size2 / r2)
  in if r2 >= 1 || r2 == 0 then nothing
     else {energy = 2 * (s6 * s6 - s6), force = (24 * (2 * s6 * s6 - s6) / r2) <*> way, near = 1}

-- | The cell of a particle, with b cells along each side. A particle outside of the cube is in a cell at its edge.
def cell_of (b: i64) (p: vector): i64 =
  let part x = i64.max 0 (i64.min (b - 1) (i64.f64 (f64.floor x)))
  in (part p.z * b + part p.y) * b + part p.x

-- | The cells around a cell, and itself.
def around (b: i64) (cell: i64): ?[k].[k]i64 =
  let is_in i = i >= 0 && i < b
  let (z, y, x) = (cell / (b * b), cell / b % b, cell % b)
  let place k = (z + k / 9 - 1, y + k / 3 % 3 - 1, x + k % 3 - 1)
  in map place (iota 27)
     |> filter (\(z, y, x) -> is_in z && is_in y && is_in x)
     |> map (\(z, y, x) -> (z * b + y) * b + x)

-- | The energy of each particle in a cube of side b, the force on it, and how many others are nearer than 1.
-- ==
-- entry: forces
-- "two of them where they do not attract each other, one far away"
-- input { 3i64 [0.5, 0.9, 2.5] [0.5, 0.5, 2.5] [0.5, 0.5, 2.5] }
-- output { [0.0, 0.0, 0.0] [-60.0, 60.0, 0.0] [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] [1i64, 1i64, 0i64] }
-- "alone, and nobody"
-- input { 1i64 [0.5] [0.5] [0.5] } output { [0.0] [0.0] [0.0] [0.0] [0i64] }
-- input { 2i64 empty([0]f64) empty([0]f64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]i64) }
entry forces [n] (b: i64) (xs: [n]f64) (ys: [n]f64) (zs: [n]f64):
    ([n]f64, [n]f64, [n]f64, [n]f64, [n]i64) =
  let places = map3 (\x y z -> {x, y, z}) xs ys zs
  let cells = map (cell_of b) places
  -- The particles in the order of their cells, and where each cell begins.
  let (begins, sorted) = group_collect (b * b * b) (.0) (.1) (zip cells places)
  let by_cell p cell = reduce both nothing (map (between p) sorted[begins[cell]:begins[cell + 1]])
  let on p cell = reduce both nothing (map (by_cell p) (around b cell))
  let effects = map2 on places cells
  in (map (.energy) effects,
      map (.force.x) effects,
      map (.force.y) effects,
      map (.force.z) effects,
      map (.near) effects)

-- | A step of the particles, which all have the same mass, and the energy before it.
-- ==
-- entry: move
-- input { 1i64 0.5 [0.5] [0.5] [0.5] [1.0] [0.0] [-2.0] } output { [1.0] [0.5] [-0.5] [1.0] [0.0] [-2.0] 2.5 }
entry move [n] (b: i64) (dt: f64) (xs: [n]f64) (ys: [n]f64) (zs: [n]f64) (us: [n]f64) (vs: [n]f64)
    (ws: [n]f64):
    ([n]f64, [n]f64, [n]f64, [n]f64, [n]f64, [n]f64, f64) =
  let (energies, fx, fy, fz, _) = forces b xs ys zs
  let moving = f64.sum (map3 (\u v w -> (u * u + v * v + w * w) / 2) us vs ws)
  let faster speeds fs = map2 (\s f -> s + dt * f) speeds fs
  let farther places speeds = map2 (\p s -> p + dt * s) places speeds
  let (us', vs', ws') = (faster us fx, faster vs fy, faster ws fz)
  in (farther xs us', farther ys vs', farther zs ws', us', vs', ws', moving + f64.sum energies)
