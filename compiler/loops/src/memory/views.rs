//! A pass that only copies consecutive elements of an array becomes a view of them.
//!
//! A slice is a `generate`, so that it fuses with its consumers. A pass that only copies a slice exists because a
//! consumer needs the slice in memory. But there it is already, as a part of its array.
//!
//! Invariant: the reads are in bounds by construction, so the view needs no check. While the view is used, the block
//! does nothing with the array but read it: an update of the array would have to copy all of it.
//!
//! ```text
//! pass { ys = newVecI m; k = index i; y = (\k -> { j = c + k; y = inside xs[r, j]; yield (y) }) k; writeVecI i ys y }
//! ⇒ ys = slice xs[r, c] m
//! ```

use crate::concrete::{
    Block, End, Length, Plain, Position, Procedure, Program, Start, Step, Stmt, Worker,
    WrittenCount, def_use,
};
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const};

/// Replaces the passes that only copy consecutive elements.
#[must_use]
pub fn views(mut program: Program<Plain>) -> Program<Plain> {
    for function in program.functions.values_mut() {
        block(&mut function.body);
    }
    program
}

fn block(of: &mut Block<Plain>) {
    for step in &mut of.steps {
        step.blocks_mut().into_iter().for_each(block);
    }
    for at in 0..of.steps.len() {
        if let Step::Pass(pass) = &of.steps[at]
            && let Some(view) = CopiedSlice::of(pass)
            && view.is_only_read(of, at)
        {
            let CopiedSlice { var, array, indices, count } = view;
            of.steps[at] = Step::Slice { var, array, indices, count };
        }
    }
}

/// The slice that a pass copies.
struct CopiedSlice {
    var: VarId,
    array: VarId,
    indices: Vec<Atom>,
    count: Atom,
}

impl CopiedSlice {
    /// The slice that a pass copies, if it does nothing else and the elements are consecutive.
    fn of(pass: &Procedure<Plain>) -> Option<Self> {
        let nest = &pass.nest;
        let Length::Value(count) = nest.length else { return None };
        let (vec, made) = match &pass.start[..] {
            [Start::CheckSize { .. }, Start::NewVec { vec, capacity, .. }]
            | [Start::NewVec { vec, capacity, .. }] => (*vec, capacity),
            _ => return None,
        };
        let is_whole = matches!(
            pass.end[..],
            [End::Slice { vec: ended, length: WrittenCount::All }] if ended == vec
        );
        let is_plain = nest.inner.is_empty() && pass.accs.is_empty() && pass.yields == [vec];
        if !is_whole || !is_plain || *made != nest.length {
            return None;
        }
        let [
            Stmt::Position { elem: position, index: Position::Var(counter) },
            Stmt::Apply { elems, worker, args },
            Stmt::Write { index: Position::Var(place), elem, .. },
        ] = &nest.body[..]
        else {
            return None;
        };
        let is_copied = *counter == nest.counter
            && place == counter
            && args[..] == [Atom::Var(*position)]
            && matches!(elems[..], [copied] if *elem == Atom::Var(copied));
        let (array, indices) = is_copied.then(|| consecutive(worker)).flatten()?;
        Some(Self { var: vec, array, indices, count })
    }

    /// Whether the block keeps the view to itself, and changes the array only after the last use of the view.
    fn is_only_read(&self, block: &Block<Plain>, at: usize) -> bool {
        let uses = |step: &Step<Plain>, var| def_use::uses(step).contains(&var);
        let behind = &block.steps[at + 1..];
        let last = behind.iter().rposition(|step| uses(step, self.var));
        let live = &behind[..last.map_or(0, |last| last + 1)];
        !block.results.contains(&Atom::Var(self.var))
            && live.iter().all(|step| {
                let is_used = uses(step, self.var) || uses(step, self.array);
                !is_used || reads(step, &[self.var, self.array])
            })
    }
}

/// The array and the first element, if a worker only reads consecutive elements at its argument.
fn consecutive(worker: &Worker<Plain>) -> Option<(VarId, Vec<Atom>)> {
    let &[position] = &worker.params[..] else { return None };
    let position = Atom::Var(position);
    let (before, read) = worker.body.steps.split_last().map(|(read, before)| (before, read))?;
    let Step::Index { var, array, indices, inside: true, .. } = read else { return None };
    let (last, row) = indices.split_last()?;
    let first = match before {
        [] if *last == position => Atom::Const(Const::i64(0)),
        [Step::Scalar { var: sum, op: Operation::Bin(BinOp::Add, args), .. }]
            if *last == Atom::Var(*sum) =>
        {
            match *args {
                [first, moving] | [moving, first] if moving == position => first,
                [_, _] => return None,
            }
        }
        [] | [_, ..] => return None,
    };
    let is_moving = |atom: &Atom| *atom == position || *atom == *last;
    let is_result = worker.body.results[..] == [Atom::Var(*var)];
    (is_result && !row.iter().any(is_moving) && first != position)
        .then(|| (*array, [row, &[first]].concat()))
}

/// Whether a step does no more with these arrays than read them.
fn reads(step: &Step<Plain>, arrays: &[VarId]) -> bool {
    match step {
        Step::Index { .. } | Step::Row { .. } | Step::Length { .. } | Step::Sort { .. } => true,
        Step::Pass(pass) => !pass.start.iter().any(|start| {
            matches!(start, Start::NewAcc { init: Atom::Var(init), .. } if arrays.contains(init))
        }),
        Step::Scalar { .. }
        | Step::Slice { .. }
        | Step::Assert { .. }
        | Step::If { .. }
        | Step::Call { .. }
        | Step::Append { .. }
        | Step::Array { .. }
        | Step::Constant { .. }
        | Step::Reshape { .. }
        | Step::Loop { .. }
        | Step::Replace { .. }
        | Step::Copy { .. }
        | Step::Unique { .. }
        | Step::Share { .. }
        | Step::Release { .. } => false,
    }
}
