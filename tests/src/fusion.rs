//! The tables of fusion in `docs/src/fusion.md`: how many passes each producer takes with each consumer, and how many each function
//! of the library takes.
//!
//! Invariant: the tables show the compiler's results for the programs below; with `BLESS` they are written anew.

use std::fmt::Write as _;
use std::fs;

use arrc_front::load::NoFiles;
use arrc_pipeline as pipeline;
use arrc_pipeline::{Options, Plan};
use arrc_syntax::source::Sources;
use libtest_mimic::{Failed, Trial};

use crate::tools::{project, read};

/// Producers: the text in the table, and the array.
const PRODUCERS: [(&str, &str); 30] = [
    ("`map`", "map f xs"),
    ("`map` with a loop in its step", "map (\\x -> i64.sum (map (* x) zs)) xs"),
    ("`filter`", "filter p xs"),
    ("`flatmap`", "flatmap (\\x -> map (* x) (iota (x % 4))) xs"),
    ("`scan`", "scan (+) 0 xs"),
    ("`exscan`", "exscan (+) 0 xs"),
    ("`segmented_scan`", "segmented_scan (+) 0 (map p xs) xs"),
    ("`segmented_exscan`", "segmented_exscan (+) 0 (map p xs) xs"),
    ("`segmented_reduce`", "segmented_reduce (+) 0 (map p xs) xs"),
    ("`combine`", "combine (map p xs) (map f (filter p xs)) (filter (\\x -> !(p x)) xs)"),
    ("`zip`", "let ys = filter p xs in map (\\(x, y) -> x * y) (zip ys (map f ys))"),
    ("`indexed`", "map (\\(i, x) -> i * x) (indexed (filter p xs))"),
    ("`take`", "take k (filter p xs)"),
    ("`drop`", "drop k (filter p xs)"),
    ("`tail`", "tail (filter p xs)"),
    ("`init`", "init (filter p xs)"),
    ("`[i:j]`", "(filter p xs)[k:2 * k]"),
    ("`[::2]`", "(filter p xs)[::2]"),
    ("`generate`", "generate k f"),
    ("`gather`", "gather zs (map f xs)"),
    ("`cross`", "map (\\(x, y) -> x * y) (cross xs zs)"),
    ("`reverse`", "reverse (map f xs)"),
    ("`reverse` of a `filter`", "reverse (filter p xs)"),
    ("`sort`", "sort (<=) (map f xs)"),
    ("`unique`", "unique (==) (map f xs)"),
    (
        "`run_lengths`",
        "let (firsts, counts) = run_lengths (==) (map f xs) in map2 (*) firsts counts",
    ),
    (
        "reduced groups",
        "let (begins, groups) = group_collect 9 (% 9) f xs \
         in generate 9 (\\g -> i64.sum groups[begins[g]:begins[g + 1]])",
    ),
    ("`++`", "map f xs ++ filter p zs"),
    ("`if`", "if c then map f xs else filter p xs"),
    ("`match`", "match k case 0 -> map f xs case 1 -> [] case _ -> filter p xs"),
];

/// Consumers: the text in the table, and the result for an array `a`.
const CONSUMERS: [(&str, &str); 15] = [
    ("`map`", "i64.product (map (+ 1) a)"),
    ("`filter`", "i64.sum (filter (> 7) a)"),
    ("`flatmap`", "i64.sum (flatmap (\\x -> iota (x % 3)) a)"),
    ("`reduce`", "reduce (+) 0 a"),
    ("`fold`", "fold (\\s x -> 3 * s + x) 0 a"),
    ("`scan`", "reduce i64.max 0 (scan (+) 0 a)"),
    ("positions", "fold_index (\\s i x -> s + i * x) 0 a"),
    ("`length`", "length a + i64.sum a"),
    ("`head`", "head a"),
    ("`last`", "last a"),
    ("`argmax`", "argmax (<=) a"),
    ("`hist`", "let h: [4]i64 = hist (+) 0 4 a (map (* 2) a) in h"),
    (
        "`reduce_by_index`",
        "let h: [4]i64 = reduce_by_index [1, 2, 3, 4] (+) 0 a (map (* 2) a) in h",
    ),
    ("`scatter`", "let h: [4]i64 = scatter [1, 2, 3, 4] a (map (* 2) a) in h"),
    ("`++`", "i64.sum (a ++ zs)"),
];

