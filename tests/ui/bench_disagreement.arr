-- $ arrc bench --tolerance=0 --strategies=ilp,none FILE in_order [1000]f64
-- A `reduce` may add in any order, and beside a `fold`, in one loop, it does so in the fold's.
entry in_order [n] (xs: [n]f64): bool = fold (+) 0 xs == reduce (+) 0 xs
