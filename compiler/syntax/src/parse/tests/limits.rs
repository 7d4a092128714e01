//! Long and deep texts.
//!
//! Invariant: whatever the text, the parser needs no more stack than a test has, and time linear in
//! the text.
//!
//! ```text
//! "((((…"   ⇒   error[A0106]
//! ```

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{good, read};
use crate::diagnostics::Code;
use crate::parse::brackets::{MAX_BRACKETS, MAX_DEPTH};

fn codes(text: &str) -> Vec<Code> {
    read(text).1.into_iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn brackets_nest_up_to_a_limit() {
    let nested =
        |count: usize| format!("def f = {}1{}\ndef g = 2 +", "(".repeat(count), ")".repeat(count));
    assert_eq!(codes(&nested(MAX_BRACKETS)), [Code::SYNTAX]);
    assert_eq!(codes(&nested(MAX_BRACKETS + 1)), [Code::TOO_DEEP, Code::SYNTAX]);
    assert_eq!(codes(&nested(100_000)), [Code::TOO_DEEP, Code::SYNTAX]);
    for unbalanced in ["(", "[", "{", "a[", "(\\x -> ", "[(", "{x = "] {
        assert_eq!(
            codes(&format!("def f = {}", unbalanced.repeat(100_000)))[0],
            Code::TOO_DEEP,
            "{unbalanced}"
        );
    }
}

/// What random texts have found.
#[test]
fn foreign_letters_between_backquotes_are_reported() {
    for text in ["a0𝔇`'`ਲ", "def f = a `ਲ` b", "def f = a `'` b", "def (ਲ) = 1"] {
        read(text);
    }
}

/// Runs on a stack as large as the command line's: unoptimised frames are many times larger.
fn on_large_stack(test: fn()) {
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(test);
    thread.expect("the system gives a thread").join().expect("the test passes");
}

#[test]
fn phrases_nest_up_to_a_limit() {
    on_large_stack(nest_phrases);
}

fn nest_phrases() {
    let count = MAX_DEPTH as usize;
    for phrase in [
        "a + ",
        "f <| ",
        "let x = 1 ",
        "let x = ",
        "if c then a else ",
        "\\x -> ",
        "- ",
        "r with x = ",
    ] {
        let text = format!("def f = {} a", phrase.repeat(10 * count));
        assert_eq!(codes(&text), [Code::TOO_DEEP], "for {phrase}");
    }
    let print = |text: &str| assert!(good(text).to_string().len() > count);
    let chain = |item: &str| format!("def f = {} a", item.repeat(count - 1));
    for text in [chain("a + "), chain("f <| "), chain("a `f` ")] {
        print(&text);
    }
    let lets = format!("def f = {} in a", "let x = a ".repeat(count - 1));
    print(&lets);
    print(&chain("if c then a else "));
    print(&format!("type t = {} a", "a -> ".repeat(count - 2)));
}

#[test]
fn siblings_do_not_count_as_nested() {
    let count = MAX_DEPTH as usize;
    good(&format!("def f = [{} 1]", "1 + 2, ".repeat(count)));
    let lets = format!("def f = {} in x", "let x = 1 + 2 + 3 + (4 + 5) ".repeat(count / 2));
    good(&lets);
    good(&"def f x = if x then 1 + 2 else 3\n".repeat(count));
    let cases =
        |count| format!("def f x y = match x {} case z -> z", "case 1 -> y * 2 + y ".repeat(count));
    good(&cases(count - 20));
    assert_eq!(codes(&cases(count)), [Code::TOO_DEEP]);
}

#[test]
fn time_is_linear() {
    let once = |text: &str| {
        let start = Instant::now();
        read(text);
        start.elapsed()
    };
    // The best of three: the machine may be busy with something else meanwhile.
    let time = |text: &str| {
        let best = [once(text), once(text), once(text)].into_iter().min();
        best.unwrap_or_default().max(Duration::from_millis(1))
    };
    let definition =
        "def f [n] (xs: [n]i64) = let a = map (\\x -> x * 2 + g[1, 2].y) xs in reduce (+) 0 a\n";
    let mistake =
        "def f (xs: [n]i64 = let a = map (\\x -> x * * 2 = ) xs let b 5 in reduce (+ 0 a\n";
    for line in [definition, mistake, "def x = y type ", "(type ", ")", "x ", "]("] {
        let (small, large) = (line.repeat(1_000), line.repeat(10_000));
        let (small, large) = (time(&small), time(&large));
        // Ten times the text, on a machine that is busy with something else: still not the hundred times of
        // something quadratic.
        assert!(large < small * 60, "{small:?} and {large:?} for {line}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// `read` checks that spans nest, also where there are mistakes.
    #[test]
    fn any_tokens_are_read_or_reported(words in prop::collection::vec(prop::sample::select(WORDS), 0..40)) {
        read(&words.concat());
    }

    #[test]
    fn any_text_is_read_or_reported(text in "\\PC{0,60}") {
        read(&text);
        read(&format!("def f = {text}"));
    }
}

const WORDS: &[&str] = &[
    "\ndef ",
    "\nentry ",
    "\ntype ",
    "def ",
    "intrinsic ",
    "let ",
    "in ",
    "if ",
    "then ",
    "else ",
    "with ",
    "loop ",
    "x",
    "y ",
    "f ",
    "i64",
    " ",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    " [",
    " (",
    ",",
    ":",
    ".",
    "=",
    " = ",
    "->",
    "\\",
    "!",
    "?",
    "_",
    "-",
    "+",
    "*",
    "|>",
    "<+>",
    "'a",
    "`f`",
    "`",
    "1",
    "2.5",
    "0x",
    "1u8 ",
    "0",
    "true",
    "\"",
    "é",
    "$",
    ";",
    "-- | doc\n",
    "-- c\n",
];
