import "scale"

-- | The sum of the scaled elements.
entry scaled_sum [n] (xs: [n]f64): f64 = reduce (+) 0 (map scale xs)
