//! Passes by name, each for itself: a form goes in as text, and comes out as text.
//!
//! Invariant: the form that goes in verifies, and so does what comes out. Both are also given as programs that can be
//! run.
//!
//! ```text
//! simplify.fold, "… let t = 2i64 + 3i64 in t"   ⇒   "… 5i64"
//! ```

use crate as pipeline;
use crate::{Options, Stage};
use arrc_front::eval::error::RunError;
use arrc_fusion::clusters::{Method, Strategy};
use arrc_fusion::cnf;
use arrc_fusion::cnf::{Entry, SizeInfo, Var};
use arrc_fusion::eval;
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::simplify;
use arrc_loops::eval as nests;
use arrc_loops::procedure::concrete;
use arrc_loops::procedure::concrete::{Complete, Phase, Plain, Ranged};
use arrc_loops::{accumulate, clamps, defer, lifetimes, narrow, slice, split, tasks, views};
use arrc_syntax::ids::{FuncId, PrimaryMap, SizeId, VarId};

/// A pass, by the forms that it reads and writes.
#[derive(Clone, Copy)]
enum Pass {
    /// From combinator normal form to combinator normal form.
    Program(fn(cnf::Program) -> cnf::Program),
    /// A rewrite of each function.
    Rewrite(simplify::Rewrite),
    /// From combinator normal form to a form of each block; the earlier passes run first.
    Blocks(Stage),
    /// From combinator normal form to the loop nests of all blocks.
    Concretise,
    /// From loop nests without ranges.
    Plain(fn(concrete::Program<Plain>) -> Form),
    /// From loop nests with ranges.
    Ranged(fn(concrete::Program<Ranged>) -> Form),
    /// Loop nests in which each array has an end.
    Complete(fn(concrete::Program<Complete>) -> Form),
}

/// The passes, in the order of the pipeline.
const PASSES: [(&str, Pass); 15] = [
    ("simplify", Pass::Program(simplify::simplify)),
    ("rate", Pass::Blocks(Stage::Graph)),
    ("cluster", Pass::Blocks(Stage::Clusters)),
    ("fuse", Pass::Blocks(Stage::Process)),
    ("schedule", Pass::Blocks(Stage::Procedure)),
    ("concretise", Pass::Concretise),
    ("views", Pass::Plain(|program| Form::Plain(views::views(program)))),
    ("narrow", Pass::Plain(|program| Form::Plain(narrow::narrow(program)))),
    ("clamps", Pass::Plain(|program| Form::Plain(clamps::clamps(program)))),
    ("split", Pass::Plain(|program| Form::Ranged(split::split(program)))),
    ("accumulate", Pass::Ranged(|program| Form::Ranged(accumulate::accumulate(program)))),
    ("lifetimes", Pass::Ranged(|program| Form::Complete(lifetimes::lifetimes(program)))),
    ("defer", Pass::Complete(|program| Form::Complete(defer::defer(program)))),
    ("slice", Pass::Complete(|program| Form::Complete(slice::slice(program)))),
    ("tasks", Pass::Complete(|program| Form::Complete(tasks::tasks(program)))),
];

fn pass(name: &str) -> Option<Pass> {
    if let Some(name) = name.strip_prefix("simplify.") {
        let mut rewrites = simplify::REWRITES.into_iter().chain(simplify::LATE);
        return rewrites.find(|(other, _)| *other == name).map(|(_, of)| Pass::Rewrite(of));
    }
    PASSES.into_iter().find(|(other, _)| *other == name).map(|(_, pass)| pass)
}

/// A program that can be run.
pub enum Form {
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
            Form::Cnf($program) => $do,
            Form::Plain($nests) => $other,
            Form::Ranged($nests) => $other,
            Form::Complete($nests) => $other,
        }
    };
}

impl Form {
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
pub struct Done {
    /// The program that went in.
    pub before: Form,
    /// The form that came out.
    pub text: String,
    /// The program that came out. If the pass makes a form that cannot be run, this is the program's loop nests.
    pub after: Form,
}

/// Runs one pass on a form. `pass_and_strategy` is the name of the pass, and behind it the clustering strategy, if that
/// is not the default.
///
/// # Errors
/// The error in the name or the form, or in the form that came out.
pub fn run(pass_and_strategy: &str, text: &str) -> Result<Done, String> {
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
        Pass::Program(pass) => {
            let program = read(text)?;
            done(Form::Cnf(program.clone()), Form::Cnf(pass(program)))
        }
        Pass::Rewrite(rewrite) => {
            let program = read(text)?;
            let mut rewritten = program.clone();
            for function in rewritten.functions.values_mut() {
                rewrite(function);
            }
            done(Form::Cnf(program), Form::Cnf(rewritten))
        }
        Pass::Blocks(stage) => {
            let program = read(text)?;
            let options = Options { method, emit: vec![stage], ..Options::default() };
            let (nests, mut emitted) = pipeline::nests(program.clone(), &options);
            let text = emitted.remove(&stage).unwrap_or_default();
            let done = done(Form::Cnf(program), Form::Plain(nests))?;
            Ok(Done { text, ..done })
        }
        Pass::Concretise => {
            let program = read(text)?;
            let (nests, _) =
                pipeline::nests(program.clone(), &Options { method, ..Options::default() });
            done(Form::Cnf(program), Form::Plain(nests))
        }
        Pass::Plain(pass) => {
            let program = nests(text)?;
            done(Form::Plain(program.clone()), pass(program))
        }
        Pass::Ranged(pass) => {
            let program = nests(text)?;
            done(Form::Ranged(program.clone()), pass(program))
        }
        Pass::Complete(pass) => {
            let program = nests(text)?;
            done(Form::Complete(program.clone()), pass(program))
        }
    }
}

fn done(before: Form, after: Form) -> Result<Done, String> {
    let after = after.verified()?;
    Ok(Done { before, text: after.text(), after })
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
