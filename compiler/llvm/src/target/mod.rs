//! The machine for which code is generated. Its names are checked before LLVM gets them.
//!
//! Invariant: a [`Target`] has 64-bit pointers, and its processor and features are ones that LLVM
//! knows.

pub(crate) mod isa;
mod names;

use inkwell::OptimizationLevel;
use inkwell::targets::{
    CodeModel, InitializationConfig, RelocMode, Target as LlvmTarget, TargetMachine, TargetTriple,
};

use self::isa::Isa;
use self::names::{AARCH64_CPUS, AARCH64_FEATURES, X86_CPUS, X86_FEATURES};
use crate::error::Error;
use crate::options::{Cpu, Names, OptLevel, Options, Vectors};

/// A machine.
#[derive(Debug)]
pub(crate) struct Target {
    /// LLVM's side of it. It emits nothing: see [`Target::emitter`].
    pub(crate) machine: TargetMachine,
    level: OptimizationLevel,
    /// The architecture.
    pub(crate) arch: Arch,
    /// The processor, by LLVM's name.
    pub(crate) cpu: String,
    /// Features, as LLVM reads them: `+avx2,-avx512f`.
    pub(crate) features: String,
    /// How C passes a struct of more than two words by value.
    pub(crate) structs: StructPassing,
    /// The vector instructions of the processor.
    pub(crate) isa: Isa,
    /// Whether passes run in vectors of ours.
    pub(crate) vectors: bool,
    /// The assumed size of the last cache, in bytes.
    pub(crate) cache: u64,
}

/// Arrays of more bytes together are taken to be beyond the last cache. Current caches have 8 to 64 MiB. The size that
/// the system reports is not reliable: in a virtual machine it may be that of the whole host.
/// `scripts/bench map_map_i32` stores so at 16,777,216 steps: maps, scans and divisions take 0.6 to 0.9 of the time
/// there. In a prototype, such stores took up to 2.9 times as long in a cache.
const CACHE: u64 = 64 << 20;

/// Parts of target triples whose object files are Mach-O or COFF. The module defines the plain names of entries by assembly
/// for ELF.
const OTHER_FORMATS: [&str; 6] = ["apple", "darwin", "macos", "macho", "windows", "uefi"];

/// How C passes a struct of more than two words by value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StructPassing {
    /// As a copy on the stack, among the arguments (System V on x86).
    OnStack,
    /// As a pointer to a copy of the caller's (ARM, and Windows on x86).
    ByPointer,
}

impl Target {
    /// The machine that the options name.
    pub(crate) fn new(options: &Options) -> Result<Self, Error> {
        LlvmTarget::initialize_x86(&InitializationConfig::default());
        LlvmTarget::initialize_aarch64(&InitializationConfig::default());
        let triple = match &options.triple {
            Some(triple) => TargetMachine::normalize_triple(&TargetTriple::create(triple)),
            None => TargetMachine::get_default_triple(),
        };
        let text = triple.as_str().to_string_lossy().into_owned();
        let unknown = || Error::UnknownTarget { triple: text.clone() };
        let arch = Arch::of(&text).ok_or_else(unknown)?;
        if matches!(options.names, Names::Both(_))
            && OTHER_FORMATS.iter().any(|part| text.contains(part))
        {
            return Err(Error::NoPlainNames { triple: text });
        }
        let target = LlvmTarget::from_triple(&triple).map_err(|_| unknown())?;
        let (cpu, mut all_features) = processor(&options.cpu, arch, &text)?;
        for feature in &options.features {
            all_features.push(arch.check_feature(feature)?);
        }
        let features = all_features.join(",");
        let level = codegen_level(options.opt_level);
        let machine = machine(&target, &triple, &cpu, &features, level).ok_or_else(unknown)?;
        if machine.get_target_data().get_pointer_byte_size(None) != 8 {
            return Err(unknown());
        }
        let structs = match arch {
            Arch::X86 if !text.contains("windows") => StructPassing::OnStack,
            Arch::X86 | Arch::Aarch64 => StructPassing::ByPointer,
        };
        let isa = match arch {
            Arch::X86 => Isa::of_x86(&machine, &cpu, &features),
            Arch::Aarch64 => Isa::Neon,
        };
        if matches!(isa, Isa::Avx2 | Isa::Avx512) {
            all_features.push(NO_GATHERS.to_owned());
        }
        let features = all_features.join(",");
        let fast = matches!(options.opt_level, OptLevel::O2 | OptLevel::O3);
        let (vectors, cache) = match options.vectors {
            Vectors::Auto => (fast, CACHE),
            Vectors::Streamed => (fast, 0),
            Vectors::None => (false, CACHE),
        };
        Ok(Self { machine, level, arch, cpu, features, structs, isa, vectors, cache })
    }

