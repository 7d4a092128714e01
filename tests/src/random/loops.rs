//! Random loops: code in vectors must have the results of code that runs one step at a time, and of the reference
//! interpreter, on arrays of every length around that of a vector.
//!
//! Invariant: a program is well-typed, and an operator of a `reduce` is associative and exact, so that
//! results do not depend on the order. It may divide by zero and read out of bounds, for elements that filters keep and
//! for others: then the messages must be the same.

use std::path::Path;
use std::process::Command;

use arr_runtime::host::{Library, Session, SessionOptions, Value, ValueType};
use arrc::interpret;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_front::eval::scalar::un;
use arrc_fusion::clusters::Strategy;
use arrc_syntax::prim::{Const, Scalar, UnOp};
use libtest_mimic::Failed;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy as _, ValueTree};
use proptest::test_runner::{Config, TestRunner};

use super::check::{compile, entry, outputs, same, shown};
use crate::run::all;
use crate::tools::{arrc, succeed};

/// The parameters of every entry.
const PARAMETERS: &str = "[n] [m] (xs: [n]i32) (ys: [n]f64) (zs: [n]i64) (us: [n]u8) (fs: [n]f32) \
     (bs: [n]bool) (ss: [n]i16) (ts: [m]i64) (d: i64) (e: i32) (g: u8) (h: i16)";

/// The arrays among them that programs begin with.
const ARRAYS: [(&str, Scalar); 7] = [
    ("xs", Scalar::I32),
    ("ys", Scalar::F64),
    ("zs", Scalar::I64),
    ("us", Scalar::U8),
    ("fs", Scalar::F32),
    ("bs", Scalar::Bool),
    ("ss", Scalar::I16),
];

/// Nearly all elements of longer arrays are the same.
const LONG: i64 = 500;

/// The divisor of each integer type.
const DIVISORS: [(Scalar, &str); 4] =
    [(Scalar::I64, "d"), (Scalar::I32, "e"), (Scalar::U8, "g"), (Scalar::I16, "h")];

/// Processors that tests run on if this machine is one of them.
#[must_use]
pub(super) fn processors() -> Vec<&'static str> {
    let mut processors = vec!["native"];
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx2") {
            processors.push("x86-64-v3");
        }
        if std::arch::is_x86_feature_detected!("ssse3") {
            processors.push("x86-64-v2");
        }
        processors.push("x86-64");
    }
    processors
}

/// The most additional batches that are drawn until enough passes run in vectors.
const MORE: usize = 3;

/// Random loops on a processor. A sixth of their passes must run in vectors, or the test would show little. The plain
/// `x86-64` has hardly any vector instructions.
pub(super) fn agree(processor: &str) -> Result<(), Failed> {
    let mut runner = TestRunner::new(Config::default());
    let recipes = vec(vec(any::<u16>(), 40..80), 1..6);
    let batches = if all() { 40 } else { 1 };
    let (mut passes, mut lanes) = (0, 0);
    for batch in 1..=batches + MORE {
        let programs: Vec<Vec<Vec<u16>>> = (0..16)
            .map(|_| recipes.new_tree(&mut runner).map(|tree| tree.current()))
            .collect::<Result<_, _>>()
            .map_err(|why| why.to_string())?;
        let found = check(&programs, processor)?;
        passes += found.0;
        lanes += found.1;
        let enough = processor == "x86-64" || lanes >= passes / 6;
        if enough && batch >= batches {
            return Ok(());
        }
    }
    Err(format!("only {lanes} passes of {passes} run in vectors").into())
}

