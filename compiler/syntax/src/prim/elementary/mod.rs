//! Elementary functions as arithmetic. Each is written once, for all machines.
//!
//! Invariant: a function is a sequence of the operations of [`Machine`]. It needs a table only for angles of more
//! than a million. So the interpreters, compiled code for one value, and compiled code for several values in lanes
//! compute the same bits on every processor, and a processor with vectors computes the function in vectors.
//!
//! ```text
//! Elementary::Exp.of(x: f64)   ⇒   Rust's numbers, for the interpreters
//!                              ⇒   @arr.exp.f64, @arr.exp.v4f64 by LLVM's builder
//! ```

mod constants;
mod exponential;
mod logarithm;
mod machine;
mod power;
mod tangent;
mod term;
mod trigonometry;

pub use machine::{Bits, Element, Float, HostMachine, Machine, Number, Table};
pub use term::{Operand, Term};

use trigonometry::Trigonometric;

/// A function that is computed by arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Elementary {
    /// e to the power.
    Exp,
    /// 2 to the power.
    Exp2,
    /// Natural logarithm.
    Log,
    /// Logarithm to the base 2.
    Log2,
    /// Sine.
    Sin,
    /// Cosine.
    Cos,
    /// Hyperbolic tangent.
    Tanh,
}

impl Elementary {
    /// Every function.
    pub const ALL: [Self; 7] =
        [Self::Exp, Self::Exp2, Self::Log, Self::Log2, Self::Sin, Self::Cos, Self::Tanh];

    /// The name in Arr.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exp => "exp",
            Self::Exp2 => "exp2",
            Self::Log => "log",
            Self::Log2 => "log2",
            Self::Sin => "sin",
            Self::Cos => "cos",
            Self::Tanh => "tanh",
        }
    }

    /// Whether the function branches for some operands.
    #[must_use]
    pub fn branches(self) -> bool {
        match self {
            Self::Sin | Self::Cos => true,
            Self::Exp | Self::Exp2 | Self::Log | Self::Log2 | Self::Tanh => false,
        }
    }

    /// The function of an `f32`.
    pub fn of_f32<M: Machine>(self, x: Term<'_, M, f32>) -> Term<'_, M, f32> {
        match self {
            Self::Exp => exponential::exp(x),
            Self::Exp2 => exponential::exp2(x),
            Self::Log => logarithm::log(x),
            Self::Log2 => logarithm::log2(x),
            Self::Sin => Trigonometric::Sin.of_f32(x),
            Self::Cos => Trigonometric::Cos.of_f32(x),
            Self::Tanh => tangent::of_f32(x),
        }
    }

    /// The function of an `f64`.
    pub fn of_f64<M: Machine>(self, x: Term<'_, M, f64>) -> Term<'_, M, f64> {
        match self {
            Self::Exp => exponential::exp(x),
            Self::Exp2 => exponential::exp2(x),
            Self::Log => logarithm::log(x),
            Self::Log2 => logarithm::log2(x),
            Self::Sin => Trigonometric::Sin.of_f64(x),
            Self::Cos => Trigonometric::Cos.of_f64(x),
            Self::Tanh => tangent::of_f64(x),
        }
    }
}

/// An `f32` to the power of another.
pub fn pow<'m, M: Machine>(x: Term<'m, M, f32>, y: Term<'m, M, f32>) -> Term<'m, M, f32> {
    power::pow(x, y)
}

/// Elementary functions of Rust's floats.
pub trait Compute: Sized {
    /// The function of the number.
    #[must_use]
    fn compute(self, function: Elementary) -> Self;
}

impl Compute for f32 {
    fn compute(self, function: Elementary) -> Self {
        function.of_f32(Term::new(&HostMachine, self)).of
    }
}

impl Compute for f64 {
    fn compute(self, function: Elementary) -> Self {
        function.of_f64(Term::new(&HostMachine, self)).of
    }
}

/// An `f32` to the power of another.
#[must_use]
pub fn power_of_f32(x: f32, y: f32) -> f32 {
    pow(Term::new(&HostMachine, x), Term::new(&HostMachine, y)).of
}
