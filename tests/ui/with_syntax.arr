entry colon: i64 = with { (0 <= [i] < 9) : i } fold (+, 0)

entry operation: i64 = with { (0 <= [i] < 9) : i } : sum 0

entry below: i64 = with { (0 == [i] < 9) : i } : fold (+, 0)

entry comma: i64 = with { (0 <= [i] < 9) : i, (9 <= [i] < 10) : i } : fold (+, 0)
