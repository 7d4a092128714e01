//! Whether a pass over elements reads memory no worse than a loop of passes.
//!
//! ```text
//! a[i, j]: element i, step j   ⇒   neighbouring steps read neighbouring elements
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Op, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// How the positions of reads depend on the element and on the step.
struct Strides<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    /// What values depend on.
    depends: IndexMap<VarId, Dependence>,
    /// How many reads are of neighbouring elements in neighbouring steps, of different rows for different elements.
    along_steps: usize,
    /// How many reads are of neighbouring elements for neighbouring elements, of different rows in different steps.
    along_elements: usize,
}

/// What a value depends on.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Dependence {
    element: bool,
    step: bool,
}

impl Dependence {
    const BOTH: Self = Self { element: true, step: true };

    fn or(self, other: Self) -> Self {
        Self { element: self.element || other.element, step: self.step || other.step }
    }
}

/// Whether a pass over elements reads memory no worse than a loop of passes: more of its reads are of neighbouring
/// elements in neighbouring steps than the other way round, or it only saves the traffic of the arrays that the loop
/// carries.
pub(super) fn is_profitable(
    step: &Worker,
    lane: VarId,
    counter: VarId,
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    let mut strides = Strides { vars, depends: IndexMap::new(), along_steps: 0, along_elements: 0 };
    strides.depends.extend(step.params.iter().map(|&param| (param, Dependence::BOTH)));
    strides.depends.insert(lane, Dependence { element: true, step: false });
    strides.depends.insert(counter, Dependence { element: false, step: true });
    strides.block(&step.body);
    let Strides { along_steps, along_elements, .. } = strides;
    along_steps > along_elements || (along_steps == 0 && along_elements == 0)
}

impl Strides<'_> {
    fn block(&mut self, block: &Block) {
        for Bind { vars, op, .. } in &block.binds {
            let mut of = op
                .operands()
                .iter()
                .fold(Dependence::default(), |all, &operand| all.or(self.of(operand)));
            for inner in op.inner() {
                self.block(inner.block);
                of = of.or(self.within(inner.block));
            }
            if let Op::Index { array, indices, .. } = op {
                self.read(*array, indices);
            }
            self.depends.extend(vars.iter().map(|&var| (var, of)));
        }
    }

    fn of(&self, atom: Atom) -> Dependence {
        atom.as_var().and_then(|var| self.depends.get(&var)).copied().unwrap_or_default()
    }

    /// What the results of a block depend on, at most.
    fn within(&self, block: &Block) -> Dependence {
        let mut all = Dependence::default();
        block.for_each_use(&mut |atom| all = all.or(self.of(atom)));
        all
    }

    fn read(&mut self, array: VarId, indices: &[Atom]) {
        if indices.len() < self.vars[array].ty.rank() {
            return;
        }
        let Some((&last, first)) = indices.split_last() else { return };
        let rows = first.iter().fold(Dependence::default(), |all, &index| all.or(self.of(index)));
        let last = self.of(last);
        self.along_steps += usize::from(rows.element && last.step && !last.element);
        self.along_elements += usize::from(rows.step && last.element && !last.step);
    }
}
