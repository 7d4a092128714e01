//! Every test of what users see, as one test program: `cargo test -p arr_tests -- FILTER`.

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let suites: &[fn() -> Vec<Trial>] = &[
        arr_tests::golden::trials,
        arr_tests::edits::trials,
        arr_tests::hostile::trials,
        arr_tests::run::trials,
        arr_tests::formatter::trials,
        arr_tests::forms::trials,
        arr_tests::aarch64::trials,
        arr_tests::cross::trials,
        arr_tests::large::trials,
        arr_tests::levels::trials,
        arr_tests::traces::trials,
        arr_tests::lines::trials,
        arr_tests::lsp::trials,
        arr_tests::memory::trials,
        arr_tests::partition::trials,
        arr_tests::random::trials,
        arr_tests::server::trials,
        arr_tests::shapes::trials,
        arr_tests::oracle::trials,
        arr_tests::examples::trials,
        arr_tests::explorer::trials,
        arr_tests::chunks::trials,
        arr_tests::abi::trials,
        arr_tests::together::trials,
        arr_tests::install::trials,
        arr_tests::bindings::trials,
        arr_tests::crates::trials,
        arr_tests::docs::trials,
        arr_tests::endless::trials,
        arr_tests::soak::trials,
        arr_tests::spellings::trials,
        || vec![arr_tests::fusion::trial()],
        arr_tests::python::trials,
        arr_tests::tidy::trials,
        || arr_tests::fuzz::trials(env!("CARGO_BIN_EXE_arr-fuzz")),
        || arr_tests::arguments::trials(env!("CARGO_BIN_EXE_arr-arguments")),
    ];
    let trials = suites.iter().flat_map(|suite| suite()).collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
