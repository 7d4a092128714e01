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

use std::fmt;

use indexmap::IndexSet;

use crate::access::{Accesses, Context, Obstacle};
use crate::concrete::{Block, Length, Memory, Procedure, Start, Step, Stmt};
use crate::memory::reuse::silent_stores::empty_ranges;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, SizeInfo, Type, Var};
use arrc_fusion::tables::Tables;
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

/// Why a vector cannot be made in the memory of an array that ends with its pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReuseObstacle {
    /// A step may fail. A vector loop finds that after it has overwritten elements, and then runs these steps again.
    MayFail,
    /// The vector and the array differ in the size of their elements or in their extents.
    OtherShape,
    /// The length of the vector is known only at the end of the pass.
    Grows,
    /// An element may be overwritten before it is read.
    Access(Obstacle),
}

impl fmt::Display for ReuseObstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MayFail => "a step may fail",
            Self::OtherShape => "it has another shape",
            Self::Grows => "its length is known only at the end",
            Self::Access(Obstacle::Escapes) => "a function or loop uses the array",
            Self::Access(Obstacle::OtherStep) => "steps read elements of other steps",
            Self::Access(Obstacle::AfterWrite) => "a step reads an element again after writing it",
        })
    }
}

/// Why a vector of a pass is not made in the memory of an array that ends with the pass; none if it could be.
#[must_use]
pub fn obstacle(
    pass: &Procedure,
    (array, vector): (VarId, VarId),
    tables: &Tables,
    accesses: &Accesses,
) -> Option<ReuseObstacle> {
    let vars = &tables.vars;
    let natural = non_negative(pass, array, vars, &tables.sizes);
    if pass.nest.may_fail(&natural, vars) {
        return Some(ReuseObstacle::MayFail);
    }
    let fits = |start: &Start| match start {
        Start::NewVec { vec, .. } if *vec == vector => {
            fits(pass, array, start, vars, accesses).err()
        }
        Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
    };
    pass.start.iter().find_map(fits)
}

/// The vector of the pass that can overwrite the array, and its place in the source.
fn overwriting_vector(pass: &Procedure, array: VarId, known: Known<'_>) -> Option<(VarId, Span)> {
    let vars = known.vars;
    // The array may be a result of the pass that also ends with it.
    let is_given = !pass.yields.contains(&array);
    let natural = non_negative(pass, array, vars, known.sizes);
    if !is_given || !vars[array].ty.is_array() || pass.nest.may_fail(&natural, vars) {
        return None;
    }
    let accesses = Accesses::of_pass(pass, known.context, vars);
    let new = |start: &&Start| matches!(start, Start::NewVec { memory: Memory::New, .. });
    let mut vectors = pass.start.iter().filter(new);
    vectors.find_map(|start| fits(pass, array, start, vars, &accesses).ok())
}

/// The vector of a statement before the loop, and its place, if it can overwrite the array.
fn fits(
    pass: &Procedure,
    array: VarId,
    start: &Start,
    vars: &PrimaryMap<VarId, Var>,
    accesses: &Accesses,
) -> Result<(VarId, Span), ReuseObstacle> {
    let Start::NewVec { vec, capacity, span, .. } = start else {
        return Err(ReuseObstacle::OtherShape);
    };
    let length = &pass.nest.length;
    let (old, new) = (&vars[array].ty, &vars[*vec].ty);
    // Of rows of scalars, the vector may have fewer elements in the end, as behind a filter.
    let is_as_long =
        is_row_of_scalars(old) && is_row_of_scalars(new) && is_length_of(length, array, vars);
    let is_alike = is_as_long || old.shape() == new.shape();
    if !is_alike || old.scalars().bytes() != new.scalars().bytes() {
        return Err(ReuseObstacle::OtherShape);
    }
    if capacity != length || pass.growing().contains(vec) {
        return Err(ReuseObstacle::Grows);
    }
    accesses.overwrites(array, *vec).map_err(ReuseObstacle::Access)?;
    Ok((*vec, *span))
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
fn non_negative(
    pass: &Procedure,
    array: VarId,
    vars: &PrimaryMap<VarId, Var>,
    sizes: &PrimaryMap<SizeId, SizeInfo>,
) -> Vec<Atom> {
    let checked = pass.start.iter().filter_map(|start| match start {
        Start::CheckSize { size, .. } => Some(*size),
        Start::NewVec { .. } | Start::NewAcc { .. } => None,
    });
    let extents = vars[array].ty.shape().iter().filter_map(|extent| match extent {
        Extent::Const(_) => None,
        Extent::Size(size) => match sizes[*size].def {
            SizeDef::Value(var) => Some(Atom::Var(var)),
            SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
        },
    });
    checked.chain(extents).collect()
}
