//! The memory of calls, by the statistics of the context: the most at once, and the number of arrays.
//!
//! Invariant: the statistics count the bytes that arrays use, even if their lengths were not known beforehand, and the
//! overhead of each array. They do not count the inputs, which belong to the caller.

use std::process::Command;

use arr_runtime::host::{Library, Scalar, Session, SessionOptions, Stats, Value, ValueType};
use libtest_mimic::{Failed, Trial};

use crate::tools::{BASELINE, arrc, project, succeed};

/// The bytes that a program may take besides its inputs and outputs.
const MORE: usize = 4 << 20;

const INTS: ValueType = ValueType::Array { scalar: Scalar::I64, rank: 1 };
const FLOATS: ValueType = ValueType::Array { scalar: Scalar::F64, rank: 1 };
const INT: ValueType = ValueType::Scalar(Scalar::I64);

/// The tests.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("memory::filter_max", || at_most("filter_max", &[ints(1 << 22)], &[INTS, INT])),
        Trial::test("memory::normalize2", || {
            at_most("normalize2", &[ints(1 << 22)], &[INTS, INTS])
        }),
        Trial::test("memory::quadtree", || quadtree(60_000)),
        Trial::test("memory::quadtree_large", || quadtree(1_000_000)),
        Trial::test("memory::updates", updates),
        Trial::test("memory::overwrites", overwrites),
        Trial::test("memory::filters", filters),
        Trial::test("memory::appends", appends),
        Trial::test("memory::grows", grows),
        Trial::test("memory::matrices", matrices),
        Trial::test("memory::bins", bins),
        Trial::test("memory::tasks", tasks),
    ]
}

/// Integers above 0, so that filters keep all of them.
fn ints(count: i64) -> Value {
    Value::from((0..count).map(|at| at * 7919 % 1000 + 1).collect::<Vec<_>>())
}

fn floats(count: u32, step: u32) -> Value {
    let at = |at: u32| f64::from(at.wrapping_mul(step * 7_919) % 65_521);
    Value::from((0..count).map(at).collect::<Vec<_>>())
}

/// The parts of a cut become the tree, and are not in memory beside it.
fn quadtree(points: u32) -> Result<(), Failed> {
    let outputs = [&[FLOATS; 4][..], &[INTS; 3], &[FLOATS; 2]].concat();
    let inputs = [floats(points, 7), floats(points, 11), Value::from(64_i64)];
    at_most("quadtree", &inputs, &outputs)
}

