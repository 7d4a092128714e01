-- Bodies that attract each other, from two stars to a cloud that becomes a few heavy bodies.
--
-- Shows a whole program: a file of vectors that it imports; records of records in arrays; sum types for the
-- methods, for orbits and for steps that are refused; loops that carry arrays, also arrays that get shorter;
-- and numbers that tell how far a method can be trusted: energy, momentum and angular momentum, none of
-- which changes in nature.
--
--     arrc run examples/nbody.arr simulate 1 0.01 628 '[1, 0.001]' '[0, 1]' '[0, 0]' '[0, 0]' \
--       '[0, 0]' '[0, 1]' '[0, 0]'
--
-- Masses are in units in which the constant of gravitation is 1. Methods are numbered in alphabetical
-- order, as the header says: 0 is Euler's, 1 leapfrog, 2 Runge and Kutta's, 3 the symplectic Euler's,
-- 4 Yoshida's.
--
-- The forces between all pairs are one loop nest, and no pair is stored. All sums of a balance together take
-- one pass over the bodies, and one over the pairs:
-- ==
-- structure simulate.loop.then.changes_x none { clusters 2 } ilp { clusters 1 arrays 0 }
-- structure balance none { clusters 13 } ilp { clusters 2 }

module v = import "lib/vec3"

-- | A body: its mass, its place, and its speed.
type body = {mass: f64, at: v.vec3, speed: v.vec3}

-- ------------------------------------------------------------------------------------------------
-- Forces
-- ------------------------------------------------------------------------------------------------

-- | How a body of this mass, at the place b, accelerates one at the place a. Bodies at one place do not.
def pull (a: v.vec3) (mass: f64) (b: v.vec3): v.vec3 =
  let way = b v.- a
  let r2 = v.norm2 way
  in if r2 == 0 then v.zero else mass / (r2 * f64.sqrt r2) v.* way

-- | How all bodies accelerate each, if they are at these places.
def accelerations [n] (masses: [n]f64) (places: [n]v.vec3): [n]v.vec3 =
  map (\a -> v.sum (map2 (pull a) masses places)) places

-- ------------------------------------------------------------------------------------------------
-- Methods: what places and speeds are after a short time
-- ------------------------------------------------------------------------------------------------

-- | How to get from one moment to the next.
type method =
    #euler        -- by the speeds and accelerations of now; bad, and shows why the others exist
  | #symplectic   -- new speeds first, then places by them
  | #leapfrog     -- half a step of speeds, places, the other half of speeds
  | #yoshida      -- three leapfrogs, one of them backwards, whose errors cancel
  | #runge_kutta  -- the mean of the rates at four moments

-- | Places and speeds of all bodies.
type state [n] = {places: [n]v.vec3, speeds: [n]v.vec3}

-- | Each vector, and k times what is added to it.
def add_scaled [n] (k: f64) (changes: [n]v.vec3) (vs: [n]v.vec3): [n]v.vec3 =
  map2 (\a change -> a v.+ k v.* change) vs changes

-- | Bodies go on for the time dt without a force.
def glide [n] (dt: f64) (s: state [n]): state [n] =
  s with places = add_scaled dt s.speeds s.places

-- | Forces act for the time dt on bodies that stay where they are.
def kick [n] (masses: [n]f64) (dt: f64) (s: state [n]): state [n] =
  s with speeds = add_scaled dt (accelerations masses s.places) s.speeds

-- | A step of the leapfrog.
def leapfrog [n] (masses: [n]f64) (dt: f64) (s: state [n]): state [n] =
  s |> kick masses (dt / 2) |> glide dt |> kick masses (dt / 2)

-- | A step of Yoshida's method of the fourth order.
def yoshida [n] (masses: [n]f64) (dt: f64) (s: state [n]): state [n] =
  let outer = 1 / (2 - 2 ** (1.0 / 3))
  let inner = 1 - 2 * outer
  in s
     |> leapfrog masses (outer * dt)
     |> leapfrog masses (inner * dt)
     |> leapfrog masses (outer * dt)

-- | A step of the method of Runge and Kutta of the fourth order.
def runge_kutta [n] (masses: [n]f64) (dt: f64) (s: state [n]): state [n] =
  -- The rates at which places and speeds change, if they are those of s.
  let rates (s: state [n]): state [n] = {places = s.speeds, speeds = accelerations masses s.places}
  let after (t: f64) (r: state [n]): state [n] =
    {places = add_scaled t r.places s.places, speeds = add_scaled t r.speeds s.speeds}
  let r1 = rates s
  let r2 = rates (after (dt / 2) r1)
  let r3 = rates (after (dt / 2) r2)
  let r4 = rates (after dt r3)
  let mean a b c d = 1.0 / 6 v.* (a v.+ 2 v.* b v.+ 2 v.* c v.+ d)
  in after dt
       { places = map4 mean r1.places r2.places r3.places r4.places
       , speeds = map4 mean r1.speeds r2.speeds r3.speeds r4.speeds }