    /// A machine that emits one file.
    ///
    /// LLVM's machine remembers the addresses of the globals that a module keeps, and takes a global
    /// of the next module at the same address for one of them: emitting twice with one machine gives
    /// bytes that depend on the allocator.
    pub(crate) fn emitter(&self) -> TargetMachine {
        emitter(&self.machine, &self.cpu, &self.features, self.level)
    }
}

/// A machine like another.
fn emitter(
    like: &TargetMachine,
    cpu: &str,
    features: &str,
    level: OptimizationLevel,
) -> TargetMachine {
    let triple = like.get_triple();
    machine(&like.get_target(), &triple, cpu, features, level)
        .unwrap_or_else(|| panic!("LLVM made this machine before: {triple}"))
}

fn machine(
    target: &LlvmTarget,
    triple: &TargetTriple,
    cpu: &str,
    features: &str,
    level: OptimizationLevel,
) -> Option<TargetMachine> {
    target.create_target_machine(triple, cpu, features, level, RelocMode::PIC, CodeModel::Default)
}

/// The whole name of a target that there is code for.
pub(crate) fn whole_name(triple: &str) -> Result<String, Error> {
    let options = Options { triple: Some(triple.to_owned()), ..Options::default() };
    let triple = Target::new(&options)?.machine.get_triple();
    Ok(triple.as_str().to_string_lossy().into_owned())
}

/// The names of the processors of each architecture.
pub(crate) fn processors() -> [(&'static str, &'static [&'static str]); 2] {
    [Arch::X86, Arch::Aarch64].map(|arch| (arch.name(), arch.cpus()))
}

/// An architecture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arch {
    X86,
    Aarch64,
}

impl Arch {
    fn of(triple: &str) -> Option<Self> {
        match triple.split('-').next() {
            Some("x86_64") => Some(Self::X86),
            Some("aarch64" | "arm64") => Some(Self::Aarch64),
            Some(_) | None => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::X86 => "x86_64",
            Self::Aarch64 => "aarch64",
        }
    }

    /// What every processor of the architecture has.
    fn baseline(self) -> &'static str {
        match self {
            Self::X86 => "x86-64",
            Self::Aarch64 => "generic",
        }
    }

    fn cpus(self) -> &'static [&'static str] {
        match self {
            Self::X86 => X86_CPUS,
            Self::Aarch64 => AARCH64_CPUS,
        }
    }

    fn features(self) -> &'static [&'static str] {
        match self {
            Self::X86 => X86_FEATURES,
            Self::Aarch64 => AARCH64_FEATURES,
        }
    }

    fn check_feature(self, feature: &str) -> Result<String, Error> {
        let name = feature.strip_prefix(['+', '-']);
        if name.is_some_and(|name| self.features().contains(&name)) {
            return Ok(feature.to_owned());
        }
        Err(Error::UnknownFeature {
            feature: feature.to_owned(),
            arch: self.name(),
            similar: similar(name.unwrap_or(feature), self.features()),
        })
    }
}

/// Keeps gather instructions out of the loops that LLVM vectorises. It takes them for rows of 8 or more elements, which
/// scalar loads read in a quarter to four fifths of the time.
const NO_GATHERS: &str = "+prefer-no-gather";

/// LLVM's name of the processor, and the features that it does not imply.
fn processor(cpu: &Cpu, arch: Arch, triple: &str) -> Result<(String, Vec<String>), Error> {
    match cpu {
        Cpu::Baseline => Ok((arch.baseline().to_owned(), Vec::new())),
        Cpu::Native => {
            let host = TargetMachine::get_default_triple();
            if Arch::of(&host.as_str().to_string_lossy()) != Some(arch) {
                return Err(Error::NativeElsewhere { triple: triple.to_owned() });
            }
            let name = TargetMachine::get_host_cpu_name().to_string_lossy().into_owned();
            let features = TargetMachine::get_host_cpu_features().to_string_lossy().into_owned();
            Ok((name, vec![features]))
        }
        Cpu::Named(name) if arch.cpus().contains(&name.as_str()) => Ok((name.clone(), Vec::new())),
        Cpu::Levels(_) => panic!("code is generated for one level at a time"),
        Cpu::Named(name) => Err(Error::UnknownCpu {
            cpu: name.clone(),
            arch: arch.name(),
            similar: similar(name, arch.cpus()),
        }),
    }
}

fn codegen_level(level: OptLevel) -> OptimizationLevel {
    match level {
        OptLevel::O0 => OptimizationLevel::None,
        OptLevel::O1 => OptimizationLevel::Less,
        OptLevel::O2 => OptimizationLevel::Default,
        OptLevel::O3 => OptimizationLevel::Aggressive,
    }
}

/// Up to three names that differ little from `name`, nearest first.
fn similar(name: &str, names: &'static [&'static str]) -> Vec<&'static str> {
    let mut near: Vec<_> = names
        .iter()
        .map(|known| (edit_distance(name, known), *known))
        .filter(|&(distance, known)| distance <= 1 + known.len() / 4)
        .collect();
    near.sort_unstable();
    near.into_iter().take(3).map(|(_, known)| known).collect()
}

