//! Types as they are written.
//!
//! Invariant: an abbreviation is expanded where it is used, so no type mentions one.
//!
//! ```text
//! type vec [n] = [n]f64     vec [3] -> []i32   ⇒   [3]f64 -> [?1]i32
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::environment::globals::Meaning;
use super::environment::scope::Local;
use super::error::{DefinitionError, FunctionError, NameError, SizeError};
use crate::diagnostics::nearest;
use crate::ids::{SizeVar, TypeId, TypeVar};
use crate::ir::ast;
use crate::ir::core::{Size, SizeOrigin, Type};
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// What `[]` means.
#[derive(Clone, Debug)]
pub(super) enum Holes {
    /// A size to be found.
    Infer,
    /// A size of its own, put on this list.
    Own(Vec<SizeVar>),
}

/// A type abbreviation.
#[derive(Debug)]
pub(super) struct Abbreviation<'a> {
    def: &'a ast::TypeDef,
    state: State,
}

/// How far an abbreviation is known.
#[derive(Clone, Debug)]
enum State {
    Unknown,
    /// Being read: it is made of itself if it is met now.
    Reading,
    Known(Template),
    Wrong,
}

/// What an abbreviation stands for.
#[derive(Clone, Debug)]
struct Template {
    sizes: Vec<SizeVar>,
    types: Vec<TypeVar>,
    /// The sizes of its `[]`.
    holes: Vec<SizeVar>,
    /// The sizes of its `?[k]`: each use is of sizes of its own.
    own: Vec<SizeVar>,
    body: Type,
}

/// The sizes that abbreviations bring into a result.
#[derive(Debug)]
pub(super) struct Brought {
    /// What makes them.
    maker: Name,
    sizes: Vec<SizeVar>,
}

impl<'a> Checker<'a> {
    /// Reads every abbreviation, so that an error in one is told once.
    pub(super) fn abbreviations(&mut self) {
        let abbreviation = |&(def, _): &(&'a ast::TypeDef, _)| {
            let is_wrong = self.names.globals.is_doubtful(def.span);
            Abbreviation { def, state: if is_wrong { State::Wrong } else { State::Unknown } }
        };
        self.names.abbreviations = self.names.globals.types.values().map(abbreviation).collect();
        for id in self.names.globals.types.keys() {
            self.template(id, self.names.abbreviations[id].def.name.span);
        }
    }

    /// A type as written; `?[k]` may stand only in its functions' results.
    pub(super) fn annotation(&mut self, ty: &ast::Type, holes: &mut Holes) -> Type {
        if self.names.globals.is_doubtful(ty.span) {
            return self.u.error_type();
        }
        match &ty.kind {
            ast::TypeKind::Name(name, args) => self.named_type(name, args, ty.span, holes),
            ast::TypeKind::Tuple(items) => {
                Type::Tuple(items.iter().map(|item| self.annotation(item, holes)).collect())
            }
            ast::TypeKind::Record(fields) => self.record_type(fields, holes),
            ast::TypeKind::Sum(constructors) => self.sum_type(constructors, holes),
            ast::TypeKind::Array(ast::Size::Shape(name), element) => {
                self.shape_annotation(name, element, holes)
            }
            ast::TypeKind::Array(size, element) => {
                let size = self.size_annotation(size, holes);
                self.regular(element);
                let ty = self.annotation(element, holes);
                if self.u.has_function(&ty) {
                    let shown = self.show(&ty);
                    self.report(FunctionError::StoredFunction {
                        span: element.span,
                        holder: "an array",
                        ty: shown,
                    });
                    return self.u.error_type();
                }
                Type::Array(size, Box::new(ty))
            }
            ast::TypeKind::Fun(param, from, to) => {
                self.function_type(param.as_ref(), from, to, holes)
            }
            ast::TypeKind::Exists(..) => {
                self.report(SizeError::MisplacedExists { span: ty.span });
                self.u.error_type()
            }
            ast::TypeKind::Unique(marked) => self.annotation(marked, holes),
            ast::TypeKind::Error => self.u.error_type(),
        }
    }

