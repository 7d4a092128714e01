//! Random programs over arrays of arrays: compiled code at every strategy gives the results of the reference
//! interpreter. No call allocates more arrays than its bound says, and a program whose calls allocate more for more
//! rows or longer rows has a warning.

mod write;

use arr_runtime::host::{Library, Session, SessionOptions, Value};
use arrc::interpret;
use arrc_core::eval::core::{self as core_eval, Component};
use arrc_core::ir::clusters::Strategy;
use arrc_core::ir::core;
use arrc_core::pipeline::Compiled;
use arrc_core::prim::{Const, Scalar};
use libtest_mimic::Failed;

use super::check::{compile, entry, library, outputs, same, shown};
use super::in_batches;

/// The lengths that entries are called with: `n` and `m`.
const LENGTHS: [(usize, usize); 10] = [
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
];

/// The most times that the room of a scratch buffer doubles: arrays of these programs have less than 2¹⁶ elements.
const MOST_GROWTH: u64 = 16;

/// Random programs under a strategy at a level.
pub(super) fn agree(strategy: &str, level: u8) -> Result<(), Failed> {
    in_batches(16, 60..90, |recipes| check(recipes, strategy, level))
}

fn check(recipes: &[Vec<u16>], strategy: &str, level: u8) -> Result<(), Failed> {
    let names = (0..recipes.len()).map(|at| format!("nested{at}"));
    let programs: Vec<(String, String)> = names
        .zip(recipes)
        .map(|(name, recipe)| (name.clone(), write::entry(&name, recipe)))
        .collect();
    let text: String = programs.iter().map(|(_, program)| program.as_str()).collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("nested.arr");
    std::fs::write(&path, &text)?;
    let library = library(&path, strategy, level, folder.path());
    let library =
        library.map_err(|why| format!("{}\nin\n{text}", why.message().unwrap_or_default()))?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session =
        Session::new(&library, &SessionOptions { threads: 1, ..SessionOptions::default() });
    let session = session.map_err(|error| error.to_string())?;
    let strategy = Strategy::ALL.into_iter().find(|known| known.name() == strategy);
    let strategy = strategy.expect("the strategy is known");
    for (name, program) in &programs {
        let compiled = compile(program, strategy)?;
        let subject = Subject { name, compiled: &compiled };
        let allocated = subject.agrees(&session).and_then(|allocated| subject.tells(&allocated));
        allocated.map_err(|why| format!("{why}\nin\n{program}"))?;
    }
    Ok(())
}

/// An entry.
struct Subject<'a> {
    name: &'a str,
    compiled: &'a Compiled,
}

impl Subject<'_> {
    /// Calls the entry with each of the lengths. Gives the numbers of arrays that the calls allocate.
    fn agrees(&self, session: &Session<'_>) -> Result<Vec<u64>, String> {
        let core = &self.compiled.core;
        let types = outputs(core, self.name);
        let mut allocated = Vec::new();
        for (n, m) in LENGTHS {
            let args = arguments(core, self.name, n, m);
            let wrong = |found: &str, expected: &str| {
                format!("{found}\nnot {expected}\nfor n = {n}, m = {m}")
            };
            let expected = core_eval::run(core, entry(core, self.name), &args);
            let expected = expected.map_err(|error| wrong(&error.to_string(), "a result"))?;
            let args: Vec<Value> = args.into_iter().map(interpret::from_component).collect();
            let found = session.call(self.name, &args, &types);
            let found = found.map_err(|error| wrong(&error.message, &shown(&expected)))?;
            let found: Vec<_> = found.iter().map(interpret::to_component).collect();
            if !same(&found, &expected) {
                return Err(wrong(&shown(&found), &shown(&expected)));
            }
            allocated.push(session.stats().call_allocations);
        }
        Ok(allocated)
    }

    /// Checks the stated bound and the warnings against the numbers of arrays that calls allocate.
    fn tells(&self, allocated: &[u64]) -> Result<(), String> {
        let bound = self.compiled.program.demand(self.name);
        for (&count, (n, m)) in allocated.iter().zip(LENGTHS) {
            if let Some(bound) = &bound
                && count > evaluated(&bound.to_string(), n, m) + MOST_GROWTH * bound.growing()
            {
                return Err(format!("{count} arrays for n = {n}, m = {m}, bound {bound}"));
            }
        }
        // A sort in a step may call a function that allocates for 4,096 elements and more. There are no arrays that long.
        let constant = bound.as_ref().is_some_and(|bound| bound.least().is_constant());
        let growth = bound.as_ref().map(|bound| MOST_GROWTH * bound.growing());
        let [few, longer, more] = [allocated[7], allocated[8], allocated[9]];
        let stays = growth.is_some_and(|growth| longer.max(more) <= few + growth);
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
