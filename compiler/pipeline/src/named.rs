//! Passes by name, each for itself: a form goes in as text, and comes out as text.
//!
//! Invariant: the form that goes in verifies, and so does what comes out. Both are also given as programs that can be
//! run.
//!
//! ```text
//! simplify.fold, "… let t = 2i64 + 3i64 in t"   ⇒   "… 5i64"
//! ```

use std::borrow::Cow;

use crate as pipeline;
use crate::{Options, Rewrites, Stage};
use arrc_front::eval::run_error::RunError;
use arrc_front::load::NoFiles;
use arrc_front::{core, infer, load, select};
use arrc_fusion::clusters::{Method, Strategy};
use arrc_fusion::cnf;
use arrc_fusion::cnf::{Entry, SizeInfo, Var};
use arrc_fusion::eval;
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::simplify;
use arrc_fusion::specialise;
use arrc_fusion::specialise::Traces;
use arrc_loops::concrete;
use arrc_loops::concrete::eval as nests;
use arrc_loops::concrete::{Complete, Phase, Plain, Ranged};
use arrc_loops::memory::{accumulate, element_reads, lifetimes, views};
use arrc_loops::ranges::{clamps, split};
use arrc_loops::threads::{slice, tasks};
use arrc_loops::vector::{defer_updates, fission};
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::FileId;
use arrc_syntax::ids::{FuncId, PrimaryMap, SizeId, VarId};
use arrc_syntax::source::Sources;

/// A pass, by the forms that it reads and writes.
#[derive(Clone, Copy)]
enum NamedPass {
    /// From the text of a file to the typed program.
    Infer,
    /// From the text of a file to the typed program, which is rewritten.
    Core(fn(&core::Program, FileId) -> Cow<'_, core::Program>),
    /// From the text of a file to combinator normal form.
    Specialise,
    /// From combinator normal form to combinator normal form.
    Program(fn(cnf::Program) -> cnf::Program),
    /// A rewrite of each function.
    Rewrite(simplify::Rewrite),
    /// From combinator normal form to a form of each block; the earlier passes run first.
    Blocks(Stage),
    /// From combinator normal form to clusters and processes, with one rewrite of the clustered blocks.
    Clustered(Rewrites),
    /// From combinator normal form to the plans of passes over chunks, with the functions that they call.
    Chunk,
    /// From combinator normal form to the loop nests of all blocks.
    Concretise,
    /// From loop nests without ranges.
    Plain(fn(concrete::Program<Plain>) -> RunnableProgram),
    /// From loop nests with ranges.
    Ranged(fn(concrete::Program<Ranged>) -> RunnableProgram),
    /// Loop nests in which each array has an end.
    Complete(fn(concrete::Program<Complete>) -> RunnableProgram),
    /// From loop nests in which each array has an end to the accesses of their passes.
    Accesses,
}

/// The passes, in the order of the pipeline.
const PASSES: [(&str, NamedPass); 23] = [
    ("infer", NamedPass::Infer),
    ("select", NamedPass::Core(select::select)),
    ("specialise", NamedPass::Specialise),
    ("simplify", NamedPass::Program(simplify::simplify)),
    ("chunk", NamedPass::Chunk),
    ("rate", NamedPass::Blocks(Stage::Graph)),
    ("cluster", NamedPass::Blocks(Stage::Clusters)),
    ("distribute", NamedPass::Clustered(Rewrites { distribute: true, rematerialise: false })),
    ("rematerialise", NamedPass::Clustered(Rewrites { distribute: false, rematerialise: true })),
    ("fuse", NamedPass::Blocks(Stage::Process)),
    ("schedule", NamedPass::Blocks(Stage::Procedure)),
    ("concretise", NamedPass::Concretise),
    ("views", NamedPass::Plain(|program| RunnableProgram::Plain(views::views(program)))),
    ("fission", NamedPass::Plain(|program| RunnableProgram::Plain(fission::fission(program)))),
    ("clamps", NamedPass::Plain(|program| RunnableProgram::Plain(clamps::clamps(program)))),
    (
        "element_reads",
        NamedPass::Plain(|program| RunnableProgram::Plain(element_reads::element_reads(program))),
    ),
    ("split", NamedPass::Plain(|program| RunnableProgram::Ranged(split::split(program)))),
    (
        "accumulate",
        NamedPass::Ranged(|program| RunnableProgram::Ranged(accumulate::accumulate(program))),
    ),
    (
        "lifetimes",
        NamedPass::Ranged(|program| RunnableProgram::Complete(lifetimes::lifetimes(program))),
    ),
    (
        "defer",
        NamedPass::Complete(|program| RunnableProgram::Complete(defer_updates::defer(program))),
    ),
    ("slice", NamedPass::Complete(|program| RunnableProgram::Complete(slice::slice(program)))),
    ("tasks", NamedPass::Complete(|program| RunnableProgram::Complete(tasks::tasks(program)))),
    ("accesses", NamedPass::Accesses),
];

/// The names of all passes, in the order of the pipeline.
pub fn names() -> impl Iterator<Item = String> {
    let rewrites = simplify::REWRITES.into_iter().chain(simplify::LATE);
    let rewrites = rewrites.map(|(name, _)| format!("simplify.{name}"));
    PASSES.into_iter().map(|(name, _)| name.to_owned()).chain(rewrites)
}

fn pass(name: &str) -> Option<NamedPass> {
    if let Some(name) = name.strip_prefix("simplify.") {
        let mut rewrites = simplify::REWRITES.into_iter().chain(simplify::LATE);
        return rewrites.find(|(other, _)| *other == name).map(|(_, of)| NamedPass::Rewrite(of));
    }
    PASSES.into_iter().find(|(other, _)| *other == name).map(|(_, pass)| pass)
}

/// A program that can be run.
pub enum RunnableProgram {
    /// In combinator normal form.
    Cnf(cnf::Program),
    /// Loop nests without ranges.
    Plain(concrete::Program<Plain>),
    /// Loop nests with ranges.
    Ranged(concrete::Program<Ranged>),
    /// Loop nests with ranges, in which each array has an end.
    Complete(concrete::Program<Complete>),
}

/// A function that can be called: its parameters, and the tables of their types.
pub type Signature<'a> =
    (&'a [VarId], &'a PrimaryMap<VarId, Var>, &'a PrimaryMap<SizeId, SizeInfo>);

/// Does the same for each form: `$do` for normal form, `$other` for loop nests.
macro_rules! each {
    ($form:expr, $program:ident => $do:expr, $nests:ident => $other:expr) => {
        match $form {
            RunnableProgram::Cnf($program) => $do,
            RunnableProgram::Plain($nests) => $other,
            RunnableProgram::Ranged($nests) => $other,
            RunnableProgram::Complete($nests) => $other,
        }
    };
}

impl RunnableProgram {
    /// The functions that can be called.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        each!(self, of => &of.entries, of => &of.entries)
    }

    /// The parameters of a function.
    #[must_use]
    pub fn signature(&self, id: FuncId) -> Signature<'_> {
        each!(self, of => {
            let of = &of.functions[id];
            (&of.params, &of.tables.vars, &of.tables.sizes)
        }, of => {
            let of = &of.functions[id];
            (&of.params, &of.tables.vars, &of.tables.sizes)
        })
    }

