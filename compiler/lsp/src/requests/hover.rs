//! What a name is: its type with sizes, its documentation, and for a binding how it runs.
//!
//! Invariant: the text of a hover depends on the text of the program only. So it waits for the plan of the program where
//! it needs that.
//!
//! ```text
//! gts   ⇒   gts: [k]i64 — pass 1 of `normalize2`, over n; fused: 8 * length gts bytes are not stored
//! ```

use arrc_front::places::{DeclarationKind, Meaning};
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Expr, ExprKind};
use arrc_syntax::ids::FileId;
use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use super::{code, markdown, signatures};
use crate::analysis::Analysis;
use crate::plans::{MadeArray, PassStep, Plan};
use crate::server::{Refusal, Server};

/// The text about the place.
pub(crate) fn hover(
    server: &mut Server,
    params: lsp::HoverParams,
) -> Result<Option<lsp::Hover>, Refusal> {
    let place = &params.text_document_position_params;
    let Some((analysis, byte)) = server.at(place) else { return Ok(None) };
    if let Some((span, file)) = analysis.import_at(byte) {
        return Ok(Some(shown(&analysis, span, of_file(&analysis, file))));
    }
    let places = analysis.places();
    if let Some((span, declared)) = places.declared_at(analysis.root, byte) {
        let mut text = of_declaration(&analysis, declared);
        text += &instance(&analysis, span, declared);
        if let Some(value) = bound_value(&analysis, declared)
            && let Some(plan) = server.plan_or_later(&analysis)?
        {
            text += &how_it_runs(&plan, value);
        }
        return Ok(Some(shown(&analysis, span, text)));
    }
    if let Some((span, meaning)) = places.use_at(analysis.root, byte) {
        let text = of_builtin(&analysis, span, meaning);
        return Ok(Some(shown(&analysis, span, text)));
    }
    let is_name = analysis
        .nodes_at(byte)
        .last()
        .is_some_and(|node| matches!(node, Node::Ident(_) | Node::Path(_) | Node::Expr(_)));
    let found = places.type_at(analysis.root, byte).filter(|_| is_name);
    Ok(found.map(|(span, ty)| {
        let text = analysis.sources.text(span);
        let text = if text.contains('\n') || text.len() > 40 { "…" } else { text };
        shown(&analysis, span, code(&format!("{text}: {}", places.text(ty))))
    }))
}

fn shown(analysis: &Analysis, span: Span, text: String) -> lsp::Hover {
    let range = Some(analysis.range(span));
    lsp::Hover { contents: markdown(text).into(), range }
}

fn of_file(analysis: &Analysis, file: FileId) -> String {
    let source = analysis.sources.get(file);
    let comment = source.text.lines().take_while(|line| line.starts_with("--"));
    let comment: Vec<&str> =
        comment.map(|line| line.trim_start_matches(['-', '|', ' ']).trim()).collect();
    let whole = format!("`{}`\n\n{}", source.path, comment.join("\n"));
    whole.trim_end().to_owned()
}

/// A declaration with its documentation.
fn of_declaration(analysis: &Analysis, declared: Span) -> String {
    let signature = signatures::signature(analysis, declared);
    let mut text = code(&signature.map(|signature| signature.label).unwrap_or_default());
    if let Some(doc) =
        analysis.written(declared).and_then(|written| written.doc().map(str::to_owned))
    {
        text += &format!("\n\n{}", doc.trim());
    }
    let places = analysis.places();
    let ty = places.declarations.get(&declared).and_then(|declared| declared.ty.as_ref());
    let is_variable = places
        .declarations
        .get(&declared)
        .is_some_and(|declared| declared.kind == DeclarationKind::Variable);
    if let Some(ty) = ty.filter(|_| is_variable) {
        let mut names = places.names();
        for (size, maker) in places.makers(ty) {
            let name = arrc_front::core::TypeNames::size(&mut names, size);
            text += &format!("\n\n`{name}` is known when `{maker}` has run.");
        }
    }
    text
}

/// The type of a use, if the declaration has several.
fn instance(analysis: &Analysis, span: Span, declared: Span) -> String {
    let places = analysis.places();
    let Some(ty) = places.types.get(&span).filter(|_| span != declared) else {
        return String::new();
    };
    let known = places.declarations.get(&declared);
    let is_one =
        known.is_some_and(|known| known.quantified.0.is_empty() && known.quantified.1.is_empty());
    if is_one { String::new() } else { format!("\n\nHere: `{}`", places.text(ty)) }
}

/// A name that the compiler knows by itself.
fn of_builtin(analysis: &Analysis, span: Span, meaning: Meaning) -> String {
    let name = analysis.sources.text(span);
    let places = analysis.places();
    // The whole path has the type of its last name.
    let ty = places.type_at(analysis.root, span.end).map(|(_, ty)| places.text(ty));
    match meaning {
        Meaning::Scalar(scalar) if scalar.name() == name => {
            format!("{}\n\nThe scalar type, and the module of its operations.", code(name))
        }
        Meaning::Scalar(scalar) => code(&format!("{name} = {}", scalar.name())),
        Meaning::Member(scalar) => {
            let ty = ty.map(|ty| format!(": {ty}")).unwrap_or_default();
            code(&format!("{}.{name}{ty}", scalar.name()))
        }
        Meaning::Known | Meaning::Declared(_) => {
            let ty = ty.map(|ty| format!(": {ty}")).unwrap_or_default();
            code(&format!("{name}{ty}"))
        }
    }
}

