//! Random programs over arrays of arrays: compiled code at every strategy gives the results of the reference
//! interpreter. No call allocates more arrays than its bound says, and a program whose calls allocate more for more
//! rows or longer rows has a warning.

mod turns;
mod write;

use arr_runtime::host::{Guard, Library, Session, SessionOptions, Value};
use arrc::interpret;
use arrc_front::core;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_fusion::clusters::Strategy;
use arrc_pipeline::Compiled;
use arrc_pipeline::explain;
use arrc_syntax::prim::{Const, Scalar};
use libtest_mimic::Failed;

use super::check::{compile, entry, library, outputs, same, shown};
use super::in_batches;
use crate::tools::call_twice;

/// The lengths that entries are called with: `n` and `m`.
const LENGTHS: [(usize, usize); 12] = [
    (5, 3),
    (0, 2),
    (1, 0),
    (4, 4),
    (17, 1),
    // Around the lanes of vectors.
    (8, 16),
    (15, 33),
    // The first of these differs from the second in `m` only and from the third in `n` only.
    (9, 5),
    (9, 17),
    (33, 5),
    // Several blocks of steps, which several threads take.
    (200, 3),
    (331, 8),
];

/// The most times that the room of a scratch buffer doubles: arrays of these programs have less than 2¹⁶ elements.
const MOST_GROWTH: u64 = 16;

/// The most arrays by which calls of a program without a bound may differ if it allocates none in a step of a pass. Such a program has
/// `while` loops around passes.
const UNBOUNDED: u64 = 60;

/// The entry with a name that a list of numbers makes.
pub(super) fn program(name: &str, numbers: &[u16]) -> String {
    write::entry(name, numbers)
}

/// The arguments for the shorter lengths.
pub(super) fn calls(core: &core::Program, name: &str) -> Vec<Vec<Component>> {
    LENGTHS[..5].iter().map(|&(n, m)| arguments(core, name, n, m)).collect()
}

/// Random programs under a strategy at a level.
pub(super) fn agree(strategy: &str, level: u8) -> Result<(), Failed> {
    in_batches(16, 60..90, |recipes| check(recipes, strategy, level))
}

fn check(recipes: &[Vec<u16>], strategy: &str, level: u8) -> Result<(), Failed> {
    let method = Strategy::ALL.into_iter().find(|known| known.name() == strategy);
    let method = method.expect("the strategy is known");
    let mut programs = Vec::new();
    for (at, recipe) in recipes.iter().enumerate() {
        let name = format!("nested{at}");
        let program = write::entry(&name, recipe);
        match compile(&program, method) {
            Ok(compiled) => programs.push((name, program, compiled)),
            // The size of an array that a loop carries differs in the steps, or an index is out of bounds in each call.
            Err(errors) if errors.contains("error[A0323]") || errors.contains("error[A0350]") => {}
            Err(errors) => return Err(format!("{errors}\nin\n{program}").into()),
        }
    }
    let text: String = programs.iter().map(|(_, program, _)| program.as_str()).collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("nested.arr");
    std::fs::write(&path, &text)?;
    let library = library(&path, strategy, level, folder.path());
    let library =
        library.map_err(|why| format!("{}\nin\n{text}", why.message().unwrap_or_default()))?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let options = |threads, guard| SessionOptions {
        threads,
        guard,
        grain: u64::from(threads > 1),
        ..SessionOptions::default()
    };
    let ways = [options(1, None), options(3, None), options(2, Some(Guard::Behind))];
    let sessions = ways.map(|options| Session::new(&library, &options));
    let sessions = sessions.into_iter().collect::<Result<Vec<_>, _>>();
    let sessions = sessions.map_err(|error| error.to_string())?;
    for (name, program, compiled) in &programs {
        let is_recursive = program.starts_with("def");
        let subject = Subject { name, compiled, is_recursive };
        let allocated = subject.agrees(&sessions).and_then(|allocated| subject.tells(&allocated));
        allocated.map_err(|why| format!("{why}\nin\n{program}"))?;
    }
    Ok(())
}

/// The results of a call, or why it failed.
type Outcome = Result<Vec<Component>, String>;

fn told(outcome: &Outcome) -> String {
    outcome.as_ref().map_or_else(Clone::clone, |values| shown(values))
}

