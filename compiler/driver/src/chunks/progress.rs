//! How far a run over chunks is: a bar on a terminal, and how often data were read in the end.
//!
//! Invariant: the bar is drawn on a terminal only; nothing else is printed before the end.

use indicatif::{BinaryBytes, ProgressBar, ProgressStyle};

use crate::report;

/// The passes, chunks and bytes so far.
pub(super) struct Progress {
    bar: ProgressBar,
    tells: bool,
    passes: usize,
    chunks: usize,
    bytes: u64,
}

impl Progress {
    /// Nothing was done.
    pub(super) fn new(tells: bool) -> Self {
        Self { bar: ProgressBar::hidden(), tells, passes: 0, chunks: 0, bytes: 0 }
    }

    /// A pass begins, which reads `bytes` bytes.
    pub(super) fn pass(&mut self, bytes: usize) {
        self.passes += 1;
        let style = ProgressStyle::with_template(
            "pass {msg} [{bar:40}] {percent:>3} % of {binary_total_bytes}, {binary_bytes_per_sec}",
        );
        let style = style.expect("the template is right").progress_chars("=> ");
        self.bar =
            ProgressBar::new(bytes as u64).with_style(style).with_message(self.passes.to_string());
    }

    /// A chunk of the pass was read.
    pub(super) fn chunk(&mut self, bytes: usize) {
        self.chunks += 1;
        self.bytes += bytes as u64;
        self.bar.inc(bytes as u64);
    }

    /// The pass is done.
    pub(super) fn done(&self) {
        self.bar.finish_and_clear();
    }

    /// An array is needed in one place.
    pub(super) fn whole(&self, name: &str, bytes: usize) {
        if self.tells {
            report::print(&format!(
                "note: `{}`, {}, is needed in one place: it is read by index, or by a step that is no pass\n",
                arr_printable::line(name),
                BinaryBytes(bytes as u64)
            ));
        }
    }

    /// Tells how many passes, chunks and bytes were read.
    pub(super) fn summary(&self) {
        if self.tells {
            let plural = |count: usize| if count == 1 { "" } else { "s" };
            let (passes, chunks) = (self.passes, self.chunks);
            let (one, other) = (if passes == 1 { "" } else { "es" }, plural(chunks));
            report::print(&format!(
                "{passes} pass{one} over {chunks} chunk{other}, {} bytes read\n",
                self.bytes
            ));
        }
    }
}
