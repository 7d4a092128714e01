//! Compiles the parser of `docs/editors/tree-sitter-arr`.

use std::path::Path;

fn main() {
    let source = Path::new("../../docs/editors/tree-sitter-arr/src");
    println!("cargo::rerun-if-changed={}", source.display());
    cc::Build::new()
        .include(source)
        .file(source.join("parser.c"))
        .opt_level(0)
        .warnings(false)
        .compile("tree-sitter-arr");
}
