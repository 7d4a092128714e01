//! Wrong sizes: all that is told about them.

use super::wrong;

wrong! {
    bad1: r#"
def bad1 [n] (xs: [n]i64) =
  let flt = filter (> 0) xs
  in map2 (+) flt xs
"# => r#"
error[A0301]: the arguments of `map2` have different sizes
   ╭─[ test.arr:3:19 ]
   │
 1 │ def bad1 [n] (xs: [n]i64) =
   │               ┬─
   │               ╰─── the parameter `xs` has size `n`, declared here
 2 │   let flt = filter (> 0) xs
   │             ┬──────────────
   │             ╰──────────────── `filter` makes the size `k` here
 3 │   in map2 (+) flt xs
   │               ┬── ┬─
   │               ╰─────── this has size `k`
   │                   │
   │                   ╰─── this has size `n`
   │
   │ Help 1: how many elements `filter` keeps is only known when it has run; to keep arrays in step, filter their pairs: `filter (\(x, y) -> …) (zip xs ys)`
   │
   │ Help 2: to go as far as the shorter one goes, use `zip_with_min f xs ys`
   │
   │ Note: `map2` is `(a -> b -> c) -> [m]a -> [m]b -> [m]c`
───╯
"#;
    bad2: r#"
def bad2 [n] (xs: [n]i64) =
  map2 (+) (filter (> 0) xs) (filter (< 9) xs)
"# => r#"
error[A0301]: the arguments of `map2` have different sizes
   ╭─[ test.arr:2:30 ]
   │
 2 │   map2 (+) (filter (> 0) xs) (filter (< 9) xs)
   │            ┬──────────────── ┬────────────────
   │            ╰──────────────────────────────────── `filter` makes the size `k` here
   │                              │
   │                              ╰────────────────── `filter` makes the size `m` here
   │
   │ Help 1: how many elements `filter` keeps is only known when it has run; to keep arrays in step, filter their pairs: `filter (\(x, y) -> …) (zip xs ys)`
   │
   │ Help 2: to go as far as the shorter one goes, use `zip_with_min f xs ys`
   │
   │ Note: `map2` is `(a -> b -> c) -> [m]a -> [m]b -> [m]c`
───╯
"#;
    two_parameters: r#"
def f [n] [m] (xs: [n]i64) (ys: [m]i64) = zip xs ys
"# => r#"
error[A0301]: the arguments of `zip` have different sizes
   ╭─[ test.arr:1:50 ]
   │
 1 │ def f [n] [m] (xs: [n]i64) (ys: [m]i64) = zip xs ys
   │                ┬─           ┬─                ┬─ ┬─
   │                ╰───────────────────────────────────── the parameter `xs` has size `n`, declared here
   │                             │                 │  │
   │                             ╰──────────────────────── the parameter `ys` has size `m`, declared here
   │                                               │  │
   │                                               ╰────── this has size `n`
   │                                                  │
   │                                                  ╰─── this has size `m`
   │
   │ Help 1: if the sizes are equal, have it checked when the program runs: `(… :> [n]i64)`
   │         - def f [n] [m] (xs: [n]i64) (ys: [m]i64) = zip xs ys
   │         + def f [n] [m] (xs: [n]i64) (ys: [m]i64) = zip xs (ys :> [n]i64)
   │
   │ Help 2: make both from the same array, or declare them with the same size parameter
   │
   │ Note: `zip` is `[k]a -> [k]b -> [k](a, b)`
───╯
"#;
    two_values: r#"
def f (n: i64) (m: i64) = zip (iota n) (iota (m + 1))
"# => r#"
error[A0301]: the arguments of `zip` have different sizes
   ╭─[ test.arr:1:40 ]
   │
 1 │ def f (n: i64) (m: i64) = zip (iota n) (iota (m + 1))
   │        ┬        ┬             ┬─────── ┬─────────────
   │        ╰─────────────────────────────────────────────── `n` is bound here
   │                 │             │        │
   │                 ╰────────────────────────────────────── `m` is bound here
   │                               │        │
   │                               ╰──────────────────────── this has size `n`
   │                                        │
   │                                        ╰─────────────── this has size `m+1`
   │
   │ Help 1: if the sizes are equal, have it checked when the program runs: `(… :> [n]i64)`
   │         - def f (n: i64) (m: i64) = zip (iota n) (iota (m + 1))
   │         + def f (n: i64) (m: i64) = zip (iota n) ((iota (m + 1)) :> [n]i64)
   │
   │ Help 2: make both from the same array, or declare them with the same size parameter
   │
   │ Note: `zip` is `[k]a -> [k]b -> [k](a, b)`
───╯
"#;
    result_of_another_size: r#"
def f [n] (xs: [n]i64): [n]i64 = filter (> 0) xs
"# => r#"
error[A0301]: the result of `f` should have size `n`, but has size `k`
   ╭─[ test.arr:1:34 ]
   │
 1 │ def f [n] (xs: [n]i64): [n]i64 = filter (> 0) xs
   │            ┬─           ┬─────   ┬──────────────
   │            ╰────────────────────────────────────── the parameter `xs` has size `n`, declared here
   │                         │        │
   │                         ╰───────────────────────── the result is declared here
   │                                  │
   │                                  ╰──────────────── `filter` makes the size `k` here
   │
   │ Help: let the result have a size of its own: `?[k].[k]i64`
   │
   │ Note: expected `[n]i64`, found `[k]i64`
───╯
"#;
    result_of_another_literal: r#"
def f: [2]i64 = [1, 2, 3]
"# => r#"
error[A0301]: the result of `f` should have size `2`, but has size `3`
   ╭─[ test.arr:1:17 ]
   │
 1 │ def f: [2]i64 = [1, 2, 3]
   │        ┬─────   ┬────────
   │        ╰─────────────────── the result is declared here
   │                 │
   │                 ╰────────── this has size `3`
   │
   │ Help: give it as many elements as the type says, or change the type
   │
   │ Note: expected `[2]i64`, found `[3]i64`
───╯
"#;
    branches_of_two_sizes: r#"
def f (c: bool) = map2 (+) (if c then [1] else [1, 2]) [1, 2]
"# => r#"
error[A0301]: the arguments of `map2` have different sizes
   ╭─[ test.arr:1:56 ]
   │
 1 │ def f (c: bool) = map2 (+) (if c then [1] else [1, 2]) [1, 2]
   │                            ┬────────────────────────── ┬─────
   │                            ╰─────────────────────────────────── the branches of this `if` have different sizes, so the result has a size `k` of its own
   │                                                        │
   │                                                        ╰─────── this has size `2`
   │
   │ Help: the branches of the `if` have different sizes; use its result where any size will do, or give the branches the same size
   │
   │ Note: `map2` is `(a -> b -> c) -> [n]a -> [n]b -> [n]c`
───╯
"#;
    elements_of_two_sizes: r#"
def f = [[1, 2], [3]]
"# => r#"
error[A0301]: the elements of this array have different sizes
   ╭─[ test.arr:1:18 ]
   │
 1 │ def f = [[1, 2], [3]]
   │          ┬─────  ┬──
   │          ╰──────────── this has size `2`
   │                  │
   │                  ╰──── this has size `1`
   │
   │ Help: all rows of an array have the same size
   │
   │ Note: expected `[2]i32`, found `[1]i32`
───╯
"#;
    own_function_s_arguments: r#"
def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)
def f [n] (xs: [n]f64) = dot xs (xs ++ [1])
"# => r#"
error[A0301]: the arguments of `dot` have different sizes
   ╭─[ test.arr:2:33 ]
   │
 2 │ def f [n] (xs: [n]f64) = dot xs (xs ++ [1])
   │                              ┬─ ┬──────────
   │                              ╰─────────────── this has size `n`
   │                                 │
   │                                 ╰──────────── this has size `n+1`
   │
   │ Help: make both from the same array, or declare them with the same size parameter
   │
   │ Note: `dot` is `[m]f64 -> [m]f64 -> f64`
