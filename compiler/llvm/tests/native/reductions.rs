//! Folds: their order, NaN and -0.

use crate::support::native::{Native, arg, lend, load, options, out};
use arrc_llvm::OptLevel;

const LEVELS: [OptLevel; 4] = [OptLevel::O0, OptLevel::O1, OptLevel::O2, OptLevel::O3];

/// Folds of all elements, and of those above 0 with their number.
const FOLDS: &str = "
entry sum_of [n] (xs: [n]f64): f64 = reduce (+) (-0.0) xs
entry strict [n] (xs: [n]f64): f64 = fold (+) 0 xs
entry highest_of [n] (xs: [n]f64): f64 = reduce_comm f64.max (-f64.inf) xs
entry highest [n] (xs: [n]f64): f64 = reduce_comm f64.max f64.nan xs
entry lowest [n] (xs: [n]f64): f64 = reduce_comm f64.min f64.nan xs
entry positive [n] (xs: [n]f64): (f64, i64) =
  let ys = filter (> 0) xs in (reduce (+) (-0.0) ys, length ys)
entry highest_positive [n] (xs: [n]f64): (f64, i64) =
  let ys = filter (> 0) xs in (reduce_comm f64.max f64.nan ys, length ys)
";

fn scalar_of_array<R: Default>(native: &Native, entry: &str, xs: &[f64]) -> R {
    let mut result = R::default();
    native.call(entry, &[out(&mut result)], &[arg(&lend(xs))]).expect("no error");
    result
}

/// A fold of the elements above 0, and their number.
fn of_kept(native: &Native, entry: &str, xs: &[f64]) -> (f64, i64) {
    let (mut result, mut count) = (1.0_f64, 1_i64);
    native.call(entry, &[out(&mut result), out(&mut count)], &[arg(&lend(xs))]).expect("no error");
    (result, count)
}

#[test]
fn reductions_combine_all_and_strict_folds_keep_their_order() {
    let xs: Vec<f64> = (0..1003).map(|x| f64::from(x % 17) * 0.1 - 0.7).collect();
    let strict: f64 = xs.iter().fold(0.0, |sum, x| sum + x);
    for level in LEVELS {
        let native = load(FOLDS, &options(level));
        let sum: f64 = scalar_of_array(&native, "sum_of", &xs);
        assert!((sum - strict).abs() < 1e-9);
        assert_eq!(scalar_of_array::<f64>(&native, "strict", &xs).to_bits(), strict.to_bits());
        assert_eq!(scalar_of_array::<f64>(&native, "highest_of", &xs), 0.1 * 16.0 - 0.7);
        assert_eq!(scalar_of_array::<f64>(&native, "highest_of", &[]), f64::NEG_INFINITY);
        let (positive, count) = of_kept(&native, "positive", &xs);
        let kept: Vec<f64> = xs.iter().copied().filter(|&x| x > 0.0).collect();
        assert!((positive - kept.iter().sum::<f64>()).abs() < 1e-9);
        assert_eq!(count, i64::try_from(kept.len()).expect("small"));
    }
}

#[test]
fn signs_of_zeros_and_nan_survive_reductions() {
    for level in LEVELS {
        let native = load(FOLDS, &options(level));
        let sum = |xs: &[f64]| scalar_of_array::<f64>(&native, "sum_of", xs);
        assert!(sum(&[]).is_sign_negative() && sum(&[-0.0; 37]).is_sign_negative());
        assert!(sum(&[0.0; 37]).is_sign_positive() && sum(&[1.0, f64::NAN, 2.0]).is_nan());
        let none = [-1.0, f64::NAN, 0.0].repeat(20);
        let (positive, count) = of_kept(&native, "positive", &none);
        assert_eq!((positive.to_bits(), count), ((-0.0_f64).to_bits(), 0));
        let (highest, count) = of_kept(&native, "highest_positive", &none);
        assert!(highest.is_nan() && count == 0, "{highest}");
        let mut xs = vec![f64::NAN; 40];
        for name in ["highest", "lowest"] {
            assert!(scalar_of_array::<f64>(&native, name, &xs).is_nan());
        }
        xs[17] = -0.0;
        xs[30] = 0.0;
        let [highest, lowest] =
            ["highest", "lowest"].map(|name| scalar_of_array::<f64>(&native, name, &xs));
        assert!(highest.is_sign_positive() && lowest.is_sign_negative(), "at {level:?}");
    }
}

/// Sums of terms with a product: by themselves, with further uses of the terms, and in order.
const TERMS: &str = "
entry terms [n] (xs: [n]f64): f64 = reduce (+) 0 (map (\\x -> x * x - 1) xs)
entry of_kept [n] (xs: [n]f64): f64 = reduce (+) 0 (map (\\x -> 1 - x * x) (filter (> 0) xs))
entry highest [n] (xs: [n]f64): f64 =
  let terms = map (\\x -> x * x - 1) xs in reduce (+) 0 terms + 0 * reduce f64.max 0 terms
entry of_two [n] (xs: [n]f64): f64 = reduce (+) 0 (map (\\x -> x * x - 1.5 * x) xs)
entry strict [n] (xs: [n]f64): f64 = fold (+) 0 (map (\\x -> x * x - 1) xs)
";

#[test]
fn products_in_terms_that_only_a_sum_uses_are_not_rounded() {
    let x = 1.0 + f64::powi(2.0, -30);
    let [rounded, whole] = [x * x - 1.0, x.mul_add(x, -1.0)];
    assert_ne!(rounded, whole);
    let of_two = x * x - 1.5 * x;
    #[cfg(target_arch = "x86_64")]
    let has_fma = is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let has_fma = cfg!(target_arch = "aarch64");
    let in_sums = if has_fma { whole } else { rounded };
    for level in [OptLevel::O1, OptLevel::O2, OptLevel::O3] {
        let native = load(TERMS, &options(level));
        // The sums of a power of two of equal terms are exact.
        for count in [1_u16, 2, 4, 64] {
            let xs = vec![x; count.into()];
            for (entry, term) in [
                ("terms", in_sums),
                ("of_kept", -in_sums),
                ("highest", rounded),
                ("of_two", of_two),
                ("strict", rounded),
            ] {
                let sum: f64 = scalar_of_array(&native, entry, &xs);
                assert_eq!(sum, f64::from(count) * term, "{entry} of {count} at {level:?}");
            }
        }
    }
}
