//! Wrong calls, operators and branches: all that is told about them.

use super::wrong;

wrong! {
    argument: r#"
type point = {x: f64, y: f64}
def move (p: point) (by: f64) = p with x = p.x + by
def f (n: i64) = move {x = 1, y = 2} n
def g (n: i64) = f64.sqrt n
"# => r#"
error[A0302]: argument 2 of `move` should be `f64`, but is `i64`
   ╭─[ test.arr:3:38 ]
   │
 2 │ def move (p: point) (by: f64) = p with x = p.x + by
   │                     ┬────────
   │                     ╰────────── the parameter `by` of `move` is declared here
 3 │ def f (n: i64) = move {x = 1, y = 2} n
   │                                      ┬
   │                                      ╰── this is `i64`
   │
   │ Help: convert it with `f64.i64`, which rounds numbers beyond 2^53
───╯
error[A0302]: argument 1 of `f64.sqrt` should be `f64`, but is `i64`
   ╭─[ test.arr:4:27 ]
   │
 4 │ def g (n: i64) = f64.sqrt n
   │                           ┬
   │                           ╰── this is `i64`
   │
   │ Help: convert it with `f64.i64`, which rounds numbers beyond 2^53
───╯
"#;
    argument_in_a_part: r#"
def f (xs: [3]f64) = filter (\x -> x + 1) xs
"# => r#"
error[A0302]: argument 1 of `filter` should be `f64 -> bool`, but is `f64 -> f64`
   ╭─[ test.arr:1:29 ]
   │
 1 │ def f (xs: [3]f64) = filter (\x -> x + 1) xs
   │                             ┬────────────
   │                             ╰────────────── this is `f64 -> f64`
   │
   │ Help: compare it with something: `x != 0`
   │
   │ Note 1: `filter` is `(a -> bool) -> [n]a -> ?[k].[k]a`
   │
   │ Note 2: `f64` is found where `bool` should be
───╯
"#;
    argument_of_a_local_function: r#"
def f (x: bool) = let add (a: i64) b = a + b in add 1 x
"# => r#"
error[A0302]: argument 2 of `add` should be `i64`, but is `bool`
   ╭─[ test.arr:1:55 ]
   │
 1 │ def f (x: bool) = let add (a: i64) b = a + b in add 1 x
   │                                    ┬                  ┬
   │                                    ╰───────────────────── the parameter `b` of `add` is declared here
   │                                                       │
   │                                                       ╰── this is `bool`
───╯
"#;
    too_many_arguments: r#"
type point = {x: f64, y: f64}
def norm (p: point) = p.x
def f (p: point) = norm p 1
"# => r#"
error[A0306]: `norm` takes 1 argument, but is given 2
   ╭─[ test.arr:3:27 ]
   │
 2 │ def norm (p: point) = p.x
   │     ┬───
   │     ╰───── `norm` is defined here
 3 │ def f (p: point) = norm p 1
   │                           ┬
   │                           ╰── without this, the call is already `f64`
   │
   │ Help: leave the argument out, or put parentheses around a call that is itself an argument
   │
   │ Note: `norm` is `point -> f64`
───╯
"#;
    not_a_function: r#"
def f (x: i64) = x 1 + 2 3
"# => r#"
error[A0306]: `x` is `i64`, not a function
   ╭─[ test.arr:1:18 ]
   │
 1 │ def f (x: i64) = x 1 + 2 3
   │                  ┬ ┬
   │                  ╰──── this is `i64`
   │                    │
   │                    ╰── so it cannot be applied to this
   │
   │ Help: is an operator or a comma missing between the two?
───╯
error[A0306]: a value of the type `i32` is not a function
   ╭─[ test.arr:1:24 ]
   │
 1 │ def f (x: i64) = x 1 + 2 3
   │                        ┬ ┬
   │                        ╰──── this is `i32`
   │                          │
   │                          ╰── so it cannot be applied to this
   │
   │ Help: is an operator or a comma missing between the two?
───╯
"#;
    missing_argument: r#"
def f (xs: [3]f64): f64 = reduce (+) 0
"# => r#"
error[A0302]: the result of `f` should be `f64`, but is `[n]i32 -> i32`
   ╭─[ test.arr:1:27 ]
   │
 1 │ def f (xs: [3]f64): f64 = reduce (+) 0
   │                     ┬──   ┬───────────
   │                     ╰─────────────────── the result is declared here
   │                           │
   │                           ╰───────────── this is `[n]i32 -> i32`
   │
   │ Help: is an argument missing? This still takes `[n]i32`
───╯
"#;
    branches: r#"
def f (c: bool) (x: i32) (y: f64) = if c then x else y
"# => r#"
error[A0303]: the branches of this `if` have different types
   ╭─[ test.arr:1:54 ]
   │
 1 │ def f (c: bool) (x: i32) (y: f64) = if c then x else y
   │                                               ┬      ┬
   │                                               ╰───────── this is `i32`
   │                                                      │
   │                                                      ╰── this is `f64`
   │
   │ Help: convert the `i32` with `f64.i32`
───╯
"#;
    condition: r#"
def f (n: i64) = if n then 1 else 2
"# => r#"
error[A0304]: the condition of an `if` should be `bool`, but is `i64`
   ╭─[ test.arr:1:21 ]
   │
 1 │ def f (n: i64) = if n then 1 else 2
   │                     ┬
   │                     ╰── this is `i64`
   │
   │ Help: compare it with something: `x != 0`
───╯
"#;
    operands: r#"
def f (a: i32) (b: f64) = a * b
"# => r#"
error[A0305]: the operands of `*` have different types
   ╭─[ test.arr:1:31 ]
   │
 1 │ def f (a: i32) (b: f64) = a * b
   │                           ┬   ┬
   │                           ╰────── this is `i32`
   │                               │
   │                               ╰── this is `f64`
   │
   │ Help: convert `a`: `f64.i32 a`
   │       - def f (a: i32) (b: f64) = a * b
   │       + def f (a: i32) (b: f64) = f64.i32 a * b
───╯
"#;
    operator_without_the_type: r#"
def f (xs: [3]f64) (b: bool) = xs + xs
def g (b: bool) = -b
def h = 1.5 << 2
"# => r#"
error[A0305]: `+` is not defined on `[3]f64`
   ╭─[ test.arr:1:35 ]
   │
 1 │ def f (xs: [3]f64) (b: bool) = xs + xs
   │                                ┬─ ┬
   │                                ╰───── this is `[3]f64`
   │                                   │
   │                                   ╰── used on `[3]f64`
   │
   │ Help: apply it to each element: `map2 (+) xs ys`, or `map (+ x) xs`
───╯
error[A0305]: `-` is not defined on `bool`
   ╭─[ test.arr:2:19 ]
   │
 2 │ def g (b: bool) = -b
   │                   ┬┬
   │                   ╰─── used on `bool`
   │                    │
   │                    ╰── this is `bool`
───╯
error[A0305]: `<<` is not defined on `f64`
   ╭─[ test.arr:3:13 ]
   │
 3 │ def h = 1.5 << 2
   │         ┬── ┬─
   │         ╰─────── this is `f64`
   │             │
   │             ╰─── used on `f64`
───╯
"#;
    operator_on_a_type_parameter: r#"
def f 'a (x: a) = x + x
"# => r#"
error[A0305]: `+` is not defined on `a`
   ╭─[ test.arr:1:21 ]
   │
 1 │ def f 'a (x: a) = x + x
   │                   ┬ ┬
   │                   ╰──── this is `a`
   │                     │
   │                     ╰── used on `a`
   │
   │ Help: take the operation as a parameter, or write a type that has `+` in the place of `a`
───╯
"#;
    operator_on_a_function: r#"
def f (g: i64 -> i64 -> i64) = g 1 + 2
"# => r#"
error[A0305]: `+` is not defined on `i64 -> i64`
   ╭─[ test.arr:1:36 ]
   │
 1 │ def f (g: i64 -> i64 -> i64) = g 1 + 2
   │                                ┬── ┬
   │                                ╰────── this is `i64 -> i64`
   │                                    │
   │                                    ╰── used on `i64 -> i64`
   │
   │ Help: is an argument missing? This still takes `i64`
───╯
"#;
    operator_in_a_section: r#"
def f (xs: [3]bool) = reduce (+) 0 xs
"# => r#"
error[A0305]: `+` is not defined on `bool`
   ╭─[ test.arr:1:30 ]
   │
 1 │ def f (xs: [3]bool) = reduce (+) 0 xs
   │                              ┬──   ┬─
   │                              ╰───────── used on `bool`
   │                                    │
   │                                    ╰─── this is `[3]bool`
───╯
"#;
    logic: r#"
def f (n: i64) = n && !n
"# => r#"
error[A0302]: an operand of `&&` should be `bool`, but is `i64`
   ╭─[ test.arr:1:18 ]
   │
 1 │ def f (n: i64) = n && !n
   │                  ┬
   │                  ╰── this is `i64`
   │
   │ Help: compare it with something: `x != 0`
───╯
error[A0302]: an operand of `&&` should be `bool`, but is `i64`
   ╭─[ test.arr:1:23 ]
   │
 1 │ def f (n: i64) = n && !n
   │                       ┬─
   │                       ╰─── this is `i64`
   │
   │ Help: compare it with something: `x != 0`
───╯
"#;
    elements: r#"
def f = [1, 2.5f32, true]
"# => r#"
error[A0302]: the elements of this array have different types
   ╭─[ test.arr:1:21 ]
   │
 1 │ def f = [1, 2.5f32, true]
   │          ┬          ┬───
   │          ╰──────────────── this is `f32`
   │                     │
   │                     ╰───── this is `bool`
───╯
"#;
    annotation: r#"
def f (n: i64) (y: f64) = let x: f64 = n in (y : f32)
"# => r#"
error[A0302]: this should be `f64`, but is `i64`
   ╭─[ test.arr:1:31 ]
   │
 1 │ def f (n: i64) (y: f64) = let x: f64 = n in (y : f32)
   │                               ┬  ┬──
   │                               ╰─────── this is `i64`
   │                                  │
   │                                  ╰──── because of this annotation
   │
   │ Help: convert it with `f64.i64`, which rounds numbers beyond 2^53
───╯
error[A0302]: this should be `f32`, but is `f64`
   ╭─[ test.arr:1:46 ]
   │
 1 │ def f (n: i64) (y: f64) = let x: f64 = n in (y : f32)
   │                                              ┬   ┬──
   │                                              ╰──────── this is `f64`
   │                                                  │
   │                                                  ╰──── because of this annotation
   │
   │ Help: convert it with `f32.f64`, which keeps about 7 digits
───╯
"#;
}
