//! What `trace` and `trace_as` print: the same lines from compiled code under every strategy and from the interpreter.
//!
//! Invariant: without `--trace`, nothing of a trace is in the code.

use std::path::PathBuf;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::examples::runtime;
use crate::tools::{arrc, output, project, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("traces::values", || printed(&["values", "[1.5, 2, 3]", "3"], VALUES)),
        Trial::test("traces::order", || printed(&["ordered", "[3, 1, 2]"], ORDER)),
        Trial::test("traces::nested_values", || printed(&["nested", "2"], NESTED)),
        Trial::test("traces::in_objects", in_objects),
        Trial::test("traces::of_functions", of_functions),
    ]
}

const VALUES: &[&str] = &[
    "[FILE:12:12] ys = [3.0, 4.0, 6.0]",
    "[FILE:13:12] zip ys (iota n) = [(3.0, 0), (4.0, 1), (6.0, 2)]",
    "[FILE:14:22] ps = [{x = 3.0, y = 0}, {x = 4.0, y = 1}, {x = 6.0, y = 2}]",
    "[FILE:15:44] s = #some 3 (#a 2.5)",
    "[FILE:16:13] big = [[0, 1, 2, …, 97, 98, 99], [100, 101, 102, …, 197, 198, 199], [200, 201, 202, …, 297, \
     298, 299], …, [9700, 9701, 9702, …, 9797, 9798, 9799], [9800, 9801, 9802, …, 9897, 9898, 9899], [9900, 9901, \
     9902, …, 9997, 9998, 9999]]",
    "[FILE:4:26] x / 2 = 1.5",
    "[FILE:4:26] x / 2 = 2.0",
    "[FILE:4:26] x / 2 = 3.0",
    "[FILE:18:19] 0",
    "[FILE:18:19] 1",
    "[FILE:18:19] 2",
    "[FILE:19:15] 4",
    "[FILE:20:13] filter (> 1000) xs = []",
    "[FILE:21:11] m = (true, nan, 1e+20, -5, (), 200, inf, 0.1, 1e-07)",
];

const ORDER: &[&str] = &[
    "[FILE:34:29] sum = 3",
    "[FILE:34:29] sum = 4",
    "[FILE:34:29] sum = 6",
    "[FILE:35:28] kept = false",
    "[FILE:35:28] kept = true",
    "[FILE:35:28] kept = true",
    "[FILE:36:41] step = 2",
    "[FILE:36:41] step = 4",
    "[FILE:36:41] step = 8",
    "[FILE:37:22] r = [3, 4]",
    "[FILE:37:22] r = [5, 3]",
    "[FILE:38:44] small = 2",
];

const NESTED: &[&str] = &[
    "[FILE:48:14] rows = [(0, [0.0, 0.5], {a = 0, b = false}), (1, [1.0, 0.5], {a = 1, b = true})]",
    "[FILE:49:22] map (\\i -> if i == 0 then #zero else #mo… = [#zero, #more [1, 2] -1]",
    "[FILE:50:14] filter (> 9) (iota n) |> map (\\i -> [i, … = []",
    "[FILE:52:36] [97, 98]",
    "[FILE:52:15] a?name? = [97, 98]",
];

fn program() -> PathBuf {
    project().join("tests/run/traces.arr")
}

/// Compares the output of a call with the lines, under each strategy, level and number of threads.
fn printed(call: &[&str], lines: &[&str]) -> Result<(), Failed> {
    let file = program();
    let expected: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let expected = expected.replace("FILE", &file.to_string_lossy());
    let strategies = ["none", "megiddo", "stream", "greedy"];
    let strategies = strategies.map(|name| vec![format!("--fusion={name}"), "-O1".to_owned()]);
    let others = [&["-O0"][..], &["-O3", "--threads=3"], &["--interpret"]];
    let others = others.map(|words| words.iter().map(|&word| word.to_owned()).collect());
    for options in strategies.into_iter().chain(others) {
        let run = output(Command::new(arrc()).arg("run").args(&options).arg(&file).args(call))?;
        let found = String::from_utf8_lossy(&run.stderr).into_owned();
        if found != expected {
            return Err(format!("{options:?}: expected\n{expected}but found\n{found}").into());
        }
    }
    Ok(())
}

/// An object has traces if they are asked for, and C programs print them.
fn in_objects() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let object = folder.path().join("traces.o");
    let build = |options: &[&str]| {
        succeed(
            Command::new(arrc()).arg("build").args(options).arg(program()).arg("-o").arg(&object),
        )
    };
    let refers = || -> Result<bool, Failed> {
        Ok(succeed(Command::new("nm").arg("-u").arg(&object))?.contains("arr_rt_trace"))
    };
    build(&[])?;
    if refers()? {
        return Err("an object has traces without --trace".into());
    }
    build(&["--trace"])?;
    if !refers()? {
        return Err("an object has no traces with --trace".into());
    }
    let (main, run) = (folder.path().join("main.c"), folder.path().join("main"));
    std::fs::write(
        &main,
        "#include \"traces.h\"\nint main(void)\n{\n    int64_t out = 0;\n    arr_context *ctx = \
         arr_context_new(NULL);\n    int code = nested(ctx, &out, 2);\n    arr_context_free(ctx);\n    return code \
         || out != 5;\n}\n",
    )?;
    let mut gcc = Command::new("gcc");
    gcc.arg(&main)
        .arg(&object)
        .arg(runtime(folder.path())?)
        .args(["-lm", "-lpthread", "-o"])
        .arg(&run);
    succeed(&mut gcc)?;
    let found = output(&mut Command::new(&run))?;
    let lines = String::from_utf8_lossy(&found.stderr).lines().count();
    if !found.status.success() || lines != NESTED.len() {
        return Err(format!("the program ends with {} after {lines} lines", found.status).into());
    }
    Ok(())
}

/// A function has no value to print.
fn of_functions() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("f.arr");
    std::fs::write(&file, "entry f (n: i64): i64 = (trace_as \"f\" (\\x -> x + 1)) n\n")?;
    let run = output(Command::new(arrc()).arg("run").arg(&file).arg("3"))?;
    let said = String::from_utf8_lossy(&run.stderr);
    match said.contains("this traces a function") {
        true => Ok(()),
        false => Err(said.into_owned().into()),
    }
}