-- | A step of any method.
def step [n] (m: method) (masses: [n]f64) (dt: f64) (s: state [n]): state [n] =
  match m
  case #euler -> {places = (glide dt s).places, speeds = (kick masses dt s).speeds}
  case #symplectic -> s |> kick masses dt |> glide dt
  case #leapfrog -> leapfrog masses dt s
  case #yoshida -> yoshida masses dt s
  case #runge_kutta -> runge_kutta masses dt s

-- ------------------------------------------------------------------------------------------------
-- Bodies, and what stays the same
-- ------------------------------------------------------------------------------------------------

def state_of [n] (bodies: [n]body): state [n] =
  {places = map (.at) bodies, speeds = map (.speed) bodies}

def bodies_of [n] (masses: [n]f64) (s: state [n]): [n]body =
  map3 (\mass at speed -> {mass, at, speed}) masses s.places s.speeds

-- | What does not change while bodies attract each other, and the centre of their mass, which moves
-- evenly.
type balance = {energy: f64, momentum: v.vec3, angular: v.vec3, centre: v.vec3}

def balance_of [n] (bodies: [n]body): balance =
  let kinetic = f64.sum (map (\b -> b.mass * v.norm2 b.speed / 2) bodies)
  let numbered = indexed bodies
  -- Each pair once: the first is the one with the lower number.
  let attraction (i, a: body) (j, b: body) =
    if i < j then a.mass * b.mass / v.norm (b.at v.- a.at) else 0
  let potential = -(f64.sum (map (uncurry attraction) (cross numbered numbered)))
  let mass = f64.sum (map (.mass) bodies)
  in { energy = kinetic + potential
     , momentum = v.sum (map (\b -> b.mass v.* b.speed) bodies)
     , angular = v.sum (map (\b -> b.mass v.* v.cross b.at b.speed) bodies)
     , centre = 1 / mass v.* v.sum (map (\b -> b.mass v.* b.at) bodies) }

-- | The balance of two bodies at a distance of 2.
-- ==
-- entry: balance
-- "2 * 4 / 2 + 1 * 16 / 2 - 2 * 1 / 2 = 11"
-- input { [2.0, 1.0] [-1.0, 1.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [2.0, -4.0] [0.0, 0.0] }
-- output { 11.0 0.0 0.0 0.0 0.0 0.0 -8.0 -0.3333333333333333 0.0 0.0 }
entry balance [n] (bodies: [n]body): balance = balance_of bodies

-- ------------------------------------------------------------------------------------------------
-- Simulations
-- ------------------------------------------------------------------------------------------------

def run [n] (m: method) (dt: f64) (steps: i64) (masses: [n]f64) (s: state [n]): state [n] =
  loop s for _i < steps do step m masses dt s

-- | The bodies after so many steps of the time dt.
-- ==
-- entry: simulate
-- "Euler: two bodies at rest, at a distance of 2"
-- input { 0i64 0.5 1i64 [1.0, 1.0] [-1.0, 1.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] }
-- output { [1.0, 1.0] [-1.0, 1.0] [0.0, 0.0] [0.0, 0.0] [0.125, -0.125] [0.0, 0.0] [0.0, 0.0] }
-- "symplectic"
-- input { 3i64 0.5 1i64 [1.0, 1.0] [-1.0, 1.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] }
-- output { [1.0, 1.0] [-0.9375, 0.9375] [0.0, 0.0] [0.0, 0.0] [0.125, -0.125] [0.0, 0.0] [0.0, 0.0] }
-- "leapfrog"
-- input { 1i64 0.5 1i64 [1.0, 1.0] [-1.0, 1.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] }
-- output { [1.0, 1.0] [-0.96875, 0.96875] [0.0, 0.0] [0.0, 0.0]
--          [0.12909729448491, -0.12909729448491] [0.0, 0.0] [0.0, 0.0] }
-- "a body alone goes straight on, whatever the method"
-- input { 4i64 0.25 8i64 [3.0] [1.0] [2.0] [3.0] [1.0] [0.0] [-1.0] }
-- output { [3.0] [3.0] [2.0] [1.0] [1.0] [0.0] [-1.0] }
-- input { 2i64 0.25 8i64 [3.0] [1.0] [2.0] [3.0] [1.0] [0.0] [-1.0] }
-- output { [3.0] [3.0] [2.0] [1.0] [1.0] [0.0] [-1.0] }
-- "no bodies"
-- input { 1i64 0.5 3i64 empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64)
--         empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) empty([0]f64) }
entry simulate [n] (m: method) (dt: f64) (steps: i64) (bodies: [n]body): [n]body =
  let masses = map (.mass) bodies
  in bodies_of masses (run m dt steps masses (state_of bodies))