/// Functions of the library: the module, the text in the table, and the call.
const LIBRARY: [(&str, &str, &str); 31] = [
    ("random", "`uniforms`", "uniforms (key k) k"),
    ("random", "`normals`", "normals (key k) k"),
    ("random", "`exponentials`", "exponentials (key k) k"),
    ("random", "`integers`", "integers (key k) 1 6 k"),
    ("random", "sum of `normals`", "f64.sum (normals (key k) k)"),
    ("random", "`shuffle`", "shuffle (key k) us"),
    ("linalg", "`dot`", "dot us vs"),
    ("linalg", "`norm`", "norm us"),
    ("linalg", "`norm_1`", "norm_1 us"),
    ("linalg", "`norm_inf`", "norm_inf us"),
    ("linalg", "`axpy`", "axpy 2 us vs"),
    ("linalg", "`norm` of `axpy`", "norm (axpy 2 us vs)"),
    ("linalg", "`outer`", "outer us vs"),
    ("linalg", "`trace`", "trace a"),
    ("linalg", "`matvec`", "matvec a us"),
    ("linalg", "`norm` of `matvec`", "norm (matvec a us)"),
    ("linalg", "`mul`", "mul a b"),
    ("linalg", "`mul_nt`", "mul_nt a b"),
    ("linalg", "`mul_tn`", "mul_tn a b"),
    ("sparse", "`of_coo`", "of_coo k ps qs ws"),
    ("sparse", "`of_dense`", "of_dense a"),
    ("sparse", "`matvec`", "matvec {offsets = os, columns = qs, values = ws} us"),
    ("sparse", "`matmul`", "matmul {offsets = os, columns = qs, values = ws} a"),
    ("sparse", "`transpose`", "transpose k {offsets = os, columns = qs, values = ws}"),
    ("groups", "`counts_by`", "counts_by (.0) (<=) (zip ps ws)"),
    ("groups", "`sums_by`", "sums_by (.0) (<=) (.1) (zip ps ws)"),
    ("groups", "`means_by`", "means_by (.0) (<=) (.1) (zip ps ws)"),
    ("groups", "`reduce_by`", "reduce_by (.0) (<=) (.1) f64.max 0 (zip ps ws)"),
    ("statistics", "`mean`", "mean us"),
    ("statistics", "`variance`", "variance us"),
    ("statistics", "`median`", "median us"),
];

/// What makes a table.
type Make = fn() -> Result<String, Failed>;

/// For each table, the line before it, and what makes it. The same line stands behind each.
const TABLES: [(&str, Make); 2] = [
    ("<!-- made by `scripts/bless docs::fusion` -->\n", combinators),
    ("<!-- functions of the library, made by `scripts/bless docs::fusion` -->\n", library),
];
const END: &str = "\n<!-- end -->";

/// The trial of the tables.
pub fn trial() -> Trial {
    Trial::test("docs::fusion.md: the tables", tables_as_made)
}

fn tables_as_made() -> Result<(), Failed> {
    let path = project().join("docs/src/fusion.md");
    let page = read(&path)?;
    let mut new = page.clone();
    for (begin, make) in TABLES {
        let (before, rest) = new.split_once(begin).ok_or("the page has a table")?;
        let (_, after) = rest.split_once(END).ok_or("the table has an end")?;
        new = format!("{before}{begin}{}{END}{after}", make()?);
    }
    if new == page {
        return Ok(());
    }
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, new)?;
        return Ok(());
    }
    Err(format!("scripts/bless docs::fusion makes of the page\n{new}").into())
}

fn combinators() -> Result<String, Failed> {
    let heads: Vec<&str> = CONSUMERS.iter().map(|(head, _)| *head).collect();
    let lines = "---|".repeat(CONSUMERS.len());
    let mut table = format!("| | {} |\n|---|{lines}\n", heads.join(" | "));
    for (producer, array) in PRODUCERS {
        let cells = CONSUMERS.map(|(_, result)| {
            cell(&format!(
                "def f (x: i64): i64 = 3 * x + 1\ndef p (x: i64): bool = x % 3 == 0\n\
                 entry main [n] [m] (c: bool) (k: i64) (xs: [n]i64) (zs: [m]i64) =\n\
                 \x20 let a: []i64 = {array}\n  in {result}\n"
            ))
        });
        let cells = cells.into_iter().collect::<Result<Vec<_>, _>>()?;
        writeln!(table, "| {producer} | {} |", cells.join(" | "))?;
    }
    Ok(table)
}

fn library() -> Result<String, Failed> {
    let mut table = String::from("| module | function | passes |\n|---|---|---:|\n");
    for (module, function, call) in LIBRARY {
        let passes = cell(&format!(
            "import \"{module}\"\n\
             entry main [n] [z] (k: i64) (us: [n]f64) (vs: [n]f64) (a: [n][n]f64) (b: [n][n]f64) \
             (os: [n + 1]i64) (ps: [z]i64) (qs: [z]i64) (ws: [z]f64) =\n  {call}\n"
        ))?;
        writeln!(table, "| `{module}` | {function} | {passes} |")?;
    }
    Ok(table)
}

/// How many passes a program takes, and how many arrays it stores.
fn cell(text: &str) -> Result<String, Failed> {
    let mut sources = Sources::default();
    let file = sources.add("main.arr", text.to_owned());
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let compiled = compiled.map_err(|errors| format!("{text}: {errors:?}"))?;
    let (passes, arrays) = count(&compiled.plans, "main");
    Ok(if arrays == 0 { passes.to_string() } else { format!("{passes} + {arrays}") })
}

/// The passes and stored arrays of a block, and of the larger one of each pair of branches in it.
fn count(plans: &[Plan], name: &str) -> (usize, u32) {
    let own = plans.iter().find(|plan| plan.block.graph.name == name).map(|plan| {
        let graph = &plan.block.graph;
        let clusters = plan.block.clusters.clusters.values();
        let passes = clusters.filter(|nodes| graph.is_pass(nodes)).count();
        (passes, plan.block.clusters.report.intermediates)
    });
    let (passes, arrays) = own.unwrap_or_default();
    let has = |branch: &String| plans.iter().any(|plan| plan.block.graph.name.starts_with(branch));
    let branches = ["then", "else"].map(|branch| format!("{name}.{branch}"));
    let inner = branches.iter().filter(|branch| has(branch)).map(|branch| count(plans, branch));
    let (more_passes, more_arrays) = inner.max().unwrap_or_default();
    (passes + more_passes, arrays + more_arrays)
}