    /// Runs a function and gives its results.
    ///
    /// # Errors
    /// The run-time error, if there is one.
    pub fn run(&self, function: FuncId, args: Vec<Value>) -> Result<Vec<Value>, RunError> {
        each!(self, of => eval::cnf::run(of, function, args), of => nests::run(of, function, args))
    }

    fn verified(self) -> Result<Self, String> {
        each!(&self, of => cnf::verify(of), of => of.verify())?;
        Ok(self)
    }

    fn text(&self) -> String {
        each!(self, of => of.to_string(), of => of.to_string())
    }
}

/// The result of a pass.
pub struct PassOutput {
    /// The program that went in.
    pub before: RunnableProgram,
    /// The form that came out.
    pub text: String,
    /// The program that came out. If the pass makes a form that cannot be run, this is the program's loop nests.
    pub after: RunnableProgram,
}

/// Runs one pass on a form. `pass_and_strategy` is the name of the pass, and behind it the clustering strategy, if that
/// is not the default.
///
/// # Errors
/// The error in the name or the form, or in the form that came out.
pub fn run(pass_and_strategy: &str, text: &str) -> Result<PassOutput, String> {
    let mut words = pass_and_strategy.split_whitespace();
    let name = words.next().unwrap_or_default();
    let pass = pass(name).ok_or_else(|| format!("there is no pass `{name}`"))?;
    let strategy = match words.next() {
        Some(word) => Strategy::ALL.into_iter().find(|strategy| strategy.name() == word),
        None => Some(Strategy::default()),
    };
    let method =
        Method { strategy: strategy.ok_or("there is no such strategy")?, ..Method::default() };

    match pass {
        NamedPass::Infer => {
            let Typed { core, file, .. } = typed(text)?;
            let program = normal(&core)?;
            let done = done(RunnableProgram::Cnf(program.clone()), RunnableProgram::Cnf(program))?;
            Ok(PassOutput { text: core.text_of_file(file), ..done })
        }
        NamedPass::Core(pass) => {
            let Typed { core, file, prelude } = typed(text)?;
            let after = pass(&core, prelude);
            core::verify_up_to_sizes(&after)?;
            let [before, rewritten] = [&core, &after].map(normal);
            let done = done(RunnableProgram::Cnf(before?), RunnableProgram::Cnf(rewritten?))?;
            Ok(PassOutput { text: after.text_of_file(file), ..done })
        }
        NamedPass::Specialise => {
            let Typed { core, .. } = typed(text)?;
            let program = normal(&core)?;
            done(RunnableProgram::Cnf(program.clone()), RunnableProgram::Cnf(program))
        }
        NamedPass::Program(pass) => {
            let program = read(text)?;
            done(RunnableProgram::Cnf(program.clone()), RunnableProgram::Cnf(pass(program)))
        }
        NamedPass::Rewrite(rewrite) => {
            let program = read(text)?;
            let mut rewritten = program.clone();
            for function in rewritten.functions.values_mut() {
                rewrite(function);
            }
            done(RunnableProgram::Cnf(program), RunnableProgram::Cnf(rewritten))
        }
        NamedPass::Blocks(stage) => {
            let program = read(text)?;
            let options = Options { method, emit: vec![stage], ..Options::default() };
            let (nests, mut emitted) = pipeline::nests(program.clone(), &options);
            let text = emitted.remove(&stage).unwrap_or_default();
            let done = done(RunnableProgram::Cnf(program), RunnableProgram::Plain(nests))?;
            Ok(PassOutput { text, ..done })
        }
        NamedPass::Clustered(rewrites) => {
            let program = read(text)?;
            let emit = vec![Stage::Clusters, Stage::Process];
            let options = Options { method, emit, ..Options::default() };
            let (nests, emitted) = crate::nests_with(program.clone(), &options, rewrites);
            let texts = emitted.into_values().collect::<Vec<_>>();
            let done = done(RunnableProgram::Cnf(program), RunnableProgram::Plain(nests))?;
            Ok(PassOutput { text: texts.join("\n"), ..done })
        }
        NamedPass::Chunk => {
            let program = read(text)?;
            let chunked = crate::chunked(program.clone(), method);
            chunked.verify()?;
            let text = chunked.to_string();
            let done =
                done(RunnableProgram::Cnf(program), RunnableProgram::Cnf(chunked.functions))?;
            Ok(PassOutput { text, ..done })
        }
        NamedPass::Concretise => {
            let program = read(text)?;
            let (nests, _) =
                pipeline::nests(program.clone(), &Options { method, ..Options::default() });
            done(RunnableProgram::Cnf(program), RunnableProgram::Plain(nests))
        }
        NamedPass::Plain(pass) => {
            let program = nests(text)?;
            done(RunnableProgram::Plain(program.clone()), pass(program))
        }
        NamedPass::Ranged(pass) => {
            let program = nests(text)?;
            done(RunnableProgram::Ranged(program.clone()), pass(program))
        }
        NamedPass::Complete(pass) => {
            let program = nests(text)?;
            done(RunnableProgram::Complete(program.clone()), pass(program))
        }
        NamedPass::Accesses => {
            let program = nests::<Complete>(text)?;
            let text = program.accesses();
            let done = done(
                RunnableProgram::Complete(program.clone()),
                RunnableProgram::Complete(program),
            )?;
            Ok(PassOutput { text, ..done })
        }
    }
}

