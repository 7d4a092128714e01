//! Programs that the verifier rejects.

use super::{parse, verify};

/// A loop that makes the rows of a matrix shorter, where the types are `carried` in a step, `next` after it, and `last`
/// after the loop.
fn shrinking(carried: &str, next: &str, last: &str) -> Result<(), String> {
    let exists = if last.contains('l') { "?[l]." } else { "" };
    let text = format!(
        "def f [n] [m] (xs: [n][m]i64) (k: i64): {exists}{last} =
  let t = length xs
  let a: {last} = loop x: {carried} = xs for i < k do
      let w = length (head x)
      let v = w - 1i64
      let b: {next} = generate t (\\i_2 ->
          let r: [m_3]i64 = generate v (\\j -> let e = x[i_2, j] in e)
          in r)
      in b
  in a
"
    );
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    verify(&program)
}

#[test]
fn a_loop_carries_each_size_that_changes() {
    assert_eq!(shrinking("[n][m_2]i64", "[n][m_4]i64", "[n][l]i64"), Ok(()));
    let told = "f: broken: size 2 of `x` (v3) is kept, or a size of its own in each step";
    for (carried, next, last) in [
        ("[n][m]i64", "[n][m_4]i64", "[n][m]i64"),
        ("[n][m]i64", "[n][m_4]i64", "[n][l]i64"),
        ("[n][m_2]i64", "[n][m_4]i64", "[n][m]i64"),
        ("[n][m]i64", "[n][m]i64", "[n][l]i64"),
    ] {
        let broken = shrinking(carried, next, last).expect_err("the size is not kept");
        assert!(broken.starts_with(told), "{broken}");
    }
}

#[test]
fn sizes_that_are_equal_in_a_step_are_equal_after_it() {
    let text = |size: &str| {
        format!(
            "def f [n] (xs: [n]i64) (ys: [n]i64) (k: i64): ?[l].([l]i64, [l]i64) =
  let (a: [l]i64, b: [l]i64) = loop (x: [m]i64, y: [m]i64) = (xs, ys) for i < k do
      let v: [m_2]i64 = filter (\\e -> let t = e > i in t) x
      let w: [{size}]i64 = filter (\\e -> let t = e > i in t) y
      in (v, w)
  in (a, b)
"
        )
    };
    let told = |size: &str| {
        let text = text(size);
        verify(&parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}")))
    };
    assert_eq!(told("m_2"), Ok(()));
    let broken = told("m_3").expect_err("two filters keep two numbers of elements");
    assert!(broken.starts_with("f: broken: size 1 of `y`"), "{broken}");
}
