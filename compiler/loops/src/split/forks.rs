//! Comparisons of a loop's counter that hold in about as many steps as they do not: a range for each outcome.
//!
//! Each such comparison divides the steps at its turn: into the steps before the turn and the steps from the turn on. A
//! copy of the body follows one path through these decisions. The paths are taken in the order of the steps: "before"
//! comes first.
//!
//! Invariant: the ranges of the paths are in the order of the steps, whatever the turns are when the loop runs.
//!
//! ```text
//! if i < h then … else if i < k then … else …   ⇒   before h; from h and before k; from h and from k
//! ```

use super::likely::Side;

/// The most ranges that a loop gets.
const MAX_PATHS: usize = 16;

/// The most steps that the copies of a body for all paths have together. A copy of a loop inside gets ranges of its own.
const MAX_STEPS: usize = 240;

/// The decisions of one path.
#[derive(Default)]
pub(super) struct Path {
    sides: Vec<Side>,
    /// The number of decisions that have been asked for.
    asked: usize,
}

impl Path {
    /// The side of its turn on which the next comparison is decided.
    pub(super) fn next(&mut self) -> Side {
        if self.asked == self.sides.len() {
            self.sides.push(Side::Before);
        }
        self.asked += 1;
        self.sides[self.asked - 1]
    }

    /// Goes on to the next path; false if there is none.
    fn advance(&mut self) -> bool {
        self.asked = 0;
        while self.sides.last() == Some(&Side::After) {
            self.sides.pop();
        }
        match self.sides.last_mut() {
            Some(last) => {
                *last = Side::After;
                true
            }
            None => false,
        }
    }
}

/// The copies that `copy` makes, one for each path, with the number of its steps. Gives nothing if there is no copy for
/// one of the paths, or if the copies are too long. A single path decides nothing, and has only the limit of a copy.
pub(super) fn each<T>(mut copy: impl FnMut(&mut Path) -> Option<(T, usize)>) -> Option<Vec<T>> {
    let mut path = Path::default();
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
