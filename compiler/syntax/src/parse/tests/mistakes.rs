//! Mistakes, and what the user reads about them.
//!
//! Invariant: each mistake is reported where it is, and no other place is.
//!
//! ```text
//! "def f = (1 + 2"   ⇒   error[A0102] at the bracket
//! ```

use super::{names, read};
use crate::ast::{Decl, Def, Expr, ExprKind};
use crate::diagnostics::{Diagnostic, RenderOptions, render};

/// The reports on a text, as `code line:column message`.
fn reports(text: &str) -> Vec<String> {
    let (_, diagnostics, sources) = read(text);
    let report = |diagnostic: &Diagnostic| {
        let span = diagnostic.primary.as_ref().expect("a mistake in a text has a place").span;
        let place = sources.line_col(span);
        format!("{} {}:{} {}", diagnostic.code.0, place.line, place.column, diagnostic.message)
    };
    diagnostics.iter().map(report).collect()
}

fn check(table: &[(&str, &[&str])]) {
    for (text, expected) in table {
        assert_eq!(reports(text), *expected, "for {text}");
    }
}

/// The one diagnostic of a text, as the user sees it.
fn rendered(text: &str) -> String {
    let (_, diagnostics, sources) = read(text);
    let [diagnostic] = diagnostics.as_slice() else { panic!("{text} gives {diagnostics:?}") };
    render(&diagnostic.clone().with_proposals(), &sources, RenderOptions::default())
}

#[test]
fn unexpected_tokens_say_what_could_stand_there() {
    check(&[
        ("def f = 1 +", &["A0101 1:12 expected an expression, found the end of the declaration"]),
        ("def f = map * * 2", &["A0101 1:15 expected an expression, found `*`"]),
        ("def f = a = b", &["A0101 1:11 expected an operator or an argument, found `=`"]),
        ("def f = map \\x -> x", &["A0101 1:13 expected an operator or an argument, found `\\`"]),
        ("def f (x: ) = 1", &["A0101 1:11 expected a type, found `)`"]),
        ("def f: ?k.t = 1", &["A0101 1:9 expected `[`, found `k`"]),
        ("def f ? = 1", &["A0101 1:7 expected a parameter, `=` or `:`, found `?`"]),
        ("def = 1", &["A0101 1:5 expected a name, found `=`"]),
        ("def f = {x 1}", &["A0101 1:12 expected `=`, `,` or `}`, found `1`"]),
        ("def f = (1, 2 3 =)", &["A0101 1:17 expected an operator or an argument, found `=`"]),
        ("def f = 1, 2", &["A0101 1:10 expected an operator or an argument, found `,`"]),
        ("def f = then", &["A0101 1:9 expected an expression, found the keyword `then`"]),
        (
            "def f = match x",
            &[
                "A0101 1:16 expected an operator, an argument or `case`, found the end of the declaration",
            ],
        ),
        ("def f = match x case 0", &["A0101 1:23 expected `->`, found the end of the declaration"]),
        ("def f = match x case 0 = 1", &["A0101 1:24 expected `->`, found `=`"]),
        ("def f = match x case -> 1", &["A0101 1:22 expected a pattern, found `->`"]),
        (
            "def f = x case 0 -> 1",
            &["A0101 1:11 expected an operator or an argument, found the keyword `case`"],
        ),
        ("type t = #a | b", &["A0101 1:15 expected a type, found `b`"]),
        ("type t = 5", &["A0101 1:10 expected a type, found `5`"]),
        ("intrinsic f: t = 1", &["A0101 1:16 `=` cannot stand here"]),
        ("def f = with", &["A0101 1:13 expected `{`, found the end of the declaration"]),
        ("def f = 1 + with 3", &["A0101 1:18 expected `{`, found `3`"]),
    ]);
}

