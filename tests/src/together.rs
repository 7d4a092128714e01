//! Several programs in one executable. Their entries have the same name and other types, and their files the same name.
//!
//! Invariant: each caller runs the function of the program whose header or bindings it has, or nothing is compiled or linked, with a
//! message. Never does a call run the function of another program.

use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;

use crate::examples::runtime;
use crate::tools::{arrc, output, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("together::static_libraries", || in_c(&["--lib=static"], "a")),
        Trial::test("together::parallel_static_libraries", || {
            in_c(&["--lib=static-parallel"], "a")
        }),
        Trial::test("together::shared_libraries", || in_c(&["--lib=shared"], "so")),
        Trial::test("together::objects_with_unique_names", || in_c(&["--unique-names"], "o")),
        Trial::test("together::objects_with_plain_names", plain_objects),
        Trial::test("together::two_headers_in_one_file", two_headers),
        Trial::test("together::headers_of_files_with_one_name", headers_of_one_name),
        Trial::test("together::one_file_with_two_prefixes", two_prefixes),
        Trial::test("together::one_file_for_two_processors", two_processors),
        Trial::test("together::callers_without_a_header", without_header),
        Trial::test("together::cpp", in_cpp),
        Trial::test("together::rust", in_rust),
        Trial::test("together::the_same_names_each_time", same_names),
    ]
}

/// Programs whose entry has one name, in files with one name.
const PROGRAMS: [(&str, &str); 2] = [
    ("p", "entry run [n] (xs: [n]i64): i64 = reduce (+) 0 xs\n"),
    ("q", "entry run (x: f64) (y: f64): f64 = x / y\n"),
];

/// C files that call them.
const CALLERS: [(&str, &str); 3] = [
    (
        "of_p.c",
        "#include \"p/k.h\"\n\
         int of_p(void) {\n\
         \x20   const int64_t xs[3] = {1, 2, 4};\n\
         \x20   int64_t sum = 0;\n\
         \x20   arr_context *ctx = arr_context_new(NULL);\n\
         \x20   int code = run(ctx, &sum, arr_i64_1d_borrow(xs, 3));\n\
         \x20   arr_context_free(ctx);\n\
         \x20   return code == ARR_OK && sum == 7;\n\
         }\n",
    ),
    (
        "of_q.c",
        "#include \"q/k.h\"\n\
         int of_q(void) {\n\
         \x20   double quotient = 0;\n\
         \x20   int (*f)(arr_context *, double *, double, double) = run;\n\
         \x20   arr_context *ctx = arr_context_new(NULL);\n\
         \x20   int code = f(ctx, &quotient, 3.0, 2.0);\n\
         \x20   arr_context_free(ctx);\n\
         \x20   return code == ARR_OK && quotient == 1.5;\n\
         }\n",
    ),
    (
        "main.c",
        "int of_p(void);\nint of_q(void);\n\
         int main(void) { return of_p() && of_q() ? 0 : 1; }\n",
    ),
];

/// A folder with programs, `NAME/k.arr` each.
struct Folder(TempDir);

impl Folder {
    fn new(programs: &[(&str, &str)]) -> Result<Self, Failed> {
        let folder = Self(tempfile::tempdir()?);
        for (name, text) in programs {
            std::fs::create_dir(folder.at(name))?;
            std::fs::write(folder.at(&format!("{name}/k.arr")), text)?;
        }
        Ok(folder)
    }

