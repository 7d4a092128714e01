//! Reads test blocks.
//!
//! Invariant: an error is reported once. Reading continues at the next line that begins with a word of the notation.
//!
//! ```text
//! block     = { `tags` words | `entry:` names | `link:` files | [text] { tag } test }
//! test      = input [`output` values | `auto output` | `error:` regex] [`allocates` number]
//!           | `error:` regex | `warning:` regex | `property:` names
//!           | `structure` [block] { [strategy] `{` { count number } `}` }
//! input     = `input` values | `random input` `{` types `}` | `script input` (`{` exp `}` | `@` file)
//! values    = `{` … `}` | `@` file
//! ```

use std::path::Path;

use arrc_fusion::clusters::Strategy;
use arrc_syntax::ids::FileId;
use arrc_syntax::source::{Sources, Span};

use super::block_error::TestError;
use super::{Call, Count, Expected, Input, Kind, Script, Structure, Test, Values, Word};
use crate::test::dialect::Dialect;
use crate::test::script;

/// The entry of tests that name none.
const MAIN: &str = "main";

/// Every word that a line of a block can begin with.
pub(super) const DIRECTIVES: [&str; 15] = [
    "input",
    "output",
    "random",
    "auto",
    "script",
    "error:",
    "warning:",
    "property:",
    "entry:",
    "link:",
    "tags",
    "structure",
    "compiled",
    "nobench",
    "allocates",
];

/// Every test of a program, in the order of the file.
///
/// # Errors
/// All errors in its test blocks.
pub(crate) fn tests(sources: &Sources, file: FileId) -> Result<Vec<Test>, Vec<TestError>> {
    let source = sources.get(file);
    let (text, dialect) = (&source.text, Dialect::of(Path::new(&source.path)));
    let mut found = Vec::new();
    let mut errors = Vec::new();
    let mut links = Vec::new();
    let mut common: Option<Vec<String>> = None;
    for block in blocks(text) {
        let mut reader = Reader::new((file, dialect), &block, &mut errors);
        reader.block();
        // The tags of the first block apply to the whole program.
        let before = common.get_or_insert_with(|| reader.tags.clone()).clone();
        reader.tags.splice(0..0, before);
        reader.tags.dedup();
        links.append(&mut reader.links);
        found.extend(reader.finish());
    }
    // A program is linked once for all its tests, so each test has all links.
    for test in &mut found {
        test.linked(&links);
    }
    alone(&found, &mut errors);
    if errors.is_empty() { Ok(found) } else { Err(errors) }
}

/// Checks that a program that must not compile has no other tests.
fn alone(tests: &[Test], errors: &mut Vec<TestError>) {
    let is_error = |test: &&Test| matches!(test.kind, Kind::CompileError(_));
    let error = tests.iter().find(is_error);
    let other = tests.iter().find(|test| !is_error(test));
    if let (Some(error), Some(other)) = (error, other) {
        errors.push(TestError::NotAlone { error: error.span, other: other.span });
    }
}

/// The text of a block, which begins at `start` in the file. Blanks replace the dashes, so that each offset in the
/// text is an offset in the file.
struct BlockText {
    text: String,
    start: usize,
}

fn blocks(text: &str) -> Vec<BlockText> {
    let mut found: Vec<BlockText> = Vec::new();
    let mut open = false;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        match line.strip_prefix("--") {
            Some(rest) if rest.trim() == "==" => {
                open = true;
                found.push(BlockText { text: String::new(), start: at + line.len() });
            }
            Some(rest) if open => {
                let block = found.last_mut().expect("an open block is the last one");
                block.text.push_str("  ");
                block.text.push_str(rest);
            }
            Some(_) => {}
            None => open = false,
        }
        at += line.len();
    }
    found
}

