//! The operations of combinator normal form, from how they are written.
//!
//! Invariant: the operators and functions of scalars are those of the tables in `prim`.
//!
//! ```text
//! unzip (map2 (\x y -> …) xs ys)   ⇒   Map { worker, inputs: [xs, ys] }
//! ```

use super::{Binder, Reader};
use crate::cnf::{Atom, Block, Callee, FoldOrder, LoopForm, Op, PartialType, ScanKind, Worker};
use crate::form::cursor::Checkpoint;
use crate::form::{LocatedError, ReadResult};
use arrc_front::data::Data;
use arrc_front::effect::Effect;
use arrc_front::sorting::Sorting;
use arrc_syntax::ids::VarId;
use arrc_syntax::parse::token::{Bracket, Keyword, Opening, Token};
use arrc_syntax::prim::Scalar;

impl Reader<'_, '_> {
    pub(super) fn op(&mut self) -> ReadResult<Op> {
        if self.cursor.keyword(Keyword::If) {
            let cond = self.atom()?;
            self.cursor.sign(Token::Keyword(Keyword::Then))?;
            let then = self.block()?;
            self.cursor.sign(Token::Keyword(Keyword::Else))?;
            return Ok(Op::If { cond, then, otherwise: self.block()? });
        }
        if self.cursor.keyword(Keyword::Assert) {
            return self.vars.assertion(self.cursor).map(Op::Assert);
        }
        if self.cursor.keyword(Keyword::Loop) {
            return self.read_loop();
        }
        if self.cursor.inside() {
            let array = self.var()?;
            return Ok(Op::Index { array, indices: self.indices()?, inside: true });
        }
        let start = self.cursor.checkpoint();
        if self.cursor.take(Token::Open(Opening::Round)) {
            if self.cursor.take(Token::Open(Opening::Square)) {
                self.cursor.close(Bracket::Square)?;
                self.cursor.sign(Token::Colon)?;
                let elem = self.cursor.ty()?.elem;
                self.cursor.close(Bracket::Round)?;
                return Ok(Op::Array { elem, elems: Vec::new() });
            }
            if self.var().is_ok() && self.cursor.take(Token::Operator("++")) {
                self.cursor.rewind(start);
                return self.appends();
            }
        } else if let Some(Token::Name(name)) = self.cursor.peek() {
            if let Some(&callee) = self.callees.get(name) {
                self.cursor.skip();
                return self.call(callee);
            }
            if self.cursor.applies(name)
                && let Some(op) = self.word(name.trim_end_matches(|c: char| c.is_ascii_digit()))?
            {
                return Ok(op);
            }
        }
        self.cursor.rewind(start);
        self.scalar()
    }

    /// `loop (a, b) = (x, y) for i < n do …`.
    fn read_loop(&mut self) -> ReadResult<Op> {
        let at = self.cursor.span();
        let mut binders = self.pattern()?;
        self.cursor.sign(Token::Equals)?;
        let init = self.atoms()?;
        let worker = Worker { params: Vec::new(), body: Block::default() };
        let is_counted = self.cursor.keyword(Keyword::For);
        let (form, cond) = if is_counted {
            binders.push(Binder { name: Some(self.cursor.name()?), ty: None });
            self.cursor.sign(Token::Operator("<"))?;
            (LoopForm::For { count: self.atom()? }, None)
        } else {
            self.cursor.sign(Token::Keyword(Keyword::While))?;
            let cond = self.cursor.checkpoint();
            // The function, and what it is applied to.
            self.cursor.skip();
            self.cursor.skip();
            (LoopForm::While { cond: worker.clone() }, Some(cond))
        };
        self.cursor.sign(Token::Keyword(Keyword::Do))?;
        let mut op = Op::Loop { form, init, worker };
        let mut params =
            self.types().params(&op).map_err(|message| LocatedError { at, message })?;
        let mut workers = Vec::new();
        if let Some(cond) = cond {
            workers.push(self.at(cond, |reader| reader.worker(params.remove(0)))?);
        }
        workers.push(self.with_params(&binders, params.remove(0), at)?);
        for (place, worker) in op.workers_mut().into_iter().zip(workers) {
            *place = worker;
        }
        Ok(op)
    }

    /// Reads at another place, and goes on here.
    fn at<T>(
        &mut self,
        place: Checkpoint,
        read: impl FnOnce(&mut Self) -> ReadResult<T>,
    ) -> ReadResult<T> {
        let here = self.cursor.checkpoint();
        self.cursor.rewind(place);
        let found = read(self)?;
        self.cursor.rewind(here);
        Ok(found)
    }

