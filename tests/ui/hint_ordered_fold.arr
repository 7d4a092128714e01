-- $ arrc explain FILE
-- Floats are added in the order that is written; integers and extremes in any.
entry energy [n] (vs: [n]f64): f64 = fold (\sum v -> sum + v * v) 0 vs

entry total [n] (start: f64) (vs: [n]f64): f64 = fold (+) start vs

entry product [n] (vs: [n]f32): f32 = loop p = 1 for v in vs do p * v

entry each_row [n] [m] (vss: [n][m]f64): [n]f64 = map (\vs -> fold (+) 0 vs) vss

entry both [n] (vs: [n]f64): (f64, f64) =
  fold (\(sum, most) v -> (sum + v, f64.max most v)) (0, 0) vs

entry whole [n] (vs: [n]i64): i64 = fold (+) 0 vs

entry most [n] (vs: [n]f64): f64 = fold f64.max 0 vs

entry horner [n] (vs: [n]f64) (x: f64): f64 = fold (\y v -> y * x + v) 0 vs

entry reduced [n] (vs: [n]f64): f64 = reduce (+) 0 vs

entry piped [n] (vs: [n]f64): f64 = vs |> fold (\sum v -> if v > 0 then v + sum else sum) 1

entry counted [n] (vs: [n]f32): f32 = 2 * (loop sum = 0 for i < n do sum + vs[i])

entry scaled [n] (start: f64) (vs: [n]f64): f64 = 3 * fold (+) start vs

entry named [n] (vs: [n]f64): f64 =
  let add sum v = sum + v
  in fold add 0 vs

-- A sum as the initial value of a product keeps its parentheses.
entry scaled_product [n] (start: f64) (vs: [n]f64): f64 = loop p = (start) + (start) for v in vs do p * v