    /// Reports elements whose type has a `?[k]` in it: they need not be of one size.
    fn regular(&mut self, element: &ast::Type) {
        match &element.kind {
            ast::TypeKind::Name(name, _) => {
                let path = name.quals.iter().chain([&name.name]).map(|part| part.name.clone());
                let id = self.names.type_path(&path.collect::<Vec<_>>());
                let own = id.and_then(|id| Some((id, self.template(id, name.name.span)?)));
                if let Some((id, _)) = own.filter(|(_, template)| !template.own.is_empty()) {
                    let ast::Ident { name, span: declared } =
                        self.names.abbreviations[id].def.name.clone();
                    self.report(SizeError::IrregularElement { span: element.span, name, declared });
                }
            }
            ast::TypeKind::Tuple(items) => items.iter().for_each(|item| self.regular(item)),
            ast::TypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| self.regular(ty)),
            // The payloads of a sum, and arrays inside, are checked where these are read.
            ast::TypeKind::Sum(_)
            | ast::TypeKind::Array(..)
            | ast::TypeKind::Fun(..)
            | ast::TypeKind::Exists(..)
            | ast::TypeKind::Unique(_)
            | ast::TypeKind::Error => {}
        }
    }

    /// The type of a result, before which `?[k]` may stand; `maker` is what makes these sizes.
    pub(super) fn result_annotation(
        &mut self,
        ty: &ast::Type,
        holes: &mut Holes,
        maker: &Name,
    ) -> Type {
        let ast::TypeKind::Exists(names, body) = &ty.kind else {
            let inner = Brought { maker: maker.clone(), sizes: Vec::new() };
            let around = self.walk.brought.replace(inner);
            let ty = self.annotation(ty, holes);
            let inner = std::mem::replace(&mut self.walk.brought, around);
            return ty.under(inner.map(|inner| inner.sizes).unwrap_or_default());
        };
        let mark = self.names.scope.mark();
        self.distinct("sizes", names.iter());
        let mut own = Vec::new();
        for name in names {
            let origin = SizeOrigin::Exists { maker: maker.clone() };
            let size = self.u.rigid_size(name.name.clone(), origin, name.span);
            self.names.scope.bind(name.name.clone(), Local::Size(Size::symbol(size)));
            own.push(size);
        }
        let body = self.result_annotation(body, holes, maker);
        self.names.scope.leave(mark);
        self.told_by_result(names, &own, &body);
        body.under(own)
    }

    /// Reports sizes behind `?` that no array of the result tells: one does that has the size as a
    /// dimension, alone or besides sizes that are told before.
    fn told_by_result(&mut self, names: &[ast::Ident], own: &[SizeVar], body: &Type) {
        if self.u.has_error(body) {
            return;
        }
        let mut dimensions = Vec::new();
        self.u.resolve(body).dimensions(&mut dimensions);
        let mut told: Vec<SizeVar> = Vec::new();
        for size in dimensions {
            let symbols = size.symbols();
            let mut open = symbols.iter().filter(|id| own.contains(id) && !told.contains(id));
            if let (Some(&id), None) = (open.next(), open.next())
                && size.is_linear_in(id)
            {
                told.push(id);
            }
        }
        for (ast::Ident { name, span }, size) in names.iter().zip(own) {
            let is_hidden = names.iter().any(|other| other.name == *name && other.span != *span);
            if !told.contains(size) && !is_hidden {
                self.report(SizeError::UntoldResult { name: name.clone(), span: *span });
            }
        }
    }

    /// Reports names that are given twice.
    pub(super) fn distinct<'n>(
        &mut self,
        what: &'static str,
        names: impl Iterator<Item = &'n ast::Ident>,
    ) {
        let mut first: IndexMap<&Name, Span> = IndexMap::new();
        for ast::Ident { name, span } in names {
            if let Some(&first) = first.get(name) {
                self.report(NameError::DuplicateName {
                    what,
                    name: name.clone(),
                    span: *span,
                    first,
                });
            } else {
                first.insert(name, *span);
            }
        }
    }

    fn record_type(&mut self, fields: &[(ast::Ident, ast::Type)], holes: &mut Holes) -> Type {
        self.distinct("fields", fields.iter().map(|(name, _)| name));
        let mut types = IndexMap::new();
        for (name, ty) in fields {
            types.insert(name.name.clone(), self.annotation(ty, holes));
        }
        Type::Record(types)
    }

    fn sum_type(
        &mut self,
        constructors: &[(ast::Ident, Vec<ast::Type>)],
        holes: &mut Holes,
    ) -> Type {
        self.distinct("constructors", constructors.iter().map(|(name, _)| name));
        let mut types = IndexMap::new();
        for (name, payloads) in constructors {
            let mut own = Vec::new();
            for payload in payloads {
                let mut ty = self.annotation(payload, holes);
                if self.u.has_function(&ty) {
                    let shown = self.show(&ty);
                    let holder = "a constructor";
                    self.report(FunctionError::StoredFunction {
                        span: payload.span,
                        holder,
                        ty: shown,
                    });
                    ty = self.u.error_type();
                }
                own.push(ty);
            }
            types.insert(name.name.clone(), own);
        }
        Type::Sum(types)
    }

    fn function_type(
        &mut self,
        param: Option<&ast::Ident>,
        from: &ast::Type,
        to: &ast::Type,
        holes: &mut Holes,
    ) -> Type {
        let maker = param.map_or_else(|| Name::from("the function"), |param| param.name.clone());
        let around = self.walk.brought.take();
        let from_type = self.annotation(from, holes);
        self.walk.brought = around;
        let mark = self.names.scope.mark();
        let mut own = None;
        // A parameter of any other type has a name for the reader.
        if let Some(param) = param.filter(|_| self.may_be_size(&from_type)) {
            let size = self.u.rigid_size(param.name.clone(), SizeOrigin::Param, param.span);
            self.names.scope.bind(param.name.clone(), Local::Size(Size::symbol(size)));
            own = Some(size);
        }
        let to_type = self.result_annotation(to, holes, &maker);
        self.names.scope.leave(mark);
        let own = own.filter(|own| {
            let mut used = Vec::new();
            self.u.sizes_of(&to_type, &mut used);
            used.contains(own)
        });
        Type::Fun(own, Box::new(from_type), Box::new(to_type))
    }

    fn named_type(
        &mut self,
        name: &ast::QualName,
        args: &[ast::TypeArg],
        span: Span,
        holes: &mut Holes,
    ) -> Type {
        let key = &name.name.name;
        let local =
            if name.quals.is_empty() { self.names.scope.get_type(key).cloned() } else { None };
        let path = name.quals.iter().chain([&name.name]).map(|part| part.name.clone());
        let path: Vec<_> = path.collect();
        let id = self.names.type_path(&path);
        let scalar = self.names.scalar(key).filter(|_| id.is_none());
        if let Some(ty) = local.or(scalar.map(Type::Scalar)).filter(|_| name.quals.is_empty()) {
            if !args.is_empty() {
                let given = count_args(args);
                let name = key.clone();
                let takes = (0, 0);
                self.report(DefinitionError::TypeArguments {
                    name,
                    span,
                    declared: None,
                    takes,
                    given,
                });
            }
            return ty;
        }
        let Some(id) = id else { return self.unknown_type(name) };
        let template = self.template(id, name.name.span);
        let given = self.type_args(args, holes);
        match template {
            Some(template) => self.expand(&template, id, given, span, holes),
            None => self.u.error_type(),
        }
    }

    /// Puts arguments into an abbreviation.
    fn expand(
        &mut self,
        template: &Template,
        id: TypeId,
        (sizes, types): (Vec<Size>, Vec<Type>),
        span: Span,
        holes: &mut Holes,
    ) -> Type {
        let takes = (template.sizes.len(), template.types.len());
        let given = (sizes.len(), types.len());
        if takes != given {
            let ast::Ident { name, span: declared } = self.names.abbreviations[id].def.name.clone();
            let declared = Some(declared);
            self.report(DefinitionError::TypeArguments { name, span, declared, takes, given });
            return self.u.error_type();
        }
        let types: Vec<_> = template.types.iter().copied().zip(types).collect();
        let mut sizes: Vec<_> = template.sizes.iter().copied().zip(sizes).collect();
        for &hole in &template.holes {
            sizes.push((hole, self.hole(span, holes)));
        }
        for &own in &template.own {
            sizes.push((own, self.own_size_of(own, span, holes)));
        }
        if self.expands_too_far(&template.body, &types, span) {
            return self.u.error_type();
        }
        self.u.substitute(&template.body, &types, &sizes)
    }

    /// The size that stands for a `?[k]` of an abbreviation: before a result such a one again, elsewhere one
    /// that is found or passed as for `[]`.
    fn own_size_of(&mut self, own: SizeVar, span: Span, holes: &mut Holes) -> Size {
        let name = self.u.sizes[own].info.name.clone();
        let Some(maker) = self.walk.brought.as_ref().map(|brought| brought.maker.clone()) else {
            return self.hole(span, holes);
        };
        let size = self.u.rigid_size(name, SizeOrigin::Exists { maker }, span);
        self.walk.brought.iter_mut().for_each(|brought| brought.sizes.push(size));
        Size::symbol(size)
    }

    fn type_args(&mut self, args: &[ast::TypeArg], holes: &mut Holes) -> (Vec<Size>, Vec<Type>) {
        let (mut sizes, mut types) = (Vec::new(), Vec::new());
        for arg in args {
            match arg {
                ast::TypeArg::Type(ty) => types.push(self.annotation(ty, holes)),
                ast::TypeArg::Size(size) => sizes.push(self.size_annotation(size, holes)),
            }
        }
        (sizes, types)
    }

    fn unknown_type(&mut self, name: &ast::QualName) -> Type {
        let key = &name.name.name;
        let scalars: Vec<Name> = Scalar::ALL.iter().map(|s| Name::from(s.name())).collect();
        let in_scope = self.names.type_names();
        let known = scalars.iter().chain(&in_scope).chain(self.names.scope.type_names());
        let near = nearest(key, known);
        let parts = name.quals.iter().chain([&name.name]).map(|part| part.name.as_str());
        let path = parts.collect::<Vec<_>>().join(".");
        self.report(NameError::UnknownType { name: path.into(), span: name.span(), near });
        self.u.error_type()
    }

    /// What an abbreviation stands for; none if that is wrong, which is reported.
    fn template(&mut self, id: TypeId, used: Span) -> Option<Template> {
        let abbreviation = &mut self.names.abbreviations[id];
        match abbreviation.state.clone() {
            State::Known(template) => Some(template),
            State::Wrong => None,
            State::Reading => {
                abbreviation.state = State::Wrong;
                let name = abbreviation.def.name.name.clone();
                self.report(DefinitionError::RecursiveType { name, span: used });
                None
            }
            State::Unknown => {
                abbreviation.state = State::Reading;
                let def = abbreviation.def;
                let outer = self.names.suspend_for_type(id);
                let template = self.read_template(def);
                self.names.resume_from_type(outer);
                let abbreviation = &mut self.names.abbreviations[id];
                if matches!(abbreviation.state, State::Wrong) {
                    return None;
                }
                abbreviation.state = State::Known(template.clone());
                Some(template)
            }
        }
    }

    /// Reads an abbreviation in a scope of its own.
    fn read_template(&mut self, def: &'a ast::TypeDef) -> Template {
        let (sizes, types) = self.declare_params(&def.sizes, &def.types);
        let mut holes = Holes::Own(Vec::new());
        let outside = self.walk.brought.take();
        let body = self.result_annotation(&def.body, &mut holes, &def.name.name);
        self.walk.brought = outside;
        let (own, body) = body.without_exists();
        self.unmarked(&def.body);
        self.used_sizes(def, &sizes, &body);
        let Holes::Own(holes) = holes else { panic!("holes stay what they are") };
        Template { sizes, types, holes, own, body }
    }

    /// Reports size parameters that an abbreviation does not use: nothing would tell them.
    fn used_sizes(&mut self, def: &ast::TypeDef, sizes: &[SizeVar], body: &Type) {
        let mut used = Vec::new();
        self.u.sizes_of(body, &mut used);
        for (ast::Ident { name, span }, size) in def.sizes.iter().zip(sizes) {
            let is_hidden =
                def.sizes.iter().any(|other| other.name == *name && other.span != *span);
            if !used.contains(size) && !is_hidden && !self.u.has_error(body) {
                let (name, span, of) = (name.clone(), *span, def.name.name.clone());
                self.report(SizeError::UnusedSize { name, span, of, body: def.body.span });
            }
        }
    }

    /// Binds size and type parameters.
    pub(super) fn declare_params(
        &mut self,
        sizes: &[ast::Ident],
        types: &[ast::Ident],
    ) -> (Vec<SizeVar>, Vec<TypeVar>) {
        self.distinct("size parameters", sizes.iter());
        self.distinct("type parameters", types.iter());
        let (mut size_ids, mut type_vars) = (Vec::new(), Vec::new());
        for ast::Ident { name, span } in sizes {
            let size = self.u.rigid_size(name.clone(), SizeOrigin::Param, *span);
            self.names.scope.bind(name.clone(), Local::Size(Size::symbol(size)));
            size_ids.push(size);
        }
        for ast::Ident { name, .. } in types {
            let var = self.u.rigid(name.clone());
            self.names.scope.bind_type(name.clone(), Type::Var(var));
            type_vars.push(var);
        }
        (size_ids, type_vars)
    }

    fn size_annotation(&mut self, size: &ast::Size, holes: &mut Holes) -> Size {
        match size {
            ast::Size::Infer(span) => self.hole(*span, holes),
            ast::Size::Shape(name) => {
                self.unknown_shape(name);
                self.u.fresh_size(Name::default(), name.span)
            }
            ast::Size::Expr(expr) => {
                let size = self.size_expr(expr).filter(|size| {
                    let fits = !size.is_too_large();
                    if !fits {
                        let written = Some(expr.to_string());
                        self.report(SizeError::SizeTooLarge { span: expr.span, written });
                    }
                    fits
                });
                // Reported: any size will do.
                size.unwrap_or_else(|| self.u.fresh_size(Name::default(), expr.span))
            }
        }
    }

    fn hole(&mut self, span: Span, holes: &mut Holes) -> Size {
        match holes {
            Holes::Infer => self.u.fresh_size(Name::default(), span),
            Holes::Own(made) => {
                let size = self.u.rigid_size(Name::default(), SizeOrigin::Param, span);
                made.push(size);
                Size::symbol(size)
            }
        }
    }

    /// A size as written; none if it is wrong, which is reported.
    fn size_expr(&mut self, expr: &ast::Expr) -> Option<Size> {
        let bad = |this: &mut Self, found| {
            this.report(SizeError::BadSize { span: expr.span, found });
            None
        };
        match &expr.kind {
            ast::ExprKind::Literal(ast::Literal::Int(value, suffix)) => {
                match (i64::try_from(*value), suffix) {
                    (Ok(value), None | Some(Scalar::I64)) => Some(Size::constant(value)),
                    _ => bad(self, "a number that is not of type `i64`"),
                }
            }
            ast::ExprKind::Name(name) if name.quals.is_empty() => self.size_name(&name.name),
            ast::ExprKind::Infix(left, op, right) => {
                let (left, right) = (self.size_expr(left), self.size_expr(right));
                match op.name.name.as_str() {
                    _ if !op.quals.is_empty() => bad(self, "this operator"),
                    "+" => Some(self.in_order(left?, right?, Size::plus)),
                    "-" => Some(left?.minus(&right?)),
                    "*" => Some(self.in_order(left?, right?, Size::times)),
                    _ => bad(self, "this operator"),
                }
            }
            ast::ExprKind::Neg(operand) => Some(self.size_expr(operand)?.times_constant(-1)),
            ast::ExprKind::Error => None,
            ast::ExprKind::Apply(..) => bad(self, "a call"),
            ast::ExprKind::Literal(_) => bad(self, "this literal"),
            ast::ExprKind::Name(_) | ast::ExprKind::Field(..) => bad(self, "a field"),
            ast::ExprKind::Not(_)
            | ast::ExprKind::SectionRight(..)
            | ast::ExprKind::SectionLeft(..)
            | ast::ExprKind::SectionPath(_)
            | ast::ExprKind::Opened(..)
            | ast::ExprKind::Text(_)
            | ast::ExprKind::Hole
            | ast::ExprKind::Attr(..)
            | ast::ExprKind::Lambda(..)
            | ast::ExprKind::Let(..)
            | ast::ExprKind::LetFun(..)
            | ast::ExprKind::LetUpdate(..)
            | ast::ExprKind::Loop(_)
            | ast::ExprKind::With(_)
            | ast::ExprKind::If(..)
            | ast::ExprKind::Match(..)
            | ast::ExprKind::Constructor(..)
            | ast::ExprKind::Tuple(_)
            | ast::ExprKind::Record(_)
            | ast::ExprKind::Update(..)
            | ast::ExprKind::Array(_)
            | ast::ExprKind::Index(..)
            | ast::ExprKind::Slice(..)
            | ast::ExprKind::Range(_)
            | ast::ExprKind::Coerce(..)
            | ast::ExprKind::Assert(..)
            | ast::ExprKind::Ascribe(..) => bad(self, "this expression"),
        }
    }

    /// Two sizes joined by an operation whose operands can change places, so that their order of writing is kept:
    /// it tells which is which where nothing else does.
    fn in_order(&mut self, left: Size, right: Size, join: fn(&Size, &Size) -> Size) -> Size {
        let operands = [&left, &right].map(Size::as_symbol);
        let [Some(first), Some(second)] = operands else { return join(&left, &right) };
        if first <= second {
            return join(&left, &right);
        }
        let [left, right] = [left, right].map(|size| self.u.alias_size(size));
        join(&left, &right)
    }

    /// The size that a name stands for.
    fn size_name(&mut self, ident: &ast::Ident) -> Option<Size> {
        match self.names.scope.get(&ident.name).cloned() {
            Some(Local::Size(size)) => Some(size),
            Some(Local::Var(var, scheme)) => {
                let declared = self.vars[var].span;
                let fits = self.size_type(&ident.name, &scheme.ty, ident.span, declared);
                let is_i64 = self.u.as_scalar(&scheme.ty) == Some(Scalar::I64);
                fits.then(|| if is_i64 { self.size_of_var(var) } else { self.size_of_integer(var) })
            }
            found @ (Some(Local::Opened(_)) | None) => {
                let meaning = match found {
                    Some(Local::Opened(meaning)) => Some(meaning),
                    Some(Local::Size(_) | Local::Var(..)) | None => self.names.term(&ident.name),
                };
                let global = match meaning {
                    Some(Meaning::Def(def)) => Some(def),
                    Some(Meaning::Module(_) | Meaning::Member(..)) | None => None,
                };
                let known = global.and_then(|def| self.names.known(def));
                if let Some(size) = known.and_then(|known| known.constant.clone()) {
                    return Some(size);
                }
                let near = nearest(&ident.name, self.names.scope.names());
                let (name, span) = (ident.name.clone(), ident.span);
                self.report(SizeError::UnknownSize { name, span, near });
                None
            }
        }
    }

    /// Whether a parameter of this type can be a size.
    fn may_be_size(&self, ty: &Type) -> bool {
        self.u.is_error(ty) || self.u.as_scalar(ty).is_some_and(Scalar::is_integer)
    }

    /// Makes sure that what a size is made of is an integer.
    fn size_type(&mut self, name: &Name, ty: &Type, span: Span, declared: Span) -> bool {
        if self.u.as_scalar(ty).is_some_and(Scalar::is_integer) {
            return true;
        }
        if self.u.unify(&Type::Scalar(Scalar::I64), ty).is_ok() {
            return true;
        }
        let ty = self.show(ty);
        self.report(SizeError::SizeType { span, name: name.clone(), ty, declared });
        false
    }
}

impl Abbreviation<'_> {
    /// Its name.
    pub(super) fn name(&self) -> &Name {
        &self.def.name.name
    }

    /// Where it is declared, and the constructors of the sum that it stands for, if it does.
    pub(super) fn sum(&self) -> Option<(Span, &IndexMap<Name, Vec<Type>>)> {
        match &self.state {
            State::Known(Template { body: Type::Sum(constructors), .. }) => {
                Some((self.def.name.span, constructors))
            }
            State::Known(_) | State::Unknown | State::Reading | State::Wrong => None,
        }
    }

    /// What it stands for, if it has no parameters.
    pub(super) fn plain(&self) -> Option<&Type> {
        match &self.state {
            State::Known(template) => {
                let Template { sizes, types, holes, own, body } = template;
                let has_sizes = !(sizes.is_empty() && holes.is_empty() && own.is_empty());
                (types.is_empty() && !has_sizes).then_some(body)
            }
            State::Unknown | State::Reading | State::Wrong => None,
        }
    }
}

/// How many sizes and types are given.
fn count_args(args: &[ast::TypeArg]) -> (usize, usize) {
    let sizes = args.iter().filter(|arg| matches!(arg, ast::TypeArg::Size(_))).count();
    (sizes, args.len() - sizes)
}
