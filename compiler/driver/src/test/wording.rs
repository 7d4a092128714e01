//! Errors in Futhark's words. A test of a Futhark program matches the message of its compiler, so the facts of an error
//! of ours are told in these words too.
//!
//! Invariant: only facts that our message has are told. Where Futhark's has others, such as the end of a place or the
//! indices of the other dimensions, those are left out.
//!
//! ```text
//! f.fut:3:5: index 10 is out of bounds for an array of length 5
//! ⇒ Error: Index [10] out of bounds for array of shape [5].
//!
//!   Backtrace:
//!   -> #0  f.fut:3:5
//! ```

use std::sync::LazyLock;

use arrc_syntax::diagnostics::{Code, Diagnostic};
use regex::{Captures, Regex};

/// Our words for an error at run time, and Futhark's. `$1` stands for what the first pair of parentheses matches.
const RUN_TIME: [(&str, &str); 9] = [
    (
        r"^index (-?\d+) is out of bounds for an array of length (\d+)$",
        "Index [$1] out of bounds for array of shape [$2].",
    ),
    (
        r"^slice (.*) is out of bounds for an array of length (\d+)$",
        "Index [$1] out of bounds for array of shape [$2].",
    ),
    (r"^division by zero$", "division by zero"),
    (
        r"^(?s)assertion failed: (.*?)(?:, where .*)?$",
        "Assertion is false: ($1)\nAssertion is false: $1\nassertion failed",
    ),
    (r"^negative size (-\d+) in .*$", "Range 0..1..<$1 is invalid."),
    (r"^range (.*) (?:goes the wrong way|has the step 0)$", "Range $1 is invalid."),
    (
        r"^cannot be (.*): the array's length is (\d+)(?: and .*)?$",
        "Value of (desugared) shape [$2] cannot match shape of type `$1`.\n\
         Value of (core language) shape [$2] cannot match shape of type `$1`.",
    ),
    (
        r"^.* has size \d+ but .* has size \d+; they must be equal$",
        "Entry point arguments have invalid sizes.",
    ),
    (r"^the sizes of the arguments make .*$", "Entry point arguments have invalid sizes."),
];

/// Errors in programs, and how Futhark tells them. `$1` stands for the first words in backquotes of our message, and `$a`
/// and `$b` for the last two.
const COMPILE_TIME: [(Code, &str); 17] = [
    (
        Code::UNDEFINED_NAME,
        "Unknown name \"$1\"\nUnknown variable \"$1\"\nUnknown variable $1\nUnknown term \"$1\"",
    ),
    (Code::UNDEFINED_TYPE, "Unknown type \"$1\""),
    (Code::UNDEFINED_SIZE, "Unknown name \"$1\"\nUnknown size \"$1\""),
    (
        Code::DUPLICATE_DEFINITION,
        "Duplicate definition of name $1\nDuplicate definition of term name $1",
    ),
    (Code::DUPLICATE_NAME, "Name $1 also bound at"),
    (Code::UNDEFINED_MODULE, "Unknown module \"$1\""),
    (
        Code::SIZE_MISMATCH,
        "Dimensions \"$a\" and \"$b\" do not match.\nSizes \"$a\" and \"$b\" do not match.",
    ),
    (
        Code::TYPE_MISMATCH,
        "Types\n  $b\nand\n  $a\ndo not match.\nCannot match \"$b\" with expected type \"$a\".",
    ),
    (Code::BRANCH_MISMATCH, "Types\n  $a\nand\n  $b\ndo not match."),
    (Code::SIZE_ESCAPES, "Causality check\nwould go out of scope"),
    (Code::PATTERN_MISMATCH, "Cannot match pattern"),
    (Code::INFINITE_TYPE, "Occurs check: cannot instantiate"),
    (Code::NOT_COMPARABLE, "equality"),
    (Code::CONSUMED, "Using variable \"$1\", but this was consumed at"),
    (Code::NOT_CONSUMABLE, "Would consume \"$1\", which is not consumable"),
    (
        Code::SHARED_RESULT,
        "Unique-typed return value is aliased to \"$1\", which is not consumable.",
    ),
    (Code::NOT_EXHAUSTIVE, "Unmatched cases in match expression"),
];

