//! An entry as steps over arrays in chunks, for an engine that is distributed or that keeps arrays on disk.
//!
//! An array in chunks is cut along its first dimension. Each pass of the entry is a compiled function that takes a
//! chunk of each array that the pass reads, and gives a chunk of each array that it writes. Another compiled function
//! combines the accumulators of chunks. Everything outside of passes is compiled into functions that run once, on
//! scalars and whole arrays. A function that calls itself has a plan too: a call of it runs that plan on arrays in
//! chunks, or the function itself on small arrays.
//!
//! Invariant (`verify`): a step uses only values that were defined before it; the arguments and results of a step are
//! those of its function, in order; a pass that reads no array in chunks has a trip count.
//!
//! ```text
//! s = reduce (+) 0 xs; t = s + 1; ys = map (/ t) xs
//! ⇒ pass0 (chunk of xs) → s, combined by combine0; step0 (s) → t; pass1 (chunk of xs, t) → chunk of ys
//! ```

mod print_chunked;
mod verify_chunked;

pub use print_chunked::json;

use indexmap::IndexMap;

use crate::cnf;
use crate::cnf::{Atom, Type};
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;

/// A program with the functions of its chunked entries as further entries.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The entries as written, and behind them the functions of passes, of steps and of combinations.
    pub functions: cnf::Program,
    /// The plans of the entries.
    pub plans: Plans,
}

/// The plans of a program.
#[derive(Clone, Debug, Default)]
pub struct Plans {
    /// One plan for each entry as written, in order.
    pub entries: Vec<Plan>,
    /// The plans of the functions that plans call, except for functions of entries.
    pub functions: Vec<Plan>,
}

/// The plan of an entry, or of a function that plans call.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name of the entry that does the same on whole arrays.
    pub entry: Name,
    /// Its parameters, in the order of the entry's inputs.
    pub params: Vec<VarId>,
    /// The names of its results, in the order of the entry's outputs.
    pub outputs: Vec<String>,
    /// The steps.
    pub body: Block,
    /// Each value that a step or a parameter defines.
    pub values: IndexMap<VarId, PlanValue>,
}

/// A value that steps define.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlanValue {
    /// A name that no other value of the plan has.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The names of its extents, outermost first: a number, or a name that equal extents share.
    pub shape: Vec<String>,
}

/// Steps and their results.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// The steps, in an order in which they can run.
    pub steps: Vec<PlanStep>,
    /// The results.
    pub results: Vec<Atom>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum PlanStep {
    /// A pass over chunks.
    Pass(Pass),
    /// A function that runs once. Arrays among its arguments are whole.
    Once {
        /// The entry that runs.
        function: Name,
        /// Its arguments.
        args: Vec<Arg>,
        /// The variables of its results.
        outs: Vec<VarId>,
    },
    /// A call of a function that has a plan.
    Call {
        /// The entry whose plan runs.
        function: Name,
        /// Its arguments.
        args: Vec<Atom>,
        /// The variables of its results.
        outs: Vec<VarId>,
        /// The arrays that are not used after the call. Their lifetimes end when the arguments are taken, if they
        /// have not ended before.
        ends: Vec<VarId>,
    },
    /// `out = array[index]`, of one scalar.
    Element {
        /// The array.
        array: VarId,
        /// One index for each dimension.
        indices: Vec<Atom>,
        /// The scalar.
        out: VarId,
    },
    /// `outs = left ++ right`, for each pair.
    Append {
        /// The arrays that come first.
        left: Vec<VarId>,
        /// The arrays that follow.
        right: Vec<VarId>,
        /// The results.
        outs: Vec<VarId>,
    },
    /// A choice between two blocks.
    If {
        /// The condition.
        cond: Atom,
        /// The block that runs if it holds.
        then: Block,
        /// The block that runs if it does not hold.
        otherwise: Block,
        /// The variables of the results of the block that runs.
        outs: Vec<VarId>,
    },
    /// A loop.
    Loop(Box<Loop>),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// What determines the number of iterations.
    pub form: PlanLoopForm,
    /// The values that are carried from iteration to iteration.
    pub params: Vec<VarId>,
    /// Their initial values.
    pub init: Vec<Atom>,
    /// One iteration: its results are the carried values of the next one.
    pub body: Block,
    /// The variables of the last carried values.
    pub outs: Vec<VarId>,
}

/// What determines the number of iterations of a loop.
#[derive(Clone, Debug)]
pub enum PlanLoopForm {
    /// A number of iterations.
    For {
        /// The number.
        count: Atom,
        /// The variable that counts the iterations from 0.
        counter: VarId,
    },
    /// Iterations while a condition holds.
    While {
        /// The variables of the carried values in the condition.
        params: Vec<VarId>,
        /// The condition: one result.
        cond: Block,
    },
}

/// A pass over chunks.
#[derive(Clone, Debug)]
pub struct Pass {
    /// The entry that runs on one chunk.
    pub function: Name,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Its results.
    pub outs: Vec<PassResult>,
    /// The trip count over all chunks, if the pass reads no array in chunks.
    pub count: Option<Atom>,
    /// The ways in which accumulators of neighbouring chunks are combined.
    pub folds: Vec<ChunkFold>,
    /// The initial values that are handed from chunk to chunk, each with the variable of the last value.
    pub carries: Vec<CarriedState>,
}

