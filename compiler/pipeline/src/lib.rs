//! From text to loop nests: runs the passes of the crates before it in their order, and explains what they chose.
//!
//! In: the text of a file and a loader for its imports. Out: [`Compiled`], whose loop nests `arrc_llvm` lowers.
//! Negative invariant: nothing here changes the program. [`hint`] tries changes of blocks, and keeps their saving only.
//!
//! Invariant: each step consumes a form and gives the next; in debug builds every form is verified as
//! soon as it exists.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use arrc_front::core;
use arrc_front::lint::{folds, operators};
use arrc_front::load::Loader;
use arrc_front::{repair, select};
use arrc_fusion::chunked;
use arrc_fusion::clusters::{Clustered, Method};
use arrc_fusion::cnf;
use arrc_fusion::distribute;
use arrc_fusion::graph::Graph;
use arrc_fusion::rematerialise;
use arrc_fusion::rematerialise::{Recomputed, Rematerialised};
use arrc_fusion::simplify::ExecutionFrequency;
use arrc_fusion::specialise::Traces;
use arrc_fusion::tables::Tables;
use arrc_fusion::{chunk, cluster, fuse, laws, rate, simplify, specialise};
use arrc_loops::concrete;
use arrc_loops::concrete::Plain;
use arrc_loops::memory::accumulate::accumulate;
use arrc_loops::memory::{element_reads, lifetimes, views};
use arrc_loops::ranges::{clamps, split};
use arrc_loops::schedule;
use arrc_loops::threads::{slice, tasks};
use arrc_loops::vector::{defer_updates, fission};
use arrc_syntax::ast;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Code, Diagnostic, Edit, Severity};
use arrc_syntax::ids::FileId;
use arrc_syntax::names::Name;
use arrc_syntax::source::{Sources, Span};

use self::typed::{Typed, Wish};

/// A form that can be printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The tree of the text.
    Ast,
    /// The typed program: names are resolved, sizes explicit.
    Core,
    /// Combinator normal form, simplified.
    Cnf,
    /// The dependency graph of each block.
    Graph,
    /// The integer linear programs of each block, in LP format.
    Ilp,
    /// The clusters of each block.
    Clusters,
    /// The process of each cluster.
    Process,
    /// The procedure of each process: abstract loop nests.
    Procedure,
    /// The whole program as concrete loop nests.
    Concrete,
    /// The accesses of each pass of the concrete loop nests.
    Accesses,
    /// The index space of each pass as generators.
    Generators,
    /// The entries as passes over chunks, in JSON.
    Passes,
}

/// What the user may choose.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How clusters are chosen.
    pub method: Method,
    /// The forms to print.
    pub emit: Vec<Stage>,
    /// Whether to look for hints: code that would take fewer passes if it were written in another compilation.
    pub hints: bool,
    /// Whether the program also contains functions that run its passes over chunks, as further entries.
    pub passes: bool,
    /// For which values to test the laws of the operators of `reduce` and `scan`.
    pub laws: laws::Domain,
    /// Whether to keep the program before it is simplified, if the laws of an operator are in doubt.
    pub doubts: bool,
    /// What becomes of the program's traces.
    pub traces: Traces,
}

/// The plan of one block: its graph, its clusters, and what later steps found out. `explain` and the structure tests
/// read it.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The function that the block is in.
    pub function: Name,
    /// The graph and the clusters.
    pub block: Clustered,
    /// The graph before `distribute` and `rematerialise`, if one of them changed the block.
    pub stored: Option<Graph>,
    /// The arrays that are computed where they are read.
    pub recomputed: Vec<Recomputed>,
    /// The hints on the block, if hints were asked for.
    pub hints: Vec<Diagnostic>,
    /// Counts of the work in the block's code.
    pub work: concrete::BlockCounts,
}