/// The ranges of the pieces of a text that is split at blanks outside of brackets and quotes: `empty([0]f64) [1, 2]` has
/// two pieces.
fn pieces(text: &str) -> Vec<std::ops::Range<usize>> {
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    let mut depth = 0_u32;
    let (mut open, mut quoted) = (false, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '[' | '(' if !quoted => depth += 1,
            ']' | ')' if !quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        let end = at + character.len_utf8();
        if character.is_whitespace() {
            open &= depth > 0 || quoted;
            continue;
        }
        match found.last_mut() {
            Some(last) if open => last.end = end,
            Some(_) | None => found.push(at..end),
        }
        open = true;
    }
    found
}

/// An input whose expectation has not been read yet.
struct Pending {
    span: Span,
    name: Option<String>,
    input: Input,
    tags: Vec<String>,
}

struct Reader<'a> {
    file: FileId,
    dialect: Dialect,
    block: &'a BlockText,
    at: usize,
    entries: Vec<Word>,
    tags: Vec<String>,
    links: Vec<Word>,
    name: Option<String>,
    /// The words before the next input.
    words: Vec<String>,
    pending: Option<Pending>,
    found: Vec<Test>,
    errors: &'a mut Vec<TestError>,
}

/// The result of reading, or the error that ends it.
type Read<T> = Result<T, TestError>;

impl<'a> Reader<'a> {
    fn new(
        (file, dialect): (FileId, Dialect),
        block: &'a BlockText,
        errors: &'a mut Vec<TestError>,
    ) -> Self {
        Self {
            file,
            dialect,
            block,
            at: 0,
            entries: Vec::new(),
            tags: Vec::new(),
            links: Vec::new(),
            name: None,
            words: Vec::new(),
            pending: None,
            found: Vec::new(),
            errors,
        }
    }

    fn finish(mut self) -> Vec<Test> {
        self.complete(Expected::Success);
        for test in &mut self.found {
            test.tags.splice(0..0, self.tags.iter().cloned());
        }
        self.found
    }

    fn block(&mut self) {
        while let Some(word) = self.word() {
            if let Err(error) = self.directive(&word) {
                self.errors.push(error);
                self.recover();
            }
        }
    }

    fn directive(&mut self, word: &Word) -> Read<()> {
        match word.text.as_str() {
            "entry:" => self.entry(word),
            "link:" => {
                self.complete(Expected::Success);
                let files = self.names(word, "the name of a file")?;
                self.links.extend(files);
                Ok(())
            }
            "tags" => {
                self.tags = self.braces()?.words.into_iter().map(|tag| tag.text).collect();
                Ok(())
            }
            "random" => {
                self.keyword("input", word)?;
                let types = self.braces()?;
                self.wait(word, Input::Random(types));
                Ok(())
            }
            "script" => {
                self.keyword("input", word)?;
                let input = self.script()?;
                self.wait(word, input);
                Ok(())
            }
            "input" => {
                let values = self.values()?;
                self.wait(word, Input::Values(values));
                Ok(())
            }
            "output" => {
                let values = self.values()?;
                self.expect(word, Expected::Output(values))
            }
            "auto" => {
                self.keyword("output", word)?;
                self.expect(word, Expected::Auto)
            }
            "allocates" => self.allocates(word),
            "error:" => self.error(word),
            "warning:" => {
                self.complete(Expected::Success);
                let pattern = self.pattern()?;
                self.push(word.span, None, Kind::Warning(pattern));
                Ok(())
            }
            "property:" => {
                self.complete(Expected::Success);
                for entry in self.names(word, "the name of an entry")? {
                    self.push(entry.span, None, Kind::Property(entry));
                }
                Ok(())
            }
            "structure" if self.dialect == Dialect::Futhark => self.foreign_structure(),
            "structure" => self.structure(word),
            _ if word.text.starts_with('"') => {
                self.name = Some(word.text.trim_matches('"').to_string());
                Ok(())
            }
            tag if self.is_before_input(tag) => {
                self.words.push(tag.to_owned());
                Ok(())
            }
            _ => Err(TestError::Directive { word: word.clone() }),
        }
    }

