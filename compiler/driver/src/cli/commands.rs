//! The arguments of each command. Their doc comments are the text of `--help`.
//!
//! Invariant: every option of a command has an effect on it.

use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process;

use clap::{Args, ValueHint};
use clap_complete::Shell;
use regex::Regex;

use super::values::{Emit, Fusion, FusionOptions, Kind, Language, Level, Library, Sanitizer, Way};
use crate::test::TOLERANCE;

/// `arrc explain`.
#[derive(Args, Debug)]
pub(crate) struct Explain {
    /// The program, or the code.
    #[arg(value_name = "FILE|CODE", value_hint = ValueHint::FilePath)]
    pub(crate) subject: String,
    /// Only the blocks of this entry or function.
    #[arg(value_name = "ENTRY")]
    pub(crate) entry: Option<String>,
    /// Print every block and every reason, also those that repeat others.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Print one JSON object, for other programs.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the dependency graphs with their clusters, for Graphviz.
    #[arg(long, conflicts_with = "json")]
    pub(crate) dot: bool,
    /// Print how 64 cores would share each pass, and what bounds its speed.
    #[arg(long, conflicts_with = "dot")]
    pub(crate) parallel: bool,
    /// The processor that decides which passes run in vectors, or `native`.
    #[arg(long, value_name = "CPU", value_parser = processor)]
    pub(crate) target_cpu: Option<String>,
    /// Write a page for a browser, which shows the source with its passes, arrays and reasons, under each strategy.
    #[arg(long, conflicts_with_all = ["json", "dot", "parallel", "verbose"])]
    pub(crate) html: bool,
    /// Where the page goes: FILE.html in the current folder by default, `-` is standard output.
    #[arg(short, long, value_name = "OUT", requires = "html")]
    pub(crate) output: Option<PathBuf>,
    /// How to compile.
    #[command(flatten)]
    pub(crate) options: FusionOptions,
}

/// `arrc fmt`.
#[derive(Args, Debug)]
pub(crate) struct Format {
    /// Programs, folders whose programs are meant, or `-`: then standard input is formatted to standard output.
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// Write no file. Print what would change, and fail if anything would.
    #[arg(long)]
    pub(crate) check: bool,
}

