//! However the user lays a program out, and wherever comments stand, formatting keeps it, and once is enough.

mod programs;

use std::fmt::Write;
use std::sync::LazyLock;

use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse;
use proptest::prelude::*;
use proptest::sample::Index;

/// A program laid out anew: between tokens with a blank there stands what the numbers say. Documentation stays.
fn laid_out(text: &str, numbers: &[u8], comments: bool) -> String {
    let mut out = String::new();
    let mut end = 0;
    let mut numbers = numbers.iter().cycle();
    for token in parse::lexemes(text, FileId::new(0)) {
        let (start, stop) = (token.span.start as usize, token.span.end as usize);
        let between = &text[end..start];
        end = stop;
        if between.contains("--") {
            out.push_str(between);
        } else if !between.is_empty() || end == 0 {
            out.push_str(match numbers.next().expect("there is a number") % 32 {
                0 => "\n",
                1 => "\n\n\n  ",
                2 if comments => " -- behind\n",
                3 if comments => "\n    -- alone\n",
                4 if comments => "\n\n-- far\n\n",
                5 => "\r\n",
                6 => "   ",
                _ => " ",
            });
        }
        write!(out, "{}", &text[start..stop]).expect("memory takes all");
    }
    out
}

/// The programs without mistakes.
static PROGRAMS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    programs::all().into_iter().filter(|(_, text)| programs::tree(text).is_some()).collect()
});

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 100,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_layout_keeps_its_program(
        pick in any::<Index>(),
        numbers in proptest::collection::vec(any::<u8>(), 64..512),
        comments in any::<bool>(),
    ) {
        let (path, text) = pick.get(&PROGRAMS);
            let text = laid_out(text, &numbers, comments);
            prop_assert!(programs::tree(&text).is_some(), "{} has mistakes:\n{}", path, text);
            if let Err(problem) = programs::check(&text) {
                prop_assert!(false, "{}: {}", path, problem);
            }
    }
}
