//! Golden tests of the lowering. Each file `tests/plans/NAME.txt` is one test. Its first line names the output and the
//! processor. Then come a complete concrete program, a line of dashes, and the expected output.
//!
//! ```text
//! -- vectors x86-64-v3      the output is the vector plan of each pass, as `arrc build --emit=vectors` prints it
//! -- code x86-64-v3         the output is the LLVM IR of the program's functions at -O0
//! ```

use std::path::Path;
use std::process::ExitCode;

use arrc_llvm::{Cpu, OptLevel, Options};
use arrc_loops::concrete;
use arrc_loops::concrete::Complete;
use arrc_syntax::source::Sources;
use libtest_mimic::{Arguments, Failed};

fn main() -> ExitCode {
    let forms = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/plans");
    libtest_mimic::run(&Arguments::from_args(), arr_expect::forms(&forms, run)).exit_code()
}

fn run(shown: &str, form: &str) -> Result<String, Failed> {
    let (shown, cpu) = shown.split_once(' ').ok_or("the first line names a processor")?;
    let program = concrete::parse::<Complete>(form)?;
    program.verify()?;
    let mut sources = Sources::default();
    sources.add("form", form);
    let is_code = shown == "code";
    let options = Options {
        opt_level: if is_code { OptLevel::O0 } else { OptLevel::O3 },
        triple: Some("x86_64-unknown-linux-gnu".to_owned()),
        cpu: Cpu::Named(cpu.to_owned()),
        remarks: !is_code,
        ..Options::default()
    };
    let module = arrc_llvm::compile(&program, &sources, &options);
    let module = module.map_err(|error| error.to_string())?;
    match shown {
        "vectors" => Ok(module.vectors()),
        "code" => Ok(functions(&module.ir())),
        _ => Err(format!("`{shown}` is neither `vectors` nor `code`").into()),
    }
}

/// The definitions of the program's functions: not those that C calls, nor those of the runtime.
fn functions(ir: &str) -> String {
    let mut shown = String::new();
    let mut inside = false;
    for line in ir.lines() {
        inside |= line.starts_with("define internal") && line.contains(" @arr.");
        if inside {
            shown.push_str(line);
            shown.push('\n');
        }
        inside &= line != "}";
    }
    shown
}
