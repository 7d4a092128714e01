//! Compiles the programs, which the crate includes as modules.

fn main() {
    arrc_build::Build::new("../matmul.arr").ndarray(true).compile();
    arrc_build::Build::new("../normalize2.arr").parallel(false).compile();
}
