//! Definitions: their signatures, their bodies, and the conditions for an entry.
//!
//! Invariant: a definition's scheme is known before any definition that uses it is walked. For definitions that reach
//! each other, it is the written scheme.
//!
//! ```text
//! def f xs = filter (> 0) xs   ⇒   def f [n] (xs: [n]i32): ?[k].[k]i32
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::annotation::AnonymousSizes;
use super::cases::Patterns;
use super::constant_sizes::folded_constant;
use super::def_state::DefState;
use super::environment::builtin;
use super::environment::order::Group;
use super::environment::scope::Frame;
use super::error::{CalleeParam, DefinitionError, Error, SizeError};
use super::solve::{Level, Scheme, SizeState};
use super::typed::{Expr, Param, Pat};
use crate::core;
use crate::core::{Body, Intrinsic, Size, SizeInfo, SizeOrigin, Type};
use crate::effect::Effect;
use arrc_syntax::ast;
use arrc_syntax::ids::{DefId, SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The facts on a definition for its uses.
#[derive(Clone, Debug)]
pub(super) struct DefInterface {
    /// Its type.
    pub(super) scheme: Scheme,
    /// Its parameters, for messages.
    pub(super) params: Vec<CalleeParam>,
    /// The sizes that no argument determines: the places where the definition is named determine them.
    pub(super) wanted: Vec<SizeVar>,
    /// Its value, if it is a constant of type `i64`.
    pub(super) constant: Option<Size>,
    /// The intrinsic that it is, if the compiler knows it by itself.
    pub(super) intrinsic: Option<Intrinsic>,
    /// The first of its parameters whose type needs a later argument. Such an entry can only be called from outside,
    /// where sizes are compared when all arguments are there.
    pub(super) late: Option<LateSize>,
}

/// A parameter whose type needs a size that no argument before it has as its value.
#[derive(Clone, Debug)]
pub(super) struct LateSize {
    /// The parameter.
    param: Span,
    /// The name of the size.
    size: Name,
    /// The variable whose value it is.
    declared: Span,
}

/// The part of a definition before its body.
pub(super) struct Signature {
    sizes: Vec<SizeVar>,
    types: Vec<TypeVar>,
    params: Vec<Param>,
    /// The declared result, and its place.
    pub(super) result: Option<(Span, Type)>,
    /// The names that it binds.
    frame: Frame,
    /// Its patterns, which are still to be checked.
    patterns: Patterns,
}

/// The level of a definition's parameters.
const PARAMS: Level = Level(1);

impl<'a> Checker<'a> {
    /// Every definition, by its id. Definitions whose errors prevent this are left out.
    pub(super) fn definitions(&mut self) -> IndexMap<DefId, core::Def> {
        let mut defs = IndexMap::new();
        for group in std::mem::take(&mut self.names.globals.groups) {
            self.group_or_trial(&group, &mut defs);
        }
        self.instances(&mut defs);
        self.blame_defaults();
        defs.sort_unstable_keys();
        defs
    }

    /// A group of definitions.
    pub(super) fn group(&mut self, group: &Group, defs: &mut IndexMap<DefId, core::Def>) {
        let group = &self.without_templates(group);
        if group.recursive {
            return self.recursive(group, defs);
        }
        for &id in &group.defs {
            if self.was_wrong(id) {
                continue;
            }
            let def = self.begin(id);
            // A C function has the type of its declaration. Nothing else determines its sizes.
            if def.kind == ast::DefKind::Value {
                let signature = self.signature(def, true, false);
                self.spec_value(id, signature);
                continue;
            }
            let signature = self.signature(def, self.is_complete_external(def), false);
            defs.extend(self.define(id, signature, false).map(|def| (id, def)));
        }
    }

    /// Forgets the definition that was walked before.
    pub(super) fn begin(&mut self, id: DefId) -> &'a ast::Def {
        self.walk = DefState::new(id, self.shapes_of(id));
        self.names.enter(id);
        self.u.level = Level::default();
        self.u.bounded.clear();
        self.u.waiting.clear();
        self.u.sums.clear();
        self.forget_trial_uses();
        self.names.def(id)
    }

    /// The part before the body. If it is `complete`, `[]` is a size parameter of its own, or a `?[k]`. Otherwise
    /// `[]` is a size that is to be found.
    pub(super) fn signature(
        &mut self,
        def: &ast::Def,
        complete: bool,
        recursive: bool,
    ) -> Signature {
        self.u.level = PARAMS;
        let (mark, told) = (self.names.scope.mark(), self.reports.mark());
        let (mut sizes, types) = self.declare_params(&def.sizes, &def.types);
        let own = sizes.clone();
        sizes.extend(self.declare_shapes(def));
        let mut holes =
            if complete { AnonymousSizes::Own(Vec::new()) } else { AnonymousSizes::Infer };
        let (params, _) = self.parameters(&def.params, None, &mut holes);
        self.name_holes(holes, &mut sizes);
        self.u.level = PARAMS.inner();
        let result = match &def.result {
            Some(ty) if def.kind == ast::DefKind::Value => {
                let mut holes = AnonymousSizes::Own(Vec::new());
                let spec = self.spec_type(def, ty, &mut holes);
                self.name_holes(holes, &mut sizes);
                Some((ty.span, spec))
            }
            result => result.as_ref().map(|ty| (ty.span, self.result(def, ty, complete))),
        };
        // If the name of a size is misspelt, no parameter determines the size. That only follows from the
        // misspelling.
        let misspelt = self
            .reports
            .since(told)
            .iter()
            .any(|error| matches!(error, Error::Size(SizeError::UnknownSize { .. })));
        if !misspelt {
            let wanted = result.as_ref().map(|(_, ty)| ty);
            self.determined(&def.sizes, &own, &params, (wanted, CallTreatment::of(def, recursive)));
        }
        let frame = self.names.scope.leave(mark);
        let patterns = std::mem::take(&mut self.walk.patterns);
        Signature { sizes, types, params, result, frame, patterns }
    }

    /// Makes size parameters of `[]`.
    fn name_holes(&mut self, holes: AnonymousSizes, sizes: &mut Vec<SizeVar>) {
        let AnonymousSizes::Own(made) = holes else { return };
        for id in made {
            self.u.sizes[id].info.name = self.fresh_size_name(id, sizes);
            sizes.push(id);
        }
    }

    /// The declared result.
    pub(super) fn result(&mut self, def: &ast::Def, ty: &ast::Type, complete: bool) -> Type {
        let name = &def.name.name;
        if !complete {
            return self.result_annotation(ty, &mut AnonymousSizes::Infer, name);
        }
        let mut holes = AnonymousSizes::Own(Vec::new());
        let ty = self.result_annotation(ty, &mut holes, name);
        let AnonymousSizes::Own(made) = holes else { panic!("holes stay what they are") };
        for &id in &made {
            self.u.sizes[id].info.name = "k".into();
            self.u.sizes[id].info.origin = SizeOrigin::Exists { maker: name.clone() };
        }
        ty.with_bound_sizes(made)
    }

    /// Makes a definition known by its declared type, so that it can be used.
    pub(super) fn know(&mut self, id: DefId, signature: &Signature) {
        let def = self.names.def(id);
        let (_, result) = signature.result.as_ref().expect("a complete signature has a result");
        let scheme = Scheme {
            types: signature.types.clone(),
            sizes: signature.sizes.clone(),
            ty: self.function_type_of(&signature.params, result),
        };
        let params = self.callee_params(&def.params);
        let wanted = self.size_arguments(&scheme, &signature.params, def);
        let late = self.late_size(def, &signature.params);
        if let Some(late) = &late {
            self.report_late(def, late);
        }
        let known = DefInterface { scheme, params, wanted, constant: None, intrinsic: None, late };
        self.names.know(id, Some(known));
    }

    /// The first parameter whose type needs the value of its own part, of a later parameter, or of a part of an earlier
    /// one. A call could not compare such a size: only a whole parameter before it is a size of a function's type.
    fn late_size(&self, def: &ast::Def, params: &[Param]) -> Option<LateSize> {
        let mut told = Vec::new();
        for (at, param) in params.iter().enumerate() {
            let mut sizes = Vec::new();
            self.u.sizes_of(&param.ty, &mut sizes);
            let is_late = |size: &SizeVar| {
                !told.contains(size)
                    && matches!(self.u.sizes[*size].info.origin, SizeOrigin::Value(_))
            };
            if let Some(size) = sizes.into_iter().find(is_late) {
                let SizeInfo { name, span, .. } = &self.u.sizes[size].info;
                let param = def.params.get(at).map_or(def.name.span, |param| param.span);
                return Some(LateSize { param, size: name.clone(), declared: *span });
            }
            told.extend(self.value_of(param));
        }
        None
    }

    /// Reports that calls could not compare a size.
    fn report_late(&mut self, def: &ast::Def, late: &LateSize) {
        let LateSize { param, size, declared } = late.clone();
        let name = def.name.name.clone();
        self.report(SizeError::LateSize { span: param, size, declared, name, call: None });
    }

    /// Reports the use of an entry that can only be called from outside.
    pub(super) fn check_late(&mut self, def: DefId, late: Option<&LateSize>, call: Span) {
        let Some(LateSize { param, size, declared }) = late.cloned() else { return };
        let def = self.names.def(def);
        if def.kind == ast::DefKind::Entry {
            let name = def.name.name.clone();
            let call = Some(call);
            self.report(SizeError::LateSize { span: param, size, declared, name, call });
        }
    }

    /// Walks a definition whose signature was read, and closes it.
    pub(super) fn define(
        &mut self,
        id: DefId,
        signature: Signature,
        recursive: bool,
    ) -> Option<core::Def> {
        let def = self.names.def(id);
        let told = self.reports.mark();
        let Signature { mut sizes, mut types, mut params, result, frame, patterns } = signature;
        self.walk.patterns.extend(patterns);
        let mark = self.names.scope.mark();
        self.names.scope.enter(frame);
        let (body, ty) = self.infer_body(def, result, &mut params);
        self.u.level = Level::default();
        let undecided = self.undecided(&params, &ty);
        self.apply_defaults_to_trial_uses();
        self.close();
        self.record_non_default_uses();
        let chosen = self.open_defaults(undecided);
        let result = self.close_result(&params, &ty, PARAMS);
        let open = self.function_type_of(&params, &result);
        let places = self.close_defaults(&chosen, def, &params, &result);
        let [result, ty] = [&result, &open].map(|ty| self.with_defaults(ty, &chosen));
        self.quantify(&ty, Level::default(), &mut sizes, &mut types);
        self.report_holes();
        let scheme = Scheme { types, sizes, ty };
        self.remember_open(id, (&scheme, open), (chosen, places));
        let wanted = self.size_arguments(&scheme, &params, def);
        if self.reports.is_clean_since(told) {
            let untold =
                self.undetermined_sizes(&wanted, &params, CallTreatment::of(def, recursive));
            self.open_sizes(&untold);
        }
        self.check(def, &scheme, &params, &result, recursive);
        let late = self.late_size(def, &params);
        if let Some(late) = late.as_ref().filter(|_| def.kind != ast::DefKind::Entry && !recursive)
        {
            self.report_late(def, late);
        }
        self.check_covers();
        let name = def.name.span;
        let is_number = params.is_empty() && self.u.as_scalar(&result) == Some(Scalar::I64);
        let constant = if is_number { self.written_size(id) } else { None };
        let mut def = self.finish(def, (&scheme, params, result), body, recursive);
        let constant = def.as_mut().and_then(|def| folded_constant(def, constant));
        self.has_too_large_size(&scheme.ty, name);
        self.names.scope.leave(mark);
        let known = (!self.is_guess(id))
            .then(|| self.facts(id, (scheme, wanted, late), (def.as_ref(), constant)));
        self.names.know(id, known);
        self.note_wrong(id, told);
        def.filter(|_| !self.is_only_checked(id))
    }

    /// The body of a definition, if it has one, and the type of its result.
    fn infer_body(
        &mut self,
        def: &ast::Def,
        result: Option<(Span, Type)>,
        params: &mut Vec<Param>,
    ) -> (Option<Expr>, Type) {
        for param in &*params {
            if let Pat::Var(var, ty) = &param.pat {
                self.walk.params.push((*var, ty.clone()));
            }
        }
        if def.body.is_none() {
            return (None, result.map_or_else(|| self.u.error_type(), |(_, ty)| ty));
        }
        let is_declared = result.is_some();
        let (mut body, mut ty) = self.body_of(def, result, PARAMS);
        if def.kind == ast::DefKind::Entry {
            (body, ty) = self.saturated(def, (body, ty), is_declared, params);
        }
        (Some(body), ty)
    }

    /// The facts on a finished definition for its uses.
    fn facts(
        &self,
        id: DefId,
        (scheme, wanted, late): (Scheme, Vec<SizeVar>, Option<LateSize>),
        (def, constant): (Option<&core::Def>, Option<Size>),
    ) -> DefInterface {
        let intrinsic = match def {
            Some(core::Def { body: Body::Intrinsic(intrinsic), .. }) => Some(*intrinsic),
            Some(_) | None => None,
        };
        let params = self.callee_params(&self.names.def(id).params);
        DefInterface { scheme, params, wanted, constant, intrinsic, late }
    }

    /// The body of an entry and the type of its result. A body that is a function, as in `entry f = map g`, is
    /// applied to parameters that are not written.
    fn saturated(
        &mut self,
        def: &ast::Def,
        (mut body, mut ty): (Expr, Type),
        is_declared: bool,
        params: &mut Vec<Param>,
    ) -> (Expr, Type) {
        while let Type::Fun(size, from, to) = self.u.head(&ty) {
            if self.u.has_function(&from) {
                break;
            }
            let name = format!("arg{}", params.len()).into();
            self.u.level = PARAMS;
            let ident = ast::Ident { name, span: def.name.span };
            let var = self.bind_var(&ident, Scheme::mono((*from).clone()));
            self.u.level = PARAMS.inner();
            let span = body.span;
            let arg = Expr::var(var, (*from).clone(), span);
            body = self.call(body, vec![arg], span);
            ty = match size {
                _ if !is_declared => body.ty.clone(),
                Some(size) => {
                    let value = self.size_of_var(var);
                    self.u.substitute(&to, &[], &[(size, value)])
                }
                None => *to,
            };
            params.push(Param { pat: core::Pat::Var(var, (*from).clone()), ty: *from });
        }
        (body, ty)
    }

    /// The sizes of a definition that its uses have to determine: the sizes of its result that no parameter mentions,
    /// and the declared sizes that are no dimension of a parameter.
    fn size_arguments(&self, scheme: &Scheme, params: &[Param], def: &ast::Def) -> Vec<SizeVar> {
        let of_result = self.wanted_sizes(&scheme.ty);
        let mut told = Vec::new();
        params.iter().for_each(|param| self.dimensions(&param.ty, &mut told));
        let declared = &scheme.sizes[..def.sizes.len()];
        let is_wanted = |size: &SizeVar| {
            of_result.contains(size) || (declared.contains(size) && !told.contains(size))
        };
        scheme.sizes.iter().copied().filter(is_wanted).collect()
    }

    /// The sizes among `wanted` whose values are not known when such a call begins.
    fn undetermined_sizes(
        &self,
        wanted: &[SizeVar],
        params: &[Param],
        calls: CallTreatment,
    ) -> Vec<SizeVar> {
        let mut told = match calls {
            CallTreatment::Inlined => wanted.to_vec(),
            CallTreatment::Outside | CallTreatment::Stay(_) => Vec::new(),
        };
        if calls == CallTreatment::Outside {
            params.iter().for_each(|param| self.dimensions(&param.ty, &mut told));
            self.solvable(params, &mut told);
        }
        wanted.iter().copied().filter(|size| !told.contains(size)).collect()
    }

    /// Whether the type of a definition is a mere guess, because parts of it could not be read.
    pub(super) fn is_guess(&self, id: DefId) -> bool {
        let def = self.names.def(id);
        let is_lost = |pat: &ast::Pat| matches!(pat.kind, ast::PatKind::Error);
        def.params.iter().any(is_lost)
            || (def.result.is_none() && self.names.globals.is_doubtful(def.span))
    }

    /// The finished definition.
    fn finish(
        &mut self,
        def: &ast::Def,
        (scheme, params, result): (&Scheme, Vec<Param>, Type),
        body: Option<Expr>,
        recursive: bool,
    ) -> Option<core::Def> {
        let body = match body {
            Some(body) => Some(FinishBody::Expr(body)),
            None if def.kind == ast::DefKind::External => {
                self.effect(def).map(FinishBody::External)
            }
            None => self.intrinsic(def).map(FinishBody::Intrinsic),
        };
        let (types, sizes) = self.finish_scheme(scheme);
        let params = self.finish_params(params);
        let result = self.finish_type(&result);
        let body = match body? {
            FinishBody::Expr(body) => Body::Expr(self.finish_expr(body)),
            FinishBody::Intrinsic(intrinsic) => Body::Intrinsic(intrinsic),
            FinishBody::External(effect) => Body::External(effect),
        };
        let ast::Ident { name, span } = def.name.clone();
        let doc = def.doc.clone();
        let asked = def.attrs.iter().any(|attr| attr.name.name == "noinline");
        let noinline = asked && !params.is_empty() && !super::finish::has_function(&result);
        let marks = def.result.as_ref().map(|ty| self.marks(ty)).unwrap_or_default();
        Some(core::Def {
            name,
            span,
            doc,
            types,
            sizes,
            params,
            result,
            marks,
            body,
            recursive,
            noinline,
        })
    }

    /// The intrinsic that a definition without a body is.
    fn intrinsic(&mut self, def: &ast::Def) -> Option<Intrinsic> {
        if def.kind != ast::DefKind::Intrinsic {
            // The parser has reported that the body is missing.
            return None;
        }
        let known = builtin::intrinsic(&def.name.name);
        let intrinsic = known.filter(|_| self.names.globals.is_prelude(self.walk.def));
        if intrinsic.is_none() {
            let (name, span) = (def.name.name.clone(), def.name.span);
            self.report(DefinitionError::Intrinsic { name, span });
        }
        intrinsic
    }

    /// Checks the conditions on a definition that types cannot express.
    fn check(
        &mut self,
        def: &ast::Def,
        scheme: &Scheme,
        params: &[Param],
        result: &Type,
        recursive: bool,
    ) {
        let (name, span) = (def.name.name.clone(), def.name.span);
        if recursive && def.params.is_empty() {
            self.report(DefinitionError::RecursiveValue { name, span });
        } else if def.kind == ast::DefKind::Entry {
            self.check_entry(def, scheme, params, result);
        } else if def.kind == ast::DefKind::External {
            self.check_external(def, params, result);
        }
    }

    /// Reports size parameters that neither an argument nor the place of a call determines. `wanted` is the declared
    /// type of the result, whose sizes the place of a call may determine.
    pub(super) fn determined(
        &mut self,
        names: &[ast::Ident],
        sizes: &[SizeVar],
        params: &[Param],
        (wanted, calls): (Option<&Type>, CallTreatment),
    ) {
        if params.iter().any(|param| self.u.is_error(&param.ty)) {
            return;
        }
        let (mut told, mut asked) = (Vec::new(), Vec::new());
        if let Some(wanted) = wanted {
            self.dimensions(wanted, &mut asked);
            let mut rest = self.u.head(wanted);
            while let Type::Fun(_, from, to) = rest {
                self.dimensions(&from, &mut told);
                rest = self.u.head(&to);
            }
        }
        for param in params {
            self.dimensions(&param.ty, &mut told);
        }
        if calls == CallTreatment::Inlined {
            // The place that names the definition determines the sizes in its type.
            wanted.into_iter().for_each(|ty| self.u.sizes_of(ty, &mut told));
            params.iter().for_each(|param| self.u.sizes_of(&param.ty, &mut told));
        }
        if calls == CallTreatment::Outside {
            self.solvable(params, &mut told);
        }
        for (ast::Ident { name, span }, size) in names.iter().zip(sizes) {
            let is_hidden = names.iter().any(|other| other.name == *name && other.span != *span);
            if !told.contains(size) && !is_hidden {
                let calls = calls.kind().filter(|_| asked.contains(size));
                self.report(SizeError::Undetermined { name: name.clone(), span: *span, calls });
                // It may be any size from here on, so that no further error is reported about it.
                self.u.sizes[*size].state = SizeState::Free(self.u.level.inner());
            }
        }
    }
}

