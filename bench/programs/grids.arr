-- | One step of heat in three dimensions, whose faces stay; places are numbers of 32 bits.
entry heat_3d [h] [w] [d] (a: [h][w][d]f32): [h][w][d]f32 =
  let places n = map i32.i64 (iota n)
  let inner (i: i32) n = i > 0 && i < i32.i64 n - 1
  let step i j k =
    if inner i h && inner j w && inner k d
    then 0.1
         * (a[i - 1, j, k] + a[i + 1, j, k] + a[i, j - 1, k] + a[i, j + 1, k] + a[i, j, k - 1]
            + a[i, j, k + 1])
         + 0.4 * a[i, j, k]
    else a[i, j, k]
  in map (\i -> map (\j -> map (\k -> step i j k) (places d)) (places w)) (places h)

-- | Where a grey image has edges: smoothed by five taps in both directions, then the length of its gradient. Outside,
-- the image continues with the pixels of its edge.
entry edges_f32 [h] [w] (img: [h][w]f32): [h][w]f32 =
  let clamp x n = i64.max 0 (i64.min x (n - 1))
  let smooth (at: i64 -> f32) =
    0.06 * at (-2) + 0.24 * at (-1) + 0.4 * at 0 + 0.24 * at 1 + 0.06 * at 2
  let rows = tabulate_2d h w (\y x -> smooth (\d -> img[y, clamp (x + d) w]))
  let soft = tabulate_2d h w (\y x -> smooth (\d -> rows[clamp (y + d) h, x]))
  in tabulate_2d h w (\y x ->
       let at dy dx = soft[clamp (y + dy) h, clamp (x + dx) w]
       let gx = (at (-1) 1 + 2 * at 0 1 + at 1 1) - (at (-1) (-1) + 2 * at 0 (-1) + at 1 (-1))
       let gy = (at 1 (-1) + 2 * at 1 0 + at 1 1) - (at (-1) (-1) + 2 * at (-1) 0 + at (-1) 1)
       in f32.sqrt (gx * gx + gy * gy))

type vector = {x: f64, y: f64, z: f64}
type fluid = {density: f64, momentum: vector, energy: f64}

def (<+>) (a: vector) (b: vector): vector = {x = a.x + b.x, y = a.y + b.y, z = a.z + b.z}
def (<*>) (k: f64) (a: vector): vector = {x = k * a.x, y = k * a.y, z = k * a.z}
def dot (a: vector) (b: vector): f64 = a.x * b.x + a.y * b.y + a.z * b.z

def (<++>) (a: fluid) (b: fluid): fluid =
  { density = a.density + b.density
  , momentum = a.momentum <+> b.momentum
  , energy = a.energy + b.energy }

def pressure (c: fluid): f64 = 0.4 * (c.energy - 0.5 * dot c.momentum c.momentum / c.density)

-- | The flow through a face. The length of the normal is the area of the face.
def flow (normal: vector) (c: fluid): fluid =
  let p = pressure c
  let speed = dot normal c.momentum / c.density
  in { density = dot normal c.momentum
     , momentum = (speed <*> c.momentum) <+> (p <*> normal)
     , energy = speed * (c.energy + p) }

-- | One step of a fluid on a mesh of tetrahedra: the cell behind each face, or -1 where there is a wall.
entry mesh_step [n] (dt: f64) (behind: [n][4]i32) (normals: [n][4]vector)
    (cells: [n]fluid): [n]fluid =
  let half k (c: fluid): fluid =
    {density = k * c.density, momentum = k <*> c.momentum, energy = k * c.energy}
  let nothing = {density = 0, momentum = {x = 0, y = 0, z = 0}, energy = 0}
  let face c b normal =
    if b < 0 then nothing with momentum = pressure c <*> normal
    else half 0.5 (flow normal c <++> flow normal cells[b])
  let next c bs ns = c <++> half (-dt) (reduce (<++>) nothing (map2 (face c) bs ns))
  in map3 next cells behind normals