/// A compiled program.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The typed program, which the reference interpreter runs.
    pub core: core::Program,
    /// The loop nests.
    pub program: concrete::Program,
    /// The plan of every block that has combinators, outer blocks before inner ones.
    pub plans: Vec<Plan>,
    /// How entries run over chunks, if that was asked for.
    pub passes: chunked::Plans,
    /// The texts of the forms that were asked for.
    pub emitted: BTreeMap<Stage, String>,
    /// The warnings on the program.
    pub warnings: Vec<Diagnostic>,
    /// The warnings on arrays that steps of passes allocate.
    pub allocating: Vec<Diagnostic>,
    /// The program before it was simplified, if it was asked for and the laws of an operator are in doubt.
    pub doubtful: Option<cnf::Program>,
}

impl Compiled {
    /// The warnings, and the allocations in steps of passes, sorted by place.
    #[must_use]
    pub fn all_warnings(&self) -> Vec<Diagnostic> {
        let mut all = [&self.warnings[..], &self.allocating].concat();
        diagnostics::sort(&mut all);
        all
    }
}

/// Takes the file, and those that it imports from `loader`, from text to concrete loop nests.
///
/// # Errors
/// Every diagnostic of the first phase that found an error, with the warnings before it, sorted by
/// place.
pub fn compile(
    sources: &mut Sources,
    file: FileId,
    loader: &dyn Loader,
    options: &Options,
) -> Result<Compiled, Vec<Diagnostic>> {
    let mut compilation = Compilation::new(options);
    let Front { prelude, ast, core, cnf } = compilation.front(sources, file, loader)?;
    let chunked::Program { functions: cnf, plans: passes } = compilation.passes(cnf);
    let program = complete(compilation.program(cnf));
    compilation.advise_folds(sources, &prelude, &ast);
    compilation.emit(Stage::Concrete, || &program);
    compilation.emit(Stage::Accesses, || program.accesses());
    compilation.emit(Stage::Generators, || crate::explain::generators(&program));
    let allocating = compilation.allocating(&program);
    let Compilation { plans, emitted, warnings, doubtful, .. } = compilation;
    Ok(Compiled { core, program, plans, passes, emitted, warnings, allocating, doubtful })
}

/// Gives the loop nests ranges and lifetimes, and marks slices and tasks. Lifetimes are placed when every block is
/// scheduled, since only then is the last use of each array known.
#[must_use]
pub fn complete(program: concrete::Program<Plain>) -> concrete::Program {
    verified("concrete", || program.verify());
    let program = views::views(program);
    verified("concrete, with views", || program.verify());
    let program = fission::fission(program);
    verified("concrete, after fission", || program.verify());
    let program = clamps::clamps(program);
    verified("concrete, with plain counts", || program.verify());
    let program = element_reads::element_reads(program);
    verified("concrete, without rows", || program.verify());
    let program = split::split(program);
    verified("concrete, split", || program.verify());
    let program = accumulate(program);
    verified("concrete, accumulated", || program.verify());
    let program = lifetimes::lifetimes(program);
    verified("concrete, complete", || program.verify());
    let program = defer_updates::defer(program);
    verified("concrete, deferred", || program.verify());
    let program = slice::slice(program);
    verified("concrete, sliced", || program.verify());
    let program = tasks::tasks(program);
    verified("concrete, with tasks", || program.verify());
    program
}

/// Takes a program in combinator normal form to loop nests, and gives the texts of the forms on the way that
/// were asked for.
#[must_use]
pub fn nests(
    program: cnf::Program,
    options: &Options,
) -> (concrete::Program<Plain>, BTreeMap<Stage, String>) {
    nests_with(program, options, Rewrites::ALL)
}

/// As [`nests`], with some of the rewrites of clustered blocks.
fn nests_with(
    program: cnf::Program,
    options: &Options,
    rewrites: Rewrites,
) -> (concrete::Program<Plain>, BTreeMap<Stage, String>) {
    let mut compilation = Compilation { rewrites, ..Compilation::new(options) };
    let program = compilation.program(program);
    (program, compilation.emitted)
}

/// Which rewrites of clustered blocks run. The tests of one of them leave the other one out.
#[derive(Clone, Copy)]
struct Rewrites {
    distribute: bool,
    rematerialise: bool,
}

impl Rewrites {
    const ALL: Self = Self { distribute: true, rematerialise: true };
}

