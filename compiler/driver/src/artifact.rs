//! `arrc build`: object files, headers, libraries, programs, and the texts of forms.

use std::path::{self, Path, PathBuf};

use arrc_fusion::chunked;
use arrc_fusion::specialise::Traces;
use arrc_llvm::{Cpu, Module, Names, OptLevel};
use arrc_pipeline as pipeline;
use arrc_pipeline::{Compiled, Stage};
use arrc_syntax::source::Sources;

use crate::archive::archive;
use crate::cli::{Build, Emit, Library};
use crate::error::{DriverError, Failure};
use crate::header::header;
use crate::link::{self, Exports, Host, write};
use crate::linked::Linked;
use crate::package::Package;
use crate::report::{Reporter, output};
use crate::target::Target;
use crate::unique::Unique;
use crate::{bindings, names, program, server, source};

/// Builds the artifacts that the command asks for.
pub(crate) fn build(build: &Build, reporter: &mut Reporter) -> Result<(), Failure> {
    let stages = build.emit.iter().filter_map(|&emit| stage(emit)).collect();
    let options = pipeline::Options {
        method: build.options.method(),
        emit: stages,
        passes: build.passes,
        traces: Traces::asked(build.trace),
        ..pipeline::Options::default()
    };
    let (sources, mut compiled) = source::compile(&build.file, &options)?;
    if build.python {
        return python(build, &sources, compiled, reporter);
    }
    let prefix = if build.is_program() {
        program::PREFIX
    } else {
        build.prefix.as_deref().unwrap_or_default()
    };
    for entry in &mut compiled.program.entries {
        entry.name = format!("{prefix}{}", entry.name).into();
    }
    compiled.passes.rename(&|name| format!("{prefix}{name}").into());
    reporter.warn(&sources, &compiled.warnings)?;
    if build.emit.is_empty() {
        let wrong = names::check_linked(&compiled.program);
        if !wrong.is_empty() {
            return Err(Failure::Diagnostics { sources, diagnostics: wrong });
        }
        let unique = (!build.is_program()).then(|| Unique::new(build, &sources, prefix));
        artifacts(build, &sources, &compiled, unique.as_ref())
    } else {
        forms(build, &sources, &compiled)
    }
}

/// Makes a package of Python.
fn python(
    build: &Build,
    sources: &Sources,
    mut compiled: Compiled,
    reporter: &mut Reporter,
) -> Result<(), Failure> {
    reporter.warn(sources, &compiled.warnings)?;
    if compiled.program.entries.is_empty() {
        return Err(DriverError::NoEntries { path: build.file.clone() }.into());
    }
    let mut wrong = names::check_package(&compiled.program);
    let package = Package::new(&build.file, &mut compiled);
    wrong.extend(names::check_linked(&compiled.program));
    if !wrong.is_empty() {
        return Err(Failure::Diagnostics { sources: sources.clone(), diagnostics: wrong });
    }
    let program = &compiled.program;
    let folder = link::temporary()?;
    let [object, library] = ["program.o", &package.library()].map(|name| folder.path().join(name));
    write(&object, &code(build, sources, &compiled, Names::Plain)?.object())?;
    let linked = Linked {
        target: Target::own(),
        source: &build.file,
        files: &build.link,
        sanitizer: None,
        unique: None,
    };
    let mut objects = vec![object];
    objects.extend(linked.objects(program, folder.path())?);
    let exports = Exports { program, names: &Names::Plain, has_lines: build.debug };
    link::shared(&objects, exports, folder.path(), &library, Host::Python)
        .map_err(|error| linked.explained(error, program, sources))?;
    Ok(package.write(build, &library)?)
}

/// Prints the requested forms, in the order in which the compiler makes them.
fn forms(build: &Build, sources: &Sources, compiled: &Compiled) -> Result<(), Failure> {
    let mut wanted = build.emit.clone();
    wanted.sort_unstable();
    wanted.dedup();
    let mut text = String::new();
    for emit in wanted {
        text.push_str(&form(emit, compiled, || code(build, sources, compiled, Names::Plain))?);
    }
    match &build.output {
        Some(path) => write(path, text.as_bytes())?,
        None => output(&text),
    }
    Ok(())
}

/// One form as text. `code` makes the code for forms of LLVM.
pub(crate) fn form(
    emit: Emit,
    compiled: &Compiled,
    code: impl FnOnce() -> Result<Module, Failure>,
) -> Result<String, Failure> {
    let Some(stage) = stage(emit) else {
        let code = code()?;
        return Ok(match emit {
            Emit::Vectors => code.vectors(),
            Emit::Asm => code.assembly(),
            Emit::Llvm
            | Emit::Ast
            | Emit::Core
            | Emit::Cnf
            | Emit::Graph
            | Emit::Ilp
            | Emit::Clusters
            | Emit::Process
            | Emit::Procedure
            | Emit::Concrete
            | Emit::Accesses
            | Emit::Generators
            | Emit::Passes => code.ir(),
        });
    };
    Ok(compiled.emitted.get(&stage).cloned().unwrap_or_default())
}

