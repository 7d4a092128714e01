//! How much work choosing the clusters of a block may be: never measured in time, so that the same graph
//! gives the same clusters on every machine.
//!
//! Invariant: what is left only shrinks.
//!
//! ```text
//! 100 left; a step of the simplex over 12 rows of 5 variables takes 60   ⇒   40 left
//! ```

/// The work that is left: numbers changed by the simplex method, steps of shortest paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: usize,
}

impl Work {
    /// That much.
    pub(super) const fn of(left: usize) -> Self {
        Self { left }
    }

    /// How much is left.
    pub(super) fn left(self) -> usize {
        self.left
    }

    /// Takes some. Whether there was enough left.
    pub(super) fn take(&mut self, work: usize) -> bool {
        let enough = work < self.left;
        self.left = self.left.saturating_sub(work);
        enough
    }
}
