//! Random with-loops: at every strategy, compiled code has the results and the errors of the reference interpreter.
//!
//! Invariant: a program is well-typed. Most of its generators lie in the array and do not overlap. Some of them are
//! correct or wrong depending on the arguments, and some are always wrong.

use std::fmt::Write;

use arr_runtime::host::{Library, Session, SessionOptions, Value};
use arrc::interpret;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_fusion::clusters::Strategy;
use arrc_syntax::prim::{Const, Scalar};
use libtest_mimic::Failed;

use super::check::{compile, entry, library, outputs, same, shown};
use super::in_batches;

/// The definitions that every program begins with.
pub(super) const HELPERS: &str =
    "def clip (low: i64) (high: i64) (x: i64): i64 = i64.max low (i64.min high x)\n\n";

/// The parameters of every entry.
const PARAMETERS: &str = "[n] [m] (a: [n][m]i64) (p: i64) (q: i64)";

/// The arguments of the calls: `n`, `m`, `p` and `q`.
const CALLS: [(usize, usize, i64, i64); 8] = [
    (5, 3, 2, 4),
    (0, 2, 1, 1),
    (1, 0, 0, 3),
    (4, 4, 3, 1),
    (17, 2, 5, 11),
    (6, 19, 1, 7),
    (3, 5, -1, 2),
    (9, 9, 3, 3),
];

/// The entry with a name that a list of numbers makes.
pub(super) fn program(name: &str, numbers: &[u16]) -> String {
    Writer { numbers, at: 0 }.entry(name)
}

/// The arguments of the calls.
pub(super) fn calls() -> Vec<Vec<Component>> {
    CALLS.map(arguments).into()
}

/// Random programs under a strategy at a level.
pub(super) fn agree(strategy: &str, level: u8) -> Result<(), Failed> {
    in_batches(24, 120..160, |recipes| check(recipes, strategy, level))
}

fn check(recipes: &[Vec<u16>], strategy: &str, level: u8) -> Result<(), Failed> {
    let mut text = HELPERS.to_owned();
    let mut programs = Vec::new();
    for (at, recipe) in recipes.iter().enumerate() {
        let name = format!("space{at}");
        let program = program(&name, recipe);
        // An error that occurs for all arrays is reported when the program is compiled.
        if compile(&format!("{HELPERS}{program}"), Strategy::None).is_ok() {
            text.push_str(&program);
            programs.push((name, program));
        }
    }
    let core = compile(&text, Strategy::None)?.core;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("spaces.arr");
    std::fs::write(&path, &text)?;
    let library = library(&path, strategy, level, folder.path())?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session = Session::new(&library, &SessionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    let mut results = 0;
    for (name, program) in &programs {
        let types = outputs(&core, name);
        for call in CALLS {
            let args = arguments(call);
            let expected = core_eval::run(&core, entry(&core, name), &args);
            let args: Vec<Value> = args.into_iter().map(interpret::from_component).collect();
            let found = session.call(name, &args, &types);
            let found =
                found.map(|found| found.iter().map(interpret::to_component).collect::<Vec<_>>());
            let wrong = match (&found, &expected) {
                (Ok(found), Ok(expected)) if same(found, expected) => {
                    results += 1;
                    continue;
                }
                (Err(_), Err(_)) => continue,
                (Ok(found), Ok(expected)) => format!("{}\nnot {}", shown(found), shown(expected)),
                (Err(found), Ok(expected)) => format!("{}\nnot {}", found.message, shown(expected)),
                (Ok(found), Err(expected)) => format!("{}\nnot {expected}", shown(found)),
            };
            return Err(format!("{wrong}\nfor {call:?}, in\n{HELPERS}{program}").into());
        }
    }
    if results < 2 * recipes.len() {
        return Err(format!("{results} calls do not fail: too few of\n{text}").into());
    }
    Ok(())
}

/// The arguments of an entry.
fn arguments((n, m, p, q): (usize, usize, i64, i64)) -> Vec<Component> {
    let elem = |at: usize| i128::try_from((at * 7 + 3) % 13).expect("a small number") - 5;
    let data = (0..n * m).map(|at| Const::int(Scalar::I64, elem(at))).collect();
    let shape = [n, m].map(|extent| i64::try_from(extent).expect("a short array"));
    let array = Component { elem: Scalar::I64, shape: shape.to_vec(), data };
    let scalar = |value: i64| Component {
        elem: Scalar::I64,
        shape: Vec::new(),
        data: vec![Const::int(Scalar::I64, value.into())],
    };
    vec![array, scalar(p), scalar(q)]
}

/// Writes a program from numbers.
struct Writer<'n> {
    numbers: &'n [u16],
    at: usize,
}

