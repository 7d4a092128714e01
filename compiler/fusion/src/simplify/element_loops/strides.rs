//! Whether a pass over elements reads memory no worse than a loop of passes.
//!
//! ```text
//! a[i, j]: element i, step j   ⇒   neighbouring steps read neighbouring elements, neighbouring elements other rows
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Op, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::prim::BinOp;

/// How the positions of reads depend on the element and on the step.
struct Strides<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    /// What values depend on.
    depends: IndexMap<VarId, Dependence>,
    /// How many reads are of neighbours in neighbouring steps, and far apart for neighbouring elements.
    along_steps: usize,
    /// How many reads are of neighbours for neighbouring elements, and far apart in neighbouring steps.
    along_elements: usize,
    /// Whether a position depends on what the loop carries. Then a step waits for the read of the step before.
    is_chased: bool,
}

/// What a value depends on.
#[derive(Clone, Copy, Default)]
struct Dependence {
    element: Stride,
    step: Stride,
    /// Whether it depends on what the loop carries.
    is_carried: bool,
}

/// How far apart two values are.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stride {
    #[default]
    Zero,
    One,
    Other,
}

impl Stride {
    fn sum(self, other: Self) -> Self {
        match (self, other) {
            (stride, Self::Zero) | (Self::Zero, stride) => stride,
            (Self::One | Self::Other, Self::One | Self::Other) => Self::Other,
        }
    }

    fn scaled(self) -> Self {
        if self == Self::Zero { Self::Zero } else { Self::Other }
    }
}

impl Dependence {
    fn sum(self, other: Self) -> Self {
        Self {
            element: self.element.sum(other.element),
            step: self.step.sum(other.step),
            is_carried: self.is_carried || other.is_carried,
        }
    }

    fn scaled(self) -> Self {
        Self { element: self.element.scaled(), step: self.step.scaled(), ..self }
    }
}

/// Whether a pass over elements reads memory no worse than a loop of passes: more of its reads are of neighbours in
/// neighbouring steps than the other way round, or it only saves the traffic of the arrays that the loop carries. If a
/// step reads where the step before said, the elements of a pass can be read together, and those of a loop cannot.
///
/// `own` are the position of the element, and elements at this position.
pub(super) fn is_profitable(
    step: &Worker,
    own: impl Iterator<Item = VarId>,
    counter: VarId,
    vars: &PrimaryMap<VarId, Var>,
) -> bool {
    let carried = Dependence { element: Stride::Other, step: Stride::Other, is_carried: true };
    let of_element = Dependence { element: Stride::One, ..Dependence::default() };
    let of_step = Dependence { step: Stride::One, ..Dependence::default() };
    let mut depends: IndexMap<VarId, Dependence> =
        step.params.iter().map(|&param| (param, carried)).collect();
    depends.extend(own.map(|var| (var, of_element)));
    depends.insert(counter, of_step);
    let mut strides =
        Strides { vars, depends, along_steps: 0, along_elements: 0, is_chased: false };
    strides.block(&step.body);
    let Strides { along_steps, along_elements, is_chased, .. } = strides;
    !is_chased && (along_steps > along_elements || (along_steps == 0 && along_elements == 0))
}

impl Strides<'_> {
    fn block(&mut self, block: &Block) {
        for Bind { vars, op, .. } in &block.binds {
            for inner in op.inner() {
                self.block(inner.block);
            }
            if let Op::Index { array, indices, .. } = op {
                self.read(*array, indices);
            }
            let of = self.result(op);
            self.depends.extend(vars.iter().map(|&var| (var, of)));
        }
    }

    fn of(&self, atom: Atom) -> Dependence {
        atom.as_var().and_then(|var| self.depends.get(&var)).copied().unwrap_or_default()
    }

    /// What the result of an operation depends on.
    fn result(&self, op: &Op) -> Dependence {
        if let Some((operation, [left, right])) = op.binary() {
            let [left, right] = [left, right].map(|side| self.of(side));
            if matches!(operation, BinOp::Add | BinOp::Sub) {
                return left.sum(right);
            }
        }
        let mut all = Dependence::default();
        let mut add = |atom| all = all.sum(self.of(atom).scaled());
        op.operands().into_iter().for_each(&mut add);
        op.inner().into_iter().for_each(|inner| inner.block.for_each_use(&mut add));
        all
    }

    fn read(&mut self, array: VarId, indices: &[Atom]) {
        let Some((&last, first)) = indices.split_last() else { return };
        self.is_chased |= indices.iter().any(|&index| self.of(index).is_carried);
        if indices.len() < self.vars[array].ty.rank() {
            return;
        }
        let rows = first.iter().copied().chain([Atom::Var(array)]);
        let rows = rows.fold(Dependence::default(), |all, of| all.sum(self.of(of).scaled()));
        let Dependence { element, step, .. } = rows.sum(self.of(last));
        self.along_steps += usize::from(step == Stride::One && element == Stride::Other);
        self.along_elements += usize::from(element == Stride::One && step == Stride::Other);
    }
}