    /// Whether a word is a tag: others may follow, and then an input.
    fn is_before_input(&self, tag: &str) -> bool {
        let is_tag = |word: &str| {
            word.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter))
        };
        let mut next = self
            .rest()
            .split_whitespace()
            .skip_while(|word| is_tag(word) && !["input", "random", "script"].contains(word));
        let begins = |word: &str| {
            let rest = word.strip_prefix("input").unwrap_or("-");
            ["random", "script"].contains(&word) || rest.is_empty() || rest.starts_with(['{', '@'])
        };
        is_tag(tag) && next.next().is_some_and(begins)
    }

    /// Futhark counts the nodes of its own forms, and only if it is asked to.
    fn foreign_structure(&mut self) -> Read<()> {
        self.complete(Expected::Success);
        if self.peek().is_some_and(|next| next.text != "{") {
            self.word();
        }
        self.braces().map(drop)
    }

    /// `{ exp }` or `@ file`, behind `script input`.
    fn script(&mut self) -> Read<Input> {
        if self.peek().is_some_and(|word| word.text == "@") {
            return self.values().map(Input::ScriptFile);
        }
        let open = self.at + (self.rest().len() - self.rest().trim_start().len());
        let text = &self.block.text[open..];
        if !text.starts_with('{') {
            return Err(TestError::NoBrace { at: self.span(open, open), found: self.peek() });
        }
        let Some(length) = script::closed(text) else {
            self.at = open + 1;
            return Err(TestError::Unclosed { open: self.span(open, open + 1), second: None });
        };
        self.at = open + length;
        let word = Word { text: text[..length].to_owned(), span: self.span(open, self.at) };
        let exp = script::parse(&text[1..length - 1]).map_err(|error| {
            let at = open + 1 + error.at;
            TestError::Script { span: self.span(at, at + error.length), problem: error.problem }
        })?;
        Ok(Input::Script(Script { word, exp }))
    }

    /// The names up to the end of the line: the entries of the next tests.
    fn entry(&mut self, word: &Word) -> Read<()> {
        self.complete(Expected::Success);
        self.entries = self.names(word, "the name of an entry")?;
        Ok(())
    }

    /// The words up to the end of the line, at least one.
    fn names(&mut self, after: &Word, what: &'static str) -> Read<Vec<Word>> {
        let line = self.rest().lines().next().unwrap_or_default();
        let (start, line) = (self.at, line.to_string());
        self.at += line.len();
        let names: Vec<Word> =
            pieces(&line).into_iter().map(|piece| self.piece(&line, start, piece)).collect();
        if names.is_empty() {
            return Err(TestError::Missing { after: after.clone(), what });
        }
        Ok(names)
    }

    /// The error of the input before it if that has no expectation yet, and of the whole program otherwise.
    fn error(&mut self, word: &Word) -> Read<()> {
        let pattern = self.pattern()?;
        if self.pending.is_some() {
            self.complete(Expected::Error(pattern));
        } else {
            let kind = Kind::CompileError(pattern);
            self.push(word.span, None, kind);
        }
        Ok(())
    }

    /// A regular expression, up to the end of the line.
    fn pattern(&mut self) -> Read<Word> {
        let line = self.rest().lines().next().unwrap_or_default();
        let pattern = line.trim();
        let start = self.at + (line.len() - line.trim_start().len());
        let pattern =
            Word { text: pattern.to_string(), span: self.span(start, start + pattern.len()) };
        self.at += line.len();
        if let Err(problem) = regex::Regex::new(&pattern.text) {
            return Err(TestError::Regex { pattern, problem: problem.to_string() });
        }
        Ok(pattern)
    }

    fn structure(&mut self, word: &Word) -> Read<()> {
        self.complete(Expected::Success);
        let mut blocks = self.entries.clone();
        if let Some(block) =
            self.peek().filter(|next| next.text != "{" && strategy(&next.text).is_none())
        {
            self.at = self.end(&block);
            blocks = vec![block];
        }
        if blocks.is_empty() {
            blocks = vec![Word { text: MAIN.to_string(), span: word.span }];
        }
        let mut first = true;
        loop {
            let chosen = self.peek().and_then(|next| {
                let chosen = strategy(&next.text)?;
                self.at = self.end(&next);
                Some(chosen)
            });
            if !first && chosen.is_none() && !self.rest().trim_start().starts_with('{') {
                return Ok(());
            }
            first = false;
            let counts = self.counts()?;
            for block in &blocks {
                let (block, strategy) = (block.clone(), chosen.unwrap_or_default());
                let structure = Structure { block, strategy, counts: counts.clone() };
                self.push(word.span, None, Kind::Structure(structure));
            }
        }
    }

    /// `{ clusters 2 arrays 0 allocated n + 2 }`.
    fn counts(&mut self) -> Read<Vec<(Count, String)>> {
        let values = self.braces()?;
        let mut counts = Vec::new();
        let of = |word: &Word| Count::ALL.into_iter().find(|count| count.name() == word.text);
        let mut words = values.words.into_iter().peekable();
        while let Some(word) = words.next() {
            let count = of(&word).ok_or_else(|| TestError::Count { word: word.clone() })?;
            let first = words.next().ok_or(TestError::Missing { after: word, what: "a number" })?;
            let value = if count == Count::Allocated {
                let rest = std::iter::from_fn(|| words.next_if(|next| of(next).is_none()));
                let texts = rest.map(|word| word.text).collect::<Vec<_>>();
                [&[first.text][..], &texts].concat().join(" ")
            } else {
                let number = first.text.parse::<u32>();
                number.map_err(|_| TestError::Number { word: first })?.to_string()
            };
            counts.push((count, value));
        }
        Ok(counts)
    }

    /// Keeps an input until its expectation is read. An earlier input that is still kept is complete.
    fn wait(&mut self, word: &Word, input: Input) {
        self.complete(Expected::Success);
        self.pending = Some(Pending {
            span: word.span,
            name: self.name.take(),
            input,
            tags: std::mem::take(&mut self.words),
        });
    }

    fn expect(&mut self, word: &Word, expected: Expected) -> Read<()> {
        if self.pending.is_none() {
            return Err(TestError::NoInput { word: word.clone() });
        }
        self.complete(expected);
        Ok(())
    }

    /// Makes one test for each entry from the input that is kept.
    fn complete(&mut self, expected: Expected) {
        let Some(Pending { span, name, input, tags }) = self.pending.take() else { return };
        let has = |tag: &str| tags.iter().any(|other| other == tag);
        let (compiled_only, tested_only) = (has("compiled"), has("nobench"));
        let mut entries = self.entries.clone();
        if entries.is_empty() {
            entries.push(Word { text: MAIN.to_string(), span });
        }
        for entry in entries {
            let (input, expected) = (input.clone(), expected.clone());
            let allocates = None;
            let call = Call { entry, input, expected, allocates, compiled_only, tested_only };
            self.push(span, name.clone(), Kind::Call(call));
            self.found.last_mut().expect("just pushed").tags.clone_from(&tags);
        }
    }

    fn push(&mut self, span: Span, name: Option<String>, kind: Kind) {
        let name = name.or_else(|| self.name.take());
        self.found.push(Test { span, name, tags: Vec::new(), links: Vec::new(), kind });
    }

    /// Sets the number of allocated arrays of the call before it.
    fn allocates(&mut self, word: &Word) -> Read<()> {
        self.complete(Expected::Success);
        let missing = TestError::Missing { after: word.clone(), what: "a number" };
        let number = self.word().ok_or(missing)?;
        let count = number.text.parse().map_err(|_| TestError::Number { word: number })?;
        let last = self.found.last().map(|test| test.span);
        let mut found = false;
        for test in self.found.iter_mut().rev().take_while(|test| Some(test.span) == last) {
            if let Kind::Call(call) = &mut test.kind {
                call.allocates = Some(count);
                found = true;
            }
        }
        if found { Ok(()) } else { Err(TestError::NoInput { word: word.clone() }) }
    }

    /// Skips to the next line that begins with a word of the notation.
    fn recover(&mut self) {
        while let Some(newline) = self.rest().find('\n') {
            self.at += newline + 1;
            if self.peek().is_some_and(|word| DIRECTIVES.contains(&word.text.as_str())) {
                return;
            }
        }
        self.at = self.block.text.len();
    }

    fn rest(&self) -> &'a str {
        &self.block.text[self.at..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        let place = |at: usize| {
            u32::try_from(self.block.start + at).expect("a program has less than 4 GiB")
        };
        Span::new(self.file, place(start), place(end))
    }

    /// The end of a word, as an offset in the block's text.
    fn end(&self, word: &Word) -> usize {
        word.span.end as usize - self.block.start
    }

    /// The next word, without taking it: it ends at a blank, a brace or `@`, or it is a text in quotes.
    fn peek(&self) -> Option<Word> {
        let rest = self.rest();
        let start = self.at + rest.find(|character: char| !character.is_whitespace())?;
        let text = &self.block.text[start..];
        let length = if let Some(quoted) = text.strip_prefix('"') {
            quoted.find(['"', '\n']).map_or(text.len(), |end| end + 2)
        } else {
            let ends = |character: char| character.is_whitespace() || "{}@".contains(character);
            text.find(ends).unwrap_or(text.len())
        };
        // A brace or `@` in the place of a word is taken as a word, so that a message can show it.
        let first = text.chars().next().map_or(0, char::len_utf8);
        let text = &text[..length.max(first)];
        Some(Word { text: text.to_string(), span: self.span(start, start + text.len()) })
    }

    fn word(&mut self) -> Option<Word> {
        let word = self.peek()?;
        self.at = self.end(&word);
        Some(word)
    }

    /// Takes this word, or reports that it is missing.
    fn keyword(&mut self, keyword: &'static str, after: &Word) -> Read<()> {
        match self.peek() {
            Some(word) if word.text == keyword => {
                self.at = self.end(&word);
                Ok(())
            }
            Some(_) | None => Err(TestError::Keyword { after: after.clone(), keyword }),
        }
    }

    /// `{ … }`, or `@ file`.
    fn values(&mut self) -> Read<Values> {
        let Some(at) = self.peek().filter(|word| word.text == "@") else {
            return self.braces();
        };
        self.at = self.end(&at);
        let length = self.rest().len() - self.rest().trim_start().len();
        let start = self.at + length;
        let name = self.rest().split_whitespace().next().unwrap_or_default();
        if name.is_empty() || self.rest()[..length].contains('\n') {
            return Err(TestError::Missing { after: at, what: "the name of a file" });
        }
        self.at = start + name.len();
        let span = at.span.to(self.span(start, start + name.len()));
        Ok(Values { words: vec![Word { text: format!("@{name}"), span }], span })
    }

    /// The words in the next braces.
    fn braces(&mut self) -> Read<Values> {
        let blanks = self.rest().len() - self.rest().trim_start().len();
        let open = self.at + blanks;
        if !self.block.text[open..].starts_with('{') {
            let found = self.peek();
            return Err(TestError::NoBrace { at: self.span(open, open), found });
        }
        let inside = open + 1;
        let text = &self.block.text[inside..];
        let close = text.find(['{', '}']);
        match close.map(|close| (close, &text[close..=close])) {
            Some((close, "}")) => {
                let content = &text[..close];
                self.at = inside + close + 1;
                let words =
                    pieces(content).into_iter().map(|piece| self.piece(content, inside, piece));
                Ok(Values { words: words.collect(), span: self.span(open, self.at) })
            }
            next => {
                let second = next.map(|(at, _)| self.span(inside + at, inside + at + 1));
                self.at = inside;
                Err(TestError::Unclosed { open: self.span(open, inside), second })
            }
        }
    }

    fn piece(&self, text: &str, start: usize, piece: std::ops::Range<usize>) -> Word {
        let span = self.span(start + piece.start, start + piece.end);
        Word { text: text[piece].to_string(), span }
    }
}

/// The strategy with this name.
fn strategy(name: &str) -> Option<Strategy> {
    Strategy::ALL.into_iter().find(|strategy| strategy.name() == name)
}
