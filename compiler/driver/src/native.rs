//! Compiled programs in memory, whose entries this process can call.
//!
//! Invariant: the library stays loaded as long as it can be called. Its file is removed with it.
//!
//! ```text
//! entry f (p: {x: f64, y: []f64}): i64   ⇒   inputs p_x: f64, p_y: []f64; outputs out: i64
//! ```

use arr_runtime::host::{Library, Session, SessionOptions, ValueType};
use arrc_fusion::cnf::{Entry, Type};
use arrc_llvm::Names;
use arrc_loops::concrete::Program;
use arrc_pipeline::Compiled;
use arrc_syntax::source::Sources;
use tempfile::TempDir;

use crate::artifact::compile;
use crate::error::Failure;
use crate::header::input_types;
use crate::link::{self, Exports, Host};
use crate::linked::Linked;

/// An entry with the host's types.
pub(crate) struct Signature<'a> {
    /// The entry.
    pub(crate) entry: &'a Entry,
    /// The types of its input components.
    pub(crate) inputs: Vec<ValueType>,
    /// The types of its output components.
    pub(crate) outputs: Vec<ValueType>,
}

impl<'a> Signature<'a> {
    /// The signature of an entry of a program.
    pub(crate) fn new(program: &Program, entry: &'a Entry) -> Self {
        let function = &program.functions[entry.function];
        Self {
            entry,
            inputs: input_types(function).map(value_type).collect(),
            outputs: function.results.iter().map(value_type).collect(),
        }
    }
}

/// The host's type for values of this type.
pub(crate) fn value_type(ty: &Type) -> ValueType {
    match ty {
        Type::Scalar(ty) => ValueType::Scalar(*ty),
        Type::Array { elem, shape } => ValueType::Array {
            scalar: *elem,
            rank: u32::try_from(shape.len()).expect("ranks are small"),
        },
    }
}

/// The number of threads that calls use.
#[derive(Clone, Copy, Default)]
pub(crate) struct Threads {
    /// The maximum number; 0 stands for all that the process may use.
    pub(crate) most: usize,
    /// The minimum work of a pass that runs on several threads, in nanoseconds; 0 stands for the runtime's default.
    pub(crate) grain: u64,
}

impl Threads {
    /// At most this number of threads; 0 stands for all that the process may use.
    pub(crate) fn new(most: usize) -> Self {
        Self { most, ..Self::default() }
    }
}

/// A loaded program.
pub(crate) struct Native {
    library: Library,
    _folder: TempDir,
}

impl Native {
    /// Compiles a program, links it in a temporary folder, and loads it.
    pub(crate) fn new(
        compiled: &Compiled,
        sources: &Sources,
        options: &arrc_llvm::Options,
        linked: Linked<'_>,
    ) -> Result<Self, Failure> {
        let object = compile(compiled, sources, options)?.object();
        let folder = link::temporary()?;
        let [object_path, library_path] =
            ["program.o", "libprogram.so"].map(|name| folder.path().join(name));
        link::write(&object_path, &object)?;
        let program = &compiled.program;
        let mut objects = vec![object_path];
        objects.extend(linked.objects(program, folder.path())?);
        let exports = Exports { program, names: &Names::Plain, has_lines: false };
        let host = Host::ThisProcess(linked.sanitizer);
        link::shared(&objects, exports, folder.path(), &library_path, host)
            .map_err(|error| linked.explained(error, program, sources))?;
        let library = Library::open(&library_path).expect("a library that was just linked opens");
        Ok(Self { library, _folder: folder })
    }

    /// A context for calls of the program. The calls run on threads of this process.
    pub(crate) fn session(&self, threads: Threads) -> Session<'_> {
        let options = SessionOptions {
            threads: threads.most,
            pool: Some(arr_parallel::arr_parallel_for),
            grain: threads.grain,
            ..SessionOptions::default()
        };
        Session::new(&self.library, &options).expect("a library of ours makes contexts")
    }
}