───╯
"#;
    argument_of_a_fixed_size: r#"
def f (xs: [3]f64) = xs[0]
def g = f [1, 2]
"# => r#"
error[A0301]: argument 1 of `f` should have size `3`, but has size `2`
   ╭─[ test.arr:2:11 ]
   │
 1 │ def f (xs: [3]f64) = xs[0]
   │       ┬───────────
   │       ╰───────────── the parameter `xs` of `f` is declared here
 2 │ def g = f [1, 2]
   │           ┬─────
   │           ╰─────── this has size `2`
   │
   │ Help: give it as many elements as the type says, or change the type
   │
   │ Note: expected `[3]f64`, found `[2]f64`
───╯
"#;
    rows_of_many_sizes: r#"
def f [n] (xs: [n]i64) = map (\x -> iota x) xs
def g [n] (xs: [n]i64) = map (\x -> filter (> x) xs) xs
"# => r#"
error[A0307]: this function gives an array of another size at each call
   ╭─[ test.arr:1:30 ]
   │
 1 │ def f [n] (xs: [n]i64) = map (\x -> iota x) xs
   │                              ┬─┬───────────
   │                              ╰─────────────── used where every call must give the same size
   │                                │
   │                                ╰───────────── the size `x` is made here
   │
   │ Help: the elements of an array all have one size; reduce each row to a scalar, or give all rows the same size
───╯
error[A0307]: this function gives an array of another size at each call
   ╭─[ test.arr:2:30 ]
   │
 2 │ def g [n] (xs: [n]i64) = map (\x -> filter (> x) xs) xs
   │                              ┬──────┬───────────────
   │                              ╰──────────────────────── used where every call must give the same size
   │                                     │
   │                                     ╰───────────────── `filter` makes the size `k` here
   │
   │ Help: the elements of an array all have one size; reduce each row to a scalar, or give all rows the same size
───╯
"#;
    sizes_that_are_not_there_yet: r#"
