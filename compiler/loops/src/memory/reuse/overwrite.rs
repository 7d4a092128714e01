//! A pass overwrites an array that ends with it, instead of allocating new memory and releasing the array's.
//!
//! Invariant: the array has no other owner, and the pass reads an element of it only in the step with the element's
//! position, before it writes there. The position is the number of the step, or the counters of all loops around. No
//! step can fail: a vector loop finds a failing step after it has stored the results of others, and then all of these
//! steps run again, one at a time.
//!
//! The ranges of such a pass that store each element where they read it do nothing
//! ([`crate::memory::reuse::silent_stores`]).
//!
//! ```text
//! pass { ys = newVecI n; for i < n { x = nextI i xs; y = f x; writeVecI i ys y } … }; release xs
//! ⇒ pass { ys = newVecI n over xs; for i < n { x = nextI i xs; y = f x; writeVecI i ys y } … }
//!
//! pass { ys = newVecI n; for i < n { pass { y = newVecI m in ys[i]; for j < m { … xs[i, j] … } } } }; release xs
//! ⇒ pass { ys = newVecI n over xs; for i < n { pass { y = newVecI m in ys[i] over xs; for j < m { … xs[i, j] … } } } }
//! ```

use indexmap::IndexSet;

use crate::access::{Accesses, Context};
use crate::concrete::{Block, Length, Memory, Procedure, Start, Step, Stmt};
use crate::memory::reuse::silent_stores::empty_ranges;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, SizeInfo, Type, Var};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::source::Span;

/// What is known of the variables of a function, where a block ends.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    pub(crate) vars: &'a PrimaryMap<VarId, Var>,
    pub(crate) sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    pub(crate) context: &'a Context<'a>,
}

/// Makes the passes of a block overwrite arrays that are not `shared`. Passes of inner blocks do not change.
pub(crate) fn passes(steps: Vec<Step>, shared: &IndexSet<VarId>, known: Known<'_>) -> Vec<Step> {
    let mut done: Vec<Step> = Vec::new();
    // The pass before the releases.
    let mut last = None;
    for step in steps {
        if let Step::Release { array } = step {
            if let Some(at) = last
                && let Some(Step::Pass(pass)) = done.get_mut(at)
                && !shared.contains(&array)
                && overwrite(pass, array, known)
            {
                continue;
            }
        } else {
            last = matches!(step, Step::Pass(_)).then_some(done.len());
        }
        done.push(step);
    }
    done
}

/// The arrays that end with a pass of the block and that the pass could overwrite if they had one owner, with the
/// place of the vector.
pub(crate) fn wanted(steps: &[Step], known: Known<'_>) -> Vec<(VarId, Span)> {
    let mut found = Vec::new();
    let mut last = None;
    for step in steps {
        match (step, last) {
            (Step::Release { array }, Some(pass)) => {
                found.extend(
                    overwriting_vector(pass, *array, known).map(|(_, span)| (*array, span)),
                );
            }
            (Step::Release { .. }, None) => {}
            (Step::Pass(pass), _) => last = Some(pass),
            (_, _) => last = None,
        }
    }
    found
}

/// Makes one of the pass's vectors overwrite the array, if the results stay the same. Returns whether it does.
fn overwrite(pass: &mut Procedure, array: VarId, known: Known<'_>) -> bool {
    let Some((over, _)) = overwriting_vector(pass, array, known) else { return false };
    for start in &mut pass.start {
        if let Start::NewVec { vec, memory, .. } = start
            && *vec == over
        {
            *memory = Memory::Over(array);
        }
    }
    let accesses = Accesses::of_pass(pass, known.context, known.vars);
    empty_ranges(pass, (array, over), &accesses, known.vars);
    put_rows_over(pass, over, array);
    true
}

/// Notes that the rows of a vector, and the rows of these rows, lie over an array, which the passes that make them may
/// read.
pub(super) fn put_rows_over(pass: &mut Procedure, vector: VarId, over: VarId) {
    pass.nest.for_each_stmt_mut(&mut |stmt| {
        if let Stmt::Apply { worker, .. } = stmt {
            put_rows_of_block_over(&mut worker.body, vector, over);
        }
    });
}

fn put_rows_of_block_over(block: &mut Block, vector: VarId, over: VarId) {
    for step in &mut block.steps {
        if let Step::Pass(pass) = step {
            let mut rows = Vec::new();
            for start in &mut pass.start {
                if let Start::NewVec { vec, memory: Memory::Row(place), .. } = start
                    && place.vec == vector
                {
                    place.over = Some(over);
                    rows.push(*vec);
                }
            }
            rows.into_iter().for_each(|row| put_rows_over(pass, row, over));
        } else {
            for inner in step.blocks_mut() {
                put_rows_of_block_over(inner, vector, over);
            }
        }
    }
}

/// The vector of the pass that can overwrite the array, and its place in the source.
fn overwriting_vector(pass: &Procedure, array: VarId, known: Known<'_>) -> Option<(VarId, Span)> {
    let vars = known.vars;
    let Procedure { start, nest, yields, .. } = pass;
    // The array may be a result of the pass that also ends with it.
    let is_given = !yields.contains(&array);
    let natural = non_negative(pass, array, known);
    if !is_given || !vars[array].ty.is_array() || nest.may_fail(&natural, vars) {
        return None;
    }
    let accesses = Accesses::of_pass(pass, known.context, vars);
    start.iter().find_map(|start| {
        let Start::NewVec { vec, capacity, memory: Memory::New, span } = start else {
            return None;
        };
        let (old, new) = (&vars[array].ty, &vars[*vec].ty);
        // Of rows of scalars, the vector may have fewer elements in the end, as behind a filter.
        let is_as_long = is_row_of_scalars(old)
            && is_row_of_scalars(new)
            && is_length_of(&nest.length, array, vars);
        let fits = (is_as_long || old.shape() == new.shape())
            && old.scalars().bytes() == new.scalars().bytes()
            && *capacity == nest.length
            && !pass.growing().contains(vec)
            && accesses.overwrites(array, *vec).is_ok();
        fits.then_some((*vec, *span))
    })
}

/// Whether a length is that of an array, as its type says.
fn is_length_of(length: &Length, array: VarId, vars: &PrimaryMap<VarId, Var>) -> bool {
    matches!(length, Length::Array(of) if vars[*of].ty.shape()[0] == vars[array].ty.shape()[0])
}

pub(super) fn is_row_of_scalars(ty: &Type) -> bool {
    matches!(ty, Type::Array { shape, .. } if shape.len() == 1)
}

/// The numbers that are not negative in the steps of a pass: those that it has checked, and the extents of an array
/// that has elements then.
fn non_negative(pass: &Procedure, array: VarId, known: Known<'_>) -> Vec<Atom> {
    let checked = pass.start.iter().filter_map(|start| match start {
        Start::CheckSize { size, .. } => Some(*size),
        Start::NewVec { .. } | Start::NewAcc { .. } => None,
    });
    let extents = known.vars[array].ty.shape().iter().filter_map(|extent| match extent {
        Extent::Const(_) => None,
        Extent::Size(size) => match known.sizes[*size].def {
            SizeDef::Value(var) => Some(Atom::Var(var)),
            SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
        },
    });
    checked.chain(extents).collect()
}
