type tree = {value: i64, children: (tree, tree)}

entry main (x: i64): i64 = x