-- | How far the energy strays from its first value, as a part of that value, and the momentum and the
-- angular momentum, as lengths. Each is the most after any step.
-- ==
-- entry: strays
-- "a body alone"
-- input { 1i64 0.5 10i64 [3.0] [1.0] [2.0] [3.0] [1.0] [0.0] [-1.0] } output { 0.0 0.0 0.0 }
entry strays [n] (m: method) (dt: f64) (steps: i64) (bodies: [n]body): (f64, f64, f64) =
  let masses = map (.mass) bodies
  let first = balance_of bodies
  let (_, most) =
    loop (s, most) = (state_of bodies, (0, 0, 0)) for _i < steps do
      let s = step m masses dt s
      let now = balance_of (bodies_of masses s)
      let energy = f64.abs ((now.energy - first.energy) / first.energy)
      let momentum = v.norm (now.momentum v.- first.momentum)
      let angular = v.norm (now.angular v.- first.angular)
      in (s, (f64.max most.0 energy, f64.max most.1 momentum, f64.max most.2 angular))
  in most

-- | The result of a step whose length has to be chosen: the bodies after it, and how far off they may be;
-- or that the step was too long.
type attempt [n] = #reached (state [n]) f64 | #too_long f64

-- | One step of Runge and Kutta's method, made twice, as a whole and as two halves: what the two differ by is
-- about what the step is wrong by.
def attempt [n] (masses: [n]f64) (tolerance: f64) (dt: f64) (s: state [n]): attempt [n] =
  let whole = runge_kutta masses dt s
  let halves = s |> runge_kutta masses (dt / 2) |> runge_kutta masses (dt / 2)
  let wrong = f64.maximum (map2 (\a b -> v.norm (a v.- b)) whole.places halves.places)
  in if wrong <= tolerance then #reached halves wrong else #too_long wrong

-- | The bodies after the time `end`, by steps of which each is wrong by at most `tolerance` and as long as
-- that allows; and how many steps were taken, and how many refused.
-- ==
-- entry: simulate_adaptively
-- "bodies far apart: steps soon are as long as they may be"
-- input { 10.0 1e-6 [1.0] [1.0] [2.0] [3.0] [1.0] [0.0] [-1.0] }
-- output { [1.0] [11.0] [2.0] [-7.0] [1.0] [0.0] [-1.0] 4i64 0i64 }
entry simulate_adaptively [n] (end: f64) (tolerance: f64) (bodies: [n]body): ([n]body, i64, i64) =
  let masses = map (.mass) bodies
  -- The error of a step grows with the fifth power of its length.
  let better dt wrong = dt * f64.max 0.2 (f64.min 5 (0.9 * (tolerance / wrong) ** 0.2))
  let (s, _, _, taken, refused) =
    loop (s, t, dt, taken, refused) = (state_of bodies, 0, end / 64, 0, 0) while t < end do
      let dt = f64.min dt (end - t)
      in match attempt masses tolerance dt s
         case #reached s wrong ->
           -- The last step ends at the end, however it rounds.
           (s, if dt == end - t then end else t + dt, better dt wrong, taken + 1, refused)
         case #too_long wrong -> (s, t, better dt wrong, taken, refused + 1)
  in (bodies_of masses s, taken, refused)

-- ------------------------------------------------------------------------------------------------
-- Orbits of two bodies
-- ------------------------------------------------------------------------------------------------

-- | How one body moves about another: in an ellipse again and again, or past it once.
type orbit =
  #bound {axis: f64, eccentricity: f64, period: f64} | #unbound {eccentricity: f64, nearest: f64}

-- | The orbit of two bodies about each other.
def orbit_of (a: body) (b: body): orbit =
  let mass = a.mass + b.mass
  let way = b.at v.- a.at
  let speed = b.speed v.- a.speed
  let energy = v.norm2 speed / 2 - mass / v.norm way
  let turn = v.norm2 (v.cross way speed)
  let eccentricity = f64.sqrt (f64.max 0 (1 + 2 * energy * turn / (mass * mass)))
  in if energy < 0
     then let axis = -mass / (2 * energy)
          in #bound {axis, eccentricity, period = 2 * f64.pi * f64.sqrt (axis ** 3 / mass)}
     else #unbound {eccentricity, nearest = turn / (mass * (1 + eccentricity))}