fn alike(left: &Outcome, right: &Outcome) -> bool {
    match (left, right) {
        (Ok(left), Ok(right)) => same(left, right),
        (Err(left), Err(right)) => left == right,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

/// An entry.
struct Subject<'a> {
    name: &'a str,
    compiled: &'a Compiled,
    is_recursive: bool,
}

impl Subject<'_> {
    /// Calls the entry with each of the lengths. Gives the numbers of arrays that the calls allocate on one thread. Where the
    /// interpreter fails, all sessions must have the same outcome.
    fn agrees(&self, sessions: &[Session<'_>]) -> Result<Vec<u64>, String> {
        let core = &self.compiled.core;
        let types = outputs(core, self.name);
        let mut allocated = Vec::new();
        for (n, m) in LENGTHS {
            let args = arguments(core, self.name, n, m);
            let wrong = |found: &str, expected: &str| {
                format!("{found}\nnot {expected}\nfor n = {n}, m = {m}")
            };
            let expected = core_eval::run(core, entry(core, self.name), &args);
            let expected = expected.map_err(|error| error.to_string());
            let args: Vec<Value> = args.into_iter().map(interpret::from_component).collect();
            let outcomes = sessions.iter().enumerate().map(|(at, session)| {
                // The arrays that the first session allocates are counted below.
                let found = if at == 0 {
                    session.call(self.name, &args, &types)
                } else {
                    call_twice(session, self.name, &args, &types)
                };
                let found = found.map_err(|error| error.message);
                found.map(|found| found.iter().map(interpret::to_component).collect())
            });
            let outcomes: Vec<Outcome> = outcomes.collect();
            let is_wrong = |found: &&Outcome| match (found, &expected) {
                (Ok(found), Ok(expected)) => !same(found, expected),
                (Err(_), Ok(_)) => true,
                (_, Err(_)) => !alike(found, &outcomes[0]),
            };
            if let Some(found) = outcomes.iter().find(is_wrong) {
                let outcomes = outcomes.iter().map(told).collect::<Vec<_>>().join("\nor ");
                return Err(wrong(&told(found), &format!("{}\nof {outcomes}", told(&expected))));
            }
            let live = |session: &Session<'_>| session.stats().bytes_live > 0;
            if sessions.iter().any(live) {
                return Err(wrong("memory that is left", "none"));
            }
            allocated.push(sessions[0].stats().call_allocations);
        }
        Ok(allocated)
    }

    /// Checks the stated bound and the warnings against the numbers of arrays that calls allocate.
    fn tells(&self, allocated: &[u64]) -> Result<(), String> {
        let bound = explain::allocation_bound(&self.compiled.program, self.name);
        for (&count, (n, m)) in allocated.iter().zip(LENGTHS) {
            if let Some(bound) = &bound
                && count > evaluated(&bound.to_string(), n, m) + MOST_GROWTH * bound.growing()
            {
                return Err(format!("{count} arrays for n = {n}, m = {m}, bound {bound}"));
            }
        }
        // The calls of recursive functions allocate as the lengths say that they get.
        if self.is_recursive {
            return Ok(());
        }
        // A sort in a step may call a function that allocates for 4,096 elements and more. There are no arrays that long.
        let constant = bound.as_ref().is_some_and(|bound| bound.least().is_constant());
        let growth = bound.as_ref().map_or(UNBOUNDED, |bound| MOST_GROWTH * bound.growing());
        let [few, longer, more] = [allocated[7], allocated[8], allocated[9]];
        let stays = longer.max(more) <= few + growth;
        if !constant && !stays && self.compiled.allocating.is_empty() {
            return Err(format!("no warning, bound {bound:?}, {allocated:?} arrays"));
        }
        Ok(())
    }
}

/// The value of a bound, which is a sum of products.
fn evaluated(bound: &str, n: usize, m: usize) -> u64 {
    let factor = |text: &str| match text {
        "n" => n as u64,
        "m" => m as u64,
        number => number.parse().expect("a factor is a size or a number"),
    };
    bound.split(" + ").map(|term| term.split(" * ").map(factor).product::<u64>()).sum()
}

/// The arguments of an entry.
fn arguments(core: &core::Program, name: &str, n: usize, m: usize) -> Vec<Component> {
    let (inputs, _) = core_eval::signature(core, entry(core, name));
    let shapes =
        [vec![n, m], vec![n, 3], vec![2, n], vec![3, 3], vec![n], vec![n, 2, m], vec![n, 3, 3]];
    inputs.iter().zip(shapes).map(|(input, shape)| array(input.elem, shape)).collect()
}

/// Small integers, which look random.
fn array(elem: Scalar, shape: Vec<usize>) -> Component {
    let count: usize = shape.iter().product();
    let number = |at: usize| i32::try_from((at * 7 + 3) % 13).expect("a small number") - 5;
    let scalar = |at| match elem.is_float() {
        true => Const::float(elem, f64::from(number(at))),
        false => Const::int(elem, i128::from(number(at))),
    };
    let data = (0..count).map(scalar).collect();
    let shape = shape.into_iter().map(|extent| i64::try_from(extent).expect("a short array"));
    Component { elem, shape: shape.collect(), data }
}
