//! Floats between limits: the instructions that they take with AVX2. `tests/run` has the results.

mod support;

use arrc_llvm::{Cpu, Options};
use support::source;

/// The assembly of a program.
fn assembly(text: &str) -> String {
    let source = source::arr(text);
    let options = Options {
        triple: Some("x86_64-linux-gnu".into()),
        cpu: Cpu::Named("x86-64-v3".into()),
        ..Options::default()
    };
    let module =
        arrc_llvm::compile(&source.program, &source.sources, &options).expect("it compiles");
    module.assembly()
}

#[test]
fn limits_of_a_pass_take_a_comparison_and_a_choice() {
    let assembly = assembly(
        "entry within [n] (xs: [n]f32) (low: f32) (high: f32): [n]f32 =
          map (\\x -> f32.max low (f32.min high x)) xs",
    );
    assert!(assembly.contains("vblendvps"), "{assembly}");
    for extreme in ["vminps", "vmaxps"] {
        assert!(!assembly.contains(extreme), "an extreme needs more choices:\n{assembly}");
    }
}

#[test]
fn numbers_in_range_are_converted_at_once() {
    let extremes = |text: &str| {
        let assembly = assembly(text);
        let is_vector = |line: &&str| line.contains("vmaxps") || line.contains("vminps");
        let conversions = assembly.matches("vcvttps2dq").count();
        assert!(conversions > 0, "{assembly}");
        assembly.lines().filter(is_vector).count() / conversions
    };
    let limited = "entry bytes [n] (xs: [n]f32): [n]u8 =
        map (\\x -> u8.f32 (f32.max 0 (f32.min 255 (x * x)))) xs";
    let limited_on_one_side = "entry bytes [n] (xs: [n]f32): [n]u8 =
        map (\\x -> u8.f32 (f32.min 255 (x * x))) xs";
    assert_eq!(extremes(limited), 2);
    assert_eq!(extremes(limited_on_one_side), 3);
}
