//! The C library's functions of floats, for the interpreters: compiled programs call the same ones, so
//! that both compute the same bits. Rust's own functions differ in some results, and some functions are missing.
//!
//! Invariant: each is C's function for the type, and nothing else. Rust's run-time support also defines some of C's
//! names, and a program may get those functions instead. Of these names, only exact functions belong here.
//!
//! ```text
//! 0.5_f64.erf()   ⇒   C's erf(0.5)        0.5_f32.erf()   ⇒   C's erff(0.5f)
//! ```

macro_rules! functions {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),*) = $double:ident, $single:ident;)*) => {
        // SAFETY: C's standard declares these functions so. They read no memory; they write `errno`
        // and the sign of `lgamma`, which we do not read.
        #[cfg_attr(target_os = "linux", link(name = "m"))]
        unsafe extern "C" {
            $(
                safe fn $double(x: f64 $(, $arg: f64)*) -> f64;
                safe fn $single(x: f32 $(, $arg: f32)*) -> f32;
            )*
        }

        /// C's functions, for both types of floats.
        pub trait Libm {
            $($(#[$doc])* #[must_use] fn $name(self $(, $arg: Self)*) -> Self;)*
        }

        impl Libm for f64 {
            $(fn $name(self $(, $arg: Self)*) -> Self { $double(self $(, $arg)*) })*
        }

        impl Libm for f32 {
            $(fn $name(self $(, $arg: Self)*) -> Self { $single(self $(, $arg)*) })*
        }
    };
}

functions! {
    /// e to the power.
    exp() = exp, expf;
    /// 2 to the power.
    exp2() = exp2, exp2f;
    /// e to the power, less 1.
    expm1() = expm1, expm1f;
    /// Natural logarithm.
    log() = log, logf;
    /// Logarithm to the base 2.
    log2() = log2, log2f;
    /// Logarithm to the base 10.
    log10() = log10, log10f;
    /// Natural logarithm of 1 more.
    log1p() = log1p, log1pf;
    /// Sine.
    sin() = sin, sinf;
    /// Cosine.
    cos() = cos, cosf;
    /// Tangent.
    tan() = tan, tanf;
    /// Arc sine.
    asin() = asin, asinf;
    /// Arc cosine.
    acos() = acos, acosf;
    /// Arc tangent.
    atan() = atan, atanf;
    /// Hyperbolic sine.
    sinh() = sinh, sinhf;
    /// Hyperbolic cosine.
    cosh() = cosh, coshf;
    /// Hyperbolic tangent.
    tanh() = tanh, tanhf;
    /// Inverse of the hyperbolic sine.
    asinh() = asinh, asinhf;
    /// Inverse of the hyperbolic cosine.
    acosh() = acosh, acoshf;
    /// Inverse of the hyperbolic tangent.
    atanh() = atanh, atanhf;
    /// The gamma function.
    gamma() = tgamma, tgammaf;
    /// Natural logarithm of the gamma function's absolute value.
    lgamma() = lgamma, lgammaf;
    /// The error function.
    erf() = erf, erff;
    /// 1 less the error function.
    erfc() = erfc, erfcf;
    /// The number to the power `y`.
    pow(y) = pow, powf;
    /// The angle of the point (x, self).
    atan2(x) = atan2, atan2f;
    /// The distance of the point (self, y) from zero.
    hypot(y) = hypot, hypotf;
}

#[cfg(test)]
mod tests {
    use super::Libm;

    #[test]
    fn these_are_the_functions_that_their_names_say() {
        assert_eq!(Libm::exp2(3.0), 8.0);
        assert_eq!(Libm::gamma(5.0_f32), 24.0);
        assert_eq!(Libm::hypot(3.0, 4.0), 5.0);
        assert_eq!(Libm::atan2(0.0, -1.0), std::f64::consts::PI);
        assert_eq!(Libm::erf(f32::INFINITY), 1.0);
    }
}
