entry demo	(x: i64): i64 =
	let	y = x
	in	y + z