-- | The orbit of each body about the first: the period, or infinity if it does not come back; how near it
-- comes; and how far off it gets.
-- ==
-- entry: orbits
-- "a circle, an ellipse that begins at its far end, a hyperbola, and a fall through the middle"
-- input { [1.0, 0.0, 0.0, 0.0, 0.0] [0.0, 1.0, 2.0, 1.0, 2.0] [0.0, 0.0, 0.0, 0.0, 0.0]
--         [0.0, 0.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0]
--         [0.0, 1.0, 0.5, 2.0, 0.0] [0.0, 0.0, 0.0, 0.0, 0.0] }
-- output { [6.283185307179586, 9.673596609249161, inf, 6.283185307179586]
--          [1.0, 0.6666666666666667, 1.0, 0.0] [1.0, 2.0, inf, 2.0] }
-- input { [1.0] [0.0] [0.0] [0.0] [0.0] [0.0] [0.0] } output { empty([0]f64) empty([0]f64) empty([0]f64) }
entry orbits [n] (bodies: [n]body): ([n - 1]f64, [n - 1]f64, [n - 1]f64) =
  let describe o =
    match o
    case #bound {axis, eccentricity, period} ->
      (period, axis * (1 - eccentricity), axis * (1 + eccentricity))
    case #unbound {eccentricity = _, nearest} -> (f64.inf, nearest, f64.inf)
  in unzip3 (map (\i -> describe (orbit_of bodies[0] bodies[i + 1])) (iota (n - 1)))

-- ------------------------------------------------------------------------------------------------
-- Collisions
-- ------------------------------------------------------------------------------------------------

-- | The body that two bodies become: mass, momentum and the centre of mass stay.
def joined (a: body) (b: body): body =
  let mass = a.mass + b.mass
  let middle (p: v.vec3) (q: v.vec3) = 1 / mass v.* (a.mass v.* p v.+ b.mass v.* q)
  in if mass == 0 then a else {mass, at = middle a.at b.at, speed = middle a.speed b.speed}

-- | No body at all, which changes nothing that it is joined to.
def nobody: body = {mass = 0, at = v.zero, speed = v.zero}

-- | For each body the number of the heaviest one within the distance `reach`, which may be its own; of
-- equal ones that with the lowest number.
def leaders [n] (reach: f64) (bodies: [n]body): [n]i64 =
  let heavier (i, m) (j, k) = if k > m || (k == m && j < i) then (j, k) else (i, m)
  let leader (a: body) =
    let near (i, b: body) = if v.norm (b.at v.- a.at) <= reach then (i, b.mass) else (n, -1)
    in (reduce heavier (n, -1) (map near (indexed bodies))).0
  in map leader bodies

-- | The bodies after collisions: a body that is near a heavier one falls into it. If the heavier one itself falls into
-- another body, the lighter one waits.
def collide [n] (reach: f64) (bodies: [n]body): ?[k].[k]body =
  let to = leaders reach bodies
  let goal i = if to[to[i]] == to[i] then to[i] else i
  let sums = reduce_by_index (replicate n nobody) joined nobody (map goal (indices bodies)) bodies
  in filter (\b -> b.mass > 0) sums

-- | The bodies after so many steps of the leapfrog, when those nearer than `reach` join.
-- ==
-- entry: accrete
-- "two that are near at the beginning, and one far away"
-- input { 1.0 0.0 1i64 [1.0, 3.0, 1.0] [0.0, 0.5, 9.0] [0.0, 0.0, 0.0] [0.0, 0.0, 0.0]
--         [4.0, 0.0, 0.0] [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
-- output { [4.0, 1.0] [0.375, 9.0] [0.0, 0.0] [0.0, 0.0] [1.0, 0.0] [0.0, 0.0] [0.0, 0.0] }
-- "a row of three: the last waits, and follows"
-- input { 1.0 0.0 1i64 [3.0, 2.0, 1.0] [0.0, 1.0, 2.0] [0.0, 0.0, 0.0] [0.0, 0.0, 0.0]
--         [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }
-- output { [5.0, 1.0] [0.4, 2.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] [0.0, 0.0] }
entry accrete [n] (reach: f64) (dt: f64) (steps: i64) (bodies: [n]body): ?[k].[k]body =
  loop bodies for _i < steps do
    let masses = map (.mass) bodies
    in collide reach (bodies_of masses (leapfrog masses dt (state_of bodies)))
