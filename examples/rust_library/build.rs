//! Compiles the program, which the crate includes as a module.

fn main() {
    arrc_build::Build::new("src/filters.arr").ndarray(true).option("--target-cpu=native").compile();
}