    /// `(a ++ b, c ++ d)`, or a single append.
    fn appends(&mut self) -> ReadResult<Op> {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let several = self.cursor.take(Token::Open(Opening::Round));
        loop {
            left.push(self.var()?);
            self.cursor.sign(Token::Operator("++"))?;
            right.push(self.var()?);
            if !several || self.cursor.closes(Bracket::Round) {
                return Ok(Op::Append { left, right });
            }
            self.cursor.sign(Token::Comma)?;
        }
    }

    fn call(&mut self, callee: Callee) -> ReadResult<Op> {
        let effect = match callee {
            Callee::External(id) => self.program.externals[id].effect,
            // The effects of functions are known only when all functions are read.
            Callee::Function(_) => Effect::Pure,
        };
        Ok(Op::Call { callee, args: self.vars.operands(self.cursor)?, effect })
    }

    /// The operation that a word names, if it names one.
    fn word(&mut self, word: &str) -> ReadResult<Option<Op>> {
        let worker = Worker { params: Vec::new(), body: Block::default() };
        let start = self.cursor.checkpoint();
        let op = match word {
            "unzip" => {
                self.cursor.open(Opening::Round)?;
                let op = self.op()?;
                self.cursor.close(Bracket::Round)?;
                return Ok(Some(op));
            }
            "length" => return self.length().map(Some),
            "reshape" => {
                let array = self.var()?;
                return Ok(Some(Op::Reshape { array, shape: self.list()? }));
            }
            word if let Some(sorting) = Sorting::ALL.into_iter().find(|of| of.name() == word) => {
                let array = self.var()?;
                return Ok(Some(Op::Sort { sorting, array, window: [self.atom()?, self.atom()?] }));
            }
            "array" => {
                let elems = self.list()?;
                return self.elements(elems).map(Some);
            }
            "gather" => {
                let data = self.zipped()?;
                return Ok(Some(Op::Gather { data, indices: self.var()? }));
            }
            "cross" => {
                let left = self.zipped()?;
                return Ok(Some(Op::Cross { left, right: self.zipped()? }));
            }
            "generate" => {
                let size = self.atom()?;
                let start = self.cursor.checkpoint();
                self.cursor.skip();
                return self.with_worker(Op::Generate { size, worker }, start).map(Some);
            }
            "filter" => self.filter()?,
            "map" => Op::Map { worker, inputs: self.inputs()? },
            "flatmap" => Op::FlatMap { worker, inputs: self.inputs()? },
            word => match self.fold_or_scan(word, worker)? {
                Some(op) => op,
                None => return Ok(None),
            },
        };
        self.with_worker(op, start).map(Some)
    }

    /// The arrays behind the worker of a map.
    fn inputs(&mut self) -> ReadResult<Vec<VarId>> {
        self.cursor.skip();
        let mut inputs = Vec::new();
        while let Some(Token::Name(_)) = self.cursor.peek() {
            inputs.push(self.var()?);
        }
        Ok(inputs)
    }

    /// The fold or the scan that a word names, if it names one.
    fn fold_or_scan(&mut self, word: &str, worker: Worker) -> ReadResult<Option<Op>> {
        let order = FoldOrder::ALL.into_iter().find(|order| order.name() == word);
        let prefix = ScanKind::ALL.into_iter().find(|prefix| prefix.name() == word);
        if order.is_none() && prefix.is_none() {
            return Ok(None);
        }
        self.cursor.skip();
        let (init, inputs) = (self.atoms()?, self.zipped()?);
        Ok(match (order, prefix) {
            (Some(order), _) => Some(Op::Fold { order, worker, init, inputs }),
            (None, Some(prefix)) => Some(Op::Scan { prefix, worker, init, inputs }),
            (None, None) => None,
        })
    }

    /// The operation with the function that is written at that place. The operands tell the types of its parameters.
    fn with_worker(&mut self, mut op: Op, place: Checkpoint) -> ReadResult<Op> {
        let at = self.cursor.span();
        let mut params =
            self.types().params(&op).map_err(|message| LocatedError { at, message })?;
        let worker = self.at(place, |reader| reader.worker(params.remove(0)))?;
        for place in op.workers_mut() {
            *place = worker.clone();
        }
        Ok(op)
    }

    /// A filter. Its predicate reads the arrays whose elements it names, or those before the word `keeping`.
    fn filter(&mut self) -> ReadResult<Op> {
        let start = self.cursor.checkpoint();
        let binders = self.params()?;
        self.cursor.rewind(start);
        self.cursor.skip();
        let mut keep = self.zipped()?;
        let inputs = if self.cursor.word("keeping") {
            std::mem::replace(&mut keep, self.zipped()?)
        } else {
            let looked = binders.iter().zip(&keep).filter(|(binder, _)| binder.name.is_some());
            looked.map(|(_, &array)| array).collect()
        };
        let worker = Worker { params: Vec::new(), body: Block::default() };
        Ok(Op::Filter { worker, inputs, keep })
    }