/// The value of the `let` that binds the variable whose name is at a place.
fn bound_value(analysis: &Analysis, declared: Span) -> Option<Span> {
    if declared.file != analysis.root {
        return None;
    }
    let nodes = analysis.nodes_at(declared.start);
    nodes.iter().rev().find_map(|node| {
        let Node::Expr(Expr { kind: ExprKind::Let(pat, value, _), .. }) = node else { return None };
        let is_bound = pat.span.start <= declared.start && declared.end <= pat.span.end;
        is_bound.then_some(value.span)
    })
}

/// The passes in which a value is computed, and where its array is.
fn how_it_runs(plan: &Plan, value: Span) -> String {
    let run = Run::of(plan, value);
    let lines: Vec<String> = run.iter().map(Run::sentence).collect();
    lines.into_iter().map(|line| format!("\n\n{line}")).collect()
}

/// How one function runs a value.
pub(crate) struct Run<'a> {
    function: &'a str,
    passes: Vec<usize>,
    steps: Option<&'a str>,
    arrays: Vec<&'a MadeArray>,
}

impl<'a> Run<'a> {
    /// How the functions of a program run the value at a place.
    pub(crate) fn of(plan: &'a Plan, value: Span) -> Vec<Self> {
        let in_value = |places: &[Span]| -> Option<Span> {
            let is_in = |span: &&Span| {
                span.file == value.file && value.start <= span.start && span.end <= value.end
            };
            places.iter().rev().find(is_in).copied()
        };
        let mut found: Vec<Self> = Vec::new();
        let steps = plan.steps.iter().filter(|step| in_value(&step.places).is_some());
        for PassStep { function, pass, steps, places: _ } in steps {
            let at = found.iter().position(|run| run.function == function);
            let at = at.unwrap_or_else(|| {
                let (passes, arrays) = (Vec::new(), Vec::new());
                found.push(Self { function, passes, steps: steps.as_deref(), arrays });
                found.len() - 1
            });
            let passes = &mut found[at].passes;
            passes.extend(pass.filter(|pass| !passes.contains(pass)));
        }
        for run in &mut found {
            run.passes.sort_unstable();
            let arrays = plan.arrays.iter().filter(|array| array.function == run.function);
            let arrays = arrays.filter_map(|array| Some((in_value(&array.places)?, array)));
            let arrays: Vec<(Span, &MadeArray)> = arrays.collect();
            // The array of the value itself is made by the outermost of its combinators.
            let longest = arrays.iter().map(|(span, _)| span.end - span.start).max();
            let own = arrays.iter().filter(|(span, _)| Some(span.end - span.start) == longest);
            run.arrays = own.map(|(_, array)| *array).collect();
        }
        found
    }

    /// Whether an array of the value is in memory.
    fn is_stored(&self) -> bool {
        let in_registers = |array: &&MadeArray| array.storage.name() == "registers";
        !self.arrays.iter().all(in_registers)
    }

    /// In a sentence.
    fn sentence(&self) -> String {
        let passes: Vec<String> = self.passes.iter().map(ToString::to_string).collect();
        let passes = match &passes[..] {
            [] => "No pass".to_owned(),
            [one] => format!("**Pass {one}**"),
            [first @ .., last] => format!("**Passes {} and {last}**", first.join(", ")),
        };
        let over = self.steps.map(|steps| format!(", over `{steps}`")).unwrap_or_default();
        let mut text = format!("{passes} of `{}`{over}.", self.function);
        if self.arrays.is_empty() {
            return text;
        }
        let bytes = self.bytes().map(|bytes| format!("`{bytes}` bytes"));
        if self.is_stored() {
            let mut places: Vec<String> =
                self.arrays.iter().map(|array| array.storage.to_string()).collect();
            places.dedup();
            let bytes = bytes.map(|bytes| format!(", {bytes}")).unwrap_or_default();
            let is_result = self.arrays.iter().any(|array| array.is_result);
            let result = if is_result { " as a result" } else { "" };
            text += &format!(" **Stored**{result}: {}{bytes}.", places.join(", "));
        } else {
            let bytes = bytes.map(|bytes| format!("; {bytes} are not stored")).unwrap_or_default();
            text += &format!(" **Fused**: one element at a time is in a register{bytes}.");
        }
        text
    }

    /// In a few words.
    pub(crate) fn words(&self) -> String {
        let passes: Vec<String> = self.passes.iter().map(|pass| format!("pass {pass}")).collect();
        let state = match (self.arrays.is_empty(), self.is_stored()) {
            (true, _) => None,
            (false, true) => {
                let bytes = self.bytes().map(|bytes| format!(" {bytes} B")).unwrap_or_default();
                Some(format!("stored{bytes}"))
            }
            (false, false) => Some("fused".to_owned()),
        };
        passes.into_iter().chain(state).collect::<Vec<_>>().join(", ")
    }

    /// The bytes of the arrays of the value.
    fn bytes(&self) -> Option<String> {
        let bytes: Option<Vec<&str>> =
            self.arrays.iter().map(|array| array.bytes.as_deref()).collect();
        let bytes = bytes?;
        let first = *bytes.first()?;
        match bytes.len() {
            1 => Some(first.to_owned()),
            count if bytes.iter().all(|other| *other == first) => {
                Some(format!("{count} * {first}"))
            }
            _ => Some(bytes.join(" + ")),
        }
    }
}
