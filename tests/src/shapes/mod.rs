//! Every array of at most three dimensions of at most two elements, made in every way, at every place where an array may
//! stand: the interpreter and compiled code give the array that the program says.
//!
//! Invariant: the shapes are enumerated, not drawn. What a program gives is computed here, by arithmetic on
//! shapes and elements ([`array`]); so a mistake that the interpreter and compiled code share is found.
//!
//! ```text
//! entry e0 [n] (c: bool) (k: i64) (b: i64) (bs: [n]i64) (x: [1][1]i64) = ([[5]]) ++ x
//! ⇒ [[5], [100]], of shape 2, 1
//! ```

mod array;
mod write;

use arr_runtime::host::{Library, Session, SessionOptions, Value, ValueType};
use arrc::interpret;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_fusion::clusters::Strategy;
use arrc_syntax::prim::{Const, Scalar};
use libtest_mimic::{Failed, Trial};

use self::array::Array;
use self::write::{Base, Call, Case, HELPERS, Maker, Place, calls, given};
use crate::random::check::{compile, entry, library, same, shown};
use crate::run::{QUICK, all};
use crate::tools::call_twice;

/// The most failures that a trial prints.
const PRINTED: usize = 20;

/// A trial for the interpreter, and one for each way to compile.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![Trial::test("shapes::interpreter", interpreted)];
    trials.extend(QUICK.into_iter().enumerate().map(|(way, (strategy, level))| {
        let name = format!("shapes::{strategy}-O{level}");
        Trial::test(name, move || agree(way, strategy, level))
    }));
    trials
}

/// A program, and its results for each call.
struct Program {
    name: String,
    text: String,
    shape: Vec<usize>,
    results: Vec<Vec<Array>>,
}

impl Program {
    /// What is wrong with the results of a call.
    fn wrong(&self, call: usize, found: &Result<Vec<Component>, String>) -> Option<String> {
        let expected: Vec<Component> = self.results[call].iter().map(component).collect();
        let found = match found {
            Ok(found) if same(found, &expected) => return None,
            Ok(found) => shown(found),
            Err(error) => error.clone(),
        };
        let call = &calls()[call];
        Some(format!("{found}\nnot {}\nfor {call:?} in\n{}", shown(&expected), self.text))
    }
}

/// The shapes of the enumeration.
fn shapes() -> Vec<Vec<usize>> {
    let mut shapes = Vec::new();
    for rank in 1..=3_u32 {
        for number in 0..3_usize.pow(rank) {
            shapes.push((0..rank).map(|dim| number / 3_usize.pow(dim) % 3).collect());
        }
    }
    shapes
}

/// How arrays are made, what their elements are counted from, and where they are used.
type Kind = (Maker, Base, Place);

/// The kinds of arrays.
fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    for base in Base::ALL {
        for place in Place::ALL {
            kinds.extend(Maker::ALL.map(|maker| (maker, base, place)));
        }
    }
    kinds
}

/// The kinds of arrays of a shape that a run compiles in a way; those of all ways if none is given. The nightly set compiles every kind in
/// every way. In the quick set the kinds take turns: two for a shape of at most two dimensions with elements, one for one of three
/// dimensions with elements, one for one of at most two dimensions without elements. Each is compiled in one way.
fn chosen(number: usize, shape: &[usize], way: Option<usize>) -> Vec<Kind> {
    let kinds = kinds();
    if all() {
        return kinds;
    }
    let count = match (shape.len(), shape.contains(&0)) {
        (1 | 2, false) => 2,
        (_, false) => 1,
        (1 | 2, true) => 1,
        (_, true) => 0,
    };
    let turns = (0..count).map(|turn| number + turn * (kinds.len() / 4 + 1));
    let turns = turns.filter(|turn| way.is_none_or(|way| turn % QUICK.len() == way));
    turns.map(|turn| kinds[turn % kinds.len()]).collect()
}

/// The programs with arrays of a shape.
fn programs(shape: &[usize], kinds: &[Kind]) -> Vec<Program> {
    let mut programs = Vec::new();
    for &kind in kinds {
        programs.extend(of_kind(shape, kind, programs.len()));
    }
    programs
}

/// The programs with arrays of a shape that are made in one way. The numbers in their names begin with the given one.
fn of_kind(shape: &[usize], (maker, base, place): Kind, first: usize) -> Vec<Program> {
    let x = write::type_text(shape);
    let uses = |call: &Call| Case { shape, maker, base, call }.uses();
    let results = |call: &Call| uses(call).into_iter().map(|used| used.results).collect();
    let calls = calls();
    let of_calls = calls.iter().map(|call| match place {
        Place::Top => results(call),
        Place::Step => in_steps(call, results),
    });
    let of_calls: Vec<Vec<Vec<Array>>> = of_calls.collect();
    let mut programs = Vec::new();
    for (at, used) in uses(&calls[0]).into_iter().enumerate() {
        if place == Place::Step && !used.in_steps {
            continue;
        }
        let name = format!("e{}_{}", first + programs.len(), used.name);
        let body = match place {
            Place::Top => used.text,
            Place::Step => format!("map (\\b -> {}) bs", used.text),
        };
        let head = "[n] (c: bool) (k: i64) (b: i64) (bs: [n]i64)";
        let text = format!("entry {name} {head} (x: {x}) =\n  {body}\n");
        let results = of_calls.iter().map(|results| results[at].clone()).collect();
        programs.push(Program { name, text, shape: shape.to_vec(), results });
    }
    programs
}

