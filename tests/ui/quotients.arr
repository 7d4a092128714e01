entry inverse (n: i64): f64 = 1 / n
entry mean [n] (xs: [n]i64): f64 = i64.sum xs / n * 100
entry middle (a: i32) (b: i32): f32 = (a + b) / 2
entry mapped (n: i64): [n]f64 = map (\i -> i / n) (iota n)
entry piped (n: i64): [n]f64 = iota n |> map (\i -> let j = i + 1 in j / n)
entry tabled (n: i64): [n]f64 = tabulate n (\i -> i / (n - 1))
entry named (a: i64) (b: i64): f64 = let m = a / b in let k = m * 2 in k + m
entry kept (xs: []f64) (a: i64) (b: i64): f64 = let m = a / b in m * 2 + i64.f64 xs[m]
entry branches (a: i64) (b: i64): f64 = if b > 0 then (a + 1) / b else -(a / b) * 100
entry argument (a: i64) (b: i64): f64 = f64.sqrt (a / b)
entry scaled (x: f64) (n: i64): f64 = x * (1 / n)
entry above (x: f64) (n: i64): bool = x > n / 3
-- No quotient.
entry product (n: i64): f64 = n * 2
entry ascribed (n: i64): f64 = (n / 2 : i64)
-- A divisor that does not fit into the narrow type would become another one, such as 0.
entry narrow (x: u8) (n: i64): u8 = x / n
entry narrow_sum (x: u8) (n: i64): u8 = x + n / 2
entry same_width (x: u64) (n: i64): u64 = x / n
