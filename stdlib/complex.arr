-- Complex numbers of f64: `module c = import "complex"`, and then `c.complex`, `z c.* w`.

-- | A complex number.
type complex = {re: f64, im: f64}

-- | The number re + i·im.
def mk (re: f64) (im: f64): complex = {re, im}

-- | A real number as a complex one.
def real (re: f64): complex = {re, im = 0}

-- | The imaginary unit.
def i: complex = {re = 0, im = 1}

-- | The complex conjugate.
def conj (z: complex): complex = {re = z.re, im = -z.im}

-- | The square of the distance from zero.
def norm2 (z: complex): f64 = z.re f64.* z.re f64.+ z.im f64.* z.im

-- | The distance from zero.
def abs (z: complex): f64 = f64.sqrt (norm2 z)

-- | The angle from the real axis, in radians.
def arg (z: complex): f64 = f64.atan2 z.im z.re

-- | The negation.
def neg (z: complex): complex = {re = -z.re, im = -z.im}

-- | The sum.
def (+) (z: complex) (w: complex): complex = {re = z.re f64.+ w.re, im = z.im f64.+ w.im}

-- | The difference.
def (-) (z: complex) (w: complex): complex = {re = z.re f64.- w.re, im = z.im f64.- w.im}

-- | The product.
def (*) (z: complex) (w: complex): complex =
  { re = z.re f64.* w.re f64.- z.im f64.* w.im
  , im = z.re f64.* w.im f64.+ z.im f64.* w.re }

-- | The quotient.
def (/) (z: complex) (w: complex): complex =
  let n = norm2 w
  let p = z * conj w
  in {re = p.re f64./ n, im = p.im f64./ n}
