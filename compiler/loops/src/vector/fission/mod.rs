//! Loop fission: wide passes as several narrower ones. A pass with very many results becomes passes over the same
//! inputs, each with some of the results.
//!
//! The time that LLVM takes for a loop grows faster than the number of its accumulators, and a loop with more of them
//! than there are registers keeps them in memory anyway. So each group of [`EACH`] results gets a loop of its own.
//! Cheap scalar code that several groups need is done in each of them; groups that need anything else in common stay
//! together. The cost is that each loop reads the inputs again.
//!
//! Invariant: each result is made by one pass, from the same elements in the same order as before. A pass with at most
//! [`WIDE`] results does not change.
//!
//! ```text
//! loopI i (length xs) body { x = nextI i xs; a := a + x; …; z := z * x } end { s = read a; …; p = read z }
//! ⇒ loopI i (length xs) body { x = nextI i xs; a := a + x; … } end { s = read a; … }
//!   loopI j (length xs) body { y = nextI j xs; …; z := z * y } end { …; p = read z }
//! ```

mod items;
mod pass_parts;

use indexmap::IndexMap;

use self::items::Items;
use self::pass_parts::PassParts;
use crate::concrete::{Block, Plain, Procedure, Program, Step};
use arrc_fusion::cnf::Var;
use arrc_syntax::ids::{PrimaryMap, VarId};

/// Passes with more results are split. `scripts/bench compile 'pairs of'` has passes of up to 2,000 results: they are
/// built in 2.14 s, and 1,000 in 0.87 (least processor time, shared machine).
pub const WIDE: usize = 64;
/// The results of each part. `scripts/bench compile 'pairs of'` shows the time of LLVM. Not measured by itself.
const EACH: usize = 32;

/// Splits the wide passes of a program.
#[must_use]
pub fn fission(mut program: Program<Plain>) -> Program<Plain> {
    for function in program.functions.values_mut() {
        block(&mut function.body, &mut function.tables.vars);
    }
    program
}

fn block(block_of: &mut Block<Plain>, vars: &mut PrimaryMap<VarId, Var>) {
    for mut step in std::mem::take(&mut block_of.steps) {
        step.blocks_mut().into_iter().for_each(|inside| block(inside, vars));
        if let Step::Pass(pass) = &step
            && pass.end.len() > WIDE
        {
            block_of.steps.extend(parts(pass, vars).into_iter().map(Step::Pass));
        } else {
            block_of.steps.push(step);
        }
    }
}

/// The parts of a wide pass.
fn parts(pass: &Procedure<Plain>, vars: &mut PrimaryMap<VarId, Var>) -> Vec<Procedure<Plain>> {
    let Some(items) = Items::new(pass, vars) else { return vec![pass.clone()] };
    let groups = groups(&items, pass.end.len());
    let copied: usize = groups.iter().map(|group| items.dependencies_of(group).count()).sum();
    // Loops that mostly do the same again are not worth it.
    if groups.len() < 2 || copied > 2 * items.len() {
        return vec![pass.clone()];
    }
    let mut slices = PassParts::new(pass, vars, items.len());
    groups.iter().map(|group| slices.slice(group, &items)).collect()
}

/// The ends of the pass in groups; each group becomes a pass. Ends stay together if they need work that cannot be done
/// twice.
fn groups(items: &Items, ends: usize) -> Vec<Vec<usize>> {
    let mut together = EndClasses((0..ends).collect());
    let mut first: IndexMap<usize, usize> = IndexMap::new();
    for end in 0..ends {
        for item in items.dependencies_of(&[end]).filter(|&item| !items.is_copied(item)) {
            let other = *first.entry(item).or_insert(end);
            together.join(other, end);
        }
    }
    let mut classes: IndexMap<usize, Vec<usize>> = IndexMap::new();
    for end in 0..ends {
        classes.entry(together.first(end)).or_default().push(end);
    }
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for class in classes.into_values() {
        match groups.last_mut() {
            Some(group) if group.len() + class.len() <= EACH => group.extend(class),
            Some(_) | None => groups.push(class),
        }
    }
    groups
}

/// The groups of ends that stay together, as a union-find: each end refers to an earlier end of its group, or to
/// itself.
struct EndClasses(Vec<usize>);

impl EndClasses {
    /// The first end of an end's group.
    fn first(&self, end: usize) -> usize {
        let before = self.0[end];
        if before == end { end } else { self.first(before) }
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b)] = a.min(b);
    }
}
