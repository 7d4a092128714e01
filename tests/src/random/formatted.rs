//! Random programs are formatted: the tree stays, once is enough, and lines are short where nesting leaves room.

use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse;
use libtest_mimic::Failed;
use proptest::strategy::ValueTree;

use super::{Recipe, contained, shrunk, trees};
use crate::run::all;

/// The columns of a line.
const WIDTH: usize = 100;

/// Formats random programs.
pub(super) fn stay() -> Result<(), Failed> {
    for mut tree in trees(if all() { 4000 } else { 100 })? {
        let wrong = |recipe: &Recipe| contained(|| stays(&recipe.to_string()));
        if let Some(problem) = wrong(&tree.current()) {
            return Err(shrunk(&mut tree, problem, wrong));
        }
    }
    Ok(())
}

fn stays(text: &str) -> Result<(), String> {
    let file = FileId::new(0);
    let tree = |text: &str| parse::parse_text(text, file).0.to_string();
    let format = |text: &str| {
        arrc_format::format(text, file).map_err(|found| format!("it has mistakes: {found:?}"))
    };
    let formatted = format(text)?;
    if tree(text) != tree(&formatted) {
        return Err(format!("it has another tree then:\n{formatted}"));
    }
    if format(&formatted)? != formatted {
        return Err(format!("formatted twice, it changes:\n{formatted}"));
    }
    let code = formatted.lines().map(|line| line.split("--").next().unwrap_or_default().trim_end());
    // Deep nesting may leave no room for the shortest part that cannot be broken.
    let has_room = |line: &&str| line.len() - line.trim_start().len() <= WIDTH / 2;
    match code.filter(has_room).find(|line| line.chars().count() > WIDTH) {
        Some(line) => Err(format!("a line is too long: {line}")),
        None => Ok(()),
    }
}
