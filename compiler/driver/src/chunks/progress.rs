//! The progress of a run over chunks: a bar on a terminal, and a summary of the data that were read.
//!
//! Invariant: the bar is drawn on a terminal only. Nothing else is printed before the end.

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
    /// No progress yet.
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

    /// Adds a chunk of the pass that was read.
    pub(super) fn chunk(&mut self, bytes: usize) {
        self.chunks += 1;
        self.bytes += bytes as u64;
        self.bar.inc(bytes as u64);
    }

    /// Ends the bar of the pass.
    pub(super) fn done(&self) {
        self.bar.finish_and_clear();
    }

    /// Reports that an array is needed whole in memory.
    pub(super) fn whole(&self, name: &str, bytes: usize) {
        if self.tells {
            report::print(&format!(
                "note: `{}`, {}, is needed in one place: it is read by index, or by a step that is no pass\n",
                arr_printable::line(name),
                BinaryBytes(bytes as u64)
            ));
        }
    }

    /// Reports the number of passes, chunks and bytes that were read.
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
