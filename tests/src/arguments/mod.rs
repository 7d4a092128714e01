//! Entries that are called with random sizes: negative ones, huge ones, and sizes whose products wrap.
//!
//! The calls run in a child process (`arr-arguments`), so that a trap is found. In one run, all memory of the call has
//! a page behind it that traps, and in a second run a page before it. The interpreters run the same calls.
//!
//! Invariant: if the reference interpreter gives results, all forms give the same ones; if it fails, so does compiled
//! code. A failure for lack of memory does not count, since it may come at another place in each form.
//!
//! ```text
//! difference [1, 2] [1] [1, 2, 3, 4, 5, 6, 7]   xs has size 2 but …, and no trap
//! ```

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use arr_runtime::host::{ErrorCode, Guard, Library, Session, SessionOptions, Value};
use arrc::interpret;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::{Component, ComponentType};
use arrc_front::eval::run_error::RunError;
use arrc_fusion::clusters::Strategy;
use arrc_loops::concrete::eval as concrete_eval;
use arrc_pipeline::Compiled;
use arrc_syntax::ids::DefId;
use arrc_syntax::prim::{Const, Scalar};
use libtest_mimic::{Failed, Trial};

use crate::fuzz::{Limit, Random};
use crate::random::check::{compile, from_cnf, library, outputs, same, shown, to_cnf};
use crate::tools::{output, project};

/// The number of calls in the quick set.
const DAILY: u64 = 2500;
/// The number of calls in the nightly set.
const NIGHTLY: u64 = 100_000;
/// The longest that one call may take, in every form.
const LONGEST: Duration = Duration::from_secs(60);
/// The levels of optimisation.
const LEVELS: [u8; 2] = [0, 3];
/// The program with the entries.
const PROGRAM: &str = "tests/src/arguments/program.arr";

/// The trial.
#[must_use]
pub fn trials(program: &'static str) -> Vec<Trial> {
    let all = std::env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let count = if all { NIGHTLY } else { DAILY };
    vec![Trial::test("arguments::random", move || child(program, count))]
}

/// Makes the calls in a child.
fn child(program: &str, count: u64) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let case = folder.path().join("call");
    let mut command = Command::new(program);
    command.args(["--seed", "1", "--count", &count.to_string(), "--case"]).arg(&case);
    let result = output(&mut command)?;
    if result.status.success() {
        return Ok(());
    }
    let call = fs::read_to_string(&case).unwrap_or_default();
    let errors = String::from_utf8_lossy(&result.stderr);
    Err(format!("{}\n{errors}\nThe last call was: {call}", result.status).into())
}

/// Makes calls until the limit; gives how many there were and how many of them gave results. Before each call its text
/// is written to a file, so that the parent can report it after a crash.
///
/// # Errors
/// The call that failed, and why.
pub fn calls(seed: u64, limit: Limit, case: &Path) -> Result<(u64, u64), String> {
    let text = fs::read_to_string(project().join(PROGRAM)).map_err(|error| error.to_string())?;
    let subject = Subject::new(&text)?;
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let libraries = subject.libraries(folder.path())?;
    let sessions = sessions(&libraries)?;
    let start = Instant::now();
    let (mut number, mut results) = (0, 0);
    while !limit.is_reached(number, start) {
        let call = subject.call(&mut Random::new(seed, number));
        let shown = format!("{} {}", call.entry, shown(&call.args));
        fs::write(case, &shown).map_err(|error| error.to_string())?;
        let began = Instant::now();
        let is_fine =
            subject.agrees(&call, &sessions).map_err(|what| format!("{shown}\n{what}"))?;
        if began.elapsed() > LONGEST {
            return Err(format!("{shown}\ntakes {:?}", began.elapsed()));
        }
        results += u64::from(is_fine);
        number += 1;
    }
    Ok((number, results))
}

/// The program in all its forms.
struct Subject {
    text: String,
    compiled: Compiled,
}

/// A call to make.
struct Call {
    entry: String,
    def: DefId,
    args: Vec<Component>,
}

/// A context, and how its code was made.
struct Native<'l> {
    name: String,
    session: Session<'l>,
}

fn sessions(libraries: &[(u8, Library)]) -> Result<Vec<Native<'_>>, String> {
    let mut sessions = Vec::new();
    for (level, library) in libraries {
        for guard in [Guard::Behind, Guard::Before] {
            let options = SessionOptions { guard: Some(guard), ..SessionOptions::default() };
            let session = Session::new(library, &options).map_err(|error| error.to_string())?;
            sessions.push(Native { name: format!("-O{level}, guarded {guard:?}"), session });
        }
    }
    Ok(sessions)
}

impl Subject {
    fn new(text: &str) -> Result<Self, String> {
        Ok(Self { text: text.to_owned(), compiled: compile(text, Strategy::Ilp)? })
    }

    /// Compiles it at each level.
    fn libraries(&self, folder: &Path) -> Result<Vec<(u8, Library)>, String> {
        let mut libraries = Vec::new();
        for level in LEVELS {
            let own: PathBuf = folder.join(format!("O{level}"));
            let path = own.join("program.arr");
            let written = fs::create_dir(&own).and_then(|()| fs::write(&path, &self.text));
            written.map_err(|error| error.to_string())?;
            let file = library(&path, "ilp", level, &own);
            let file = file.map_err(|failed| failed.message().unwrap_or_default().to_string())?;
            libraries.push((level, Library::open(&file).map_err(|error| error.to_string())?));
        }
        Ok(libraries)
    }

