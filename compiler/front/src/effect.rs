//! The side effect of an operation.
//!
//! Invariant: whatever has an effect runs exactly as often as the program says, and in its order.
//!
//! ```text
//! #[effect(io)] external report (step: i32): ()   ⇒   Effect::Io
//! external median [n] (xs: [n]f64): f64           ⇒   Effect::Pure
//! ```

/// The side effect of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Effect {
    /// No effect: the operation may be removed where its value is not used, and shared by several uses.
    #[default]
    Pure,
    /// An effect that can be seen from outside.
    Io,
}

impl Effect {
    /// Whether there is an effect.
    #[must_use]
    pub fn is_some(self) -> bool {
        match self {
            Self::Pure => false,
            Self::Io => true,
        }
    }

    /// The effect of that name, as in `#[effect(io)]`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        (name == "io").then_some(Self::Io)
    }
}
