//! Lines of the source in the object file, for debuggers and profilers: DWARF.
//!
//! Invariant: an instruction has the line of the operation that it computes, in a file of the user. For an operation inside of the
//! library, that is the line of the user's call. A function with line information has it from its first instruction on: LLVM
//! requires a place for each call that can be inlined.
//!
//! ```text
//! 3 │ map (\x -> x * x) xs     fmul <4 x double> …, !dbg !DILocation(line: 3, column: 12, scope: !"dot")
//! ```

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use arrc_syntax::ids::FileId;
use arrc_syntax::source::Span;
use inkwell::debug_info::{
    AsDIScope, DICompileUnit, DIFile, DIFlags, DIFlagsConstants, DILocation, DIScope, DISubprogram,
    DWARFEmissionKind, DWARFSourceLanguage, DebugInfoBuilder,
};
use inkwell::module::{FlagBehavior, Module};
use inkwell::values::FunctionValue;

use super::Unit;

/// The version of LLVM's form of debug information, which LLVM asks of each module.
const FORM: u64 = 3;
/// The version of DWARF.
const DWARF: u64 = 5;

/// The debug information of a module under construction.
pub(crate) struct Lines<'ctx> {
    pub(super) builder: DebugInfoBuilder<'ctx>,
    unit: DICompileUnit<'ctx>,
    pub(super) is_optimised: bool,
    files: RefCell<BTreeMap<FileId, DIFile<'ctx>>>,
}

/// The line information of a function: its scope, and the file of the scope.
#[derive(Clone, Copy)]
pub(crate) struct FunctionLines<'ctx> {
    pub(super) scope: DISubprogram<'ctx>,
    pub(super) file: FileId,
}

impl<'ctx> Lines<'ctx> {
    pub(super) fn new(
        module: &Module<'ctx>,
        (file, folder): (&str, &str),
        is_optimised: bool,
    ) -> Self {
        let number = |value| module.get_context().i32_type().const_int(value, false);
        for (name, value) in [("Debug Info Version", FORM), ("Dwarf Version", DWARF)] {
            module.add_basic_value_flag(name, FlagBehavior::Warning, number(value));
        }
        let producer = concat!("arrc ", env!("CARGO_PKG_VERSION"));
        let (builder, unit) = module.create_debug_info_builder(
            true,
            // DWARF has no number for Arr. Debuggers know the expressions of C.
            DWARFSourceLanguage::C,
            file,
            folder,
            producer,
            is_optimised,
            "",
            0,
            "",
            DWARFEmissionKind::Full,
            0,
            true,
            false,
            "",
            "",
        );
        Self { builder, unit, is_optimised, files: RefCell::default() }
    }

    /// Ends the description of the module.
    pub(crate) fn finish(&self) {
        self.builder.finalize();
    }
}

impl<'ctx> Unit<'ctx, '_> {
    /// Adds line information to a function, if the module has it. Debuggers show the function under `name`.
    pub(crate) fn begin_lines(
        &self,
        function: FunctionValue<'ctx>,
        name: &str,
        span: Span,
    ) -> Option<FunctionLines<'ctx>> {
        let lines = self.lines.as_ref()?;
        let span = self.in_users_files(span);
        let (file, line) = (self.file(lines, span.file), self.sources.line_col(span).line);
        let ty = lines.builder.create_subroutine_type(file, None, &[], DIFlags::PUBLIC);
        let scope = lines.builder.create_function(
            lines.unit.as_debug_info_scope(),
            name,
            // Debuggers would show the symbol instead of the name.
            Some(""),
            file,
            line,
            ty,
            false,
            true,
            line,
            DIFlags::PUBLIC,
            lines.is_optimised,
        );
        function.set_subprogram(scope);
        Some(FunctionLines { scope, file: span.file })
    }

    /// The place of an operation in a function.
    pub(crate) fn line(&self, of: FunctionLines<'ctx>, span: Span) -> Option<DILocation<'ctx>> {
        let lines = self.lines.as_ref()?;
        let span = self.in_users_files(span);
        let at = self.sources.line_col(span);
        let scope: DIScope<'ctx> = if span.file == of.file {
            of.scope.as_debug_info_scope()
        } else {
            let (outer, file) = (of.scope.as_debug_info_scope(), self.file(lines, span.file));
            lines
                .builder
                .create_lexical_block(outer, file, at.line, at.column)
                .as_debug_info_scope()
        };
        let context = self.context;
        Some(lines.builder.create_debug_location(context, at.line, at.column, scope, None))
    }

    /// A place, or the user's call that leads to it from the library.
    fn in_users_files(&self, span: Span) -> Span {
        self.users_call(span).unwrap_or(span)
    }

    pub(super) fn file(&self, lines: &Lines<'ctx>, file: FileId) -> DIFile<'ctx> {
        let make = || {
            let (name, folder) = split(&self.sources.get(file).path);
            lines.builder.create_file(&name, &folder)
        };
        *lines.files.borrow_mut().entry(file).or_insert_with(make)
    }
}

/// The name of a file, and its folder, for debuggers.
pub(super) fn split(path: &str) -> (String, String) {
    let whole = std::path::absolute(path).unwrap_or_else(|_| Path::new(path).to_path_buf());
    let text =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    (text(whole.file_name()), text(whole.parent().map(Path::as_os_str)))
}
