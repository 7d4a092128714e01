//! Combinator normal form from its text: functions, blocks and bindings.
//!
//! Invariant: a variable has the type that its operation says, or the one that is written where it is bound.
//!
//! ```text
//! let ys = filter (\x -> x > 0i64) xs, xs: [n]i64   ⇒   ys: [k]i64, k a new size; x: i64
//! ```

mod parse_ops;

use crate::cnf::{
    Atom, Bind, Block, Callee, Function, PartialType, Program, Type, Types, Worker, mark_effects,
};
use crate::form;
use crate::form::cursor::Cursor;
use crate::form::signature::{Callees, Signature, Vars, declare, recursive};
use crate::form::{FormError, LocatedError, ReadResult, error_at, tree};
use crate::tables::Tables;
use arrc_syntax::ast::Ident;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::parse::form_tokens::FormTokens;
use arrc_syntax::parse::token::{Bracket, Keyword, Opening, Token};
use arrc_syntax::source::{Sources, Span};

/// Reads a program in combinator normal form. It need not verify.
///
/// # Errors
/// The first mistake in the text.
pub fn parse(text: &str) -> Result<Program, FormError> {
    form::read(text, program)
}

/// The program.
fn program(sources: &Sources, lexed: &FormTokens<'_>) -> ReadResult<Program> {
    let mut cursor = Cursor::new(sources, &lexed.tokens);
    let [hidden, size] = ["t", "k"].map(|base| cursor.unused(base));
    let mut program = Program::default();
    let mut callees = Callees::new();
    let mut bodies = Vec::new();
    while cursor.peek().is_some() {
        let doc = lexed.docs.get(&cursor.checkpoint().number()).cloned();
        if let Some((name, external)) = cursor.external()? {
            let callee = Callee::External(program.externals.push(external));
            declare(&mut callees, &name, callee)?;
            continue;
        }
        let is_entry = cursor.keyword(Keyword::Entry);
        if !is_entry {
            cursor.sign(Token::Keyword(Keyword::Def))?;
        }
        let signature = Signature::new(&mut cursor, size.clone())?;
        let body = cursor.checkpoint();
        while !matches!(cursor.peek(), None | Some(Token::Keyword(Keyword::Def | Keyword::Entry))) {
            cursor.skip();
        }
        let id = program.functions.push(function(&signature, &signature.vars.tables));
        program.entries.extend(is_entry.then(|| signature.entry(id, doc)));
        declare(&mut callees, &signature.name, Callee::Function(id))?;
        bodies.push((id, signature, body, cursor.checkpoint()));
    }
    for (id, signature, body, end) in bodies {
        cursor.rewind(body);
        let Signature { name, results, vars, .. } = signature;
        let (program_so_far, cursor) = (&program, &mut cursor);
        let mut reader =
            Reader { cursor, program: program_so_far, callees: &callees, vars, hidden: &hidden };
        let body = reader.block()?;
        if reader.cursor.checkpoint() != end {
            return reader.cursor.expected("a declaration");
        }
        let Vars { mut tables, extents, .. } = reader.vars;
        let found: Vec<_> = body.results.iter().map(|&of| type_of(&tables, of)).collect();
        if let Err(message) = extents.yielded(&mut tables, &found, &results) {
            return error_at(name.span, message);
        }
        let function = &mut program.functions[id];
        *function = Function { body, tables, ..function.clone() };
    }
    complete_program(&mut program);
    Ok(program)
}

/// A function without its body.
fn function(signature: &Signature, tables: &Tables) -> Function {
    let Signature { name, params, owned, results, .. } = signature;
    Function {
        name: name.name.clone(),
        span: name.span,
        params: params.clone(),
        owned: owned.clone(),
        body: Block::default(),
        results: results.clone(),
        tables: tables.clone(),
        recursive: false,
    }
}

/// Fills in the facts that need all functions: the effects of calls, and recursion.
fn complete_program(program: &mut Program) {
    let calls = program.functions.iter().map(|(id, function)| (id, function.body.callees()));
    for id in recursive(calls.collect()) {
        program.functions[id].recursive = true;
    }
    mark_effects(&mut program.functions);
}

/// A variable where it is bound, with its type if that is written. `_` binds nothing.
struct Binder {
    name: Option<Ident>,
    ty: Option<tree::Type>,
}

/// Reads one function.
struct Reader<'a, 't> {
    cursor: &'a mut Cursor<'t>,
    program: &'a Program,
    callees: &'a Callees,
    vars: Vars,
    /// The name of variables that have no name in the text.
    hidden: &'a Name,
}

impl Reader<'_, '_> {
    /// `let … in …`, or only the results.
    fn block(&mut self) -> ReadResult<Block> {
        let scope = self.vars.scope.clone();
        let mut binds = Vec::new();
        while self.cursor.keyword(Keyword::Let) {
            let binders = self.pattern()?;
            self.cursor.sign(Token::Equals)?;
            binds.push(self.bind(&binders)?);
        }
        if !binds.is_empty() {
            self.cursor.sign(Token::Keyword(Keyword::In))?;
        }
        let results = self.last(&mut binds)?;
        self.vars.scope = scope;
        Ok(Block { binds, results })
    }

