//! Calls that another process makes, for a processor on which the compiler does not run.
//!
//! Invariant: the process gets one line for each call, and answers with one line. `tests/host` is such a program.
//!
//! ```text
//! sum\ti64\t[]i64 [1, 2, 3]   ⇒   ok\t6i64
//! ```

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use arr_runtime::host::{RunError, Value, ValueType};
use arr_runtime::text;

use super::protocol::unescape;

/// The process that makes calls.
pub(super) struct Host {
    child: Child,
    calls: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Host {
    /// Starts the program with the object files that have the entries.
    pub(super) fn start(program: &Path, objects: &[PathBuf]) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.args(objects).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let answers = child.stdout.take().expect("standard output was asked for");
        Ok(Self { calls: child.stdin.take(), answers: BufReader::new(answers), child })
    }

    /// Makes a call. An error has no code, only the message.
    pub(super) fn call(
        &mut self,
        entry: &str,
        inputs: &[Value],
        outputs: &[ValueType],
    ) -> Result<Vec<Value>, RunError> {
        let answer = self.answer(entry, inputs, outputs).unwrap_or_else(|error| {
            format!("error\tthe process that makes calls has ended: {error}")
        });
        let failed = |message: String| RunError { code: None, message };
        let mut fields = answer.split('\t');
        match fields.next() {
            Some("ok") => {
                let values = fields.zip(outputs).map(|(field, &ty)| text::literal(field, ty));
                let values: Result<Vec<Value>, _> = values.collect();
                values.map_err(|error| failed(format!("{answer}: {}", error.problem)))
            }
            Some("error") => Err(failed(unescape(fields.next().unwrap_or("")))),
            Some(_) | None => Err(failed(format!("the process that makes calls said `{answer}`"))),
        }
    }

    fn answer(
        &mut self,
        entry: &str,
        inputs: &[Value],
        outputs: &[ValueType],
    ) -> io::Result<String> {
        let types: Vec<String> = outputs.iter().map(ToString::to_string).collect();
        let mut call = format!("{entry}\t{}", types.join(" "));
        for value in inputs {
            call += &format!("\t{} {}", value.ty(), text::print(value));
        }
        call.push('\n');
        let calls = self.calls.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        calls.write_all(call.as_bytes())?;
        calls.flush()?;
        let mut answer = String::new();
        if self.answers.read_line(&mut answer)? == 0 {
            return Err(io::Error::other(self.child.wait()?.to_string()));
        }
        Ok(answer.trim_end_matches('\n').to_string())
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // Without further calls it ends.
        drop(self.calls.take());
        let _ = self.child.wait();
    }
}