/// Compiles programs into a library with vectors, one in which every array counts as large, and one without vectors,
/// and calls all of them. Returns how many passes they have, and how many of these run in vectors.
fn check(programs: &[Vec<Vec<u16>>], processor: &str) -> Result<(usize, usize), Failed> {
    let text: String = programs
        .iter()
        .enumerate()
        .map(|(at, program)| Writer::program(&format!("loops{at}"), program))
        .collect();
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("loops.arr");
    std::fs::write(&path, &text)?;
    let core = compile(&text, Strategy::None)?.core;
    let libraries = [
        build(&path, processor, "auto", folder.path())?,
        build(&path, processor, "streamed", folder.path())?,
        build(&path, processor, "none", folder.path())?,
    ];
    let opened = libraries.iter().map(|library| Library::open(library));
    let libraries = opened.collect::<Result<Vec<_>, _>>().map_err(|error| format!("{error}"))?;
    let session = |library| Session::new(library, &SessionOptions::default());
    let sessions = libraries.iter().map(session).collect::<Result<Vec<_>, _>>();
    let sessions = sessions.map_err(|error| format!("{error}"))?;
    for (at, program) in programs.iter().enumerate() {
        let name = format!("loops{at}");
        let types = outputs(&core, &name);
        for length in (0..34).chain([47, 48, 49]).chain(62..68).chain([127, 128, 129, 700, 1511]) {
            let args = arguments(length, at);
            let meaning = core_eval::run(&core, entry(&core, &name), &args);
            let meaning = meaning.map_err(|error| error.to_string());
            let results: Vec<_> =
                sessions.iter().map(|session| call(session, &name, &args, &types)).collect();
            if !agreed(&results, &meaning) {
                let text = |result: &Result<Vec<Component>, String>| match result {
                    Ok(values) => shown(values),
                    Err(error) => error.clone(),
                };
                let [vectors, streamed, scalars] = [0, 1, 2].map(|way| text(&results[way]));
                return Err(format!(
                    "for arrays of {length} elements, on {processor}\nin vectors: {vectors}\n\
                     past the caches: {streamed}\nstep by step: {scalars}\ninterpreted: {}\n{}",
                    text(&meaning),
                    Writer::program(&name, program)
                )
                .into());
            }
        }
    }
    in_vectors(&path, processor)
}

/// Whether all ways to compile give the same results or errors, and those of the interpreter. If the interpreter fails,
/// other forms need not compute unused values.
fn agreed(
    results: &[Result<Vec<Component>, String>],
    meaning: &Result<Vec<Component>, String>,
) -> bool {
    let alike = results.windows(2).all(|pair| match (&pair[0], &pair[1]) {
        (Ok(one), Ok(other)) => same(one, other),
        (Err(one), Err(other)) => one == other,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    });
    let means = match (&results[0], meaning) {
        (Ok(vectors), Ok(meaning)) => same(vectors, meaning),
        (Err(_), Ok(_)) => false,
        (Ok(_) | Err(_), Err(_)) => true,
    };
    alike && means
}

/// How many passes a program has, and how many of these run in vectors.
fn in_vectors(path: &Path, processor: &str) -> Result<(usize, usize), Failed> {
    let mut command = Command::new(arrc());
    command.args(["build", "--emit=vectors", &format!("--target-cpu={processor}")]).arg(path);
    let text = succeed(&mut command)?;
    Ok((text.lines().count(), text.lines().filter(|line| line.contains("lanes")).count()))
}

fn build(
    path: &Path,
    processor: &str,
    vectors: &str,
    folder: &Path,
) -> Result<std::path::PathBuf, Failed> {
    let output = folder.join(format!("lib{vectors}.so"));
    let options = ["build", "--lib=shared", "-O3", &format!("--target-cpu={processor}")];
    let vectors = format!("--vectors={vectors}");
    succeed(Command::new(arrc()).args(options).arg(vectors).arg(path).arg("-o").arg(&output))?;
    Ok(output)
}

fn call(
    session: &Session<'_>,
    name: &str,
    args: &[Component],
    types: &[ValueType],
) -> Result<Vec<Component>, String> {
    let args: Vec<Value> = args.iter().cloned().map(interpret::from_component).collect();
    let results = session.call(name, &args, types).map_err(|error| error.message)?;
    Ok(results.iter().map(interpret::to_component).collect())
}

/// Arguments for [`PARAMETERS`]; `variant` chooses the divisors. The elements of long arrays are nearly
/// all the same, so that filters keep nearly no element, or nearly all of them.
fn arguments(length: i64, variant: usize) -> Vec<Component> {
    let special = |elem: Scalar| -> Vec<f64> {
        let common = [0.0, 1.0, -1.0, 7.0, -7.0, 100.0, 63.0, 2.0];
        let more: &[f64] = if elem.is_float() {
            &[f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0, 0.5, -1e30]
        } else if elem.is_signed() {
            &[-1e30, 1e30, 51.0]
        } else {
            &[1e30, 51.0]
        };
        [&common, more].concat()
    };
    let mut state = 7 + length.unsigned_abs() * 31 + variant as u64;
    let mut array = |elem: Scalar, length: i64| {
        let values = special(elem);
        let data = (0..length).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_041);
            let choice = usize::try_from(state >> 40).expect("24 bits");
            let common = length > LONG && choice % 101 != 0;
            let value = values[if common { variant } else { choice / 101 } % values.len()];
            un(UnOp::To(elem), Const::float(Scalar::F64, value))
        });
        Component { elem, shape: vec![length], data: data.collect() }
    };
    let mut args: Vec<Component> = ARRAYS.iter().map(|&(_, elem)| array(elem, length)).collect();
    args.push(array(Scalar::I64, if variant.is_multiple_of(5) { 60 } else { 101 }));
    let divisors = [7.0, -3.0, 1.0, -1.0, 2.0, 10.0, -1e30, 1e30, 0.0];
    for (at, (ty, _)) in DIVISORS.iter().enumerate() {
        let value = divisors[(variant + at + usize::from(length == 66)) % divisors.len()];
        let value = un(UnOp::To(*ty), Const::float(Scalar::F64, value));
        args.push(Component { elem: *ty, shape: Vec::new(), data: vec![value] });
    }
    args
}

