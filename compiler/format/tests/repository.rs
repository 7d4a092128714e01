//! The programs of the project: formatting keeps their meaning, once is enough, and they are formatted.

mod programs;

use programs::{all, check, project};

/// Programs that are not formatted, each folder or file with its reason.
const EXCLUDED: [(&str, &str); 3] = [
    ("tests/ui/", "the messages show lines and columns of the programs"),
    ("tests/emit/", "the forms follow programs that are written in one way each"),
    ("tests/run/comments_and_layout.arr", "it tests that every layout is read"),
];

#[test]
fn every_program_keeps_its_tree_and_its_comments() {
    let programs = all();
    assert!(programs.len() > 900, "there are {} programs", programs.len());
    let mut good = 0;
    for (path, text) in programs {
        match check(&text) {
            Ok(has_no_mistakes) => good += usize::from(has_no_mistakes),
            Err(problem) => panic!("{path}: {problem}"),
        }
        let formatted = programs::format(&text).unwrap_or_default();
        let line = programs::too_long(&formatted);
        assert!(line.is_none(), "{path}: a line is too long: {line:?}");
    }
    assert!(good > 700, "{good} programs have no mistakes");
}

#[test]
fn programs_are_formatted() {
    let mut wrong = Vec::new();
    for (path, text) in all() {
        if EXCLUDED.iter().any(|(place, _)| path.starts_with(place)) {
            continue;
        }
        let formatted = programs::format(&text);
        if formatted.is_some_and(|formatted| formatted != text) {
            wrong.push(path);
        }
    }
    assert!(wrong.is_empty(), "`arrc fmt` would change {}", wrong.join(", "));
}

#[test]
fn exclusions_are_there() {
    for (place, reason) in EXCLUDED {
        assert!(project().join(place).exists(), "there is no {place}: {reason}");
    }
}
