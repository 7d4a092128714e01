//! Tests of the parsers of forms. A printed form parses to the same form, and a parse error has a line and a column.
//! The harness tests the same for the programs of the project (`tests/src/forms.rs`).

use std::fmt::Display;

use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_fusion::cnf::parse;
use arrc_fusion::cnf::verify;
use arrc_fusion::form::FormError;
use arrc_loops::concrete;
use arrc_loops::concrete::{Phase, Plain};
use arrc_syntax::source::Sources;

/// A program with everything that has a form of its own in the text.
const PROGRAM: &str = r#"#[effect(io)]
external report (x: i64): ()

external median (xs: []f64): f64

-- | Two lines
-- of a comment.
entry all [n] [m] (xs: [n]i64) (ys: [n]i64) (xss: [n][m]f64) (c: bool) (k: i64): ?[j].([j]i64, [n + 1]i64, i64, [k]i64, f64) =
  let () = assert c else slice "from \"" k "\" on " (-1i64)
  let (as, bs) = unzip (filter (\(x, _) -> x > 0i64) (zip xs ys))
  let ds = filter (\y -> y < 0i64) ys keeping xs
  let es = [1i64, -2i64, -9223372036854775808i64]
  let fs = array [1i64]
  let gs = [[1.5f64, f64.nan], [-f64.inf, 1e300f64]]
  let hs = xs ++ fs
  let w = length (head xss)
  let sums = map (\row ->
      let s = fold (\acc x_1 -> acc + x_1) 0.0f64 row
      in s) xss
  let mid = median sums
  let (i, total) = loop (at, sum) = (k, 0i64) while (\(p, q) -> p > 0i64) (at, sum) do
      let at_1 = at - 1i64
      let sum_1 = i64.max sum at
      in (at_1, sum_1)
  let is = generate k (\place -> i64.f64 mid)
  let () = report total
  let last = if c then
      k
    else
      let z = xs[k]
      in z
  in (as, hs, last, is, mid)
"#;

#[test]
fn what_is_read_prints_as_it_was() {
    let program = parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(program.to_string(), PROGRAM);
}

/// The words of operations are names of functions and variables in Arr.
#[test]
fn functions_with_the_names_of_operations_read_back() {
    let words = ["inside", "sort_up", "map2", "unzip3", "head", "keeping", "reduce_comm"];
    for word in words {
        let text = format!(
            "#[noinline]
def {word} [n] (xs: [n]i64) (k: i64): i64 = if k < 0 then 0 else {word} (map (+ k) xs) (k - 1) + xs[k % n]
entry all [n] (xs: [n]i64) (ys: [n]i64): i64 =
  let here = map2_ (\\x y -> if x > y then xs[x % n] else y) xs (sort (<=) ys)
  in {word} here 3 + i64.sum (filter (> 0) ys)
def map2_ f xs ys = map (\\(x, y) -> f x y) (zip xs ys)
"
        );
        let mut sources = Sources::default();
        let id = sources.add("words.arr", text);
        let program = pipeline::normal_form(&mut sources, id, &NoFiles)
            .unwrap_or_else(|errors| panic!("{word}: {errors:?}"));
        assert_eq!(changed(&program, parse, verify), None, "{word}");
        let nests = pipeline::complete(pipeline::nests(program, &Options::default()).0);
        assert_eq!(changed_nests(&nests), None, "{word}");
    }
}

#[test]
fn mistakes_have_a_place() {
    let body = |body: &str| format!("def f [n] (xs: [n]i64) (c: bool): i64 =\n  {body}");
    let cases = [
        (body("let a = 1i64"), "2:15: "),
        (body("y"), "2:3: there is no variable `y`"),
        (body("let (a, b) = c && c in a"), "2:16: this has 1 results, and binds 2"),
    ];
    for (text, wanted) in cases {
        let error = parse(&text).expect_err("the text has a mistake").to_string();
        assert!(error.starts_with(wanted), "{text}\n{error}");
    }
}

#[test]
fn mistakes_in_nests_have_a_place() {
    let cases = [
        ("release xs; yield (1i64)", "2:15: a phase in which arrays have ends is wanted"),
        ("y = xs ++ xs; yield (1i64)", "2:5: the type of an array is wanted"),
        ("y = 1i64 + z; yield (y)", "2:16: there is no variable `z`"),
        ("y = call g; yield (y)", "2:14: there is no function `g`"),
        ("y = 1i64 xor 2i64; yield (y)", "2:14: an operator is wanted"),
    ];
    for (body, wanted) in cases {
        let text = format!("function f (xs : [n]i64) : i64\n= {{ {body} }}\n");
        let error =
            arrc_loops::concrete::parse::<Plain>(&text).expect_err("the text has a mistake");
        assert_eq!(error.to_string(), wanted, "{text}");
    }
}

/// The difference after a form was read from its text and printed, if there is one.
fn changed<T: Display>(
    form: &T,
    read: impl Fn(&str) -> Result<T, FormError>,
    verify: impl Fn(&T) -> Result<(), String>,
) -> Option<String> {
    let text = form.to_string();
    let read = read(&text).map_err(|error| {
        let line = text.lines().nth(error.at.line as usize - 1).unwrap_or_default();
        format!("{error}: {line}")
    });
    match read.and_then(|read| verify(&read).map(|()| read.to_string())) {
        Ok(again) if again == text => None,
        Ok(again) => {
            let lines = text.lines().zip(again.lines()).find(|(one, other)| one != other);
            Some(format!("{lines:?}"))
        }
        Err(error) => Some(error),
    }
}

fn changed_nests<P: Phase>(form: &concrete::Program<P>) -> Option<String> {
    changed(form, arrc_loops::concrete::parse, concrete::Program::verify)
}
