//! The meanings of names in expressions: variables, sizes, definitions, and members of the scalar types' modules.
//!
//! Invariant: if a variable `a` is in scope, `a.b` is a field of it. Otherwise it is `b` of the module `a`.
//!
//! ```text
//! f64.sqrt p.x   ⇒   App(UnOp Sqrt, [Field(Var p, x)])
//! ```

use super::Checker;
use super::annotation::Abbreviation;
use super::def_state::UndeterminedSize;
use super::environment::builtin;
use super::environment::builtin::Member;
use super::environment::globals;
use super::environment::globals::{Module, ResolvedPath};
use super::environment::scope::Local;
use super::error::{ModuleError, NameError, widths};
use super::similar::NameElsewhere;
use super::solve::{BoundReason, OperatorSite, ScalarBound, ScalarSet, component};
use super::typed::{Expr, ExprKind, Literal, VarUse};
use crate::core::Type;
use crate::repair;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::{Help, nearest};
use arrc_syntax::ids::DefId;
use arrc_syntax::names::Name;
use arrc_syntax::parse::keywords;
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};
use arrc_syntax::source::Span;
use arrc_syntax::stdlib;

impl Checker<'_> {
    /// A name, qualified or not.
    pub(super) fn qualified(&mut self, name: &ast::QualName, span: Span) -> Expr {
        let path: Vec<&ast::Ident> = name.quals.iter().chain([&name.name]).collect();
        self.path(&path, span)
    }

    /// `record.field`.
    pub(super) fn field(&mut self, record: &ast::Expr, field: &ast::Ident, span: Span) -> Expr {
        if let ast::ExprKind::Name(name) = &record.kind {
            let path: Vec<&ast::Ident> = name.quals.iter().chain([&name.name, field]).collect();
            return self.path(&path, span);
        }
        let record = self.expr(record);
        self.field_of(record, field, span)
    }

    /// Names between dots: modules, then a value, then its fields.
    fn path(&mut self, path: &[&ast::Ident], span: Span) -> Expr {
        let names: Vec<Name> = path.iter().map(|part| part.name.clone()).collect();
        let meaning = self.names.path(&names);
        self.note_path(path, meaning.as_ref());
        let Some(meaning) = meaning else {
            let record = self.name(path[0], if path.len() == 1 { span } else { path[0].span });
            return self.fields_of(record, &path[1..]);
        };
        let upto = |count: usize| match count == path.len() {
            true => span,
            false => path[0].span.to(path[count - 1].span),
        };
        match meaning {
            ResolvedPath::Def(def, used) => {
                let record = self.global(def, upto(used));
                self.fields_of(record, &path[used..])
            }
            ResolvedPath::Member(scalar, member, used) => {
                let record = self.member(scalar, member, upto(used));
                self.fields_of(record, &path[used..])
            }
            ResolvedPath::Reduce(op) => {
                let record = self.reduction_value(path[0], op, upto(1));
                self.fields_of(record, &path[1..])
            }
            ResolvedPath::Unknown => {
                let record = match path {
                    [one] => self.operator_value(one, span),
                    [head, ..] if repair::is_foreign_module(&head.name) => {
                        // Each member of such a module has a meaning of its own here.
                        let name = names.iter().map(Name::as_str).collect::<Vec<_>>().join(".");
                        let (near, hints) = (Vec::new(), Vec::new());
                        let (name, span) = (name.into(), head.span);
                        self.report(NameError::UnknownName { name, span, near, hints });
                        self.wrong(head.span)
                    }
                    [head, ..] => {
                        self.unknown_head(head);
                        self.wrong(head.span)
                    }
                    [] => panic!("a name has at least one part"),
                };
                self.fields_of(record, &path[1..])
            }
            ResolvedPath::Module(_) => {
                let name = names.iter().map(Name::as_str).collect::<Vec<_>>().join(".");
                let near = self.names.module_members(&names);
                self.report(NameError::ModuleAsValue { name: name.into(), span, members: near });
                self.wrong(span)
            }
            ResolvedPath::NoMember { module: Module::Functor(functor), at } => {
                let param = self.names.globals.param_of(functor);
                let span = upto(at);
                self.report(ModuleError::NoArgument { span, param });
                self.wrong(span)
            }
            ResolvedPath::NoMember { module, at } => {
                let near = nearest(&names[at], &self.names.globals.members(module));
                let qualifiers: Vec<&str> = names[..at].iter().map(Name::as_str).collect();
                let (module, name) = (qualifiers.join(".").into(), names[at].clone());
                self.report(NameError::UnknownMember { module, name, span: path[at].span, near });
                self.wrong(span)
            }
            ResolvedPath::Wrong => self.wrong(span),
        }
    }

    /// Fields of a value, one after the other.
    fn fields_of(&mut self, record: Expr, fields: &[&ast::Ident]) -> Expr {
        fields.iter().fold(record, |record, field| {
            let span = record.span.to(field.span);
            self.field_of(record, field, span)
        })
    }

    /// A field of a value.
    pub(super) fn field_of(&mut self, record: Expr, field: &ast::Ident, span: Span) -> Expr {
        let ty = self.field_type(&record.ty, field);
        let record = Box::new(record);
        let kind = match component(&field.name) {
            Some(at) => ExprKind::Item(record, at),
            None => ExprKind::Field(record, field.name.clone()),
        };
        Expr { kind, ty, span }
    }

    /// A name without qualifiers, or an operator.
    pub(super) fn name(&mut self, name: &ast::Ident, span: Span) -> Expr {
        match self.names.scope.get(&name.name).cloned() {
            Some(Local::Var(var, scheme)) => {
                let instance = self.u.instantiate(&scheme, span);
                self.walk.uses.insert(span, var);
                self.note_use(name.span, self.vars[var].span);
                let used = VarUse { var, types: instance.types };
                Expr { kind: ExprKind::Var(used), ty: instance.ty, span }
            }
            Some(Local::Size(size, declared)) => {
                self.note_use(name.span, declared);
                Expr { kind: ExprKind::Size(size), ty: Type::Scalar(Scalar::I64), span }
            }
            Some(Local::Opened(_)) | None => self.path(&[name], span),
        }
    }

    /// `module.(body)`. The names of the module hide those in scope around it.
    pub(super) fn open_in(
        &mut self,
        module: &ast::QualName,
        body: &ast::Expr,
        hint: Option<&Type>,
    ) -> Expr {
        let path: Vec<&ast::Ident> = module.quals.iter().chain([&module.name]).collect();
        let names: Vec<Name> = path.iter().map(|part| part.name.clone()).collect();
        let meaning = self.names.path(&names).unwrap_or(ResolvedPath::Unknown);
        self.note_path(&path, Some(&meaning));
        let module = match globals::module_of(meaning, &names) {
            Some(Module::Wrong) => return self.wrong(body.span),
            Some(module) => module,
            None => return self.no_module(&path, module.span(), body.span),
        };
        self.note_module(path[path.len() - 1].span, module);
        let mark = self.names.scope.mark();
        self.names.open(module);
        let body = self.expr_hint(body, hint);
        self.names.close();
        self.names.scope.leave(mark);
        body
    }

    /// Reports that the path before `.(` is no module.
    fn no_module(&mut self, path: &[&ast::Ident], span: Span, body: Span) -> Expr {
        let last = path[path.len() - 1];
        let near = nearest(&last.name, &self.names.module_names());
        let of = (path.len() > 1).then(|| path[0].name.clone());
        let (name, declared) = (last.name.clone(), None);
        self.report(NameError::UnknownModule { name, span, of, declared, near });
        self.wrong(body)
    }

    /// A definition, with fresh types for its type parameters.
    pub(super) fn global(&mut self, def: DefId, span: Span) -> Expr {
        let Some(known) = self.names.interface(def).cloned() else {
            // The error in the definition was reported.
            return self.wrong(span);
        };
        self.check_late(def, known.late.as_ref(), span);
        let instance = self.instantiate_use(def, &known.scheme, span);
        let wanted = instance.sizes.into_iter().filter(|(own, _)| known.wanted.contains(own));
        self.walk.wanted.extend(wanted.map(|(own, size)| UndeterminedSize {
            def,
            own,
            size,
            span,
        }));
        // A function of C without parameters is called where its name stands, and gives a new size there.
        let maker = &self.names.def(def).name.name;
        let ty = self.u.open(&instance.ty, maker, span);
        if let Some(given) = self.through_type(def, &ty, span) {
            return given;
        }
        Expr { kind: ExprKind::Global(def, instance.types), ty, span }
    }

    /// An expression with an error that was reported.
    pub(super) fn wrong(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Tuple(Vec::new()), ty: self.u.error_type(), span }
    }

    /// A built-in operator as a value: `(+)`.
    fn operator_value(&mut self, name: &ast::Ident, span: Span) -> Expr {
        if let Some(op) = builtin::operator(&name.name) {
            return self.bin_op(op, None, span);
        }
        match name.name.as_str() {
            "&&" | "||" | "|>" | "<|" | ">->" | "<-<" => {
                let op = ast::QualName { quals: Vec::new(), name: name.clone() };
                self.eta_expand(&op, span)
            }
            "!" => self.un_op(UnOp::Not, span),
            _ => {
                self.unknown_name(name);
                self.wrong(span)
            }
        }
    }

    /// An operator on two values, of one type.
    pub(super) fn bin_op(&mut self, op: BinOp, operand: Option<Type>, span: Span) -> Expr {
        let operator = OperatorSite { sign: op.name().into(), span };
        let operand = operand.unwrap_or_else(|| {
            if matches!(op, BinOp::Eq | BinOp::Ne) {
                let ty = self.u.fresh();
                let asked = self.u.bound_equality(&ty, &operator);
                asked.expect("a type that is not known can still be compared");
                return ty;
            }
            let set = ScalarSet::of_bin(op);
            self.u.fresh_scalar(ScalarBound::new(set, BoundReason::Operator(operator)))
        });
        let result = if op.is_comparison() { Type::Scalar(Scalar::Bool) } else { operand.clone() };
        let ty = function(&[operand.clone(), operand], result);
        Expr { kind: ExprKind::BinOp(op), ty, span }
    }

    /// An operator on one value.
    pub(super) fn un_op(&mut self, op: UnOp, span: Span) -> Expr {
        let sign = if op == UnOp::Not { "!" } else { "-" };
        let why = BoundReason::Operator(OperatorSite { sign: sign.into(), span });
        let operand = self.u.fresh_scalar(ScalarBound::new(ScalarSet::of_un(op), why));
        let ty = function(std::slice::from_ref(&operand), operand.clone());
        Expr { kind: ExprKind::UnOp(op), ty, span }
    }

    /// `module.name` of a scalar type's module.
    pub(super) fn member(&mut self, scalar: Scalar, member: Member, span: Span) -> Expr {
        match member {
            Member::Const(constant) => self.constant(constant, span),
            Member::Un(op, from) => {
                let ty = function(&[Type::Scalar(from)], Type::Scalar(op.result(from)));
                Expr { kind: ExprKind::UnOp(op), ty, span }
            }
            Member::Fma => {
                let float = Type::Scalar(scalar);
                let params = [float.clone(), float.clone(), float.clone()];
                Expr { kind: ExprKind::Fma, ty: function(&params, float), span }
            }
            Member::Bin(op) => self.bin_op(op, Some(Type::Scalar(scalar)), span),
            Member::Reduce(op) => self.reduction(op, Type::Scalar(scalar), span),
        }
    }

    /// `reduce op neutral`, for numbers of that type.
    fn reduction(&mut self, op: BinOp, number: Type, span: Span) -> Expr {
        let Some(reduce) = self.names.globals.prelude.get("reduce").copied() else {
            return self.wrong(span);
        };
        let reduce = self.global(reduce, span);
        let neutral = Expr::literal(Literal::Neutral(op), number.clone(), span);
        let op = self.bin_op(op, Some(number), span);
        self.call(reduce, vec![op, neutral], span)
    }

    /// A function for numbers of any type, such as `sum`.
    fn reduction_value(&mut self, name: &ast::Ident, op: BinOp, span: Span) -> Expr {
        let why = BoundReason::Operator(OperatorSite { sign: name.name.clone(), span });
        let numbers = ScalarSet::of(Scalar::is_numeric);
        let number = self.u.fresh_scalar(ScalarBound::new(numbers, why));
        self.reduction(op, number, span)
    }

    fn constant(&mut self, constant: Const, span: Span) -> Expr {
        Expr::literal(Literal::Const(constant), Type::Scalar(constant.ty), span)
    }

    /// Reports a name that means nothing.
    pub(super) fn unknown_name(&mut self, name: &ast::Ident) {
        self.unknown(name, Self::similar_names);
    }

    /// Reports a name that means nothing. `near` finds the names that may be meant.
    fn unknown(&mut self, name: &ast::Ident, near: impl FnOnce(&Self, &Name) -> Vec<Name>) {
        let found = if self.similar.take_lookup() {
            let near = near(self, &name.name);
            let file = stdlib::file_with(&name.name).filter(|_| near.is_empty());
            let found = NameElsewhere { near, scalar: scalar_with(&name.name), file };
            self.similar.know(&name.name, found)
        } else {
            self.similar.last(&name.name)
        };
        let hints = self.hints(name, &found);
        let (name, span, near) = (name.name.clone(), name.span, found.near);
        self.report(NameError::UnknownName { name, span, near, hints });
    }

    /// What to do about a name that means nothing, apart from writing a similar name.
    fn hints(&self, name: &ast::Ident, found: &NameElsewhere) -> Vec<Help> {
        let ast::Ident { name, span } = name;
        let instead = |text: String, meant: String| Help::proposing(text, [(*span, meant)]);
        if self.walk.local_functions.contains(name) {
            let text = "a local function cannot call itself; make it a `def`, with its types";
            return vec![Help::words(text)];
        }
        if matches!(name.as_str(), "shape" | "dim") {
            let text = "it is applied to an array whose type is known: `shape a`, `a |> shape`";
            return vec![Help::words(text)];
        }
        if Scalar::from_name(name).is_some() {
            let meant = format!("{name}.{}", if name == "f64" { "i64" } else { "f64" });
            let text = format!("to convert to it write `{meant}`");
            let is_type = Help::words("it is a type, and a value is needed here");
            return vec![is_type, instead(text, meant)];
        }
        if let Some(scalar) = found.scalar {
            let meant = format!("{scalar}.{name}");
            let text = format!("each type of numbers has its own: `{meant}`");
            return vec![instead(text, meant)];
        }
        found.file.map(|file| imported(file, None, *span)).into_iter().collect()
    }

    /// The names that were probably meant: a member of a module in sight that has just this name, a name in scope, or
    /// else a constructor, a member of any module or a keyword.
    fn similar_names(&self, name: &Name) -> Vec<Name> {
        let members = self.names.members_in_sight();
        let here = members.iter().filter(|(_, member)| member == name);
        let here: Vec<Name> =
            here.map(|(path, member)| format!("{path}.{member}").into()).collect();
        if !here.is_empty() {
            return here;
        }
        let in_scope = self.names.terms();
        let built_in: Vec<_> = builtin::reductions().map(Name::from).collect();
        let near = nearest(name, self.names.scope.names().chain(&in_scope).chain(&built_in));
        if near.is_empty() { self.similar_elsewhere(name, &members) } else { near }
    }

    /// The names that were probably meant, where no name in scope is similar.
    fn similar_elsewhere(&self, name: &Name, members: &[(String, Name)]) -> Vec<Name> {
        let sums = self.names.abbreviations.values().filter_map(Abbreviation::sum);
        let constructors: Vec<Name> =
            sums.flat_map(|(_, constructors)| constructors.keys().cloned()).collect();
        if constructors.contains(name) {
            return vec![format!("#{name}").into()];
        }
        if builtin::member(Scalar::F64, name).is_some() {
            return Vec::new();
        }
        let of_scalars = [Scalar::F64, Scalar::I64].into_iter().flat_map(|scalar| {
            let members = self.names.globals.members(Module::Scalar(scalar)).into_iter();
            members.map(move |member| (scalar.to_string(), member))
        });
        let of_scalars: Vec<_> = of_scalars.collect();
        let known = members.iter().chain(&of_scalars).map(|(_, member)| member);
        let near_members = nearest(name, known);
        let paths = near_members.iter().filter_map(|near| {
            let (path, _) = members.iter().chain(&of_scalars).find(|(_, member)| member == near)?;
            Some(Name::from(format!("{path}.{near}")))
        });
        let keywords: Vec<Name> = keywords().map(Name::from).collect();
        let near = nearest(name, &constructors).into_iter().map(|near| format!("#{near}").into());
        near.chain(paths).chain(nearest(name, &keywords)).take(1).collect()
    }

    /// Reports that the first name of a path means nothing. A module may have been meant, or a variable with fields.
    fn unknown_head(&mut self, name: &ast::Ident) {
        let modules = self.names.module_names();
        let scalars: Vec<Name> = Scalar::ALL.iter().map(|scalar| scalar.name().into()).collect();
        let near_modules = nearest(&name.name, modules.iter().chain(&scalars));
        let in_scope = self.names.terms();
        let near_values = nearest(&name.name, self.names.scope.names().chain(&in_scope));
        if stdlib::names().any(|file| *name.name == *file) {
            let hints = vec![imported(&name.name, Some(&name.name), name.span)];
            let (name, span) = (name.name.clone(), name.span);
            return self.report(NameError::UnknownName { name, span, near: Vec::new(), hints });
        }
        let is_number = widths(&name.name).is_some();
        if near_modules.is_empty() && !is_number || !near_values.is_empty() {
            return self.unknown(name, |_, _| near_values);
        }
        let (name, span) = (name.name.clone(), name.span);
        let near = near_modules;
        self.report(NameError::UnknownModule { name, span, of: None, declared: None, near });
    }
}

/// The advice to import a file of the library, as a module or with its names.
fn imported(file: &str, module: Option<&str>, used: Span) -> Help {
    let import = match module {
        Some(module) => format!("module {module} = import \"{file}\""),
        None => format!("import \"{file}\""),
    };
    let start = Span::new(used.file, 0, 0);
    Help::proposing(format!("the library has it: `{import}`"), [(start, import + "\n")])
}

/// A scalar type whose module has a name.
fn scalar_with(name: &str) -> Option<Scalar> {
    let likely = [Scalar::F64, Scalar::I64].into_iter().chain(Scalar::ALL);
    likely.into_iter().find(|scalar| builtin::member(*scalar, name).is_some())
}

/// The type of a function of some parameters.
pub(super) fn function(params: &[Type], result: Type) -> Type {
    params
        .iter()
        .rev()
        .fold(result, |result, param| Type::Fun(None, Box::new(param.clone()), Box::new(result)))
}
