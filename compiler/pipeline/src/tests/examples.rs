//! The examples, from text to loop nests: both interpreters agree on them under every strategy.

use crate as pipeline;
use crate::Options;
use arr_abi::ErrorCode;
use arrc_front::eval::run_error::RunError;
use arrc_front::load::NoFiles;
use arrc_fusion::clusters::{Method, Strategy};
use arrc_fusion::eval;
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::testing::ints;
use arrc_loops::concrete::eval as nests;
use arrc_syntax::ids::FileId;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Sources;

/// What the first entry of the program gives, by its meaning and under every strategy.
fn run(text: &str, args: &[Value]) -> Result<Vec<Value>, RunError> {
    let load = || {
        let mut sources = Sources::default();
        let file: FileId = sources.add("example.arr", text);
        (sources, file)
    };
    let (mut sources, file) = load();
    let meaning =
        pipeline::normal_form(&mut sources, file, &NoFiles).expect("an example has no errors");
    let meant = eval::cnf::run(&meaning, meaning.entries[0].function, args.to_vec());
    for strategy in Strategy::ALL {
        let (mut sources, file) = load();
        let method = Method { strategy, ..Method::default() };
        let options = Options { method, ..Options::default() };
        let compiled =
            pipeline::compile(&mut sources, file, &NoFiles, &options).expect("no errors again");
        let entry = compiled.program.entries[0].function;
        let found = nests::run(&compiled.program, entry, args.to_vec());
        assert_eq!(found, meant, "{strategy:?} gives what is meant");
        if let Err(error) = found {
            let codes = compiled.program.error_codes(entry);
            assert!(codes.contains(&error.code), "{error:?} is not among {codes:?}");
        }
    }
    meant
}

fn floats(elems: impl IntoIterator<Item = f64>) -> Value {
    let elems = elems.into_iter().map(|elem| Const::float(Scalar::F64, elem));
    Value::array(Scalar::F64, elems.collect::<Vec<_>>())
}

/// Points without an obvious order, with some twice.
fn points(count: u32) -> [Value; 2] {
    [17, 29].map(|step| floats((0..count).map(|index| f64::from(index * step % 23))))
}

#[test]
fn filter_max_and_normalize2() {
    let filter_max = include_str!("../../../../examples/filter_max.arr");
    let found = run(filter_max, &[ints(&[3, -4, -1, 5, 0])]);
    let mx = Value::Scalar(Const::i64(6));
    assert_eq!(found, Ok(vec![ints(&[4, 6, 1]), mx]));
    let normalize2 = include_str!("../../../../examples/normalize2.arr");
    let found = run(normalize2, &[ints(&[-3, 10, 4])]);
    assert_eq!(found, Ok(vec![ints(&[-1, 0, 0]), ints(&[-1, 0, 0])]));
    assert!(run(normalize2, &[ints(&[-3, 3])]).is_err(), "the first sum is zero");
}

#[test]
fn the_hull_of_points() {
    let quickhull = include_str!("../../../../examples/quickhull.arr");
    for count in [0, 1, 2, 3, 40] {
        run(quickhull, &points(count)).expect("every set of points has a hull");
    }
}

#[test]
fn the_closest_of_points() {
    let closest = include_str!("../../../../examples/closest_points.arr");
    for count in [0, 1, 2, 20, 150] {
        run(closest, &points(count)).expect("every set of points has a distance");
    }
}

#[test]
fn the_quadtree_of_points() {
    let quadtree = include_str!("../../../../examples/quadtree.arr");
    for (count, capacity) in [(0, 1), (1, 1), (50, 4)] {
        let [xs, ys] = points(count);
        let args = [xs, ys, Value::Scalar(Const::i64(capacity))];
        run(quadtree, &args).expect("every set of points has a tree");
    }
}

/// Whatever a program fails with is among the codes of its checks, wherever the check is.
#[test]
fn failures_are_among_the_codes() {
    let xs = || ints(&[3, 0, -2]);
    for (text, code) in [
        ("entry f [n] (xs: [n]i64): i64 = xs[xs[2]]", ErrorCode::Index),
        ("entry f [n] (xs: [n]i64): [n]i64 = map (\\x -> xs[x]) xs", ErrorCode::Index),
        ("entry f [n] (xs: [n]i64): [n]i64 = xs with [xs[0]] = 1", ErrorCode::Index),
        ("entry f [n] (xs: [n]i64): i64 = if n > 2 then n / xs[1] else 0", ErrorCode::Division),
        (
            "entry f [n] (xs: [n]i64): i64 = reduce (+) 0 (map (\\x -> 6 % x) xs)",
            ErrorCode::Division,
        ),
        ("entry f [n] (xs: [n]i64): i64 = loop y = 0 for x in xs do y + 2 ** x", ErrorCode::Power),
        ("entry f [n] (xs: [n]i64): i64 = i64.sum (iota xs[2])", ErrorCode::Size),
        ("entry f [n] (xs: [n]i64): i64 = i64.sum xs[1:n + 1]", ErrorCode::Slice),
        ("entry f [n] (xs: [n]i64): i64 = i64.sum (xs[0]..xs[1]..<xs[2])", ErrorCode::Range),
        ("entry f [n] (xs: [n]i64): [2]i64 = xs :> [2]i64", ErrorCode::Coercion),
        ("entry f [n] (xs: [n]i64): i64 = assert (n == 2) n", ErrorCode::Assertion),
        (
            "def g (x: i64): i64 = if x > 9 then x else 7 / (x - 5) + g (x + 1)
             entry f [n] (xs: [n]i64): i64 = g xs[0]",
            ErrorCode::Division,
        ),
    ] {
        let error = run(text, &[xs()]).expect_err(text);
        assert_eq!(error.code, code, "{text}");
    }
}
