//! The open texts, and an analysis of each.
//!
//! Invariant: an analysis is kept for an open text only, and at most one. So the memory that the server needs depends on
//! the open texts, and not on how often they were changed.
//!
//! ```text
//! change b.arr, which the open a.arr imports   ⇒   the analyses of both are dropped
//! ```

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use arrc_front::load::is_program;
use arrc_pipeline::typed::Wish;
use arrc_syntax::ids::FileId;
use arrc_syntax::source::Span;
use gen_lsp_types::{Location, Uri};

use crate::Host;
use crate::analysis::Analysis;
use crate::documents::{Document, Texts};
use crate::paths::uri_of;
use crate::shelf::Shelf;

/// The most files of a folder that are looked at.
const MOST_FILES: usize = 2_000;

/// The open texts and the folders of the editor.
pub(crate) struct Workspace {
    pub(crate) host: Host,
    /// The open texts, by path.
    pub(crate) documents: BTreeMap<String, Document>,
    /// The analyses of open texts, by path.
    pub(crate) analyses: BTreeMap<String, Rc<Analysis>>,
    /// The folders that are open.
    pub(crate) folders: Vec<String>,
    /// The texts that are part of the compiler.
    pub(crate) shelf: Shelf,
    stamps: u64,
}

impl Workspace {
    /// Nothing is open.
    pub(crate) fn new(host: Host, folders: Vec<String>) -> Self {
        Self {
            host,
            documents: BTreeMap::new(),
            analyses: BTreeMap::new(),
            folders,
            shelf: Shelf::new((host.shelf)()),
            stamps: 0,
        }
    }

    /// The open texts, for a thread.
    pub(crate) fn texts(&self) -> Texts {
        let texts = self.documents.iter();
        texts.map(|(path, document)| (path.clone(), document.text.clone())).collect()
    }

    /// The text at a path, as the editor or the file system has it.
    pub(crate) fn text(&self, path: &str) -> Option<Arc<str>> {
        match self.documents.get(path) {
            Some(document) => Some(document.text.clone()),
            None => self.host.files.load(path).ok().map(Arc::from),
        }
    }

    /// Drops what was made of the text at a path. Returns the open texts that are to be analysed again.
    pub(crate) fn changed(&mut self, path: &str) -> Vec<String> {
        let is_stale =
            |root: &String, analysis: &Rc<Analysis>| root == path || analysis.asked.contains(path);
        let stale = self.analyses.iter().filter(|(root, analysis)| is_stale(root, analysis));
        let mut stale: Vec<String> = stale.map(|(root, _)| root.clone()).collect();
        for root in &stale {
            self.analyses.remove(root);
        }
        let own = path.to_owned();
        if self.documents.contains_key(path) && !stale.contains(&own) {
            stale.push(own);
        }
        stale
    }

    /// The analysis of the text at a path. None if there is no text, or if the compiler has a bug there.
    pub(crate) fn analysis(&mut self, path: &str) -> Option<Rc<Analysis>> {
        if let Some(known) = self.analyses.get(path) {
            return Some(known.clone());
        }
        let text = self.text(path)?;
        let texts = self.texts();
        let found = Rc::new(self.analysed((path, &text), &texts, Wish::Places)?);
        if self.documents.contains_key(path) {
            self.analyses.insert(path.to_owned(), found.clone());
        }
        Some(found)
    }

    /// The analysis of any text in place of that at a path, among other texts.
    pub(crate) fn analysed(
        &mut self,
        (path, text): (&str, &str),
        texts: &Texts,
        wish: Wish,
    ) -> Option<Analysis> {
        self.stamps += 1;
        let (stamp, files) = (self.stamps, self.host.files);
        let analyse = || Analysis::new((path, text), stamp, texts, files, wish);
        catch_unwind(AssertUnwindSafe(analyse)).ok()
    }

    /// The name of a file of an analysis for the editor; none for a text of the compiler that has no file.
    pub(crate) fn uri(&mut self, analysis: &Analysis, file: FileId) -> Option<Uri> {
        let source = analysis.sources.get(file);
        if source.is_library {
            return self.shelf.path(&source.path, &source.text).map(|path| uri_of(&path));
        }
        Some(self.uri_of(&source.path))
    }

    /// The name of a path for the editor.
    pub(crate) fn uri_of(&self, path: &str) -> Uri {
        self.documents.get(path).map_or_else(|| uri_of(path), |document| document.uri.clone())
    }

    /// A place for the editor.
    pub(crate) fn location(&mut self, analysis: &Analysis, span: Span) -> Option<Location> {
        let uri = self.uri(analysis, span.file)?;
        Some(Location { uri, range: analysis.range(span) })
    }

    /// The programs in the open folders and the open texts, by path.
    pub(crate) fn programs(&self) -> Vec<String> {
        let mut found: Vec<String> = self.documents.keys().cloned().collect();
        let mut folders: Vec<String> = self.folders.clone();
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(Path::new(&folder)) else { continue };
            for entry in entries.filter_map(Result::ok) {
                let Ok(name) = entry.file_name().into_string() else { continue };
                let path = format!("{folder}/{name}");
                let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
                let is_hidden = name.starts_with('.') || name == "target" || name == "node_modules";
                if is_folder && !is_hidden {
                    folders.push(path);
                } else if !is_folder && is_program(&name) && found.len() < MOST_FILES {
                    found.push(path);
                }
            }
        }
        found.sort();
        found.dedup();
        found
    }
}
