//! Comparisons of a loop's counter that hold in about as many steps as they do not: a range for each outcome.
//!
//! Each such comparison divides the steps at its split point: into the steps before it and the steps from it on. A
//! copy of the body follows one path through these decisions. The paths are taken in the order of the steps: "before"
//! comes first.
//!
//! Invariant: the ranges of the paths are in the order of the steps, whatever the split points are when the loop runs.
//!
//! ```text
//! if i < h then … else if i < k then … else …   ⇒   before h; from h and before k; from h and from k
//! ```

use super::likely::SplitSide;

/// The most ranges that a loop gets. It bounds the size of the code. `scripts/bench space_boxes_f64` has two boxes. Not
/// measured by itself.
const MAX_PATHS: usize = 16;

/// The most steps that the copies of a body for all paths have together. A copy of a loop inside gets ranges of its
/// own. It bounds the size of the code. Not measured by itself.
const MAX_STEPS: usize = 240;

/// The decisions of one path.
#[derive(Default)]
pub(super) struct DecisionPath {
    sides: Vec<SplitSide>,
    /// The number of decisions that have been asked for.
    asked: usize,
}

impl DecisionPath {
    /// The side of its split point on which the next comparison is decided.
    pub(super) fn next(&mut self) -> SplitSide {
        if self.asked == self.sides.len() {
            self.sides.push(SplitSide::Before);
        }
        self.asked += 1;
        self.sides[self.asked - 1]
    }

    /// Goes on to the next path; false if there is none.
    fn advance(&mut self) -> bool {
        self.asked = 0;
        while self.sides.last() == Some(&SplitSide::After) {
            self.sides.pop();
        }
        match self.sides.last_mut() {
            Some(last) => {
                *last = SplitSide::After;
                true
            }
            None => false,
        }
    }
}

/// The copies that `copy` makes, one for each path, with the number of its steps. Gives nothing if there is no copy for
/// one of the paths, or if the copies are too long. A single path decides nothing, and has only the limit of a copy.
pub(super) fn for_each_path<T>(
    mut copy: impl FnMut(&mut DecisionPath) -> Option<(T, usize)>,
) -> Option<Vec<T>> {
    let mut path = DecisionPath::default();
    let (mut copies, mut steps) = (Vec::new(), 0);
    while copies.len() < MAX_PATHS {
        let (made, more) = copy(&mut path)?;
        copies.push(made);
        steps += more;
        if !path.advance() {
            return Some(copies);
        }
        if steps >= MAX_STEPS {
            return None;
        }
    }
    None
}
