//! Random whole programs: the reference interpreter, the interpreters of the forms behind it, and
//! compiled code at every strategy and several levels must agree; and printed core reads back as itself.
//!
//! A program is made from numbers ([`write`]), so that a failure shrinks to a small program, which is
//! printed. `PROPTEST_RNG_SEED` makes the same programs again, and `ARR_TESTS=all` makes thousands.

pub(crate) mod check;
mod chunks;
mod formatted;
mod loops;
mod nested;
mod spaces;
mod spellings;
mod tiles;
mod types;
mod write;

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use libtest_mimic::{Failed, Trial};
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestRunner};

use self::check::Subject;
use crate::run::{QUICK, all};

/// The most attempts to make a failing program smaller.
const SHRINKS: usize = 600;

/// The numbers that each statement of a program is made from.
#[derive(Clone, Debug)]
pub struct Recipe(Vec<Vec<u16>>);

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", write::HELPERS, write::entry("random", &self.0))
    }
}

/// One trial for what needs no machine code, and one for each way to compile.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("random::interpreters", interpreters)];
    trials.extend(QUICK.into_iter().map(|(strategy, level)| {
        Trial::test(format!("random::{strategy}-O{level}"), move || native(strategy, level))
    }));
    trials.extend(QUICK.into_iter().map(|(strategy, level)| {
        let name = format!("random::nested-{strategy}-O{level}");
        Trial::test(name, move || nested::agree(strategy, level))
    }));
    trials.extend(chunks::trials());
    trials.push(Trial::test("random::spellings", spellings::agree));
    trials.push(Trial::test("random::formatted", formatted::stay));
    trials.extend(QUICK.into_iter().map(|(strategy, level)| {
        let name = format!("random::spaces-{strategy}-O{level}");
        Trial::test(name, move || spaces::agree(strategy, level))
    }));
    trials.extend(QUICK.into_iter().map(|(strategy, level)| {
        let name = format!("random::tiles-{strategy}-O{level}");
        Trial::test(name, move || tiles::agree(strategy, level))
    }));
    trials.extend(loops::processors().into_iter().map(|processor| {
        Trial::test(format!("random::loops-{processor}"), move || loops::agree(processor))
    }));
    trials
}

/// Recipes as trees that shrink.
fn trees(count: usize) -> Result<Vec<impl ValueTree<Value = Recipe>>, Failed> {
    let recipe = vec(vec(any::<u16>(), 1..60), 1..9).prop_map(Recipe);
    let mut runner = TestRunner::new(Config::default());
    (0..count).map(|_| recipe.new_tree(&mut runner).map_err(|why| why.to_string().into())).collect()
}

/// Draws batches of random programs and checks each batch. A program is a list of numbers. The nightly set has 40 batches, the
/// quick one has one of half the programs.
fn in_batches(
    programs: usize,
    numbers: Range<usize>,
    check: impl Fn(&[Vec<u16>]) -> Result<(), Failed>,
) -> Result<(), Failed> {
    let programs = if all() { programs } else { programs / 2 };
    let mut runner = TestRunner::new(Config::default());
    let recipe = vec(any::<u16>(), numbers);
    for _ in 0..if all() { 40 } else { 1 } {
        let recipes: Vec<Vec<u16>> = (0..programs)
            .map(|_| recipe.new_tree(&mut runner).map(|tree| tree.current()))
            .collect::<Result<_, _>>()
            .map_err(|why| why.to_string())?;
        check(&recipes)?;
    }
    Ok(())
}

fn interpreters() -> Result<(), Failed> {
    let count = if all() { 4000 } else { 200 };
    let mut results = 0;
    for mut tree in trees(count)? {
        let wrong = |recipe: &Recipe| {
            contained(|| Subject::new(recipe, "random")?.map_or(Ok(()), |subject| subject.forms()))
        };
        if let Some(problem) = wrong(&tree.current()) {
            return Err(shrunk(&mut tree, problem, wrong));
        }
        let subject = Subject::new(&tree.current(), "random")?;
        results += subject.map_or(0, |subject| subject.results());
    }
    if results < 2 * count {
        return Err(format!("{results} calls of {count} programs do not fail: too few").into());
    }
    Ok(())
}

fn native(strategy: &str, level: u8) -> Result<(), Failed> {
    for _ in 0..if all() { 40 } else { 1 } {
        let mut trees = trees(12)?;
        let recipes: Vec<Recipe> = trees.iter().map(ValueTree::current).collect();
        let wrong = |recipes: &[Recipe]| contained(|| check::natively(recipes, strategy, level));
        let Some(problem) = wrong(&recipes) else { continue };
        let one = |recipe: &Recipe| wrong(std::slice::from_ref(recipe));
        for tree in &mut trees {
            if let Some(problem) = one(&tree.current()) {
                return Err(shrunk(tree, problem, one));
            }
        }
        return Err(format!("{problem}, in a library of {} programs", recipes.len()).into());
    }
    Ok(())
}

/// The failure, if there is one; a panic is one.
fn contained(check: impl FnOnce() -> Result<(), String>) -> Option<String> {
    attempt(check).err()
}

/// The result, or the failure; a panic is one.
fn attempt<T>(attempt: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        Err(format!("a panic: {}", text.unwrap_or_default()))
    })
}

/// The smallest program that was found and also fails.
fn shrunk(
    tree: &mut impl ValueTree<Value = Recipe>,
    problem: String,
    wrong: impl Fn(&Recipe) -> Option<String>,
) -> Failed {
    let (mut least, mut problem) = (tree.current(), problem);
    let mut moved = tree.simplify();
    for _ in 0..SHRINKS {
        if !moved {
            break;
        }
        let recipe = tree.current();
        moved = match wrong(&recipe) {
            Some(found) => {
                (least, problem) = (recipe, found);
                tree.simplify()
            }
            None => tree.complicate(),
        };
    }
    format!("{problem}\n{least}").into()
}
