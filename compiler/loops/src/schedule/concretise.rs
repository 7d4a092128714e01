//! Rates become counters, positions and lengths (002, section 4.3): figure 8 becomes figure 9.
//!
//! Invariant: no rate is left. Each guard has an entry counter, which starts at 0 before the loop.
//!
//! ```text
//! loop k1 … inner guard (k2) with k1 s3_elem body { writeVec k2 ys s4_elem }
//! ⇒ loopI k1_ix (length xs) start { k2_acc = newAcc 0 } …
//!   inner guardI k2_ix k2_acc with s3_elem body { writeVecI k2_ix ys s4_elem }
//! ```

use indexmap::IndexMap;

use super::nested::Nested;
use crate::concrete;
use crate::concrete::{
    Guard, Length, Loop, Memory, Plain, Position, Start, Stmt, Worker, WrittenCount,
};
use crate::procedure;
use crate::procedure::{Acc, Nest, Step};
use crate::schedule::convert_steps::StepConverter;
use crate::schedule::{join_appends, place_rows};
use arrc_fusion::cnf;
use arrc_fusion::cnf::{Atom, Type, Var};
use arrc_fusion::process::Rate;
use arrc_fusion::process::text::rate_name;
use arrc_fusion::simplify::ExecutionFrequency;
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{AccId, PrimaryMap, RateId, SeriesId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};

/// Makes the block concrete, and the blocks of its workers and branches. Gives it with the function's tables.
#[must_use]
pub fn concretise(
    block: procedure::Block,
    runs: ExecutionFrequency,
    nested: &mut Nested<'_>,
) -> (concrete::Block<Plain>, Tables) {
    let procedure::Block { name, mut tables, steps, results } = block;
    let mut convert = StepConverter::new(name, runs, nested);
    let mut done = Vec::new();
    for step in steps {
        match step {
            Step::Bind(bind) => done.extend(convert.bind(bind, &mut tables)),
            Step::Share { var, array } => done.push(concrete::Step::Share { var, array }),
            Step::Pass(pass) => {
                done.push(concrete::Step::Pass(procedure(pass, &mut convert, &mut tables)));
            }
        }
    }
    (join_appends::join(concrete::Block { steps: done, results }), tables)
}

fn procedure(
    procedure: procedure::Procedure,
    steps: &mut StepConverter<'_, '_>,
    tables: &mut Tables,
) -> concrete::Procedure<Plain> {
    let procedure::Procedure { name, rates, params, accs, nest, yields } = procedure;
    let Nest::Loop { rate, start, body, inner, end } = nest else {
        panic!("the outermost nest is a loop");
    };
    let mut pass = Concretiser {
        rates: &rates,
        arrays: params.iter().map(|param| (param.series, param.array)).collect(),
        positions: IndexMap::new(),
        counters: IndexMap::new(),
        places: IndexMap::new(),
        vecs: start.iter().filter_map(vector).collect(),
        accs,
        steps,
        tables,
    };
    let nest = pass.counted_loop(rate, body, inner);
    let start = pass.start(start);
    let end = end.into_iter().map(|end| pass.end(end)).collect();
    let accs = pass.accs;
    let pass = concrete::Procedure { name, accs, slices: None, start, nest, end, yields };
    place_rows::place(pass, &tables.vars)
}

/// A pass whose rates are being replaced by counters.
struct Concretiser<'a, 'b, 'c> {
    rates: &'a PrimaryMap<RateId, Rate>,
    /// The arrays of the series that come from memory.
    arrays: IndexMap<SeriesId, VarId>,
    /// The position of each rate in its series.
    positions: IndexMap<RateId, Position>,
    /// How often each guard has been entered.
    counters: IndexMap<RateId, AccId>,
    /// The position of each expanded rate in the part that a step makes.
    places: IndexMap<RateId, VarId>,
    /// The vectors that are made, and the rates that they are written at.
    vecs: Vec<(VarId, RateId)>,
    accs: PrimaryMap<AccId, Acc>,
    steps: &'a mut StepConverter<'b, 'c>,
    tables: &'a mut Tables,
}

