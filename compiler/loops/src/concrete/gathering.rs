//! The arrays among the arguments of entries that may have strides: passes read their elements in order, or a step
//! reads one of them.
//!
//! An array with strides is copied before the call, unless its elements are gathered where they are read. Each pass
//! that reads it in the steps of its outermost loop gathers the elements of some steps at a time, into a buffer that
//! stays in the cache (strip mining). Dense arrays are read where they lie, by the same code.
//!
//! Invariant: there is no other use of such an array. It is no result, and no argument of a call. No view of its
//! elements lives longer than the step that reads them, since the next strip has the same buffer.
//!
//! ```text
//! loopI (i) (n) { x = nextI i xs; s := s + x }; xs[k]     xs is gathered
//! loopI (i) (n) { x = xs[n - i - 1]; s := s + x }         xs is copied
//! ```

use indexmap::IndexSet;

use super::program::{
    Block, Function, Loop, Memory, Nest, Position, Procedure, Program, RowLocation, Start, Stmt,
    Subarray,
};
use super::step::Step;
use crate::concrete::def_use::{uses, uses_of};
use arrc_fusion::cnf::{Atom, Var};
use arrc_syntax::ids::{FuncId, PrimaryMap, VarId};

/// The most passes that gather one array. With more of them, one copy takes less time. No benchmark shows it alone. The
/// sum of every other one of 10^7 numbers takes 6.4 ms, and took 8.2 with a copy (best of 7, AVX2, other work on the
/// machine).
const MAX_PASSES: usize = 2;

impl Program {
    /// The array parameters of each entry's function whose arguments are gathered.
    #[must_use]
    pub fn gathered(&self) -> Vec<(FuncId, Vec<VarId>)> {
        let called = self.called_functions();
        let functions = self.entries.iter().map(|entry| entry.function);
        let gathered = functions.map(|id| {
            let params =
                if called.contains(&id) { Vec::new() } else { gathered(&self.functions[id]) };
            (id, params)
        });
        gathered.collect()
    }
}

/// The array parameters of a function that is called from outside only, if their arguments are gathered.
fn gathered(function: &Function) -> Vec<VarId> {
    let reads = GatherCheck { vars: &function.tables.vars };
    let is_gathered = |param: &VarId| {
        let mut passes = 0;
        reads.is_array(*param)
            && !function.owned.contains(param)
            && reads.gathers(&function.body, *param, &mut passes)
            && passes <= MAX_PASSES
    };
    function.params.iter().copied().filter(is_gathered).collect()
}

/// What reads an array, and nothing else.
struct GatherCheck<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
}

