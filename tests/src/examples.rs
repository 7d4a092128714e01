//! The examples, from C and C++, with gcc and clang, plain and under valgrind.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use libtest_mimic::{Failed, Trial};

use crate::tools::{arrc, output, project, succeed};

/// A compiler of C or C++, with the flags that the header must bear.
struct Compiler {
    program: &'static str,
    flags: &'static [&'static str],
}

const COMPILERS: [Compiler; 4] = [
    Compiler { program: "gcc", flags: &["-std=c99"] },
    Compiler { program: "clang-22", flags: &["-std=c99"] },
    Compiler { program: "g++", flags: &["-x", "c++", "-std=c++11"] },
    Compiler { program: "clang++-22", flags: &["-x", "c++", "-std=c++20"] },
];

const WARNINGS: [&str; 5] = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wcast-qual"];

/// An example and the arguments of its C program.
struct Example {
    name: &'static str,
    cities: bool,
    selftest: bool,
}

const EXAMPLES: &[Example] = &[
    Example { name: "quickhull", cities: true, selftest: true },
    Example { name: "closest_points", cities: true, selftest: false },
    Example { name: "quadtree", cities: true, selftest: false },
    Example { name: "normalize2", cities: false, selftest: false },
    Example { name: "filter_max", cities: false, selftest: false },
    Example { name: "matmul", cities: false, selftest: false },
    Example { name: "black_scholes", cities: false, selftest: false },
    Example { name: "sparse", cities: false, selftest: false },
    Example { name: "mandelbrot", cities: false, selftest: false },
    Example { name: "life", cities: false, selftest: false },
    Example { name: "kmeans", cities: false, selftest: false },
    Example { name: "nbody", cities: false, selftest: false },
    Example { name: "robust_mean", cities: false, selftest: false },
    Example { name: "paths", cities: false, selftest: false },
    Example { name: "rods", cities: false, selftest: false },
    Example { name: "lu", cities: false, selftest: false },
    Example { name: "edges", cities: false, selftest: false },
    Example { name: "cells", cities: false, selftest: false },
    Example { name: "correlation", cities: false, selftest: false },
    Example { name: "convolution", cities: false, selftest: false },
    Example { name: "tomcatv", cities: false, selftest: false },
    Example { name: "fields", cities: false, selftest: false },
    Example { name: "pictures", cities: false, selftest: false },
    Example { name: "distances", cities: false, selftest: false },
    Example { name: "bootstrap", cities: false, selftest: false },
];

/// Trials: each example, and what only some of them show.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let trial = |example: &'static Example| {
        Trial::test(format!("examples::{}", example.name), move || linked(example))
    };
    let mut trials: Vec<Trial> = EXAMPLES.iter().map(trial).collect();
    for kind in ["static", "shared"] {
        trials.push(Trial::test(format!("examples::library::{kind}"), move || library(kind)));
    }
    trials.push(Trial::test("examples::openmp", || lent("gcc", "openmp.c", &["-fopenmp"])));
    trials.push(Trial::test("examples::pool", || lent("g++", "pool.cpp", &["-std=c++11"])));
    trials.push(Trial::test("examples::version", version));
    trials.push(Trial::test("examples::exe", executable));
    trials.push(Trial::test("examples::two_objects_in_one_program", two_objects));
    trials.push(Trial::test("examples::builds_are_reproducible", reproducible));
    trials.push(Trial::test("examples::builds_of_several_files_are_reproducible", several_files));
    trials.push(Trial::test("examples::matrices_in_files", matrices));
    trials.push(Trial::test("examples::standard_input", standard_input));
    trials.push(Trial::test("examples::picture_of_the_cities", picture));
    trials.push(Trial::test("examples::headers_have_no_tests", headers));
    trials.push(Trial::test("examples::every_example_is_tested", complete));
    trials
}

