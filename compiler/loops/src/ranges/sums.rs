//! Sums of integers: affine forms of variables, and the types in which they are followed.
//!
//! Invariant: a sum is computed modulo 2⁶⁴. Sums of a few numbers within ± [`SANE`] do not wrap.
//!
//! ```text
//! i + 2 j - 1        2⁶⁰ + 2⁶⁰ < 2⁶³
//! ```

use arrc_fusion::affine::AffineForm;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Scalar;

/// The largest distance from 0 such that sums of a few such numbers do not wrap.
pub(crate) const SANE: i64 = 1 << 60;

/// A sum of values that are known before the loop.
pub(crate) type Sum = AffineForm<VarId>;

/// Whether sums of the type are followed, which holds for signed integers.
pub(crate) fn is_followed(ty: Scalar) -> bool {
    match ty {
        Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => true,
        Scalar::U8
        | Scalar::U16
        | Scalar::U32
        | Scalar::U64
        | Scalar::F32
        | Scalar::F64
        | Scalar::Bool => false,
    }
}
