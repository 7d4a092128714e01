//! `arrc run --out-of-core`: the entries that `arrc.dask` is tested with, over chunks of many sizes, against plain
//! runs; how often the data are read; and how much memory the runs take.
//!
//! Invariant: results are the same, except the last bits of floats that folds combine chunk by chunk.

use std::env;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::process::Command;

use arr_runtime::host::{ArrayData, ArrayValue, Value};
use arr_runtime::text::write_npy;
use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output, succeed};

/// Each case is a name, a program with one entry, and the arguments of the entry. The files are in [`folder`].
const CASES: [(&str, &str, &[&str]); 22] = [
    (
        "normalize2",
        "entry f [n] (xs: [n]i64): ([n]i64, [n]i64) = let gts = filter (> 0) xs in (map (/ reduce (+) 0 xs) xs, map (/ reduce (+) 0 gts) xs)",
        &["@i.npy"],
    ),
    (
        "apart",
        "entry f [n] (xs: [n]f64): ?[k].([k]f64, [k]f64, i64) = let ys = filter (> 0.5) xs in (map (* 2) ys, map (/ f64.sum ys) ys, length ys)",
        &["@f.npy"],
    ),
    (
        "running",
        "entry f [n] (xs: [n]i64): ([n]i64, [n]i64) = (map (+ 1) (scan (+) 0 xs), exscan (+) 0 xs)",
        &["@i.npy"],
    ),
    (
        "in_order",
        "entry f [n] (xs: [n]f64): f64 = fold (\\acc x -> acc * 0.5 + x) 1 xs",
        &["@f.npy"],
    ),
    (
        "kept_at",
        "entry f [n] (xs: [n]i64): ?[k].[k]i64 = filter (\\i -> xs[i] > 20) (iota n)",
        &["@i.npy"],
    ),
    (
        "counts",
        "entry f [n] (k: i64) (ks: [n]i64): [k]i64 = hist (+) 0 k ks (map (\\_ -> 1) ks)",
        &["7", "@k.npy"],
    ),
    (
        "rows",
        "entry f [n] [m] (a: [n][m]f64): ([n]f64, [m]f64) = (map f64.sum a, reduce (map2 (+)) (replicate m 0) a)",
        &["@m.npy"],
    ),
    (
        "appended",
        "entry f [n] [m] (xs: [n]i64) (ys: [m]i64) (ws: [n + m + n]i64): i64 = i64.sum (map2 (*) (map (+ 1) xs ++ ys ++ xs) ws)",
        &["@i.npy", "@k.npy", "@t.npy"],
    ),
    (
        "appended_to_itself",
        "entry f [n] (xs: [n]i64) (ws: [n + n + n]i64): [n + n + n]i64 = let ys = map (* 2) xs in map2 (-) (map (+ 1) ys ++ ys ++ scan (+) 0 ys) ws",
        &["@i.npy", "@t.npy"],
    ),
    ("turned", "entry f [n] [m] (a: [n][m]f64): [m][n]f64 = transpose a", &["@m.npy"]),
    (
        "slope",
        "entry f [n] (xs: [n]f64) (steps: i64): f64 = loop w = 0.5 for _i < steps do w - 0.1 * f64.sum (map (\\x -> (w * x - 1) * x) xs) / f64.i64 (n + 1)",
        &["@f.npy", "3"],
    ),
    (
        "chosen",
        "entry f [n] (xs: [n]f64): ?[k].[k]f64 = if f64.sum xs > 10 then filter (> 0.5) xs else xs ++ map (* 2) xs",
        &["@f.npy"],
    ),
    (
        "sorted",
        "entry f [n] (xs: [n]i64): i64 = i64.sum (map2 (*) (sort (<=) xs) (iota n))",
        &["@i.npy"],
    ),
    (
        "quicksort",
        "def sorted [n] (xs: [n]i64): ?[k].[k]i64 = if n <= 1 then xs else let p = xs[n / 2] in sorted (filter (< p) xs) ++ filter (== p) xs ++ sorted (filter (> p) xs)\n\
         entry f [n] (xs: [n]i64): ?[k].[k]i64 = sorted xs",
        &["@i.npy"],
    ),
    ("quickhull", QUICKHULL, &["@f.npy", "@g.npy"]),
    (
        "alternating",
        "def odds [n] (xs: [n]i64): i64 = if n == 0 then 0 else i64.sum xs + evens (filter (> 0) (map (/ 2) xs))\n\
         def evens [n] (xs: [n]i64): i64 = if n == 0 then 1 else i64.maximum xs - odds (filter (> 0) (map (/ 3) xs))\n\
         entry f [n] (xs: [n]i64): i64 = odds xs",
        &["@i.npy"],
    ),
    // Lengths of arrays that steps make.
    (
        "kept_in_steps",
        "entry f [n] [m] (a: [n][m]f64): [n]i64 = map (\\r -> length (filter (> 0.5) r)) a",
        &["@m.npy"],
    ),
    (
        "filtered_twice",
        "entry f [n] (xs: [n]i64): [n]i64 = map (\\x -> let v = (loop (v: []i64) = iota (i64.abs x % 9) for _ < 2 do filter (> 1) v) in if length v > 0 then v[0] else length v) xs",
        &["@i.npy"],
    ),
    (
        "sorted_in_steps",
        "entry f [n] [m] (a: [n][m]f64): [n]f64 = map (\\r -> f64.sum (map2 (*) (sort (<=) r) (map f64.i64 (iota m)))) a",
        &["@m.npy"],
    ),
    // The length of an array that no pass makes.
    (
        "grown",
        "def grow [k] (z: [k]i64) (n: i64): ?[r].[r]i64 = if n == 0 then z else grow (z ++ [n]) (n - 1)\n\
         entry f [n] (xs: [n]i64): i64 = let a = fold (\\a x -> a with [i64.abs x % length a] = x) (grow [7] (n % 4)) xs in length a * 100 + length (grow [7] (n % 4))",
        &["@i.npy"],
    ),
    // Rows that are as long as those of an array that the pass does not read.
    (
        "rows_of_another",
        "entry f [n] [m] (a: [n][m]f64) (xs: [n]f64): [n][m]f64 = map (\\x -> tabulate m (\\j -> x * f64.i64 j)) xs",
        &["@m.npy", "@f.npy"],
    ),
    ("divided", "entry f [n] (xs: [n]i64): [n]i64 = map (\\x -> 100 / x) xs", &["@i.npy"]),
];