/// An argument of a function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// A chunk of an array.
    Chunk(VarId),
    /// A scalar, or a whole array.
    Value(VarId),
    /// The extent of a dimension of an array over all chunks.
    Extent(VarId, usize),
    /// The trip count of the pass over all chunks.
    Total,
    /// The number of steps of the pass before this chunk.
    Offset,
    /// The number of steps of the pass in this chunk.
    Count,
    /// The value that the chunk before this one hands on: one of the pass's carries.
    Carry(usize),
}

/// A result of a pass's function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PassResult {
    /// A chunk of an array.
    Array(VarId),
    /// An accumulator of a fold.
    Fold(VarId),
    /// The length of a chunk of an array that is not stored.
    Length(VarId),
    /// The value that the next chunk takes over: one of the pass's carries.
    Carry(usize),
}

/// The combination of the accumulators of two neighbouring chunks.
#[derive(Clone, Debug)]
pub struct ChunkFold {
    /// The accumulators.
    pub outs: Vec<VarId>,
    /// The entry that combines. It takes the accumulators of the left chunk, those of the right chunk, and other
    /// values.
    pub combine: Name,
    /// The other values, which are the same for all chunks.
    pub env: Vec<Arg>,
}

/// A value that each chunk hands on to the next one.
#[derive(Clone, Copy, Debug)]
pub struct CarriedState {
    /// The value that the first chunk takes.
    pub init: Atom,
    /// The variable of the value that the last chunk gives.
    pub out: VarId,
}

impl Plans {
    /// The plan of an entry, or of a function.
    #[must_use]
    pub fn of(&self, entry: &str) -> Option<&Plan> {
        self.entries.iter().chain(&self.functions).find(|plan| plan.entry == entry)
    }

    /// Renames the functions that the plans use.
    pub fn rename(&mut self, name: &impl Fn(&str) -> Name) {
        self.entries.iter_mut().chain(&mut self.functions).for_each(|plan| plan.rename(name));
    }
}

impl Plan {
    fn rename(&mut self, name: &impl Fn(&str) -> Name) {
        self.entry = name(&self.entry);
        self.body.rename(name);
    }
}

impl Block {
    fn rename(&mut self, name: &impl Fn(&str) -> Name) {
        for step in &mut self.steps {
            match step {
                PlanStep::Pass(pass) => {
                    pass.function = name(&pass.function);
                    pass.folds.iter_mut().for_each(|fold| fold.combine = name(&fold.combine));
                }
                PlanStep::Once { function, .. } | PlanStep::Call { function, .. } => {
                    *function = name(function);
                }
                PlanStep::Element { .. } | PlanStep::Append { .. } => {}
                PlanStep::If { then, otherwise, .. } => {
                    then.rename(name);
                    otherwise.rename(name);
                }
                PlanStep::Loop(of) => {
                    if let PlanLoopForm::While { cond, .. } = &mut of.form {
                        cond.rename(name);
                    }
                    of.body.rename(name);
                }
            }
        }
    }
}

impl PlanStep {
    /// The variables that the step defines.
    #[must_use]
    pub fn defines(&self) -> Vec<VarId> {
        match self {
            Self::Pass(pass) => pass.defines(),
            Self::Once { outs, .. }
            | Self::Call { outs, .. }
            | Self::Append { outs, .. }
            | Self::If { outs, .. } => outs.clone(),
            Self::Element { out, .. } => vec![*out],
            Self::Loop(of) => of.outs.clone(),
        }
    }
}

impl Arg {
    /// The array, if the argument is a chunk of one.
    #[must_use]
    pub fn chunk(self) -> Option<VarId> {
        if let Self::Chunk(array) = self { Some(array) } else { None }
    }

    /// The variable, if the argument is the value of one.
    #[must_use]
    pub fn value(self) -> Option<VarId> {
        if let Self::Value(var) = self { Some(var) } else { None }
    }
}

impl PassResult {
    /// The array, if the result is a chunk of one.
    #[must_use]
    pub fn array(self) -> Option<VarId> {
        if let Self::Array(array) = self { Some(array) } else { None }
    }
}

impl Pass {
    /// The arrays whose lengths the pass gives.
    pub fn measures(&self) -> impl Iterator<Item = VarId> + '_ {
        self.outs
            .iter()
            .filter_map(|out| if let PassResult::Length(var) = *out { Some(var) } else { None })
    }

    /// The variables that the pass defines. The array of a [`PassResult::Length`] is not among them, since it is not
    /// stored.
    #[must_use]
    pub fn defines(&self) -> Vec<VarId> {
        let outs = self.outs.iter().filter_map(|out| match *out {
            PassResult::Array(var) | PassResult::Fold(var) => Some(var),
            PassResult::Carry(carry) => Some(self.carries[carry].out),
            PassResult::Length(_) => None,
        });
        outs.collect()
    }
}
