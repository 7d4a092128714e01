import "import_itself"
entry f (x: i64): i64 = x
