//! Wrong names: all that is told about them.

use super::wrong;

wrong! {
    unknown_name: r#"
def f (xs: [3]i64) = lenght xs
"# => r#"
error[A0201]: `lenght` is not defined
   ╭─[ test.arr:1:22 ]
   │
 1 │ def f (xs: [3]i64) = lenght xs
   │                      ┬─────
   │                      ╰─────── unknown here
   │
   │ Help: is `length` meant?
───╯
"#;
    unknown_name_of_a_number_module: r#"
def f (x: f64) = exp x + f64.sqr 2
"# => r#"
error[A0201]: `exp` is not defined
   ╭─[ test.arr:1:18 ]
   │
 1 │ def f (x: f64) = exp x + f64.sqr 2
   │                  ┬──
   │                  ╰──── unknown here
   │
   │ Help: each type of numbers has its own: `f64.exp`
───╯
error[A0201]: the module `f64` has no `sqr`
   ╭─[ test.arr:1:30 ]
   │
 1 │ def f (x: f64) = exp x + f64.sqr 2
   │                              ┬──
   │                              ╰──── unknown here
   │
   │ Help: is `sqrt` meant?
───╯
"#;
    unknown_operator: r#"
def f x = x <*> x
"# => r#"
error[A0201]: `<*>` is not defined
   ╭─[ test.arr:1:13 ]
   │
 1 │ def f x = x <*> x
   │             ┬──
   │             ╰──── unknown here
   │
   │ Help: an operator is defined by `def (<*>) x y = …`
───╯
"#;
    a_type_as_a_function: r#"
def f (x: i64) = f64 x
"# => r#"
error[A0201]: `f64` is not defined
   ╭─[ test.arr:1:18 ]
   │
 1 │ def f (x: i64) = f64 x
   │                  ┬──
   │                  ╰──── unknown here
   │
   │ Help: `f64` is a type; to convert to it write `f64.i64`
───╯
"#;
    local_recursion: r#"
def f = let fac n = if n == 0 then 1 else n * fac (n - 1) in fac 5
"# => r#"
error[A0201]: `fac` is not defined
   ╭─[ test.arr:1:47 ]
   │
 1 │ def f = let fac n = if n == 0 then 1 else n * fac (n - 1) in fac 5
   │                                               ┬──
   │                                               ╰──── unknown here
   │
   │ Help: a local function cannot call itself; make it a `def`, with its types
───╯
"#;
    unknown_type: r#"
type point = {x: f64, y: f64}
def f (p: pont) (x: a) = p.x
"# => r#"
error[A0202]: there is no type `pont`
   ╭─[ test.arr:2:11 ]
   │
 2 │ def f (p: pont) (x: a) = p.x
   │           ┬───
   │           ╰───── unknown here
   │
   │ Help: is `point` meant?
───╯
error[A0202]: there is no type `a`
   ╭─[ test.arr:2:21 ]
   │
 2 │ def f (p: pont) (x: a) = p.x
   │                     ┬
   │                     ╰── unknown here
   │
   │ Help: a type parameter is declared with a quote: `def f 'a …`
───╯
"#;
    unknown_size: r#"
def f [n] (xs: [n]i64) (ys: [m]i64) (zs: [len]i64) = n
"# => r#"
error[A0203]: there is no size `m` here
   ╭─[ test.arr:1:30 ]
   │
 1 │ def f [n] (xs: [n]i64) (ys: [m]i64) (zs: [len]i64) = n
   │                              ┬
   │                              ╰── unknown here
   │
   │ Help: a size parameter is declared in brackets: `def f [m] …`
───╯
error[A0203]: there is no size `len` here
   ╭─[ test.arr:1:43 ]
   │
 1 │ def f [n] (xs: [n]i64) (ys: [m]i64) (zs: [len]i64) = n
   │                                           ┬──
   │                                           ╰──── unknown here
   │
   │ Help: a size parameter is declared in brackets: `def f [len] …`
───╯
"#;
    unknown_field: r#"
type point = {x: f64, y: f64}
def f (p: point) = p.z + (p, 1).2 + (1).x
"# => r#"
error[A0206]: `point` has no field `z`
   ╭─[ test.arr:2:22 ]
   │
 2 │ def f (p: point) = p.z + (p, 1).2 + (1).x
   │                      ┬
   │                      ╰── no such field
   │
   │ Help: it has `x`, `y`
───╯
error[A0206]: `(point, i32)` has no field `2`
   ╭─[ test.arr:2:33 ]
   │
 2 │ def f (p: point) = p.z + (p, 1).2 + (1).x
   │                                 ┬
   │                                 ╰── no such field
   │
   │ Help: it has `0`, `1`
───╯
error[A0206]: `i32` has no field `x`
   ╭─[ test.arr:2:41 ]
   │
 2 │ def f (p: point) = p.z + (p, 1).2 + (1).x
   │                                         ┬
   │                                         ╰── no such field
   │
   │ Help: only records and tuples have fields
───╯
"#;
    unknown_field_of_an_update: r#"
type point = {x: f64, y: f64}
def f (p: point) = p with z = 1
"# => r#"
error[A0206]: `point` has no field `z`
   ╭─[ test.arr:2:27 ]
   │
 2 │ def f (p: point) = p with z = 1
   │                           ┬
   │                           ╰── no such field
   │
   │ Help: it has `x`, `y`
───╯
"#;
    field_of_an_unknown_type: r#"
def f p q = p.x.y + q.0
"# => r#"
error[A0316]: `.x` is used on something whose type is not known
   ╭─[ test.arr:1:15 ]
   │
 1 │ def f p q = p.x.y + q.0
   │               ┬
   │               ╰── no annotation and no other use tells the type of what stands before `.x`
   │
   │ Help: write its type where it is bound: `(p: {x: f64, y: f64})`
───╯
error[A0316]: `.0` is used on something whose type is not known
   ╭─[ test.arr:1:23 ]
   │
 1 │ def f p q = p.x.y + q.0
   │                       ┬
   │                       ╰── no annotation and no other use tells the type of what stands before `.0`
   │
   │ Help: write its type where it is bound: `(p: (f64, f64))`
───╯
"#;
    duplicate_definitions: r#"
def f x = x
type t = i64
def f y = y
type t = f64
"# => r#"
error[A0204]: `f` is defined twice
   ╭─[ test.arr:3:5 ]
   │
 1 │ def f x = x
   │     ┬
   │     ╰── first defined here
   │
 3 │ def f y = y
   │     ┬
   │     ╰── defined again here
   │
   │ Help: rename one of them
───╯
error[A0204]: `t` is defined twice
   ╭─[ test.arr:4:6 ]
   │
 2 │ type t = i64
   │      ┬
   │      ╰── first defined here
   │
 4 │ type t = f64
   │      ┬
   │      ╰── defined again here
   │
   │ Help: rename one of them
───╯
"#;
    duplicate_parameters: r#"
def f [n] [n] 'a 'a (xs: [n]a) (xs: [n]a) = xs
"# => r#"
error[A0205]: two size parameters are named `n`
   ╭─[ test.arr:1:12 ]
   │
 1 │ def f [n] [n] 'a 'a (xs: [n]a) (xs: [n]a) = xs
   │        ┬   ┬
   │        ╰────── first named here
   │            │
   │            ╰── named again here
   │
   │ Help: rename one of them, or write `_` for what is not used
───╯
error[A0205]: two type parameters are named `a`
   ╭─[ test.arr:1:18 ]
   │
 1 │ def f [n] [n] 'a 'a (xs: [n]a) (xs: [n]a) = xs
   │               ┬─ ┬─
   │               ╰────── first named here
   │                  │
   │                  ╰─── named again here
   │
   │ Help: rename one of them, or write `_` for what is not used
───╯
error[A0205]: two parameters are named `xs`
   ╭─[ test.arr:1:33 ]
   │
 1 │ def f [n] [n] 'a 'a (xs: [n]a) (xs: [n]a) = xs
   │                      ┬─         ┬─
   │                      ╰────────────── first named here
   │                                 │
   │                                 ╰─── named again here
   │
   │ Help: rename one of them, or write `_` for what is not used
───╯
"#;
    duplicate_variables_and_fields: r#"
def f x = let (a, {y = a}) = x in {b = 1, b = 2}
"# => r#"
error[A0205]: two variables of this pattern are named `a`
   ╭─[ test.arr:1:24 ]
   │
 1 │ def f x = let (a, {y = a}) = x in {b = 1, b = 2}
   │                ┬       ┬
   │                ╰────────── first named here
   │                        │
   │                        ╰── named again here
   │
   │ Help: rename one of them, or write `_` for what is not used
───╯
error[A0205]: two fields are named `b`
   ╭─[ test.arr:1:43 ]
   │
 1 │ def f x = let (a, {y = a}) = x in {b = 1, b = 2}
   │                                    ┬      ┬
   │                                    ╰───────── first named here
   │                                           │
   │                                           ╰── named again here
   │
   │ Help: rename one of them, or write `_` for what is not used
───╯
"#;
    intrinsics_are_the_prelude_s: r#"
intrinsic map2 (x: i64): i64
"# => r#"
error[A0207]: the compiler knows no intrinsic `map2` here
   ╭─[ test.arr:1:11 ]
   │
 1 │ intrinsic map2 (x: i64): i64
   │           ┬───
   │           ╰───── declared here
   │
   │ Help: only the prelude declares intrinsics; write a `def` with a body
───╯
"#;
}
