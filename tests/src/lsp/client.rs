//! A client of `arrc lsp`: it sends messages over pipes, and waits for the answers.
//!
//! Invariant: a message is sent and an answer awaited within a time that only a server that hangs needs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use arrc_syntax::json::{Value, json};
use libtest_mimic::Failed;
use tempfile::TempDir;

use crate::tools::arrc;

/// The time after which a server that has not answered is taken for one that hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server and the folder that it serves.
pub(super) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next: u64,
    /// The folder.
    pub(super) folder: TempDir,
    /// The diagnostics that were told last, by URI.
    pub(super) told: BTreeMap<String, Value>,
    /// What the server said that it can do.
    pub(super) abilities: Value,
}

impl Client {
    /// A server that has been greeted.
    pub(super) fn new() -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(arrc());
        command.arg("lsp").current_dir(folder.path());
        command.env("XDG_CACHE_HOME", folder.path().join(".cache"));
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take();
        let output = child.stdout.take().ok_or("standard output was asked for")?;
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let (told, abilities) = (BTreeMap::new(), Value::Null);
        let mut client = Self { child, input, messages, next: 0, folder, told, abilities };
        let folders = [json!({"uri": client.uri(""), "name": "test"})];
        let params = json!({"processId": null, "capabilities": {}, "workspaceFolders": folders});
        client.abilities = client.ask("initialize", params)?["capabilities"].clone();
        client.tell("initialized", json!({}))?;
        Ok(client)
    }

    /// The path of a file in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The URI of a file in the folder.
    pub(super) fn uri(&self, name: &str) -> String {
        let path = self.path(name);
        format!("file://{}", path.display()).trim_end_matches('/').to_owned()
    }

    /// Sends a notification.
    pub(super) fn tell(&mut self, method: &str, params: Value) -> Result<(), Failed> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Sends a request, and waits for the result. The message of an error is the error.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        let answer = self.answer(method, params)?;
        match answer.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap_or_default().to_owned().into()),
            None => Ok(answer["result"].clone()),
        }
    }

    /// Sends a request, and waits for the whole answer.
    pub(super) fn answer(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        let id = self.request(method, params)?;
        self.awaited(id)
    }

    /// Sends a request.
    pub(super) fn request(&mut self, method: &str, params: Value) -> Result<u64, Failed> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        Ok(id)
    }

    /// Waits for the answer to a request.
    pub(super) fn awaited(&mut self, id: u64) -> Result<Value, Failed> {
        loop {
            let message = self.messages.recv_timeout(PATIENCE)?;
            if message["method"] == "textDocument/publishDiagnostics" {
                let uri = message["params"]["uri"].as_str().unwrap_or_default().to_owned();
                self.told.insert(uri, message["params"]["diagnostics"].clone());
            }
            if message["id"] == id && message.get("method").is_none() {
                return Ok(message);
            }
        }
    }

    /// Ends the server, and checks that it ends well.
    pub(super) fn end(mut self) -> Result<(), Failed> {
        self.ask("shutdown", Value::Null)?;
        self.tell("exit", Value::Null)?;
        drop(self.input.take());
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(format!("the server ends with {status}").into()) }
    }

    /// Sends bytes as they are.
    pub(super) fn send_raw(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        let input = self.input.as_mut().ok_or("the input is open")?;
        input.write_all(bytes)?;
        input.flush()?;
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Result<(), Failed> {
        let text = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes())
    }
}

/// A server that a test has not ended is ended here.
impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next message of a server; none at its end.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.parse::<usize>().ok();
        }
    }
    let mut text = vec![0; length?];
    output.read_exact(&mut text).ok()?;
    String::from_utf8(text).ok()?.parse().ok()
}
