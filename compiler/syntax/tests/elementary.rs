//! How far the elementary functions are from the exact results, and what they give where those are no numbers.
//!
//! Invariant: an error is measured against the exact result: of `f32` by the C library in `f64`, of `f64` in multiple
//! precision. The night (`ARR_TESTS=all`) takes every `f32`, 10⁹ pairs for `pow`, and 10⁸ `f64`s for each function.

use arr_libm::Libm;
use arrc_syntax::prim::elementary::{Compute, Elementary, power_of_f32};
use astro_float::{BigFloat, Consts, RoundingMode};

/// The greatest errors in units of the last place of `f32` and `f64`, as the reference has them.
const BOUND: fn(Elementary) -> [f64; 2] = |function| match function {
    Elementary::Exp => [1.1, 1.1],
    Elementary::Exp2 => [1.1, 1.2],
    Elementary::Log | Elementary::Log2 => [0.9, 0.8],
    Elementary::Sin | Elementary::Cos => [1.6, 0.9],
    Elementary::Tanh => [1.5, 1.5],
};

/// Of a power of `f32`.
const POW_BOUND: f64 = 0.55;

/// Digits of the exact results.
const PRECISION: usize = 192;

fn all() -> bool {
    std::env::var_os("ARR_TESTS").is_some_and(|value| value == "all")
}

/// By C's function.
fn of_c<T: Libm>(function: Elementary, x: T) -> T {
    match function {
        Elementary::Exp => x.exp(),
        Elementary::Exp2 => x.exp2(),
        Elementary::Log => x.log(),
        Elementary::Log2 => x.log2(),
        Elementary::Sin => x.sin(),
        Elementary::Cos => x.cos(),
        Elementary::Tanh => x.tanh(),
    }
}

/// In multiple precision.
fn exact(function: Elementary, x: f64, constants: &mut Consts) -> BigFloat {
    let (x, how) = (BigFloat::from_f64(x, PRECISION), RoundingMode::None);
    match function {
        Elementary::Exp => x.exp(PRECISION, how, constants),
        Elementary::Exp2 => BigFloat::from_f64(2.0, PRECISION).pow(&x, PRECISION, how, constants),
        Elementary::Log => x.ln(PRECISION, how, constants),
        Elementary::Log2 => x.log2(PRECISION, how, constants),
        Elementary::Sin => x.sin(PRECISION, how, constants),
        Elementary::Cos => x.cos(PRECISION, how, constants),
        Elementary::Tanh => x.tanh(PRECISION, how, constants),
    }
}

/// The exponent of a unit in the last place of results of about that size.
fn last_place(magnitude: f64, digits: i32, least: i32) -> i32 {
    let exponent = i32::try_from(magnitude.abs().to_bits() >> 52).expect("11 bits") - 1023;
    exponent.max(least) - digits
}

/// 2 to the power of a normal exponent.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(u64::try_from(exponent + 1023).expect("a normal exponent") << 52)
}

/// The error of an `f32`, in units of the last place.
fn error_of_f32(got: f32, exact: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, reason = "it rounds")]
    let nearest = exact as f32;
    if got.to_bits() == nearest.to_bits() || (got.is_nan() && nearest.is_nan()) {
        return 0.5;
    }
    if !got.is_finite() || !exact.is_finite() {
        // The largest number and infinity are neighbours.
        let neighbours = got.abs().to_bits().abs_diff(nearest.abs().to_bits()) == 1;
        return if neighbours { 1.0 } else { f64::INFINITY };
    }
    (f64::from(got) - exact).abs() / power_of_two(last_place(exact, 23, -126))
}

/// The error of an `f64`, in units of the last place; the result is normal.
fn error_of_f64(got: f64, exact: &BigFloat) -> f64 {
    let how = RoundingMode::None;
    let unit = BigFloat::from_f64(power_of_two(last_place(got, 52, -970)), PRECISION);
    let difference = BigFloat::from_f64(got, PRECISION).sub(exact, PRECISION, how);
    let error: f64 =
        difference.div(&unit, PRECISION, how).abs().to_string().parse().expect("a number");
    error
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from 0 to 1.
    fn unit(&mut self) -> f64 {
        f64::from_bits((self.bits() >> 12) | 1.0_f64.to_bits()) - 1.0
    }
}