/// The hull of the points at the entries' two arrays.
const QUICKHULL: &str = "type point = {x: f64, y: f64}
def area (a: point) (b: point) (p: point): f64 = (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)
def before (p: point) (q: point): bool = p.x < q.x || (p.x == q.x && p.y <= q.y)
def side [n] (a: point) (b: point) (ps: [n]point): ?[m].[m]point =
  let left = zip ps (map (area a b) ps) |> filter (\\(_, d) -> d > 0)
  let farther l r = if l.1 > r.1 || (l.1 == r.1 && before l.0 r.0) then l else r
  let (far, d) = reduce farther (a, 0) left
  in if d == 0 then [a] else side a far (map (.0) left) ++ side far b (map (.0) left)
entry f [n] (xs: [n]f64) (ys: [n]f64): ?[h].([h]f64, [h]f64) =
  let ps = map2 (\\x y -> {x, y}) xs ys
  let first = reduce (\\p q -> if before p q then p else q) {x = f64.inf, y = f64.inf} ps
  let last = reduce (\\p q -> if before p q then q else p) {x = -f64.inf, y = -f64.inf} ps
  let hull = if n == 0 then [] else if first == last then [first] else side first last ps ++ side last first ps
  in unzip (map (\\p -> (p.x, p.y)) hull)";

/// One trial for each program, and the trials of memory.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let case = |(name, program, arguments): (&str, &'static str, &'static [&str])| {
        Trial::test(format!("chunks::{name}"), move || same(program, arguments))
    };
    let all = env::var_os("ARR_TESTS").is_some_and(|value| value == "all");
    let large = all.then(|| Trial::test("chunks::four_gigabytes", || bounded(1 << 29)));
    let rest =
        [Trial::test("chunks::reads", reads), Trial::test("chunks::memory", || bounded(1 << 26))];
    CASES.into_iter().map(case).chain(rest).chain(large).collect()
}

/// A folder with a program and arrays of `n` elements.
fn folder(program: &str, n: u32) -> Result<tempfile::TempDir, Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    fs::write(at("p.arr"), format!("{program}\n"))?;
    let integer = |i: u32| i64::from(i * 37 % 59) - 9;
    let float = |i: u32| f64::from(i * 37 % 101) / 101.0;
    write_npy(&at("i.npy"), &Value::from((0..n).map(integer).collect::<Vec<_>>()))?;
    write_npy(&at("f.npy"), &Value::from((0..n).map(float).collect::<Vec<_>>()))?;
    let square = |i: u32| f64::from(i * i % 103) / 103.0;
    write_npy(&at("g.npy"), &Value::from((0..n).map(square).collect::<Vec<_>>()))?;
    write_npy(
        &at("k.npy"),
        &Value::from((0..n).map(|i| i64::from(i * 5 % 7)).collect::<Vec<_>>()),
    )?;
    write_npy(&at("t.npy"), &Value::from((0..3 * n).map(integer).collect::<Vec<_>>()))?;
    let data = ArrayData::F64((0..3 * n).map(float).collect());
    let matrix = ArrayValue::new(vec![n.into(), 3], data).ok_or("three columns")?;
    write_npy(&at("m.npy"), &Value::Array(matrix))?;
    Ok(folder)
}