    fn with_callers(files: &[(&str, &str)]) -> Result<Self, Failed> {
        let folder = Self::new(&PROGRAMS)?;
        for (name, text) in files {
            std::fs::write(folder.at(name), text)?;
        }
        Ok(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Builds `PROGRAM/k.arr` to another file in its folder.
    fn build(&self, program: &str, options: &[&str], output: &str) -> Result<PathBuf, Failed> {
        let output = self.at(&format!("{program}/{output}"));
        let source = self.at(&format!("{program}/k.arr"));
        succeed(
            Command::new(arrc()).arg("build").args(options).arg(source).arg("-o").arg(&output),
        )?;
        Ok(output)
    }

    /// A command that links C files with other files to `main`.
    fn gcc(&self, compiler: &str, sources: &[&str], others: &[PathBuf]) -> Command {
        let mut gcc = Command::new(compiler);
        gcc.args(["-Wall", "-Wextra", "-Werror", "-pedantic", "-I"]).arg(self.path());
        gcc.args(sources.iter().map(|name| self.at(name))).args(others);
        gcc.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(self.at("main"));
        gcc
    }
}

/// Both programs in one executable, in both orders.
fn in_c(options: &[&str], extension: &str) -> Result<(), Failed> {
    let folder = Folder::with_callers(&CALLERS)?;
    let built = ["p", "q"].map(|program| {
        // The loader finds shared libraries by their names, so these differ.
        let stem = if extension == "so" { format!("{program}k") } else { "k".to_owned() };
        let lib = if extension == "o" { "" } else { "lib" };
        let file = folder.build(program, options, &format!("{lib}{stem}.{extension}"))?;
        let [made, included] = [&stem, "k"].map(|stem| folder.at(&format!("{program}/{stem}.h")));
        std::fs::rename(made, included)?;
        Ok::<PathBuf, Failed>(file)
    });
    let mut files = built.into_iter().collect::<Result<Vec<_>, _>>()?;
    let library = if extension == "o" { Some(runtime(folder.path())?) } else { None };
    for _ in 0..2 {
        files.reverse();
        let linked: Vec<PathBuf> = files.iter().chain(&library).cloned().collect();
        succeed(&mut folder.gcc("gcc", &CALLERS.map(|(name, _)| name), &linked))?;
        let paths = std::env::join_paths(["p", "q"].map(|program| folder.at(program)))?;
        succeed(Command::new(folder.at("main")).env("LD_LIBRARY_PATH", paths))?;
    }
    Ok(())
}

/// The message of a command that fails.
fn refused(command: &mut Command, part: &str) -> Result<(), Failed> {
    let result = output(command)?;
    let told = String::from_utf8_lossy(&result.stderr).into_owned();
    if !result.status.success() && told.contains(part) {
        return Ok(());
    }
    Err(format!("no failure with `{part}`: {}\n{told}", result.status).into())
}

/// Objects define the names of their entries as well, so the linker refuses two of them.
fn plain_objects() -> Result<(), Failed> {
    let folder = Folder::with_callers(&CALLERS)?;
    let mut files = vec![folder.build("p", &[], "k.o")?, folder.build("q", &[], "k.o")?];
    files.push(runtime(folder.path())?);
    let sources = CALLERS.map(|(name, _)| name);
    refused(&mut folder.gcc("gcc", &sources, &files), "multiple definition of `run'")
}

/// In one file, a name has one meaning.
fn two_headers() -> Result<(), Failed> {
    let text = "#include \"p/k.h\"\n#include \"q/k.h\"\nint main(void) { return 0; }\n";
    let folder = Folder::with_callers(&[("both.c", text)])?;
    let files = ["p", "q"].map(|program| folder.build(program, &["--lib=static"], "libk.a"));
    let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
    for compiler in ["gcc", "g++"] {
        let mut command = folder.gcc(compiler, &["both.c"], &files);
        refused(&mut command, "two programs have an entry run")?;
    }
    Ok(())
}

/// Headers of files with one name are different headers.
fn headers_of_one_name() -> Result<(), Failed> {
    let folder = Folder::new(&[
        ("p", "entry one (x: i64): i64 = x + 1\n"),
        ("q", "entry two (x: f32): f32 = x + 2\n"),
    ])?;
    let text = "#include \"p/k.h\"\n#include \"q/k.h\"\n#include \"p/k.h\"\n\
                int main(void) {\n\
                \x20   int64_t x = 0;\n    float y = 0;\n\
                \x20   arr_context *ctx = arr_context_new(NULL);\n\
                \x20   int codes = one(ctx, &x, 1) | two(ctx, &y, 1);\n\
                \x20   arr_context_free(ctx);\n\
                \x20   return codes || x != 2 || y != 3;\n\
                }\n";
    std::fs::write(folder.at("both.c"), text)?;
    let mut files = vec![folder.build("p", &[], "k.o")?, folder.build("q", &[], "k.o")?];
    files.push(runtime(folder.path())?);
    for compiler in ["gcc", "g++", "clang-22"] {
        succeed(&mut folder.gcc(compiler, &["both.c"], &files))?;
        succeed(&mut Command::new(folder.at("main")))?;
    }
    Ok(())
}

/// One file with two prefixes gives two programs, for C and for C++.
fn two_prefixes() -> Result<(), Failed> {
    let folder = Folder::new(&[("p", "entry run (x: i64): i64 = x + 1\n")])?;
    let text = "#include \"p/a.h\"\n#include \"p/b.h\"\n\
                int main(void) {\n\
                \x20   int64_t x = 0, y = 0;\n\
                \x20   arr_context *ctx = arr_context_new(NULL);\n\
                \x20   int codes = a_run(ctx, &x, 1) | b_run(ctx, &y, 2);\n\
                \x20   arr_context_free(ctx);\n\
                \x20   return codes || x != 2 || y != 3;\n\
                }\n";
    std::fs::write(folder.at("both.c"), text)?;
    let cpp = "#include \"p/a.hpp\"\n#include \"p/b.hpp\"\n\
               int main() {\n    arr::context ctx;\n\
               \x20   return arr::call::a_run(ctx, 1) != 2 || arr::call::b_run(ctx, 2) != 3;\n}\n";
    std::fs::write(folder.at("both.cpp"), cpp)?;
    let options = |prefix| ["--lib=static", "--bindings=cpp", prefix];
    let files = [
        folder.build("p", &options("--prefix=a_"), "liba.a")?,
        folder.build("p", &options("--prefix=b_"), "libb.a")?,
    ];
    for (compiler, source) in [("gcc", "both.c"), ("g++", "both.cpp")] {
        succeed(&mut folder.gcc(compiler, &[source], &files))?;
        succeed(&mut Command::new(folder.at("main")))?;
    }
    Ok(())
}

/// A program may be built for two processors, and called by the one that is there.
fn two_processors() -> Result<(), Failed> {
    let folder = Folder::new(&[("p", PROGRAMS[0].1)])?;
    let caller = |name: &str| {
        CALLERS[0].1.replace("p/k.h", &format!("p/{name}.h")).replace("of_p", &format!("of_{name}"))
    };
    std::fs::write(folder.at("old.c"), caller("old"))?;
    std::fs::write(folder.at("new.c"), caller("new"))?;
    std::fs::write(
        folder.at("main.c"),
        CALLERS[2].1.replace("of_p", "of_old").replace("of_q", "of_new"),
    )?;
    let files = [
        folder.build("p", &["--lib=static"], "libold.a")?,
        folder.build("p", &["--lib=static", "--target-cpu=native"], "libnew.a")?,
    ];
    succeed(&mut folder.gcc("gcc", &["old.c", "new.c", "main.c"], &files))?;
    let symbols = succeed(Command::new("nm").arg(folder.at("main")))?;
    let is_run = |line: &&str| line.contains(" T arr_") && line.ends_with("_run");
    let count = symbols.lines().filter(is_run).count();
    if count != 2 {
        return Err(format!("{count} functions, not 2, in\n{symbols}").into());
    }
    succeed(&mut Command::new(folder.at("main")))?;
    Ok(())
}

/// A caller that declares the function itself finds it by its plain name in each kind of library.
fn without_header() -> Result<(), Failed> {
    let text = "#include <stddef.h>\n\
                extern void *arr_context_new(void *);\nextern void arr_context_free(void *);\n\
                extern int run(void *ctx, double *out, double x, double y);\n\
                extern int run__uniform(void *, void *const *, const void *const *);\n\
                int main(void) {\n\
                \x20   double out = 0, again = 0, x = 3, y = 2;\n\
                \x20   void *const outs[1] = {&again};\n\
                \x20   const void *const ins[2] = {&x, &y};\n\
                \x20   void *ctx = arr_context_new(NULL);\n\
                \x20   int codes = run(ctx, &out, x, y) | run__uniform(ctx, outs, ins);\n\
                \x20   arr_context_free(ctx);\n\
                \x20   return codes || out != 1.5 || again != 1.5;\n}\n";
    for (options, name) in
        [(&["--lib=static"][..], "libk.a"), (&["--lib=shared"], "libk.so"), (&[], "k.o")]
    {
        let folder = Folder::with_callers(&[("main.c", text)])?;
        let files = [folder.build("q", options, name)?, runtime(folder.path())?];
        succeed(&mut folder.gcc("gcc", &["main.c"], &files))?;
        let mut program = Command::new(folder.at("main"));
        succeed(program.env("LD_LIBRARY_PATH", folder.at("q")))?;
    }
    Ok(())
}

/// Functions of two programs with one name and one type are different functions, also where nothing is inlined.
fn in_cpp() -> Result<(), Failed> {
    let folder = Folder::new(&[
        ("p", "entry run (x: i64): i64 = x + 1\n"),
        ("q", "entry run (x: i64): i64 = x * 10\n"),
    ])?;
    for name in ["p", "q"] {
        let text = format!(
            "#include \"{name}/k.hpp\"\n\
             int64_t of_{name}(int64_t x) {{ arr::context ctx; return arr::call::run(ctx, x); }}\n"
        );
        std::fs::write(folder.at(&format!("of_{name}.cpp")), text)?;
    }
    let main = "#include <cstdint>\nint64_t of_p(int64_t);\nint64_t of_q(int64_t);\n\
                int main() { return of_p(4) == 5 && of_q(4) == 40 ? 0 : 1; }\n";
    std::fs::write(folder.at("main.cpp"), main)?;
    let options = ["--lib=static", "--bindings=cpp"];
    let files = ["p", "q"].map(|program| folder.build(program, &options, "libk.a"));
    let files = files.into_iter().collect::<Result<Vec<_>, _>>()?;
    for level in ["-O0", "-O2"] {
        let sources = ["main.cpp", "of_p.cpp", "of_q.cpp"];
        succeed(folder.gcc("g++", &sources, &files).args(["-std=c++17", level]))?;
        succeed(&mut Command::new(folder.at("main")))?;
    }
    Ok(())
}

/// Modules of Rust in one crate. Safe code calls the right function.
fn in_rust() -> Result<(), Failed> {
    let folder = Folder::new(&PROGRAMS)?;
    let main = "mod p { include!(\"p/p.rs\"); }\nmod q { include!(\"q/q.rs\"); }\n\
                fn main() {\n\
                \x20   let sum = p::Context::new().unwrap().run(&[1, 2, 4]).unwrap();\n\
                \x20   let quotient = q::Context::new().unwrap().run(3.0, 2.0).unwrap();\n\
                \x20   assert_eq!((sum, quotient), (7, 1.5));\n}\n";
    std::fs::write(folder.at("main.rs"), main)?;
    let options = ["--lib=static-parallel", "--bindings=rust"];
    folder.build("p", &options, "libp.a")?;
    folder.build("q", &options, "libq.a")?;
    for order in [["p", "q"], ["q", "p"]] {
        let mut rustc = Command::new("rustc");
        rustc.args(["--edition=2024", "-lm"]).args(order.map(|name| format!("-lstatic={name}")));
        rustc.args(order.map(|name| format!("-L{}", folder.at(name).display())));
        succeed(rustc.arg(folder.at("main.rs")).arg("-o").arg(folder.at("main")))?;
        succeed(&mut Command::new(folder.at("main")))?;
    }
    Ok(())
}

/// The names do not depend on folders, so builds can be reproduced.
fn same_names() -> Result<(), Failed> {
    let folder = Folder::new(&[("p", PROGRAMS[0].1), ("q", PROGRAMS[0].1)])?;
    for program in ["p", "q"] {
        folder.build(program, &[], "k.o")?;
    }
    let [p, q] = ["p/k.h", "q/k.h"].map(|name| std::fs::read(folder.at(name)));
    if p? == q? { Ok(()) } else { Err("k.h depends on its folder".into()) }
}
