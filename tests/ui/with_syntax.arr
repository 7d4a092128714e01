entry colon: i64 = with { (0 <= [i] < 9) : i } fold (+, 0)

entry operation: i64 = with { (0 <= [i] < 9) : i } : sum 0

entry below: i64 = with { (0 == [i] < 9) : i } : fold (+, 0)

entry comma: i64 = with { (0 <= [i] < 9) : i, (9 <= [i] < 10) : i } : fold (+, 0)

entry none: i64 = with { } : fold (+, 0)

entry parentheses [n] (a: [n]i64): i64 = with { . <= iv <= . : a[iv] } : fold (+, 0)

entry applied [n] (a: [n]i64): i64 = with { (. <= iv <= .) : a[iv] } : fold + 0

entry width [n] (a: [n]i64): [n]i64 = with { (. <= iv <= . width 2 step 3) : a[iv] } : modarray a