impl Writer<'_> {
    fn next(&mut self, below: usize) -> usize {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(number) % below
    }

    fn pick(&mut self, of: &[&'static str]) -> &'static str {
        of[self.next(of.len())]
    }

    fn entry(mut self, name: &str) -> String {
        let mut text = format!("entry {name} {PARAMETERS} =\n");
        let rank = 1 + self.next(3);
        let is_whole = rank == 2 && self.next(2) == 0;
        let shape: Vec<&str> = if is_whole {
            vec!["n", "m"]
        } else {
            (0..rank).map(|_| self.pick(&["n", "m", "4", "i64.max 0 p"])).collect()
        };
        let names: Vec<String> = (0..rank).map(|at| format!("s{at}")).collect();
        for (name, size) in names.iter().zip(&shape) {
            let _ = writeln!(text, "  let {name} = {size}");
        }
        for (at, name) in names.iter().enumerate() {
            let [low, high] = [self.number(), self.number()];
            let _ = writeln!(text, "  let b{at} = clip 0 {name} ({low})");
            let _ = writeln!(text, "  let c{at} = clip b{at} {name} ({high})");
        }
        let count = 1 + self.next(3);
        let operators = self.operators(is_whole);
        let generators: Vec<String> =
            (0..count).map(|at| self.generator(at, rank, operators.len())).collect();
        let shape = names.join(", ");
        let operators: Vec<String> =
            operators.iter().map(|operator| operator.replace("SHAPE", &shape)).collect();
        let operators = if operators.len() == 1 {
            operators[0].clone()
        } else {
            format!("({})", operators.join(", "))
        };
        let _ = writeln!(
            text,
            "  in with {{ {} }} : {operators}\n",
            generators.join(";\n            ")
        );
        text
    }

    fn number(&mut self) -> &'static str {
        self.pick(&["0", "1", "2", "p", "q", "n - 1", "m - 2", "q - p", "3"])
    }

    fn operators(&mut self, is_whole: bool) -> Vec<&'static str> {
        let count = 1 + self.next(2);
        (0..count)
            .map(|_| match self.next(if is_whole { 5 } else { 4 }) {
                0 => "genarray ([SHAPE], p - 9)",
                1 => "fold (+, 0)",
                2 => "fold (i64.max, i64.lowest)",
                3 => "genarray ([SHAPE], 1)",
                _ => "modarray a",
            })
            .collect()
    }

    /// The generator with that number: each has its own part of the first dimension.
    fn generator(&mut self, number: usize, rank: usize, operators: usize) -> String {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        for at in 0..rank {
            let (low, high) = match (at, number) {
                (0, 0) => ("0".to_owned(), "b0".to_owned()),
                (0, 1) => ("b0".to_owned(), "c0".to_owned()),
                (0, _) => ("c0".to_owned(), "s0".to_owned()),
                _ => match self.next(4) {
                    0 => ("0".to_owned(), format!("s{at}")),
                    1 => (format!("b{at}"), format!("s{at}")),
                    2 => (format!("b{at}"), format!("c{at}")),
                    _ => ("0".to_owned(), format!("c{at}")),
                },
            };
            // Some generators exceed their part.
            let high = if self.next(24) == 0 { self.number().to_owned() } else { high };
            lower.push(low);
            upper.push(high);
        }
        let grid = match self.next(4) {
            0 => {
                let steps: Vec<usize> = (0..rank).map(|_| 1 + self.next(4)).collect();
                let widths: Vec<String> =
                    steps.iter().map(|&step| (1 + self.next(step)).to_string()).collect();
                let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
                let width = if self.next(2) == 0 {
                    String::new()
                } else {
                    format!(" width [{}]", widths.join(", "))
                };
                format!(" step [{}]{width}", steps.join(", "))
            }
            1 => match self.next(6) {
                0 => " step i64.max 1 q".to_owned(),
                1 => " step i64.max 1 q width i64.min 2 (i64.max 1 q)".to_owned(),
                2 => " step i64.max 1 (p + q) width i64.max 1 (i64.min p (p + q))".to_owned(),
                3 => format!(" step {} width {}", 9 + self.next(4), 1 + self.next(9)),
                _ => String::new(),
            },
            _ => String::new(),
        };
        let index: Vec<String> = (0..rank).map(|at| format!("i{at}")).collect();
        let elements: Vec<String> = (0..operators).map(|_| self.element(rank)).collect();
        let body =
            if operators == 1 { elements[0].clone() } else { format!("({})", elements.join(", ")) };
        let [lower, upper] = [lower, upper].map(|bound| bound.join(", "));
        format!("([{lower}] <= [{}] < [{upper}]{grid}) : {body}", index.join(", "))
    }

    fn element(&mut self, rank: usize) -> String {
        let last = rank - 1;
        match self.next(9) {
            6..=8 => self.neighbours(&format!("i{last}")),
            0 => format!("i0 * 3 - i{last} + p"),
            5 => format!("if (i{last} + p - 5) % i64.max 2 q == 1 then i0 else p"),
            1 => format!("if n > 0 && m > 0 then a[(i0 + 1) % n, i{last} % m] else 7"),
            2 => format!(
                "if i{last} > 0 && i{last} < m - 1 && i0 < n then a[i0, i{last} + 1] - a[i0, i{last} - 1] else q"
            ),
            3 => format!("(loop t = i{last} for k < 3 do t * 2 - k)"),
            _ => "q - 1".to_owned(),
        }
    }

    /// The sum of a few elements of the matrix around an index, at its edges in several modes.
    fn neighbours(&mut self, column: &str) -> String {
        let mut guards = vec![format!("i0 < n && {column} < m")];
        let count = 2 + self.next(3);
        let reads = (0..count).map(|_| {
            let indices = [("i0", "n"), (column, "m")]
                .map(|(index, extent)| self.index(index, extent, &mut guards));
            format!("a[{}]", indices.join(", "))
        });
        let sum = reads.collect::<Vec<_>>().join(" + ");
        format!("if {} then {sum} else p", guards.join(" && "))
    }

    /// An index near another one, which is in bounds where the guards hold.
    fn index(&mut self, index: &str, extent: &str, guards: &mut Vec<String>) -> String {
        let by = self.pick(&["-2", "-1", "1", "2", "p", "q"]);
        match self.next(8) {
            0 => format!("clip 0 ({extent} - 1) ({index} + ({by}))"),
            1 => format!("({index} + ({by}) + 9 * {extent}) % {extent}"),
            2 => format!("{extent} - 1 - {index}"),
            3 => {
                guards.push(format!("{index} > 0"));
                format!("i64.i32 (i32.i64 {index} - 1)")
            }
            4 => {
                guards.push(format!("{index} < {extent} - 1"));
                format!("i64.i32 (i32.i64 {index} + 1)")
            }
            5 => format!(
                "(let by = ({by}) % {extent} in if {index} < {extent} - by then {index} + by else {index} + by - {extent})"
            ),
            6 => {
                guards.push(format!("{index} + ({by}) >= 0 && {index} + ({by}) < {extent}"));
                format!("{index} + ({by})")
            }
            _ => index.to_owned(),
        }
    }
}