/// The rules with their regular expressions.
static RULES: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    let rule = |(ours, theirs)| (Regex::new(ours).expect("a rule is a regular expression"), theirs);
    RUN_TIME.into_iter().map(rule).collect()
});

/// An error at run time in Futhark's words: `None` if no rule knows it.
pub(super) fn run_time(message: &str) -> Option<String> {
    let mut lines = message.lines();
    let first = lines.next()?;
    let mut places = vec![];
    let mut told = first;
    // A path may have colons: the place ends at the first pair of numbers.
    static PLACE: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"^(.*?:\d+:\d+): ").expect("it is a regular expression"));
    if let Some(found) = PLACE.captures(first) {
        places.push(found[1].to_owned());
        told = &first[found[0].len()..];
    }
    static CALL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"called at (.*:\d+:\d+)$").expect("it is a regular expression")
    });
    places.extend(lines.filter_map(|line| Some(CALL.captures(line)?[1].to_owned())));
    let told = RULES.iter().find_map(|(rule, theirs)| {
        rule.captures(told).map(|found: Captures<'_>| expanded(theirs, &found))
    })?;
    let mut text = format!("Error: {told}\n\nBacktrace:\n");
    for (depth, place) in places.iter().enumerate() {
        let arrow = if depth == 0 { "->" } else { "  " };
        text += &format!("{arrow} #{depth}  {place}\n");
    }
    Some(text)
}

fn expanded(theirs: &str, found: &Captures<'_>) -> String {
    let mut text = String::new();
    found.expand(theirs, &mut text);
    text
}

/// Errors in a program in Futhark's words, as far as these are known.
pub(super) fn compile_time(diagnostics: &[Diagnostic]) -> String {
    diagnostics.iter().filter_map(in_futhark).collect::<Vec<_>>().join("\n")
}

fn in_futhark(diagnostic: &Diagnostic) -> Option<String> {
    let (_, theirs) = COMPILE_TIME.iter().find(|(ours, _)| *ours == diagnostic.code)?;
    let quoted: Vec<&str> = diagnostic.message.split('`').skip(1).step_by(2).collect();
    let word = |at: Option<usize>| at.and_then(|at| quoted.get(at)).copied().unwrap_or_default();
    let last = |back: usize| word(quoted.len().checked_sub(back));
    Some(theirs.replace("$1", word(Some(0))).replace("$a", last(2)).replace("$b", last(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_told_in_futharks_words() {
        for (ours, theirs) in [
            (
                "a.fut:3:5: index 10 is out of bounds for an array of length 5",
                "Error: Index [10] out of bounds for array of shape [5].\n\nBacktrace:\n-> #0  a.fut:3:5\n",
            ),
            (
                "a.fut:3:5: division by zero\n  in map (x.arr:1:2), called at a.fut:9:1",
                "Error: division by zero\n\nBacktrace:\n-> #0  a.fut:3:5\n   #1  a.fut:9:1\n",
            ),
            (
                "a.fut:1:2: range 5..<3 goes the wrong way",
                "Error: Range 5..<3 is invalid.\n\nBacktrace:\n-> #0  a.fut:1:2\n",
            ),
            (
                "xs has size 3 but ys has size 4; they must be equal",
                "Error: Entry point arguments have invalid sizes.\n\nBacktrace:\n",
            ),
        ] {
            assert_eq!(run_time(ours).as_deref(), Some(theirs), "{ours}");
        }
        let assertion = run_time("a.fut:1:2: assertion failed: x > 0, where x is -1");
        assert!(
            assertion.is_some_and(|text| text.starts_with("Error: Assertion is false: (x > 0)\n"))
        );
        assert_eq!(run_time("a.fut:1:2: out of memory: 8 bytes"), None);
    }
}