def f ys xs = map2 (+) ys (filter (> 0) xs)
def g = let e = [] in e ++ [filter (> 0) [1, 2]]
"# => r#"
error[A0307]: the size `k` is needed where it is not known yet
   ╭─[ test.arr:1:27 ]
   │
 1 │ def f ys xs = map2 (+) ys (filter (> 0) xs)
   │                        ┬─ ┬────────────────
   │                        ╰───────────────────── this would have the same size, but is there before
   │                           │
   │                           ╰────────────────── `filter` makes the size `k` here
   │
   │ Help: how many elements `filter` keeps is only known when it has run; to keep arrays in step, filter their pairs: `filter (\(x, y) -> …) (zip xs ys)`
───╯
error[A0307]: the size `k` is needed where it is not known yet
   ╭─[ test.arr:2:17 ]
   │
 2 │ def g = let e = [] in e ++ [filter (> 0) [1, 2]]
   │                 ┬─          ┬──────────────────
   │                 ╰──────────────────────────────── needed here
   │                             │
   │                             ╰──────────────────── `filter` makes the size `k` here
   │
   │ Help: how many elements `filter` keeps is only known when it has run; to keep arrays in step, filter their pairs: `filter (\(x, y) -> …) (zip xs ys)`
───╯
"#;
    undetermined: r#"
def f [n] (x: i64): [x]i64 = replicate x 1
"# => r#"
error[A0317]: no argument tells the size `n`
   ╭─[ test.arr:1:8 ]
   │
 1 │ def f [n] (x: i64): [x]i64 = replicate x 1
   │        ┬
   │        ╰── declared here
   │
   │ Help: for a result whose size is computed write `?[n].[n]t`; for a size that is given, add a parameter `(n: i64)`
   │
   │ Note: a size parameter is told by a parameter that has it as a dimension, such as `(xs: [n]f64)`
───╯
"#;
    no_sizes: r#"
def f (xs: [3 / 2]i64) (x: f64) (ys: [x]i64) (zs: [length xs]i64) (us: [1u8]i64) = xs
"# => r#"
error[A0318]: this operator cannot stand in a size
   ╭─[ test.arr:1:13 ]
   │
 1 │ def f (xs: [3 / 2]i64) (x: f64) (ys: [x]i64) (zs: [length xs]i64) (us: [1u8]i64) = xs
   │             ┬────
   │             ╰────── not a size
   │
   │ Help: sizes are made of names, whole numbers, `+`, `-` and `*`; bind anything else by `let` first
───╯
error[A0318]: a size is `i64`, but `x` is `f64`
   ╭─[ test.arr:1:39 ]
   │
 1 │ def f (xs: [3 / 2]i64) (x: f64) (ys: [x]i64) (zs: [length xs]i64) (us: [1u8]i64) = xs
   │                         ┬             ┬
   │                         ╰──────────────── `x` is bound here
   │                                       │
   │                                       ╰── used as a size
   │
   │ Help: make it `i64`, for example by `i64.f64 x`
───╯
error[A0318]: a call cannot stand in a size
   ╭─[ test.arr:1:52 ]
   │
 1 │ def f (xs: [3 / 2]i64) (x: f64) (ys: [x]i64) (zs: [length xs]i64) (us: [1u8]i64) = xs
   │                                                    ┬────────
   │                                                    ╰────────── not a size
   │
   │ Help: sizes are made of names, whole numbers, `+`, `-` and `*`; bind anything else by `let` first
───╯
error[A0318]: a number that is not of type `i64` cannot stand in a size
   ╭─[ test.arr:1:73 ]
   │
 1 │ def f (xs: [3 / 2]i64) (x: f64) (ys: [x]i64) (zs: [length xs]i64) (us: [1u8]i64) = xs
   │                                                                         ┬──
   │                                                                         ╰──── not a size
   │
   │ Help: sizes are made of names, whole numbers, `+`, `-` and `*`; bind anything else by `let` first
───╯
"#;
    misplaced_exists: r#"
def f (xs: ?[k].[k]i64) = xs
"# => r#"
error[A0319]: `?[k]` can only stand before the result of a function
   ╭─[ test.arr:1:12 ]
   │
 1 │ def f (xs: ?[k].[k]i64) = xs
   │            ┬──────────
   │            ╰──────────── not a result
   │
   │ Help: for a parameter, declare a size parameter: `def f [k] (xs: [k]f64)`; elsewhere write `[]` for a size to be found
───╯
"#;
    sizes_at_the_end: r#"
def f xs ys zs = (zip (cross xs ys) zs, zip xs [1, 2], zip ys [1], zip zs [1, 2, 3])
"# => r#"
error[A0301]: the arguments of `zip` have different sizes
   ╭─[ test.arr:1:75 ]
   │
 1 │ def f xs ys zs = (zip (cross xs ys) zs, zip xs [1, 2], zip ys [1], zip zs [1, 2, 3])
   │                                                                        ┬─ ┬────────
   │                                                                        ╰───────────── this has size `2`
   │                                                                           │
   │                                                                           ╰────────── this has size `3`
   │
   │ Help: give it as many elements as the type says, or change the type
   │
   │ Note: `zip` is `[n]a -> [n]b -> [n](a, b)`
───╯
"#;
}