/// The stage of the pipeline that prints the form; none for forms of LLVM.
pub(crate) fn stage(emit: Emit) -> Option<Stage> {
    match emit {
        Emit::Ast => Some(Stage::Ast),
        Emit::Core => Some(Stage::Core),
        Emit::Cnf => Some(Stage::Cnf),
        Emit::Graph => Some(Stage::Graph),
        Emit::Ilp => Some(Stage::Ilp),
        Emit::Clusters => Some(Stage::Clusters),
        Emit::Process => Some(Stage::Process),
        Emit::Procedure => Some(Stage::Procedure),
        Emit::Concrete => Some(Stage::Concrete),
        Emit::Accesses => Some(Stage::Accesses),
        Emit::Generators => Some(Stage::Generators),
        Emit::Passes => Some(Stage::Passes),
        Emit::Vectors | Emit::Llvm | Emit::Asm => None,
    }
}

/// Makes what is no text of a form. A program has no unique names, since nothing is linked with it.
fn artifacts(
    build: &Build,
    sources: &Sources,
    compiled: &Compiled,
    unique: Option<&Unique>,
) -> Result<(), Failure> {
    if compiled.program.entries.is_empty() {
        return Err(DriverError::NoEntries { path: build.file.clone() }.into());
    }
    let stem = build
        .file
        .file_stem()
        .map_or_else(|| "program".into(), |stem| stem.to_string_lossy().into_owned());
    let output = build.output.clone().unwrap_or_else(|| PathBuf::from(file_name(build, &stem)));
    let is_static = matches!(build.lib, Some(Library::Static | Library::StaticParallel));
    let names = match unique.map(|unique| unique.before().to_owned()) {
        Some(before) if is_static || build.unique_names => Names::Unique(before),
        Some(before) => Names::Both(before),
        None => Names::Plain,
    };
    let has_runtime = build.lib.is_some() || build.is_program();
    let target = has_runtime.then(|| Target::named(build.target.as_deref())).transpose()?;
    let code = code(build, sources, compiled, names.clone())?;
    check_folder(&output)?;
    if let Some(path) = &build.depfile {
        write(path, rule(build, &output, sources).as_bytes())?;
    }
    let object = code.object();
    let Some(target) = target else {
        write(&output, &object)?;
        return Ok(write_header(build, compiled, unique, &output)?);
    };
    let folder = link::temporary()?;
    let object_path = folder.path().join(format!("{stem}.o"));
    write(&object_path, &object)?;
    let program = &compiled.program;
    let linked = Linked {
        target,
        source: &build.file,
        files: &build.link,
        sanitizer: build.sanitize,
        unique,
    };
    let mut objects = vec![object_path];
    if let Some(unique) = unique.filter(|_| is_static && !build.unique_names) {
        objects.push(plain_names(build, compiled, unique, folder.path(), &stem)?);
    }
    objects.extend(linked.objects(program, folder.path())?);
    match build.lib {
        // The user of a library may define the missing symbols.
        Some(Library::Shared) => {
            let exports = Exports { program, names: &names, has_lines: build.debug };
            link::shared(&objects, exports, folder.path(), &output, Host::Other(target))?
        }
        Some(Library::Static) => archive(target, &objects, &[link::Library::Runtime], &output)?,
        Some(Library::StaticParallel) => {
            archive(target, &objects, &[link::Library::Parallel, link::Library::Runtime], &output)?
        }
        None => {
            let main = if build.server {
                server::main(compiled, sources, build.sanitize)
            } else {
                program::main(program, build.sanitize)
            };
            return link::executable(
                target,
                &objects,
                &main,
                folder.path(),
                &output,
                (build.sanitize, build.debug),
            )
            .map_err(|error| linked.explained(error, program, sources));
        }
    }
    Ok(write_header(build, compiled, unique, &output)?)
}

/// Writes the member of a static library that has the plain names. The linker takes it only for callers that do not use
/// the header.
fn plain_names(
    build: &Build,
    compiled: &Compiled,
    unique: &Unique,
    folder: &Path,
    stem: &str,
) -> Result<PathBuf, Failure> {
    let path = folder.join(format!("{stem}_names.o"));
    let options = backend(build, Names::Plain);
    let names = arrc_llvm::plain_names(&compiled.program, unique.before(), &options);
    write(&path, &names.map_err(DriverError::Backend)?.object())?;
    Ok(path)
}

