//! Known sums, found by the variables that they mention.
//!
//! Invariant: sums are in the order in which they became known, each once, and `of` lists the positions of the sums
//! that mention a variable, ascending. So a proof looks only at the sums that share a variable with what it proves, and
//! the facts of one branch cost nothing in the proofs of another one.
//!
//! ```text
//! n - i - 1, i, j   ⇒   of i: n - i - 1, i
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ranges::sums::Sum;
use arrc_syntax::ids::VarId;

/// Sums that are known.
#[derive(Default)]
pub(super) struct KnownSums {
    sums: IndexSet<Sum>,
    of: IndexMap<VarId, Vec<usize>>,
}

impl KnownSums {
    /// Adds a sum, unless it is there.
    pub(super) fn insert(&mut self, sum: Sum) {
        let vars: Vec<VarId> = sum.terms.keys().copied().collect();
        let (at, is_new) = self.sums.insert_full(sum);
        if is_new {
            vars.into_iter().for_each(|var| self.of.entry(var).or_default().push(at));
        }
    }

    /// How many sums there are.
    pub(super) fn len(&self) -> usize {
        self.sums.len()
    }

    /// Forgets all sums but the first.
    pub(super) fn truncate(&mut self, but: usize) {
        while self.sums.len() > but {
            let last = self.sums.pop().expect("there are more sums than that");
            for var in last.terms.keys() {
                self.of.get_mut(var).expect("the sum is listed for its variables").pop();
            }
        }
    }

    /// Whether a sum is there.
    pub(super) fn contains(&self, sum: &Sum) -> bool {
        self.sums.contains(sum)
    }

    /// The sums, in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Sum> {
        self.sums.iter()
    }

    /// The sums that mention a variable, in order.
    pub(super) fn mentioning(&self, var: VarId) -> impl Iterator<Item = &Sum> {
        self.of.get(&var).into_iter().flatten().map(|&at| &self.sums[at])
    }

    /// The sums that mention a variable of another sum. One that mentions several of them comes several times.
    pub(super) fn related(&self, sum: &Sum) -> impl Iterator<Item = &Sum> {
        sum.terms.keys().flat_map(|&var| self.mentioning(var))
    }
}
