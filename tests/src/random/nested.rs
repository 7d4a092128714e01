//! Random programs over arrays of arrays: compiled code at every strategy gives the results of the reference
//! interpreter, and allocates as many arrays for many rows as for few.
//!
//! Invariant: a program is well-typed, all its numbers are integers, and no index is out of bounds.

use arr_runtime::host::{Library, Session, SessionOptions, Value};
use arrc::interpret;
use arrc_core::eval::core::{self as core_eval, Component};
use arrc_core::ir::clusters::Strategy;
use arrc_core::prim::{Const, Scalar};
use libtest_mimic::Failed;

use super::check::{compile, entry, library, outputs, same, shown};
use super::in_batches;

/// The parameters of every entry.
const PARAMETERS: &str =
    "[n] [m] (a: [n][m]i64) (s: [n][3]i64) (t: [2][n]i64) (c: [3][3]i64) (x: [n]i64)";

/// The lengths that entries are called with: `n` and `m`.
const LENGTHS: [(usize, usize); 9] = [
    (5, 3),
    (0, 2),
    (1, 0),
    (4, 4),
    (17, 1),
    // Around the lanes of vectors.
    (8, 16),
    (15, 33),
    // These two differ in the number of rows only.
    (9, 5),
    (33, 5),
];

/// Random programs under a strategy at a level.
pub(super) fn agree(strategy: &str, level: u8) -> Result<(), Failed> {
    in_batches(16, 60..90, |recipes| check(recipes, strategy, level))
}

fn check(recipes: &[Vec<u16>], strategy: &str, level: u8) -> Result<(), Failed> {
    let programs: Vec<String> = recipes
        .iter()
        .enumerate()
        .map(|(at, recipe)| Writer { numbers: recipe, at: 0, names: 0 }.entry(at))
        .collect();
    let text = programs.concat();
    let core = compile(&text, Strategy::None)?.core;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("nested.arr");
    std::fs::write(&path, &text)?;
    let library = library(&path, strategy, level, folder.path())?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session = Session::new(&library, &SessionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    let mut growing = 0;
    for (at, program) in programs.iter().enumerate() {
        let name = format!("nested{at}");
        let types = outputs(&core, &name);
        let mut allocated = Vec::new();
        for (n, m) in LENGTHS {
            let args = arguments(n, m);
            let wrong = |found: &str, expected: &str| {
                format!("{found}\nnot {expected}\nfor n = {n}, m = {m}, in\n{program}")
            };
            let expected = core_eval::run(&core, entry(&core, &name), &args);
            let expected = expected.map_err(|error| wrong(&error.to_string(), "a result"))?;
            let args: Vec<Value> = args.into_iter().map(interpret::from_component).collect();
            let found = session.call(&name, &args, &types);
            let found = found.map_err(|error| wrong(&error.message, &shown(&expected)))?;
            let found: Vec<_> = found.iter().map(interpret::to_component).collect();
            if !same(&found, &expected) {
                return Err(wrong(&shown(&found), &shown(&expected)).into());
            }
            allocated.push(session.stats().call_allocations);
        }
        let [.., few, many] = allocated[..] else { panic!("there are two lengths") };
        growing += usize::from(few != many);
    }
    // If a step makes an array from the array of the step before it, both are in memory.
    if strategy == "ilp" && growing > recipes.len() / 4 {
        return Err(format!("{growing} of these allocate more for more rows:\n{text}").into());
    }
    Ok(())
}

/// The arguments of an entry.
fn arguments(n: usize, m: usize) -> Vec<Component> {
    [vec![n, m], vec![n, 3], vec![2, n], vec![3, 3], vec![n]].into_iter().map(array).collect()
}

/// Small integers, which look random.
fn array(shape: Vec<usize>) -> Component {
    let count: usize = shape.iter().product();
    let elem = |at: usize| i128::try_from((at * 7 + 3) % 13).expect("a small number") - 5;
    let data = (0..count).map(|at| Const::int(Scalar::I64, elem(at))).collect();
    let shape = shape.into_iter().map(|extent| i64::try_from(extent).expect("a short array"));
    Component { elem: Scalar::I64, shape: shape.collect(), data }
}

/// A length of arrays inside a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Length {
    /// Constant.
    Two,
    /// Constant.
    Three,
    /// The length of a parameter's rows.
    Row,
}