/// A program under construction.
struct Writer<'a> {
    choices: &'a [u16],
    /// The arrays so far: name, the number of the size, and the type of the elements.
    arrays: Vec<(String, usize, Scalar)>,
    results: Vec<String>,
    sizes: usize,
}

impl Writer<'_> {
    fn program(name: &str, statements: &[Vec<u16>]) -> String {
        let arrays = ARRAYS.map(|(name, elem)| (name.to_string(), 0, elem)).to_vec();
        let mut writer = Writer { choices: &[], arrays, results: Vec::new(), sizes: 1 };
        let mut text = format!("entry {name} {PARAMETERS} =\n  let w = i64.min m 8\n");
        for choices in statements {
            let mut next = Writer { choices, ..writer };
            text.push_str(&format!("  let {}\n", next.statement()));
            writer = Writer { choices: &[], ..next };
        }
        text + &format!("  in ({}, n)\n", writer.results.join(", "))
    }

    fn next(&mut self, below: usize) -> usize {
        let Some((&first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(first) % below
    }

    fn name(&mut self) -> String {
        let name = format!("v{}", self.results.len());
        self.results.push(name.clone());
        name
    }

    /// One of the arrays, and another of the same size.
    fn pair(&mut self) -> [(String, usize, Scalar); 2] {
        let at = self.next(self.arrays.len());
        let first = self.arrays[at].clone();
        let same: Vec<_> = self.arrays.iter().filter(|array| array.1 == first.1).cloned().collect();
        let at = self.next(same.len());
        [first, same[at].clone()]
    }

    /// `name = …`
    fn statement(&mut self) -> String {
        let [(xs, size, x), (ys, _, y)] = self.pair();
        let scope = [("x".to_string(), x), ("y".to_string(), y)];
        let both = format!("(zip {xs} {ys})");
        match self.next(9) {
            8 => self.neighbours(),
            0 => {
                let ty = self.scalar_type();
                let expr = self.expr(ty, &scope, 3);
                let name = self.name();
                self.arrays.push((name.clone(), size, ty));
                format!("{name} = map2 (\\x y -> {expr}) {xs} {ys}")
            }
            1..=3 => {
                let keep = self.expr(Scalar::Bool, &scope, 3);
                let (a, b) = (self.name(), self.name());
                self.arrays.push((a.clone(), self.sizes, x));
                self.arrays.push((b.clone(), self.sizes, y));
                self.sizes += 1;
                format!("({a}, {b}) = unzip (filter (\\(x, y) -> {keep}) {both})")
            }
            4 => self.fold("reduce", &scope, &both),
            5 => self.fold("scan", &scope, &both),
            6 => {
                let index = self.expr(Scalar::I64, &scope, 1);
                let name = self.name();
                format!(
                    "{name} = map (\\(x, y) -> ts[{index} & 63]) (filter (\\(x, y) -> {}) {both})",
                    self.expr(Scalar::Bool, &scope, 1)
                )
            }
            _ => {
                let key = self.expr(Scalar::I32, &scope, 2);
                let better = ["l.0 > r.0", "l.0 >= r.0", "l.0 > r.0 || (l.0 == r.0 && l.1 < r.1)"];
                let better = better[self.next(3)];
                let (a, b) = (self.name(), self.name());
                format!(
                    "({a}, {b}) = reduce (\\l r -> if {better} then l else r) (i64.lowest, -1i64) \
                     (map_index (\\i (x, y) -> (i64.i32 {key}, i)) {both})"
                )
            }
        }
    }

    /// A stencil: the neighbours of each element. At the ends, elements are left out, wrap around, or are missing.
    fn neighbours(&mut self) -> String {
        let (xs, ty) = ARRAYS[self.next(ARRAYS.len())];
        let at = [
            "(if i > 0 && i < n - 1 then XS[i - 1] else XS[i])",
            "(if i < d then XS[i] else XS[n - 1 - i])",
            "(if XS[i] == XS[0] then XS[i + 1 - 1] else (if i + 2 < n then XS[i + 2] else XS[i / 2]))",
            "XS[i + 1]",
            "(let k = i32.i64 i in if k > 0 && k < i32.i64 n - 1 then XS[i64.i32 (k - 1)] else XS[i64.i32 k])",
            "(let k = i32.i64 i + e in if k >= 0 && k < i32.i64 n then XS[i64.i32 k] else XS[i64.i32 (k - e)])",
        ];
        let at = at[self.next(at.len())].replace("XS", xs);
        let name = self.name();
        self.arrays.push((name.clone(), 0, ty));
        format!("{name} = map (\\i -> {at}) (iota n)")
    }

    /// A reduction or scan whose results are exact.
    fn fold(&mut self, how: &str, scope: &[(String, Scalar)], both: &str) -> String {
        let ty = [Scalar::I32, Scalar::I64, Scalar::F64, Scalar::U8][self.next(4)];
        let kind = self.next(4);
        let expr = match (ty, kind) {
            (Scalar::F64, 0 | 3) => format!("(f64.u8 {})", self.expr(Scalar::U8, scope, 2)),
            _ => self.expr(ty, scope, 2),
        };
        let (lowest, highest) = if ty.is_float() {
            ("-f64.inf".to_string(), "f64.inf".to_string())
        } else {
            (format!("{ty}.lowest"), format!("{ty}.highest"))
        };
        let (op, neutral) = match kind {
            1 => (format!("{ty}.max"), format!("({lowest})")),
            2 => (format!("{ty}.min"), highest),
            _ => ("(+)".to_string(), format!("({ty}.i32 0)")),
        };
        let name = self.name();
        format!("{name} = {how} {op} {neutral} (map (\\(x, y) -> {expr}) {both})")
    }

    fn scalar_type(&mut self) -> Scalar {
        ARRAYS[self.next(ARRAYS.len())].1
    }

    fn expr(&mut self, ty: Scalar, scope: &[(String, Scalar)], depth: usize) -> String {
        if depth == 0 || self.next(6) == 0 {
            return self.leaf(ty, scope);
        }
        if self.next(7) == 0 {
            let cond = self.expr(Scalar::Bool, scope, depth - 1);
            let [a, b] = [0; 2].map(|_| self.expr(ty, scope, depth - 1));
            return format!("(if {cond} then {a} else {b})");
        }
        if depth > 1 && self.next(3) == 0 {
            return self.repeated(ty, scope, depth);
        }
        if ty == Scalar::Bool {
            return self.condition(scope, depth);
        }
        let [a, b] = [0; 2].map(|_| self.expr(ty, scope, depth - 1));
        let kind = self.next(if ty.is_float() { 7 } else { 14 });
        let divisor = DIVISORS.iter().find(|divisor| divisor.0 == ty).map(|divisor| divisor.1);
        match (kind, divisor) {
            (0, _) => format!("({a} + {b})"),
            (1, _) => format!("({a} - {b})"),
            (2, _) => format!("({a} * {b})"),
            (3, _) => format!("({ty}.min {a} {b})"),
            (4, _) => format!("({ty}.max {a} {b})"),
            (5, _) => format!("({ty}.abs {a})"),
            (6, _) if ty.is_float() => format!("({a} / {b})"),
            (6, _) => format!("({a} ^ {b})"),
            (7, Some(d)) => format!("({a} / {d})"),
            (8, Some(d)) => format!("({a} % {d})"),
            (9, Some(d)) => format!("({a} // {d})"),
            (10, Some(d)) => format!("({a} %% {d})"),
            (11, _) => format!("({a} / 7{ty})"),
            (12, _) => format!("({a} % 2{ty})"),
            (13, _) if depth > 2 => format!("({a} / {b})"),
            _ => format!("({a} & {b})"),
        }
    }

    /// A loop in a step: it has the same trip count in every step, or a count or a condition that differs between
    /// steps, or it is a fold.
    fn repeated(&mut self, ty: Scalar, scope: &[(String, Scalar)], depth: usize) -> String {
        let [value, turn, element] = ["q", "k", "t"].map(|name| format!("{name}{depth}"));
        let first = self.expr(ty, scope, depth - 1);
        let more = [(value.clone(), ty), (turn.clone(), Scalar::I64)];
        let inside = [&more[..], scope].concat();
        match self.next(8) {
            5..=7 => self.in_array(ty, scope, depth),
            0 => {
                let next = self.expr(ty, &inside, depth - 1);
                format!("(loop {value} = {first} for {turn} < d & 7 do {next})")
            }
            1 => {
                let count = self.leaf(Scalar::I64, scope);
                let next = self.expr(ty, &inside, depth - 1);
                format!("(loop {value} = {first} for {turn} < {count} & 3 do {next})")
            }
            2 => {
                let more = self.expr(Scalar::Bool, &inside, 1);
                let next = self.expr(ty, &inside, depth - 1);
                format!(
                    "(loop ({value}, {turn}) = ({first}, 0i64) while {turn} < 5 && {more} do \
                     ({next}, {turn} + 1)).0"
                )
            }
            3 => {
                let inside = [&[(element.clone(), Scalar::I64)][..], &inside].concat();
                let next = self.expr(ty, &inside, depth - 1);
                format!(
                    "(fold (\\{value} {turn} -> let {element} = ts[{turn}] in {next}) {first} (iota 4))"
                )
            }
            _ => {
                let next = self.expr(ty, &inside, depth - 1);
                format!("(fold (\\{value} {turn} -> {next}) {first} (take 3 ts))")
            }
        }
    }

    /// A loop over an array that the step makes: it is filled, scanned or changed, and read anywhere, now and then out of
    /// bounds.
    fn in_array(&mut self, ty: Scalar, scope: &[(String, Scalar)], depth: usize) -> String {
        let [array, turn, element] = ["v", "k", "t"].map(|name| format!("{name}{depth}"));
        let inside = [&[(turn.clone(), Scalar::I64)][..], scope].concat();
        let first = self.expr(ty, &inside, depth - 1);
        let made = format!("tabulate w (\\{turn} -> {first})");
        let made = if self.next(3) == 0 && ty != Scalar::Bool && !ty.is_float() {
            format!("scan (+) ({ty}.i32 0) ({made})")
        } else {
            made
        };
        let mask = [7, 7, 7, 15][self.next(4)];
        let at = self.leaf(Scalar::I64, scope);
        let read = format!("{array}[{at} & {mask}]");
        match self.next(3) {
            0 => format!("(let {array} = {made} in {read})"),
            1 => {
                let inside = [&[(element.clone(), ty)][..], &inside].concat();
                let (place, next) = (self.leaf(Scalar::I64, &inside), self.expr(ty, &inside, 1));
                format!(
                    "(let {array} = loop ({array}: [w]{ty}) = {made} for {turn} < d & 7 do \
                     let {element} = {array}[{turn}] in {array} with [{place} & 7] = {next} in {read})"
                )
            }
            _ => {
                let inside = [(element.clone(), ty), ("q".to_owned(), ty)];
                let next = self.expr(ty, &[&inside[..], scope].concat(), 1);
                format!("(let {array} = {made} in fold (\\q {element} -> {next}) {read} {array})")
            }
        }
    }

    fn condition(&mut self, scope: &[(String, Scalar)], depth: usize) -> String {
        let kind = self.next(8);
        if kind < 2 {
            let [a, b] = [0; 2].map(|_| self.expr(Scalar::Bool, scope, depth - 1));
            return format!("({a} {} {b})", ["&&", "||"][kind]);
        }
        let ty = scope[self.next(scope.len())].1;
        let [a, b] = [0; 2].map(|_| self.expr(ty, scope, depth - 1));
        format!("({a} {} {b})", ["<", "<=", ">", ">=", "==", "!="][kind - 2])
    }

    fn leaf(&mut self, ty: Scalar, scope: &[(String, Scalar)]) -> String {
        let literal = [0, 1, 3, 51, 100][self.next(5)];
        let (name, of) = &scope[self.next(scope.len())];
        match (self.next(3), ty) {
            (0, Scalar::Bool) => format!("({literal} > 50)"),
            (0, _) => format!("({ty}.i32 {literal})"),
            (_, _) if *of == ty => name.clone(),
            (_, Scalar::Bool) if *of != Scalar::Bool => {
                format!("({name} > ({of}.i32 {literal}))")
            }
            (_, _) => format!("({ty}.{of} {name})"),
        }
    }
}
