//! An entry as steps over arrays in chunks: what a distributed engine runs, or one that keeps arrays on disk.
//!
//! An array in chunks is cut along its first dimension. Each pass of the entry is a compiled function that takes a chunk of
//! each array that the pass reads, and gives a chunk of each array that it writes. Accumulators of chunks are combined by
//! another compiled function. What no pass does is a function that runs once, on scalars and whole arrays. A function that
//! calls itself has a plan too: a call of it runs that plan on arrays in chunks, or the function itself on small ones.
//!
//! Invariant (`verify`): a step uses only values that were defined before it; the arguments and results of a step are
//! those of its function, in order; a pass over no array in chunks is told how many steps it takes.
//!
//! ```text
//! s = reduce (+) 0 xs; t = s + 1; ys = map (/ t) xs
//! ⇒ pass0 (chunk of xs) → s, combined by combine0; step0 (s) → t; pass1 (chunk of xs, t) → chunk of ys
//! ```

mod print;
mod verify;

pub use print::json;

use indexmap::IndexMap;

use crate::ids::VarId;
use crate::ir::cnf::{self, Atom, Type};
use crate::names::Name;

/// A program with the functions of its chunked entries as further entries.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The entries as written, and behind them the functions of passes, of steps and of combinations.
    pub functions: cnf::Program,
    /// How they run over chunks.
    pub plans: Plans,
}

/// The plans of a program.
#[derive(Clone, Debug, Default)]
pub struct Plans {
    /// One plan for each entry as written, in order.
    pub entries: Vec<Plan>,
    /// The plans of the functions that plans call, those of entries excepted.
    pub functions: Vec<Plan>,
}

/// How an entry runs over chunks, or a function that others call.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The name of the entry that does all of it on whole arrays.
    pub entry: Name,
    /// Its parameters, in the order of the entry's inputs.
    pub params: Vec<VarId>,
    /// The names of its results, in the order of the entry's outputs.
    pub outputs: Vec<String>,
    /// What it does.
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

/// Steps, and what they give.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In the order in which they could run.
    pub steps: Vec<Step>,
    /// What the block gives.
    pub results: Vec<Atom>,
}

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// A pass over chunks.
    Pass(Pass),
    /// A function that runs once. Arrays among its arguments are whole.
    Once {
        /// The entry that does it.
        function: Name,
        /// Its arguments.
        args: Vec<Arg>,
        /// What its results define.
        outs: Vec<VarId>,
    },
    /// A call of a function that has a plan.
    Call {
        /// The entry that its plan is of.
        function: Name,
        /// Its arguments.
        args: Vec<Atom>,
        /// What its results define.
        outs: Vec<VarId>,
        /// The arrays that nothing behind the call uses. They end when the arguments are taken, if they have not before.
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
        /// Those behind them.
        right: Vec<VarId>,
        /// The results.
        outs: Vec<VarId>,
    },
    /// One of two blocks.
    If {
        /// The condition.
        cond: Atom,
        /// The block that runs if it holds.
        then: Block,
        /// The other one.
        otherwise: Block,
        /// What the results of either define.
        outs: Vec<VarId>,
    },
    /// Steps again and again.
    Loop(Box<Loop>),
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// How long it goes on.
    pub form: Form,
    /// The values that are carried from turn to turn.
    pub params: Vec<VarId>,
    /// What they are at first.
    pub init: Vec<Atom>,
    /// One turn: its results are the carried values of the next.
    pub body: Block,
    /// What the last carried values define.
    pub outs: Vec<VarId>,
}

/// How long a loop goes on.
#[derive(Clone, Debug)]
pub enum Form {
    /// A number of turns.
    For {
        /// The number.
        count: Atom,
        /// The variable that counts turns from 0.
        counter: VarId,
    },
    /// As long as a condition holds.
    While {
        /// What the condition calls the carried values.
        params: Vec<VarId>,
        /// The condition: one result.
        cond: Block,
    },
}

/// A pass over chunks.
#[derive(Clone, Debug)]
pub struct Pass {
    /// The entry that does it for one chunk.
    pub function: Name,
    /// Its arguments.
    pub args: Vec<Arg>,
    /// Its results.
    pub outs: Vec<Out>,
    /// How many steps it takes over all chunks, if it reads no array in chunks.
    pub count: Option<Atom>,
    /// How accumulators of neighbouring chunks become one.
    pub folds: Vec<Fold>,
    /// The initial values that are handed from chunk to chunk, each with the variable of the last value.
    pub carries: Vec<Carry>,
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
    /// How many steps the pass takes over all chunks.
    Total,
    /// How many steps of the pass come before this chunk.
    Offset,
    /// How many steps of the pass are in this chunk.
    Count,
    /// What the chunk before this one hands on: one of the pass's carries.
    Carry(usize),
}

/// A result of a pass's function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Out {
    /// A chunk of an array.
    Array(VarId),
    /// An accumulator; one of those of a fold.
    Fold(VarId),
    /// The length of a chunk of an array that is not stored.
    Length(VarId),
    /// What the next chunk takes over: one of the pass's carries.
    Carry(usize),
}

/// How accumulators of two neighbouring chunks become those of both.
#[derive(Clone, Debug)]
pub struct Fold {
    /// The accumulators.
    pub outs: Vec<VarId>,
    /// The entry that takes those of the left chunk, those of the right one, and other values.
    pub combine: Name,
    /// The other values.
    pub env: Vec<VarId>,
}

/// What chunks hand on in order.
#[derive(Clone, Copy, Debug)]
pub struct Carry {
    /// What the first chunk takes.
    pub init: Atom,
    /// What the last chunk gives.
    pub out: VarId,
}

impl Plans {
    /// The plan of an entry, or of a function.
    #[must_use]
    pub fn of(&self, entry: &str) -> Option<&Plan> {
        self.entries.iter().chain(&self.functions).find(|plan| plan.entry == entry)
    }

    /// Calls the functions of all plans by other names.
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
                Step::Pass(pass) => {
                    pass.function = name(&pass.function);
                    pass.folds.iter_mut().for_each(|fold| fold.combine = name(&fold.combine));
                }
                Step::Once { function, .. } | Step::Call { function, .. } => {
                    *function = name(function);
                }
                Step::Element { .. } | Step::Append { .. } => {}
                Step::If { then, otherwise, .. } => {
                    then.rename(name);
                    otherwise.rename(name);
                }
                Step::Loop(of) => {
                    if let Form::While { cond, .. } = &mut of.form {
                        cond.rename(name);
                    }
                    of.body.rename(name);
                }
            }
        }
    }
}

impl Step {
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
    /// The array that it is a chunk of.
    #[must_use]
    pub fn chunk(self) -> Option<VarId> {
        if let Self::Chunk(array) = self { Some(array) } else { None }
    }

    /// The variable whose value it is.
    #[must_use]
    pub fn value(self) -> Option<VarId> {
        if let Self::Value(var) = self { Some(var) } else { None }
    }
}

impl Out {
    /// The array that it is a chunk of.
    #[must_use]
    pub fn array(self) -> Option<VarId> {
        if let Self::Array(array) = self { Some(array) } else { None }
    }
}

impl Pass {
    /// The variables that the pass defines. That of a length is not among them: the array is not stored.
    #[must_use]
    pub fn defines(&self) -> Vec<VarId> {
        let outs = self.outs.iter().filter_map(|out| match *out {
            Out::Array(var) | Out::Fold(var) => Some(var),
            Out::Carry(carry) => Some(self.carries[carry].out),
            Out::Length(_) => None,
        });
        outs.collect()
    }
}
