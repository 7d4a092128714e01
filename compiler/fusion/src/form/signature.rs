//! The signatures of functions and of C functions, and the variables of a function while it is read. All forms share
//! them.
//!
//! Invariant: what the text does not say has a fixed name: results are `out0`, `out1` and so on.
//!
//! ```text
//! entry f (xs: [n]i64): i64   ⇒   Entry { name: f, inputs: [xs], outputs: [out0], … }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use arr_abi::ErrorCode;

use super::cursor::Cursor;
use super::extents::Extents;
use super::{ReadResult, error_at, tree};
use crate::cnf::Operation;
use crate::cnf::print::scalar;
use crate::cnf::{Assertion, Atom, Callee, Component, Entry, External, SizeDef, Type, Var};
use crate::tables::Tables;
use arrc_front::effect::Effect;
use arrc_syntax::ast::Ident;
use arrc_syntax::check::Piece;
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::{FuncId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::parse::token::{Bracket, Keyword, Opening, Token};
use arrc_syntax::prim::{Rounding, Scalar};
use arrc_syntax::source::Span;

/// What names of functions stand for.
pub type Callees = BTreeMap<Name, Callee>;

/// The names in scope, kept to restore them.
pub(super) type OuterScope = (BTreeMap<Name, VarId>, BTreeMap<Name, VarId>);

/// The signature of a function.
pub struct Signature {
    /// The name.
    pub name: Ident,
    /// The parameters.
    pub params: Vec<VarId>,
    /// The parameters whose memory the function owns.
    pub owned: Vec<VarId>,
    /// The results that are appended to parameters.
    pub appends: Vec<usize>,
    /// The types of the results.
    pub results: Vec<Type>,
    /// The names in scope.
    pub vars: Vars,
}

/// The variables and sizes of a function, as far as it is read.
pub struct Vars {
    /// The variables and sizes.
    pub tables: Tables,
    /// The sizes by their names.
    pub extents: Extents,
    /// The variables that can be named.
    pub scope: BTreeMap<Name, VarId>,
}

impl Signature {
    /// `f [n] (xs: [n]i64): ?[k].[k]i64 =`; sizes without a name are called `size`.
    pub fn new(cursor: &mut Cursor<'_>, size: Name) -> ReadResult<Self> {
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
        let (mut results, mut appends) = (Vec::new(), Vec::new());
        for (at, tree::ResultType { appended, ty }) in cursor.results()?.into_iter().enumerate() {
            results.push(vars.ty(&ty)?);
            appends.extend(appended.then_some(at));
        }
        cursor.sign(Token::Equals)?;
        Ok(Self { name, params, owned, appends, results, vars })
    }

    /// The entry that the function is.
    pub fn entry(&self, function: FuncId, doc: Option<String>) -> Entry {
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
    pub fn ty(&mut self, ty: &tree::Type) -> ReadResult<Type> {
        self.extents.ty(&mut self.tables.sizes, ty, &SizeDef::Exists)
    }

    /// A new variable that can be named.
    pub fn bind(&mut self, name: &Name, ty: Type) -> VarId {
        let var = self.hidden(base(name), ty);
        self.show(name, var);
        var
    }

    /// A new variable that cannot be named.
    pub fn hidden(&mut self, name: Name, ty: Type) -> VarId {
        self.tables.vars.push(Var { name, ty })
    }

    /// From here on the variable can be named.
    pub fn show(&mut self, name: &Name, var: VarId) {
        self.scope.insert(name.clone(), var);
        if self.type_of(Atom::Var(var)) == Type::Scalar(Scalar::I64) {
            self.extents.value(&mut self.tables.sizes, name, var);
        }
    }

    /// The variable of a name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(&self, name: &Ident) -> ReadResult<VarId> {
        match self.scope.get(&name.name) {
            Some(&var) => Ok(var),
            None => error_at(name.span, format!("there is no variable `{}`", name.name)),
        }
    }

    /// A constant or a variable.
    pub fn atom(&self, cursor: &mut Cursor<'_>) -> ReadResult<Atom> {
        if let Some(value) = cursor.constant()? {
            return Ok(Atom::Const(value));
        }
        cursor.name().and_then(|name| self.named(&name)).map(Atom::Var)
    }

    /// A constant or a variable, in brackets where it needs them.
    pub fn operand(&self, cursor: &mut Cursor<'_>) -> ReadResult<Atom> {
        if !cursor.take(Token::Open(Opening::Round)) {
            return self.atom(cursor);
        }
        let atom = self.operand(cursor)?;
        cursor.close(Bracket::Round)?;
        Ok(atom)
    }

    /// All operands up to the first token that cannot begin one.
    pub fn operands(&self, cursor: &mut Cursor<'_>) -> ReadResult<Vec<Atom>> {
        let mut operands = Vec::new();
        while cursor.begins_operand() {
            operands.push(self.operand(cursor)?);
        }
        Ok(operands)
    }

    /// An operation on scalars and the type of its operands, if one comes next.
    pub fn scalars(&self, cursor: &mut Cursor<'_>) -> ReadResult<Option<(Operation, Scalar)>> {
        let (start, at) = (cursor.checkpoint(), cursor.span());
        let (name, operands) = if let Some(name) = cursor.prefix() {
            (name, self.operands(cursor)?)
        } else {
            let left = self.operand(cursor)?;
            match cursor.infix() {
                Some(sign) if sign != "++" => (sign.to_owned(), vec![left, self.operand(cursor)?]),
                Some(_) | None => {
                    cursor.rewind(start);
                    return Ok(None);
                }
            }
        };
        let Some(&first) = operands.first() else { return cursor.expected("an operand") };
        let ty = self.scalar(first, at)?;
        let found = match operands[..] {
            [x] => scalar::find_unary(&name, ty).map(|op| Operation::Un(op, x)),
            [x, y] => scalar::find_binary(&name, ty).map(|op| Operation::Bin(op, [x, y])),
            [x, y, z] => [Rounding::Once, Rounding::Any]
                .into_iter()
                .find(|rounding| name == format!("{ty}.{}", rounding.name()))
                .map(|rounding| Operation::MulAdd(rounding, [x, y, z])),
            _ => None,
        };
        match found {
            Some(operation) => Ok(Some((operation, ty))),
            None => error_at(at, format!("there is no `{name}` of {ty}")),
        }
    }

    /// The asserted condition, and the message otherwise.
    pub fn assertion(&self, cursor: &mut Cursor<'_>) -> ReadResult<Assertion> {
        let cond = self.operand(cursor)?;
        cursor.sign(Token::Keyword(Keyword::Else))?;
        let word = cursor.any_word();
        let Some(code) = ErrorCode::ALL.into_iter().find(|code| Some(code.name()) == word) else {
            return cursor.expected("the name of an error");
        };
        let mut message = Vec::new();
        loop {
            if let Some(text) = cursor.text() {
                message.push(Piece::text(text));
            } else if cursor.begins_operand() {
                message.push(Piece::Value(self.operand(cursor)?));
            } else {
                return Ok(Assertion { cond, failure: Failure { code, message } });
            }
        }
    }

    /// The type of a constant or a variable.
    pub fn type_of(&self, atom: Atom) -> Type {
        match atom {
            Atom::Const(value) => Type::Scalar(value.ty),
            Atom::Var(var) => self.tables.vars[var].ty.clone(),
        }
    }

    /// The type of a scalar.
    ///
    /// # Errors
    /// If it is an array.
    pub fn scalar(&self, atom: Atom, at: Span) -> ReadResult<Scalar> {
        match self.type_of(atom).as_scalar() {
            Some(scalar) => Ok(scalar),
            None => error_at(at, "a scalar is wanted"),
        }
    }

    /// The names in scope, to be restored behind an inner block.
    pub fn outside(&self) -> OuterScope {
        (self.scope.clone(), self.extents.values.clone())
    }

    /// Forgets the names of an inner block.
    pub fn restore(&mut self, (scope, values): OuterScope) {
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
    trace: Option<String>,
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
        trace,
    }
}

/// Adds a declaration to the functions that can be called.
pub fn declare(callees: &mut Callees, name: &Ident, callee: Callee) -> ReadResult<()> {
    match callees.insert(name.name.clone(), callee) {
        Some(_) => error_at(name.span, format!("`{}` is declared twice", name.name)),
        None => Ok(()),
    }
}

/// The functions that reach themselves, from those that each function calls.
pub fn recursive(mut calls: BTreeMap<FuncId, BTreeSet<FuncId>>) -> Vec<FuncId> {
    for _ in 0..calls.len() {
        for id in calls.keys().copied().collect::<Vec<_>>() {
            let further = calls[&id].iter().flat_map(|callee| calls[callee].iter().copied());
            let further = further.collect::<Vec<_>>();
            calls.entry(id).or_default().extend(further);
        }
    }
    calls.into_iter().filter(|(id, reached)| reached.contains(id)).map(|(id, _)| id).collect()
}
