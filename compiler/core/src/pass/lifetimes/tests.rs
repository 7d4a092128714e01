//! How many arrays end where; `tests/passes` has whole programs.

use crate::pass::load::NoFiles;
use crate::pipeline::{self, Options};
use crate::source::Sources;

#[test]
fn an_append_extends_what_ends_with_it() {
    let appended = |rest: &str| {
        let text = format!("entry f [n] (xs: [n]i64) = let ys = scan (+) 0 xs in {rest}");
        let mut sources = Sources::default();
        let file = sources.add("extend.arr", text.as_str());
        let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
        let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
        (form.matches("extend ").count(), form.matches(" ++ ").count())
    };
    assert_eq!(appended("ys ++ xs"), (1, 1));
    assert_eq!(appended("xs ++ ys"), (0, 1), "the first is the caller's");
    assert_eq!(appended("ys ++ ys"), (0, 1), "it is read too");
    assert_eq!(appended("(ys ++ xs, ys)"), (0, 1), "it does not end");
    assert_eq!(appended("loop a = ys for i < 3 do a ++ [i]"), (1, 1), "what is carried ends");
    let row = r"(let m = generate 2 (\i -> map (+ i) ys) in flatten m ++ m[0])";
    assert_eq!(appended(row), (0, 1), "a view of it is read");
}

#[test]
fn a_recursive_function_ends_what_it_does_not_pass_on() {
    let head = |body: &str| {
        let text = format!(
            "def f [n] (xs: [n]i64) (ys: []i64): i64 = if n < 2 then n else {body}\n\
             entry g (xs: []i64) = f xs xs"
        );
        let mut sources = Sources::default();
        let file = sources.add("ended.arr", text.as_str());
        let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
        let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
        let line = form.lines().find(|line| line.starts_with("function f")).expect("there is an f");
        [line.contains("(xs : *"), line.contains("(ys : *")]
    };
    assert_eq!(head("1 + f (filter (> 3) xs) ys"), [true, false]);
    assert_eq!(head("ys[0] + f ys (filter (> 3) xs)"), [true, false]);
    assert_eq!(head("xs[0] + f (filter (> 3) ys) [n]"), [true, true]);
    assert_eq!(head("ys[1] + f xs (tail xs)"), [false, true]);
}
