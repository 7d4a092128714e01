//! A server: a program that keeps values in variables, and calls its entries with them, as a client asks. It follows the
//! protocol of Futhark's servers, so that clients of these can use it.
//!
//! Invariant: each command is one line and is answered by lines, of which the last is `%%% OK`. A command that fails
//! changes nothing, and answers `%%% FAILURE` and the reason before it.
//!
//! ```text
//! restore xs.in xs []f64      call mean out xs      store out.out out
//! ```

mod command;
mod elements;
mod interface;
#[cfg(test)]
mod tests;

use std::io::{BufRead, Write};
use std::time::{Duration, Instant};

use crate::host::{HostError, Library, Session, SessionOptions, Value, ValueType};
use crate::program::PREFIX;
pub use interface::array_name;

use command::Server;
use interface::Interface;

/// What a server calls.
trait Entries {
    /// Calls an entry. The time is that of the call alone.
    fn call(
        &mut self,
        entry: &str,
        inputs: &[Value],
        outputs: &[ValueType],
    ) -> (Duration, Result<Vec<Value>, String>);
    /// Gives back all memory that is kept for later calls.
    fn clear(&mut self) -> Result<(), String>;
    /// The most bytes that a call has used.
    fn peak(&self) -> u64;
}

/// The entries of this program.
struct Own<'lib> {
    library: &'lib Library,
    options: SessionOptions,
    session: Session<'lib>,
    peak: u64,
}

impl Entries for Own<'_> {
    fn call(
        &mut self,
        entry: &str,
        inputs: &[Value],
        outputs: &[ValueType],
    ) -> (Duration, Result<Vec<Value>, String>) {
        let start = Instant::now();
        let call = self.session.prepare(&format!("{PREFIX}{entry}"), inputs, outputs);
        let mut call = match call {
            Ok(call) => call,
            Err(error) => return (start.elapsed(), Err(error.message)),
        };
        let ran = call.run();
        let time = ran.as_ref().map_or_else(|_| start.elapsed(), |&time| time);
        let result = ran.map(|_| call.outputs()).map_err(|error| error.message);
        drop(call);
        self.peak = self.peak.max(self.session.stats().bytes_peak);
        (time, result)
    }

    fn clear(&mut self) -> Result<(), String> {
        let session = Session::new(self.library, &self.options);
        self.session = session.map_err(|error| error.to_string())?;
        Ok(())
    }

    fn peak(&self) -> u64 {
        self.peak
    }
}

/// Serves the entries of this program until the input ends.
///
/// # Errors
/// If the program has no context, which needs memory.
pub(crate) fn serve(
    interface: &str,
    options: SessionOptions,
    input: impl BufRead,
    output: impl Write,
) -> Result<(), HostError> {
    let library = Library::this()?;
    let session = Session::new(&library, &options)?;
    let entries = Own { library: &library, options, session, peak: 0 };
    answer(&mut Server::new(Interface::new(interface), entries), input, output);
    Ok(())
}

/// Answers each line of the input. Without a reader of the answers, it ends.
fn answer<E: Entries>(server: &mut Server<E>, mut input: impl BufRead, mut output: impl Write) {
    let mut line = Vec::new();
    loop {
        if writeln!(output, "%%% OK").and_then(|()| output.flush()).is_err() {
            return;
        }
        line.clear();
        if !matches!(input.read_until(b'\n', &mut line), Ok(1..)) {
            return;
        }
        let (lines, failure) = server.command(&String::from_utf8_lossy(&line));
        let lines = lines.iter().try_for_each(|line| writeln!(output, "{line}"));
        let failure = failure.map_or(Ok(()), |reason| writeln!(output, "%%% FAILURE\n{reason}"));
        if lines.and(failure).is_err() {
            return;
        }
    }
}

/// The words of a command: separated by blanks, or in double quotes. `None` if a quote is not closed.
fn words(line: &str) -> Option<Vec<&str>> {
    let (mut words, mut rest) = (Vec::new(), line.trim());
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        words.push(word);
        rest = after.trim_start();
    }
    Some(words)
}