/// The number of letters to insert, remove or change to turn one into the other.
fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(triple: &str, cpu: &str, features: &[&str]) -> Options {
        Options {
            triple: Some(triple.to_owned()),
            cpu: Cpu::from_argument(cpu),
            features: features.iter().map(|&feature| feature.to_owned()).collect(),
            ..Options::default()
        }
    }

    #[test]
    fn what_is_not_there_is_an_error_with_advice() {
        let cases: &[(Options, &str, &str)] = &[
            (
                options("vax-dec-vms", "native", &[]),
                "cannot compile for the target `vax-dec-vms`",
                "64-bit",
            ),
            (options("x86_64-pc-linux-gnux32", "x86-64", &[]), "cannot compile for", "64-bit"),
            (
                options("x86_64-linux-gnu", "zenver3", &[]),
                "`zenver3` is no x86_64 processor",
                "znver3",
            ),
            (options("x86_64-linux-gnu", "athlon-xp", &[]), "`athlon-xp` is no", "athlon-fx"),
            (options("x86_64-linux-gnu", "zzzzzzzz", &[]), "`zzzzzzzz` is no", "`native`"),
            (options("aarch64-linux-gnu", "x86-64", &[]), "is no aarch64 processor", ""),
            (options("x86_64-linux-gnu", "x86-64", &["+axv2"]), "`+axv2` is no feature", "avx2"),
            (options("x86_64-linux-gnu", "x86-64", &["avx2"]), "`avx2` is no feature", "avx2"),
            (options("x86_64-linux-gnu", "x86-64", &["-sse2"]), "`-sse2` is no feature", "sse3"),
        ];
        for (options, message, help) in cases {
            let error = Target::new(options).expect_err("no such machine");
            assert!(error.to_string().contains(message), "{error}");
            assert!(error.help().contains(help), "{}", error.help());
        }
        let elsewhere = if cfg!(target_arch = "x86_64") { "aarch64" } else { "x86_64" };
        let error = Target::new(&options(&format!("{elsewhere}-linux-gnu"), "native", &[]));
        assert!(matches!(error, Err(Error::NativeElsewhere { .. })));
    }

    #[test]
    fn defaults_are_the_baseline_of_the_host() {
        let target = Target::new(&Options::default()).expect("the host is a target");
        assert_eq!(
            (target.cpu == "x86-64", target.features.as_str()),
            (cfg!(target_arch = "x86_64"), "")
        );
    }

    #[test]
    fn a_processor_has_what_its_features_imply() {
        for (cpu, features, isa) in [
            ("x86-64", &[][..], Isa::Sse2),
            ("x86-64", &["+sse3"], Isa::Sse2),
            ("x86-64", &["+sse4.2"], Isa::Ssse3),
            ("x86-64", &["+avx"], Isa::Ssse3),
            ("x86-64", &["+avx512f"], Isa::Avx2),
            ("x86-64", &["+avx512dq"], Isa::Avx2),
            ("x86-64", &["+avx512dq", "+avx512vl"], Isa::Avx512),
            ("x86-64-v3", &[], Isa::Avx2),
            ("x86-64-v3", &["-avx2"], Isa::Ssse3),
            ("x86-64-v4", &[], Isa::Avx512),
            ("x86-64-v4", &["-ssse3"], Isa::Sse2),
            ("skylake-avx512", &["-avx512dq"], Isa::Avx2),
            ("znver1", &[], Isa::Avx2),
        ] {
            let target = Target::new(&options("x86_64-linux-gnu", cpu, features));
            assert_eq!(target.expect("a known processor").isa, isa, "{cpu} {features:?}");
        }
    }

    /// Run by the next test in a process of its own, so that what LLVM prints can be read.
    #[test]
    #[ignore = "only for `llvm_knows_every_name`"]
    fn use_every_name() {
        for (triple, arch) in
            [("x86_64-linux-gnu", Arch::X86), ("aarch64-linux-gnu", Arch::Aarch64)]
        {
            for cpu in arch.cpus() {
                Target::new(&options(triple, cpu, &[])).expect("a known processor");
            }
            for feature in arch.features() {
                let both = [format!("+{feature}"), format!("-{feature}")];
                for feature in &both {
                    Target::new(&options(triple, arch.baseline(), &[feature]))
                        .expect("a known feature");
                }
            }
        }
    }

    #[test]
    fn llvm_knows_every_name() {
        let program = std::env::current_exe().expect("the test runs");
        let output = std::process::Command::new(program)
            .args(["--exact", "--ignored", "--nocapture", "target::tests::use_every_name"])
            .output()
            .expect("the test runs once more");
        let (printed, said) = (output.stderr, output.stdout);
        assert!(output.status.success() && String::from_utf8_lossy(&said).contains("1 passed"));
        assert_eq!(String::from_utf8_lossy(&printed), "");
    }
}