/// The files that the result depends on, as a rule for make.
fn rule(build: &Build, output: &Path, sources: &Sources) -> String {
    let place = |path: &str| match path::absolute(path) {
        Ok(path) if build.depfile_absolute => path.display().to_string(),
        Ok(_) | Err(_) => path.to_owned(),
    };
    let escaped = |path: &str| path.replace('$', "$$").replace('#', "\\#").replace(' ', "\\ ");
    let files = sources.iter().filter(|(_, source)| !source.is_library);
    let files: Vec<String> = files.map(|(_, source)| escaped(&place(&source.path))).collect();
    format!("{}: {}\n", escaped(&place(&output.display().to_string())), files.join(" "))
}

/// Checks that the folder of the output exists, before a tool is started.
fn check_folder(output: &Path) -> Result<(), DriverError> {
    let unwritable = |reason: &str| {
        Err(DriverError::Unwritable { path: output.to_path_buf(), reason: reason.to_owned() })
    };
    match output.parent() {
        _ if output.is_dir() => unwritable("it is a folder"),
        Some(folder) if folder != Path::new("") && !folder.is_dir() => {
            unwritable("there is no such folder")
        }
        Some(_) | None => Ok(()),
    }
}

/// The name of the result if none is given. It is in the current folder, as with `cc`.
fn file_name(build: &Build, stem: &str) -> String {
    match build.lib {
        Some(Library::Static | Library::StaticParallel) => format!("lib{stem}.a"),
        Some(Library::Shared) => format!("lib{stem}.so"),
        None if build.is_program() => stem.to_string(),
        None => format!("{stem}.o"),
    }
}

/// Writes the header beside the result: `quickhull.h` for `quickhull.o` and `libquickhull.so`. If chunks were asked
/// for, it also writes how the entries run over chunks.
fn write_header(
    build: &Build,
    compiled: &Compiled,
    unique: Option<&Unique>,
    output: &Path,
) -> Result<(), DriverError> {
    let stem =
        output.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
    let name = if build.lib.is_some() { stem.strip_prefix("lib").unwrap_or(&stem) } else { &stem };
    if build.passes {
        let passes = format!("{:#}\n", chunked::json(&compiled.passes));
        write(&output.with_file_name(format!("{name}.passes.json")), passes.as_bytes())?;
    }
    let source =
        build.file.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let path = output.with_file_name(format!("{name}.h"));
    write(&path, header(&source, &compiled.program, unique).as_bytes())?;
    let Some(unique) = unique else { return Ok(()) };
    bindings::write_all(&build.bindings, &source, &compiled.program, unique, &path)
}

fn code(
    build: &Build,
    sources: &Sources,
    compiled: &Compiled,
    names: Names,
) -> Result<Module, Failure> {
    compile(compiled, sources, &backend(build, names))
}

/// The options of the code generator.
fn backend(build: &Build, names: Names) -> arrc_llvm::Options {
    arrc_llvm::Options {
        opt_level: level(build.level.level),
        triple: build.target.clone(),
        cpu: build
            .target_cpu
            .as_deref()
            .map_or_else(|| usual_processors(build), Cpu::from_argument),
        features: Vec::new(),
        vectors: build.level.vectors.into(),
        only_lowered: false,
        remarks: build.emit.contains(&Emit::Vectors),
        sanitizer: build.sanitize.map(Into::into),
        debug: build.debug,
        names,
    }
}

/// The levels of x86-64 for which a library, a package or a program has code unless processors are named. Level 2 has no wider
/// vectors than level 1.
const USUAL_LEVELS: [&str; 3] = ["x86-64", "x86-64-v3", "x86-64-v4"];

/// The processors to compile for unless they are named. Without vectors, levels differ little.
fn usual_processors(build: &Build) -> Cpu {
    let runs_anywhere = build.lib.is_some() || build.is_program() || build.python;
    let triple = build.target.clone().unwrap_or_else(arrc_llvm::default_target);
    let has_vectors = matches!(level(build.level.level), OptLevel::O2 | OptLevel::O3);
    if runs_anywhere && has_vectors && build.sanitize.is_none() && triple.starts_with("x86_64") {
        return Cpu::Levels(USUAL_LEVELS.map(str::to_owned).to_vec());
    }
    Cpu::Baseline
}

/// Compiles the program to machine code.
pub(crate) fn compile(
    compiled: &Compiled,
    sources: &Sources,
    options: &arrc_llvm::Options,
) -> Result<Module, Failure> {
    arrc_llvm::compile(&compiled.program, sources, options)
        .map_err(|error| DriverError::Backend(error).into())
}

/// The optimisation level of a number that clap has checked already.
pub(crate) fn level(level: u8) -> OptLevel {
    match level {
        0 => OptLevel::O0,
        1 => OptLevel::O1,
        2 => OptLevel::O2,
        _ => OptLevel::O3,
    }
}
