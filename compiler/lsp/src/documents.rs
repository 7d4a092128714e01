//! The texts that are open in the editor.
//!
//! Invariant: an open text is what the editor shows, whatever the file system has.
//!
//! ```text
//! open a.arr, insert "x" at 0:0   ⇒   the text begins with "x"
//! ```

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use arrc_front::load::{LoadError, Loader};
use gen_lsp_types::{TextDocumentContentChangeEvent, Uri};

use crate::positions::Lines;

/// A text that is open.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The editor's name for it.
    pub(crate) uri: Uri,
    /// The editor's version.
    pub(crate) version: i32,
    /// The text.
    pub(crate) text: Arc<str>,
}

impl Document {
    /// Makes the changes, in order.
    pub(crate) fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let mut text = self.text.to_string();
        for change in changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change) => {
                    let lines = Lines::new(&text);
                    let start = lines.byte(&text, change.range.start);
                    let end = lines.byte(&text, change.range.end).max(start);
                    text.replace_range(start..end, &change.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(change) => {
                    text = change.text;
                }
            }
        }
        (self.version, self.text) = (version, text.into());
    }
}

/// The open texts by their paths, as a thread takes them with it.
pub(crate) type Texts = BTreeMap<String, Arc<str>>;

/// The open texts before the files of the system. It notes what was asked for.
pub(crate) struct Overlay<'a> {
    texts: &'a Texts,
    files: &'a dyn Loader,
    asked: RefCell<BTreeSet<String>>,
}

impl<'a> Overlay<'a> {
    /// Nothing was asked for yet.
    pub(crate) fn new(texts: &'a Texts, files: &'a dyn Loader) -> Self {
        Self { texts, files, asked: RefCell::default() }
    }

    /// The paths that were asked for, also those without files.
    pub(crate) fn asked(self) -> BTreeSet<String> {
        self.asked.into_inner()
    }
}

impl Loader for Overlay<'_> {
    fn load(&self, path: &str) -> Result<String, LoadError> {
        self.asked.borrow_mut().insert(path.to_owned());
        match self.texts.get(path) {
            Some(text) => Ok(text.to_string()),
            None => self.files.load(path),
        }
    }

    fn files(&self, folder: &str) -> Vec<String> {
        let mut names = self.files.files(folder);
        let open = self.texts.keys().filter_map(|path| path.strip_prefix(folder));
        names.extend(open.filter(|name| !name.contains('/')).map(str::to_owned));
        names.sort();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gen_lsp_types::{
        Position, Range, TextDocumentContentChangePartial, TextDocumentContentChangeWholeDocument,
    };

    #[test]
    fn changes_are_made_in_order() {
        let (uri, text) = (Uri("file:///a.arr".into()), "ab\ncd\n".into());
        let mut document = Document { uri, version: 1, text };
        let at = |line, character| Position { line, character };
        let insert = |from, to, text: &str| {
            let range = Range { start: from, end: to };
            let change = arrc_syntax::json::json!({"range": range, "text": text});
            let change: TextDocumentContentChangePartial =
                arrc_syntax::json::from_value(change).expect("it is a change");
            TextDocumentContentChangeEvent::TextDocumentContentChangePartial(change)
        };
        document
            .change(2, vec![insert(at(0, 1), at(1, 1), "𝄞\n"), insert(at(0, 3), at(0, 3), "x")]);
        assert_eq!((&*document.text, document.version), ("a𝄞x\nd\n", 2));
        let whole = TextDocumentContentChangeWholeDocument { text: "e".into() };
        document.change(
            3,
            vec![TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(whole)],
        );
        assert_eq!(&*document.text, "e");
    }
}
