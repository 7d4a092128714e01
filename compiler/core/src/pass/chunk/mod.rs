//! Entries as steps over arrays in chunks (see [`ir::chunked`](crate::ir::chunked)).
//!
//! The clusters are those that the entry itself has, so an engine reads the data as often as the compiled entry does. What
//! a step does is a function of normal form, which the rest of the compiler takes as any other entry.
//!
//! Invariant: the steps give what the entry gives; a float that a fold gives may be rounded otherwise, as the chunks say.
//!
//! ```text
//! clusters {s gts s2} {ys zs}   ⇒   passes pass0 (folds s, s2) and pass1 (arrays ys, zs)
//! ```

mod carve;
mod compact;
mod fold;
mod order;
mod regroup;
mod slice;
mod uses;
mod values;

use indexmap::{IndexMap, IndexSet};

use self::carve::Cut;
use self::uses::Uses;
use crate::ids::VarId;
use crate::ir::chunked::{Block, Form, Loop, Plan, Program, Step};
use crate::ir::clusters::Clustered;
use crate::ir::cnf::{self, Atom, Bind, LoopForm, Op};
use crate::ir::tables::Tables;
use crate::names::Name;

/// Chooses the clusters of a block with a name.
pub type Choose<'a> = &'a mut dyn FnMut(String, cnf::Block, &mut Tables) -> Clustered;

/// Plans for all entries of a program, and the functions of the plans behind the entries.
#[must_use]
pub fn chunk(program: cnf::Program, choose: Choose<'_>) -> Program {
    let mut plans = Vec::new();
    let mut functions = program.clone();
    for entry in &program.entries {
        let function = program.functions[entry.function].clone();
        let mut chunker = Chunker {
            entry: entry.name.clone(),
            tables: function.tables,
            choose: &mut *choose,
            functions: &mut functions,
            numbers: IndexMap::new(),
            defined: function.params.iter().copied().collect(),
        };
        let body = chunker.block(entry.name.to_string(), function.body);
        let values = values::describe(&chunker.defined, &chunker.tables);
        let outputs = entry.outputs.clone();
        plans.push(Plan {
            entry: entry.name.clone(),
            params: function.params,
            outputs,
            body,
            values,
        });
    }
    Program { functions, plans }
}

/// The way of one entry.
struct Chunker<'a, 'b> {
    entry: Name,
    /// The variables and sizes of the entry's function.
    tables: Tables,
    choose: Choose<'a>,
    /// The program to which functions are added.
    functions: &'b mut cnf::Program,
    /// How many functions there are of each kind.
    numbers: IndexMap<&'static str, usize>,
    /// The variables that steps and parameters define, in order.
    defined: IndexSet<VarId>,
}

impl Chunker<'_, '_> {
    /// A block as steps. What surrounds it is defined.
    fn block(&mut self, name: String, block: cnf::Block) -> Block {
        let Clustered { graph, clusters } = (self.choose)(name.clone(), block, &mut self.tables);
        let uses = Uses::new(&graph.block);
        let mut steps = Vec::new();
        for unit in order::units(&graph, &clusters) {
            let binds: Vec<&Bind> = unit.binds.iter().map(|&at| &graph.block.binds[at]).collect();
            let these = match (&binds[..], unit.is_pass) {
                (binds, true) => self.pass(binds, &uses),
                ([bind], false) => self.barrier(&name, bind).map(|step| vec![step]),
                (_, false) => None,
            };
            let these = these.unwrap_or_else(|| vec![self.once(&binds, &uses)]);
            self.defined.extend(these.iter().flat_map(Step::defines));
            steps.extend(these);
        }
        Block { steps, results: graph.block.results }
    }

    /// A step that needs no function of its own.
    fn barrier(&mut self, name: &str, bind: &Bind) -> Option<Step> {
        let outs = bind.vars.clone();
        let is_scalar = |var: &VarId| !self.tables.vars[*var].ty.is_array();
        #[allow(clippy::wildcard_enum_match_arm, reason = "a function does the others")]
        match &bind.op {
            Op::Append { left, right } => {
                Some(Step::Append { left: left.clone(), right: right.clone(), outs })
            }
            Op::Index { array, indices } if outs.iter().all(is_scalar) => {
                Some(Step::Element { array: *array, indices: indices.clone(), out: outs[0] })
            }
            Op::If { cond, then, otherwise } if iterates(then) || iterates(otherwise) => {
                let then = self.block(format!("{name}.then"), then.clone());
                let otherwise = self.block(format!("{name}.else"), otherwise.clone());
                Some(Step::If { cond: *cond, then, otherwise, outs })
            }
            Op::Loop { form, init, worker } if iterates(&worker.body) => {
                self.defined.extend(&worker.params);
                let mut params = worker.params.clone();
                let form = match form {
                    LoopForm::For { count } => {
                        let counter = params.pop().expect("a counted loop has a counter");
                        Form::For { count: *count, counter }
                    }
                    LoopForm::While { cond } => {
                        self.defined.extend(&cond.params);
                        let params = cond.params.clone();
                        let cond = self.block(format!("{name}.while"), cond.body.clone());
                        Form::While { params, cond }
                    }
                };
                let body = self.block(format!("{name}.loop"), worker.body.clone());
                Some(Step::Loop(Box::new(Loop { form, params, init: init.clone(), body, outs })))
            }
            _ => None,
        }
    }

    /// A function that runs once, on whole arrays.
    fn once(&mut self, binds: &[&Bind], uses: &Uses) -> Step {
        let mut cut = Cut::new(self.tables.clone(), binds);
        cut.extents(|_, _| false);
        let outs: Vec<VarId> = uses.needed_behind(binds).collect();
        cut.results = outs.iter().map(|&out| Atom::Var(out)).collect();
        let args = cut.close();
        let function = self.add("step", cut, binds[0].span);
        Step::Once { function, args, outs }
    }
}

/// Whether a block has combinators that could be passes over chunks, in itself or in the branches and loops in it.
fn iterates(block: &cnf::Block) -> bool {
    block.binds.iter().any(|bind| {
        bind.op.is_combinator()
            || (!bind.op.is_scalar()
                && bind.op.inner().into_iter().any(|inner| iterates(inner.block)))
    })
}
