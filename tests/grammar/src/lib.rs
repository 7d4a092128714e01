//! The parser of `docs/editors/tree-sitter-arr`, for the tests of this crate.

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_arr() -> *const ();
}

/// The language of the parser.
// SAFETY: the function is the one that tree-sitter generates for a grammar.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_arr) };
