//! What is emitted for a processor that need not be this one.

use arrc_core::ir::procedure::concrete::Function;
use arrc_llvm::{Cpu, Module, Options};

use super::build::{program, sources};

pub const X86: &str = "x86_64-unknown-linux-gnu";
pub const ARM: &str = "aarch64-unknown-linux-gnu";

/// A program of one function, for a target.
pub fn compile(function: Function, triple: &str, cpu: &str) -> Module {
    let options = Options {
        triple: Some(triple.to_owned()),
        cpu: Cpu::from_argument(cpu),
        ..Options::default()
    };
    arrc_llvm::compile(&program(vec![function]), &sources(), &options).expect("it compiles")
}

/// The text of all blocks of these names, in LLVM's IR after optimisation.
pub fn blocks(module: &Module, names: &[&str]) -> String {
    let ir = module.ir();
    let mut inside = false;
    let mut text = Vec::new();
    for line in ir.lines() {
        if let Some((label, _)) = line.split_once(':').filter(|_| !line.starts_with(' ')) {
            // `.i` where it was inlined, and a number where there are several.
            let name = label.trim_end_matches(".i").trim_end_matches(char::is_numeric);
            inside = names.contains(&name);
        }
        if inside {
            text.push(line);
        }
    }
    assert!(!text.is_empty(), "there is a vector loop in\n{ir}");
    text.join("\n")
}
