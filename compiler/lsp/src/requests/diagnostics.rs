//! Diagnostics in the forms of the protocol, and which of them the editor has.
//!
//! Invariant: the diagnostics of an open text are those of its own analysis. A file that is not open has those that the
//! open texts which import it find there. When they find none any more, the editor is told so.
//!
//! ```text
//! error[A0201] at `y`, label `x` elsewhere   ⇒   a diagnostic at `y` with related information at `x`
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arrc_syntax::diagnostics::{Code, Diagnostic, REGISTRY, Severity};
use arrc_syntax::ids::FileId;
use arrc_syntax::source::{Sources, Span};
use gen_lsp_types as lsp;

use crate::analysis::{Analysis, imports};
use crate::documents::Document;
use crate::workspace::Workspace;

/// Diagnostics by the paths of the files.
pub(crate) type ByFile = BTreeMap<String, Vec<lsp::Diagnostic>>;

/// The diagnostics that the editor was told.
#[derive(Default)]
pub(crate) struct FoundDiagnostics(BTreeMap<String, ByFile>);

impl FoundDiagnostics {
    /// The number of texts with diagnostics.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Takes the diagnostics of an open text in place of earlier ones. Returns what the editor is to be told.
    pub(crate) fn tell(
        &mut self,
        root: &str,
        found: ByFile,
        open: &BTreeMap<String, Document>,
    ) -> ByFile {
        let before = self.0.insert(root.to_owned(), found);
        let files: BTreeSet<String> =
            before.iter().chain(self.0.get(root)).flat_map(|found| found.keys().cloned()).collect();
        let told = files.into_iter().filter(|file| file == root || !open.contains_key(file));
        told.map(|file| (file.clone(), self.of(&file, open))).collect()
    }

    /// Forgets a text that was closed. Returns what the editor is to be told.
    pub(crate) fn close(
        &mut self,
        root: &str,
        uri: lsp::Uri,
    ) -> Vec<(lsp::Uri, Vec<lsp::Diagnostic>)> {
        let Some(before) = self.0.remove(root) else { return Vec::new() };
        let none = BTreeMap::new();
        let others = before.into_keys().filter(|file| file != root);
        let mut told: Vec<_> = others
            .filter(|file| !self.0.contains_key(file))
            .map(|file| (crate::paths::uri_of(&file), self.of(&file, &none)))
            .collect();
        told.push((uri, self.of(root, &none)));
        told
    }

    /// The diagnostics of a file: its own, or those that the texts which import it have found.
    fn of(&self, file: &str, open: &BTreeMap<String, Document>) -> Vec<lsp::Diagnostic> {
        if open.contains_key(file) {
            return self.0.get(file).and_then(|own| own.get(file)).cloned().unwrap_or_default();
        }
        let mut all: Vec<lsp::Diagnostic> = Vec::new();
        for found in self.0.values().filter_map(|found| found.get(file)).flatten() {
            if !all.contains(found) {
                all.push(found.clone());
            }
        }
        all
    }
}

/// Diagnostics in the forms of the protocol, by the paths of their files.
pub(crate) fn of(
    workspace: &mut Workspace,
    analysis: &Analysis,
    sources: &Sources,
    found: &[Diagnostic],
) -> ByFile {
    let mut all = ByFile::from([(analysis.path.clone(), Vec::new())]);
    for diagnostic in found {
        let start = Span::new(analysis.root, 0, 0);
        let mut places: Vec<Span> = diagnostic.places().collect();
        if places.is_empty() {
            places.push(start);
        }
        for place in places {
            let file = sources.get(place.file);
            if !file.is_library {
                let one = converted(workspace, analysis, diagnostic, place);
                all.entry(file.path.clone()).or_default().push(one);
            }
        }
    }
    let wrong = of_imports(workspace, analysis, found);
    all.entry(analysis.path.clone()).or_default().extend(wrong);
    all
}

