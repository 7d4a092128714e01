//! Definitions with shape parameters: one instance for each rank at which they are used.
//!
//! Invariant: an instance is known by its written types from its first use on. Its body is walked after all
//! definitions without shape parameters. A program contains the instances, but no definition with shape parameters.
//!
//! ```text
//! def f [..s] (a: [..s]f64): f64 = …   f xs, xs: [n][m]f64   ⇒   def f [s'0] [s'1] (a: [s'0][s'1]f64): f64 = …
//! ```

use std::collections::VecDeque;
use std::mem;

use indexmap::IndexMap;
use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::Checker;
use super::annotation::AnonymousSizes;
use super::apply::Arg;
use super::decl::{Signature, is_annotated};
use super::def_state::DefState;
use super::environment::SavedScope;
use super::environment::globals::ResolvedPath;
use super::environment::order::Group;
use super::environment::scope::Local;
use super::error::WithError;
use super::solve::Level;
use super::typed::{Expr, ExprKind};
use crate::core;
use crate::core::{Body, Size, SizeInfo, SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, EntityRef, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;
use arrc_syntax::stack::with_enough_stack;

/// The most dimensions that a shape parameter can stand for.
const HIGHEST_RANK: usize = 16;

/// Definitions with shape parameters, and their instances.
#[derive(Default)]
pub(super) struct RankInstances {
    /// The definitions with shape parameters that can be used, and whether each reaches itself.
    templates: IndexMap<DefId, bool>,
    /// The number of definitions with shape parameters.
    count: usize,
    /// The instances, by definition and the ranks of its shape parameters.
    instances: IndexMap<(DefId, Vec<usize>), DefId>,
    /// The sizes that the shape parameters of an instance stand for.
    shapes: IndexMap<DefId, Vec<(Name, Vec<Size>)>>,
    /// Instances whose bodies are still to be walked.
    pending: VecDeque<(DefId, Signature, bool)>,
}

/// The state of the definition that is walked. It is set aside while the types of another definition are read.
struct SuspendedDef {
    level: Level,
    walk: DefState,
    names: SavedScope,
}

impl Checker<'_> {
    /// The number of definitions that are in no program, because they have shape parameters.
    pub(super) fn templates(&self) -> usize {
        self.ranks.count
    }

    /// The group without the definitions that have shape parameters: these wait for their uses.
    pub(super) fn without_templates(&mut self, group: &Group) -> Group {
        let is_template = |id: &DefId| !self.names.def(*id).shapes.is_empty();
        let (templates, defs): (Vec<DefId>, Vec<DefId>) =
            group.defs.iter().copied().partition(is_template);
        for id in templates {
            self.declare_template(id, group.recursive);
        }
        Group { recursive: group.recursive && !defs.is_empty(), defs }
    }

    fn declare_template(&mut self, id: DefId, recursive: bool) {
        let def = self.names.def(id);
        self.ranks.count += 1;
        let name = def.name.name.clone();
        let what = match def.kind {
            ast::DefKind::Def => None,
            ast::DefKind::Entry => Some("an entry"),
            ast::DefKind::External | ast::DefKind::Intrinsic => Some("no Arr function"),
            ast::DefKind::Value => Some("a value of a module type"),
        };
        if let Some(what) = what {
            let span = def.shapes[0].span;
            return self.report(WithError::FixedRank { name, span, what });
        }
        if def.result.is_none() || !def.params.iter().all(is_annotated) {
            return self.report(WithError::OpenTypes { name, span: def.name.span });
        }
        self.ranks.templates.insert(id, recursive);
    }

    /// Walks the bodies of all instances. A definition without uses is checked at rank 1.
    pub(super) fn instances(&mut self, defs: &mut IndexMap<DefId, core::Def>) {
        self.pending_instances(defs);
        let templates: Vec<DefId> = self.ranks.templates.keys().copied().collect();
        for template in templates {
            if self.ranks.instances.keys().all(|(used, _)| *used != template) {
                let def = self.names.def(template);
                self.instance_at(template, vec![1; def.shapes.len()], def.name.span);
                self.pending_instances(defs);
            }
        }
        self.mark_recursive(defs);
    }

    fn pending_instances(&mut self, defs: &mut IndexMap<DefId, core::Def>) {
        while let Some((id, signature, recursive)) = self.ranks.pending.pop_front() {
            self.begin(id);
            defs.extend(self.define(id, signature, recursive).map(|def| (id, def)));
        }
    }

    /// Marks the recursive instances. Names do not decide this, since one name stands for several instances.
    fn mark_recursive(&self, defs: &mut IndexMap<DefId, core::Def>) {
        if self.ranks.instances.is_empty() {
            return;
        }
        let mut graph = DiGraphMap::<u32, ()>::new();
        for (id, def) in defs.iter() {
            graph.add_node(id.as_u32());
            for used in used_by(def) {
                graph.add_edge(id.as_u32(), used.as_u32(), ());
            }
        }
        let mut recursive = Vec::new();
        for members in tarjan_scc(&graph) {
            if members.len() > 1 || graph.contains_edge(members[0], members[0]) {
                recursive.extend(members.into_iter().map(DefId::from_u32));
            }
        }
        for id in self.ranks.instances.values() {
            if let Some(def) = defs.get_mut(id) {
                def.recursive = recursive.contains(id);
            }
        }
    }

    /// Numbers the definitions anew, since those with shape parameters are gone. Returns the entries' new numbers.
    pub(super) fn renumbered(
        &self,
        defs: &mut IndexMap<DefId, core::Def>,
        entries: Vec<DefId>,
    ) -> Vec<DefId> {
        if defs.len() == self.names.globals.defs.len() {
            return entries;
        }
        let numbers: IndexMap<DefId, DefId> =
            defs.keys().enumerate().map(|(at, &id)| (id, DefId::new(at))).collect();
        for def in defs.values_mut() {
            if let Body::Expr(body) = &mut def.body {
                renumber(body, &numbers);
            }
        }
        entries.into_iter().map(|id| numbers[&id]).collect()
    }

    /// The definition with shape parameters that an expression names.
    pub(super) fn shaped_def(&mut self, function: &ast::Expr) -> Option<DefId> {
        if self.ranks.count == 0 {
            return None;
        }
        let ast::ExprKind::Name(path) = &function.kind else { return None };
        let names: Vec<Name> =
            path.quals.iter().chain([&path.name]).map(|part| part.name.clone()).collect();
        let ResolvedPath::Def(def, used) = self.names.path(&names)? else { return None };
        let is_shaped = used == names.len() && !self.names.def(def).shapes.is_empty();
        if is_shaped {
            let path: Vec<&ast::Ident> = path.quals.iter().chain([&path.name]).collect();
            self.note_path(&path, Some(&ResolvedPath::Def(def, used)));
        }
        is_shaped.then_some(def)
    }

    /// A call of a definition with shape parameters. The arguments determine the ranks.
    pub(super) fn apply_template(
        &mut self,
        template: DefId,
        args: Vec<Arg<'_>>,
        (name, span): (Span, Span),
    ) -> Expr {
        let def = self.names.def(template);
        let mut ranks = vec![None; def.shapes.len()];
        let mut typed = Vec::new();
        for (at, arg) in args.into_iter().enumerate() {
            let written = def.params.get(at).and_then(written_type);
            typed.push(match (written, arg) {
                (Some(ty), Arg::Written(arg)) if mentions_shape(ty) => {
                    let arg = self.expr(arg);
                    self.ranks_of(def, ty, &arg.ty, &mut ranks);
                    Arg::Typed(arg)
                }
                (Some(ty), Arg::Typed(arg)) => {
                    self.ranks_of(def, ty, &arg.ty, &mut ranks);
                    Arg::Typed(arg)
                }
                (_, arg) => arg,
            });
        }
        let has_wrong =
            typed.iter().any(|arg| matches!(arg, Arg::Typed(arg) if self.u.is_error(&arg.ty)));
        if has_wrong {
            return self.wrong(span);
        }
        let function = self.at_ranks(template, &ranks, name);
        self.apply_to(function, typed, span)
    }

    /// `left |> f a b`, where `f` has shape parameters, or is `shape` or `dim`.
    pub(super) fn piped(
        &mut self,
        left: &Expr,
        right: Option<&ast::Expr>,
        span: Span,
    ) -> Option<Expr> {
        let right = right?;
        if let Some(measure) = self.measure(right) {
            return Some(self.measured(measure, left.clone(), span));
        }
        let (function, written) = if let ast::ExprKind::Apply(function, args) = &right.kind {
            (&**function, args.as_slice())
        } else {
            (right, &[][..])
        };
        let template = self.shaped_def(function)?;
        let args = written.iter().map(Arg::Written).chain([Arg::Typed(left.clone())]).collect();
        Some(self.apply_template(template, args, (function.span, span)))
    }

    /// A definition with shape parameters that is only named. The type that the context asks for determines the
    /// ranks.
    pub(super) fn template_at(&mut self, template: DefId, hint: Option<&Type>, span: Span) -> Expr {
        let def = self.names.def(template);
        let mut ranks = vec![None; def.shapes.len()];
        let mut rest = hint.map(|hint| self.u.head(hint));
        for param in &def.params {
            let Some(Type::Fun(_, from, to)) = rest else { break };
            if let Some(ty) = written_type(param) {
                self.ranks_of(def, ty, &from, &mut ranks);
            }
            rest = Some(self.u.head(&to));
        }
        self.at_ranks(template, &ranks, span)
    }

    /// The instance at these ranks, as an expression.
    fn at_ranks(&mut self, template: DefId, ranks: &[Option<usize>], span: Span) -> Expr {
        let def = self.names.def(template);
        if let Some(at) = ranks.iter().position(Option::is_none) {
            let (name, shape) = (def.name.name.clone(), def.shapes[at].name.clone());
            self.report(WithError::OpenRank { name, shape, span });
            return self.wrong(span);
        }
        let ranks = ranks.iter().flatten().copied().collect();
        match self.instance_at(template, ranks, span) {
            Some(instance) => self.global(instance, span),
            None => self.wrong(span),
        }
    }

    /// Notes the ranks that the type `found` determines for a parameter of the type `written`.
    fn ranks_of(
        &self,
        def: &ast::Def,
        written: &ast::Type,
        found: &Type,
        ranks: &mut [Option<usize>],
    ) {
        match (&written.kind, self.u.head(found)) {
            (ast::TypeKind::Array(ast::Size::Shape(shape), element), found) => {
                let Some(depth) = self.depth(&found) else { return };
                let at = def.shapes.iter().position(|own| own.name == shape.name);
                if let Some(at) = at {
                    ranks[at].get_or_insert(depth.saturating_sub(dimensions(element)));
                }
            }
            (ast::TypeKind::Array(_, element), Type::Array(_, own)) => {
                self.ranks_of(def, element, &own, ranks);
            }
            (ast::TypeKind::Tuple(items), Type::Tuple(own)) if items.len() == own.len() => {
                let pairs = items.iter().zip(&own);
                pairs.for_each(|(item, own)| self.ranks_of(def, item, own, ranks));
            }
            (ast::TypeKind::Record(fields), Type::Record(own)) => {
                for (name, field) in fields {
                    if let Some(own) = own.get(&name.name) {
                        self.ranks_of(def, field, own, ranks);
                    }
                }
            }
            (ast::TypeKind::Unique(inner), found) => self.ranks_of(def, inner, &found, ranks),
            _ => {}
        }
    }

    /// The number of dimensions of a type, if it is known.
    fn depth(&self, ty: &Type) -> Option<usize> {
        let mut depth = 0;
        let mut ty = self.u.head(ty);
        while let Type::Array(_, element) = ty {
            depth += 1;
            ty = self.u.head(&element);
        }
        let is_open = self.u.as_free(&ty).is_some() && !self.u.is_number(&ty);
        (!is_open).then_some(depth)
    }

    /// The instance of a definition at these ranks. It is made if there is none yet.
    fn instance_at(&mut self, template: DefId, ranks: Vec<usize>, span: Span) -> Option<DefId> {
        let key = (template, ranks);
        if let Some(&known) = self.ranks.instances.get(&key) {
            return Some(known);
        }
        let recursive = *self.ranks.templates.get(&template)?;
        let def = self.names.def(template);
        if key.1.iter().any(|&rank| rank > HIGHEST_RANK) {
            let name = def.name.name.clone();
            self.report(WithError::TooManyDimensions { name, span });
            return None;
        }
        let id = self.names.add_instance(template);
        let ranks = key.1.clone();
        self.ranks.instances.insert(key, id);
        let shapes = self.declared_shapes(def, &ranks);
        self.ranks.shapes.insert(id, shapes);
        let around = self.suspend(id);
        let signature = self.signature(def, true, recursive);
        self.know(id, &signature);
        self.resume(around);
        self.ranks.pending.push_back((id, signature, recursive));
        Some(id)
    }

    /// The sizes that shape parameters stand for.
    fn declared_shapes(&mut self, def: &ast::Def, ranks: &[usize]) -> Vec<(Name, Vec<Size>)> {
        let level = mem::replace(&mut self.u.level, Level(1));
        let shapes = def.shapes.iter().zip(ranks).map(|(shape, &rank)| {
            let sizes = (0..rank).map(|at| {
                let name = format!("{}'{at}", shape.name).into();
                Size::symbol(self.u.rigid_size(name, SizeOrigin::Param, shape.span))
            });
            (shape.name.clone(), sizes.collect())
        });
        let shapes = shapes.collect();
        self.u.level = level;
        shapes
    }

    /// The sizes of the shape parameters of the instance that is walked. Binds their names, so that sizes can mention
    /// them.
    pub(super) fn declare_shapes(&mut self, def: &ast::Def) -> Vec<SizeVar> {
        if def.shapes.is_empty() {
            return Vec::new();
        }
        let mut ids = Vec::new();
        for (_, sizes) in self.walk.shapes.clone() {
            for size in sizes {
                let id = size.as_symbol().expect("a shape parameter is made of size parameters");
                let SizeInfo { name, span, .. } = self.u.sizes[id].info.clone();
                self.names.scope.bind(name, Local::Size(size, span));
                ids.push(id);
            }
        }
        ids
    }

    /// The sizes that the shape parameters of a definition stand for.
    pub(super) fn shapes_of(&self, id: DefId) -> Vec<(Name, Vec<Size>)> {
        self.ranks.shapes.get(&id).cloned().unwrap_or_default()
    }

    /// Sets the walk aside, and begins with another definition.
    fn suspend(&mut self, id: DefId) -> SuspendedDef {
        let walk = DefState::new(id, self.shapes_of(id));
        let walk = mem::replace(&mut self.walk, walk);
        let names = self.names.suspend();
        self.names.enter(id);
        SuspendedDef { level: self.u.level, walk, names }
    }

    fn resume(&mut self, around: SuspendedDef) {
        self.u.level = around.level;
        self.walk = around.walk;
        self.names.resume(around.names);
    }

    /// `[..s]t`.
    pub(super) fn shape_annotation(
        &mut self,
        shape: &ast::Ident,
        element: &ast::Type,
        holes: &mut AnonymousSizes,
    ) -> Type {
        let here = self.walk.shapes.iter().find(|(name, _)| *name == shape.name);
        let Some((_, sizes)) = here.cloned() else {
            self.unknown_shape(shape);
            return self.u.error_type();
        };
        let element = self.annotation(element, holes);
        sizes.into_iter().rev().fold(element, |element, size| Type::Array(size, Box::new(element)))
    }

    pub(super) fn unknown_shape(&mut self, shape: &ast::Ident) {
        let (name, span) = (shape.name.clone(), shape.span);
        self.report(WithError::NoShapeParameter { name, span });
    }

    /// The value of a condition at the ranks of the instance that is walked, if the ranks decide it.
    pub(super) fn decided(&mut self, condition: &Expr) -> Option<bool> {
        if !self.ranks.shapes.contains_key(&self.walk.def) {
            return None;
        }
        let ExprKind::App(function, operands) = &condition.kind else { return None };
        let (ExprKind::BinOp(op), [left, right]) = (&function.kind, operands.as_slice()) else {
            return None;
        };
        if !matches!((&left.kind, &right.kind), (ExprKind::Const(_), ExprKind::Const(_))) {
            return None;
        }
        let is_rank = |ty: &Type| self.u.as_scalar(ty) == Some(Scalar::I64);
        if !is_rank(&left.ty) && !is_rank(&right.ty) {
            return None;
        }
        let [left, right] = [left, right].map(|side| self.size_of(side)?.as_constant());
        let (left, right) = (left?, right?);
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others do not compare")]
        Some(match op {
            BinOp::Eq => left == right,
            BinOp::Ne => left != right,
            BinOp::Lt => left < right,
            BinOp::Le => left <= right,
            BinOp::Gt => left > right,
            BinOp::Ge => left >= right,
            _ => return None,
        })
    }
}

