//! Filters of pictures in grey, which a program in Arr computes.
//!
//! The crate shows how a library has such a program inside: [`filters`] is the module that `arrc` writes, and
//! [`Filters`] has what the users of the library see.

#![warn(missing_docs)]

use std::time::Duration;
use std::{fmt, thread};

use ndarray::{Array2, ArrayView2, ArrayViewMut2};

/// The program `filters.arr`.
pub mod filters {
    include!(concat!(env!("OUT_DIR"), "/filters.rs"));
}

use filters::{Code, Context, Error, Options, Stats};

/// Filters of pictures, with the memory that they use again.
#[derive(Debug)]
pub struct Filters {
    context: Context,
}

impl Filters {
    /// Filters that use at most so many threads; 0: all that there are.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn new(threads: usize) -> Result<Self, Error> {
        Ok(Self { context: Context::with(Options { threads, ..Options::default() })? })
    }

    /// A blurred picture, which may be a part of another one, or turned.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn blurred(&mut self, picture: ArrayView2<'_, f64>) -> Result<Array2<f64>, Error> {
        let blurred = self.context.blurred(picture)?;
        Ok(ArrayView2::from(&blurred).to_owned())
    }

    /// Blurs a picture into memory of the caller, without a copy. The memory has the shape of the picture, and is dense.
    ///
    /// # Errors
    /// If the shapes differ, or the memory is not dense.
    pub fn blur(
        &mut self,
        picture: ArrayView2<'_, f64>,
        into: ArrayViewMut2<'_, f64>,
    ) -> Result<(), Error> {
        self.context.blurred_into(into, picture).map(|_| ())
    }

    /// A picture that is blurred until no pixel changes by more than a bound; none if that takes longer than `limit`.
    ///
    /// # Errors
    /// If there is no memory.
    pub fn settled(
        &mut self,
        picture: ArrayView2<'_, f64>,
        bound: f64,
        limit: Duration,
    ) -> Result<Option<Array2<f64>>, Error> {
        let canceller = self.context.canceller();
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        thread::scope(|threads| {
            threads.spawn(move || {
                // The channel closes when the call has ended.
                if is_done.recv_timeout(limit) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    canceller.cancel();
                }
            });
            let found = self.context.settled(picture, bound);
            drop(done);
            match found {
                Ok((settled, _)) => Ok(Some(ArrayView2::from(&settled).to_owned())),
                Err(error) if error.code() == Code::Cancelled => Ok(None),
                Err(error) => Err(error),
            }
        })
    }

    /// A pixel.
    ///
    /// # Errors
    /// [`Outside`] if the picture has no such row or column.
    pub fn pixel(&mut self, picture: ArrayView2<'_, f64>, at: [i64; 2]) -> Result<f64, Outside> {
        self.context.pixel(picture, at[0], at[1]).map_err(Outside)
    }

    /// What the last filter took.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.context.stats()
    }
}

/// A picture has no such pixel.
#[derive(Debug)]
pub struct Outside(Error);

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the picture has no such pixel")
    }
}

impl std::error::Error for Outside {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}
