//! Passes by name, each for itself: a form goes in as text, and comes out as text.
//!
//! Invariant: the form that goes in verifies, and so does what comes out. What comes out is also given as a program
//! that can be run.
//!
//! ```text
//! simplify.fold, "… let t = 2i64 + 3i64 in t"   ⇒   "… 5i64"
//! ```

use super::parse::form;
use super::{accumulate, lifetimes, narrow, simplify, split};
use crate::eval;
use crate::eval::cnf::Value;
use crate::eval::error::RunError;
use crate::ids::FuncId;
use crate::ir::clusters::{Method, Strategy};
use crate::ir::cnf;
use crate::ir::procedure::concrete::{self, Plain};
use crate::pipeline::{self, Options, Stage};

/// What a pass makes of combinator normal form.
#[derive(Clone, Copy)]
enum Pass {
    /// Another program in combinator normal form.
    Program(fn(cnf::Program) -> cnf::Program),
    /// A rewrite of each function.
    Rewrite(simplify::Rewrite),
    /// The form of each block, when what comes before is done.
    Blocks(Stage),
    /// Loop nests.
    Nests(fn(concrete::Program<Plain>) -> String),
}

/// The passes, in the order of the pipeline.
const PASSES: [(&str, Pass); 9] = [
    ("simplify", Pass::Program(simplify::simplify)),
    ("rate", Pass::Blocks(Stage::Graph)),
    ("cluster", Pass::Blocks(Stage::Clusters)),
    ("fuse", Pass::Blocks(Stage::Process)),
    ("schedule", Pass::Blocks(Stage::Procedure)),
    ("narrow", Pass::Nests(|program| narrow::narrow(program).to_string())),
    ("split", Pass::Nests(|program| ranged(program).to_string())),
    ("accumulate", Pass::Nests(|program| accumulate::accumulate(ranged(program)).to_string())),
    (
        "lifetimes",
        Pass::Nests(|program| {
            lifetimes::lifetimes(accumulate::accumulate(ranged(program))).to_string()
        }),
    ),
];

/// Narrow loop nests with ranges.
fn ranged(program: concrete::Program<Plain>) -> concrete::Program<concrete::Ranged> {
    split::split(narrow::narrow(program))
}

fn pass(name: &str) -> Option<Pass> {
    if let Some(name) = name.strip_prefix("simplify.") {
        let mut rewrites = simplify::REWRITES.into_iter().chain(simplify::LATE);
        return rewrites.find(|(other, _)| *other == name).map(|(_, of)| Pass::Rewrite(of));
    }
    PASSES.into_iter().find(|(other, _)| *other == name).map(|(_, pass)| pass)
}

/// What a pass made.
pub struct Done {
    /// The program that went in.
    pub before: cnf::Program,
    /// The form that came out.
    pub text: String,
    /// The program, as far as it goes.
    after: After,
}

enum After {
    Cnf(cnf::Program),
    Nests(concrete::Program),
}

impl Done {
    /// What a function gives before the pass, and after it.
    pub fn run(&self, function: FuncId, args: &[Value]) -> [Result<Vec<Value>, RunError>; 2] {
        let after = match &self.after {
            After::Cnf(program) => eval::cnf::run(program, function, args.to_vec()),
            After::Nests(program) => eval::concrete::run(program, function, args.to_vec()),
        };
        [eval::cnf::run(&self.before, function, args.to_vec()), after]
    }

    /// Whether the pass may remove an operation that fails, because its result is not used.
    #[must_use]
    pub fn may_succeed(&self) -> bool {
        matches!(self.after, After::Cnf(_))
    }
}

/// Runs one pass on a form: its name, with the strategy that chooses clusters behind it if it is not the usual one.
///
/// # Errors
/// What is wrong with the name or the form, or the form that came out.
pub fn run(pass_and_strategy: &str, text: &str) -> Result<Done, String> {
    let mut words = pass_and_strategy.split_whitespace();
    let name = words.next().unwrap_or_default();
    let pass = pass(name).ok_or_else(|| format!("there is no pass `{name}`"))?;
    let strategy = match words.next() {
        Some(word) => Strategy::ALL.into_iter().find(|strategy| strategy.name() == word),
        None => Some(Strategy::default()),
    };
    let strategy = strategy.ok_or("there is no such strategy")?;
    let method = Method { strategy, ..Method::default() };

    let before = form::cnf(text).map_err(|error| error.to_string())?;
    cnf::verify(&before)?;
    let program = before.clone();
    let (text, after) = match pass {
        Pass::Program(pass) => simplified(pass(program))?,
        Pass::Rewrite(rewrite) => {
            let mut program = program;
            for function in program.functions.values_mut() {
                rewrite(function);
            }
            simplified(program)?
        }
        Pass::Blocks(stage) => {
            let options = Options { method, emit: vec![stage], hints: false };
            let (nests, mut emitted) = pipeline::nests(program, &options);
            let text = emitted.remove(&stage).unwrap_or_default();
            (text, After::Nests(pipeline::complete(nests)))
        }
        Pass::Nests(pass) => {
            let (nests, _) = pipeline::nests(program, &Options { method, ..Options::default() });
            (pass(nests.clone()), After::Nests(pipeline::complete(nests)))
        }
    };
    Ok(Done { before, text, after })
}

fn simplified(program: cnf::Program) -> Result<(String, After), String> {
    cnf::verify(&program)?;
    Ok((program.to_string(), After::Cnf(program)))
}
