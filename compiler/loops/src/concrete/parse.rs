//! Concrete programs from their text: functions, blocks and steps.
//!
//! Invariant: an array has the type that its binder says, and a scalar the type of its operation.
//!
//! ```text
//! (zs : [k]i64) = xs ++ ys   ⇒   Append { var: zs, parts: [xs, ys], … }
//! ```

mod parse_passes;

use std::collections::{BTreeMap, BTreeSet};

use super::phase::Phase;
use super::program::{Block, Function, Program, Worker};
use super::step::{LoopForm, ReplacedPart, Step};
use arrc_front::data::Data;
use arrc_front::sorting::Sorting;
use arrc_fusion::cnf::print::scalar;
use arrc_fusion::cnf::{Atom, Callee, Operation, Type};
use arrc_fusion::form;
use arrc_fusion::form::cursor::Cursor;
use arrc_fusion::form::signature::{Callees, Signature, Vars, declare, recursive};
use arrc_fusion::form::{FormError, ReadResult, error_at, tree};
use arrc_syntax::ast::Ident;
use arrc_syntax::ids::{AccId, FuncId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::parse::form_tokens::FormTokens;
use arrc_syntax::parse::form_tokens::SEPARATOR;
use arrc_syntax::parse::token::{Bracket, Keyword, Opening, Token};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::{Sources, Span};

/// Reads a concrete program. It need not verify. Its spans refer to the text as the first file.
///
/// # Errors
/// The first mistake in the text.
pub fn parse<P: Phase>(text: &str) -> Result<Program<P>, FormError> {
    form::read(text, program)
}

/// The program.
fn program<P: Phase>(sources: &Sources, lexed: &FormTokens<'_>) -> ReadResult<Program<P>> {
    let mut cursor = Cursor::new(sources, &lexed.tokens);
    let mut program = Program::default();
    let mut callees = Callees::new();
    let mut bodies = Vec::new();
    while cursor.peek().is_some() {
        if let Some((name, external)) = cursor.external()? {
            let callee = Callee::External(program.externals.push(external));
            declare(&mut callees, &name, callee)?;
            continue;
        }
        let is_entry = cursor.keyword(Keyword::Entry);
        if !is_entry {
            cursor.wants("function")?;
        }
        let signature = Signature::new(&mut cursor, Name::new_static("k"))?;
        let body = cursor.checkpoint();
        cursor.skip();
        let id = program.functions.push(function(&signature));
        program.entries.extend(is_entry.then(|| signature.entry(id, None)));
        declare(&mut callees, &signature.name, Callee::Function(id))?;
        bodies.push((id, signature.vars, body));
    }
    let mut calls = BTreeMap::new();
    for (id, vars, body) in bodies {
        cursor.rewind(body);
        let (accs, called) = (Vec::new(), BTreeSet::new());
        let (program_so_far, cursor) = (&program, &mut cursor);
        let mut reader =
            Reader { cursor, program: program_so_far, callees: &callees, vars, accs, called };
        let body = reader.block()?;
        calls.insert(id, reader.called);
        let tables = reader.vars.tables;
        let function = &mut program.functions[id];
        *function = Function { body, tables, ..function.clone() };
    }
    for id in recursive(calls) {
        program.functions[id].recursive = true;
    }
    Ok(program)
}

/// A function without its body.
fn function<P: Phase>(signature: &Signature) -> Function<P> {
    let Signature { name, params, owned, appends, results, vars } = signature;
    Function {
        name: name.name.clone(),
        span: name.span,
        params: params.clone(),
        owned: owned.clone(),
        appends: appends.clone(),
        body: Block::default(),
        results: results.clone(),
        tables: vars.tables.clone(),
        recursive: false,
    }
}

/// A variable where it is bound, with its type if that is written.
struct Binder {
    name: Ident,
    ty: Option<tree::Type>,
}

/// Reads one function.
struct Reader<'a, 't, P: Phase> {
    cursor: &'a mut Cursor<'t>,
    program: &'a Program<P>,
    callees: &'a Callees,
    vars: Vars,
    /// The accumulators of the pass.
    accs: Vec<(Name, AccId, Type)>,
    /// The functions that are called.
    called: BTreeSet<FuncId>,
}

impl<P: Phase> Reader<'_, '_, P> {
    /// `{ step ; … ; yield (…) }`.
    fn block(&mut self) -> ReadResult<Block<P>> {
        let outside = self.vars.outside();
        self.cursor.open(Opening::Curly)?;
        let mut steps = Vec::new();
        while !self.cursor.word("yield") {
            steps.push(self.step()?);
            self.cursor.sign(SEPARATOR)?;
        }
        let results = self.tuple()?;
        self.cursor.close(Bracket::Curly)?;
        self.vars.restore(outside);
        Ok(Block { steps, results })
    }

    fn step(&mut self) -> ReadResult<Step<P>> {
        let span = self.cursor.span();
        if self.cursor.keyword(Keyword::Assert) {
            return Ok(Step::Assert { check: self.vars.assertion(self.cursor)?, span });
        }
        if self.cursor.word("release") {
            return Ok(Step::Release { array: self.owned()? });
        }
        if self.cursor.word("procedure") {
            return self.pass().map(Step::Pass);
        }
        let binders = self.binders()?;
        self.cursor.sign(Token::Equals)?;
        if self.cursor.keyword(Keyword::If) {
            return self.branch(&binders);
        }
        if self.cursor.keyword(Keyword::Loop) {
            return self.repeated(&binders, span);
        }
        for (word, forks) in [("call", false), ("fork", true)] {
            if self.cursor.applies(word) {
                return self.call(&binders, forks, span);
            }
        }
        self.operation(&binders, span)
    }

    /// A step of one operation.
    fn operation(&mut self, binders: &[Binder], span: Span) -> ReadResult<Step<P>> {
        if self.cursor.take(Token::Open(Opening::Square)) {
            return self.literal(binders, span);
        }
        if self.cursor.applies("constant") {
            return self.constant(binders);
        }
        if self.cursor.word("new") {
            return self.append(binders, None, Vec::new(), span);
        }
        if self.cursor.applies("extend") {
            let extends = Some(self.owned()?);
            return self.append(binders, extends, Vec::new(), span);
        }
        match self.part_of_array(binders, span)? {
            Some(step) => Ok(step),
            None => match self.whole_array(binders, span)? {
                Some(step) => Ok(step),
                None => self.scalar(binders, span),
            },
        }
    }

    /// The elements of an array literal, behind its bracket.
    fn literal(&mut self, binders: &[Binder], span: Span) -> ReadResult<Step<P>> {
        let elems = self.atoms_to(Bracket::Square)?;
        let memory = self.memory()?;
        let var = self.one(binders, None)?;
        let elem = self.vars.tables.vars[var].ty.scalars();
        Ok(Step::Array { var, elem, elems, memory, span })
    }

    fn constant(&mut self, binders: &[Binder]) -> ReadResult<Step<P>> {
        self.cursor.open(Opening::Square)?;
        let values = self.cursor.list(Bracket::Square, |cursor| match cursor.constant()? {
            Some(value) => Ok(value),
            None => cursor.expected("a constant"),
        })?;
        let var = self.one(binders, None)?;
        let data = Data::new(self.vars.tables.vars[var].ty.scalars(), values);
        Ok(Step::Constant { var, data })
    }

    /// An element, a row or a slice of an array, if a word names the step.
    fn part_of_array(&mut self, binders: &[Binder], span: Span) -> ReadResult<Option<Step<P>>> {
        if self.cursor.applies("row") {
            let inside = self.cursor.word("inside");
            let (array, indices) = self.indexed()?;
            let var = self.one(binders, None)?;
            return Ok(Some(Step::Row { var, array, indices, inside, span }));
        }
        if self.cursor.inside() {
            let (array, indices) = self.indexed()?;
            let var = self.one(binders, Some(self.vars.tables.vars[array].ty.scalars()))?;
            return Ok(Some(Step::Index { var, array, indices, inside: true, span }));
        }
        if self.cursor.applies("slice") {
            let (array, indices) = self.indexed()?;
            let count = self.vars.atom(self.cursor)?;
            let var = self.one(binders, None)?;
            return Ok(Some(Step::Slice { var, array, indices, count }));
        }
        Ok(None)
    }

    /// An operation on a whole array, if a word names the step.
    fn whole_array(&mut self, binders: &[Binder], span: Span) -> ReadResult<Option<Step<P>>> {
        if self.cursor.applies("reshape") {
            let (shape, array) = (self.tuple()?, self.var()?);
            return Ok(Some(Step::Reshape { var: self.one(binders, None)?, array, shape }));
        }
        if let Some(dim) = self.cursor.length() {
            let array = self.var()?;
            let var = self.one(binders, Some(Scalar::I64))?;
            return Ok(Some(Step::Length { var, array, dim }));
        }
        if let Some(sorting) = Sorting::ALL.into_iter().find(|of| self.cursor.applies(of.name())) {
            let (array, window) = (self.var()?, [self.atom()?, self.atom()?]);
            let (memory, var) = (self.memory()?, self.one(binders, None)?);
            return Ok(Some(Step::Sort { var, sorting, array, window, memory, span }));
        }
        if self.cursor.applies("share") {
            let array = self.var()?;
            return Ok(Some(Step::Share { var: self.one(binders, None)?, array }));
        }
        if self.cursor.applies("copy") {
            let (array, memory) = (self.owned()?, self.memory()?);
            return Ok(Some(Step::Copy { var: self.one(binders, None)?, array, memory, span }));
        }
        if self.cursor.applies("unique") {
            let array = self.owned()?;
            return Ok(Some(Step::Unique { var: self.one(binders, None)?, array, span }));
        }
        Ok(None)
    }

    /// An operation on scalars, or one that begins with an array.
    fn scalar(&mut self, binders: &[Binder], span: Span) -> ReadResult<Step<P>> {
        if let Some((operation, ty)) = self.vars.scalars(self.cursor)? {
            let var = self.one(binders, Some(operation.result(ty)))?;
            return Ok(Step::Scalar { var, op: operation, span });
        }
        let left = self.atom()?;
        let Atom::Var(array) = left else { return self.cursor.expected("an operator") };
        if self.cursor.peek() == Some(Token::Operator("++")) {
            return self.append(binders, None, vec![array], span);
        }
        if self.cursor.keyword(Keyword::With) {
            let target = match (self.cursor.word("inside"), self.cursor.word("window")) {
                (true, _) => ReplacedPart::Inside,
                (false, true) => ReplacedPart::Window,
                (false, false) => ReplacedPart::Checked,
            };
            self.cursor.open(Opening::Square)?;
            let indices = self.atoms_to(Bracket::Square)?;
            self.cursor.sign(Token::Equals)?;
            let value = self.atom()?;
            let placed = self.cursor.word("placed");
            let var = self.one(binders, None)?;
            return Ok(Step::Replace { var, array, indices, target, value, placed, span });
        }
        self.cursor.open(Opening::Index)?;
        let indices = self.atoms_to(Bracket::Square)?;
        let var = self.one(binders, Some(self.vars.tables.vars[array].ty.scalars()))?;
        Ok(Step::Index { var, array, indices, inside: false, span })
    }

    fn append(
        &mut self,
        binders: &[Binder],
        extends: Option<P::Owned>,
        mut parts: Vec<VarId>,
        span: Span,
    ) -> ReadResult<Step<P>> {
        while self.cursor.take(Token::Operator("++")) {
            parts.push(self.var()?);
        }
        let mut room = Vec::new();
        while self.cursor.word("room") {
            room.push(self.bracketed_length()?);
        }
        let [placed, cut] = ["placed", "cut"].map(|word| self.cursor.word(word));
        let memory = self.memory()?;
        let var = self.one(binders, None)?;
        Ok(Step::Append { var, extends, parts, room, placed, cut, memory, span })
    }

    fn call(&mut self, binders: &[Binder], forks: bool, span: Span) -> ReadResult<Step<P>> {
        let name = self.cursor.name()?;
        let Some(&callee) = self.callees.get(&name.name) else {
            return error_at(name.span, format!("there is no function `{}`", name.name));
        };
        let args = self.atoms()?;
        let results = match callee {
            Callee::Function(id) => {
                self.called.insert(id);
                self.program.functions[id].results.iter().map(Type::scalars).collect()
            }
            Callee::External(id) => {
                let outputs = self.program.externals[id].outputs.iter();
                outputs.map(|of| of.elem).collect::<Vec<_>>()
            }
        };
        Ok(Step::Call { forks, vars: self.all(binders, &results)?, callee, args, span })
    }

    fn branch(&mut self, binders: &[Binder]) -> ReadResult<Step<P>> {
        let cond = self.atom()?;
        let mut takes = Vec::new();
        if self.cursor.word("taking") {
            while self.cursor.peek() != Some(Token::Keyword(Keyword::Then)) {
                takes.push(self.owned()?);
            }
        }
        self.cursor.sign(Token::Keyword(Keyword::Then))?;
        let then = self.block()?;
        self.cursor.sign(Token::Keyword(Keyword::Else))?;
        let otherwise = self.block()?;
        let results: Vec<_> =
            then.results.iter().map(|&of| self.vars.type_of(of).scalars()).collect();
        Ok(Step::If { vars: self.all(binders, &results)?, cond, takes, then, otherwise })
    }

    /// `loop init for n do worker`.
    fn repeated(&mut self, binders: &[Binder], span: Span) -> ReadResult<Step<P>> {
        let init = match self.cursor.peek() {
            Some(Token::Open(Opening::Round)) => self.tuple()?,
            _ => vec![self.atom()?],
        };
        let mut types: Vec<_> = init.iter().map(|&of| self.vars.type_of(of)).collect();
        let results: Vec<_> = types.iter().map(Type::scalars).collect();
        let form = if self.cursor.keyword(Keyword::While) {
            LoopForm::While { cond: self.worker(&types)? }
        } else {
            self.cursor.sign(Token::Keyword(Keyword::For))?;
            types.push(Type::Scalar(Scalar::I64));
            LoopForm::For { count: self.atom()? }
        };
        self.cursor.sign(Token::Keyword(Keyword::Do))?;
        let worker = self.worker(&types)?;
        Ok(Step::Loop { vars: self.all(binders, &results)?, form, init, worker, span })
    }

    /// A function of arguments of these types: `(+ 1i64)`, or a lambda.
    fn worker(&mut self, args: &[Type]) -> ReadResult<Worker<P>> {
        let outside = self.vars.outside();
        let start = self.cursor.checkpoint();
        let worker = if self.cursor.take(Token::Open(Opening::Round))
            && self.cursor.take(Token::Backslash)
        {
            let binders = self.binders()?;
            self.cursor.sign(Token::Arrow)?;
            let scalars: Vec<_> = args.iter().map(Type::scalars).collect();
            let params = self.all(&binders, &scalars)?;
            let body = match self.cursor.peek() {
                Some(Token::Open(Opening::Curly)) => self.block()?,
                Some(Token::Open(Opening::Round)) => {
                    Block { steps: Vec::new(), results: self.tuple()? }
                }
                _ => Block { steps: Vec::new(), results: vec![self.atom()?] },
            };
            self.cursor.close(Bracket::Round)?;
            Worker { params, body }
        } else {
            self.cursor.rewind(start);
            self.section(args)?
        };
        self.vars.restore(outside);
        Ok(worker)
    }

    /// An operation as a function: `(+)`, `(+ 1i64)`, `(1i64 +)`, `f64.max`, `(f64.max 0.0f64)`.
    fn section(&mut self, args: &[Type]) -> ReadResult<Worker<P>> {
        let span = self.cursor.span();
        let hidden = |ty: &Type| self.vars.hidden(Name::default(), ty.clone());
        let params: Vec<_> = args.iter().map(hidden).collect();
        let given: Vec<_> = params.iter().map(|&param| Atom::Var(param)).collect();
        let (name, operands) = if let Some(name) = self.cursor.function() {
            (name, given)
        } else {
            self.cursor.open(Opening::Round)?;
            let start = self.cursor.checkpoint();
            let name = self.cursor.function();
            let is_infix = name.is_none();
            let name = name.or_else(|| self.cursor.infix().map(str::to_owned));
            if name.is_some() && self.cursor.closes(Bracket::Round) {
                (name.unwrap_or_default(), given)
            } else if let Some(name) = name
                && let Ok(other) = self.atom()
                && self.cursor.closes(Bracket::Round)
            {
                let other = vec![other];
                (name, if is_infix { [given, other].concat() } else { [other, given].concat() })
            } else {
                self.cursor.rewind(start);
                let left = self.atom()?;
                let Some(sign) = self.cursor.infix() else { return self.cursor.expected("a sign") };
                self.cursor.close(Bracket::Round)?;
                (sign.to_owned(), [vec![left], given].concat())
            }
        };
        let [left, right] = operands[..] else { return error_at(span, "two operands are wanted") };
        let ty = self.vars.scalar(left, span)?;
        let Some(op) = scalar::find_binary(&name, ty) else {
            return error_at(span, format!("there is no `{name}` of {ty}"));
        };
        let var = self.vars.hidden(Name::default(), Type::Scalar(op.result(ty)));
        let steps = vec![Step::Scalar { var, op: Operation::Bin(op, [left, right]), span }];
        Ok(Worker { params, body: Block { steps, results: vec![Atom::Var(var)] } })
    }

    /// `x (xs : [n]i64) …`.
    fn binders(&mut self) -> ReadResult<Vec<Binder>> {
        let mut binders = Vec::new();
        loop {
            if let Some(Token::Name(_)) = self.cursor.peek() {
                binders.push(Binder { name: self.cursor.name()?, ty: None });
            } else if self.cursor.take(Token::Open(Opening::Round)) {
                let name = self.cursor.name()?;
                self.cursor.sign(Token::Colon)?;
                binders.push(Binder { name, ty: Some(self.cursor.ty()?) });
                self.cursor.close(Bracket::Round)?;
            } else {
                return Ok(binders);
            }
        }
    }

    /// Binds a variable, a scalar of that type if its own is not written.
    fn bind(&mut self, binder: &Binder, scalar: Option<Scalar>) -> ReadResult<VarId> {
        let Binder { name, ty } = binder;
        let ty = match (ty, scalar) {
            (Some(ty), _) => self.vars.ty(ty)?,
            (None, Some(scalar)) => Type::Scalar(scalar),
            (None, None) => return error_at(name.span, "the type of an array is wanted"),
        };
        Ok(self.vars.bind(&name.name, ty))
    }

    fn one(&mut self, binders: &[Binder], scalar: Option<Scalar>) -> ReadResult<VarId> {
        let [binder] = binders else { return self.cursor.expected("one variable") };
        self.bind(binder, scalar)
    }

    fn all(&mut self, binders: &[Binder], scalars: &[Scalar]) -> ReadResult<Vec<VarId>> {
        if binders.len() != scalars.len() {
            return self.cursor.expected(&format!("another number than {}", binders.len()));
        }
        let all = binders.iter().zip(scalars);
        all.map(|(binder, &scalar)| self.bind(binder, Some(scalar))).collect()
    }

    fn var(&mut self) -> ReadResult<VarId> {
        let name = self.cursor.name()?;
        self.vars.named(&name)
    }

    fn owned(&mut self) -> ReadResult<P::Owned> {
        let var = self.var()?;
        match P::owned(var) {
            Some(owned) => Ok(owned),
            None => self.cursor.expected("a phase in which arrays have ends"),
        }
    }

    fn atom(&mut self) -> ReadResult<Atom> {
        self.vars.operand(self.cursor)
    }

    /// The atoms up to the end of the step.
    fn atoms(&mut self) -> ReadResult<Vec<Atom>> {
        let mut atoms = Vec::new();
        while !self.ends() {
            atoms.push(self.atom()?);
        }
        Ok(atoms)
    }

    fn atoms_to(&mut self, bracket: Bracket) -> ReadResult<Vec<Atom>> {
        self.cursor.list(bracket, |cursor| self.vars.atom(cursor))
    }

    fn tuple(&mut self) -> ReadResult<Vec<Atom>> {
        self.cursor.open(Opening::Round)?;
        self.atoms_to(Bracket::Round)
    }

    /// `xs[i, j]`.
    fn indexed(&mut self) -> ReadResult<(VarId, Vec<Atom>)> {
        let array = self.var()?;
        self.cursor.open(Opening::Index)?;
        Ok((array, self.atoms_to(Bracket::Square)?))
    }

    /// Whether a step or statement ends here.
    fn ends(&self) -> bool {
        self.cursor.peek().is_none_or(|token| {
            [SEPARATOR, Token::Close(Bracket::Curly), Token::Keyword(Keyword::In)].contains(&token)
        })
    }
}
