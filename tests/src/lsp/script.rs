//! Scripts of sessions with `arrc lsp`: texts with marks, requests at the marks, and their answers.
//!
//! Invariant: a script with its answers is the file. A line of blanks and marks such as `^a` below a line of a text names
//! places in that line, and is not part of the text.
//!
//! ```text
//! == open main.arr
//! def f (x: i64) = x + 1
//!                  ^a
//! == hover a
//! x: i64
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use arrc_syntax::json::{Value, json};
use libtest_mimic::Failed;

use super::client::Client;

/// A session, and the texts that the client has.
struct Session {
    client: Client,
    texts: BTreeMap<String, String>,
    marks: BTreeMap<String, (String, Value)>,
    versions: i32,
}

/// Plays a script. Returns it with the answers.
pub(super) fn play(script: &str) -> Result<String, Failed> {
    let (texts, marks) = (BTreeMap::new(), BTreeMap::new());
    let mut session = Session { client: Client::new()?, texts, marks, versions: 0 };
    let mut told = String::new();
    let mut sections = script.split("== ");
    told += sections.next().unwrap_or_default();
    for section in sections {
        let (head, body) = section.split_once('\n').unwrap_or((section, ""));
        let words: Vec<&str> = head.split_whitespace().collect();
        let [verb, words @ ..] = &words[..] else { return Err("a section has a head".into()) };
        let _ = writeln!(told, "== {head}");
        match *verb {
            "file" | "open" | "change" => {
                session.text(verb, words, body)?;
                told += body;
            }
            _ => {
                let answer = session.request(verb, words);
                let answer = answer.unwrap_or_else(|failed| {
                    format!("refused: {}", failed.message().unwrap_or_default())
                });
                let answer = session.without_folder(answer.trim_end());
                told += if answer.is_empty() { "nothing" } else { &answer };
                told += "\n";
            }
        }
    }
    session.client.end()?;
    Ok(told)
}

impl Session {
    /// Writes, opens or changes a text.
    fn text(&mut self, verb: &str, words: &[&str], body: &str) -> Result<(), Failed> {
        let [name, options @ ..] = words else { return Err("a text has a name".into()) };
        let (mut text, marks) = marked(body.strip_suffix('\n').unwrap_or(body));
        if options.contains(&"crlf") {
            text = text.replace('\n', "\r\n");
        }
        let uri = self.client.uri(name);
        if verb == "file" {
            let path = self.client.path(name);
            fs::create_dir_all(path.parent().ok_or("a file is in a folder")?)?;
            fs::write(path, &text)?;
            let changes = [json!({"uri": uri, "type": 2})];
            return self
                .client
                .tell("workspace/didChangeWatchedFiles", json!({"changes": changes}));
        }
        self.versions += 1;
        for (mark, position) in marks {
            self.marks.insert(mark, ((*name).to_owned(), position));
        }
        let before = self.texts.insert((*name).to_owned(), text.clone());
        match before {
            None => {
                let document = json!({"uri": uri, "languageId": "arr", "version": self.versions, "text": text});
                self.client.tell("textDocument/didOpen", json!({"textDocument": document}))
            }
            Some(before) => {
                let end = position_of(&before, before.len());
                let range = json!({"start": {"line": 0, "character": 0}, "end": end});
                let document = json!({"uri": uri, "version": self.versions});
                let changes = [json!({"range": range, "text": text})];
                let params = json!({"textDocument": document, "contentChanges": changes});
                self.client.tell("textDocument/didChange", params)
            }
        }
    }

    /// The parameters for a place.
    fn at(&self, mark: &str) -> Result<Value, Failed> {
        let found = self.marks.get(mark);
        let (name, position) = found.ok_or_else(|| format!("there is no mark `{mark}`"))?;
        Ok(json!({"textDocument": {"uri": self.client.uri(name)}, "position": position}))
    }

    fn of(&self, name: &str) -> Value {
        json!({"textDocument": {"uri": self.client.uri(name)}})
    }

