def one: i64 = 1
fn g(x: i64) -> i64 { x + 1 }