impl GatherCheck<'_> {
    fn is_array(&self, var: VarId) -> bool {
        self.vars[var].ty.is_array()
    }

    /// Whether a block of steps that run at most once can gather the elements of an array. Adds the passes that do.
    fn gathers(&self, block: &Block, var: VarId, passes: &mut usize) -> bool {
        let gathers = |step: &Step| {
            #[allow(
                clippy::wildcard_enum_match_arm,
                reason = "the others read more, or more often"
            )]
            match step {
                step if !uses(step).contains(&var) => true,
                Step::Length { .. } => true,
                Step::Index { array, .. } => *array == var,
                Step::If { takes, then, otherwise, .. } => {
                    !takes.contains(&var)
                        && [then, otherwise]
                            .into_iter()
                            .all(|branch| self.gathers(branch, var, passes))
                }
                Step::Pass(pass) => {
                    *passes += 1;
                    self.gathers_in_pass(pass, var)
                }
                _ => false,
            }
        };
        block.steps.iter().all(gathers) && !block.results.contains(&Atom::Var(var))
    }

    /// The steps of the outermost loop read the element that has their number. A loop inside them would read it often.
    fn gathers_in_pass(&self, pass: &Procedure, var: VarId) -> bool {
        let Loop { counter, .. } = &pass.nest;
        needs_only_length(pass, var)
            && pass.nest.variants().all(|variant| {
                let (stmts, loops) = statements_and_loops(variant);
                #[allow(clippy::wildcard_enum_match_arm, reason = "the others read it otherwise")]
                let gathers = |stmt: &&Stmt| match stmt {
                    Stmt::Next { elem, index, array } if *array == var => {
                        *index == Position::Var(*counter) && self.reads_element(variant, *elem)
                    }
                    stmt => !uses_of(stmt).contains(&var),
                };
                stmts.iter().all(gathers) && loops.iter().all(|nest| !read_in(nest).contains(&var))
            })
    }

    /// Whether a step only reads scalars of its element, if that is an array.
    fn reads_element(&self, variant: BodyAndNests<'_>, elem: VarId) -> bool {
        !self.is_array(elem) || self.reads_in(variant, elem)
    }

    /// Whether the code of a loop's step only reads scalars of an array.
    fn reads_in(&self, variant: BodyAndNests<'_>, var: VarId) -> bool {
        let (stmts, loops) = statements_and_loops(variant);
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others may keep the array")]
        let reads = |stmt: &&Stmt| match stmt {
            Stmt::Next { elem, array, .. } | Stmt::Read { elem, array, .. } if *array == var => {
                self.reads_element(variant, *elem)
            }
            Stmt::Apply { worker, args, .. } => {
                let given = worker.params.iter().zip(args);
                let mut given = given.filter(|(_, arg)| **arg == Atom::Var(var));
                given.all(|(param, _)| self.reads(&worker.body, *param))
                    && self.reads(&worker.body, var)
            }
            stmt => !uses_of(stmt).contains(&var),
        };
        stmts.iter().all(reads)
            && loops.iter().all(|nest| nest.variants().all(|variant| self.reads_in(variant, var)))
    }

    /// Whether a block only reads scalars of an array.
    fn reads(&self, block: &Block, var: VarId) -> bool {
        let reads = |step: &Step| {
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others may keep the array")]
            match step {
                step if !uses(step).contains(&var) => true,
                Step::Length { .. } | Step::Index { .. } => true,
                Step::Row { var: view, .. } | Step::Slice { var: view, .. } => {
                    self.reads(block, *view)
                }
                Step::If { takes, then, otherwise, .. } => {
                    !takes.contains(&var)
                        && [then, otherwise].into_iter().all(|branch| self.reads(branch, var))
                }
                Step::Pass(pass) => {
                    needs_only_length(pass, var)
                        && pass.nest.variants().all(|variant| self.reads_in(variant, var))
                }
                _ => false,
            }
        };
        block.steps.iter().all(reads) && !block.results.contains(&Atom::Var(var))
    }
}

/// The statements and nests of a step.
type BodyAndNests<'a> = (&'a [Stmt], &'a [Nest]);

/// The statements of a step, also those in guards, and the loops inside it.
fn statements_and_loops((body, inner): BodyAndNests<'_>) -> (Vec<&Stmt>, Vec<&Loop>) {
    let (mut stmts, mut loops) = (body.iter().collect::<Vec<_>>(), Vec::new());
    for nest in inner {
        match nest {
            Nest::Loop(nest) => loops.push(nest),
            Nest::Guard(guard) => {
                let (own, nested) = statements_and_loops((&guard.body, &guard.inner));
                stmts.extend(own);
                loops.extend(nested);
            }
        }
    }
    (stmts, loops)
}

/// The arrays that the statements of a loop use. Its number of steps may be the length of another one.
fn read_in(nest: &Loop) -> IndexSet<VarId> {
    let mut used = IndexSet::new();
    nest.for_each_stmt(&mut |stmt| used.extend(uses_of(stmt)));
    used
}

/// Whether what a pass does before and after its loop needs at most the length of an array.
fn needs_only_length(pass: &Procedure, var: VarId) -> bool {
    pass.start.iter().all(|start| match start {
        Start::CheckSize { .. } => true,
        Start::NewAcc { init, .. } => *init != Atom::Var(var),
        Start::NewVec { memory, .. } => match memory {
            Memory::New | Memory::Scratch | Memory::DoubleBuffer => true,
            Memory::Row(RowLocation { over, .. }) => *over != Some(var),
            Memory::Over(array) | Memory::Behind(array) => *array != var,
            Memory::Part(Subarray { array, view, .. }) => *array != var && *view != Some(var),
        },
    })
}
