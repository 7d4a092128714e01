//! Histograms of many bins, whose changes several threads list by parts of the bins before they make them.
//!
//! Invariant: results and messages are those of one thread. The memory tells whether there were lists.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use arr_runtime::host::{Library, Scalar, Session, SessionOptions, Stats, Value, ValueType};
use libtest_mimic::{Failed, Trial};

use crate::memory::with_library;

/// The bytes of the bins: enough for lists.
const BYTES: i64 = 12 << 20;
/// The trip count of a pass. It is not a multiple of the slice's size, so the last slice is shorter.
const STEPS: i64 = 800_003;

const PROGRAM: &str = "
    def key (k: i64) (i: i64): i64 = (i * 2654435761 + 12345) % k

    entry sums (n: i64) (k: i64): [k]i64 = hist (+) 0 k (map (key k) (iota n)) (map (\\i -> i * i) (iota n))

    entry kept (n: i64) (k: i64): [k]i32 =
      let kept = filter (\\i -> i * i % 7 < 3) (iota n)
      in reduce_by_index (map i32.i64 (iota k)) (*) 1 (map (\\i -> key k i - 1) kept) (map (\\i -> i32.i64 i + 3) kept)

    entry bytes (n: i64) (k: i64): [k]u8 = hist (^) 0 k (map (key k) (iota n)) (map u8.i64 (iota n))

    entry flags (n: i64) (k: i64): [k]bool = hist (||) false k (map (key k) (iota n)) (map (\\i -> i * i % 1009 < 200) (iota n))

    entry masks (n: i64) (k: i64): [k]u16 = hist (&) u16.highest k (map (key k) (iota n)) (map (\\i -> u16.i64 i | 512) (iota n))

    entry least (n: i64) (k: i64): [k]i32 = hist i32.min i32.highest k (map (key k) (iota n)) (map (\\i -> i32.i64 (9 - i)) (iota n))

    entry pairs [n] (k: i64) (keys: [n]i32) (values: [n]i32): [k]i32 = hist (+) 0 k (map i64.i32 keys) values

    entry near (n: i64) (k: i64): [k]i64 = hist (+) 0 k (map (/ 2) (iota n)) (iota n)

    entry counted (n: i64) (k: i64) (first: i64) (second: i64): [k]i64 =
      loop sizes = replicate k 0 for i in iota n do
        let g = if i == first || i == second then k + i else key k i
        in sizes with [g] = sizes[g] + 1

    entry divided (n: i64) (k: i64) (zero: i64): [k]i64 =
      hist (+) 0 k (map (\\i -> key k (i / (if i == zero then 0 else 1))) (iota n)) (iota n)
";

/// The tests.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("partition::results", results),
        Trial::test("partition::copies", copies),
        Trial::test("partition::failures", failures),
        Trial::test("partition::memory", memory),
        Trial::test("partition::cancelled", cancelled),
    ]
}

/// Calls a function on some threads, with a limit of memory if that is not 0.
fn call(
    library: &Library,
    (threads, limit): (usize, usize),
    (entry, scalar): (&str, Scalar),
    inputs: &[Value],
) -> Result<(Result<Vec<Value>, String>, Stats), Failed> {
    let memory_limit = (limit > 0).then_some(limit);
    let options = SessionOptions { memory_limit, threads, ..SessionOptions::default() };
    let session = Session::new(library, &options).map_err(|error| error.to_string())?;
    let result = session.call(entry, inputs, &[ValueType::Array { scalar, rank: 1 }]);
    Ok((result.map_err(|error| error.to_string()), session.stats()))
}

/// Types and operations of bins, behind filters too, and keys outside. Changes near each other are not listed.
fn results() -> Result<(), Failed> {
    with_library(PROGRAM, |library| {
        for (entry, scalar, width, steps) in [
            ("sums", Scalar::I64, 8, STEPS),
            ("sums", Scalar::I64, 8, 9_000_001),
            ("kept", Scalar::I32, 4, STEPS),
            ("bytes", Scalar::U8, 1, 4 * STEPS),
            ("flags", Scalar::Bool, 1, 4 * STEPS),
            ("masks", Scalar::U16, 2, 2 * STEPS),
            ("least", Scalar::I32, 4, STEPS),
            ("near", Scalar::I64, 8, STEPS),
        ] {
            let inputs = [steps, BYTES / width + 1].map(Value::from);
            let lists = u64::try_from(steps.min(1 << 22) * (4 + width))?;
            let listed = if entry == "near" { 0 } else { lists };
            same(library, (entry, scalar), &inputs, listed)?;
        }
        let narrow = |factor: i32| {
            (0..820_000).map(move |at: i32| at.wrapping_mul(factor)).collect::<Vec<_>>()
        };
        let keys: Vec<_> = narrow(40_503).into_iter().map(|key| key % 3_145_800).collect();
        let inputs = [Value::from(BYTES / 4 + 1), Value::from(keys), Value::from(narrow(77))];
        same(library, ("pairs", Scalar::I32), &inputs, 8 * 820_000)
    })
}

