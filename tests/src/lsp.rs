//! The language server, `arrc lsp`: sessions as scripts, half-written programs, and a real editor.
//!
//! Invariant: no text makes the server end or leaves a request without an answer.

mod client;
mod script;

use std::process::Command;

use arr_expect::compare;
use arrc_syntax::json::{Value, json};
use libtest_mimic::{Failed, Trial};

use self::client::Client;
use crate::tools::{arrc, files, project, read, stem, succeed};

/// The trials.
#[must_use]
pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("lsp::prefixes_of_programs", prefixes),
        Trial::test("lsp::edits_leave_nothing_behind", edits),
        Trial::test("lsp::messages_that_are_wrong", wrong_messages),
        Trial::test("lsp::neovim", neovim),
    ];
    for path in files(&project().join("tests/lsp"), "txt") {
        let name = stem(&path);
        let play = move || compare(&script::play(&read(&path)?)?, &path);
        trials.push(Trial::test(format!("lsp::{name}"), play));
    }
    trials
}

fn open(client: &mut Client, name: &str, text: &str) -> Result<(), Failed> {
    let uri = client.uri(name);
    let document = json!({"uri": uri, "languageId": "arr", "version": 1, "text": text});
    client.tell("textDocument/didOpen", json!({"textDocument": document}))
}

fn change(client: &mut Client, name: &str, version: usize, text: &str) -> Result<(), Failed> {
    let document = json!({"uri": client.uri(name), "version": version});
    let params = json!({"textDocument": document, "contentChanges": [{"text": text}]});
    client.tell("textDocument/didChange", params)
}

/// Every request at the end of every prefix of some programs gets an answer that is no bug.
fn prefixes() -> Result<(), Failed> {
    const STEP: usize = 7;
    let mut client = Client::new()?;
    open(&mut client, "a.arr", "")?;
    let mut version = 1;
    for name in ["examples/normalize2.arr", "tests/lsp/prefixes.arr"] {
        let text = read(&project().join(name))?;
        let ends = text.char_indices().map(|(at, _)| at).step_by(STEP).chain([text.len()]);
        for end in ends {
            version += 1;
            let prefix = &text[..end];
            change(&mut client, "a.arr", version, prefix)?;
            let line = prefix.matches('\n').count();
            let character = prefix.rsplit('\n').next().unwrap_or_default().encode_utf16().count();
            let position = json!({"line": line, "character": character});
            for (method, params) in requests(&client.uri("a.arr"), &position) {
                let answer = client.answer(method, params)?;
                // A name of the library, or none, cannot be renamed.
                let is_refused = method.contains("ename") && answer["error"]["code"] == -32803;
                if answer.get("error").is_some() && !is_refused {
                    return Err(format!("{method} behind {prefix:?}: {answer}").into());
                }
            }
        }
    }
    client.end()
}

/// A request of each kind at a position.
fn requests(uri: &str, position: &Value) -> Vec<(&'static str, Value)> {
    let document = json!({"uri": uri});
    let at = json!({"textDocument": document, "position": position});
    let with = |more: Value| arrc_syntax::json::extended(at.clone(), more);
    let range = json!({"start": {"line": 0, "character": 0}, "end": position});
    let of_range =
        json!({"textDocument": document, "range": range, "context": {"diagnostics": []}});
    let options = json!({"tabSize": 2, "insertSpaces": true});
    let of_text = json!({ "textDocument": document });
    vec![
        ("textDocument/hover", at.clone()),
        ("textDocument/definition", at.clone()),
        ("textDocument/references", with(json!({"context": {"includeDeclaration": true}}))),
        ("textDocument/documentHighlight", at.clone()),
        ("textDocument/prepareRename", at.clone()),
        ("textDocument/rename", with(json!({"newName": "other"}))),
        ("textDocument/completion", at.clone()),
        ("textDocument/signatureHelp", at.clone()),
        ("textDocument/codeAction", of_range.clone()),
        ("textDocument/inlayHint", of_range),
        ("textDocument/documentSymbol", of_text.clone()),
        ("textDocument/semanticTokens/full", of_text.clone()),
        ("textDocument/foldingRange", of_text.clone()),
        ("textDocument/codeLens", of_text.clone()),
        ("textDocument/formatting", json!({"textDocument": document, "options": options})),
        ("textDocument/selectionRange", json!({"textDocument": document, "positions": [position]})),
    ]
}

