//! What a sort of numbers gives.
//!
//! A sort has a window of positions. Its results are those of a stable sort at the positions in the window, and
//! elsewhere nothing depends on them. A sort of the whole array has all positions in its window, and a selection only
//! those that are read.
//!
//! Invariant: the elements are numbers of 32 or 64 bits; positions are asked for those of 64 bits only. Floats have the
//! library's total order.
//!
//! ```text
//! sort_up [3, 1, 2] 0 1 ⇒ [1, _, _]     positions_down [3, 1, 2] 0 3 ⇒ [0, 2, 1]
//! ```

use crate::core::Direction;
use arrc_syntax::prim::Scalar;

/// What a sort gives, and which element comes first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sorting {
    /// Which element comes first.
    pub direction: Direction,
    /// Whether the results are the positions of the elements, instead of the elements.
    pub positions: bool,
}

impl Sorting {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self { direction: Direction::Up, positions: false },
        Self { direction: Direction::Down, positions: false },
        Self { direction: Direction::Up, positions: true },
        Self { direction: Direction::Down, positions: true },
    ];

    /// The name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.positions, self.direction) {
            (false, Direction::Up) => "sort_up",
            (false, Direction::Down) => "sort_down",
            (true, Direction::Up) => "positions_up",
            (true, Direction::Down) => "positions_down",
        }
    }

    /// Whether numbers of a type can be sorted.
    #[must_use]
    pub fn takes(elem: Scalar) -> bool {
        elem.bytes() >= 4
    }

    /// The type of the results.
    #[must_use]
    pub fn gives(self, elem: Scalar) -> Scalar {
        if self.positions { Scalar::I64 } else { elem }
    }
}
