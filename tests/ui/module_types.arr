module type counter = { type t val new: t val up: t -> t val at: t -> i64 }
module values: counter = { type t = i64 def new: i32 = 0 def up (x: t): t = x def at (x: t): i64 = x }
module special: { val id 'a: a -> a } = { def id (x: i64): i64 = x }
module sizes: { val f [n]: [n]i64 -> [n]i64 } = { def f [n] (xs: [n]i64) = filter (> 0) xs }
module other: { type t = i32 } = { type t = i64 }
module parameters: { type t [n] 'a } = { type t 'a = a }
module own: { type t } = { type t = []i64 }
module functions: { type t } = { type t = i64 -> i64 }
module unused: { type t [n] } = { type t [n] = [n + 1]i64 }
module refined: counter with t = i32 = { type t = i64 def new: t = 0 def up (x: t): t = x def at (x: t): i64 = x }
module open_type: counter with u = i32 = { type t = i64 def new: t = 0 def up (x: t): t = x def at (x: t): i64 = x }
module twice: counter with t = i64 with t = i32 = { type t = i64 def new: t = 0 def up (x: t): t = x def at (x: t): i64 = x }
module unknown: countr = { def x: i64 = 1 }
module type itself = { include itself }
module type broken = { val x: nothing include countr }
module needs (F: (C: counter) -> { val x: i64 }) = F values
module given = needs (\(C: counter) -> { def x = C.new })
module numbers: integral = f64
module bits: { type t val popc: t -> i64 } = u8
entry f: i64 = unknown.x