    /// `length xs`, or the length of an element: `length (head xs)`.
    fn length(&mut self) -> ReadResult<Op> {
        let mut dim = 0;
        while self.cursor.take(Token::Open(Opening::Round)) {
            self.cursor.wants("head")?;
            dim += 1;
        }
        let array = self.var()?;
        if dim >= self.vars.tables.vars[array].ty.rank() {
            return self.cursor.expected("an array of more dimensions");
        }
        for _ in 0..dim {
            self.cursor.close(Bracket::Round)?;
        }
        Ok(Op::Length { array, dim })
    }

    /// The arrays of `zip3 xs ys zs`, or the one array.
    fn zipped(&mut self) -> ReadResult<Vec<VarId>> {
        if !self.cursor.take(Token::Open(Opening::Round)) {
            return Ok(vec![self.var()?]);
        }
        self.cursor.skip();
        let mut arrays = Vec::new();
        while !self.cursor.closes(Bracket::Round) {
            arrays.push(self.var()?);
        }
        Ok(arrays)
    }

    /// An operation on scalars, or one that begins with an array.
    fn scalar(&mut self) -> ReadResult<Op> {
        if let Some((operation, _)) = self.vars.scalars(self.cursor)? {
            return Ok(operation.into());
        }
        let left = self.atom()?;
        let Atom::Var(array) = left else { return self.cursor.expected("an operator") };
        if self.cursor.infix().is_some() {
            return Ok(Op::Append { left: vec![array], right: vec![self.var()?] });
        }
        if self.cursor.keyword(Keyword::With) {
            let inside = self.cursor.word("inside");
            let indices = self.list()?;
            self.cursor.sign(Token::Equals)?;
            return Ok(Op::Replace { array, indices, value: self.atom()?, inside });
        }
        Ok(Op::Index { array, indices: self.indices()?, inside: false })
    }

    /// `[i, j]` behind an array.
    fn indices(&mut self) -> ReadResult<Vec<Atom>> {
        self.cursor.open(Opening::Index)?;
        self.cursor.list(Bracket::Square, |cursor| self.vars.atom(cursor))
    }

    /// `[a, b]`.
    fn list(&mut self) -> ReadResult<Vec<Atom>> {
        self.cursor.open(Opening::Square)?;
        self.cursor.list(Bracket::Square, |cursor| self.vars.atom(cursor))
    }

    /// An array literal whose elements are computed at run time.
    fn elements(&self, elems: Vec<Atom>) -> ReadResult<Op> {
        let elem = elems.first().map_or(Scalar::I64, |&elem| self.vars.type_of(elem).scalars());
        Ok(Op::Array { elem, elems })
    }

    /// A literal: data of the program if there are only constants in it, row by row; and its type.
    pub(super) fn literal(&mut self) -> ReadResult<(Op, Vec<PartialType>)> {
        let mut shape = Vec::new();
        let elems = self.rows(0, &mut shape)?;
        let constant =
            |atom: &Atom| if let Atom::Const(value) = atom { Some(*value) } else { None };
        let op = match elems.iter().map(constant).collect::<Option<Vec<_>>>() {
            Some(values) if !values.is_empty() => {
                Op::Constant { shape, data: Data::new(values[0].ty, values) }
            }
            _ => self.elements(elems)?,
        };
        let at = self.cursor.span();
        let told = self.types().results(&op).map_err(|message| LocatedError { at, message })?;
        Ok((op, told))
    }

    /// The elements of a literal, `depth` dimensions in; and the number of parts of the first one in each dimension.
    fn rows(&mut self, depth: usize, shape: &mut Vec<i64>) -> ReadResult<Vec<Atom>> {
        self.cursor.open(Opening::Square)?;
        let is_first = shape.len() == depth;
        if is_first {
            shape.push(0);
        }
        let mut elems = Vec::new();
        let mut count = 0;
        while !self.cursor.closes(Bracket::Square) {
            if count > 0 {
                self.cursor.sign(Token::Comma)?;
            }
            count += 1;
            if self.cursor.peek() == Some(Token::Open(Opening::Square)) {
                elems.extend(self.rows(depth + 1, shape)?);
            } else {
                elems.push(self.vars.atom(self.cursor)?);
            }
        }
        if is_first {
            shape[depth] = count;
        }
        Ok(elems)
    }
}