/// Takes the file as far as combinator normal form.
///
/// # Errors
/// As [`compile`].
pub fn normal_form(
    sources: &mut Sources,
    file: FileId,
    loader: &dyn Loader,
) -> Result<cnf::Program, Vec<Diagnostic>> {
    Compilation::new(&Options::default()).front(sources, file, loader).map(|front| front.cnf)
}

/// Adds the functions of passes over chunks, and the plans that call them.
#[must_use]
pub fn chunked(program: cnf::Program, method: Method) -> chunked::Program {
    let options = Options { method, ..Options::default() };
    let mut compilation = Compilation::new(&options);
    chunk::chunk(program, &mut |name, block, tables| {
        compilation.clustered(name, block, tables).block
    })
}

/// The warnings about operators, with what to write instead.
fn advised(
    broken: Vec<laws::BrokenLaw>,
    sources: &Sources,
    prelude: &ast::File,
    program: &ast::Program,
) -> Vec<Diagnostic> {
    if broken.is_empty() {
        return Vec::new();
    }
    let mut right = repair::RightEdits::new(sources, prelude, program);
    let advised = broken.into_iter().map(|laws::BrokenLaw { diagnostic, is_scan, mapped }| {
        let joined = mapped.map(|laws::MappedOperation { op, ty }| operators::Joined { op, ty });
        let text = (&*program.files, sources);
        let accepts = |edits: &[Edit]| right.accepts(edits);
        if diagnostic.code == Code::NOT_ASSOCIATIVE {
            operators::advised(text, diagnostic, (is_scan, joined), accepts)
        } else {
            operators::begun_neutrally(text, diagnostic, joined, accepts)
        }
    });
    advised.collect()
}

/// What the front half makes of a text.
struct Front {
    prelude: ast::File,
    ast: ast::Program,
    core: core::Program,
    cnf: cnf::Program,
}

/// The state of one compilation: plans, texts and warnings so far.
struct Compilation<'a> {
    options: &'a Options,
    rewrites: Rewrites,
    plans: Vec<Plan>,
    /// The function whose blocks are planned.
    function: Name,
    /// The names of the blocks so far, all different.
    names: BTreeSet<String>,
    emitted: BTreeMap<Stage, String>,
    warnings: Vec<Diagnostic>,
    /// What the folds do that hints are about, with their places.
    folds: Vec<(Span, operators::Joined)>,
    /// The files that the user can change.
    own: BTreeSet<FileId>,
    /// As in the result.
    doubtful: Option<cnf::Program>,
}

impl<'a> Compilation<'a> {
    fn new(options: &'a Options) -> Self {
        Self {
            options,
            rewrites: Rewrites::ALL,
            plans: Vec::new(),
            function: Name::default(),
            names: BTreeSet::new(),
            emitted: BTreeMap::new(),
            warnings: Vec::new(),
            folds: Vec::new(),
            own: BTreeSet::new(),
            doubtful: None,
        }
    }

    /// From text to the typed program, and on to combinator normal form.
    fn front(
        &mut self,
        sources: &mut Sources,
        file: FileId,
        loader: &dyn Loader,
    ) -> Result<Front, Vec<Diagnostic>> {
        let Typed { prelude, ast, core, diagnostics, places: _ } =
            typed::typed(sources, file, loader, Wish::Program);
        self.emit(Stage::Ast, || ast.root());
        let own = sources.iter().filter(|(_, source)| !source.is_library);
        self.own = own.map(|(id, _)| id).collect();
        self.note(diagnostics)?;
        let core = core.expect("inference gives a program when it reports no error");
        self.emit(Stage::Core, || &core);

        let selected = select::select(&core, prelude.id);
        verified("core, with selections", || core::verify_up_to_sizes(&selected));
        let cnf = match specialise::specialise(&selected, self.options.traces) {
            Ok(cnf) => cnf,
            Err(errors) => {
                return Err(self.note(errors).expect_err("specialisation fails with errors"));
            }
        };
        verified("cnf, specialised", || cnf::verify(&cnf));
        let broken = laws::laws(&cnf, &self.own, self.options.laws);
        self.note(advised(broken, sources, &prelude, &ast))?;
        if self.options.doubts && laws::are_in_doubt(&cnf) {
            self.doubtful = Some(cnf.clone());
        }
        let cnf = simplify::simplify(cnf);
        verified("cnf, simplified", || cnf::verify(&cnf));
        self.emit(Stage::Cnf, || &cnf);
        Ok(Front { prelude, ast, core, cnf })
    }