/// Builds the object file and the header into a folder.
fn object(name: &str, folder: &Path) -> Result<PathBuf, Failed> {
    let source = project().join(format!("examples/{name}.arr"));
    let object = folder.join(format!("{name}.o"));
    succeed(Command::new(arrc()).arg("build").arg(source).arg("-o").arg(&object))?;
    Ok(object)
}

/// The object file of an example in C programs by each compiler, and in one of them under valgrind.
fn linked(example: &Example) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let object = object(example.name, folder.path())?;
    for compiler in &COMPILERS {
        let program =
            program(example, &object, compiler).map_err(|failed| by(compiler, &failed))?;
        run(example, compiler, &program).map_err(|failed| by(compiler, &failed))?;
    }
    Ok(())
}

/// The failure with its compiler.
fn by(compiler: &Compiler, failed: &Failed) -> Failed {
    format!("with {}: {}", compiler.program, failed.message().unwrap_or("")).into()
}

/// Compiles the C program and links it with the object file and the runtime, in the folder of the object file.
fn program(example: &Example, object: &Path, compiler: &Compiler) -> Result<PathBuf, Failed> {
    let folder = object.parent().expect("a file is in a folder");
    let c = project().join(format!("examples/c/{}.c", example.name));
    let compiled = folder.join(format!("{}_main.o", example.name));
    succeed(
        Command::new(compiler.program)
            .args(compiler.flags)
            .args(WARNINGS)
            .args(["-O1", "-g", "-c", "-I"])
            .arg(folder)
            .arg(c)
            .arg("-o")
            .arg(&compiled),
    )?;
    let program = folder.join(compiler.program);
    link(compiler.program, &[&compiled, object], &program)?;
    Ok(program)
}

/// A program that lends its own threads to calls.
fn lent(compiler: &str, file: &str, flags: &[&str]) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let object = object("mandelbrot", folder.path())?;
    let program = folder.path().join("program");
    let mut build = Command::new(compiler);
    build.args(flags).args(WARNINGS).args(["-O1", "-g", "-I"]).arg(folder.path());
    build.arg(project().join("examples/c").join(file)).arg(object).arg(runtime(folder.path())?);
    succeed(build.args(["-lm", "-lpthread", "-o"]).arg(&program))?;
    succeed(&mut Command::new(program))?;
    Ok(())
}

fn link(compiler: &str, objects: &[&Path], program: &Path) -> Result<(), Failed> {
    succeed(
        Command::new(compiler)
            .args(objects)
            .arg(runtime(program.parent().expect("a program is in a folder"))?)
            .args(["-lm", "-lpthread", "-o"])
            .arg(program),
    )?;
    Ok(())
}

/// The runtime, which the compiler writes.
pub(crate) fn runtime(folder: &Path) -> Result<PathBuf, Failed> {
    let path = folder.join("libarr_runtime.a");
    succeed(Command::new(arrc()).arg("runtime").arg("-o").arg(&path))?;
    Ok(path)
}

fn arguments(example: &Example) -> Vec<PathBuf> {
    if example.cities { vec![cities()] } else { Vec::new() }
}

fn cities() -> PathBuf {
    project().join("examples/data/cities.csv")
}

/// Runs the program of an example. The first compiler's also tests itself, and runs under valgrind.
fn run(example: &Example, compiler: &Compiler, program: &Path) -> Result<(), Failed> {
    succeed(Command::new(program).args(arguments(example)))?;
    if compiler.program != COMPILERS[0].program {
        return Ok(());
    }
    if example.selftest {
        succeed(Command::new(program).arg("--selftest"))?;
    }
    valgrind(example, program)
}

/// Every path of the example, the failing calls included: no invalid access, nothing leaked.
fn valgrind(example: &Example, program: &Path) -> Result<(), Failed> {
    succeed(
        Command::new("valgrind")
            .args(["--quiet", "--error-exitcode=99", "--leak-check=full", "--show-leak-kinds=all"])
            .arg("--errors-for-leak-kinds=all")
            .arg(program)
            .args(arguments(example)),
    )?;
    Ok(())
}

