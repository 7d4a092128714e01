//! Random matrices whose elements are folds: compiled code at every strategy gives the results of the reference
//! interpreter, also where the loops run in tiles, folds in spans, and rows in blocks.
//!
//! Invariant: a program is well-typed, and no index is out of bounds. Floats are integers small enough that no sum is
//! rounded, so that a reduction gives the same bits in each order.

use arr_runtime::host::{Library, Session, SessionOptions, Value};
use arrc::interpret;
use arrc_front::eval::core as core_eval;
use arrc_front::eval::core::Component;
use arrc_fusion::clusters::Strategy;
use arrc_syntax::prim::{Const, Scalar};
use libtest_mimic::Failed;

use super::check::{compile, entry, library, outputs, same, shown};
use super::in_batches;

/// The types of elements.
const ELEMS: [&str; 6] = ["i64", "f64", "i32", "f32", "i16", "u8"];

/// Arguments have extents around the rows and columns of a tile, and around the 256 turns of a span and rows of a block: `n`, `k`, `m`.
const EXTENTS: [[usize; 3]; 8] = [
    [1, 1, 1],
    [7, 0, 33],
    [8, 17, 16],
    [9, 256, 37],
    [17, 257, 15],
    [11, 300, 40],
    [9, 600, 40],
    [300, 3, 19],
];

/// Random programs under a strategy at a level.
pub(super) fn agree(strategy: &str, level: u8) -> Result<(), Failed> {
    in_batches(8, 30..40, |recipes| check(recipes, strategy, level))
}

fn check(recipes: &[Vec<u16>], strategy: &str, level: u8) -> Result<(), Failed> {
    let programs = recipes.iter().enumerate().map(|(at, recipe)| {
        let mut writer = Writer { elem: ELEMS[0], numbers: recipe, at: 0 };
        (format!("tile{at}"), *writer.pick(&EXTENTS), writer.entry(at))
    });
    let programs = programs.collect::<Vec<_>>();
    let text: String = programs.iter().map(|(_, _, program)| program.as_str()).collect();
    let core = compile(&text, Strategy::None)?.core;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("tiles.arr");
    std::fs::write(&path, &text)?;
    let library = library(&path, strategy, level, folder.path());
    let library = library
        .map_err(|why| format!("{}\nin\n{text}", why.message().unwrap_or("it does not compile")))?;
    let library = Library::open(&library).map_err(|error| error.to_string())?;
    let session = Session::new(&library, &SessionOptions::default());
    let session = session.map_err(|error| error.to_string())?;
    for (name, extents, program) in &programs {
        let args = arguments(&core, name, *extents);
        let expected = core_eval::run(&core, entry(&core, name), &args);
        let expected = expected.map_err(|error| format!("{error}\nin\n{program}"))?;
        let args: Vec<Value> = args.into_iter().map(interpret::from_component).collect();
        let found = session.call(name, &args, &outputs(&core, name));
        let found = found.map_err(|error| format!("{}\nin\n{program}", error.message))?;
        let found: Vec<_> = found.iter().map(interpret::to_component).collect();
        if !same(&found, &expected) {
            let (found, expected) = (shown(&found), shown(&expected));
            return Err(format!("{found}\nnot {expected}\nfor {extents:?}, in\n{program}").into());
        }
    }
    Ok(())
}

/// The arguments of an entry: matrices of the numbers 0 to 3.
fn arguments(
    core: &arrc_front::core::Program,
    name: &str,
    [n, k, m]: [usize; 3],
) -> Vec<Component> {
    let (inputs, _) = core_eval::signature(core, entry(core, name));
    let matrix = |(elem, [rows, columns]): (Scalar, [usize; 2])| {
        let number = |at: usize| u8::try_from((at * 7 + at / 5) % 11 % 4).expect("at most 3");
        let scalar = |at| match elem.is_float() {
            true => Const::float(elem, f64::from(number(at))),
            false => Const::int(elem, i128::from(number(at))),
        };
        let data = (0..rows * columns).map(scalar).collect();
        let shape = [rows, columns].map(|extent| i64::try_from(extent).expect("a short array"));
        Component { elem, shape: shape.to_vec(), data }
    };
    let shapes = [[n, k], [k, m], [n, m]];
    inputs.iter().map(|input| input.elem).zip(shapes).map(matrix).collect()
}