/// `arrc runtime`.
#[derive(Args, Debug)]
pub(crate) struct Runtime {
    /// Write the pool of threads, to link before the runtime: then calls use all cores.
    #[arg(long)]
    pub(crate) parallel: bool,
    /// The target of the object files; this machine's by default.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Where the library goes: libarr_runtime.a or libarr_parallel.a by default.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// `arrc install`.
#[derive(Args, Debug)]
pub(crate) struct Install {
    /// The folder below which bin, lib, include and share go, such as /usr/local.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) prefix: PathBuf,
}

/// `arrc uninstall`.
#[derive(Args, Debug)]
pub(crate) struct Uninstall {
    /// The folder that `arrc install` was given, at its present place.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) prefix: PathBuf,
}

/// `arrc completions`.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell.
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

/// `arrc build`.
#[derive(Args, Debug)]
pub(crate) struct Build {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Where the result goes; the header goes beside it. With --emit, the text.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Make a library, with the runtime inside, instead of an object file.
    #[arg(long, value_enum, value_name = "KIND", conflicts_with = "exe", group = "linked")]
    pub(crate) lib: Option<Library>,
    /// Make a program that takes an entry's arguments on its command line.
    #[arg(long, group = "linked")]
    pub(crate) exe: bool,
    /// Make a server: a program that keeps values and calls entries as a client asks, in the protocol of Futhark's
    /// servers.
    #[arg(long, group = "linked", conflicts_with_all = ["lib", "exe", "prefix", "emit", "passes", "unique_names", "bindings"])]
    pub(crate) server: bool,
    /// Write wrappers of the functions for these languages beside the header.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LANGUAGE", conflicts_with_all = ["exe", "emit", "python"])]
    pub(crate) bindings: Vec<Language>,
    /// Make a package of Python with the functions, as a folder and as a wheel, which needs NumPy only.
    #[arg(long, group = "linked", conflicts_with_all = ["lib", "exe", "prefix", "target", "depfile", "emit", "passes"])]
    pub(crate) python: bool,
    /// The version of the package.
    #[arg(long, value_name = "VERSION", default_value = "0.1.0", requires = "python", value_parser = package_version)]
    pub(crate) package_version: String,
    /// Print forms of the program instead of making anything.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STAGE", conflicts_with_all = ["lib", "exe"])]
    pub(crate) emit: Vec<Emit>,
    /// Write a rule for make to this file, which says what files the result depends on.
    #[arg(long, value_name = "PATH", conflicts_with = "emit")]
    pub(crate) depfile: Option<PathBuf>,
    /// Write absolute paths to the rule, for a build system that reads it in another folder.
    #[arg(long, requires = "depfile")]
    pub(crate) depfile_absolute: bool,
    /// Link a library or a program with this C source, object file or static library; may be given
    /// several times.
    #[arg(long, value_name = "PATH", requires = "linked")]
    pub(crate) link: Vec<PathBuf>,
    /// The processor to compile for: `native`, or an LLVM name; `help` lists the names. A list of levels of x86-64, such as
    /// `x86-64,x86-64-v3`, compiles the program for each level. By default, libraries, packages and programs have code for
    /// x86-64, x86-64-v3 and x86-64-v4. Object files have the instructions that every processor of the target has.
    #[arg(long, value_name = "CPU", value_parser = processor)]
    pub(crate) target_cpu: Option<String>,
    /// What the names of the C functions begin with.
    #[arg(long, value_name = "PREFIX", conflicts_with = "exe")]
    pub(crate) prefix: Option<String>,
    /// Define only the names by which the header calls the functions. So objects of programs with entries of one name can be
    /// linked together.
    #[arg(long, conflicts_with_all = ["exe", "python", "emit"])]
    pub(crate) unique_names: bool,
    /// Adds functions that run each pass over a chunk of its arrays, and writes FILE.passes.json, which tells an engine
    /// how to call them
    #[arg(long, conflicts_with = "exe")]
    pub(crate) passes: bool,
    /// Add the lines of the source to the code, for debuggers and profilers.
    #[arg(short = 'g')]
    pub(crate) debug: bool,
    /// Print the values of `trace` and `trace_as` to standard error. Without it, they are not in the code.
    #[arg(long)]
    pub(crate) trace: bool,
    /// The target triple; this machine's by default.
    #[arg(long, value_name = "TRIPLE")]
    pub(crate) target: Option<String>,
    /// Put a sanitizer's checks into the code, which is then linked by `clang -fsanitize=SANITIZER`. With `--exe` it is linked so.
    #[arg(long, value_enum, value_name = "SANITIZER", conflicts_with = "python")]
    pub(crate) sanitize: Option<Sanitizer>,
    /// How to compile.
    #[command(flatten)]
    pub(crate) options: FusionOptions,
    /// How hard to optimise.
    #[command(flatten)]
    pub(crate) level: Level,
}

impl Build {
    /// Whether the result is a program.
    pub(crate) fn is_program(&self) -> bool {
        self.exe || self.server
    }
}

/// `arrc run`.
#[derive(Args, Debug)]
pub(crate) struct Run {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The entry, which may be left out if the program has only one, and then its arguments:
    /// literals such as `[1,2,3]` or `2.5f32`, `@file.npy`, `@file.npz:name`, `@file.csv:column`,
    /// or `@-` for a file from standard input.
    #[arg(value_name = "ENTRY ARG", allow_negative_numbers = true, trailing_var_arg = true)]
    pub(crate) entry: Vec<String>,
    /// Run the program in the reference interpreter instead of compiling it.
    #[arg(long, conflicts_with_all = ["target_cpu", "fusion", "cost", "level"])]
    pub(crate) interpret: bool,
    /// Run pass by pass over chunks of the arrays, which stay in files: for data that are larger than memory.
    #[arg(long, conflicts_with = "interpret")]
    pub(crate) out_of_core: bool,
    /// The most bytes of a chunk of an array.
    #[arg(long, value_name = "N", default_value = "67108864", requires = "out_of_core")]
    pub(crate) chunk_bytes: NonZeroUsize,
    /// Link the program with this C source, object file or static library, which defines externals;
    /// may be given several times.
    #[arg(long, value_name = "PATH", conflicts_with = "interpret")]
    pub(crate) link: Vec<PathBuf>,
    /// Write the results to NAME.npy, or NAME0.npy, NAME1.npy, … if there are several; or all to NAME.npz, if that is the name.
    #[arg(short, long, value_name = "NAME")]
    pub(crate) output: Option<PathBuf>,
    /// Read this value for each cell of a table that has none: that is empty, or `NA`, `N/A` or `null`. Otherwise such a cell is
    /// an error.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    pub(crate) missing: Option<String>,
    /// Write the texts of `@file.csv:codes(column)` and their numbers to this table.
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) dictionary: Option<PathBuf>,
    /// Draw the results into OUT.svg, OUT.png or OUT.html, by their shapes: two arrays or [n][2] as points, an array as a
    /// line, [h][w] and [h][w][3] as an image.
    #[arg(long, value_name = "OUT")]
    pub(crate) plot: Option<PathBuf>,
    /// Draw as these kinds of marks, one after the other.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "KIND", requires = "plot")]
    pub(crate) plot_as: Vec<Kind>,
    /// Draw the arguments too, under the results.
    #[arg(long, requires = "plot")]
    pub(crate) plot_arguments: bool,
    /// The most threads that the call uses; 0: as many as ARR_NUM_THREADS says, or all that the process may use.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "interpret")]
    pub(crate) threads: usize,
    /// The processor to compile for: `native`, or an LLVM name.
    #[arg(long, value_name = "CPU", default_value = "native", value_parser = processor)]
    pub(crate) target_cpu: String,
    /// How to compile.
    #[command(flatten)]
    pub(crate) options: FusionOptions,
    /// How hard to optimise.
    #[command(flatten)]
    pub(crate) level: Level,
}

