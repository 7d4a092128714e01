-- $ arrc run --interpret FILE count 1000000000
def down (n: i64): i64 = if n == 0 then 0 else 1 + (down (n - 1) * 3) % 7

entry count (n: i64): i64 = down n
