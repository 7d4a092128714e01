type tree = {value: i64, children: (tree, tree)}

entry demo (x: i64): i64 = x