/// The type that is written for a parameter.
fn written_type(pat: &ast::Pat) -> Option<&ast::Type> {
    if let ast::PatKind::Typed(_, ty) = &pat.kind { Some(ty) } else { None }
}

/// Whether a shape parameter stands in a type.
fn mentions_shape(ty: &ast::Type) -> bool {
    if let ast::TypeKind::Array(ast::Size::Shape(_), _) = &ty.kind {
        return true;
    }
    let children = ast::visit::Node::Type(ty).children();
    children
        .into_iter()
        .any(|child| matches!(child, ast::visit::Node::Type(ty) if mentions_shape(ty)))
}

/// The number of dimensions that are written before an element's type.
fn dimensions(ty: &ast::Type) -> usize {
    if let ast::TypeKind::Array(_, element) = &ty.kind { 1 + dimensions(element) } else { 0 }
}

/// The definitions that a definition uses.
fn used_by(def: &core::Def) -> Vec<DefId> {
    let mut used = Vec::new();
    if let Body::Expr(body) = &def.body {
        let mut work = vec![body];
        while let Some(expr) = work.pop() {
            if let core::ExprKind::Global(id, _) = &expr.kind {
                used.push(*id);
            }
            expr.for_each_child(&mut |child| work.push(child));
        }
    }
    used
}

fn renumber(expr: &mut core::Expr, numbers: &IndexMap<DefId, DefId>) {
    if let core::ExprKind::Global(id, _) = &mut expr.kind {
        *id = numbers[&*id];
    }
    expr.for_each_child_mut(&mut |child| with_enough_stack(|| renumber(child, numbers)));
}
