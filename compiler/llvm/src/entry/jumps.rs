//! Functions with the plain names of entries, which jump to those with the unique names.
//!
//! Invariant: a jump leaves all arguments where they are, so one text fits every signature.
//!
//! ```text
//! run: jmp arr_0123_run@PLT        b arr_0123_run
//! ```

use std::fmt::Write;

use arr_abi::layout::SUFFIXES;
use arrc_loops::concrete::Program;

use super::signature::gives_arrays;
use crate::target::Arch;

/// The assembly of the functions. `before` is the beginning of the unique names.
pub(crate) fn assembly(program: &Program, before: &str, arch: Arch) -> String {
    let mut text = String::from(".text\n");
    for entry in &program.entries {
        let kinds = if gives_arrays(&program.functions[entry.function]) { 2 } else { 1 };
        for suffix in SUFFIXES.iter().take(kinds).flatten() {
            let name = format!("{}{suffix}", entry.name);
            let jump = match arch {
                Arch::X86 => format!("jmp {before}{name}@PLT"),
                Arch::Aarch64 => format!("b {before}{name}"),
            };
            write!(
                text,
                ".globl {name}\n.type {name},@function\n.p2align 2\n{name}:\n{jump}\n.size {name}, .-{name}\n"
            )
            .expect("writing to a string succeeds");
        }
    }
    text
}
