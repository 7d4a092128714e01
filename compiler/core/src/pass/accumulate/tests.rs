//! Recursive functions as they append.

use crate::pass::load::NoFiles;
use crate::pipeline::{self, Options};
use crate::source::Sources;

/// The lines of a program's loop nests that call the function, append or yield.
fn lines(text: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add("accumulate.arr", text);
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
    let shown = |line: &&str| [" = f ", "++", "function f"].iter().any(|part| line.contains(part));
    form.lines().filter(shown).map(|line| line.trim().to_owned()).collect()
}

/// The body of a function `f` that calls itself, and how an entry calls it.
fn function(body: &str) -> (String, String) {
    let lines = lines(&format!("def f (n: i64): []i64 = {body}\nentry g (n: i64) = f n"));
    let [call, .., body] = lines.as_slice() else { panic!("{lines:?}") };
    (body.clone(), call.clone())
}

/// What a body becomes that has a branch which appends.
fn otherwise(body: &str) -> String {
    let (body, call) = function(body);
    assert_eq!(call, "; a = f n to");
    let (_, otherwise) = body.split_once("else ").expect("there is a branch");
    otherwise.trim_start_matches("{ ").trim_end_matches(" }").to_owned()
}

#[test]
fn what_calls_give_is_appended_in_place() {
    assert_eq!(
        otherwise("if n < 1 then [n] else f (n - 1) ++ [n, 0] ++ f (n - 2)"),
        "n.2 = n - 1; a = f n.2 to; a.2 = [n, 0]; n.3 = n - 2; a.3 = extend a ++ a.2; release a.2; \
         a.4 = f n.3 a.3; yield (a.4)"
    );
}

#[test]
fn literals_come_before_the_calls_that_follow_them() {
    let body =
        "if n < 1 then [] else let l = f (n - 1) let r = f (n - 2) in [n] ++ l ++ [n * n] ++ r";
    assert_eq!(
        otherwise(body),
        "n.2 = n - 1; a = [n]; to.2 = extend to ++ a; release a; l = f n.2 to.2; n.3 = n - 2; \
         t.2 = n * n; a.2 = [t.2]; l.2 = extend l ++ a.2; release a.2; a.3 = f n.3 l.2; yield (a.3)"
    );
}

#[test]
fn calls_keep_their_order() {
    assert_eq!(
        otherwise("if n < 1 then [] else let l = f (n - 1) let r = f (n - 2) in r ++ l"),
        "n.2 = n - 1; to.2 = []; l = f n.2 to.2; n.3 = n - 2; to.3 = []; r = f n.3 to.3; \
         a = extend to ++ r ++ l; release r; release l; yield (a)"
    );
}

#[test]
fn what_else_is_done_with_a_result_needs_it_by_itself() {
    assert_eq!(
        otherwise("if n < 1 then [0] else let l = f (n - 1) let r = f (n - l[0]) in l ++ r"),
        "n.2 = n - 1; to.2 = []; l = f n.2 to.2; t.2 = l[0]; n.3 = n - t.2; to.3 = extend to ++ l; \
         release l; a = f n.3 to.3; yield (a)"
    );
}

#[test]
fn a_call_in_last_place_passes_on_what_there_is() {
    assert_eq!(
        otherwise("if n < 1 then [] else if n == 7 then f 5 else f (n - 2) ++ [n]"),
        "t.2 = n == 7; a = if t.2 then { a = f 5 to; yield (a) } else { n.2 = n - 2; a = f n.2 to; \
         a.2 = [n]; a.3 = extend a ++ a.2; release a.2; yield (a.3) }; yield (a)"
    );
}

#[test]
fn functions_that_append_nothing_of_theirs_stay() {
    let (_, call) = function("if n < 1 then [1, 2] else map (+ n) (f (n - 1)) ++ [n]");
    assert_eq!(call, "= { a = f n");
}

#[test]
fn callers_append_to_what_they_have() {
    let text = "
        def f (n: i64): []i64 = if n < 1 then [n] else f (n - 1) ++ f (n - 2)
        entry g (xs: []i64) = xs ++ f 5 ++ [7]";
    assert_eq!(lines(text)[..2], ["; a = f 5 xs.2", "; a.3 = extend a ++ a.2"]);
}