/// The typed program of a text, and the files with its definitions.
struct Typed {
    core: core::Program,
    file: FileId,
    prelude: FileId,
}

fn typed(text: &str) -> Result<Typed, String> {
    let mut sources = Sources::default();
    let file = sources.add("form.arr", text);
    let prelude = pipeline::typed::prelude(&mut sources);
    let (ast, errors) = load::load(&mut sources, file, &NoFiles);
    if !errors.is_empty() {
        return Err(messages(errors));
    }
    let (core, errors) = infer::infer(&prelude, &ast);
    let core = core.ok_or_else(|| messages(errors))?;
    Ok(Typed { core, file, prelude: prelude.id })
}

/// The normal form of a typed program, so that it can be run.
fn normal(core: &core::Program) -> Result<cnf::Program, String> {
    specialise::specialise(core, Traces::Removed).map_err(messages)
}

fn messages(errors: Vec<Diagnostic>) -> String {
    errors.into_iter().map(|error| error.message).collect::<Vec<_>>().join("\n")
}

fn done(before: RunnableProgram, after: RunnableProgram) -> Result<PassOutput, String> {
    let after = after.verified()?;
    Ok(PassOutput { before, text: after.text(), after })
}

fn read(text: &str) -> Result<cnf::Program, String> {
    let program = cnf::parse(text).map_err(|error| error.to_string())?;
    cnf::verify(&program)?;
    Ok(program)
}

fn nests<P: Phase>(text: &str) -> Result<concrete::Program<P>, String> {
    let program = concrete::parse(text).map_err(|error| error.to_string())?;
    program.verify()?;
    Ok(program)
}
