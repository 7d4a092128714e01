//! What running something does besides giving a value.
//!
//! Invariant: whatever has an effect runs exactly as often as the program says, and in its order.
//!
//! ```text
//! #[effect(io)] external report (step: i32): ()   ⇒   Effect::Io
//! external median [n] (xs: [n]f64): f64           ⇒   Effect::Pure
//! ```

/// What running something does besides giving a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub enum Effect {
    /// None: it may be removed where its value is not used, and shared by several uses.
    #[default]
    Pure,
    /// Something that can be seen from outside.
    Io,
}

impl Effect {
    /// Whether there is one.
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