    /// Sends a request, and gives its answer as text.
    fn request(&mut self, verb: &str, words: &[&str]) -> Result<String, Failed> {
        match (verb, words) {
            ("diagnostics", [name]) => {
                self.client.ask("arrc/settled", self.of(name))?;
                let found = self.client.told.get(&self.client.uri(name)).cloned();
                Ok(self.diagnostics(&found.unwrap_or_default()))
            }
            ("kept", [name]) => Ok(self.client.ask("arrc/settled", self.of(name))?.to_string()),
            ("close", [name]) => {
                self.texts.remove(*name);
                let closed = self.of(name);
                self.client.tell("textDocument/didClose", closed)?;
                Ok("closed".to_owned())
            }
            ("actions", [mark]) => self.actions(mark),
            ("hover", [mark]) => {
                let found = self.client.ask("textDocument/hover", self.at(mark)?)?;
                let text = found["contents"]["value"].as_str().unwrap_or_default();
                Ok(text.to_owned())
            }
            ("definition" | "references" | "highlights", [mark]) => self.places(verb, mark),
            ("prepare", [mark]) => {
                let found = self.client.ask("textDocument/prepareRename", self.at(mark)?)?;
                Ok(found["placeholder"].as_str().unwrap_or_default().to_owned())
            }
            ("rename", [mark, new]) => {
                let mut params = self.at(mark)?;
                params["newName"] = json!(new);
                let found = self.client.ask("textDocument/rename", params)?;
                self.edited(&found)
            }
            ("symbols", [name]) => {
                let found = self.client.ask("textDocument/documentSymbol", self.of(name))?;
                let mut text = String::new();
                symbols(&found, 0, &mut text);
                Ok(text)
            }
            ("search", [query]) => self.search(query),
            ("complete", [mark, shown @ ..]) => self.complete(mark, shown),
            ("signature", [mark]) => self.signature(mark),
            ("hints", [name]) => self.hints(name),
            ("tokens", [name]) => self.tokens(name),
            ("folds", [name]) => {
                let found = self.client.ask("textDocument/foldingRange", self.of(name))?;
                let lines = array(&found).iter().map(|one| {
                    let kind = one["kind"].as_str().unwrap_or("code");
                    format!("{}-{} {kind}\n", one["startLine"], one["endLine"])
                });
                Ok(lines.collect())
            }
            ("format", [name]) => {
                let mut params = self.of(name);
                params["options"] = json!({"tabSize": 2, "insertSpaces": true});
                let found = self.client.ask("textDocument/formatting", params)?;
                if array(&found).is_empty() {
                    return Ok(String::new());
                }
                let uri = self.client.uri(name);
                self.edited(&json!({"changes": {uri: found}}))
            }
            ("selection", [mark]) => self.selection(mark),
            ("lenses", [name]) => {
                let found = self.client.ask("textDocument/codeLens", self.of(name))?;
                let lines = array(&found).iter().map(|one| {
                    let words = array(&one["command"]["arguments"]).iter();
                    let words: Vec<&str> = words.filter_map(Value::as_str).collect();
                    let line = &one["range"]["start"]["line"];
                    let title = one["command"]["title"].as_str().unwrap_or_default();
                    format!("{line}: {title}: {}\n", words.join(" "))
                });
                Ok(lines.collect())
            }
            _ => Err(format!("`{verb}` is no request of scripts").into()),
        }
    }

    fn diagnostics(&self, found: &Value) -> String {
        let mut text = String::new();
        for one in array(found) {
            let severity = ["", "error", "warning", "information", "hint"];
            let severity =
                severity[usize::try_from(one["severity"].as_u64().unwrap_or(0)).unwrap_or(0)];
            let code = one["code"].as_str().unwrap_or("-");
            let message = one["message"].as_str().unwrap_or_default().replace('\n', "\n  ");
            let _ = writeln!(text, "{} {severity} {code}: {message}", range(&one["range"]));
            if let Some(page) = one["codeDescription"]["href"].as_str() {
                let _ = writeln!(text, "  page: {page}");
            }
            if !one["tags"].is_null() {
                let _ = writeln!(text, "  tags: {}", one["tags"]);
            }
            for related in array(&one["relatedInformation"]) {
                let place = location(&related["location"]);
                let _ = writeln!(
                    text,
                    "  {place}: {}",
                    related["message"].as_str().unwrap_or_default()
                );
            }
        }
        text
    }

    fn actions(&mut self, mark: &str) -> Result<String, Failed> {
        let at = self.at(mark)?;
        let range = json!({"start": at["position"], "end": at["position"]});
        let context = json!({"diagnostics": []});
        let document = &at["textDocument"];
        let params = json!({"textDocument": document, "range": range, "context": context});
        let found = self.client.ask("textDocument/codeAction", params)?;
        let mut text = String::new();
        for action in array(&found) {
            let title = action["title"].as_str().unwrap_or_default();
            let _ = writeln!(text, "{title}\n{}", self.edited(&action["edit"])?);
        }
        Ok(text)
    }

    fn places(&mut self, verb: &str, mark: &str) -> Result<String, Failed> {
        let mut params = self.at(mark)?;
        params["context"] = json!({"includeDeclaration": true});
        let method = match verb {
            "definition" => "textDocument/definition",
            "references" => "textDocument/references",
            _ => "textDocument/documentHighlight",
        };
        let found = self.client.ask(method, params)?;
        let all = if found.is_object() { vec![found] } else { array(&found).to_vec() };
        let lines = all.iter().map(|one| match verb {
            "highlights" => format!("{} {}\n", range(&one["range"]), one["kind"]),
            _ => format!("{} {}\n", location(one), self.text_at(one)),
        });
        Ok(lines.collect())
    }