impl Concretiser<'_, '_, '_> {
    fn counted_loop(
        &mut self,
        rate: RateId,
        body: Vec<procedure::Stmt>,
        inner: Vec<Nest>,
    ) -> Loop<Plain> {
        let counter;
        let length;
        if let Rate::Product(left, right) = self.rates[rate] {
            counter = self.index(right);
            length = self.length(right);
            let outer = Box::new(self.positions[&left].clone());
            let position = Position::Product { outer, length: length.clone(), inner: counter };
            self.positions.insert(rate, position);
        } else {
            counter = self.index(rate);
            length = self.length(rate);
        }
        let (body, inner) = self.inside(body, inner);
        let (most, release, ranges) = (None, Vec::new(), Vec::new());
        Loop { counter, length, most, collapsed: 0, body, inner, release, ranges }
    }

    fn guard(
        &mut self,
        rate: RateId,
        flag: Atom,
        body: Vec<procedure::Stmt>,
        inner: Vec<Nest>,
    ) -> Guard<Plain> {
        let index = self.index(rate);
        let name = Name::new(format!("{}_acc", rate_name(rate)));
        let counter = self.accs.push(Acc { name, ty: Type::Scalar(Scalar::I64) });
        self.counters.insert(rate, counter);
        let (body, inner) = self.inside(body, inner);
        Guard { index, counter, flag, body, inner, release: Vec::new() }
    }

    /// A loop of `count` steps. A guard in it, which always holds, counts the steps over all outer steps.
    fn expansion(
        &mut self,
        rate: RateId,
        count: Atom,
        body: Vec<procedure::Stmt>,
        inner: Vec<Nest>,
    ) -> Loop<Plain> {
        let name = Name::new(format!("{}_place", rate_name(rate)));
        let counter = self.tables.vars.push(Var { name, ty: Type::Scalar(Scalar::I64) });
        self.places.insert(rate, counter);
        let always = Atom::Const(Const::bool(true));
        let guard = self.guard(rate, always, body, inner);
        let inner = vec![concrete::Nest::Guard(guard)];
        let (most, length) = (self.bounded_part(rate), Length::Value(count));
        let (body, release, ranges) = (Vec::new(), Vec::new(), Vec::new());
        Loop { counter, length, most, collapsed: 0, body, inner, release, ranges }
    }

    /// The body of a nest, and the nests in it. Before an expansion there must be room for its part.
    fn inside(
        &mut self,
        body: Vec<procedure::Stmt>,
        inner: Vec<Nest>,
    ) -> (Vec<Stmt<Plain>>, Vec<concrete::Nest<Plain>>) {
        let mut body = self.stmts(body);
        let expansions = inner.iter().filter_map(|nest| match nest {
            Nest::Expansion { rate, count, .. } => Some((*rate, *count)),
            Nest::Loop { .. } | Nest::Guard { .. } => None,
        });
        let expansions: Vec<_> = expansions.collect();
        let nests = self.nests(inner);
        for (rate, count) in expansions {
            body.extend(self.reserves(rate, count));
        }
        (body, nests)
    }

    /// Room for the elements in the part of a step.
    fn reserves(&self, expanded: RateId, count: Atom) -> Vec<Stmt<Plain>> {
        let part = self.bounded_part(expanded).map_or(Length::Value(count), constant_length);
        let grows = |rate| self.expanded(rate) == Some(expanded) && self.is_unbounded(rate);
        let inside = self.vecs.iter().filter(|(_, rate)| grows(*rate));
        let reserve = |&(vec, rate): &(VarId, RateId)| {
            let more = self.max_count(rate, part.clone());
            Stmt::Reserve { vec, written: self.written(rate), more }
        };
        inside.map(reserve).collect()
    }

    /// The largest length of a part of an expanded rate, if there is a small bound.
    fn bounded_part(&self, rate: RateId) -> Option<u32> {
        match self.rates[rate] {
            Rate::Expanded { max_count: most, .. } => most,
            Rate::Array(_) | Rate::Count { .. } | Rate::Selected { .. } | Rate::Product(..) => None,
        }
    }

    /// Whether no bound on how often a rate yields is known before the pass.
    fn is_unbounded(&self, rate: RateId) -> bool {
        match self.rates[rate] {
            Rate::Array(_) | Rate::Count { .. } => false,
            Rate::Expanded { outer, max_count: most, .. } => {
                most.is_none() || self.is_unbounded(outer)
            }
            Rate::Selected { outer, .. } => self.is_unbounded(outer),
            Rate::Product(left, _) => self.is_unbounded(left),
        }
    }

    /// The innermost expanded rate that a rate is in.
    fn expanded(&self, rate: RateId) -> Option<RateId> {
        match self.rates[rate] {
            Rate::Array(_) | Rate::Count { .. } => None,
            Rate::Expanded { .. } => Some(rate),
            Rate::Selected { outer, .. } => self.expanded(outer),
            Rate::Product(left, _) => self.expanded(left),
        }
    }

    /// How often a rate yields at most in the part of one step of an expanded rate around it.
    fn max_count(&self, rate: RateId, part: Length) -> Length {
        match self.rates[rate] {
            Rate::Array(_) | Rate::Count { .. } | Rate::Expanded { .. } => part,
            Rate::Selected { outer, .. } => self.max_count(outer, part),
            Rate::Product(left, right) => {
                Length::Product(Box::new(self.max_count(left, part)), Box::new(self.length(right)))
            }
        }
    }

    fn nests(&mut self, nests: Vec<Nest>) -> Vec<concrete::Nest<Plain>> {
        let nest = |nest| match nest {
            Nest::Loop { rate, body, inner, start, end } => {
                assert!(start.is_empty() && end.is_empty(), "only the outermost loop has an end");
                concrete::Nest::Loop(self.counted_loop(rate, body, inner))
            }
            Nest::Guard { rate, flag, body, inner, .. } => {
                concrete::Nest::Guard(self.guard(rate, flag, body, inner))
            }
            Nest::Expansion { rate, count, body, inner, .. } => {
                concrete::Nest::Loop(self.expansion(rate, count, body, inner))
            }
        };
        nests.into_iter().map(nest).collect()
    }

    fn stmts(&mut self, stmts: Vec<procedure::Stmt>) -> Vec<Stmt<Plain>> {
        stmts.into_iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: procedure::Stmt) -> Stmt<Plain> {
        match stmt {
            procedure::Stmt::Next { elem, rate, series } => {
                Stmt::Next { elem, index: self.position(rate), array: self.arrays[&series] }
            }
            procedure::Stmt::Position { elem, rate } => {
                Stmt::Position { elem, index: self.position(rate) }
            }
            procedure::Stmt::Place { elem, rate } => {
                Stmt::Position { elem, index: Position::Var(self.places[&rate]) }
            }
            procedure::Stmt::Item { elem, rate, row } => {
                Stmt::Next { elem, index: Position::Var(self.places[&rate]), array: row }
            }
            procedure::Stmt::Copy { elem, from } => Stmt::Copy { elem, from },
            procedure::Stmt::Apply { name, elems, worker, args, .. } => {
                Stmt::Apply { elems, worker: self.worker(&name, worker), args }
            }
            procedure::Stmt::Read { elem, array, index, span } => {
                Stmt::Read { elem, array, index, span }
            }
            procedure::Stmt::Update { name, accs, order, worker, args, .. } => {
                Stmt::Update { accs, order, worker: self.worker(&name, worker), args }
            }
            procedure::Stmt::Current { elem, acc } => Stmt::Current { elem, acc },
            procedure::Stmt::Write { vec, rate, elem } => {
                Stmt::Write { vec, index: self.position(rate), elem, placed: false }
            }
        }
    }

    fn worker(&mut self, makes: &Name, worker: cnf::Worker) -> Worker<Plain> {
        let cnf::Worker { params, body } = worker;
        Worker { params, body: self.steps.worker(makes, body, self.tables) }
    }

    /// The start of a nest: sizes are checked first, and the counters of guards come last.
    fn start(&mut self, start: Vec<procedure::Start>) -> Vec<Start<Plain>> {
        let checks = self.rates.values().filter_map(|rate| match *rate {
            Rate::Count { size, span } => Some(Start::CheckSize { size, span }),
            Rate::Array(_) | Rate::Selected { .. } | Rate::Expanded { .. } | Rate::Product(..) => {
                None
            }
        });
        let written = start.into_iter().map(|start| match start {
            procedure::Start::NewVec { vec, rate, span } => {
                Start::NewVec { vec, capacity: self.length(rate), memory: Memory::New, span }
            }
            procedure::Start::NewAcc { acc, init } => Start::NewAcc { acc, init },
        });
        let zero = Atom::Const(Const::i64(0));
        let counters = self.counters.values().map(|&acc| Start::NewAcc { acc, init: zero });
        checks.chain(written).chain(counters).collect()
    }

    fn end(&self, end: procedure::End) -> concrete::End {
        match end {
            procedure::End::Read { result, acc } => concrete::End::Read { result, acc },
            procedure::End::Slice { vec, rate } => {
                concrete::End::Slice { vec, length: self.written(rate) }
            }
        }
    }

    /// A new index variable, which is the position in the rate.
    fn index(&mut self, rate: RateId) -> VarId {
        let name = Name::new(format!("{}_ix", rate_name(rate)));
        let index = self.tables.vars.push(Var { name, ty: Type::Scalar(Scalar::I64) });
        self.positions.insert(rate, Position::Var(index));
        index
    }

    fn position(&self, rate: RateId) -> Position {
        self.positions[&rate].clone()
    }

    /// How often the rate yields. For a selected rate, and for an expanded rate with a bound, this is the largest
    /// number. For an expanded rate without a bound, it is how often the rate around it yields, as an initial guess.
    fn length(&self, rate: RateId) -> Length {
        match self.rates[rate] {
            Rate::Array(array) => Length::Array(array),
            Rate::Count { size, .. } => Length::Value(size),
            Rate::Selected { outer, .. } | Rate::Expanded { outer, max_count: None, .. } => {
                self.length(outer)
            }
            Rate::Expanded { outer, max_count: Some(most), .. } => {
                Length::Product(Box::new(self.length(outer)), Box::new(constant_length(most)))
            }
            Rate::Product(left, right) => {
                Length::Product(Box::new(self.length(left)), Box::new(self.length(right)))
            }
        }
    }

    /// How often the rate has yielded, after the loop.
    fn written(&self, rate: RateId) -> WrittenCount {
        match self.rates[rate] {
            Rate::Array(_) | Rate::Count { .. } => WrittenCount::All,
            Rate::Selected { .. } | Rate::Expanded { .. } => {
                WrittenCount::Counted(self.counters[&rate])
            }
            Rate::Product(left, right) => match self.written(left) {
                WrittenCount::All => WrittenCount::All,
                rows @ (WrittenCount::Counted(_) | WrittenCount::Rows(..)) => {
                    WrittenCount::Rows(Box::new(rows), self.length(right))
                }
            },
        }
    }
}

/// The vector that is made, and the rate that it is written at.
fn vector(start: &procedure::Start) -> Option<(VarId, RateId)> {
    match start {
        procedure::Start::NewVec { vec, rate, .. } => Some((*vec, *rate)),
        procedure::Start::NewAcc { .. } => None,
    }
}

/// The length of `most` elements.
fn constant_length(most: u32) -> Length {
    Length::Value(Const::i64(most.into()).into())
}