/// A diagnostic at one of its places.
fn converted(
    workspace: &mut Workspace,
    analysis: &Analysis,
    found: &Diagnostic,
    place: Span,
) -> lsp::Diagnostic {
    let labels = found.secondary.iter().map(|label| (label.span, label.text.clone()));
    let repeats = found.places().map(|span| (span, found.message.clone()));
    let others = labels.chain(repeats).filter(|(span, _)| *span != place);
    let related = others.filter_map(|(span, message)| {
        let location = workspace.location(analysis, span)?;
        Some(lsp::DiagnosticRelatedInformation { location, message })
    });
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: analysis.range(place),
        severity: Some(severity(found.severity)),
        code: Some(found.code.0.to_owned().into()),
        code_description: page(workspace, found.code),
        source: Some("arrc".to_owned()),
        message: message(found).into(),
        tags: tags(found.code),
        related_information: (!related.is_empty()).then_some(related),
        data: None,
    }
}

/// The finding, the label of its place, the facts and the advice.
fn message(found: &Diagnostic) -> String {
    let mut text = found.message.clone();
    let label = found.primary.as_ref().map(|label| label.text.as_str()).unwrap_or_default();
    if !label.is_empty() {
        text += &format!("\n{label}");
    }
    for note in &found.notes {
        text += &format!("\nnote: {note}");
    }
    for help in found.shown_helps() {
        text += &format!("\nhelp: {}", help.text());
    }
    text
}

fn severity(of: Severity) -> lsp::DiagnosticSeverity {
    match of {
        Severity::Error => lsp::DiagnosticSeverity::Error,
        Severity::Warning => lsp::DiagnosticSeverity::Warning,
        Severity::Hint => lsp::DiagnosticSeverity::Information,
    }
}

/// Editors show code that is not needed in a faint colour.
fn tags(code: Code) -> Option<Vec<lsp::DiagnosticTag>> {
    let unused = [Code::UNUSED_BINDING, Code::UNUSED_LOOP_VARIABLE];
    unused.contains(&code).then(|| vec![lsp::DiagnosticTag::Unnecessary])
}

/// The page of a code.
fn page(workspace: &mut Workspace, code: Code) -> Option<lsp::CodeDescription> {
    let entry = REGISTRY.iter().find(|entry| entry.code == code)?;
    let path = workspace.shelf.path(&format!("errors/{}.md", code.0), entry.page)?;
    Some(lsp::CodeDescription { href: crate::paths::uri_of(&path) })
}

/// Errors at the imports of files that have errors, or that import such files.
fn of_imports(
    workspace: &mut Workspace,
    analysis: &Analysis,
    found: &[Diagnostic],
) -> Vec<lsp::Diagnostic> {
    let errors = found.iter().filter(|one| one.severity == Severity::Error);
    let places: Vec<Span> = errors.filter_map(|one| Some(one.primary.as_ref()?.span)).collect();
    let mut told = Vec::new();
    for import in imports(&analysis.tree().decls) {
        let key = (analysis.root, import.path.clone());
        let Some(&target) = analysis.typed.ast.imports.get(&key) else { continue };
        let reached = reached(analysis, target);
        let Some(&place) = places.iter().find(|place| reached.contains(&place.file)) else {
            continue;
        };
        let location = workspace.location(analysis, place);
        let message = "the first error is here".to_owned();
        let related = |location| vec![lsp::DiagnosticRelatedInformation { location, message }];
        told.push(lsp::Diagnostic {
            range: analysis.range(import.path_span),
            severity: Some(lsp::DiagnosticSeverity::Error),
            code: None,
            code_description: None,
            source: Some("arrc".to_owned()),
            message: format!("the file `{}` has errors", import.path).into(),
            tags: None,
            related_information: location.map(related),
            data: None,
        });
    }
    told
}

/// The file, and those that it imports.
fn reached(analysis: &Analysis, from: FileId) -> BTreeSet<FileId> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(file) = open.pop() {
        if found.insert(file) {
            let imported = analysis.typed.ast.imports.iter().filter(|((of, _), _)| *of == file);
            open.extend(imported.map(|(_, target)| *target));
        }
    }
    found
}
