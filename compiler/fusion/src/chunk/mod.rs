//! Entries as steps over arrays in chunks (see [`chunked`](crate::chunked)).
//!
//! The clusters are those of the entry itself, so an engine reads the data as often as the compiled entry does. The
//! work of a step is a function of normal form, which the rest of the compiler treats like any other entry.
//!
//! Invariant: the steps return the results of the entry. A fold of floats may be rounded differently, depending on
//! the chunks.
//!
//! ```text
//! clusters {s gts s2} {ys zs}   ⇒   passes pass0 (folds s, s2) and pass1 (arrays ys, zs)
//! ```

mod block_uses;
mod chunk_calls;
mod compact;
mod fold_combiners;
mod lengths;
mod outline;
mod reassociate;
mod slice;
mod topological_order;
mod values;

use indexmap::{IndexMap, IndexSet};

use self::block_uses::{FreeUses, SizeSources, TypeSizes, UseCounts};
use self::outline::OutlinedFunction;
use crate::chunked::{Block, Loop, Plan, PlanLoopForm, PlanStep, Plans, Program};
use crate::clusters::Clustered;
use crate::cnf;
use crate::cnf::{Atom, Bind, LoopForm, Op, Worker};
use crate::tables::Tables;
use arrc_syntax::ids::{FuncId, VarId};
use arrc_syntax::names::Name;

/// Chooses the clusters of a block with a name.
pub type ClusterChooser<'a> = &'a mut dyn FnMut(String, cnf::Block, &mut Tables) -> Clustered;

/// Adds plans for all entries of a program and for the functions that they call. The functions of the plans come
/// after the entries.
#[must_use]
pub fn chunk(program: cnf::Program, choose: ClusterChooser<'_>) -> Program {
    let mut planner = Planner {
        iterating: chunk_calls::iterating(&program),
        functions: program.clone(),
        numbers: IndexMap::new(),
        called: IndexMap::new(),
        choose,
    };
    let entries = program.entries.iter().map(|entry| {
        planner.plan(&entry.name, entry.name.clone(), entry.function, entry.outputs.clone())
    });
    let entries = entries.collect();
    let mut functions = Vec::new();
    // A new plan may call further functions.
    while let Some((&function, entry)) = planner.called.get_index(functions.len()) {
        let (prefix, entry) = (program.functions[function].name.clone(), entry.clone());
        let outputs = planner.functions.entries.iter().find(|made| made.name == entry);
        let outputs = outputs.map(|made| made.outputs.clone()).unwrap_or_default();
        functions.push(planner.plan(&prefix, entry, function, outputs));
    }
    Program { functions: planner.functions, plans: Plans { entries, functions } }
}

/// The state of planning a program.
struct Planner<'a> {
    /// The functions that have passes, in themselves or in the functions that they call.
    iterating: IndexSet<FuncId>,
    /// The program to which functions are added.
    functions: cnf::Program,
    /// The number of functions so far with each prefix and of each kind.
    numbers: IndexMap<(Name, &'static str), usize>,
    /// The functions that plans call, each with the entry that runs all of it.
    called: IndexMap<FuncId, Name>,
    choose: ClusterChooser<'a>,
}

impl Planner<'_> {
    /// The plan of a function. `entry` runs all of the function. The names of the plan's functions begin with the
    /// prefix.
    fn plan(&mut self, prefix: &str, entry: Name, function: FuncId, outputs: Vec<String>) -> Plan {
        let function = self.functions.functions[function].clone();
        let mut chunker = Chunker {
            prefix: outline::identifier(prefix).into(),
            tables: function.tables,
            planner: self,
            defined: function.params.iter().copied().collect(),
            scope: function.params.clone(),
            owners: SizeSources::default(),
        };
        chunker.owners.add(&function.params, &chunker.tables);
        let body = chunker.block(function.name.to_string(), function.body, &IndexSet::new());
        let values = values::describe(&chunker.defined, &chunker.tables);
        Plan { entry, params: function.params, outputs, body, values }
    }
}

/// The state of planning one entry or function.
struct Chunker<'a, 'b> {
    /// The beginning of the names of its functions.
    prefix: Name,
    /// The variables and sizes of the entry's function.
    tables: Tables,
    planner: &'a mut Planner<'b>,
    /// The variables that steps and parameters define, in order.
    defined: IndexSet<VarId>,
    /// The variables among them that are in scope at the current step.
    scope: Vec<VarId>,
    /// Where the steps find sizes: in arrays around the current block and in it, and not in blocks that have ended.
    owners: SizeSources,
}