/// The hull of a square with a point inside, from a library that contains the runtime.
fn library(kind: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let path =
        folder.path().join(if kind == "static" { "libnormalize2.a" } else { "libnormalize2.so" });
    let source = project().join("examples/normalize2.arr");
    succeed(
        Command::new(arrc())
            .arg("build")
            .arg(source)
            .arg(format!("--lib={kind}"))
            .arg("-o")
            .arg(&path),
    )?;
    let program = folder.path().join("main");
    succeed(
        Command::new("gcc")
            .args(WARNINGS)
            .arg("-I")
            .arg(folder.path())
            .arg(project().join("examples/c/normalize2.c"))
            .arg(&path)
            .args(["-lm", "-lpthread", "-o"])
            .arg(&program),
    )?;
    succeed(Command::new(program).env("LD_LIBRARY_PATH", folder.path()))?;
    Ok(())
}

/// The information on the compiler that a bug report needs.
fn version() -> Result<(), Failed> {
    let told = succeed(Command::new(arrc()).args(["--version", "-v"]))?;
    let llvm = succeed(Command::new("llvm-config-22").arg("--version"))?;
    let target = succeed(Command::new("llvm-config-22").arg("--host-target"))?;
    let lines: Vec<&str> = told.lines().collect();
    let [first, second, third, fourth] = lines[..] else {
        return Err(format!("four lines were expected:\n{told}").into());
    };
    let commit = fourth.strip_prefix("commit: ").unwrap_or_default();
    let is_commit = commit.len() == 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_right = first == succeed(Command::new(arrc()).arg("-V"))?.trim_end()
        && second == format!("LLVM: {}", llvm.trim())
        && third == format!("target: {}", target.trim())
        && (is_commit || commit == "unknown");
    if is_right { Ok(()) } else { Err(format!("not as expected:\n{told}").into()) }
}

fn executable() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("filter_max");
    let source = project().join("examples/filter_max.arr");
    succeed(Command::new(arrc()).arg("build").arg(source).arg("--exe").arg("-o").arg(&program))?;
    let printed = succeed(Command::new(&program).arg("[1, -5, 3]"))?;
    let expected = "[2i64, 4i64]\n4i64\n";
    if printed != expected {
        return Err(format!("printed {printed:?}, not {expected:?}").into());
    }
    let help = succeed(Command::new(&program).arg("--help"))?;
    let line = "filter_max vec1:[]i64\n      filter_max [n] (vec1: [n]i64): ?[m].([m]i64, i64)\n";
    if !help.starts_with("usage:\n") || !help.contains(line) {
        return Err(format!("`--help` says\n{help}").into());
    }
    let wrong = crate::tools::output(Command::new(&program).arg("[1, x]"))?;
    if wrong.status.code() != Some(2) {
        return Err(format!("a bad argument ends with {}", wrong.status).into());
    }
    Ok(())
}

/// Two object files and one runtime in one program, with both headers in one source.
fn two_objects() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let normalize2 = object("normalize2", folder.path())?;
    let filter_max = object("filter_max", folder.path())?;
    let c = folder.path().join("main.c");
    std::fs::write(
        &c,
        "#include \"normalize2.h\"\n#include \"filter_max.h\"\n\
         int main(void) {\n\
         \x20 const int64_t xs[3] = {1, 2, 3};\n\
         \x20 arr_context *ctx = arr_context_new(NULL);\n\
         \x20 arr_i64_1d a = arr_i64_1d_borrow(xs, 3), b, c, d;\n\
         \x20 int64_t most;\n\
         \x20 int ok = normalize2(ctx, &b, &c, a) == ARR_OK && filter_max(ctx, &d, &most, a) == ARR_OK;\n\
         \x20 ok = ok && most == 4 && d.shape[0] == 3 && b.data[0] == 0;\n\
         \x20 arr_i64_1d_free(ctx, &b); arr_i64_1d_free(ctx, &c); arr_i64_1d_free(ctx, &d);\n\
         \x20 arr_context_free(ctx);\n\
         \x20 return ok ? 0 : 1;\n}\n",
    )?;
    let compiled = folder.path().join("main.o");
    succeed(
        Command::new("gcc")
            .args(WARNINGS)
            .arg("-c")
            .arg("-I")
            .arg(folder.path())
            .arg(c)
            .arg("-o")
            .arg(&compiled),
    )?;
    let program = folder.path().join("main");
    link("gcc", &[&compiled, &normalize2, &filter_max], &program)?;
    succeed(&mut Command::new(program))?;
    Ok(())
}