/// A body before it is finished.
#[allow(clippy::large_enum_variant, reason = "nearly all definitions are expressions")]
enum FinishBody {
    Expr(Expr),
    Intrinsic(Intrinsic),
    External(Effect),
}

/// What becomes of the calls of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CallTreatment {
    /// They disappear, since the function is inlined. So its body knows the types that the places of the calls ask
    /// for.
    Inlined,
    /// They stay, since the function is of this kind.
    Stay(&'static str),
    /// They come from outside, with arrays of any sizes: the function is an entry.
    Outside,
}

impl CallTreatment {
    /// The kind of a function whose calls stay, in words.
    fn kind(self) -> Option<&'static str> {
        match self {
            Self::Inlined => None,
            Self::Stay(kind) => Some(kind),
            Self::Outside => Some("an entry"),
        }
    }

    fn of(def: &ast::Def, recursive: bool) -> Self {
        match def.kind {
            ast::DefKind::Entry => Self::Outside,
            ast::DefKind::External => Self::Stay("a C function"),
            ast::DefKind::Def if recursive => Self::Stay("a recursive function"),
            ast::DefKind::Def if def.attrs.iter().any(|attr| attr.name.name == "noinline") => {
                Self::Stay("a function that is not inlined")
            }
            ast::DefKind::Def | ast::DefKind::Intrinsic | ast::DefKind::Value => Self::Inlined,
        }
    }
}

/// Whether a parameter's type is written.
pub(super) fn is_annotated(pat: &ast::Pat) -> bool {
    match &pat.kind {
        ast::PatKind::Typed(..) | ast::PatKind::Error => true,
        ast::PatKind::Wild | ast::PatKind::Name(_) => false,
        ast::PatKind::Sized(_, inner) => is_annotated(inner),
        ast::PatKind::Tuple(items) => items.iter().all(is_annotated),
        // The pattern names some of the fields: only `{}` names them all.
        ast::PatKind::Record(fields) => fields.iter().all(|(_, field)| is_annotated(field)),
        ast::PatKind::Constructor(..) | ast::PatKind::Literal(..) => false,
    }
}
