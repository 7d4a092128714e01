-- Sum types: constructors with any number of values, in tuples, records, functions and each other.

type option 'a = #some a | #none
type shape = #circle f64 | #box f64 f64 | #dot
type colour = #red | #green | #blue

def area (s: shape): f64 =
  match s
  case #circle r -> 3 * r * r
  case #box w h -> w * h
  case #dot -> 0

-- ==
-- entry: circle
-- input { 2.0 } output { 12.0 }
entry circle (r: f64): f64 = area (#circle r)

-- ==
-- entry: box
-- input { 2.0 3.0 } output { 6.0 }
entry box (w: f64) (h: f64): f64 = area (#box w h)

-- ==
-- entry: dot
-- input { } output { 0.0 }
entry dot: f64 = area #dot

-- ==
-- entry: chosen
-- input { 0 2.0 } output { 12.0 }
-- input { 1 2.0 } output { 4.0 }
-- input { 2 2.0 } output { 0.0 }
entry chosen (k: i32) (x: f64): f64 =
  area (if k == 0 then #circle x else if k == 1 then #box x x else #dot)

-- The order in which a type writes its constructors does not matter.
def flip (c: #on | #off): #off | #on =
  match c
  case #on -> #off
  case #off -> #on

-- ==
-- entry: any_order
-- input { true } output { false }
-- input { false } output { true }
entry any_order (c: bool): bool =
  let s: #off | #on = if c then #on else #off
  in match flip s
     case #on -> true
     case #off -> false

def map_option 'a 'b (f: a -> b) (x: option a): option b =
  match x
  case #some y -> #some (f y)
  case #none -> #none

def or_else 'a (other: a) (x: option a): a =
  match x
  case #some y -> y
  case #none -> other

-- ==
-- entry: parameters
-- input { true 20 } output { 41 }
-- input { false 20 } output { -1 }
entry parameters (c: bool) (x: i32): i32 =
  let o: option i32 = if c then #some x else #none
  in or_else (-1) (map_option (+ 1) (map_option (* 2) o))

-- A type parameter may be a sum, a tuple or a record.
-- ==
-- entry: nested_parameters
-- input { 0 } output { 7 }
-- input { 1 } output { 1 }
-- input { 2 } output { 5 }
entry nested_parameters (k: i32): i32 =
  let o: option (option (i32, i32)) =
    if k == 0 then #none else if k == 1 then #some #none else #some (#some (2, 3))
  in match o
     case #none -> 7
     case #some #none -> 1
     case #some (#some (a, b)) -> a + b

-- ==
-- entry: in_tuples
-- input { true 5 } output { 5 true }
-- input { false 5 } output { 0 false }
entry in_tuples (c: bool) (x: i32): (i32, bool) =
  let p: (option i32, bool) = (if c then #some x else #none, c)
  in (or_else 0 p.0, p.1)

type task = {name: i64, state: #waiting | #running i32 | #done f64}

-- ==
-- entry: in_records
-- input { 7i64 } output { 7i64 1.5 0.0 3.0 }
entry in_records (name: i64): (i64, f64, f64, f64) =
  let cost (t: task) =
    match t.state
    case #waiting -> 0
    case #running steps -> f64.i32 steps
    case #done time -> time
  let t: task = {name, state = #done 1.5}
  let u = t with state = #waiting
  let v = u with state = #running 3
  in (v.name, cost t, cost u, cost v)

-- A sum with one constructor is always it: its pattern can stand anywhere.
type metres = #metres f64

def add (#metres x: metres) (#metres y: metres): metres = #metres (x + y)

-- ==
-- entry: one_constructor
-- input { 1.5 2.0 } output { 3.5 }
entry one_constructor (x: f64) (y: f64): f64 =
  let #metres sum = add (#metres x) (#metres y)
  in sum

-- ==
-- entry: one_constructor_lambda
-- input { [1.5, 2.0] } output { [3.0, 4.0] }
entry one_constructor_lambda [n] (xs: [n]f64): [n]f64 =
  map (\(#metres x) -> 2 * x) (map (\x -> #metres x : metres) xs)

-- Equality: of the constructors, and of what they hold.
-- ==
-- entry: equal
-- input { 1 } output { true false false true false true }
entry equal (x: i32): (bool, bool, bool, bool, bool, bool) =
  let a: option i32 = #some x
  let b: option i32 = #none
  in (a == #some 1, a == #some 2, a == b, b == #none, a != #some 1, a != b)

-- ==
-- entry: equal_nested
-- input { 1 2 } output { false true }
-- input { 2 2 } output { true false }
entry equal_nested (x: i32) (y: i32): (bool, bool) =
  let a: option (option i32, colour) = #some (#some x, #green)
  let b: option (option i32, colour) = #some (#some y, #green)
  in (a == b, a != b)

-- The components of other constructors do not count, whatever they are.
-- ==
-- entry: equal_outside
-- input { 0i64 1 0i64 2 } output { true false }
-- input { 1i64 1 1i64 2 } output { false true }
-- input { 1i64 2 1i64 2 } output { true false }
-- input { 0i64 2 1i64 2 } output { false true }
entry equal_outside (a: option i32) (b: option i32): (bool, bool) = (a == b, a != b)

-- Known constructors are decided while compiling, and unknown ones in recursion.
def collatz (n: i64) (steps: option i64): option i64 =
  match steps
  case #none -> #none
  case #some k ->
    if n == 1 then #some k
    else if k > 200 then #none
    else collatz (if n % 2 == 0 then n / 2 else 3 * n + 1) (#some (k + 1))

-- ==
-- entry: recursion
-- input { 6i64 } output { 8i64 }
-- input { 27i64 } output { 111i64 }
-- input { 1i64 } output { 0i64 }
-- input { 0i64 } output { -1i64 }
entry recursion (n: i64): i64 = or_else (-1) (collatz n (#some 0))

-- As the sum of a recursive function that takes a function.
def until (done: i64 -> option i64) (x: i64): i64 =
  match done x
  case #some y -> y
  case #none -> until done (x + 1)

-- ==
-- entry: recursion_with_function
-- input { 50i64 } output { 64i64 }
entry recursion_with_function (limit: i64): i64 =
  until (\x -> if x * x > limit then #some (x * x) else #none) 1

-- A sum in an entry is its tag (the constructors in alphabetical order, from 0), and then the values of
-- all constructors in that order.
-- ==
-- entry: from_outside
-- input { 0i64 1.0 2.0 3.0 } output { 2.0 }
-- input { 1i64 1.0 2.0 3.0 } output { 27.0 }
-- input { 2i64 1.0 2.0 3.0 } output { 0.0 }
entry from_outside (s: shape): f64 = area s

-- ==
-- entry: to_outside
-- input { 0 1.5 } output { 1i64 0.0 0.0 1.5 }
-- input { 1 1.5 } output { 0i64 1.5 3.0 0.0 }
-- input { 2 1.5 } output { 2i64 0.0 0.0 0.0 }
entry to_outside (k: i32) (x: f64): shape =
  if k == 0 then #circle x else if k == 1 then #box x (2 * x) else #dot

-- ==
-- entry: tags_alone
-- input { [0, 1, 2, 3] } output { [2i64, 1i64, 0i64, 0i64] }
entry tags_alone [n] (ks: [n]i32): [n]colour =
  map (\k -> if k == 0 then #red else if k == 1 then #green else #blue) ks
