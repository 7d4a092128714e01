//! Substitutions, and copies under other names.
//!
//! Invariant: these functions change every use in the code, and no order of bindings. A copy binds the variables that
//! [`Names::bound`] gives, in the order of the text.
//!
//! ```text
//! y = map (\a -> a + n) xs, n ↦ 3   ⇒   y = map (\a -> a + 3) xs         Block::substitute
//!                                        y' = map (\a' -> a' + 3) xs     Block::rename
//! ```

use indexmap::IndexMap;

use super::{Atom, Bind, Block, Op};
use arrc_syntax::ids::VarId;

/// What stands for variables in a copy.
pub trait Names {
    /// What stands for an atom that the code uses.
    fn atom(&self, atom: Atom) -> Atom;

    /// The variable that the copy binds where the code binds this one.
    fn bound(&mut self, var: VarId) -> VarId;
}

impl Atom {
    /// What these names give for the atom, or the atom itself.
    #[must_use]
    pub fn substitute(self, names: &IndexMap<VarId, impl Copy + Into<Self>>) -> Self {
        let named = self.as_var().and_then(|var| names.get(&var));
        named.map_or(self, |&named| named.into())
    }
}

impl Op {
    /// Replaces the operands that have a name here. Uses in the blocks stay.
    ///
    /// # Panics
    /// If an array is replaced by a constant.
    pub fn substitute(&mut self, names: &IndexMap<VarId, impl Copy + Into<Atom>>) {
        self.replace_operands(&mut |atom| atom.substitute(names));
    }
}

impl Bind {
    /// Renames the variables that the binding uses and binds, also in its blocks.
    pub fn rename(&mut self, names: &mut impl Names) {
        self.op.replace_operands(&mut |atom| names.atom(atom));
        for param in self.op.workers_mut().into_iter().flat_map(|worker| &mut worker.params) {
            *param = names.bound(*param);
        }
        self.op.blocks_mut().into_iter().for_each(|block| block.rename(names));
        self.vars.iter_mut().for_each(|var| *var = names.bound(*var));
    }
}

impl Block {
    /// Renames the variables that the block uses and binds.
    pub fn rename(&mut self, names: &mut impl Names) {
        self.binds.iter_mut().for_each(|bind| bind.rename(names));
        self.results.iter_mut().for_each(|result| *result = names.atom(*result));
    }

    /// Replaces the uses of variables that have a name here, in the block and in the blocks inside it.
    ///
    /// # Panics
    /// If an array is replaced by a constant.
    pub fn substitute(&mut self, names: &IndexMap<VarId, impl Copy + Into<Atom>>) {
        self.replace_uses(&mut |atom| atom.substitute(names));
    }
}
