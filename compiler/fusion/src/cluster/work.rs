//! The bound on the work of choosing a block's clusters. It is never measured in time, so the same graph gives the
//! same clusters on every machine.
//!
//! Invariant: the remaining work only shrinks.
//!
//! ```text
//! 100 left; 3 steps of the simplex method with 12 rows and 5 variables take 51   ⇒   49 left
//! ```

/// The work that is left. It is counted in steps of the simplex method times the size of the program, and in steps of
/// shortest paths.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    left: usize,
}

impl Work {
    /// This much work.
    pub(super) const fn of(left: usize) -> Self {
        Self { left }
    }

    /// How much is left.
    pub(super) fn left(self) -> usize {
        self.left
    }

    /// Takes some work. Returns whether there was enough left.
    pub(super) fn take(&mut self, work: usize) -> bool {
        let enough = work < self.left;
        self.left = self.left.saturating_sub(work);
        enough
    }
}