    /// The results of a block: atoms, or the result of an operation, which is bound here.
    fn last(&mut self, binds: &mut Vec<Bind>) -> ReadResult<Vec<Atom>> {
        let start = self.cursor.checkpoint();
        let atoms = self.atoms();
        if atoms.is_ok() && self.cursor.ends_block() {
            return atoms;
        }
        self.cursor.rewind(start);
        let bind = self.bind(&[Binder { name: None, ty: None }])?;
        let results = bind.vars.iter().map(|&var| Atom::Var(var)).collect();
        binds.push(bind);
        Ok(results)
    }

    fn bind(&mut self, binders: &[Binder]) -> ReadResult<Bind> {
        let span = self.cursor.span();
        let (op, told) = if self.cursor.peek() == Some(Token::Open(Opening::Square)) {
            self.literal()?
        } else {
            let op = self.op()?;
            let told = self.types().results(&op);
            (op, told.map_err(|message| LocatedError { at: span, message })?)
        };
        if told.len() != binders.len() {
            let count = told.len();
            return error_at(
                span,
                format!("this has {count} results, and binds {}", binders.len()),
            );
        }
        Ok(Bind { vars: self.bound(binders, told)?, op, span })
    }

    fn bound(&mut self, binders: &[Binder], told: Vec<PartialType>) -> ReadResult<Vec<VarId>> {
        let types = self.vars.extents.result_types(&mut self.vars.tables.sizes, told);
        let mut vars = Vec::new();
        for (Binder { name, ty: written }, mut ty) in binders.iter().zip(types) {
            if let Some(written) = written {
                let told = self.vars.ty(written)?;
                if !told.agrees(&ty) {
                    return error_at(written.at, "this is not the type that the operation gives");
                }
                ty = told;
            }
            vars.push(match name {
                Some(name) => self.vars.bind(&name.name, ty),
                None => self.vars.hidden(self.hidden.clone(), ty),
            });
        }
        Ok(vars)
    }

    /// A variable, or several in brackets.
    fn pattern(&mut self) -> ReadResult<Vec<Binder>> {
        if self.cursor.take(Token::Open(Opening::Round)) {
            return self.cursor.list(Bracket::Round, binder);
        }
        Ok(vec![binder(self.cursor)?])
    }

    /// The parameters of the function that comes next, which is read up to its body.
    fn params(&mut self) -> ReadResult<Vec<Binder>> {
        self.cursor.open(Opening::Round)?;
        self.cursor.sign(Token::Backslash)?;
        let mut params = Vec::new();
        while !self.cursor.take(Token::Arrow) {
            params.extend(self.pattern()?);
        }
        Ok(params)
    }

    /// A function with the parameters that the text declares.
    fn worker(&mut self, told: Vec<PartialType>) -> ReadResult<Worker> {
        let span = self.cursor.span();
        let mut binders = self.params()?;
        binders.retain(|binder| binder.name.is_some());
        let worker = self.with_params(&binders, told, span)?;
        self.cursor.close(Bracket::Round)?;
        Ok(worker)
    }

    fn with_params(
        &mut self,
        binders: &[Binder],
        told: Vec<PartialType>,
        at: Span,
    ) -> ReadResult<Worker> {
        if binders.len() != told.len() {
            return error_at(at, format!("this function takes {} values", told.len()));
        }
        let scope = self.vars.scope.clone();
        let params = self.bound(binders, told)?;
        let body = self.block()?;
        self.vars.scope = scope;
        Ok(Worker { params, body })
    }

    fn types(&self) -> Types<'_> {
        Types { program: self.program, vars: &self.vars.tables.vars }
    }

    fn var(&mut self) -> ReadResult<VarId> {
        let name = self.cursor.name()?;
        self.vars.named(&name)
    }

    fn atom(&mut self) -> ReadResult<Atom> {
        self.vars.operand(self.cursor)
    }

    /// The atom, or the atoms of a tuple.
    fn atoms(&mut self) -> ReadResult<Vec<Atom>> {
        if self.cursor.take(Token::Open(Opening::Round)) {
            return self.cursor.list(Bracket::Round, |cursor| self.vars.atom(cursor));
        }
        Ok(vec![self.atom()?])
    }
}

fn binder(cursor: &mut Cursor<'_>) -> ReadResult<Binder> {
    let name = if cursor.take(Token::Underscore) { None } else { Some(cursor.name()?) };
    let ty = if cursor.take(Token::Colon) { Some(cursor.ty()?) } else { None };
    Ok(Binder { name, ty })
}

fn type_of(tables: &Tables, atom: Atom) -> Type {
    match atom {
        Atom::Const(value) => Type::Scalar(value.ty),
        Atom::Var(var) => tables.vars[var].ty.clone(),
    }
}
