//! Passes of concrete programs from their text.
//!
//! Invariant: the fields of a nest are the lines that begin further to the right than the nest's first line.
//!
//! ```text
//! with loopI (i : i64) (length xs)     ⇒   Loop { counter: i, length: Array(xs), … }
//!   inner guardI (j : i64) n with p        inner: [Guard { index: j, counter: n, flag: p, … }]
//! ```

use super::{Binder, Reader};
use crate::concrete::{
    End, Guard, Length, Loop, Memory, Nest, PeeledIterations, Period, Phase, Position, Procedure,
    Range, RowLength, RowLocation, Slices, Start, StepBody, Stmt, Subarray, Variant, Worker,
    WrittenCount,
};
use crate::procedure::Acc;
use arrc_fusion::cnf::{Atom, FoldOrder, Type};
use arrc_fusion::form::{ReadResult, error_at};
use arrc_syntax::ast::Ident;
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};
use arrc_syntax::parse::form_tokens::SEPARATOR;
use arrc_syntax::parse::token::{Bracket, Keyword, Opening, Token};
use arrc_syntax::prim::Scalar;

impl<P: Phase> Reader<'_, '_, P> {
    pub(super) fn pass(&mut self) -> ReadResult<Procedure<P>> {
        let outside = self.vars.outside();
        let around = std::mem::take(&mut self.accs);
        let name = self.cursor.path()?;
        let column = self.cursor.column();
        self.cursor.sign(Token::Keyword(Keyword::With))?;
        let mut accs = PrimaryMap::new();
        let mut start = Vec::new();
        let mut nest = self.head()?;
        let slices = self.slices()?.and_then(P::slices);
        if self.field("start", column) {
            start = self.items(|reader| reader.start(&mut accs))?;
        }
        self.inside(&mut nest, column)?;
        let ends = self.field("end", column);
        let end = if ends { self.items(|reader| reader.end())? } else { Vec::new() };
        self.cursor.wants("yields")?;
        self.cursor.open(Opening::Round)?;
        let mut yields = Vec::new();
        while !self.cursor.closes(Bracket::Round) {
            if !yields.is_empty() {
                self.cursor.sign(Token::Comma)?;
            }
            let name = self.cursor.peek_ident()?;
            yields.push((name, self.var()?));
        }
        self.accs = around;
        self.vars.restore(outside);
        for (name, var) in &yields {
            self.vars.show(&name.name, *var);
        }
        let yields = yields.into_iter().map(|(_, var)| var).collect();
        Ok(Procedure { name, accs, slices, start, nest, end, yields })
    }

    /// Whether the field `word` of the nest at this column comes next.
    fn field(&mut self, word: &str, column: u32) -> bool {
        self.cursor.column() > column && self.cursor.word(word)
    }

