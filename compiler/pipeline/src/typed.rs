//! From text to the typed program, with the diagnostics of the front end.
//!
//! Invariant: a program without errors has its core. The diagnostics are those of the phases up to the first one that
//! found an error, sorted by place.
//!
//! ```text
//! def f xs = sum xs + y   ⇒   no core; error[A0201]: `y` is not defined
//! ```

use arrc_front::core;
use arrc_front::load;
use arrc_front::load::Loader;
use arrc_front::places::Places;
use arrc_front::{indices, infer, lint, repair, traps, unique};
use arrc_syntax::ast;
use arrc_syntax::diagnostics;
use arrc_syntax::diagnostics::{Diagnostic, Severity};
use arrc_syntax::ids::FileId;
use arrc_syntax::parse;
use arrc_syntax::source::{Sources, Span};
use arrc_syntax::stdlib;

use super::verified;

/// What somebody wants of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// The program and its diagnostics.
    Program,
    /// What is known of the places of the text, and the diagnostics as they are found, soon: no change that mends a mistake
    /// is tried.
    Places,
    /// What can be named in the place of the name at this place. There are no diagnostics.
    Sight(Span),
}

/// What the front end makes of a text.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The prelude.
    pub prelude: ast::File,
    /// The trees of the files.
    pub ast: ast::Program,
    /// The typed program, if nothing is wrong with its types.
    pub core: Option<core::Program>,
    /// What is known of the places of the text, as far as it was wanted.
    pub places: Places,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

/// Types a file, and those that it imports from `loader`.
#[must_use]
pub fn typed(sources: &mut Sources, file: FileId, loader: &dyn Loader, wish: Wish) -> Typed {
    let prelude = prelude(sources);
    let (ast, read) = load::load(sources, file, loader);
    // The nodes that stand for mistakes have spans of their own, which need not nest.
    if read.is_empty() {
        verified("ast", || ast.files.iter().try_for_each(ast::verify));
    }
    // Inference also runs if parts of the text could not be read, so that all errors are reported at once.
    let ((core, found), places) = match wish {
        Wish::Program => (infer::infer(&prelude, &ast), Places::default()),
        Wish::Places => infer::infer_places(&prelude, &ast, None),
        Wish::Sight(asked) => infer::infer_places(&prelude, &ast, Some(asked)),
    };
    let diagnostics = match wish {
        Wish::Program => {
            let mut right = repair::RightEdits::new(sources, &prelude, &ast);
            let all = repair::repair(sources, &prelude, &ast, read, found);
            let advise = &mut |found| right.with_right_helps(found);
            diagnostics(sources, (&prelude, &ast), core.as_ref(), all, advise)
        }
        Wish::Places => {
            let all = [read, found].concat();
            diagnostics(sources, (&prelude, &ast), core.as_ref(), all, &mut |found| found)
        }
        Wish::Sight(_) => Vec::new(),
    };
    Typed { prelude, ast, core, places, diagnostics }
}

/// The prelude, parsed. It is part of the compiler, so an error in it is an error of the compiler.
pub(crate) fn prelude(sources: &mut Sources) -> ast::File {
    let id = sources.add_library(stdlib::PRELUDE_FILE, stdlib::PRELUDE);
    let (file, errors) = parse::parse(sources, id);
    assert!(errors.is_empty(), "the prelude parses: {errors:?}");
    file
}

/// The diagnostics of the parser and of type inference, and what later phases find in the program. `advise` tries the
/// changes that these propose.
fn diagnostics(
    sources: &Sources,
    (prelude, ast): (&ast::File, &ast::Program),
    core: Option<&core::Program>,
    mut all: Vec<Diagnostic>,
    advise: &mut dyn FnMut(Vec<Diagnostic>) -> Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let phases: [&dyn Fn() -> Vec<Diagnostic>; 3] = [
        &|| core.iter().flat_map(|core| unique::unique(core, prelude.id)).collect(),
        &|| core.iter().flat_map(|core| indices::indices(core, prelude.id)).collect(),
        &|| {
            let traps = core.iter().flat_map(|core| traps::traps(core, sources));
            traps.chain(ast.files.iter().flat_map(lint::lint)).collect()
        },
    ];
    for phase in phases {
        if all.iter().any(is_error) {
            break;
        }
        all.extend(advise(phase()));
    }
    diagnostics::sort(&mut all);
    if let Some(core) = core.filter(|_| !all.iter().any(is_error)) {
        verified("core", || core::verify(core));
    }
    all
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}
