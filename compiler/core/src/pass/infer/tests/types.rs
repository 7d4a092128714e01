//! Wrong types: all that is told about them.

use super::wrong;

wrong! {
    result: r#"
def f (xs: [3]i32): f64 = let x = xs[0] in x
"# => r#"
error[A0302]: the result of `f` should be `f64`, but is `i32`
   ╭─[ test.arr:1:44 ]
   │
 1 │ def f (xs: [3]i32): f64 = let x = xs[0] in x
   │                     ┬──                    ┬
   │                     ╰───────────────────────── the result is declared here
   │                                            │
   │                                            ╰── this is `i32`
   │
   │ Help: convert it with `f64.i32`
───╯
"#;
    index: r#"
def f (xs: [3]i32) (i: f32) = xs[i] + i[0] + xs[0, 1]
"# => r#"
error[A0302]: an index should be `i64`, but is `f32`
   ╭─[ test.arr:1:34 ]
   │
 1 │ def f (xs: [3]i32) (i: f32) = xs[i] + i[0] + xs[0, 1]
   │                                  ┬
   │                                  ╰── this is `f32`
   │
   │ Help: convert it with `i64.f32`, which drops what is behind the point
───╯
error[A0302]: `f32` cannot be indexed
   ╭─[ test.arr:1:39 ]
   │
 1 │ def f (xs: [3]i32) (i: f32) = xs[i] + i[0] + xs[0, 1]
   │                                       ┬
   │                                       ╰── this is `f32`
   │
   │ Help: only arrays have indices; a tuple's component is `t.0`, a record's field `r.x`
───╯
error[A0302]: there is one index too many: `i32` cannot be indexed
   ╭─[ test.arr:1:46 ]
   │
 1 │ def f (xs: [3]i32) (i: f32) = xs[i] + i[0] + xs[0, 1]
   │                                              ┬─
   │                                              ╰─── with one index, this is `i32`
   │
   │ Help: only arrays have indices; a tuple's component is `t.0`, a record's field `r.x`
───╯
"#;
    update: r#"
type point = {x: f64, y: f64}
def f (p: point) = p with x = true
"# => r#"
error[A0302]: the new value of the field `x` should be `f64`, but is `bool`
   ╭─[ test.arr:2:31 ]
   │
 2 │ def f (p: point) = p with x = true
   │                               ┬───
   │                               ╰───── this is `bool`
───╯
"#;
    pattern: r#"
def f = let (a, b, c) = (1, 2) in a
def g (xs: [2](i64, i64)) = map (\(x, y, z) -> x) xs
"# => r#"
error[A0308]: this pattern is for a tuple of 3, but the value is `(i32, i32)`
   ╭─[ test.arr:1:13 ]
   │
 1 │ def f = let (a, b, c) = (1, 2) in a
   │             ┬────────
   │             ╰────────── matched with `(i32, i32)`
   │
   │ Help: write a pattern of the value's type, or a name
───╯
error[A0308]: this pattern is for a tuple of 3, but the value is `(i64, i64)`
   ╭─[ test.arr:2:35 ]
   │
 2 │ def g (xs: [2](i64, i64)) = map (\(x, y, z) -> x) xs
   │                                   ┬────────
   │                                   ╰────────── matched with `(i64, i64)`
   │
   │ Help: write a pattern of the value's type, or a name
───╯
"#;
    literal_out_of_range: r#"
def f = (300u8, -129i8, 0x1ffffffff)
def g (xs: [2]u8) = map (+ 256) xs
"# => r#"
error[A0309]: `300` does not fit in `u8`
   ╭─[ test.arr:1:10 ]
   │
 1 │ def f = (300u8, -129i8, 0x1ffffffff)
   │          ┬────
   │          ╰────── this is `u8`
   │
   │ Help: give the literal a wider type, by a suffix or an annotation
   │
   │ Note: `u8` holds whole numbers from 0 to 255
───╯
error[A0309]: `-129` does not fit in `i8`
   ╭─[ test.arr:1:17 ]
   │
 1 │ def f = (300u8, -129i8, 0x1ffffffff)
   │                 ┬─────
   │                 ╰─────── this is `i8`
   │
   │ Help: give the literal a wider type, by a suffix or an annotation
   │
   │ Note: `i8` holds whole numbers from -128 to 127
───╯
error[A0309]: `8589934591` does not fit in `i32`
   ╭─[ test.arr:1:25 ]
   │
 1 │ def f = (300u8, -129i8, 0x1ffffffff)
   │                         ┬──────────
   │                         ╰──────────── this is `i32`
   │
   │ Help: give the literal a wider type, by a suffix or an annotation
   │
   │ Note: `i32` holds whole numbers from -2147483648 to 2147483647
───╯
error[A0309]: `256` does not fit in `u8`
   ╭─[ test.arr:2:28 ]
   │
 2 │ def g (xs: [2]u8) = map (+ 256) xs
   │                            ┬──
   │                            ╰──── this is `u8`
   │
   │ Help: give the literal a wider type, by a suffix or an annotation
   │
   │ Note: `u8` holds whole numbers from 0 to 255
───╯
"#;
    infinite: r#"
def f g = g g
"# => r#"
error[A0312]: this would have a type that contains itself
   ╭─[ test.arr:1:11 ]
   │
 1 │ def f g = g g
   │           ┬──
   │           ╰──── `a` would be `a -> b`
   │
   │ Help: is the function applied to itself, or to too few arguments?
───╯
"#;
    comparison: r#"
def f (xs: [3]i32) = xs == xs
def g = (\x -> x) != id
def h (a: (i64, [2]bool)) = a == a
def i 'a (x: a) = x == x
"# => r#"
error[A0314]: `==` cannot compare values of type `[3]i32`
   ╭─[ test.arr:1:25 ]
   │
 1 │ def f (xs: [3]i32) = xs == xs
   │                      ┬─ ┬─
   │                      ╰────── this is `[3]i32`
   │                         │
   │                         ╰─── compared here
   │
   │ Help: compare the elements: `and (map2 (==) xs ys)`
───╯
error[A0314]: `!=` cannot compare values of type `a -> a`
   ╭─[ test.arr:2:19 ]
   │
 2 │ def g = (\x -> x) != id
   │         ┬──────── ┬─
   │         ╰───────────── this is `a -> a`
   │                   │
   │                   ╰─── compared here
   │
   │ Help: is an argument missing? Functions cannot be compared, their results can
───╯
error[A0314]: `==` cannot compare values of type `(i64, [2]bool)`
   ╭─[ test.arr:3:31 ]
   │
 3 │ def h (a: (i64, [2]bool)) = a == a
   │                             ┬ ┬─
   │                             ╰───── this is `(i64, [2]bool)`
   │                               │
   │                               ╰─── compared here
   │
   │ Help: compare the elements: `and (map2 (==) xs ys)`
   │
   │ Note: `[2]bool` in it cannot be compared
───╯
error[A0314]: `==` cannot compare values of type `a`
   ╭─[ test.arr:4:21 ]
   │
 4 │ def i 'a (x: a) = x == x
   │                   ┬ ┬─
   │                   ╰───── this is `a`
   │                     │
   │                     ╰─── compared here
   │
   │ Help: take the comparison as a parameter: `(eq: a -> a -> bool)`
───╯
"#;
    functions_in_data: r#"
def f = [\x -> x + 1]
def g (xs: [3]i64) = map (\x -> (+ x)) xs
def h c = if c then (+ 1) else (+ 2)
def i (fs: [2](i64 -> i64)) = 1
"# => r#"
error[A0313]: an array cannot hold functions
   ╭─[ test.arr:1:9 ]
   │
 1 │ def f = [\x -> x + 1]
   │         ┬────────────
   │         ╰────────────── this is `[1](i32 -> i32)`
   │
   │ Help: is an argument missing? Functions can be passed as arguments, but not stored
───╯
error[A0313]: an array cannot hold functions
   ╭─[ test.arr:2:22 ]
   │
 2 │ def g (xs: [3]i64) = map (\x -> (+ x)) xs
   │                      ┬───────────────────
   │                      ╰───────────────────── this is `[3](i64 -> i64)`
   │
   │ Help: is an argument missing? Functions can be passed as arguments, but not stored
───╯
error[A0313]: an `if` cannot choose between functions
   ╭─[ test.arr:3:11 ]
   │
 3 │ def h c = if c then (+ 1) else (+ 2)
   │           ┬─────────────────────────
   │           ╰─────────────────────────── this is `i32 -> i32`
   │
   │ Help: choose inside the function: `\x -> if c then f x else g x`
───╯
error[A0313]: an array cannot hold functions
   ╭─[ test.arr:4:15 ]
   │
 4 │ def i (fs: [2](i64 -> i64)) = 1
   │               ┬───────────
   │               ╰───────────── this is `i64 -> i64`
   │
   │ Help: is an argument missing? Functions can be passed as arguments, but not stored
───╯
"#;
    recursion_without_types: r#"
def f n = if n == 0 then 0 else f (n - 1)
def g (n: i64): i64 = h n
def h n = g n
"# => r#"
error[A0310]: the recursive `f` needs all its types
   ╭─[ test.arr:1:5 ]
   │
 1 │ def f n = if n == 0 then 0 else f (n - 1)
   │     ┬ ┬
   │     ╰──── calls itself, and its result has no type
   │       │
   │       ╰── this parameter has no type
   │
   │ Help: write the types of the parameters and of the result: `def f (x: t) …: t = …`
───╯
error[A0310]: the recursive `h` needs all its types
   ╭─[ test.arr:3:5 ]
   │
 3 │ def h n = g n
   │     ┬ ┬
   │     ╰──── calls itself through `g`, and its result has no type
   │       │
   │       ╰── this parameter has no type
   │
   │ Help: write the types of the parameters and of the result: `def h (x: t) …: t = …`
───╯
"#;
    recursion_that_never_ends: r#"
def f = f + 1
def g = h 1
def h (n: i64): i64 = g + n
"# => r#"
error[A0321]: the value `f` is defined by itself
   ╭─[ test.arr:1:5 ]
   │
 1 │ def f = f + 1
   │     ┬
   │     ╰── has no parameters, so it could never be computed
   │
   │ Help: give it a parameter that gets smaller at each call
───╯
error[A0321]: the value `g` is defined by itself
   ╭─[ test.arr:2:5 ]
   │
 2 │ def g = h 1
   │     ┬
   │     ╰── has no parameters, so it could never be computed
   │
   │ Help: give it a parameter that gets smaller at each call
───╯
"#;
    entries: r#"
entry a 'a (x: a) = x
entry b x = x
entry c (f: i64 -> i64) (x: i64): i64 = f x
entry d (x: i64) = \y -> x + y
entry e (x: i64) = []
"# => r#"
error[A0311]: the entry `a` has a type parameter
   ╭─[ test.arr:1:9 ]
   │
 1 │ entry a 'a (x: a) = x
   │       ┬ ┬─
   │       ╰───── an entry is also a C function
   │         │
   │         ╰─── the type parameter `a` stands for any type
   │
   │ Help: write the type that it is called with; a polymorphic `def` can be used by several entries
───╯
error[A0311]: the entry `b` has a parameter that may be of any type
   ╭─[ test.arr:2:9 ]
   │
 2 │ entry b x = x
   │       ┬ ┬
   │       ╰──── an entry is also a C function
   │         │
   │         ╰── nothing tells more of its type than `a`
   │
   │ Help: write the type of the parameter: `(xs: [n]f64)`; of an entry without parameters that is a function write the type: `entry f [n]: [n]f64 -> [n]f64 = …`
───╯
error[A0311]: the entry `c` takes a function
   ╭─[ test.arr:3:9 ]
   │
 3 │ entry c (f: i64 -> i64) (x: i64): i64 = f x
   │       ┬ ┬──────────────
   │       ╰────────────────── an entry is also a C function
   │         │
   │         ╰──────────────── this is `i64 -> i64`
   │
   │ Help: an entry is called from C with scalars and arrays; make the function a `def`
───╯
error[A0311]: the entry `e` has a result of an unknown type
   ╭─[ test.arr:5:7 ]
   │
 5 │ entry e (x: i64) = []
   │       ┬
   │       ╰── the result is `[0]a`
   │
   │ Help: write the type of the result
───╯
"#;
    type_arguments: r#"
type pair [n] 'a = [n](a, a)
def f (x: pair) (y: pair [2] i64 f64) (z: f64 i64) = x
"# => r#"
error[A0315]: the type `pair` takes 1 size and 1 type, but is given no arguments
   ╭─[ test.arr:2:11 ]
   │
 1 │ type pair [n] 'a = [n](a, a)
   │      ┬───
   │      ╰───── declared here
 2 │ def f (x: pair) (y: pair [2] i64 f64) (z: f64 i64) = x
   │           ┬───
   │           ╰───── used here
   │
   │ Help: give it one argument for each parameter, sizes in brackets: `pair [n] f64`
───╯
error[A0315]: the type `pair` takes 1 size and 1 type, but is given 1 size and 2 types
   ╭─[ test.arr:2:21 ]
   │
 1 │ type pair [n] 'a = [n](a, a)
   │      ┬───
   │      ╰───── declared here
 2 │ def f (x: pair) (y: pair [2] i64 f64) (z: f64 i64) = x
   │                     ┬───────────────
   │                     ╰───────────────── used here
   │
   │ Help: give it one argument for each parameter, sizes in brackets: `pair [n] f64`
───╯
error[A0315]: the type `f64` takes no arguments, but is given 1 type
   ╭─[ test.arr:2:43 ]
   │
 2 │ def f (x: pair) (y: pair [2] i64 f64) (z: f64 i64) = x
   │                                           ┬──────
   │                                           ╰──────── used here
   │
   │ Help: write just `f64`
───╯
"#;
    types_made_of_themselves: r#"
type tree = {left: forest}
type forest = [2]tree
"# => r#"
error[A0320]: the type `tree` is made of itself
   ╭─[ test.arr:2:18 ]
   │
 2 │ type forest = [2]tree
   │                  ┬───
   │                  ╰───── refers back to itself
   │
   │ Help: hold a tree in flat arrays, with positions in the place of the parts
───╯
"#;
    type_parameter_that_escapes: r#"
def f g = let h 'a (x: a) = g x in h 1
"# => r#"
error[A0302]: the type parameter `a` is needed outside its function
   ╭─[ test.arr:1:29 ]
   │
 1 │ def f g = let h 'a (x: a) = g x in h 1
   │                             ┬──
   │                             ╰──── this is of type `a`
   │
   │ Help: write the type that is meant, in place of the type parameter `'a`
───╯
"#;
    everything_is_told_in_order: r#"
def f = y
def g (x: bool) = x + 1
def h: i64 = true
"# => r#"
error[A0201]: `y` is not defined
   ╭─[ test.arr:1:9 ]
   │
 1 │ def f = y
   │         ┬
   │         ╰── unknown here
───╯
error[A0305]: `+` is not defined on `bool`
   ╭─[ test.arr:2:21 ]
   │
 2 │ def g (x: bool) = x + 1
   │                   ┬ ┬
   │                   ╰──── this is `bool`
   │                     │
   │                     ╰── used on `bool`
───╯
error[A0302]: the result of `h` should be `i64`, but is `bool`
   ╭─[ test.arr:3:14 ]
   │
 3 │ def h: i64 = true
   │        ┬──   ┬───
   │        ╰─────────── the result is declared here
   │              │
   │              ╰───── this is `bool`
───╯
"#;
}