fn reproducible() -> Result<(), Failed> {
    let [first, second] = [tempfile::tempdir()?, tempfile::tempdir()?];
    let bytes = [first.path(), second.path()].map(|folder| {
        object("quadtree", folder)
            .and_then(|path| Ok((std::fs::read(&path)?, std::fs::read(path.with_extension("h"))?)))
    });
    let [first, second] = bytes;
    if first? == second? { Ok(()) } else { Err("two builds of one program differ".into()) }
}

/// The folder of a program's files makes no difference, nor does the time when they are compiled.
fn several_files() -> Result<(), Failed> {
    let build = || -> Result<Vec<u8>, Failed> {
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("parts"))?;
        std::fs::write(
            at("main.arr"),
            "import \"parts/norm\"\nimport \"parts/tree\"\n\
            entry run [n] (xs: [n]f64): (f64, i64) = (norm xs, height (length xs))\n",
        )?;
        std::fs::write(
            at("parts/norm.arr"),
            "import \"tree\"\n\
            def norm [n] (xs: [n]f64): f64 = f64.sqrt (f64.sum (map (\\x -> x * x) xs))\n",
        )?;
        std::fs::write(
            at("parts/tree.arr"),
            "\
            def height (n: i64): i64 = if n == 0 then 0 else 1 + height (n / 2)\n",
        )?;
        let folder = folder.path();
        succeed(Command::new(arrc()).current_dir(folder).args(["build", "main.arr"]))?;
        let object = folder.join("main.o");
        Ok([std::fs::read(&object)?, std::fs::read(object.with_extension("h"))?].concat())
    };
    if build()? == build()? { Ok(()) } else { Err("two builds of one program differ".into()) }
}

/// A matrix comes back from a file as it was written, with its shape.
fn matrices() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("matrix.arr");
    std::fs::write(
        &program,
        "entry table (n: i64) (m: i64): [n][m]i32 =
           tabulate_2d n m (\\i j -> i32.i64 (i * 10 - j))
         entry same [n] [m] (xss: [n][m]i32): [n][m]i32 = xss
         entry shown [n] [m] (xss: [n][m]i32): ([n][m]i32, i64, i64) = (xss, n, m)",
    )?;
    for (n, m) in [(2, 3), (1, 1), (0, 4), (5, 0)] {
        let file = folder.path().join("table");
        let run = |arguments: &[&str]| {
            let mut command = Command::new(arrc());
            output(command.arg("run").args(arguments).current_dir(folder.path()))
        };
        let written = run(&["-o", "table", "matrix.arr", "table", &n.to_string(), &m.to_string()])?;
        let shown = run(&["matrix.arr", "shown", "@table.npy"])?;
        let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
        // The result goes to the file that is mapped.
        let again = run(&["-o", "table", "matrix.arr", "same", "@table.npy"])?;
        let again = again.status.success()
            && run(&["matrix.arr", "shown", "@table.npy"])?.stdout == shown.as_bytes();
        let rows: Vec<String> = (0..n)
            .map(|i| {
                let row: Vec<_> = (0..m).map(|j| format!("{}i32", i * 10 - j)).collect();
                format!("[{}]", row.join(", "))
            })
            .collect();
        let expected = match (n, m) {
            (0, _) | (_, 0) => format!("empty([{n}][{m}]i32)"),
            _ => format!("[{}]", rows.join(", ")),
        };
        let expected = format!("{expected}\n{n}i64\n{m}i64\n");
        if !written.status.success() || !again || shown != expected {
            return Err(format!("{}: {shown}\ninstead of {expected}", file.display()).into());
        }
    }
    Ok(())
}

