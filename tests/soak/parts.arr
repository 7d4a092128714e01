-- A histogram of more than 12 MiB, whose changes threads list by parts.

-- | The sums of the values by their keys.
entry summed [n] (k: i64) (keys: [n]i64) (values: [n]i64): [k]i64 =
  loop sums = replicate k 0 for (key, value) in zip keys values do
    sums with [key] = sums[key] + value