#[test]
fn functions_of_f32_are_as_near_as_they_say() {
    let step = if all() { 1 } else { 50_021 };
    for function in Elementary::ALL {
        let [bound, _] = BOUND(function);
        for bits in (0..=u32::MAX).step_by(step) {
            let x = f32::from_bits(bits);
            let error = error_of_f32(x.compute(function), of_c(function, f64::from(x)));
            assert!(error <= bound, "{} of {x:e}: {error} units", function.name());
        }
    }
}

#[test]
fn functions_of_f64_are_as_near_as_they_say() {
    let count = if all() { 100_000_000 } else { 40_000 };
    let mut constants = Consts::new().expect("memory for constants");
    for function in Elementary::ALL {
        let [_, bound] = BOUND(function);
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        for n in 0..count {
            let (unit, any) = (random.unit() - 0.5, f64::from_bits(random.bits()));
            let x = match (function, n % 3) {
                (Elementary::Exp, 0) => unit * 1400.0,
                (Elementary::Exp2, 0) => unit * 2000.0,
                (Elementary::Exp | Elementary::Exp2, _) => unit * 4.0,
                (Elementary::Log | Elementary::Log2, 0) => any.abs(),
                (Elementary::Log | Elementary::Log2, 1) => 1.0 + unit,
                (Elementary::Log | Elementary::Log2, _) => 1.0 + unit * 0.01,
                (Elementary::Sin | Elementary::Cos, 0) => any,
                (Elementary::Sin | Elementary::Cos, 1) => unit * 2.2e6,
                (Elementary::Sin | Elementary::Cos, _) => unit * 10.0,
                (Elementary::Tanh, 0) => unit * 40.0,
                (Elementary::Tanh, _) => unit * 3.0,
            };
            let got = x.compute(function);
            // Where C's function agrees, the error is that of both, and about half a unit.
            let agrees = got.to_bits() == of_c(function, x).to_bits() || got.is_nan();
            if (agrees && n > 500) || !x.is_normal() || !got.is_normal() {
                continue;
            }
            let error = error_of_f64(got, &exact(function, x, &mut constants));
            assert!(error <= bound, "{} of {x:e}: {error} units", function.name());
        }
    }
}

#[test]
fn powers_of_f32_are_as_near_as_they_say() {
    let count = if all() { 1_000_000_000 } else { 200_000 };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for n in 0..count {
        let bits = random.bits().to_le_bytes();
        let [a, b, c, d, e, f, g, h] = bits;
        let (any, other) = (f32::from_le_bytes([a, b, c, d]), f32::from_le_bytes([e, f, g, h]));
        #[allow(clippy::cast_possible_truncation, reason = "it rounds")]
        let (x, y) = match n % 3 {
            0 => (any, other),
            // Results of every exponent.
            1 => (any.abs(), ((random.unit() - 0.5) * 300.0 / f64::from(any).abs().log2()) as f32),
            _ => ((random.unit() * 10.0) as f32, ((random.unit() - 0.5) * 50.0) as f32),
        };
        let error = error_of_f32(power_of_f32(x, y), f64::from(x).pow(f64::from(y)));
        assert!(error <= POW_BOUND, "{x:e} ** {y:e}: {error} units");
    }
}

/// What the functions give, by bits but for NaN.
fn gives(function: Elementary, cases: &[(f64, f64)]) {
    let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    for &(x, y) in cases {
        let got = x.compute(function);
        assert!(same(got, y), "{} of {x:e} is {got:e}", function.name());
        #[allow(clippy::cast_possible_truncation, reason = "these are exact")]
        let (single, wide) = (x as f32, f64::from(x as f32));
        if same(x, wide) {
            let got = f64::from(single.compute(function));
            assert!(same(got, y), "{} of {single:e}f32 is {got:e}", function.name());
        }
    }
}

