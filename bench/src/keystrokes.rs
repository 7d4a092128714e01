//! How long `arrc lsp` takes from a keystroke to the diagnostics, and how much memory it has after many edits.
//!
//! Each edit writes or deletes a letter in the middle of a program. After it, the program is right, has a name that means
//! nothing, or cannot be read. The time is that of a clock: from the message with the edit to the message with the
//! diagnostics.
//!
//! ```text
//! | 2000 lines | an unknown name | 41 ms | 55 ms |
//! ```

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use arrc_syntax::json::{Value, json};

use crate::compile::{compiler, functions};

/// Lines of the programs.
const LINES: [usize; 3] = [500, 2_000, 8_000];
/// The edits of a kind by default.
const EDITS: usize = 40;
/// What the edits write, and what the program is then.
const KINDS: [(&str, &str); 3] =
    [("right", "1"), ("an unknown name", "q"), ("a bracket that is not closed", "(")];

/// Measures, and prints the tables. The first argument is the number of edits of a kind.
pub(crate) fn measure(args: &[String]) -> Result<(), Box<dyn Error>> {
    let edits = args.first().map_or(Ok(EDITS), |count| count.parse())?;
    println!("| lines | the program after the keystroke | median, ms | slowest, ms |");
    println!("| ---: | --- | ---: | ---: |");
    let mut memory = Vec::new();
    for lines in LINES {
        let text = functions(lines);
        let count = text.lines().count();
        let mut server = Server::start(&text)?;
        // A number in the middle of the program. The letters are written behind it.
        let at = text[text.len() / 2..].find("acc * 0.5").ok_or("the program has a loop")?;
        let at = text.len() / 2 + at + "acc * 0.5".len();
        for (name, letter) in KINDS {
            let before = server.kilobytes()?;
            let mut times = Vec::new();
            for _ in 0..edits {
                times.push(server.edit(&text, at, 0, letter)?);
                server.edit(&text, at, 1, "")?;
            }
            times.sort_unstable();
            let ms = |time: Duration| time.as_secs_f64() * 1e3;
            let (median, slowest) = (times[times.len() / 2], times[times.len() - 1]);
            println!("| {count} | {name} | {:.0} | {:.0} |", ms(median), ms(slowest));
            memory.push((count, name, before, server.kilobytes()?));
        }
        server.end()?;
    }
    println!();
    println!("| lines | the program | edits | before, MB | after, MB |");
    println!("| ---: | --- | ---: | ---: | ---: |");
    for (count, name, before, after) in memory {
        println!("| {count} | {name} | {} | {} | {} |", 2 * edits, before / 1024, after / 1024);
    }
    Ok(())
}

/// A server with one open text.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    version: i64,
}

/// The name of the text.
const URI: &str = "file:///nowhere/program.arr";

impl Server {
    fn start(text: &str) -> Result<Self, Box<dyn Error>> {
        let mut command = Command::new(compiler()?);
        let command = command.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let input = child.stdin.take().ok_or("standard input was asked for")?;
        let output = BufReader::new(child.stdout.take().ok_or("standard output was asked for")?);
        let mut server = Self { child, input, output, version: 1 };
        let params = json!({"processId": null, "capabilities": {}, "rootUri": null});
        server
            .send(&json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}))?;
        while server.read()?["id"] != 1 {}
        server.send(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}))?;
        let document = json!({"uri": URI, "languageId": "arr", "version": 1, "text": text});
        let params = json!({"textDocument": document});
        server
            .send(&json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": params}))?;
        server.await_diagnostics()?;
        Ok(server)
    }

    /// Replaces some letters, and returns the time until the diagnostics come.
    fn edit(
        &mut self,
        text: &str,
        at: usize,
        length: usize,
        new: &str,
    ) -> Result<Duration, Box<dyn Error>> {
        let before = &text[..at];
        let line = before.matches('\n').count();
        let character = before.rsplit('\n').next().unwrap_or_default().len();
        let position = |character: usize| json!({"line": line, "character": character});
        let range = json!({"start": position(character), "end": position(character + length)});
        self.version += 1;
        let document = json!({"uri": URI, "version": self.version});
        let changes = [json!({"range": range, "text": new})];
        let params = json!({"textDocument": document, "contentChanges": changes});
        let begin = Instant::now();
        self.send(
            &json!({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": params}),
        )?;
        self.await_diagnostics()?;
        Ok(begin.elapsed())
    }

    /// Reads up to the diagnostics of the newest version.
    fn await_diagnostics(&mut self) -> Result<(), Box<dyn Error>> {
        while self.read()?["params"]["version"] != self.version {}
        Ok(())
    }

    /// The memory of the server.
    fn kilobytes(&self) -> Result<u64, Box<dyn Error>> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let words = line.ok_or("a process has memory")?.trim().trim_end_matches(" kB");
        Ok(words.parse()?)
    }

    fn end(mut self) -> Result<(), Box<dyn Error>> {
        self.send(&json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))?;
        while self.read()?["id"] != 2 {}
        self.send(&json!({"jsonrpc": "2.0", "method": "exit"}))?;
        drop(self.input);
        self.child.wait()?;
        Ok(())
    }

    fn send(&mut self, message: &Value) -> Result<(), Box<dyn Error>> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.input.flush()?)
    }

    fn read(&mut self) -> Result<Value, Box<dyn Error>> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server has ended".into());
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.parse()?;
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text)?;
        Ok(String::from_utf8(text)?.parse()?)
    }
}