    /// Adds the functions of passes over chunks, if they are asked for.
    fn passes(&mut self, cnf: cnf::Program) -> chunked::Program {
        if !self.options.passes && !self.options.emit.contains(&Stage::Passes) {
            return chunked::Program { functions: cnf, plans: chunked::Plans::default() };
        }
        let program = chunked(cnf, self.options.method);
        verified("chunked", || program.verify());
        self.emit(Stage::Passes, || &program);
        program
    }

    /// Keeps the diagnostics of a phase. If one of them is an error, the compilation ends with all diagnostics so
    /// far.
    fn note(&mut self, found: Vec<Diagnostic>) -> Result<(), Vec<Diagnostic>> {
        self.warnings.extend(found);
        diagnostics::sort(&mut self.warnings);
        if self.warnings.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Err(std::mem::take(&mut self.warnings));
        }
        Ok(())
    }

    /// Schedules every function.
    fn program(&mut self, cnf: cnf::Program) -> concrete::Program<Plain> {
        let functions =
            cnf.functions.into_iter().map(|(_, function)| self.function(function)).collect();
        let cnf::Program { functions: _, externals, entries, calls } = cnf;
        concrete::Program { functions, externals, entries, calls }
    }

    fn function(&mut self, function: cnf::Function) -> concrete::Function<Plain> {
        let cnf::Function { name, span, params, owned, body, results, mut tables, recursive } =
            function;
        self.function = name.clone();
        let body = self.block(name.to_string(), body, ExecutionFrequency::Once, &mut tables);
        let appends = Vec::new();
        concrete::Function { name, span, params, owned, appends, body, results, tables, recursive }
    }

    /// The name, with a number if another block has it: variables of one name may each have a worker.
    fn distinct(&mut self, name: String) -> String {
        let numbered = (2..).map(|number| format!("{name}{number}"));
        let mut candidates = std::iter::once(name.clone()).chain(numbered);
        let free = candidates.find(|candidate| !self.names.contains(candidate));
        let free = free.expect("there is no last number");
        self.names.insert(free.clone());
        free
    }

    /// Takes one block to loop nests. The branches and workers in it are blocks again. They are scheduled after the
    /// block that contains them.
    fn block(
        &mut self,
        name: String,
        block: cnf::Block,
        runs: ExecutionFrequency,
        tables: &mut Tables,
    ) -> concrete::Block<Plain> {
        let Rematerialised { block: clustered, before: stored, recomputed } =
            self.clustered(name, block, tables);
        let method = self.options.method;
        self.emit(Stage::Graph, || &clustered.graph);
        if !clustered.graph.nodes.is_empty() {
            self.emit(Stage::Ilp, || cluster::programs(&clustered.graph, method));
        }
        self.emit(Stage::Clusters, || &clustered);
        let own = |span: Span| self.own.contains(&span.file);
        let Clustered { graph, clusters } = &clustered;
        let look = hint::HintContext { graph, clusters, tables, own: &own };
        let hints = if self.options.hints { hint::hints(look) } else { Vec::new() };
        let hints = self.noted(hints);
        let planned = (!graph.nodes.is_empty()).then(|| clustered.clone());
        let before = self.plans.len();

        let process = fuse::fuse(clustered, std::mem::take(tables));
        verified("process", || process.verify());
        self.emit(Stage::Process, || &process);

        let procedure = schedule::schedule(process);
        verified("procedure", || procedure.verify());
        self.emit(Stage::Procedure, || &procedure);

        let (scheduled, after) =
            schedule::concretise(procedure, runs, &mut |name, block, runs, tables| {
                self.block(name, block, runs, tables)
            });
        *tables = after;
        // The blocks inside have added their plans already. This plan goes before theirs.
        if let Some(block) = planned {
            let (function, work) = (self.function.clone(), scheduled.counts());
            let plan = Plan { function, block, stored, recomputed, hints, work };
            self.plans.insert(before, plan);
        }
        scheduled
    }

    /// The diagnostics of hints, sorted by place. What folds do is kept.
    fn noted(&mut self, hints: Vec<hint::Hint>) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for hint::Hint { diagnostic, fold } in hints {
            let place = diagnostic.primary.as_ref().map(|label| label.span);
            self.folds.extend(place.zip(fold));
            told.push(diagnostic);
        }
        diagnostics::sort(&mut told);
        told
    }

    /// Adds to the hints on folds which reductions may take their place.
    fn advise_folds(&mut self, sources: &Sources, prelude: &ast::File, ast: &ast::Program) {
        if self.folds.is_empty() {
            return;
        }
        let mut right = repair::RightEdits::new(sources, prelude, ast);
        for hint in self.plans.iter_mut().flat_map(|plan| &mut plan.hints) {
            let place = hint.primary.as_ref().map(|label| label.span);
            let fold = self.folds.iter().find(|(span, _)| {
                hint.code == Code::ORDERED_FOLD && place.is_some_and(|place| place == *span)
            });
            if let Some(&(_, joined)) = fold {
                let (text, accepts) =
                    ((&*ast.files, sources), |edits: &[Edit]| right.accepts(edits));
                *hint = folds::reduced(text, hint.clone(), joined, accepts);
            }
        }
    }

    /// The clusters of a block. The block is rewritten first where that costs less.
    fn clustered(
        &mut self,
        name: String,
        block: cnf::Block,
        tables: &mut Tables,
    ) -> Rematerialised {
        let graph = rate::rate(self.distinct(name), block, tables);
        verified("graph", || graph.verify());
        let clusters = cluster::cluster(&graph, self.options.method);
        let mut block = Clustered { graph, clusters };
        let (mut stored, mut recomputed) = (None, Vec::new());
        if self.rewrites.distribute {
            let distributed = distribute::distribute(block, tables);
            (block, stored) = (distributed.block, distributed.before);
        }
        if self.rewrites.rematerialise {
            let rematerialised = rematerialise::rematerialise(block, tables);
            (block, recomputed) = (rematerialised.block, rematerialised.recomputed);
            stored = stored.or(rematerialised.before);
        }
        verified("clusters", || block.verify());
        Rematerialised { block, before: stored, recomputed }
    }

    /// The warnings on arrays that steps of passes allocate. If hints were asked for, the last plan of each function
    /// has them too.
    fn allocating(&mut self, program: &concrete::Program) -> Vec<Diagnostic> {
        let mut all = Vec::new();
        for function in program.functions.values() {
            let found = hint::allocations(function, &program.calls, &self.own);
            let of_function = |plan: &&mut Plan| plan.function == function.name;
            if self.options.hints
                && let Some(plan) = self.plans.iter_mut().rfind(of_function)
            {
                plan.hints.extend(found.iter().cloned());
                diagnostics::sort(&mut plan.hints);
            }
            all.extend(found);
        }
        diagnostics::sort(&mut all);
        all.dedup();
        all
    }

    /// Keeps the text of a form that was asked for.
    fn emit<T: Display>(&mut self, stage: Stage, form: impl FnOnce() -> T) {
        if self.options.emit.contains(&stage) {
            let text = self.emitted.entry(stage).or_default();
            text.push_str(&form().to_string());
            if !text.ends_with('\n') {
                text.push('\n');
            }
        }
    }
}

/// Panics if a form does not verify: that is an error of the compiler.
fn verified(stage: &str, verify: impl FnOnce() -> Result<(), String>) {
    if cfg!(debug_assertions)
        && let Err(broken) = verify()
    {
        panic!("{stage} does not verify: {broken}");
    }
}

pub mod explain;
pub mod hint;
pub mod named;
#[cfg(test)]
mod tests;
pub mod typed;