/// Commands that read arrays, tables and literals through a pipe, and what they print.
const PIPED: [(&str, &str); 11] = [
    ("cat t.csv | arrc run p.arr pair @-:x @-:i", PAIR),
    (
        "cat t.csv | arrc run -o both.npz p.arr pair @-:x @-:i; cat both.npz | arrc run p.arr pair @-:arr_1 @-:arr_0",
        PAIR,
    ),
    ("arrc run p.arr pair @both.npz:arr_1 @both.npz:arr_0", PAIR),
    ("arrc run -o one p.arr pair '[1]' '[7]'; cat one0.npy | arrc run p.arr total @-", "7i32\n"),
    ("mkfifo pipe.npy; cat one0.npy > pipe.npy & arrc run p.arr total @pipe.npy", "7i32\n"),
    ("echo '[1, 2, 40]' | arrc run p.arr total @-", "43i32\n"),
    (
        "arrc run -o both.out p.arr pair '[0.5, 1.5]' '[1, 2]'; arrc run p.arr pair @both.out:1 @both.out:0",
        PAIR,
    ),
    ("gzip both.out; arrc run p.arr pair @both.out.gz:1 @both.out.gz:0", PAIR),
    ("gzip -dc both.out.gz | arrc run p.arr pair @-:1 @-:0", PAIR),
    (
        "arrc run -o z.out.gz p.arr pair '[0.5, 1.5]' '[1, 2]'; gzip -t z.out.gz; arrc run p.arr pair @z.out.gz:1 @z.out.gz:0",
        PAIR,
    ),
    ("printf 'b,c\\n7,8\\n' | arrc run p.arr total @-:b", "7i32\n"),
];

/// The results of `pair` for the table of [`standard_input`].
const PAIR: &str = "[1i32, 2i32]\n[0.5f64, 1.5f64]\n";

/// Commands that read what is no argument, and what their message contains.
const PIPED_WRONGLY: [(&str, &str); 7] = [
    (
        "printf '\\377\\376' | arrc run p.arr total @-",
        "neither an array in NumPy's format nor text",
    ),
    ("printf '[1, x]' | arrc run p.arr total @-", "standard input: `x` is no value of type i32"),
    (
        "head -c 130 one0.npy | arrc run p.arr total @-",
        "its header promises 1 elements, 4 bytes, but 2 follow",
    ),
    ("cat both.npz | arrc run p.arr total @-", "a name is missing; the file has `arr_0`, `arr_1`"),
    ("cat t.csv | arrc run p.arr total @-:z", "it has no column `z`, only `x`, `i`"),
    (
        "gzip -dc both.out.gz | head -c 20 | arrc run p.arr total @-",
        "the elements of a binary value are missing",
    ),
    ("arrc run p.arr total @both.out.gz:7", "it has no value `7`"),
];