    /// A call of some entry with some arguments.
    fn call(&self, random: &mut Random) -> Call {
        let core = &self.compiled.core;
        let def = *random.choose(&core.entries);
        let (inputs, _) = core_eval::signature(core, def);
        let mut sizes = Sizes::new(random);
        let args = inputs.into_iter().map(|ty| sizes.argument(ty)).collect();
        Call { entry: core.defs[def].name.to_string(), def, args }
    }

    /// Whether everything agrees with the interpreter, and that gives results.
    fn agrees(&self, call: &Call, sessions: &[Native<'_>]) -> Result<bool, String> {
        let core = &self.compiled.core;
        let expected = core_eval::run(core, call.def, &call.args);
        let program = &self.compiled.program;
        let entry = program.entries.iter().find(|entry| *entry.name == *call.entry);
        let entry = entry.ok_or("the loop nests have no such entry")?;
        if let Some(args) = call.args.iter().map(held).collect::<Option<Vec<_>>>() {
            let found =
                concrete_eval::run(program, entry.function, args.iter().map(to_cnf).collect());
            // The caller of a function checks the sizes of the arguments.
            if let (Ok(expected), Err(error)) = (&expected, &found)
                && !is_memory(error)
            {
                return Err(format!(
                    "loop nests fail: {error}, where {} is right",
                    shown(expected)
                ));
            }
            if let (Ok(expected), Ok(found)) = (&expected, &found) {
                let found: Vec<Component> = found.iter().map(from_cnf).collect();
                if !same(expected, &found) {
                    return Err(format!(
                        "loop nests give {}\nnot {}",
                        shown(&found),
                        shown(expected)
                    ));
                }
            }
        }
        let args: Vec<Value> = call.args.iter().cloned().map(interpret::from_component).collect();
        let outputs = outputs(core, &call.entry);
        for Native { name, session } in sessions {
            let found = session.call(&call.entry, &args, &outputs);
            match (&expected, found) {
                (Ok(expected), Ok(found)) => {
                    let found: Vec<_> = found.iter().map(interpret::to_component).collect();
                    if !same(expected, &found) {
                        let (found, expected) = (shown(&found), shown(expected));
                        return Err(format!("{name} gives {found}\nnot {expected}"));
                    }
                }
                (Ok(expected), Err(error)) if error.code != Some(ErrorCode::Memory) => {
                    return Err(format!("{name} fails: {error}\nnot {}", shown(expected)));
                }
                (Err(expected), Ok(found)) if !is_memory(expected) => {
                    let found: Vec<_> = found.iter().map(interpret::to_component).collect();
                    return Err(format!("{name} gives {}\nnot: {expected}", shown(&found)));
                }
                (Ok(_) | Err(_), _) => {}
            }
        }
        Ok(expected.is_ok())
    }
}

/// An argument, unless it is too large for an interpreter, which keeps each row by itself.
fn held(arg: &Component) -> Option<Component> {
    arg.shape.iter().all(|&size| size < 1 << 24).then(|| arg.clone())
}

fn is_memory(error: &RunError) -> bool {
    error.code == ErrorCode::Memory
}

/// Sizes that often belong together.
struct Sizes<'r> {
    random: &'r mut Random,
    /// Small sizes: a few, and their sums and products.
    few: Vec<i64>,
}

/// Invalid sizes, sizes that exceed all memory, and sizes whose products and sums wrap.
const ODD: [i64; 22] = [
    -1,
    -2,
    -3,
    i64::MIN,
    i64::MIN + 1,
    i64::MAX,
    i64::MAX - 1,
    1 << 31,
    1 << 32,
    (1 << 32) + 1,
    1 << 33,
    1 << 61,
    (1 << 61) + 1,
    1 << 62,
    (1 << 62) + 1,
    3 << 61,
    6_148_914_691_236_517_206,
    6_148_914_691_236_517_205,
    3_074_457_345_618_258_603,
    -(1 << 32),
    -(1 << 62),
    100_000_000_000,
];

impl<'r> Sizes<'r> {
    fn new(random: &'r mut Random) -> Self {
        let [n, m] = [0; 2].map(|_: u8| i64::try_from(random.below(5)).expect("it is below 5"));
        let few = vec![n, m, n, m, n + m, n * m, n + 1, n * 2, n - m, n * m * n, 10 - n];
        Self { random, few }
    }

    fn small(&mut self) -> i64 {
        *self.random.choose(&self.few)
    }

    fn scalar(&mut self, elem: Scalar) -> Const {
        let value = match self.random.below(5) {
            0 => *self.random.choose(&ODD),
            _ => self.small(),
        };
        if elem.is_float() { Const::float(elem, 1.5) } else { Const::int(elem, value.into()) }
    }

    fn argument(&mut self, ty: ComponentType) -> Component {
        let ComponentType { elem, rank } = ty;
        if rank == 0 {
            return Component { elem, shape: Vec::new(), data: vec![self.scalar(elem)] };
        }
        let mut shape: Vec<i64> = (0..rank).map(|_| self.small().max(0)).collect();
        if rank > 1 && self.random.below(4) == 0 {
            // Without elements, an array may be of any size.
            for size in &mut shape {
                if self.random.below(2) == 0 {
                    *size = (*self.random.choose(&ODD)).max(1);
                }
            }
            let none = self.random.below(rank);
            shape[none] = 0;
        }
        let count = if shape.contains(&0) { 0 } else { shape.iter().product() };
        let data = (0..count).map(|_| self.scalar(elem)).collect();
        Component { elem, shape, data }
    }
}
