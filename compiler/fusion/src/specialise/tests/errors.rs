//! Well-typed programs that cannot be compiled.

use super::rejected;

/// The program is rejected once, with this code, at this text.
fn check(text: &str, code: &str, place: &str) {
    let errors = rejected(text);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].code.0, code, "{errors:?}");
    let span = errors[0].primary.as_ref().expect("it has a place").span;
    assert_eq!(&text[span.start as usize..span.end as usize], place);
    assert!(!errors[0].helps.is_empty(), "it says what to do");
}

#[test]
fn functions_where_only_data_can_be() {
    check(
        "def copies 'a (x: a): i64 = length (replicate 3 x)\n\
         entry f (x: i64): i64 = copies (+ x)",
        "A0402",
        "(replicate 3 x)",
    );
    check(
        "def pick 'a (c: bool) (x: a) (y: a): a = if c then x else y\n\
         entry f (c: bool) (x: i64): i64 = pick c (+ 1) (+ 2) x",
        "A0402",
        "if c then x else y",
    );
    check(
        "def last 'a (n: i64) (x: a): a = if n == 0 then x else last (n - 1) x\n\
         entry f (x: i64): i64 = last 3 (+ 1) x",
        "A0402",
        "last 3 (+ 1) x",
    );
}

#[test]
fn elements_without_components() {
    check(
        "entry f [n] (xs: [n]i64): i64 = length (map (\\_ -> ()) xs)",
        "A0403",
        "(map (\\_ -> ()) xs)",
    );
}

#[test]
fn folds_that_carry_functions() {
    check(
        "entry f [n] (xs: [n]i64): i64 = (fold (\\g x -> \\y -> g y + x) (+ 1) xs) 3",
        "A0402",
        "(fold (\\g x -> \\y -> g y + x) (+ 1) xs)",
    );
}

#[test]
fn specialisation_without_an_end() {
    check(
        "def climb (g: i64 -> i64) (n: i64): i64 =\n\
         if n == 0 then g 0 else climb (\\x -> g (x + 1)) (n - 1)\n\
         entry f (n: i64): i64 = climb (\\x -> x) n",
        "A0405",
        "climb (\\x -> g (x + 1)) (n - 1)",
    );
    check(
        "def branch (g: i64 -> i64) (n: i64): i64 =\n\
         if n == 0 then g 0\n\
         else branch (\\x -> g (x + 1)) (n - 1) + branch (\\x -> g (x + 2)) (n - 1)\n\
         entry f (n: i64): i64 = branch (\\x -> x) n",
        "A0405",
        "branch (\\x -> g (x + 1)) (n - 1)",
    );
}

#[test]
fn programs_that_grow_without_measure() {
    let mut text = String::from("def g0 (x: i64): i64 = x * x + 1\n");
    for level in 0..30 {
        text.push_str(&format!(
            "def g{} (x: i64): i64 = g{level} x + g{level} (x + 1)\n",
            level + 1
        ));
    }
    text.push_str("entry f (x: i64): i64 = g30 x");
    let errors = rejected(&text);
    assert_eq!(errors[0].code.0, "A0406");
}

/// No type of this program is large as it is written. Each becomes large by its type arguments.
#[test]
fn values_that_grow_without_measure() {
    let mut text = String::from(
        "def pair x = (x, x)
         def pairs x = pair (pair (pair (pair (pair (pair (pair (pair (pair (pair x)))))))))
         def h0 x = 1i64\n",
    );
    for level in 0..5 {
        text.push_str(&format!("def h{} x = h{level} (pairs x)\n", level + 1));
    }
    text.push_str("entry f (x: i64): i64 = h5 x");
    let errors = rejected(&text);
    assert_eq!(errors[0].code.0, "A0406");
}

#[test]
fn every_entry_is_checked() {
    let text = "entry f (n: i64): i64 = length (replicate n ())\n\
                entry g (n: i64): i64 = length (map (\\i -> ()) (iota n))";
    let codes: Vec<_> = rejected(text).iter().map(|error| error.code.0).collect();
    assert_eq!(codes, ["A0403", "A0403"]);
}