/// Arrays, tables and literals through a pipe; several arguments are read from one input.
fn standard_input() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    std::fs::write(
        folder.path().join("p.arr"),
        "entry pair [n] (xs: [n]f64) (is: [n]i32): ([n]i32, [n]f64) = (is, xs)\n\
         entry total [n] (xs: [n]i32): i32 = i32.sum xs",
    )?;
    std::fs::write(folder.path().join("t.csv"), "x,i\n0.5,1\n1.5,2\n")?;
    let arrc = arrc().display().to_string();
    let shell = |line: &str| {
        let line = line.replace("arrc", &arrc);
        output(Command::new("sh").args(["-c", &line]).current_dir(folder.path()))
    };
    for (line, expected) in PIPED {
        let result = shell(line)?;
        let printed = String::from_utf8_lossy(&result.stdout).into_owned();
        if printed != expected {
            let told = String::from_utf8_lossy(&result.stderr).into_owned();
            return Err(format!("{line}\nprinted {printed:?}, not {expected:?}\n{told}").into());
        }
    }
    for (line, expected) in PIPED_WRONGLY {
        let told = String::from_utf8_lossy(&shell(line)?.stderr).into_owned();
        if !told.contains(expected) || !told.contains("error[A0508]") {
            return Err(format!("{line}\nprinted {told}\nwithout {expected:?}").into());
        }
    }
    Ok(())
}

/// The picture in the README is the one that its command draws; `BLESS=1` draws it anew.
fn picture() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let readme = std::fs::read_to_string(project().join("README.md"))?;
    let command = readme.lines().find_map(|line| line.strip_prefix("$ arrc run --plot hull.svg "));
    let command = command.ok_or("the README has no command that draws hull.svg")?;
    let drawn = |name: &str| -> Result<Vec<u8>, Failed> {
        let path = folder.path().join(name);
        let mut run = Command::new(arrc());
        run.current_dir(project()).args(["run", "--plot"]).arg(&path).args(command.split(' '));
        succeed(&mut run)?;
        Ok(std::fs::read(path)?)
    };
    let (svg, shown) = (drawn("hull.svg")?, project().join("docs/src/hull.svg"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&shown, &svg)?;
    }
    if seen(&std::fs::read(shown)?)? != seen(&svg)? {
        return Err("docs/src/hull.svg is another picture; look at it and run with BLESS=1".into());
    }
    let text = String::from_utf8_lossy(&svg).into_owned();
    if !text.contains("<image ") || !text.contains("<polyline ") {
        return Err("the picture lacks the points or the hull".into());
    }
    if !String::from_utf8_lossy(&drawn("hull.html")?).contains(&text) {
        return Err("the page does not have the picture".into());
    }
    let is_png = drawn("hull.png")?.starts_with(b"\x89PNG\r\n\x1a\n");
    if is_png { Ok(()) } else { Err("hull.png is no PNG".into()) }
}

/// The visible content of a picture: its text, and the pixels of the image in it, however they are compressed.
fn seen(svg: &[u8]) -> Result<(String, Vec<u8>), Failed> {
    let text = String::from_utf8(svg.to_vec())?;
    let parts = text.split_once("base64,").and_then(|(before, rest)| {
        rest.split_once('"').map(|(data, after)| (format!("{before}{after}"), data))
    });
    let (text, data) = parts.ok_or("the picture has no image")?;
    let file = BASE64_STANDARD.decode(data)?;
    let mut reader = png::Decoder::new(Cursor::new(file)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("the image is too large")?];
    reader.next_frame(&mut pixels)?;
    Ok((text, pixels))
}

/// The header contains the description of an entry, but not the tests in the same comment.
fn headers() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let header = object("black_scholes", folder.path())?.with_extension("h");
    let text = std::fs::read_to_string(header)?;
    if !text.contains("/* The price of each option.\n") {
        return Err("the header does not describe `prices`".into());
    }
    match text.lines().find(|line| *line == " * ==" || line.starts_with(" * input {")) {
        Some(line) => Err(format!("the header has a test: {line}").into()),
        None => Ok(()),
    }
}

/// Every program in `examples/` is one of [`EXAMPLES`].
fn complete() -> Result<(), Failed> {
    for path in crate::tools::files(&project().join("examples"), "arr") {
        let name = crate::tools::stem(&path);
        if !EXAMPLES.iter().any(|example| example.name == name) {
            return Err(format!("examples/{name}.arr is not tested").into());
        }
    }
    Ok(())
}
