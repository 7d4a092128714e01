//! Types as they are written.
//!
//! Invariant: an abbreviation is expanded where it is used, so no type mentions one.
//!
//! ```text
//! type vec [n] = [n]f64     vec [3] -> []i32   ⇒   [3]f64 -> [?1]i32
//! ```

mod abbreviations;
mod annotated_sizes;

pub(super) use abbreviations::{Abbreviation, Template};

use indexmap::IndexMap;

use super::Checker;
use super::environment::globals::TypeMeaning;
use super::environment::scope::{Local, LocalType};
use super::error::{FunctionError, NameError, SizeError};
use crate::core::{Size, SizeOrigin, Type};
use crate::places::DeclarationKind;
use arrc_syntax::ast;
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

/// The meaning of `[]`.
#[derive(Clone, Debug)]
pub(super) enum AnonymousSizes {
    /// A size to be found.
    Infer,
    /// A new size of its own, which is put on this list.
    Own(Vec<SizeVar>),
}

/// The sizes that abbreviations bring into a result.
#[derive(Debug)]
pub(super) struct AbbreviationSizes {
    /// The function that makes them.
    maker: Name,
    sizes: Vec<SizeVar>,
}

impl<'a> Checker<'a> {
    /// A type as written. `?[k]` may stand only in the results of functions in it.
    pub(super) fn annotation(&mut self, ty: &ast::Type, holes: &mut AnonymousSizes) -> Type {
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

    /// Reports elements whose type has a `?[k]` in it: such elements may have different sizes.
    fn regular(&mut self, element: &ast::Type) {
        match &element.kind {
            ast::TypeKind::Name(name, _) => {
                let path = name.quals.iter().chain([&name.name]).map(|part| part.name.clone());
                let id = match self.names.type_path(&path.collect::<Vec<_>>()) {
                    Some(TypeMeaning::Declared(id)) => Some(id),
                    Some(TypeMeaning::Scalar(_)) | None => None,
                };
                let own = id.and_then(|id| Some((id, self.template(id, name.name.span)?)));
                if let Some((id, _)) = own.filter(|(_, template)| !template.own.is_empty()) {
                    let ast::Ident { name, span: declared } =
                        self.names.abbreviations[id].def.name.clone();
                    self.report(SizeError::IrregularElement { span: element.span, name, declared });
                }
            }
            ast::TypeKind::Tuple(items) => items.iter().for_each(|item| self.regular(item)),
            ast::TypeKind::Record(fields) => fields.iter().for_each(|(_, ty)| self.regular(ty)),
            // The payloads of a sum, and arrays inside, are checked when they are read.
            ast::TypeKind::Sum(_)
            | ast::TypeKind::Array(..)
            | ast::TypeKind::Fun(..)
            | ast::TypeKind::Exists(..)
            | ast::TypeKind::Unique(_)
            | ast::TypeKind::Error => {}
        }
    }

    /// The type of a result, before which `?[k]` may stand. The function `maker` makes these sizes.
    pub(super) fn result_annotation(
        &mut self,
        ty: &ast::Type,
        holes: &mut AnonymousSizes,
        maker: &Name,
    ) -> Type {
        let ast::TypeKind::Exists(names, body) = &ty.kind else {
            let inner = AbbreviationSizes { maker: maker.clone(), sizes: Vec::new() };
            let around = self.walk.brought.replace(inner);
            let ty = self.annotation(ty, holes);
            let inner = std::mem::replace(&mut self.walk.brought, around);
            return ty.with_bound_sizes(inner.map(|inner| inner.sizes).unwrap_or_default());
        };
        let mark = self.names.scope.mark();
        self.distinct("sizes", names.iter());
        let mut own = Vec::new();
        for name in names {
            let origin = SizeOrigin::Exists { maker: maker.clone() };
            let size = self.u.rigid_size(name.name.clone(), origin, name.span);
            self.note_parameter(name.span, DeclarationKind::Size);
            self.names.scope.bind(name.name.clone(), Local::Size(Size::symbol(size), name.span));
            own.push(size);
        }
        let body = self.result_annotation(body, holes, maker);
        self.names.scope.leave(mark);
        self.check_result_determines(names, &own, &body);
        body.with_bound_sizes(own)
    }

    /// Reports sizes behind `?` that no array of the result determines. An array determines a size if a dimension of
    /// it is the size alone, or the size beside sizes that are determined before.
    fn check_result_determines(&mut self, names: &[ast::Ident], own: &[SizeVar], body: &Type) {
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

    /// Reports names that are declared twice.
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

    fn record_type(
        &mut self,
        fields: &[(ast::Ident, ast::Type)],
        holes: &mut AnonymousSizes,
    ) -> Type {
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
        holes: &mut AnonymousSizes,
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
        holes: &mut AnonymousSizes,
    ) -> Type {
        self.function_type_of_parts(param, from, holes, |checker, holes, maker| {
            checker.result_annotation(to, holes, maker)
        })
    }

    /// The type of a function whose result is read by `to`, where the name of the parameter may be a size.
    pub(super) fn function_type_of_parts(
        &mut self,
        param: Option<&ast::Ident>,
        from: &ast::Type,
        holes: &mut AnonymousSizes,
        to: impl FnOnce(&mut Self, &mut AnonymousSizes, &Name) -> Type,
    ) -> Type {
        let maker = param.map_or_else(|| Name::from("the function"), |param| param.name.clone());
        let around = self.walk.brought.take();
        let from_type = self.annotation(from, holes);
        self.walk.brought = around;
        let mark = self.names.scope.mark();
        let mut own = None;
        // A parameter of any other type has a name only for the reader.
        if let Some(param) = param.filter(|_| self.may_be_size(&from_type)) {
            let size = self.u.rigid_size(param.name.clone(), SizeOrigin::Param, param.span);
            self.note_parameter(param.span, DeclarationKind::Size);
            self.names.scope.bind(param.name.clone(), Local::Size(Size::symbol(size), param.span));
            own = Some(size);
        }
        let to_type = to(self, holes, &maker);
        self.names.scope.leave(mark);
        let own = own.filter(|own| {
            let mut used = Vec::new();
            self.u.sizes_of(&to_type, &mut used);
            used.contains(own)
        });
        Type::Fun(own, Box::new(from_type), Box::new(to_type))
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
            self.note_parameter(*span, DeclarationKind::Size);
            self.names.scope.bind(name.clone(), Local::Size(Size::symbol(size), *span));
            size_ids.push(size);
        }
        for ast::Ident { name, span } in types {
            let var = self.u.rigid(name.clone());
            self.note_parameter(*span, DeclarationKind::TypeParameter);
            let local = LocalType { ty: Type::Var(var), declared: *span };
            self.names.scope.bind_type(name.clone(), local);
            type_vars.push(var);
        }
        (size_ids, type_vars)
    }
}
