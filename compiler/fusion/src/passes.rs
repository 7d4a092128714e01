//! A block whose clusters have become passes: processes first, and then abstract procedures.
//!
//! Invariant: the steps run in their order, and a step uses only variables that were bound before it.
//!
//! ```text
//! { s = runSeries xs f_1; t = s + 1; yield (t) }
//! ```

use std::fmt;

use indexmap::IndexSet;

use crate::cnf::{Atom, Bind, Var};
use crate::process::text::{Lines, VarNames, braces, hanging_indent};
use crate::process::{print_ops, uses};
use crate::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;

/// A block in which a pass stands for each cluster.
#[derive(Clone, Debug)]
pub struct Block<P> {
    /// Where the block is: the function's name, and the path in it.
    pub name: String,
    /// The function's variables and sizes.
    pub tables: Tables,
    /// The steps, in the order in which they run.
    pub steps: Vec<BlockStep<P>>,
    /// The results of the block.
    pub results: Vec<Atom>,
}

/// One step of a block.
#[derive(Clone, Debug)]
pub enum BlockStep<P> {
    /// A scalar binding or a barrier.
    Bind(Bind),
    /// `var = array`: another name for the same elements, without a copy.
    Share {
        /// The new name.
        var: VarId,
        /// The array.
        array: VarId,
    },
    /// A pass.
    Pass(P),
}

impl<P> Block<P> {
    /// The block with its passes in another form.
    pub fn map<Q>(self, mut pass: impl FnMut(P, &mut Tables) -> Q) -> Block<Q> {
        let Self { name, mut tables, steps, results } = self;
        let steps = steps.into_iter().map(|step| match step {
            BlockStep::Bind(bind) => BlockStep::Bind(bind),
            BlockStep::Share { var, array } => BlockStep::Share { var, array },
            BlockStep::Pass(of) => BlockStep::Pass(pass(of, &mut tables)),
        });
        Block { steps: steps.collect(), name, tables, results }
    }
}

/// The pass of a form: a process or a procedure.
pub trait Pass {
    /// The name of the pass.
    fn name(&self) -> &Name;
    /// The variables that it binds.
    fn yields(&self) -> &[VarId];
    /// The arrays that it streams.
    fn streams(&self) -> Vec<VarId>;
    /// The variables of the block that it is known to use: at least the arrays that it streams.
    fn uses(&self) -> IndexSet<VarId> {
        self.streams().into_iter().collect()
    }
    /// Checks the invariant of the pass.
    ///
    /// # Errors
    /// The first error.
    fn verify(&self, vars: &PrimaryMap<VarId, Var>) -> Result<(), String>;
    /// The pass as text.
    fn lines(&self, names: &mut VarNames<'_>) -> Lines;
}

impl<P: Pass> Block<P> {
    /// Checks the invariant of the block, and that of each pass.
    ///
    /// # Errors
    /// The first error, and its place.
    pub fn verify(&self) -> Result<(), String> {
        let mut later = self.steps.iter().flat_map(BlockStep::defines).collect::<IndexSet<_>>();
        for step in &self.steps {
            let name = match step {
                BlockStep::Bind(_) | BlockStep::Share { .. } => &self.name,
                BlockStep::Pass(pass) => pass.name().as_str(),
            };
            for var in step.uses() {
                if later.contains(&var) {
                    return Err(format!("{name}: {var} is used before it is bound"));
                }
            }
            for var in step.defines() {
                if !later.swap_remove(&var) {
                    return Err(format!("{name}: {var} is bound twice"));
                }
            }
            if let BlockStep::Pass(pass) = step {
                pass.verify(&self.tables.vars).map_err(|what| format!("{name}: {what}"))?;
            }
        }
        Ok(())
    }
}

impl<P: Pass> BlockStep<P> {
    fn defines(&self) -> Vec<VarId> {
        match self {
            Self::Bind(bind) => bind.vars.clone(),
            Self::Share { var, .. } => vec![*var],
            Self::Pass(pass) => pass.yields().to_vec(),
        }
    }

    fn uses(&self) -> IndexSet<VarId> {
        match self {
            Self::Bind(bind) => uses::free(bind),
            Self::Share { array, .. } => [*array].into(),
            Self::Pass(pass) => pass.uses(),
        }
    }
}

impl<P: Pass> fmt::Display for Block<P> {
    /// The block's steps, and then its passes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = VarNames::new(&self.tables.vars, &self.tables.sizes);
        let mut steps = Vec::new();
        let mut passes = Vec::new();
        for step in &self.steps {
            steps.push(vec![match step {
                BlockStep::Bind(bind) => print_ops::bind(&mut names, bind),
                BlockStep::Share { var, array } => {
                    let array = names.var(*array);
                    format!("{} = {array}", names.var(*var))
                }
                BlockStep::Pass(pass) => {
                    let run = run_series(&mut names, pass);
                    passes.push(names.scope(|names| pass.lines(names)));
                    run
                }
            }]);
        }
        steps.push(vec![format!("yield {}", names.tuple(&self.results))]);
        f.write_str(&blocks(hanging_indent(&format!("{} = ", self.name), braces(steps)), passes))
    }
}

/// `ys m = runSeries xs f_1`: a pass, with its input arrays and its results.
fn run_series(names: &mut VarNames<'_>, pass: &impl Pass) -> String {
    let arrays = names.vars(&pass.streams());
    let space = if arrays.is_empty() { "" } else { " " };
    format!("{} = runSeries {arrays}{space}{}", names.vars(pass.yields()), pass.name())
}

/// Texts with an empty line between them.
fn blocks(first: Lines, others: Vec<Lines>) -> String {
    let texts = std::iter::once(first).chain(others).map(|lines| lines.join("\n") + "\n");
    texts.collect::<Vec<_>>().join("\n")
}