/// Each thread has a copy of the bins, if they take at most 4 MiB and the thread has at least six steps for each bin.
fn copies() -> Result<(), Failed> {
    with_library(PROGRAM, |library| {
        for (entry, scalar, bins) in [
            ("sums", Scalar::I64, 1 << 18),
            ("sums", Scalar::I64, 1 << 19),
            ("kept", Scalar::I32, 300_000),
            ("masks", Scalar::U16, 700_000),
        ] {
            let inputs = [13 * bins + 5, bins].map(Value::from);
            let (alone, _) = call(library, (1, 0), (entry, scalar), &inputs)?;
            for threads in [2, 3, 7] {
                let (together, stats) = call(library, (threads, 0), (entry, scalar), &inputs)?;
                if together != alone || together.is_err() {
                    return Err(format!("{entry} on {threads} threads: {stats:?}").into());
                }
            }
        }
        Ok(())
    })
}

/// Checks that several threads give the results of one thread, and that their lists take at least `lists` bytes. If `lists` is 0, there
/// are no lists.
fn same(
    library: &Library,
    entry: (&str, Scalar),
    inputs: &[Value],
    lists: u64,
) -> Result<(), Failed> {
    let (alone, of_one) = call(library, (1, 0), entry, inputs)?;
    if alone.is_err() {
        return Err(format!("{entry:?}: {:?}", alone.err()).into());
    }
    for threads in [2, 3, 7] {
        let (together, stats) = call(library, (threads, 0), entry, inputs)?;
        let more = stats.bytes_peak - of_one.bytes_peak;
        if together != alone || more < lists || (lists == 0) != (more == 0) {
            return Err(format!("{entry:?} on {threads} threads: {stats:?}").into());
        }
    }
    Ok(())
}

/// The first failure by position is told, whichever thread finds it, and nothing stays.
fn failures() -> Result<(), Failed> {
    with_library(PROGRAM, |library| {
        let bins = BYTES / 8 + 1;
        for (entry, at, text) in [
            ("counted", &[790_000, 150_000][..], "index 1722865 is out of bounds"),
            ("counted", &[STEPS - 1, 700_000], "index 2272865 is out of bounds"),
            ("divided", &[STEPS - 1], "division by zero"),
            ("divided", &[5], "division by zero"),
        ] {
            let inputs: Vec<_> =
                [STEPS, bins].iter().chain(at).map(|&input| Value::from(input)).collect();
            for threads in [1, 2, 7] {
                let (result, stats) = call(library, (threads, 0), (entry, Scalar::I64), &inputs)?;
                if !matches!(&result, Err(told) if told.contains(text)) || stats.bytes_live > 0 {
                    let told = result.err();
                    return Err(format!("{entry} on {threads} threads: {told:?}, {stats:?}").into());
                }
            }
        }
        Ok(())
    })
}

/// Lists count under a limit, and without room for them one thread changes the bins directly.
fn memory() -> Result<(), Failed> {
    const ROOM: usize = 1 << 20;
    with_library(PROGRAM, |library| {
        let inputs = [STEPS, BYTES / 8 + 1].map(Value::from);
        let bins = usize::try_from(BYTES)?;
        let lists = 12 * usize::try_from(STEPS)?;
        let (alone, _) = call(library, (1, 0), ("sums", Scalar::I64), &inputs)?;
        for (limit, least, most) in
            [(0, bins + lists, bins + lists + ROOM), (bins + ROOM, bins, bins + ROOM)]
        {
            let (result, stats) = call(library, (2, limit), ("sums", Scalar::I64), &inputs)?;
            let peak = usize::try_from(stats.bytes_peak)?;
            if result != alone || !(least..=most).contains(&peak) {
                return Err(format!("a limit of {limit}: {stats:?}").into());
            }
        }
        Ok(())
    })
}

/// A long call ends when it is cancelled, while threads list changes or make them, and nothing stays.
fn cancelled() -> Result<(), Failed> {
    with_library(PROGRAM, |library| {
        let inputs = [200 * STEPS, BYTES / 8 + 1].map(Value::from);
        for (threads, after) in [(2, 1), (2, 15), (2, 40), (7, 25)] {
            let options = SessionOptions { threads, ..SessionOptions::default() };
            let session = Session::new(library, &options).map_err(|error| error.to_string())?;
            let canceller = session.canceller();
            let (is_done, done) = (&AtomicBool::new(false), Ordering::Relaxed);
            let result = thread::scope(|scope| {
                scope.spawn(move || {
                    thread::sleep(Duration::from_millis(after));
                    while !is_done.load(done) {
                        canceller.cancel();
                        thread::sleep(Duration::from_millis(1));
                    }
                });
                let sums = ValueType::Array { scalar: Scalar::I64, rank: 1 };
                let result =
                    session.call("sums", &inputs, &[sums]).map_err(|error| error.to_string());
                is_done.store(true, done);
                result
            });
            if !matches!(&result, Err(told) if told.contains("cancelled")) {
                return Err(
                    format!("{threads} threads after {after} ms: {:?}", result.err()).into()
                );
            }
            if session.stats().bytes_live > 0 {
                return Err(format!("{:?} stay", session.stats()).into());
            }
        }
        Ok(())
    })
}