/// After many edits of two texts, and after they are closed, the server keeps what it kept before.
fn edits() -> Result<(), Failed> {
    const EDITS: usize = 100;
    let mut client = Client::new()?;
    let library = |number: usize| format!("def f (x: i64): i64 = x + {number}");
    open(&mut client, "b.arr", &library(0))?;
    open(&mut client, "a.arr", "import \"b\"\nentry g (x: i64): i64 = f x")?;
    let document = json!({"textDocument": {"uri": client.uri("a.arr")}});
    let before = client.ask("arrc/settled", document.clone())?;
    for number in 1..=EDITS {
        change(&mut client, "b.arr", number + 1, &library(number))?;
        let text = format!("import \"b\"\nentry g (x: i64): i64 = f (x * {number}");
        change(&mut client, "a.arr", 2 * number, &text)?;
        client.ask(
            "textDocument/hover",
            json!({
                "textDocument": {"uri": client.uri("a.arr")},
                "position": {"line": 1, "character": 24},
            }),
        )?;
        change(&mut client, "a.arr", 2 * number + 1, &format!("{text})"))?;
    }
    let after = client.ask("arrc/settled", document)?;
    if before != after {
        return Err(format!("before the edits {before}, after them {after}").into());
    }
    for name in ["a.arr", "b.arr"] {
        let closed = json!({"textDocument": {"uri": client.uri(name)}});
        client.tell("textDocument/didClose", closed)?;
    }
    let other = json!({"textDocument": {"uri": client.uri("c.arr")}});
    let empty = client.ask("arrc/settled", other)?;
    let counts: Vec<u64> =
        empty.as_object().into_iter().flatten().filter_map(|(_, count)| count.as_u64()).collect();
    if counts.iter().any(|count| *count != 0) {
        return Err(format!("with nothing open the server keeps {empty}").into());
    }
    client.end()
}

/// Requests and notifications that no editor sends.
fn wrong_messages() -> Result<(), Failed> {
    let mut client = Client::new()?;
    let code = |answer: &Value| answer["error"]["code"].as_i64().unwrap_or(0);
    let unknown = client.answer("textDocument/nothing", json!({}))?;
    let without = client.answer("textDocument/hover", json!({"position": 3}))?;
    client.tell("textDocument/didChange", json!({"contentChanges": 7}))?;
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": "file:///none.arr"}}))?;
    let (file, position) = (client.uri("none.arr"), json!({"line": 9, "character": 9}));
    let nowhere = client.answer(
        "textDocument/hover",
        json!({
            "textDocument": {"uri": file},
            "position": position,
        }),
    )?;
    if (code(&unknown), code(&without)) != (-32601, -32803) || !nowhere["result"].is_null() {
        return Err(format!("{unknown}\n{without}\n{nowhere}").into());
    }
    // A request that is taken back before the server has come to it.
    open(&mut client, "a.arr", "def f (x: i64) = x")?;
    let at = json!({"textDocument": {"uri": client.uri("a.arr")}, "position": {"line": 0, "character": 4}});
    let hover = json!({"jsonrpc": "2.0", "id": "h", "method": "textDocument/hover", "params": at});
    let cancel = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "h"}});
    let frame = |message: &Value| {
        let text = message.to_string();
        format!("Content-Length: {}\r\n\r\n{text}", text.len())
    };
    client.send_raw(format!("{}{}", frame(&hover), frame(&cancel)).as_bytes())?;
    client.ask("arrc/settled", json!({"textDocument": {"uri": client.uri("a.arr")}}))?;
    client.end()
}

/// Neovim's own client shows the mistake of a program, mends it, and gives a definition another name.
fn neovim() -> Result<(), Failed> {
    let tests = project().join("tests/lsp");
    let folder = tempfile::tempdir()?;
    let program = folder.path().join("neovim.arr");
    std::fs::copy(tests.join("neovim.arr"), &program)?;
    let script = tests.join("neovim.lua");
    let run = format!(
        "lua local good, why = pcall(dofile, '{}') if not good then io.stderr:write(why) vim.cmd('cquit!') end",
        script.display()
    );
    let mut editor = Command::new("nvim");
    let editor = editor.args(["--headless", "--clean", "-n", "-c", &run]);
    let editor = editor.current_dir(folder.path()).env("ARRC", arrc()).env("PROGRAM", &program);
    let editor = editor.env("XDG_CACHE_HOME", folder.path().join(".cache"));
    let told = succeed(editor.env("XDG_STATE_HOME", folder.path().join(".state")))?;
    compare(&told, &tests.join("neovim.out"))
}
