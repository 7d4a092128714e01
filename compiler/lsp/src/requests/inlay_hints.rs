//! What is not written: the types of bindings and parameters, and how bindings run.
//!
//! Invariant: a hint says nothing that stands in the text beside it.
//!
//! ```text
//! let gts = filter (> 0) xs   ⇒   let gts: [k]i64 = filter (> 0) xs  pass 1, fused
//! ```

use std::rc::Rc;

use arrc_front::core::{Type, type_text};
use arrc_front::places::PlaceNames;
use arrc_syntax::ast::visit::Node;
use arrc_syntax::ast::{Decl, Def, Expr, ExprKind, Ident};
use arrc_syntax::source::Span;
use gen_lsp_types as lsp;

use super::hover::Run;
use super::signatures::{is_typed, untyped_names};
use super::{code, markdown, meet};
use crate::analysis::Analysis;
use crate::paths::path_of;
use crate::plans::Plan;
use crate::server::{Refusal, Server};

/// The most characters of a type in a hint.
const LONGEST: usize = 40;

/// The hints in a range. Those on passes come when the plan is there; then the editor asks again.
pub(crate) fn inlay_hints(
    server: &mut Server,
    params: lsp::InlayHintParams,
) -> Result<Option<Vec<lsp::InlayHint>>, Refusal> {
    let path = path_of(&params.text_document.uri);
    let Some(analysis) = server.workspace.analysis(&path) else { return Ok(None) };
    let plan = if server.refreshes() {
        server.plan(&analysis)
    } else {
        server.plan_or_later(&analysis)?
    };
    let mut hints = Hints { analysis: &analysis, plan, range: params.range, found: Vec::new() };
    let mut open: Vec<Node<'_>> = analysis.tree().decls.iter().map(Node::Decl).collect();
    while let Some(node) = open.pop() {
        if meet(analysis.range(node.span()), params.range) {
            hints.node(node);
            open.extend(node.children());
        }
    }
    let mut found = hints.found;
    found.sort_by_key(|hint| (hint.position.line, hint.position.character));
    Ok(Some(found))
}

struct Hints<'a> {
    analysis: &'a Analysis,
    plan: Option<Rc<Plan>>,
    range: lsp::Range,
    found: Vec<lsp::InlayHint>,
}

impl Hints<'_> {
    fn node(&mut self, node: Node<'_>) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others bind no names")]
        match node {
            Node::Expr(Expr { kind: ExprKind::Let(pat, value, _), .. }) => {
                untyped_names(pat).into_iter().for_each(|name| self.name(name));
                self.run(value.span);
            }
            Node::Expr(Expr { kind: ExprKind::Lambda(params, ..), .. }) => {
                params.iter().flat_map(untyped_names).for_each(|name| self.name(name));
            }
            Node::Expr(Expr { kind: ExprKind::Loop(of), .. }) => {
                untyped_names(&of.pat).into_iter().for_each(|name| self.name(name));
            }
            Node::Decl(Decl::Def(def)) | Node::Def(def) => self.def(def),
            _ => {}
        }
    }

    fn def(&mut self, def: &Def) {
        let places = self.analysis.places();
        let ty = places.declarations.get(&def.name.span).and_then(|of| of.ty.as_ref());
        let mut rest = ty;
        for pat in &def.params {
            if !is_typed(pat) {
                untyped_names(pat).into_iter().for_each(|name| self.name(name));
            }
            rest = match rest {
                Some(Type::Fun(_, _, to)) => Some(to),
                _ => None,
            };
        }
        if def.result.is_none()
            && def.body.is_some()
            && let Some(result) = rest
        {
            let end = def.params.last().map_or(def.name.span, |pat| pat.span);
            let head = def.sizes.iter().chain(&def.shapes).chain(&def.types).map(|one| one.span);
            let end = head.chain([end]).map(|span| span.end).max().unwrap_or(end.end);
            // The closing parenthesis of the last parameter, or bracket of the last size, belongs to the head.
            let text = self.analysis.text();
            let behind = text.get(end as usize..).unwrap_or_default();
            let closing = behind.len() - behind.trim_start_matches([')', ']', ' ']).len();
            let blanks = behind[..closing].len() - behind[..closing].trim_end().len();
            let at = end + crate::positions::number(closing - blanks);
            self.ty(Span::new(def.span.file, at, at), result);
        }
    }

    fn name(&mut self, name: &Ident) {
        let places = self.analysis.places();
        let declared = places.declarations.get(&name.span).and_then(|of| of.ty.as_ref());
        if let Some(ty) = declared {
            self.ty(name.span, ty);
        }
    }

    fn ty(&mut self, behind: Span, ty: &Type) {
        let mut names: PlaceNames<'_> = self.analysis.places().names();
        let text = type_text(ty, &mut names);
        if text == "_" {
            return;
        }
        let is_long = text.chars().count() > LONGEST;
        let short = match is_long {
            true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
            false => text.clone(),
        };
        let tooltip = is_long.then(|| markdown(code(&text)).into());
        self.hint(behind, format!(": {short}"), Some(lsp::InlayHintKind::Type), tooltip);
    }

    /// How the value of a binding runs.
    fn run(&mut self, value: Span) {
        let Some(plan) = self.plan.clone() else { return };
        let runs = Run::of(&plan, value);
        let words: Vec<String> = runs.iter().map(Run::words).collect();
        let Some(first) = words.first().filter(|words| !words.is_empty()) else { return };
        // Functions that run it in the same way say nothing more.
        let is_one = words.iter().all(|other| other == first);
        let text = if is_one { first.clone() } else { format!("{first}, …") };
        self.hint(value, text, None, None);
        if let Some(hint) = self.found.last_mut() {
            hint.padding_left = Some(true);
        }
    }

    fn hint(
        &mut self,
        behind: Span,
        text: String,
        kind: Option<lsp::InlayHintKind>,
        tooltip: Option<lsp::Tooltip>,
    ) {
        let position = self.analysis.range(behind).end;
        if !meet(lsp::Range { start: position, end: position }, self.range) {
            return;
        }
        self.found.push(lsp::InlayHint {
            position,
            label: text.into(),
            kind,
            text_edits: None,
            tooltip,
            padding_left: None,
            padding_right: None,
            data: None,
        });
    }
}
