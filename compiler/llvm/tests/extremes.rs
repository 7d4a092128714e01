//! The least and the greatest of floats in vectors: NaN of both kinds, and zeros of both signs.

mod support;

use arrc_core::ir::cnf::Order;
use arrc_core::ir::procedure::concrete::{Function, Length};
use arrc_core::prim::{BinOp, Const, Scalar};
use arrc_llvm::{Cpu, OptLevel, Options, Vectors};
use support::build::*;
use support::emitted::{ARM, X86, blocks, compile};
use support::native::{Native, arg, lend, load, options, out};

/// The least and the greatest element.
fn extremes(ty: Scalar) -> Function {
    let mut f = Fun::new("extremes");
    let (xs, _) = f.param_vec("xs", ty);
    let i = f.scalar("i", Scalar::I64);
    let [x, least, greatest] = ["x", "least", "greatest"].map(|name| f.scalar(name, ty));
    let [min, max] = [BinOp::Min, BinOp::Max].map(|op| f.bin_worker(op, ty));
    let mut pass = Pass::new(i, Length::Array(xs));
    let low = pass.acc(ty, Const::float(ty, f64::INFINITY));
    let high = pass.acc(ty, Const::float(ty, f64::NEG_INFINITY));
    let order = Order::Commutative;
    pass.body(vec![next(x, i, xs), update(low, order, min, x), update(high, order, max, x)]);
    pass.read(least, low).read(greatest, high);
    f.step(pass.step());
    f.returns(&[v(least), v(greatest)])
}

/// Bits of `f64`: a NaN that signals and one that does not, zeros, and numbers.
const WIDE: [u64; 8] = [
    0x7ff0_0000_0000_0001,
    0xfff8_0000_0000_0000,
    0,
    1 << 63,
    0x3ff0_0000_0000_0000,
    0xbff0_0000_0000_0000,
    0x7ff0_0000_0000_0000,
    1,
];
/// The same of `f32`.
const NARROW: [u32; 8] =
    [0x7f80_0001, 0xffc0_0000, 0, 1 << 31, 0x3f80_0000, 0xbf80_0000, 0x7f80_0000, 1];

#[test]
fn nan_is_ignored_and_zeros_are_ordered() {
    let machines = [Vectors::Auto, Vectors::None];
    for vectors in machines {
        let options = |ty| {
            let options = Options { vectors, ..options(OptLevel::O3) };
            load(&program(vec![extremes(ty)]), &options)
        };
        let (wide, narrow) = (options(Scalar::F64), options(Scalar::F32));
        for length in (0..67).chain([130]) {
            // Of a few kinds each time, which come at every place of a vector.
            for kinds in [[0, 2, 3, 3], [0, 1, 4, 4], [3, 3, 3, 2], [0, 1, 0, 1], [0, 5, 6, 7]] {
                for shift in 0..5 {
                    let kind = |at: usize| kinds[(at * 7 + at / 5 + shift) % 4];
                    let xs: Vec<f64> =
                        (0..length).map(|at| f64::from_bits(WIDE[kind(at)])).collect();
                    check(&wide, &xs, |x| x.to_bits(), |x| x.is_nan());
                    let xs: Vec<f32> =
                        (0..length).map(|at| f32::from_bits(NARROW[kind(at)])).collect();
                    check(&narrow, &xs, |x| u64::from(x.to_bits()), |x| x.is_nan());
                }
            }
        }
    }
}

fn check<T: Copy + Into<f64> + Default>(
    native: &Native,
    xs: &[T],
    bits: impl Fn(T) -> u64,
    is_nan: impl Fn(T) -> bool,
) {
    let (mut least, mut greatest) = (T::default(), T::default());
    native
        .call("extremes", &[out(&mut least), out(&mut greatest)], &[arg(&lend(xs))])
        .expect("no error");
    let numbers = || xs.iter().copied().filter(|&x| !is_nan(x));
    let order = |a: &T, b: &T| f64::total_cmp(&(*a).into(), &(*b).into());
    let shown: Vec<u64> = xs.iter().map(|&x| bits(x)).collect();
    match (numbers().min_by(order), numbers().max_by(order)) {
        (Some(low), Some(high)) => {
            assert_eq!((bits(least), bits(greatest)), (bits(low), bits(high)), "{shown:x?}");
        }
        _ => assert_eq!((least.into(), greatest.into()), (f64::INFINITY, f64::NEG_INFINITY)),
    }
}

#[test]
fn what_is_left_is_made_in_single_vectors() {
    for (triple, cpu, lanes) in [(X86, "x86-64-v3", 4), (X86, "znver4", 8), (ARM, "generic", 2)] {
        let module = compile(extremes(Scalar::F64), triple, cpu);
        let load = format!(" load <{lanes} x double>");
        let each = ["vector", "vector.single", "vector.last"].map(|name| blocks(&module, &[name]));
        let loads = each.each_ref().map(|text| text.matches(&load).count());
        assert_eq!(loads[0] % 4, 0, "{cpu}: {}", each[0]);
        assert!(loads[1] > 0 && loads[2] == 1, "{cpu}: {each:?}");
        // The last one knows which of its lanes have been seen, and there is no loop.
        assert!(each[2].contains("icmp ") && !each[2].contains("br i1 "), "{cpu}: {}", each[2]);
    }
}

#[test]
fn with_avx512_they_are_an_instruction_each() {
    let options = Options {
        triple: Some("x86_64-unknown-linux-gnu".to_owned()),
        cpu: Cpu::from_argument("znver4"),
        ..Options::default()
    };
    for (ty, range) in [(Scalar::F64, "vrangepd"), (Scalar::F32, "vrangeps")] {
        let module = arrc_llvm::compile(&program(vec![extremes(ty)]), &sources(), &options);
        let assembly = module.expect("it compiles").assembly();
        let least = format!("{range}\t$4, %zmm");
        let greatest = format!("{range}\t$5, %zmm");
        assert!(assembly.contains(&least) && assembly.contains(&greatest), "{assembly}");
    }
}
