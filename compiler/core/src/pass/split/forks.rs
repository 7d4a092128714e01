//! Comparisons of a loop's counter that hold in about as many steps as they do not: a range for each outcome.
//!
//! Each such comparison parts the steps in those before its turn and those from it on. A copy of the body follows
//! one path through these decisions. The paths are taken in the order of the steps: "before" comes first.
//!
//! Invariant: the ranges of the paths are in the order of the steps, whatever the turns are when the loop runs.
//!
//! ```text
//! if i < h then … else if i < k then … else …   ⇒   before h; from h and before k; from h and from k
//! ```

use super::likely::Side;

/// The most ranges that a loop gets.
const MAX_PATHS: usize = 16;

/// The most steps that the copies of a body for all paths have together. The bound is low because each copy of a loop inside
/// gets ranges of its own.
const MAX_STEPS: usize = 240;

/// The decisions of one path.
#[derive(Default)]
pub(super) struct Path {
    sides: Vec<Side>,
    /// How many of them have been asked for.
    asked: usize,
}

impl Path {
    /// On which side of its turn the next comparison is decided.
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

/// What `copy` makes for each path, with the number of its steps. Gives nothing if it makes nothing for one of them, or if
/// there would be too much. A single path is no decision, and may be as long as a copy may be.
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