impl Chunker<'_, '_> {
    /// The steps of a block. The variables around it are defined, and the variables in `after` are used after it.
    fn block(&mut self, name: String, block: cnf::Block, after: &IndexSet<VarId>) -> Block {
        let Clustered { mut graph, clusters } =
            (self.planner.choose)(name.clone(), block, &mut self.tables);
        let owners_around = self.owners.clone();
        lengths::from_sizes(&mut graph, &owners_around, &mut self.tables);
        for bind in &graph.block.binds {
            self.owners.add(&bind.vars, &self.tables);
        }
        let uses = UseCounts::new(&graph.block, self.sizes());
        let units = topological_order::units(&graph, &clusters, self.sizes());
        let live = topological_order::live_after(&units, &graph.block, after, self.sizes());
        let around = self.scope.len();
        let mut steps = Vec::new();
        for (unit, live) in units.iter().zip(&live) {
            let binds: Vec<&Bind> = unit.binds.iter().map(|&at| &graph.block.binds[at]).collect();
            let these = match (&binds[..], unit.is_pass) {
                (binds, true) => self.pass(binds, &uses),
                ([bind], false) => self.barrier(&name, bind, live).map(|step| vec![step]),
                (_, false) => None,
            };
            let these = these.unwrap_or_else(|| vec![self.plan_once(&binds, &uses)]);
            let defines: Vec<VarId> = these.iter().flat_map(PlanStep::defines).collect();
            self.defined.extend(&defines);
            self.scope.extend(defines);
            steps.extend(these);
        }
        self.scope.truncate(around);
        self.owners = owners_around;
        Block { steps, results: graph.block.results }
    }

    fn sizes(&self) -> TypeSizes<'_> {
        TypeSizes { tables: &self.tables, owners: &self.owners }
    }

    /// A step that needs no function of its own.
    fn barrier(&mut self, name: &str, bind: &Bind, live: &IndexSet<VarId>) -> Option<PlanStep> {
        let outs = bind.vars.clone();
        let is_scalar = |var: &VarId| !self.tables.vars[*var].ty.is_array();
        #[allow(clippy::wildcard_enum_match_arm, reason = "a function does the others")]
        match &bind.op {
            Op::Append { left, right } => {
                Some(PlanStep::Append { left: left.clone(), right: right.clone(), outs })
            }
            Op::Index { array, indices, inside: _ } if outs.iter().all(is_scalar) => {
                Some(PlanStep::Element { array: *array, indices: indices.clone(), out: outs[0] })
            }
            Op::If { cond, then, otherwise }
                if self.planner.iterates(then) || self.planner.iterates(otherwise) =>
            {
                let then = self.block(format!("{name}.then"), then.clone(), live);
                let otherwise = self.block(format!("{name}.else"), otherwise.clone(), live);
                Some(PlanStep::If { cond: *cond, then, otherwise, outs })
            }
            Op::Loop { form, init, worker } if self.planner.iterates(&worker.body) => {
                let turns = self.plan_loop(name, form, worker, &self.used_in(bind, live));
                let (form, params, body) = turns;
                Some(PlanStep::Loop(Box::new(Loop {
                    form,
                    params,
                    init: init.clone(),
                    body,
                    outs,
                })))
            }
            Op::Call { .. } => self.call(bind, live),
            _ => None,
        }
    }

    /// The form of a loop, the parameters for its carried values, and its body as a block.
    fn plan_loop(
        &mut self,
        name: &str,
        form: &LoopForm,
        worker: &Worker,
        after: &IndexSet<VarId>,
    ) -> (PlanLoopForm, Vec<VarId>, Block) {
        let mut params = worker.params.clone();
        let form = match form {
            LoopForm::For { count } => {
                let counter = params.pop().expect("a counted loop has a counter");
                PlanLoopForm::For { count: *count, counter }
            }
            LoopForm::While { cond } => {
                let block = cond.body.clone();
                let cond_block = self.inner(format!("{name}.while"), &cond.params, block, after);
                PlanLoopForm::While { params: cond.params.clone(), cond: cond_block }
            }
        };
        let body = self.inner(format!("{name}.loop"), &worker.params, worker.body.clone(), after);
        (form, params, body)
    }

    /// A block with parameters.
    fn inner(
        &mut self,
        name: String,
        params: &[VarId],
        block: cnf::Block,
        after: &IndexSet<VarId>,
    ) -> Block {
        self.defined.extend(params);
        let owners_around = self.owners.clone();
        self.owners.add(params, &self.tables);
        let around = self.scope.len();
        self.scope.extend(params);
        let block = self.block(name, block, after);
        self.scope.truncate(around);
        self.owners = owners_around;
        block
    }

    /// A step that runs a function once, on whole arrays.
    fn plan_once(&mut self, binds: &[&Bind], uses: &UseCounts) -> PlanStep {
        let mut cut = OutlinedFunction::new(self.tables.clone(), self.owners.clone(), binds);
        cut.extents(|_, _| false);
        let outs: Vec<VarId> = uses.used_by_others(binds, self.sizes(), |_| false).collect();
        cut.results = outs.iter().map(|&out| Atom::Var(out)).collect();
        let args = cut.close();
        let function = self.add("step", cut, binds[0].span);
        PlanStep::Once { function, args, outs }
    }

    /// The variables that are used after one iteration of a loop: by further iterations, or after the loop.
    fn used_in(&self, turns: &Bind, live: &IndexSet<VarId>) -> IndexSet<VarId> {
        FreeUses::of([turns], self.sizes()).all().chain(live.iter().copied()).collect()
    }
}