fn run(folder: &Path, options: &[&str], arguments: &[&str]) -> Command {
    let mut command = Command::new(arrc());
    command.current_dir(folder).args(["run", "-O1"]).args(options).args(["p.arr", "f"]);
    command.args(arguments);
    command
}

/// The same results, or errors of the same code, with chunks of every size.
fn same(program: &str, arguments: &[&str]) -> Result<(), Failed> {
    for n in [0, 1, 101] {
        let folder = folder(program, n)?;
        let whole = output(&mut run(folder.path(), &[], arguments))?;
        for chunk in ["1", "100", "100000"] {
            let options = ["--out-of-core", "--chunk-bytes", chunk];
            let parts = output(&mut run(folder.path(), &options, arguments))?;
            let texts =
                [&whole, &parts].map(|run| String::from_utf8_lossy(&run.stdout).into_owned());
            if whole.status.code() != parts.status.code() || !close(&texts[0], &texts[1]) {
                return Err(
                    format!("{n} elements, chunks of {chunk} bytes: {whole:?}\n{parts:?}").into()
                );
            }
        }
    }
    Ok(())
}

/// Whether two texts are the same, except the last bits of floats.
fn close(left: &str, right: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|c: char| "[], \n".contains(c)).map(str::to_owned).collect()
    };
    let (left, right) = (words(left), words(right));
    let number = |word: &str| word.strip_suffix("f64").and_then(|word| word.parse::<f64>().ok());
    left.len() == right.len()
        && left.iter().zip(&right).all(|(left, right)| match (number(left), number(right)) {
            (Some(left), Some(right)) => (left - right).abs() <= 1e-12 * left.abs().max(1.0),
            _ => left == right,
        })
}

/// Each pass reads each chunk once, and there are as many passes as `explain` says. That includes the passes of
/// recursive calls on more than a chunk.
fn reads() -> Result<(), Failed> {
    let (_, program, arguments) = CASES[0];
    let folder = folder(program, 100)?;
    told(folder.path(), 80, arguments, "2 passes over 20 chunks, 1600 bytes read\n")?;
    let hull = self::folder(QUICKHULL, 100)?;
    // One pass finds the ends, and one pass each side of the line between them. After that, all calls are small.
    let counts = "3 passes over 12 chunks, 4800 bytes read\n";
    told(hull.path(), 640, &["@f.npy", "@g.npy"], counts)?;
    let explained =
        succeed(Command::new(arrc()).args(["explain", "p.arr"]).current_dir(folder.path()))?;
    if explained.contains("2 passes") { Ok(()) } else { Err(explained.into()) }
}

/// A run over chunks of this size tells how often it reads the data.
fn told(folder: &Path, chunk: u32, arguments: &[&str], counts: &str) -> Result<(), Failed> {
    let chunk = format!("--chunk-bytes={chunk}");
    let told = output(&mut run(folder, &["--out-of-core", &chunk], arguments))?;
    let told = String::from_utf8_lossy(&told.stderr).into_owned();
    if told == counts { Ok(()) } else { Err(told.into()) }
}

/// A file with this number of floats is read twice and filtered in less than half of its size, or 400 MB.
fn bounded(count: u64) -> Result<(), Failed> {
    const PROGRAM: &str = "entry f [n] (xs: [n]f64): ?[k].[k]f64 = let s = f64.sum xs in filter (> 0.5) (map (/ s) xs)";
    const MEASURE: &str = "import resource, subprocess, sys\n\
        subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n\
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)";
    let folder = folder(PROGRAM, 1)?;
    let mut file = File::create(folder.path().join("x.npy"))?;
    let mut header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({count},), }}");
    header = format!("{header:<117}\n");
    file.write_all(b"\x93NUMPY\x01\x00\x76\x00")?;
    file.write_all(header.as_bytes())?;
    // All other elements are zeros, which take no room on the disk.
    file.set_len(128 + 8 * count)?;
    for at in [0, count / 2, count - 1] {
        file.seek(SeekFrom::Start(128 + 8 * at))?;
        file.write_all(&if at == 0 { 3_f64 } else { 0.5 }.to_le_bytes())?;
    }
    let command = run(folder.path(), &["--out-of-core", "-o", "ys"], &["@x.npy"]);
    let mut measured = Command::new("python3");
    measured.args(["-c", MEASURE]).arg(command.get_program()).args(command.get_args());
    let kilobytes: u64 = succeed(measured.current_dir(folder.path()))?.trim().parse()?;
    let shown = fs::read(folder.path().join("ys.npy"))?;
    let kept = f64::from_le_bytes(shown[shown.len() - 8..].try_into()?);
    if kept != 0.75 || shown.len() != 1024 + 8 {
        return Err(format!("{kept} in {} bytes", shown.len()).into());
    }
    if kilobytes > 400_000 {
        return Err(format!("{kilobytes} KB of memory for a file of {} KB", count / 128).into());
    }
    Ok(())
}