#[test]
fn special_values_are_those_of_c() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let powers =
        [(0.0, 1.0), (-0.0, 1.0), (inf, inf), (-inf, 0.0), (nan, nan), (1e30, inf), (-1e30, 0.0)];
    gives(Elementary::Exp, &powers);
    gives(Elementary::Exp2, &powers);
    let logarithms =
        [(1.0, 0.0), (0.0, -inf), (-0.0, -inf), (inf, inf), (-1.0, nan), (-inf, nan), (nan, nan)];
    gives(Elementary::Log, &logarithms);
    gives(Elementary::Log2, &logarithms);
    gives(Elementary::Sin, &[(0.0, 0.0), (-0.0, -0.0), (inf, nan), (-inf, nan), (nan, nan)]);
    gives(Elementary::Cos, &[(0.0, 1.0), (-0.0, 1.0), (inf, nan), (-inf, nan), (nan, nan)]);
    gives(
        Elementary::Tanh,
        &[(0.0, 0.0), (-0.0, -0.0), (inf, 1.0), (-inf, -1.0), (nan, nan), (1e30, 1.0)],
    );
}

#[test]
fn powers_and_logarithms_of_two_are_exact() {
    for exponent in -1074..1024 {
        let x = f64::from(exponent);
        let power = x.compute(Elementary::Exp2);
        assert_eq!(power.to_bits(), of_c(Elementary::Exp2, x).to_bits(), "{exponent}");
        assert_eq!(power.compute(Elementary::Log2), x);
    }
    for exponent in -149_i16..128 {
        let x = f32::from(exponent);
        let power = x.compute(Elementary::Exp2);
        assert_eq!(power.to_bits(), of_c(Elementary::Exp2, x).to_bits(), "{exponent}");
        assert_eq!(power.compute(Elementary::Log2), x);
    }
}

#[test]
fn thresholds_are_those_of_c() {
    // The last numbers with a finite power, the last with one that is not 0, and some between.
    for function in [Elementary::Exp, Elementary::Exp2] {
        let ln = if function == Elementary::Exp { std::f64::consts::LN_2 } else { 1.0 };
        for threshold in [1024.0, -1022.0, -1074.0, -1075.0] {
            for n in -100_i32..100 {
                let x = f64::from_bits((threshold * ln).to_bits().wrapping_add_signed(n.into()));
                let (got, c) = (x.compute(function), of_c(function, x));
                let apart = got.to_bits().abs_diff(c.to_bits());
                assert!(apart <= 1, "{} of {x:e} is {got:e}, not {c:e}", function.name());
            }
        }
    }
}

#[test]
fn angles_far_away_are_reduced_with_enough_digits() {
    // The `f64` that is nearest to a multiple of π / 2, relative to itself, and others that are near.
    let mut constants = Consts::new().expect("memory for constants");
    for x in [6_381_956_970_095_103.0 * power_of_two(797), 1e22, 1e300, 999_999.5, 1e6, f64::MAX] {
        for function in [Elementary::Sin, Elementary::Cos] {
            let error = error_of_f64(x.compute(function), &exact(function, x, &mut constants));
            assert!(error <= BOUND(function)[1], "{} of {x:e}: {error} units", function.name());
        }
    }
}

#[test]
fn special_powers_are_those_of_c() {
    let numbers = [
        0.0,
        1.0,
        0.5,
        2.0,
        3.0,
        1.5,
        8_388_607.5,
        8_388_609.0,
        16_777_215.0,
        16_777_216.0,
        1e-45,
        0.999_999_94,
        1.000_000_1,
        1e38,
        f32::MAX,
        f32::MIN_POSITIVE,
        f32::INFINITY,
        f32::NAN,
    ];
    let signed = || numbers.into_iter().flat_map(|x| [x, -x]);
    for (x, y) in signed().flat_map(|x| signed().map(move |y| (x, y))) {
        let error = error_of_f32(power_of_f32(x, y), f64::from(x).pow(f64::from(y)));
        assert!(error <= POW_BOUND, "{x:e} ** {y:e} is {:e}", power_of_f32(x, y));
    }
}

#[test]
fn logarithms_of_subnormal_numbers_are_as_near() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for function in [Elementary::Log, Elementary::Log2] {
        for _ in 0..10_000 {
            let x = f64::from_bits(random.bits() >> 12 >> (random.bits() % 52));
            let (got, c) = (x.compute(function), of_c(function, x));
            assert!(got.to_bits().abs_diff(c.to_bits()) <= 1, "{} of {x:e}", function.name());
        }
    }
}
