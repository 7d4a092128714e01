//! The least and the greatest of floats in vectors: NaN of both kinds, and zeros of both signs.

use crate::support::native::{Native, arg, lend, load, options, out};
use arrc_llvm::{OptLevel, Options, Vectors};

/// The least and the greatest element.
fn extremes(ty: &str) -> String {
    format!(
        "entry extremes [n] (xs: [n]{ty}): ({ty}, {ty}) =
          (reduce_comm {ty}.min {ty}.inf xs, reduce_comm {ty}.max (-{ty}.inf) xs)"
    )
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
            load(&extremes(ty), &options)
        };
        let (wide, narrow) = (options("f64"), options("f32"));
        for length in (0..67).chain([130]) {
            // Each time a few kinds are used, so that each kind comes at every place of a vector.
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