/// The results of each use in steps, one for each of the call's bases.
fn in_steps(call: &Call, results: impl Fn(&Call) -> Vec<Vec<Array>>) -> Vec<Vec<Array>> {
    let steps = call.bases.iter().map(|&base| results(&Call { base, ..call.clone() }));
    let steps: Vec<Vec<Vec<Array>>> = steps.collect();
    let stacked = |used: usize, component: usize, one: &Array| {
        let parts: Vec<Array> = steps.iter().map(|step| step[used][component].clone()).collect();
        Array::stack(&one.shape, &parts)
    };
    // The results for one base have the shapes of a step.
    let used = results(call).into_iter().enumerate();
    used.map(|(used, ones)| {
        let ones = ones.iter().enumerate();
        ones.map(|(component, one)| stacked(used, component, one)).collect()
    })
    .collect()
}

fn component(array: &Array) -> Component {
    let extents = array.shape.iter().map(|&extent| i64::try_from(extent).expect("it is small"));
    let data = array.elems.iter().map(|&elem| Const::int(Scalar::I64, elem.into()));
    Component { elem: Scalar::I64, shape: extents.collect(), data: data.collect() }
}

fn value_type(array: &Array) -> ValueType {
    let rank = u32::try_from(array.shape.len()).expect("it has few dimensions");
    let scalar = Scalar::I64;
    if rank == 0 { ValueType::Scalar(scalar) } else { ValueType::Array { scalar, rank } }
}

/// The arguments of a call of an entry.
fn arguments(shape: &[usize], call: &Call) -> Vec<Component> {
    let chosen =
        Component { elem: Scalar::Bool, shape: Vec::new(), data: vec![Const::bool(call.chosen)] };
    let bases = Array { shape: vec![call.bases.len()], elems: call.bases.clone() };
    let [steps, base] = [call.steps, call.base].map(Array::scalar);
    let others = [steps, base, bases, given(shape)];
    std::iter::once(chosen).chain(others.iter().map(component)).collect()
}

fn text(programs: &[&Program]) -> String {
    programs.iter().fold(HELPERS.to_string(), |text, program| text + &program.text)
}

/// The interpreter gives what the programs say.
fn interpreted() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (number, shape) in shapes().iter().enumerate() {
        let programs = programs(shape, &chosen(number, shape, None));
        let all: Vec<&Program> = programs.iter().collect();
        let core = compile(&text(&all), Strategy::None)?.core;
        for program in &programs {
            for (at, call) in calls().iter().enumerate() {
                let args = arguments(shape, call);
                let found = core_eval::run(&core, entry(&core, &program.name), &args);
                wrong.extend(program.wrong(at, &found.map_err(|error| error.to_string())));
            }
        }
    }
    report(&wrong)
}

/// Compiled code gives what the programs say.
fn agree(way: usize, strategy: &str, level: u8) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for (number, shape) in shapes().iter().enumerate() {
        let programs = programs(shape, &chosen(number, shape, Some(way)));
        let all: Vec<&Program> = programs.iter().collect();
        if !all.is_empty() {
            wrong.extend(natively(&all, strategy, level)?);
        }
    }
    report(&wrong)
}

/// What is wrong with programs in a library. If they do not compile, each half is tried by itself.
fn natively(programs: &[&Program], strategy: &str, level: u8) -> Result<Vec<String>, Failed> {
    let text = text(programs);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("shapes.arr");
    std::fs::write(&path, &text)?;
    let library = match library(&path, strategy, level, folder.path()) {
        Ok(library) => library,
        Err(error) if programs.len() == 1 => {
            return Ok(vec![format!("{}\n{text}", error.message().unwrap_or_default())]);
        }
        Err(_) => {
            let (left, right) = programs.split_at(programs.len() / 2);
            let left = natively(left, strategy, level)?;
            return Ok([left, natively(right, strategy, level)?].concat());
        }
    };
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session = Session::new(&library, &SessionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    let mut wrong = Vec::new();
    for program in programs {
        let types: Vec<ValueType> = program.results[0].iter().map(value_type).collect();
        for (at, call) in calls().iter().enumerate() {
            let args = arguments(&program.shape, call);
            let args: Vec<Value> = args.into_iter().map(interpret::from_component).collect();
            let found = call_twice(&session, &program.name, &args, &types);
            let found = found.map(|found| found.iter().map(interpret::to_component).collect());
            wrong.extend(program.wrong(at, &found.map_err(|error| error.message)));
        }
    }
    Ok(wrong)
}

fn report(wrong: &[String]) -> Result<(), Failed> {
    if wrong.is_empty() {
        return Ok(());
    }
    let first = wrong.iter().take(PRINTED).cloned().collect::<Vec<_>>().join("\n\n");
    Err(format!("{} programs are wrong:\n{first}", wrong.len()).into())
}