/// `arrc bench`.
#[derive(Args, Debug)]
pub(crate) struct Bench {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// An entry and its arguments, as for `arrc run`, or types with sizes such as `[1000]f64`, for which
    /// values are made up. Without arguments, the calls of the test blocks are timed. Options come before the
    /// entry: whatever follows its name is an argument.
    #[arg(value_name = "ENTRY ARG", allow_negative_numbers = true, trailing_var_arg = true)]
    pub(crate) entry: Vec<String>,
    /// The fusion strategies; the first is what the others are compared with.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "STRATEGY", default_values_t = [Fusion::Ilp, Fusion::Megiddo, Fusion::Stream, Fusion::None])]
    pub(crate) strategies: Vec<Fusion>,
    /// How often each call is timed.
    #[arg(long, value_name = "N", default_value = "9")]
    pub(crate) rounds: NonZeroUsize,
    /// The most threads that calls use; 0: all that the process may use.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) threads: usize,
    /// How far the floats of two strategies may be apart, relative to their size.
    #[arg(long, value_name = "X", default_value_t = TOLERANCE)]
    pub(crate) tolerance: f64,
    /// Print one JSON object, for other programs.
    #[arg(long)]
    pub(crate) json: bool,
    /// Link the program with this C source, object file or static library, which defines externals;
    /// may be given several times.
    #[arg(long, value_name = "PATH")]
    pub(crate) link: Vec<PathBuf>,
    /// The processor to compile for: `native`, or an LLVM name.
    #[arg(long, value_name = "CPU", default_value = "native", value_parser = processor)]
    pub(crate) target_cpu: String,
    /// How hard to optimise.
    #[command(flatten)]
    pub(crate) level: Level,
}