    /// The text at a location.
    fn text_at(&self, location: &Value) -> String {
        let uri = location["uri"].as_str().unwrap_or_default();
        let open = self.texts.iter().find(|(name, _)| self.client.uri(name) == uri);
        let text = open.map(|(_, text)| text.clone());
        let read = || fs::read_to_string(uri.strip_prefix("file://")?).ok();
        let text = text.or_else(read).unwrap_or_default();
        let [start, end] = ["start", "end"].map(|end| byte_of(&text, &location["range"][end]));
        text[start..end].to_owned()
    }

    /// The texts after the edits of a change.
    fn edited(&self, change: &Value) -> Result<String, Failed> {
        let mut shown = String::new();
        let changes = change["changes"].as_object().ok_or("a change has edits")?;
        let mut uris: Vec<&String> = changes.keys().collect();
        uris.sort();
        for uri in uris {
            let path = uri.strip_prefix("file://").unwrap_or(uri);
            let open = self.texts.iter().find(|(name, _)| self.client.uri(name) == **uri);
            let text = open.map(|(_, text)| text.clone());
            let mut text = text.map_or_else(|| fs::read_to_string(path), Ok)?;
            let mut edits: Vec<(usize, usize, &str)> = Vec::new();
            for edit in array(&changes[uri]) {
                let [start, end] = ["start", "end"].map(|end| byte_of(&text, &edit["range"][end]));
                edits.push((start, end, edit["newText"].as_str().unwrap_or_default()));
            }
            edits.sort_unstable();
            for (start, end, new) in edits.into_iter().rev() {
                text.replace_range(start..end, new);
            }
            let _ = writeln!(shown, "{uri}:\n{}", text.replace('\r', "␍"));
        }
        Ok(shown)
    }

    fn search(&mut self, query: &str) -> Result<String, Failed> {
        let found = self.client.ask("workspace/symbol", json!({"query": query}))?;
        let lines = array(&found).iter().map(|one| {
            let around = one["containerName"].as_str().map(|name| format!(" in {name}"));
            let name = one["name"].as_str().unwrap_or_default();
            let around = around.unwrap_or_default();
            format!("{} {name}{around} {}\n", location(&one["location"]), one["kind"])
        });
        Ok(lines.collect())
    }

    /// The completions. With words behind the mark, only those words.
    fn complete(&mut self, mark: &str, shown: &[&str]) -> Result<String, Failed> {
        let found = self.client.ask("textDocument/completion", self.at(mark)?)?;
        let mut items: Vec<&Value> = array(&found).iter().collect();
        items.sort_by_key(|item| {
            let key = item["sortText"].as_str().or(item["label"].as_str());
            key.unwrap_or_default().to_owned()
        });
        let is_shown = |item: &&&Value| {
            let label = item["label"].as_str().unwrap_or_default();
            shown.is_empty() || shown.contains(&label)
        };
        let lines = items.iter().filter(is_shown).map(|item| {
            let detail = item["detail"].as_str().map(|detail| format!(" — {detail}"));
            let doc = item["documentation"]["value"].as_str().unwrap_or_default();
            let doc = doc.lines().next().map(|line| format!(" — {line}")).unwrap_or_default();
            let label = item["label"].as_str().unwrap_or_default();
            format!("{label} ({}){}{doc}\n", item["kind"], detail.unwrap_or_default())
        });
        Ok(lines.collect())
    }

    fn signature(&mut self, mark: &str) -> Result<String, Failed> {
        let found = self.client.ask("textDocument/signatureHelp", self.at(mark)?)?;
        let Some(one) = found["signatures"].get(0) else { return Ok(String::new()) };
        let label = one["label"].as_str().unwrap_or_default();
        let active = &found["activeParameter"];
        let at = active.as_u64().and_then(|at| usize::try_from(at).ok());
        let param = at.and_then(|at| one["parameters"].get(at));
        let units: Vec<u16> = label.encode_utf16().collect();
        let param = param.map(|param| {
            let end =
                |at: usize| usize::try_from(param["label"][at].as_u64().unwrap_or(0)).unwrap_or(0);
            String::from_utf16_lossy(&units[end(0)..end(1)])
        });
        let doc = one["documentation"]["value"].as_str().unwrap_or_default();
        Ok(format!("{label}\nactive: {}\n{doc}", param.unwrap_or_else(|| "none".to_owned())))
    }