/// Writes a program from numbers.
struct Writer<'n> {
    elem: &'static str,
    numbers: &'n [u16],
    at: usize,
}

impl Writer<'_> {
    /// One of the choices; the first one when there are no more numbers.
    fn pick<'c, T>(&mut self, choices: &'c [T]) -> &'c T {
        let number = self.numbers.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        &choices[usize::from(number) % choices.len()]
    }

    /// A choice of texts, in which `T` is the type of elements.
    fn text(&mut self, choices: &[&str]) -> String {
        self.pick(choices).replace('T', self.elem)
    }

    fn entry(&mut self, at: usize) -> String {
        self.elem = *self.pick(&ELEMS);
        let fold = self.fold();
        let element = self.text(&[
            "F",
            "F",
            "F + c[i, j]",
            "c[i, j] - F",
            "T.max c[i, j] F",
            "2 * F",
            "F + T.i64 (i + j & 3)",
        ]);
        let element = element.replace('F', &fold);
        let matrix = self.text(&[
            "map2 (\\row i -> tabulate m (\\j -> E)) a (iota n)",
            "tabulate_2d n m (\\i j -> let row = a[i] in E)",
            "map2 (\\r i -> let row = map (+ 1) r in tabulate m (\\j -> E)) a (iota n)",
        ]);
        let matrix = matrix.replace('E', &element);
        let elem = self.elem;
        format!(
            "entry tile{at} [n] [k] [m] (a: [n][k]{elem}) (b: [k][m]{elem}) (c: [n][m]{elem}): [n][m]{elem} =\n  {matrix}\n"
        )
    }

    /// An element: a fold of a row of `a` and column `j` of `b`, in parentheses.
    fn fold(&mut self) -> String {
        let row = self.row();
        let fold = self.text(&[
            "(T.sum R)",
            "(reduce T.max 0 R)",
            "(fold (\\s v -> T.min (s + v) 90) 0 R)",
            "(fold (\\s v -> if v > s then v else s - v) 1 R)",
            "(T.i64 (count (> 1) R))",
            "(T.sum (filter (> 1) R))",
            "(let v = R in T.sum v - reduce T.max 0 v)",
            "(loop s = 1 for l < k do T.max (row[l] - s) b[l, j])",
            // Folds with a second accumulator.
            "(reduce T.max 0 (scan (+) 0 R))",
            "(T.sum (scan (+) 0 R))",
            "(T.i64 (i64.sum (map i64.i32 (scan (+) 0 (map i32.T R)))))",
            "(fold (\\(s, c) v -> (T.max s c + v, T.min c v)) (0, 1) R).0",
            "(fold (\\(s, c) v -> (T.max s c + v, T.min c v)) (0, 1) R).1",
            "(fold (\\(s, p) (v, l) -> if v > s then (v, l) else (s, p)) (0, 0) (zip R (iota k))).0",
            "(T.i64 ((fold (\\(s, p) (v, l) -> if v > s then (v, l) else (s, p)) (0, 0) (zip R (iota k))).1 & 7))",
        ]);
        fold.replace('R', &row)
    }

    /// An array of `k` elements, in parentheses.
    fn row(&mut self) -> String {
        let elements = [
            "row[l] * b[l, j]",
            "row[l] * b[l, j]",
            "row[l] + b[l, j]",
            "T.max row[l] b[l, j]",
            "row[l]",
            "b[l, j]",
            "row[l] * b[l, j] + a[0, l]",
            "row[l] - b[l, j]",
        ];
        let element = self.text(&elements);
        let row = self.text(&[
            "(tabulate k (\\l -> X))",
            "(tabulate k (\\l -> X))",
            "(map (\\l -> X) (iota k))",
        ]);
        row.replace('X', &element)
    }
}