impl Length {
    fn text(self) -> &'static str {
        match self {
            Self::Two => "2",
            Self::Three => "3",
            Self::Row => "m",
        }
    }
}

/// The variables in scope at a place.
#[derive(Clone, Default)]
struct Scope {
    scalars: Vec<String>,
    arrays: Vec<(String, Length)>,
}

impl Scope {
    fn with_scalar(&self, name: &str) -> Self {
        let mut scope = self.clone();
        scope.scalars.push(name.to_owned());
        scope
    }

    fn with_array(&self, name: &str, length: Length) -> Self {
        let mut scope = self.clone();
        scope.arrays.push((name.to_owned(), length));
        scope
    }
}

/// Writes a program from numbers.
struct Writer<'a> {
    numbers: &'a [u16],
    at: usize,
    names: usize,
}

impl Writer<'_> {
    /// A number below a bound; 0 when there are no more numbers, which is always the smallest choice.
    fn below(&mut self, bound: u16) -> u16 {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        number % bound
    }

    fn name(&mut self, of: &str) -> String {
        self.names += 1;
        format!("{of}{}", self.names)
    }

    fn length(&mut self) -> Length {
        [Length::Three, Length::Two, Length::Row][usize::from(self.below(3))]
    }

    fn entry(&mut self, at: usize) -> String {
        let results: Vec<String> = (0..=self.below(2)).map(|_| self.result()).collect();
        format!("entry nested{at} {PARAMETERS} = ({})\n", results.join(",\n  "))
    }

    fn result(&mut self) -> String {
        let row = self.name("r");
        let over = |length| Scope::default().with_array(&row, length);
        let scope = over(Length::Row);
        match self.below(9) {
            0 => format!("map (\\{row} -> {}) a", self.scalar(&scope, 3)),
            1 => {
                let length = self.length();
                format!("map (\\{row} -> {}) s", self.array(length, &over(Length::Three), 3))
            }
            2 => format!("map (\\{row} -> {}) (transpose t)", self.scalar(&over(Length::Two), 3)),
            3 => {
                let made = self.array(Length::Row, &scope, 2);
                format!("reduce (map2 (+)) (replicate m 0) (map (\\{row} -> {made}) a)")
            }
            4 => {
                let made = self.array(Length::Three, &scope, 2);
                format!("scan (map2 (+)) [0, 0, 0] (map (\\{row} -> {made}) a)")
            }
            5 => {
                let acc = self.name("acc");
                let step = self.array(
                    Length::Three,
                    &over(Length::Three).with_array(&acc, Length::Three),
                    2,
                );
                format!("fold (\\{acc} {row} -> {step}) [1, 2, 3] s")
            }
            6 => {
                let (i, j) = (self.name("i"), self.name("j"));
                let scope = Scope::default().with_scalar(&i).with_scalar(&j);
                format!("tabulate_2d n 3 (\\{i} {j} -> {} + s[{i}, {j}])", self.scalar(&scope, 3))
            }
            7 => {
                let x = self.name("x");
                let made = self.scalar(&scope.with_scalar(&x), 3);
                format!("i64.sum (map2 (\\{row} {x} -> {made}) a x)")
            }
            _ => {
                let op = ["i64.sum", "reduce i64.max (-99)"][usize::from(self.below(2))];
                let made = self.array(Length::Row, &scope, 2);
                format!("map (\\col -> {op} col) (transpose (map (\\{row} -> {made}) a))")
            }
        }
    }

    /// A number.
    fn scalar(&mut self, scope: &Scope, depth: u16) -> String {
        let choice = if depth == 0 { self.below(2) } else { self.below(8) };
        match choice {
            0 => match scope.scalars.len() {
                0 => (self.below(9)).to_string(),
                count => {
                    let count = u16::try_from(count).expect("few names");
                    scope.scalars[usize::from(self.below(count))].clone()
                }
            },
            1 => self.below(9).to_string(),
            2 => {
                let op = ["+", "-", "*"][usize::from(self.below(3))];
                let [left, right] = [0; 2].map(|_| self.scalar(scope, depth - 1));
                format!("({left} {op} {right})")
            }
            3 => {
                let length = [Length::Three, Length::Two][usize::from(self.below(2))];
                let array = self.array(length, scope, depth - 1);
                let name = self.name("v");
                format!("(let {name} = {array} in {name}[{}])", self.below(2))
            }
            4 => {
                let (array, at) =
                    (self.array(Length::Three, scope, depth - 1), self.scalar(scope, depth - 1));
                let name = self.name("v");
                format!("(let {name} = {array} in {name}[{at} & 1])")
            }
            5 => {
                let length = self.length();
                format!("i64.sum ({})", self.array(length, scope, depth - 1))
            }
            6 => {
                let name = self.name("k");
                let (count, made) = (
                    self.scalar(scope, depth - 1),
                    self.scalar(&scope.with_scalar(&name), depth - 1),
                );
                format!("i64.sum (scan (+) 0 (map (\\{name} -> {made}) (iota ({count} & 3))))")
            }
            _ => {
                let length = self.length();
                format!("reduce i64.max (-99) ({})", self.array(length, scope, depth - 1))
            }
        }
    }

    /// An array of that length.
    fn array(&mut self, length: Length, scope: &Scope, depth: u16) -> String {
        let choice = if depth == 0 { self.below(2) } else { self.below(9) };
        let known = scope.arrays.iter().rev().find(|(_, of)| *of == length);
        match (choice, known) {
            (0, Some((name, _))) => name.clone(),
            (0 | 1, _) => {
                let name = self.name("j");
                let made = self.scalar(&scope.with_scalar(&name), depth.saturating_sub(1));
                format!("tabulate {} (\\{name} -> {made})", length.text())
            }
            (2, _) if length == Length::Three => {
                let elems = [0; 3].map(|_| self.scalar(scope, depth - 1));
                format!("[{}]", elems.join(", "))
            }
            (2 | 3, _) => {
                let name = self.name("e");
                let array = self.array(length, scope, depth - 1);
                let made = self.scalar(&scope.with_scalar(&name), depth - 1);
                format!("map (\\{name} -> {made}) ({array})")
            }
            (4, _) => format!("scan (+) 0 ({})", self.array(length, scope, depth - 1)),
            (5, _) if length != Length::Row => {
                let array = self.array(length, scope, depth - 1);
                let (at, value) = (self.below(2), self.scalar(scope, depth - 1));
                let name = self.name("v");
                format!("(let {name} = {array} in {name} with [{at}] = {value})")
            }
            (5 | 6, _) => {
                let [then, otherwise] = [0; 2].map(|_| self.array(length, scope, depth - 1));
                format!("(if {} > 2 then {then} else {otherwise})", self.scalar(scope, depth - 1))
            }
            (7, _) => {
                let (name, init) = (self.name("v"), self.array(length, scope, depth - 1));
                let step = self.array(length, &scope.with_array(&name, length), depth - 1);
                let size = length.text();
                format!("(loop ({name}: [{size}]i64) = {init} for _q < 2 do {step})")
            }
            (_, _) => {
                let row = self.name("w");
                let scope = scope.with_array(&row, Length::Three);
                let made = self.array(length, &scope, depth - 1);
                let zero = format!("(replicate {} 0)", length.text());
                format!("reduce (map2 (+)) {zero} (map (\\{row} -> {made}) c)")
            }
        }
    }
}