/// Compiles a program and calls a function with a session of one thread: on several threads, recursive calls hold their
/// results until these are appended.
fn with<T>(text: &str, then: impl FnOnce(&Session<'_>) -> Result<T, Failed>) -> Result<T, Failed> {
    with_library(text, |library| {
        let options = SessionOptions { threads: 1, ..SessionOptions::default() };
        let session = Session::new(library, &options);
        then(&session.map_err(|error| error.to_string())?)
    })
}

/// Compiles a program and does something with its library.
pub(crate) fn with_library<T>(
    text: &str,
    then: impl FnOnce(&Library) -> Result<T, Failed>,
) -> Result<T, Failed> {
    let folder = tempfile::tempdir()?;
    let (source, output) = (folder.path().join("program.arr"), folder.path().join("libprogram.so"));
    std::fs::write(&source, text)?;
    succeed(
        Command::new(arrc())
            .args(["build", BASELINE, "--lib=shared"])
            .arg(&source)
            .arg("-o")
            .arg(&output),
    )?;
    then(&Library::open(&output).map_err(|error| error.to_string())?)
}

/// An example takes no more than its inputs, its outputs and a little.
fn at_most(example: &str, inputs: &[Value], outputs: &[ValueType]) -> Result<(), Failed> {
    let text = std::fs::read_to_string(project().join(format!("examples/{example}.arr")))?;
    with(&text, |session| {
        let results = session.call(example, inputs, outputs).map_err(|error| error.to_string())?;
        let peak = usize::try_from(session.stats().bytes_peak)?;
        let allowed = results.iter().map(bytes).sum::<usize>() + MORE;
        if peak > allowed {
            return Err(format!("{peak} bytes at once, where {allowed} would do").into());
        }
        Ok(())
    })
}

/// The bytes of a value's elements.
fn bytes(value: &Value) -> usize {
    match value {
        Value::Scalar(_) => 0,
        Value::Array(array) => array.data().bytes(),
    }
}

/// However often an array is updated, it is made once.
fn updates() -> Result<(), Failed> {
    let text = "
        entry replaced (n: i64) (k: i64): *[n]i64 =
          loop a = replicate n 0 for i < k do a with [i % n] = a[(i + 1) % n] + i

        entry scattered [m] (n: i64) (k: i64) (places: [m]i64): *[n]i64 =
          loop a = replicate n 0 for _i < k do scatter a places places

        def fill [n] (i: i64) (a: *[n]i64): *[n]i64 =
          if i == 0 then a else fill (i - 1) (a with [i % n] = i)

        entry filled (n: i64) (k: i64): *[n]i64 = fill k (replicate n 0)

        entry counted [m] (n: i64) (xs: [m]i64): *[n]i64 =
          reduce_by_index (replicate n 0) (+) 0 xs xs
    ";
    let numbers = |numbers: &[i64]| numbers.iter().map(|&n| Value::from(n)).collect::<Vec<_>>();
    with(text, |session| {
        let made = |entry: &str, inputs: &[Value]| -> Result<u64, Failed> {
            session.call(entry, inputs, &[INTS]).map_err(|error| error.to_string())?;
            Ok(session.stats().call_allocations)
        };
        for k in [0, 1, 10, 1000] {
            let places = Value::from(vec![1_i64, 3, 4]);
            let scattered = [&numbers(&[10, k])[..], &[places]].concat();
            let found = [
                made("replaced", &numbers(&[10, k]))?,
                made("filled", &numbers(&[10, k]))?,
                made("counted", &[Value::from(10_i64), ints(k)])?,
                made("scattered", &scattered)?,
            ];
            if found != [1, 1, 1, 1] {
                return Err(format!("{k} updates make so many arrays: {found:?}").into());
            }
        }
        Ok(())
    })
}

/// A pass writes over arrays that end with it.
fn overwrites() -> Result<(), Failed> {
    let text = "
        entry repeated [n] (k: i64) (xs: [n]i64): *[n]i64 =
          loop a = map (* 3) xs for _i < k do map (\\x -> x ^ (x >> 1) + k) a

        entry centred [n] (_k: i64) (xs: [n]i64): *[]i64 =
          let sums = scan (+) 0 xs
          let most = i64.maximum sums
          let above = filter (> most / 2) sums
          let least = i64.minimum above
          in map (+ least) above
    ";
    with(text, |session| {
        for (k, n) in [(0_i64, 10), (1, 10), (1000, 10), (2, 0), (3, 100_000)] {
            for entry in ["repeated", "centred"] {
                let inputs = [Value::from(k), ints(n)];
                session.call(entry, &inputs, &[INTS]).map_err(|error| error.to_string())?;
                let made = session.stats().call_allocations;
                if made != 1 {
                    return Err(format!("{entry} of {n}, {k} times, makes {made} arrays").into());
                }
            }
        }
        Ok(())
    })
}

/// Filters reserve more memory than they use.
fn filters() -> Result<(), Failed> {
    let text = "
        entry quarters [n] (xs: [n]f64): ([]f64, []f64, []f64, []f64) =
          ( filter (< 16384) xs
          , filter (\\x -> x >= 16384 && x < 32768) xs
          , filter (\\x -> x >= 32768 && x < 49152) xs
          , filter (>= 49152) xs )

        entry repeated [n] (xs: [n]f64): ?[m].[m]f64 = flatmap (\\x -> map (\\i -> x + f64.i64 i) (iota 40)) xs
    ";
    with(text, |session| {
        for (entry, count, outputs) in [("quarters", 8 << 20, 4), ("repeated", 1 << 18, 1)] {
            let results = session.call(entry, &[floats(count, 7)], &[FLOATS; 4][..outputs]);
            let results = results.map_err(|error| error.to_string())?;
            let sizes: Vec<_> = results.iter().map(bytes).collect();
            let (peak, used) = (session.stats().bytes_peak, sizes.iter().sum::<usize>());
            if usize::try_from(peak)? > used + MORE || sizes.iter().any(|&bytes| bytes < 1 << 20) {
                return Err(
                    format!("{entry}: {peak} bytes at once for results of {sizes:?}").into()
                );
            }
        }
        Ok(())
    })
}

/// Repeated appends to an array that is not shared make few arrays.
fn grows() -> Result<(), Failed> {
    let text = "
        entry repeated (k: i64): *[]i64 = loop a = [] for i < k do a ++ [i]

        def more (i: i64) (k: i64) (a: *[]i64): *[]i64 = if i == k then a else more (i + 1) k (a ++ [i])

        entry recursive (k: i64): *[]i64 = more 0 k []
    ";
    with(text, |session| {
        // A recursion takes the stack; a loop does not.
        for (entry, deepest) in [("repeated", 1_000_000), ("recursive", 1000)] {
            for (k, most) in [(0_i64, 1), (1, 1), (10, 3), (1000, 10), (deepest, 20)] {
                let result = session.call(entry, &[Value::from(k)], &[INTS]);
                let result = result.map_err(|error| error.to_string())?;
                let stats = session.stats();
                let expected = Value::from((0..k).collect::<Vec<_>>());
                if result != [expected] || stats.call_allocations > most {
                    let made = stats.call_allocations;
                    return Err(format!("{entry} of {k} elements makes {made} arrays").into());
                }
                if usize::try_from(stats.bytes_peak)? > bytes(&result[0]) + MORE {
                    return Err(format!("{entry} of {k} takes {} bytes", stats.bytes_peak).into());
                }
            }
        }
        Ok(())
    })
}

/// All appended parts make one array.
fn appends() -> Result<(), Failed> {
    let text = "entry five [n] (a: [n]i64): ?[m].[m]i64 = a ++ a ++ a ++ a ++ a";
    with(text, |session| {
        let found = session.call("five", &[ints(3)], &[INTS]).map_err(|error| error.to_string())?;
        let made = session.stats().call_allocations;
        if bytes(&found[0]) != 5 * 3 * 8 || made != 1 {
            return Err(format!("{made} arrays for {found:?}").into());
        }
        Ok(())
    })
}

/// However many rows a matrix has, it is made once.
fn matrices() -> Result<(), Failed> {
    let text = "
        entry table (n: i64): *[n][n]i64 = tabulate_2d n n (\\i j -> i * 10 + j)
    ";
    with(text, |session| {
        let matrix = ValueType::Array { scalar: Scalar::I64, rank: 2 };
        for n in [0_i64, 1, 2, 50] {
            let result = session.call("table", &[Value::from(n)], &[matrix]);
            result.map_err(|error| error.to_string())?;
            let found = session.stats().call_allocations;
            if found != 1 {
                return Err(format!("{found} arrays for one of {n} rows").into());
            }
        }
        Ok(())
    })
}

/// Threads have bins of their own, which count under a limit, are made where there is room, and are gone when the call ends.
fn bins() -> Result<(), Failed> {
    const BINS: i64 = 10_000;
    const OF_ONE: usize = 8 * BINS.cast_unsigned() as usize;
    let text = "
        entry counted [n] (k: i64) (xs: [n]i64): *[k]i64 =
          loop bins = replicate k 0 for x in xs do bins with [x] = bins[x] + 1
    ";
    with_library(text, |library| {
        let call = |threads: usize, limit: usize, inputs: &[Value]| -> Result<_, Failed> {
            let memory_limit = (limit > 0).then_some(limit);
            let options =
                SessionOptions { memory_limit, threads, grain: 1, ..SessionOptions::default() };
            let session = Session::new(library, &options).map_err(|error| error.to_string())?;
            let result = session.call("counted", inputs, &[INTS]);
            let stats = session.stats();
            Ok((result.map_err(|error| error.to_string()), stats))
        };
        let inputs = [Value::from(BINS), ints(200_000)];
        let (alone, stats) = call(1, 0, &inputs)?;
        if alone.is_err() || stats.parallel_passes != 0 || peak(&stats) > OF_ONE + 1000 {
            return Err(format!("{alone:?} in one thread, with {stats:?}").into());
        }
        for (limit, sets) in [(0, 2..=3), (OF_ONE + 1000, 1..=1), (2 * OF_ONE + 2000, 2..=2)] {
            let (together, stats) = call(2, limit, &inputs)?;
            let taken = peak(&stats) / OF_ONE;
            if together != alone || stats.parallel_passes == 0 || !sets.contains(&taken) {
                return Err(format!("{taken} sets of bins with {limit} bytes: {stats:?}").into());
            }
        }
        // Too many bins for the steps: no thread has its own.
        let (_, stats) = call(2, 0, &[Value::from(BINS), ints(50_000)])?;
        if stats.parallel_passes > 1 || peak(&stats) > OF_ONE + 1000 {
            return Err(format!("bins for few steps: {stats:?}").into());
        }
        let (failed, stats) = call(2, 0, &[Value::from(1_000_i64), ints(100_000)])?;
        if failed.is_ok() || stats.bytes_live > 0 {
            return Err(format!("{failed:?} leaves {stats:?}").into());
        }
        Ok(())
    })
}

/// Passes that are tasks make as many arrays as in one thread, use several threads only for much work, and keep to a limit of
/// memory together.
fn tasks() -> Result<(), Failed> {
    let text = "
        entry both [n] [m] (xs: [n]i64) (ys: [m]i64): ([n]i64, [m]i64) =
          (scan (\\a x -> a * 3 + x) 0 xs, scan (\\a y -> a * 5 + y) 0 ys)
    ";
    with_library(text, |library| {
        let call = |threads: usize, grain: u64, limit: usize, lengths: [i64; 2]| {
            let memory_limit = (limit > 0).then_some(limit);
            let options =
                SessionOptions { memory_limit, threads, grain, ..SessionOptions::default() };
            let session = Session::new(library, &options).map_err(|error| error.to_string())?;
            let result = session.call("both", &lengths.map(ints), &[INTS, INTS]);
            let live = session.stats().bytes_live;
            let is_left = result.is_err() && live > 0;
            if is_left || session.stats().call_allocations > 2 {
                return Err(format!("{:?}", session.stats()));
            }
            Ok((result.ok(), session.stats().parallel_passes))
        };
        let expected = call(1, 0, 0, [3_000, 2_000])?;
        let limited = 8 * 5_000 + 1_000;
        // The threads, the least work, the limit and the lengths; whether there is memory, and the groups of tasks.
        let cases = [
            (2, 1, 0, [3_000, 2_000], true, 1),
            (3, 1, limited, [3_000, 2_000], true, 1),
            (2, 1, limited, [3_000, 3_000], false, 1),
            (2, 0, 0, [3_000, 2_000], true, 0),
            (2, 100_000, 0, [1_000_000, 2_000], true, 0),
            (2, 100_000, 0, [1_000_000, 1_000_000], true, 1),
        ];
        for (threads, grain, limit, lengths, is_enough, groups) in cases {
            let (result, passes) = call(threads, grain, limit, lengths)?;
            let is_same = lengths != [3_000, 2_000] || result == expected.0;
            if result.is_some() != is_enough || passes != groups || !is_same {
                return Err(format!("{passes} groups of {lengths:?} on {threads} threads").into());
            }
        }
        Ok(())
    })
}

fn peak(stats: &Stats) -> usize {
    usize::try_from(stats.bytes_peak).unwrap_or(usize::MAX)
}