    /// `{ one ; two }`.
    fn items<T>(&mut self, mut item: impl FnMut(&mut Self) -> ReadResult<T>) -> ReadResult<Vec<T>> {
        self.cursor.open(Opening::Curly)?;
        let mut items = Vec::new();
        while !self.cursor.closes(Bracket::Curly) {
            if !items.is_empty() {
                self.cursor.sign(SEPARATOR)?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// `loopI (i : i64) (length xs) at most 8 collapsed 1`.
    fn head(&mut self) -> ReadResult<Loop<P>> {
        self.cursor.wants("loopI")?;
        let binders = self.binder()?;
        let counter = self.bind(&binders, None)?;
        let length = self.bracketed_length()?;
        let mut most = None;
        if self.cursor.word("at") {
            self.cursor.wants("most")?;
            most = self.cursor.number();
        }
        let is_collapsed = self.cursor.word("collapsed");
        let collapsed = if is_collapsed { self.cursor.number().unwrap_or_default() } else { 0 };
        let (body, inner) = (Vec::new(), Vec::new());
        let (release, ranges) = (Vec::new(), Vec::new());
        Ok(Loop { counter, length, most, collapsed, body, inner, release, ranges })
    }

    /// The counter of a loop or guard.
    fn binder(&mut self) -> ReadResult<Binder> {
        self.cursor.open(Opening::Round)?;
        let name = self.cursor.name()?;
        self.cursor.sign(Token::Colon)?;
        let ty = Some(self.cursor.ty()?);
        self.cursor.close(Bracket::Round)?;
        Ok(Binder { name, ty })
    }

    /// What a loop does, and its ranges.
    fn inside(&mut self, nest: &mut Loop<P>, column: u32) -> ReadResult<()> {
        (nest.body, nest.inner, nest.release) = self.body(column)?;
        loop {
            let at = self.cursor.column();
            if !self.field("range", column) {
                return Ok(());
            }
            self.cursor.wants("from")?;
            let from = self.bound()?;
            self.cursor.wants("to")?;
            let to = self.bound()?;
            let period = if self.cursor.word("turns") { Some(self.turns()?) } else { None };
            let peeled = if self.cursor.word("edges") { Some(self.edges()?) } else { None };
            let mut variants = Vec::new();
            loop {
                let (body, inner, release) = self.body(at)?;
                variants.push(Variant { body, inner, release });
                if !self.field("next", at) {
                    break;
                }
            }
            nest.ranges.push(Range { from, to, variants, period, peeled });
        }
    }

    /// The periods of a range.
    fn turns(&mut self) -> ReadResult<Period<P>> {
        self.cursor.wants("of")?;
        let mut steps = vec![self.bound()?];
        while self.cursor.take(Token::Comma) {
            steps.push(self.bound()?);
        }
        self.cursor.wants("from")?;
        Ok(Period { first: self.bound()?, steps })
    }

    /// The numbers of steps before and behind a range.
    fn edges(&mut self) -> ReadResult<PeeledIterations> {
        self.cursor.wants("of")?;
        let before = self.edge()?;
        self.cursor.sign(Token::Comma)?;
        Ok(PeeledIterations { before, behind: self.edge()? })
    }

    fn edge(&mut self) -> ReadResult<u8> {
        match self.cursor.number().and_then(|number| u8::try_from(number).ok()) {
            Some(steps) => Ok(steps),
            None => self.cursor.expected("a small number of steps"),
        }
    }

    fn bound(&mut self) -> ReadResult<P::Bound> {
        let atom = self.atom()?;
        match P::bound(atom) {
            Some(bound) => Ok(bound),
            None => self.cursor.expected("a phase in which loops have ranges"),
        }
    }

    fn body(&mut self, column: u32) -> ReadResult<StepBody<P>> {
        let has = self.field("body", column);
        let body = if has { self.items(Self::stmt)? } else { Vec::new() };
        let mut inner = Vec::new();
        loop {
            let at = self.cursor.column();
            if !self.field("inner", column) {
                break;
            }
            inner.push(self.nest(at)?);
        }
        let has = self.field("release", column);
        let release = if has { self.items(Self::owned)? } else { Vec::new() };
        Ok((body, inner, release))
    }

    fn nest(&mut self, column: u32) -> ReadResult<Nest<P>> {
        if !self.cursor.word("guardI") {
            let mut nest = self.head()?;
            self.inside(&mut nest, column)?;
            return Ok(Nest::Loop(nest));
        }
        let binder = self.binder()?;
        let index = self.bind(&binder, None)?;
        let (counter, _) = self.acc()?;
        self.cursor.sign(Token::Keyword(Keyword::With))?;
        let flag = self.atom()?;
        let (body, inner, release) = self.body(column)?;
        Ok(Nest::Guard(Guard { index, counter, flag, body, inner, release }))
    }

    fn start(&mut self, accs: &mut PrimaryMap<AccId, Acc>) -> ReadResult<Start<P>> {
        let span = self.cursor.span();
        if self.cursor.word("checkSize") {
            return Ok(Start::CheckSize { size: self.atom()?, span });
        }
        let binders = self.binders()?;
        self.cursor.sign(Token::Equals)?;
        if self.cursor.word("newAcc") {
            let init = self.atom()?;
            let [Binder { name, .. }] = &binders[..] else {
                return error_at(span, "one accumulator");
            };
            let (name, ty) = (name.name.clone(), self.vars.type_of(init));
            let acc = accs.push(Acc { name: name.clone(), ty: ty.clone() });
            self.accs.push((name, acc, ty));
            return Ok(Start::NewAcc { acc, init });
        }
        self.cursor.wants("newVecI")?;
        let capacity = self.bracketed_length()?;
        let memory = self.memory()?;
        Ok(Start::NewVec { vec: self.one(&binders, None)?, capacity, memory, span })
    }

    /// Where elements go.
    pub(super) fn memory(&mut self) -> ReadResult<Memory<P>> {
        if self.cursor.keyword(Keyword::In) {
            let vec = self.var()?;
            if !self.cursor.word("at") {
                return self.part(vec);
            }
            let index = self.position()?;
            let over = if self.cursor.word("over") { Some(self.var()?) } else { None };
            return Ok(Memory::Row(RowLocation { vec, index, over }));
        }
        Ok(if self.cursor.word("over") {
            Memory::Over(self.owned()?)
        } else if self.cursor.word("behind") {
            Memory::Behind(self.owned()?)
        } else if self.cursor.word("scratch") {
            Memory::Scratch
        } else if self.cursor.word("turns") {
            Memory::DoubleBuffer
        } else {
            Memory::New
        })
    }

    /// The part of an array, behind its name.
    fn part(&mut self, array: VarId) -> ReadResult<Memory<P>> {
        let Some(array) = P::owned(array) else {
            return self.cursor.expected("a phase in which arrays have ends");
        };
        let span = self.cursor.span();
        self.cursor.open(Opening::Index)?;
        let indices = self.atoms_to(Bracket::Square)?;
        let view = if self.cursor.word("over") { Some(self.owned()?) } else { None };
        Ok(Memory::Part(Subarray { array, indices, view, span }))
    }

    fn end(&mut self) -> ReadResult<End> {
        if self.cursor.applies("sliceVecI") {
            let length = self.written()?;
            return Ok(End::Slice { vec: self.var()?, length });
        }
        let binders = self.binders()?;
        self.cursor.sign(Token::Equals)?;
        self.cursor.wants("read")?;
        let (acc, ty) = self.acc()?;
        Ok(End::Read { result: self.one(&binders, Some(ty.scalars()))?, acc })
    }

    fn stmt(&mut self) -> ReadResult<Stmt<P>> {
        let span = self.cursor.span();
        if self.cursor.applies("reserveI") {
            let vec = self.var()?;
            self.cursor.open(Opening::Round)?;
            let written = self.written()?;
            self.cursor.sign(Token::Operator("+"))?;
            let more = self.length()?;
            self.cursor.close(Bracket::Round)?;
            return Ok(Stmt::Reserve { vec, written, more });
        }
        if self.cursor.applies("writeVecI") {
            let (index, vec, elem) = (self.position()?, self.var()?, self.atom()?);
            return Ok(Stmt::Write { vec, index, elem, placed: self.cursor.word("placed") });
        }
        let binders = self.binders()?;
        if self.cursor.take(Token::Colon) {
            return self.update(&binders);
        }
        self.cursor.sign(Token::Equals)?;
        if self.cursor.applies("nextI") {
            let (index, array) = (self.position()?, self.var()?);
            let scalar = self.vars.tables.vars[array].ty.scalars();
            return Ok(Stmt::Next { elem: self.one(&binders, Some(scalar))?, index, array });
        }
        if self.cursor.applies("index") {
            let index = self.position()?;
            return Ok(Stmt::Position { elem: self.one(&binders, Some(Scalar::I64))?, index });
        }
        if self.cursor.applies("read") {
            let (acc, ty) = self.acc()?;
            return Ok(Stmt::Current { elem: self.one(&binders, Some(ty.scalars()))?, acc });
        }
        if self.cursor.begins_worker() {
            let (args, worker, _) = self.applied(&[])?;
            let scalars = worker.body.results.iter().map(|&of| self.vars.type_of(of).scalars());
            let elems = self.all(&binders, &scalars.collect::<Vec<_>>())?;
            return Ok(Stmt::Apply { elems, worker, args });
        }
        let from = self.atom()?;
        let scalar = self.vars.type_of(from).scalars();
        if let Atom::Var(array) = from
            && self.cursor.take(Token::Open(Opening::Index))
        {
            let index = self.atom()?;
            self.cursor.close(Bracket::Square)?;
            return Ok(Stmt::Read { elem: self.one(&binders, Some(scalar))?, array, index, span });
        }
        Ok(Stmt::Copy { elem: self.one(&binders, Some(scalar))?, from })
    }

    /// `acc := worker acc elem`.
    fn update(&mut self, binders: &[Binder]) -> ReadResult<Stmt<P>> {
        self.cursor.sign(Token::Equals)?;
        let accs = binders.iter().map(|binder| self.acc_of(&binder.name));
        let accs = accs.collect::<ReadResult<Vec<_>>>()?;
        let types: Vec<_> = accs.iter().map(|(_, ty)| ty.clone()).collect();
        let (args, worker, order) = self.applied(&types)?;
        let accs = accs.into_iter().map(|(acc, _)| acc).collect();
        Ok(Stmt::Update { accs, order, worker, args })
    }

    /// A worker and its arguments, which come after accumulators of these types.
    fn applied(&mut self, accs: &[Type]) -> ReadResult<(Vec<Atom>, Worker<P>, FoldOrder)> {
        // The arguments tell the types of the parameters.
        let start = self.cursor.checkpoint();
        if self.cursor.function().is_none() {
            self.cursor.skip();
        }
        for _ in accs {
            self.acc()?;
        }
        let args = self.atoms()?;
        let mut order = FoldOrder::Associative;
        if self.cursor.keyword(Keyword::In) {
            order =
                if self.cursor.word("any") { FoldOrder::Commutative } else { FoldOrder::Strict };
            self.cursor.wants("order")?;
        }
        let end = self.cursor.checkpoint();
        self.cursor.rewind(start);
        let types: Vec<_> = args.iter().map(|&arg| self.vars.type_of(arg)).collect();
        let worker = self.worker(&[accs, &types].concat())?;
        self.cursor.rewind(end);
        Ok((args, worker, order))
    }

    fn acc(&mut self) -> ReadResult<(AccId, Type)> {
        let name = self.cursor.name()?;
        self.acc_of(&name)
    }

    fn acc_of(&self, name: &Ident) -> ReadResult<(AccId, Type)> {
        match self.accs.iter().find(|(other, ..)| *other == name.name) {
            Some((_, acc, ty)) => Ok((*acc, ty.clone())),
            None => error_at(name.span, format!("there is no accumulator `{}`", name.name)),
        }
    }

    fn position(&mut self) -> ReadResult<Position> {
        if !self.cursor.take(Token::Open(Opening::Round)) {
            return self.var().map(Position::Var);
        }
        let outer = Box::new(self.position()?);
        self.cursor.sign(Token::Operator("*"))?;
        let length = self.length()?;
        self.cursor.sign(Token::Operator("+"))?;
        let inner = self.var()?;
        self.cursor.close(Bracket::Round)?;
        Ok(Position::Product { outer, length, inner })
    }

    pub(super) fn bracketed_length(&mut self) -> ReadResult<Length> {
        self.cursor.open(Opening::Round)?;
        let length = self.length()?;
        self.cursor.close(Bracket::Round)?;
        Ok(length)
    }

    fn slices(&mut self) -> ReadResult<Option<Slices>> {
        let is_sliced = self.cursor.word("sliced");
        let Some(block) = is_sliced.then(|| self.cursor.number()).flatten() else {
            return Ok(None);
        };
        let has_rows = self.cursor.take(Token::Operator("/"));
        let row = if has_rows { Some(self.row()?) } else { None };
        Ok(Some(Slices { block, row }))
    }

    fn row(&mut self) -> ReadResult<RowLength> {
        if self.cursor.word("row") {
            return self.var().map(RowLength::Of);
        }
        self.bracketed_length().map(RowLength::Steps)
    }

    fn length(&mut self) -> ReadResult<Length> {
        let mut length = self.factor()?;
        while self.cursor.take(Token::Operator("*")) {
            length = Length::Product(Box::new(length), Box::new(self.factor()?));
        }
        Ok(length)
    }

    fn factor(&mut self) -> ReadResult<Length> {
        if self.cursor.applies("length") {
            return self.var().map(Length::Array);
        }
        self.atom().map(Length::Value)
    }

    /// `(length xs)`, `acc`, `acc * (length xs)`.
    fn written(&mut self) -> ReadResult<WrittenCount> {
        let mut written = if self.cursor.peek() == Some(Token::Open(Opening::Round)) {
            self.bracketed_length()?;
            WrittenCount::All
        } else {
            WrittenCount::Counted(self.acc()?.0)
        };
        while self.cursor.take(Token::Operator("*")) {
            written = WrittenCount::Rows(Box::new(written), self.bracketed_length()?);
        }
        Ok(written)
    }
}