    fn hints(&mut self, name: &str) -> Result<String, Failed> {
        let text = self.texts.get(name).ok_or("the text is open")?.clone();
        let mut params = self.of(name);
        let end = position_of(&text, text.len());
        params["range"] = json!({"start": {"line": 0, "character": 0}, "end": end});
        let found = self.client.ask("textDocument/inlayHint", params)?;
        let mut shown = text.clone();
        let mut hints: Vec<(usize, String)> = Vec::new();
        for hint in array(&found) {
            let label = hint["label"].as_str().unwrap_or_default();
            hints.push((byte_of(&text, &hint["position"]), format!("⟨{label}⟩")));
        }
        for (at, label) in hints.into_iter().rev() {
            shown.insert_str(at, &label);
        }
        Ok(shown)
    }

    fn tokens(&mut self, name: &str) -> Result<String, Failed> {
        let text = self.texts.get(name).ok_or("the text is open")?.clone();
        let found = self.client.ask("textDocument/semanticTokens/full", self.of(name))?;
        let legend = self.client.abilities["semanticTokensProvider"]["legend"].clone();
        let numbers: Vec<u64> = array(&found["data"]).iter().filter_map(Value::as_u64).collect();
        let (mut line, mut character, mut shown) = (0, 0, String::new());
        for token in numbers.chunks(5) {
            character = if token[0] == 0 { character + token[1] } else { token[1] };
            line += token[0];
            let at =
                |character: u64| byte_of(&text, &json!({"line": line, "character": character}));
            let word = &text[at(character)..at(character + token[2])];
            let kind = usize::try_from(token[3])?;
            let kind = legend["tokenTypes"][kind].as_str().unwrap_or_default();
            let marks = ["", " declaration", " library", " declaration library"];
            let _ = writeln!(shown, "{word} {kind}{}", marks[usize::try_from(token[4])?]);
        }
        Ok(shown)
    }

    fn selection(&mut self, mark: &str) -> Result<String, Failed> {
        let at = self.at(mark)?;
        let params = json!({"textDocument": at["textDocument"], "positions": [at["position"]]});
        let found = self.client.ask("textDocument/selectionRange", params)?;
        let (mut text, mut part) = (String::new(), &found[0]);
        while !part.is_null() {
            let _ = writeln!(text, "{}", range(&part["range"]));
            part = &part["parent"];
        }
        Ok(text)
    }

    /// A text without the folder of the test.
    fn without_folder(&self, text: &str) -> String {
        let folder = self.client.folder.path().display().to_string();
        text.replace(&format!("file://{folder}/"), "").replace(&format!("{folder}/"), "")
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn symbols(found: &Value, depth: usize, text: &mut String) {
    for one in array(found) {
        let name = one["name"].as_str().unwrap_or_default();
        let detail = one["detail"].as_str().map(|detail| format!(" {detail}"));
        let place = range(&one["range"]);
        let blanks = "  ".repeat(depth);
        let kind = &one["kind"];
        let _ = writeln!(text, "{blanks}{name}{} {kind} {place}", detail.unwrap_or_default());
        symbols(&one["children"], depth + 1, text);
    }
}

/// A range as `line:character-line:character`, from 0.
fn range(range: &Value) -> String {
    let [start, end] =
        ["start", "end"].map(|end| format!("{}:{}", range[end]["line"], range[end]["character"]));
    format!("{start}-{end}")
}

fn location(location: &Value) -> String {
    let uri = location["uri"].as_str().unwrap_or_default();
    format!("{uri} {}", range(&location["range"]))
}

/// A text without its lines of marks, and the positions of the marks.
fn marked(body: &str) -> (String, Vec<(String, Value)>) {
    let is_marks = |line: &str| {
        let mut words = line.split_whitespace().peekable();
        words.peek().is_some() && words.all(|word| word.len() == 2 && word.starts_with('^'))
    };
    let mut lines: Vec<&str> = Vec::new();
    let mut marks = Vec::new();
    for line in body.split('\n') {
        if !is_marks(line) {
            lines.push(line);
            continue;
        }
        let above = lines.last().copied().unwrap_or_default();
        for (column, _) in line.char_indices().filter(|(_, sign)| *sign == '^') {
            let before = above.chars().take(column);
            let character: usize = before.map(char::len_utf16).sum();
            let position = json!({"line": lines.len() - 1, "character": character});
            marks.push((line[column + 1..column + 2].to_owned(), position));
        }
    }
    (lines.join("\n"), marks)
}

/// The position of a byte, in units of UTF-16.
fn position_of(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    json!({"line": line, "character": last.encode_utf16().count()})
}

/// The byte at a position.
fn byte_of(text: &str, position: &Value) -> usize {
    let number = |name: &str| usize::try_from(position[name].as_u64().unwrap_or(0)).unwrap_or(0);
    let mut starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
    let Some(start) = starts.nth(number("line")) else { return text.len() };
    let mut left = number("character");
    let mut byte = start;
    for char in text[start..].chars().take_while(|char| *char != '\n') {
        if left < char.len_utf16() {
            break;
        }
        left -= char.len_utf16();
        byte += char.len_utf8();
    }
    byte
}
