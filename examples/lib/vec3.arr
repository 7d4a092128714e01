-- Vectors of three numbers: `module v = import "lib/vec3"`, and then `v.vec3`, `a v.+ b`, `v.dot a b`.

-- | A place, or a direction with a length.
type vec3 = {x: f64, y: f64, z: f64}

-- | The vector without length.
def zero: vec3 = {x = 0, y = 0, z = 0}

-- | The sum.
def (+) (a: vec3) (b: vec3): vec3 = {x = a.x f64.+ b.x, y = a.y f64.+ b.y, z = a.z f64.+ b.z}

-- | The difference: the way from b to a.
def (-) (a: vec3) (b: vec3): vec3 = {x = a.x f64.- b.x, y = a.y f64.- b.y, z = a.z f64.- b.z}

-- | A vector k times as long.
def (*) (k: f64) (a: vec3): vec3 = {x = k f64.* a.x, y = k f64.* a.y, z = k f64.* a.z}

-- | The sum of many.
def sum [n] (vs: [n]vec3): vec3 = reduce (+) zero vs

-- | The scalar product.
def dot (a: vec3) (b: vec3): f64 = a.x f64.* b.x f64.+ a.y f64.* b.y f64.+ a.z f64.* b.z

-- | The vector product: at right angles to both.
def cross (a: vec3) (b: vec3): vec3 =
  { x = a.y f64.* b.z f64.- a.z f64.* b.y
  , y = a.z f64.* b.x f64.- a.x f64.* b.z
  , z = a.x f64.* b.y f64.- a.y f64.* b.x }

-- | The square of the length, and the length.
def norm2 (a: vec3): f64 = dot a a

def norm (a: vec3): f64 = f64.sqrt (norm2 a)
