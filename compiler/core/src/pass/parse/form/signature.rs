//! What functions and C functions say of themselves, and the variables of a function while it is read: in every form.
//!
//! Invariant: what the text does not say has a fixed name: results are `out0`, `out1` and so on.
//!
//! ```text
//! entry f (xs: [n]i64): i64   ⇒   Entry { name: f, inputs: [xs], outputs: [out0], … }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::super::token::Token;
use super::cursor::Cursor;
use super::extents::Extents;
use super::{Read, tree, wrong};
use crate::ids::{FuncId, VarId};
use crate::ir::ast::Ident;
use crate::ir::cnf::{Atom, Callee, Component, Entry, External, SizeDef, Type, Var};
use crate::ir::effect::Effect;
use crate::ir::tables::Tables;
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// What names of functions stand for.
pub(super) type Callees = BTreeMap<Name, Callee>;

/// What can be named, to be restored.
pub(super) type Outside = (BTreeMap<Name, VarId>, BTreeMap<Name, VarId>);

/// A function of which the signature is known.
pub(super) struct Signature {
    pub(super) name: Ident,
    pub(super) params: Vec<VarId>,
    pub(super) owned: Vec<VarId>,
    pub(super) results: Vec<Type>,
    pub(super) vars: Vars,
}

/// The variables and sizes of a function, as far as it is read.
pub(super) struct Vars {
    pub(super) tables: Tables,
    pub(super) extents: Extents,
    /// The variables that can be named.
    pub(super) scope: BTreeMap<Name, VarId>,
}

impl Signature {
    /// `f [n] (xs: [n]i64): ?[k].[k]i64 =`; sizes without a name are called `size`.
    pub(super) fn new(cursor: &mut Cursor<'_>, size: Name) -> Read<Self> {
        let name = cursor.name()?;
        let (tables, extents) = (Tables::default(), Extents::new(size));
        let mut vars = Vars { tables, extents, scope: BTreeMap::new() };
        for size in cursor.sizes()? {
            vars.extents.name(&mut vars.tables.sizes, &size.name, &SizeDef::Param);
        }
        let (mut params, mut owned) = (Vec::new(), Vec::new());
        for tree::Param { name, owned: is_owned, ty } in cursor.params()? {
            let ty = vars.extents.ty(&mut vars.tables.sizes, &ty, &SizeDef::Param)?;
            let var = vars.bind(&name.name, ty);
            params.push(var);
            owned.extend(is_owned.then_some(var));
        }
        cursor.sign(Token::Colon)?;
        if cursor.take(Token::Question) {
            cursor.sizes()?;
            cursor.sign(Token::Dot)?;
        }
        let mut results = Vec::new();
        for ty in cursor.types()? {
            results.push(vars.ty(&ty)?);
        }
        cursor.sign(Token::Equals)?;
        Ok(Self { name, params, owned, results, vars })
    }

    /// The entry that the function is.
    pub(super) fn entry(&self, function: FuncId, doc: Option<String>) -> Entry {
        let inputs = self.params.iter().map(|&param| self.vars.tables.vars[param].name.to_string());
        let outputs = 0..self.results.len();
        Entry {
            name: self.name.name.clone(),
            doc,
            signature: self.name.name.to_string(),
            function,
            inputs: inputs.collect(),
            outputs: outputs.map(|place| format!("out{place}")).collect(),
            tags: Vec::new(),
        }
    }
}

impl Vars {
    /// A type as it is written. Sizes that were not there before are new.
    pub(super) fn ty(&mut self, ty: &tree::Type) -> Read<Type> {
        self.extents.ty(&mut self.tables.sizes, ty, &SizeDef::Exists)
    }

    /// A new variable that can be named.
    pub(super) fn bind(&mut self, name: &Name, ty: Type) -> VarId {
        let var = self.hidden(base(name), ty);
        self.show(name, var);
        var
    }

    /// A new variable that cannot be named.
    pub(super) fn hidden(&mut self, name: Name, ty: Type) -> VarId {
        self.tables.vars.push(Var { name, ty })
    }

    /// From here on the variable can be named.
    pub(super) fn show(&mut self, name: &Name, var: VarId) {
        self.scope.insert(name.clone(), var);
        if self.type_of(Atom::Var(var)) == Type::Scalar(Scalar::I64) {
            self.extents.value(&mut self.tables.sizes, name, var);
        }
    }

    pub(super) fn named(&self, name: &Ident) -> Read<VarId> {
        match self.scope.get(&name.name) {
            Some(&var) => Ok(var),
            None => wrong(name.span, format!("there is no variable `{}`", name.name)),
        }
    }

    /// A constant or a variable.
    pub(super) fn atom(&self, cursor: &mut Cursor<'_>) -> Read<Atom> {
        if let Some(value) = cursor.constant()? {
            return Ok(Atom::Const(value));
        }
        cursor.name().and_then(|name| self.named(&name)).map(Atom::Var)
    }

    pub(super) fn type_of(&self, atom: Atom) -> Type {
        match atom {
            Atom::Const(value) => Type::Scalar(value.ty),
            Atom::Var(var) => self.tables.vars[var].ty.clone(),
        }
    }

    pub(super) fn scalar(&self, atom: Atom, at: Span) -> Read<Scalar> {
        match self.type_of(atom).as_scalar() {
            Some(scalar) => Ok(scalar),
            None => wrong(at, "a scalar is wanted"),
        }
    }

    pub(super) fn outside(&self) -> Outside {
        (self.scope.clone(), self.extents.values.clone())
    }

    pub(super) fn restore(&mut self, (scope, values): Outside) {
        self.scope = scope;
        self.extents.values = values;
    }
}

/// The name without the number that tells it from others.
fn base(name: &Name) -> Name {
    name.split('.').next().unwrap_or(name).into()
}

/// A C function.
pub(super) fn external(
    effect: bool,
    name: &Ident,
    params: &[tree::Param],
    results: &[tree::Type],
) -> External {
    let component = |name: &str, ty: &tree::Type| Component {
        name: name.to_owned(),
        elem: ty.elem,
        rank: ty.shape.len(),
    };
    let outputs = results.iter().enumerate();
    External {
        name: name.name.clone(),
        span: name.span,
        doc: None,
        signature: name.name.to_string(),
        effect: if effect { Effect::Io } else { Effect::Pure },
        inputs: params.iter().map(|param| component(&param.name.name, &param.ty)).collect(),
        outputs: outputs.map(|(place, ty)| component(&format!("out{place}"), ty)).collect(),
        tags: Vec::new(),
    }
}

/// Adds what is declared to what can be called.
pub(super) fn declare(callees: &mut Callees, name: &Ident, callee: Callee) -> Read<()> {
    match callees.insert(name.name.clone(), callee) {
        Some(_) => wrong(name.span, format!("`{}` is declared twice", name.name)),
        None => Ok(()),
    }
}

/// The functions that reach themselves, from those that each function calls.
pub(super) fn recursive(mut calls: BTreeMap<FuncId, BTreeSet<FuncId>>) -> Vec<FuncId> {
    for _ in 0..calls.len() {
        for id in calls.keys().copied().collect::<Vec<_>>() {
            let further = calls[&id].iter().flat_map(|callee| calls[callee].iter().copied());
            let further = further.collect::<Vec<_>>();
            calls.entry(id).or_default().extend(further);
        }
    }
    calls.into_iter().filter(|(id, reached)| reached.contains(id)).map(|(id, _)| id).collect()
}
