//! The reader of forms: every program of the project is printed and read back unchanged, and mistakes are reported.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate as pipeline;
use crate::Options;
use arrc_front::load::{LoadError, Loader};
use arrc_fusion::cnf::parse;
use arrc_fusion::cnf::verify;
use arrc_fusion::form::FormError;
use arrc_fusion::testing::is_night;
use arrc_loops::concrete;
use arrc_loops::concrete::{Phase, Plain};
use arrc_loops::ranges::split;
use arrc_loops::vector::fission;
use arrc_syntax::source::Sources;

/// A program with everything that has a form of its own in the text.
const PROGRAM: &str = r#"#[effect(io)]
external report (x: i64): ()

external median (xs: []f64): f64

-- | Two lines
-- of a comment.
entry all [n] [m] (xs: [n]i64) (ys: [n]i64) (xss: [n][m]f64) (c: bool) (k: i64): ?[j].([j]i64, [n + 1]i64, i64, [k]i64, f64) =
  let () = assert c else slice "from \"" k "\" on " (-1i64)
  let (as, bs) = unzip (filter (\(x, _) -> x > 0i64) (zip xs ys))
  let ds = filter (\y -> y < 0i64) ys keeping xs
  let es = [1i64, -2i64, -9223372036854775808i64]
  let fs = array [1i64]
  let gs = [[1.5f64, f64.nan], [-f64.inf, 1e300f64]]
  let hs = xs ++ fs
  let w = length (head xss)
  let sums = map (\row ->
      let s = fold (\acc x_1 -> acc + x_1) 0.0f64 row
      in s) xss
  let mid = median sums
  let (i, total) = loop (at, sum) = (k, 0i64) while (\(p, q) -> p > 0i64) (at, sum) do
      let at_1 = at - 1i64
      let sum_1 = i64.max sum at
      in (at_1, sum_1)
  let is = generate k (\place -> i64.f64 mid)
  let () = report total
  let last = if c then
      k
    else
      let z = xs[k]
      in z
  in (as, hs, last, is, mid)
"#;

#[test]
fn what_is_read_prints_as_it_was() {
    let program = parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(verify(&program), Ok(()));
    assert_eq!(program.to_string(), PROGRAM);
}

#[test]
fn mistakes_have_a_place() {
    let body = |body: &str| format!("def f [n] (xs: [n]i64) (c: bool): i64 =\n  {body}");
    let cases = [
        (body("let a = 1i64"), "2:15: "),
        (body("y"), "2:3: there is no variable `y`"),
        (body("let (a, b) = c && c in a"), "2:16: this has 1 results, and binds 2"),
    ];
    for (text, wanted) in cases {
        let error = parse(&text).expect_err("the text has a mistake").to_string();
        assert!(error.starts_with(wanted), "{text}\n{error}");
    }
}

#[test]
fn mistakes_in_nests_have_a_place() {
    let cases = [
        ("release xs; yield (1i64)", "2:15: a phase in which arrays have ends is wanted"),
        ("y = xs ++ xs; yield (1i64)", "2:5: the type of an array is wanted"),
        ("y = 1i64 + z; yield (y)", "2:16: there is no variable `z`"),
        ("y = call g; yield (y)", "2:14: there is no function `g`"),
        ("y = 1i64 xor 2i64; yield (y)", "2:14: an operator is wanted"),
    ];
    for (body, wanted) in cases {
        let text = format!("function f (xs : [n]i64) : i64\n= {{ {body} }}\n");
        let error =
            arrc_loops::concrete::parse::<Plain>(&text).expect_err("the text has a mistake");
        assert_eq!(error.to_string(), wanted, "{text}");
    }
}

/// The files that programs of the project import.
struct Files;

impl Loader for Files {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        std::fs::read_to_string(path).map_err(|_| LoadError::NotFound)
    }

    fn files(&self, _: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The programs in a folder of the project.
fn programs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let files = files.map(|file| file.expect("the file is there").path());
    let mut programs: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|ext| ext == "arr")).collect();
    programs.sort_unstable();
    programs
}

/// The difference after a form was read from its text and printed, if there is one.
fn changed<T: Display>(
    form: &T,
    read: impl Fn(&str) -> Result<T, FormError>,
    verify: impl Fn(&T) -> Result<(), String>,
) -> Option<String> {
    let text = form.to_string();
    let read = read(&text).map_err(|error| {
        let line = text.lines().nth(error.at.line as usize - 1).unwrap_or_default();
        format!("{error}: {line}")
    });
    match read.and_then(|read| verify(&read).map(|()| read.to_string())) {
        Ok(again) if again == text => None,
        Ok(again) => {
            let lines = text.lines().zip(again.lines()).find(|(one, other)| one != other);
            Some(format!("{lines:?}"))
        }
        Err(error) => Some(error),
    }
}

fn changed_nests<P: Phase>(form: &concrete::Program<P>) -> Option<String> {
    changed(form, arrc_loops::concrete::parse, concrete::Program::verify)
}

/// By day, the benchmarks and every fourth other program; at night, all programs.
#[test]
fn programs_read_back() {
    let mut wrong = Vec::new();
    let others = ["tests/emit", "tests/run", "examples"].into_iter().flat_map(programs);
    let others = others.step_by(if is_night() { 1 } else { 4 });
    for file in programs("bench/programs").into_iter().chain(others) {
        let mut sources = Sources::default();
        let text = std::fs::read_to_string(&file).expect("the program is text");
        let id = sources.add(file.to_string_lossy(), text);
        let program = match pipeline::normal_form(&mut sources, id, &Files) {
            Ok(program) => program,
            Err(errors) => {
                let why = errors.iter().map(|error| error.message.clone()).collect::<Vec<_>>();
                wrong.push(format!("{}: {}", file.display(), why.join("; ")));
                continue;
            }
        };
        let of_cnf = changed(&program, parse, verify);
        let (plain, _) = pipeline::nests(program, &Options::default());
        let of_plain = changed_nests(&plain);
        let ranged = split::split(fission::narrow(plain.clone()));
        let of_ranged = changed_nests(&ranged);
        let of_complete = changed_nests(&pipeline::complete(plain));
        let found = of_cnf.or(of_plain).or(of_ranged).or(of_complete);
        wrong.extend(found.map(|found| format!("{}: {found}", file.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