#[test]
fn brackets_are_reported_at_both_ends() {
    check(&[
        ("def f = g (1 + [2)", &["A0102 1:16 this `[` is never closed"]),
        ("def f = (1]", &["A0102 1:9 this `(` is never closed"]),
        ("def f = {x = (1, 2}", &["A0102 1:14 this `(` is never closed"]),
        ("def f = 1)", &["A0103 1:10 this `)` closes nothing"]),
        (
            "def f = (1\ndef g = 2]",
            &["A0102 1:9 this `(` is never closed", "A0103 2:10 this `]` closes nothing"],
        ),
    ]);
    let expected = "\
error[A0102]: this `(` is never closed
   ╭─[ test.arr:1:11 ]
   │
 1 │ def f = g (1 + 2
   │           ┬
   │           ╰── opened here
 2 │ def h = 3
   │ ┬──
   │ ╰──── here the next declaration begins
   │
   │ Help: close it where it probably ends
   │       - def f = g (1 + 2
   │       + def f = g (1 + 2)
───╯
";
    assert_eq!(rendered("def f = g (1 + 2\ndef h = 3"), expected);
}

#[test]
fn numbers_and_characters_are_reported_once() {
    check(&[
        ("def f = 1x + 2", &["A0104 1:9 `x` is no type of numbers"]),
        (
            "def f = 1.5i32",
            &["A0104 1:9 a number with a fraction or an exponent cannot be of type i32"],
        ),
        ("def f = 0b12", &["A0104 1:9 `2` is no binary digit"]),
        ("def f = 0x + 1", &["A0104 1:9 `0x` without digits is no number"]),
        ("def f = 0xfg", &["A0104 1:9 `g` is no type of numbers"]),
        ("def f = 1bool", &["A0104 1:9 `bool` is no type of numbers"]),
        (
            "def f = 340282366920938463463374607431768211456",
            &["A0104 1:9 no type of numbers can hold this value"],
        ),
        ("def f = \"a\\qb\" ", &["A0101 1:11 `\\q` means nothing in a text"]),
        (
            "module type t = { def x = 1 }",
            &[
                "A0101 1:19 expected `}` or `val`, `type`, `module` or `include`, found the keyword `def`",
            ],
        ),
        ("module m (n) = { def f = 1 }", &["A0101 1:12 expected `:`, found `)`"]),
        ("module m = f (g", &["A0102 1:14 this `(` is never closed"]),
        ("module m = 3", &["A0101 1:12 expected a module, found `3`"]),
        ("import geometry", &["A0101 1:8 expected a path in quotes, found `geometry`"]),
        ("#[] def f = 1", &["A0101 1:3 expected an attribute, found `]`"]),
        ("def f = 1e400", &["A0104 1:9 this number is too large for `f64`"]),
        ("def f = \"a b\" ++ \"c", &["A0101 1:18 this text is never closed"]),
        ("def f = g $ x;", &["A0105 1:11 `$` has no meaning", "A0105 1:14 `;` has no meaning"]),
        ("def größe = 1", &["A0105 1:5 `ö` cannot be in a name"]),
        ("def f = λ + 1", &["A0105 1:9 `λ` cannot be in a name"]),
        ("def f = a ` b", &["A0105 1:11 a single quote mark `` ` `` has no meaning"]),
        ("def f = a\u{0}", &["A0105 1:10 the character U+0000 has no meaning"]),
    ]);
}

#[test]
fn missing_words_have_their_own_messages() {
    check(&[
        (
            "def f = let (a, b) c = d in a",
            &["A0108 1:20 the `=` between a name and its meaning is missing"],
        ),
        ("def f = r with x 1", &["A0108 1:18 the `=` between a name and its meaning is missing"]),
        ("def f x =\n  let y = x\n  y + 1", &["A0107 3:3 the `in` of this `let` is missing"]),
        ("def f = (let y = 1)", &["A0107 1:19 this `let` has no body"]),
        ("def f (x: i64) x + 1", &["A0108 1:18 the `=` between a name and its meaning is missing"]),
        ("def f (x: i64)", &["A0108 1:15 the `=` between a name and its meaning is missing"]),
        (
            "def f x: i64 let y = 1 in y",
            &["A0108 1:14 the `=` between a name and its meaning is missing"],
        ),
        ("def f = if a then b", &["A0109 1:20 this `if` has no `else`"]),
        ("def f = (if a b else c)", &["A0109 1:16 this `if` has no `then`"]),
        ("def f = 1\nmain x = x", &["A0101 2:1 this definition has no `def` before it"]),
    ]);
}

#[test]
fn independent_mistakes_are_all_reported() {
    let text = "\
def f (x: i64) x + 1
def g = [1, 2 = 3, 4 +] + (5 then 6)
def h (x: i64) =
  let a = 1 * / 2
  let ? = * 2
  let b = g (x + [1, 2 3 =])
  let c = if a then b
  in \\? -> a
entry = let y = 2
type t = (i64, 5)
def last = 1
";
    let expected = [
        "A0108 1:18 the `=` between a name and its meaning is missing",
        "A0101 2:15 expected an operator or an argument, found `=`",
        "A0101 2:23 expected an expression, found `]`",
        "A0101 2:30 expected an operator, an argument, `,` or `)`, found the keyword `then`",
        "A0101 4:15 expected an expression, found `/`",
        "A0101 5:7 expected a pattern, found `?`",
        "A0101 5:11 expected an expression, found `*`",
        "A0101 6:26 expected an operator or an argument, found `=`",
        "A0109 7:22 this `if` has no `else`",
        "A0101 8:7 expected a parameter, found `?`",
        "A0101 9:7 expected a name, found `=`",
        "A0107 9:18 this `let` has no body",
        "A0101 10:16 expected a type, found `5`",
    ];
    assert_eq!(reports(text), expected);
}

#[test]
fn what_can_be_read_is_in_the_tree() {
    let (tree, _, _) =
        read("def f (x: i64) = let y = x + in y\ndef g ? = 1\ndef h = (2\ndef 5 = 3\ntype t = ?");
    assert_eq!(names(&tree), ["f", "g", "h", "t"]);
    let Some(Decl::Def(Def {
        body: Some(Expr { kind: ExprKind::Let(_, value, body), .. }), ..
    })) = tree.decls.first()
    else {
        panic!("the body of f is a let")
    };
    assert_eq!(value.kind, ExprKind::Error);
    assert!(matches!(body.kind, ExprKind::Name(_)));
}

#[test]
fn a_bracket_amiss_is_all_that_is_said_of_its_declaration() {
    check(&[(
        "def f = let x = (1 + in * x then\ndef g = * 2",
        &["A0102 1:17 this `(` is never closed", "A0101 2:9 expected an expression, found `*`"],
    )]);
}

#[test]
fn lines_show_where_words_are_missing() {
    check(&[
        ("def f x =\n  if x\n    1\n  else 2", &["A0109 3:5 this `if` has no `then`"]),
        (
            "def f (x: i64): i64\n  x + 1\ndef g = 1",
            &["A0108 1:20 the `=` between a name and its meaning is missing"],
        ),
        (
            "def f x =\n  let y = g (x\n  let z = (2\n  in z",
            &["A0102 2:13 this `(` is never closed", "A0102 3:11 this `(` is never closed"],
        ),
        ("def f x = if (x > 0 then (1) else 2", &["A0102 1:14 this `(` is never closed"]),
        ("def f = 1\nlet g = 2", &[]),
        ("let f = 1 let g = 2", &[]),
        (
            "def f = 1\nsome text.\ndef g = 2",
            &["A0101 2:1 expected a declaration (`def`, `entry` or `type`), found `some`"],
        ),
        ("def f = {x = 1}\nwith x = 2", &[]),
        ("def f = let x = 1\nin x", &[]),
        ("def f = g\nx y", &[]),
    ]);
}

#[test]
fn marks_of_conflicts_are_one_mistake() {
    let conflict =
        "<<<<<<< a\ndef f = 1\n||||||| b\ndef f = 0\n=======\ndef f = 2\n>>>>>>> c\ndef g = * 3";
    check(&[
        (
            conflict,
            &[
                "A0110 1:1 there are two versions of these lines",
                "A0101 8:9 expected an expression, found `*`",
            ],
        ),
        ("def f = 1\n=======\n2", &[]),
    ]);
}