/// `arrc test`.
#[derive(Args, Debug)]
pub(crate) struct Test {
    /// Programs, and folders whose programs are meant.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// Only the tests of this entry; may be given several times.
    #[arg(long, value_name = "NAME")]
    pub(crate) entry: Vec<String>,
    /// Skip the tests that have this tag; may be given several times.
    #[arg(long, value_name = "TAG")]
    pub(crate) exclude: Vec<String>,
    /// Print the tests instead of running them.
    #[arg(long)]
    pub(crate) list: bool,
    /// Run each test under every fusion strategy, at -O0 and -O3, and in the interpreter.
    #[arg(long, conflicts_with_all = ["interpret", "fusion", "level"])]
    pub(crate) strategies: bool,
    /// Run the tests in the reference interpreter instead of compiling.
    #[arg(short, long, conflicts_with_all = ["fusion", "cost", "level"])]
    pub(crate) interpret: bool,
    /// The most threads that calls use; 0: all that the process may use. With several numbers, each call runs with each
    /// of them, every pass that may run on several threads does, and all results must have the same bits.
    #[arg(long, value_delimiter = ',', value_name = "N", default_values_t = [0], conflicts_with = "interpret")]
    pub(crate) threads: Vec<usize>,
    /// How long a test may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0, value_parser = seconds)]
    pub(crate) timeout: f64,
    /// How many processes test at the same time; one for each core by default.
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// How far floats may be from the expected ones, relative to their size: a millionth by default, and 0.002 in a file
    /// that ends in .fut.
    #[arg(long, value_name = "X")]
    pub(crate) tolerance: Option<f64>,
    /// The seed of the values that properties are tested with.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Put the checks of AddressSanitizer into the code: a read or a write outside of an allocation fails the test.
    #[arg(long, value_name = "SANITIZER", value_parser = ["address"], conflicts_with = "interpret")]
    pub(crate) sanitize: Option<String>,
    /// The processor to compile for: `native`, or an LLVM name.
    #[arg(long, value_name = "CPU", default_value = "native", value_parser = processor)]
    pub(crate) target_cpu: String,
    /// Repeat each call with memory of the caller for the results, which must have the same bits.
    #[arg(long, conflicts_with_all = ["interpret", "host"], hide = true)]
    pub(crate) into: bool,
    /// The target to compile for, if another program makes the calls.
    #[arg(long, value_name = "TRIPLE", requires = "host", hide = true)]
    pub(crate) target: Option<String>,
    /// A program that makes the calls. Its arguments are the object files, and tests/host shows what it reads and writes.
    #[arg(long, value_name = "PROGRAM", conflicts_with_all = ["interpret", "strategies", "sanitize"], hide = true)]
    pub(crate) host: Option<PathBuf>,
    /// How to compile.
    #[command(flatten)]
    pub(crate) options: FusionOptions,
    /// How hard to optimise.
    #[command(flatten)]
    pub(crate) level: Level,
}

/// A processor. `help` prints the names of all, and ends the program.
fn processor(text: &str) -> Result<String, Infallible> {
    if text == "help" {
        let levels = "levels of x86_64, of which a program can have several: x86-64 x86-64-v2 x86-64-v3 x86-64-v4\n";
        let all = arrc_llvm::processors();
        let all = all.map(|(arch, names)| format!("{arch}: native {}\n", names.join(" ")));
        print!("{levels}{}", all.concat());
        process::exit(0);
    }
    Ok(text.to_owned())
}

/// Checks that the time can be waited for.
fn seconds(text: &str) -> Result<f64, String> {
    const LONGEST: f64 = 1e6;
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds was expected".to_string())?;
    if seconds > 0.0 && seconds <= LONGEST {
        Ok(seconds)
    } else {
        Err(format!("a number above 0, and up to {LONGEST}, was expected"))
    }
}

/// Checks that the version is valid for a Python package.
fn package_version(text: &str) -> Result<String, String> {
    let version = r"^(0|[1-9]\d*)(\.(0|[1-9]\d*))*((a|b|rc)(0|[1-9]\d*))?(\.post(0|[1-9]\d*))?(\.dev(0|[1-9]\d*))?$";
    if Regex::new(version).expect("it is a regular expression").is_match(text) {
        Ok(text.to_owned())
    } else {
        Err("a version such as 1.0, 0.2.1 or 2.0rc1 was expected".to_owned())
    }
}

/// What `arrc test` starts.
#[derive(Args, Debug)]
pub(crate) struct TestChild {
    /// The program.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// How tests are run.
    #[arg(long, value_enum)]
    pub(crate) way: Way,
    /// The most threads that calls use.
    #[arg(long, value_delimiter = ',', default_values_t = [0])]
    pub(crate) threads: Vec<usize>,
    /// Compare calls without expected results with the interpreter.
    #[arg(long)]
    pub(crate) oracle: bool,
    /// Repeat each call with memory of the caller for the results.
    #[arg(long)]
    pub(crate) into: bool,
    /// How far floats may be apart.
    #[arg(long)]
    pub(crate) tolerance: Option<f64>,
    /// The seed of made up values.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// The processor to compile for.
    #[arg(long, default_value = "native")]
    pub(crate) target_cpu: String,
    /// The target to compile for.
    #[arg(long)]
    pub(crate) target: Option<String>,
    /// The program that makes the calls.
    #[arg(long)]
    pub(crate) host: Option<PathBuf>,
    /// The sanitizer whose checks are in the code, and whose library is loaded.
    #[arg(long, value_enum)]
    pub(crate) sanitize: Option<Sanitizer>,
    /// How to compile.
    #[command(flatten)]
    pub(crate) options: FusionOptions,
    /// How hard to optimise.
    #[command(flatten)]
    pub(crate) level: Level,
}
