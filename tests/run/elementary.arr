-- Elementary functions are the same arithmetic everywhere: in vectors, in what is left behind them, in the interpreter.
-- The sums are of the bits of 4099 results, computed from the description in Rust; and of fewer, for all lengths
-- around those of vectors.

-- Numbers of every exponent, NaN among them.
def any_f32 (k: u32): f32 = f32.from_bits (k * 1048583)
def any_f64 (k: u64): f64 = f64.from_bits (k * 5629499534213061)

-- Numbers from -20 to 36.
def near_f32 (k: u32): f32 = f32.u32 k * 0.0137 - 20
def near_f64 (k: u64): f64 = f64.u64 k * 0.0137 - 20

def sums_f32 (f: f32 -> f32) (n: i64): (u32, u32) =
  let of (x: u32 -> f32) =
    u32.sum (tabulate n (\i -> let k = u32.i64 i in f32.to_bits (f (x k)) * (2 * k + 1)))
  in (of any_f32, of near_f32)

def sums_f64 (f: f64 -> f64) (n: i64): (u64, u64) =
  let of (x: u64 -> f64) =
    u64.sum (tabulate n (\i -> let k = u64.i64 i in f64.to_bits (f (x k)) * (2 * k + 1)))
  in (of any_f64, of near_f64)

-- ==
-- entry: exp_f32
-- input { 4099 } output { 2880527413u32 1037104218u32 }
entry exp_f32 (n: i64): (u32, u32) = sums_f32 f32.exp n

-- ==
-- entry: exp_f64
-- input { 4099 } output { 16706911451747589366u64 6895012844000856237u64 }
entry exp_f64 (n: i64): (u64, u64) = sums_f64 f64.exp n

-- ==
-- entry: exp2_f32
-- input { 4099 } output { 3022207930u32 3450800718u32 }
entry exp2_f32 (n: i64): (u32, u32) = sums_f32 f32.exp2 n

-- ==
-- entry: exp2_f64
-- input { 4099 } output { 13959331883534648194u64 10497387253412973578u64 }
entry exp2_f64 (n: i64): (u64, u64) = sums_f64 f64.exp2 n

-- ==
-- entry: log_f32
-- input { 4099 } output { 2201265458u32 2364730968u32 }
entry log_f32 (n: i64): (u32, u32) = sums_f32 f32.log n

-- ==
-- entry: log_f64
-- input { 4099 } output { 10265682521873729397u64 4152776648332141711u64 }
entry log_f64 (n: i64): (u64, u64) = sums_f64 f64.log n

-- ==
-- entry: log2_f32
-- input { 4099 } output { 1531364541u32 1468638065u32 }
entry log2_f32 (n: i64): (u32, u32) = sums_f32 f32.log2 n

-- ==
-- entry: log2_f64
-- input { 4099 } output { 2937445028496689631u64 10589041624349503174u64 }
entry log2_f64 (n: i64): (u64, u64) = sums_f64 f64.log2 n

-- ==
-- entry: sin_f32
-- input { 4099 } output { 776592406u32 92426626u32 }
entry sin_f32 (n: i64): (u32, u32) = sums_f32 f32.sin n

-- ==
-- entry: sin_f64
-- input { 4099 } output { 13590862386927378697u64 15809014418367259255u64 }
entry sin_f64 (n: i64): (u64, u64) = sums_f64 f64.sin n

-- ==
-- entry: cos_f32
-- input { 4099 } output { 3862631845u32 3291996210u32 }
entry cos_f32 (n: i64): (u32, u32) = sums_f32 f32.cos n

-- ==
-- entry: cos_f64
-- input { 4099 } output { 16866079548772125110u64 4861720667263701801u64 }
entry cos_f64 (n: i64): (u64, u64) = sums_f64 f64.cos n

-- ==
-- entry: tanh_f32
-- input { 4099 } output { 2652678402u32 3045358212u32 }
entry tanh_f32 (n: i64): (u32, u32) = sums_f32 f32.tanh n

-- ==
-- entry: tanh_f64
-- input { 4099 } output { 4946229284364213147u64 7971046620236585052u64 }
entry tanh_f64 (n: i64): (u64, u64) = sums_f64 f64.tanh n

-- ==
-- entry: pow_f32
-- input { 4099 } output { 225298419u32 1063161819u32 }
entry pow_f32 (n: i64): (u32, u32) =
  let bits (f: u32 -> f32) =
    u32.sum (tabulate n (\i -> let k = u32.i64 i in f32.to_bits (f k) * (2 * k + 1)))
  in (bits (\k -> any_f32 k ** near_f32 k),
      bits (\k -> (f32.u32 k * 0.0137) ** (f32.u32 k * 0.01 - 20.003)))

-- A filter runs in vectors of ours, a loop one element at a time; angles of more than a million take a branch.
-- ==
-- entry: kept
-- input { 1000 } output { true true }
-- input { 0 } output { true true }
-- input { 7 } output { true true }
entry kept (n: i64): (bool, bool) =
  let same (xs: []f64) =
    let kept = filter (> 0.25) (map f64.sin xs)
    let one_by_one = loop sum = 0u64 for x in xs do
      let y = f64.sin x
      in if y > 0.25 then sum + f64.to_bits y else sum
    in u64.sum (map f64.to_bits kept) == one_by_one
  in (same (tabulate n (\i -> f64.i64 i * 0.37 - 100)),
      same (tabulate n (\i -> f64.i64 i * 12345.8 - 6e6)))
