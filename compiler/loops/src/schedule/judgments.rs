//! Processes become abstract loop nests (002, section 4.2 and figure 7): each operator appends its
//! statements to the fields of the nest that has its rate.
//!
//! Invariant: a statement is appended after those that define what it uses.
//!
//! ```text
//! mkSel (k2) (sel1) from k1 s2 in { s3 <- pack k2 sel1 s1; ys <= create k2 s3 }
//! ⇒ loop k1 start { ys = newVec k2 } …
//!   inner guard k2 with k1 s2_elem body { s3_elem = s1_elem; writeVec k2 ys s3_elem }
//!   end { sliceVec k2 ys }
//! ```

use indexmap::IndexMap;

use crate::procedure::{Acc, End, Nest, Param, Procedure, Start, Stmt};
use arrc_fusion::cnf::{Atom, FoldOrder, ScanKind, Type, Var, Worker};
use arrc_fusion::process::text::series_name;
use arrc_fusion::process::{Operator, Process, Rate, Series};
use arrc_syntax::ids::{AccId, PrimaryMap, RateId, SeriesId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Makes the process a loop nest.
pub(super) fn procedure(process: Process, vars: &mut PrimaryMap<VarId, Var>) -> Procedure {
    let outermost = RateId::from_u32(0);
    let Process { name, rates, series, params, operators, yields, .. } = process;
    let params = params.into_iter().map(|(id, array)| {
        let rate = series[id].rate;
        Param { series: id, rate, array }
    });
    let mut scheduler = Scheduler {
        params: params.collect(),
        loops: IndexMap::new(),
        accs: PrimaryMap::new(),
        elems: IndexMap::new(),
        nest: new_loop(outermost),
        rates: &rates,
        series: &series,
        vars,
    };
    scheduler.next(outermost);
    scheduler.operators(operators);
    let Scheduler { params, accs, nest, .. } = scheduler;
    Procedure { name, rates, params, accs, nest, yields }
}

/// A procedure under construction.
struct Scheduler<'a> {
    rates: &'a PrimaryMap<RateId, Rate>,
    series: &'a PrimaryMap<SeriesId, Series>,
    params: Vec<Param>,
    /// The product rate whose loop steps through each right factor.
    loops: IndexMap<RateId, RateId>,
    accs: PrimaryMap<AccId, Acc>,
    /// The element variables of the series so far.
    elems: IndexMap<SeriesId, VarId>,
    nest: Nest,
    vars: &'a mut PrimaryMap<VarId, Var>,
}

/// An item to append; its kind tells the field that it goes to.
enum NestItem {
    Start(Start),
    Body(Stmt),
    Inner(Nest),
    End(End),
}

/// The work of a fold in each step.
struct Fold {
    rate: RateId,
    order: FoldOrder,
    worker: Worker,
    args: Vec<Atom>,
    span: Span,
}

impl Scheduler<'_> {
    fn operators(&mut self, operators: Vec<Operator>) {
        for operator in operators {
            self.operator(operator);
        }
    }

    /// One judgment of figure 7.
    fn operator(&mut self, operator: Operator) {
        match operator {
            Operator::Map { outs, rate, worker, ins, span } => {
                let args = self.elems(&ins);
                self.apply(outs, rate, worker, args, span);
            }
            Operator::Generate { outs, rate, worker, span } => {
                self.generate(outs, rate, worker, span);
            }
            Operator::Gather { outs, rate, data, indices, span } => {
                let index = self.elem(indices);
                for (out, array) in outs.into_iter().zip(data) {
                    let elem = self.new_elem(out);
                    self.append(rate, NestItem::Body(Stmt::Read { elem, array, index, span }));
                }
            }
            Operator::MkSel { inner, outer, flags, operators, .. } => {
                let flag = self.elem(flags);
                self.append(outer, NestItem::Inner(new_guard(inner, outer, flag)));
                self.next(inner);
                self.operators(operators);
            }
            Operator::MkExp { inner, outer, counts, operators } => {
                let count = self.elem(counts);
                self.append(outer, NestItem::Inner(new_expansion(inner, outer, count)));
                self.next(inner);
                self.operators(operators);
            }
            Operator::Expand { outs, rate, worker, ins, rows, span } => {
                let args = self.expansion_args(rate, &worker, &ins, &rows);
                self.apply(outs, rate, worker, args, span);
            }
            Operator::Pack { out, rate, input, .. } => self.copy(out, rate, input),
            Operator::Cross { outs, rate, left, right } => {
                self.cross_loop(rate);
                for (out, input) in outs.into_iter().zip(left.into_iter().chain(right)) {
                    self.copy(out, rate, input);
                }
            }
            Operator::Fold { results, rate, order, worker, init, ins, span } => {
                let args = self.elems(&ins);
                self.fold(&results, &init, Fold { rate, order, worker, args, span });
            }
            Operator::Scan { outs, rate, prefix, worker, init, ins, span } => {
                let args = self.elems(&ins);
                let fold = Fold { rate, order: FoldOrder::Associative, worker, args, span };
                self.scan(&outs, prefix, &init, fold);
            }
            Operator::Create { result, rate, input, span } => {
                self.create(result, rate, input, span);
            }
        }
    }

    fn apply(
        &mut self,
        outs: Vec<SeriesId>,
        rate: RateId,
        worker: Worker,
        args: Vec<Atom>,
        span: Span,
    ) {
        let name = self.series[outs[0]].name.clone();
        let elems = outs.into_iter().map(|out| self.new_elem(out)).collect();
        self.append(rate, NestItem::Body(Stmt::Apply { name, elems, worker, args, span }));
    }

    fn generate(&mut self, outs: Vec<SeriesId>, rate: RateId, worker: Worker, span: Span) {
        let is_position = worker.body.results == [Atom::Var(worker.params[0])];
        if worker.body.binds.is_empty() && is_position {
            let elem = self.new_elem(outs[0]);
            self.append(rate, NestItem::Body(Stmt::Position { elem, rate }));
            return;
        }
        let name = Name::new(format!("{}_pos", series_name(outs[0])));
        let elem = self.vars.push(Var { name, ty: Type::Scalar(Scalar::I64) });
        self.append(rate, NestItem::Body(Stmt::Position { elem, rate }));
        self.apply(outs, rate, worker, vec![Atom::Var(elem)], span);
    }

    /// The arguments of an expansion's worker: the position in the part, the elements of the step, and the elements of
    /// its rows.
    fn expansion_args(
        &mut self,
        rate: RateId,
        worker: &Worker,
        ins: &[SeriesId],
        rows: &[SeriesId],
    ) -> Vec<Atom> {
        let elem = self.fresh_argument(worker.params[0]);
        self.append(rate, NestItem::Body(Stmt::Place { elem, rate }));
        let mut args = vec![Atom::Var(elem)];
        args.extend(self.elems(ins));
        for (row, &param) in rows.iter().zip(&worker.params[args.len()..]) {
            let (elem, row) = (self.fresh_argument(param), self.elems[row]);
            self.append(rate, NestItem::Body(Stmt::Item { elem, rate, row }));
            args.push(Atom::Var(elem));
        }
        args
    }

    /// A new variable for the argument of a worker's parameter.
    fn fresh_argument(&mut self, param: VarId) -> VarId {
        let Var { name, ty } = self.vars[param].clone();
        self.vars.push(Var { name, ty })
    }

    fn copy(&mut self, out: SeriesId, rate: RateId, input: SeriesId) {
        let from = self.elem(input);
        let elem = self.new_elem(out);
        self.append(rate, NestItem::Body(Stmt::Copy { elem, from }));
    }

    /// The loop over the right side of a `cross`, unless another one has it already.
    fn cross_loop(&mut self, product: RateId) {
        let Rate::Product(left, right) = self.rates[product] else {
            panic!("a cross runs at a product rate");
        };
        if self.loops.insert(right, product).is_none() {
            let nest = new_loop(product);
            self.append(left, NestItem::Inner(nest));
        }
        self.next(right);
        self.next(product);
    }

    fn fold(&mut self, results: &[VarId], init: &[Atom], fold: Fold) {
        let Fold { rate, order, worker, args, span } = fold;
        let name = self.vars[results[0]].name.clone();
        let mut accs = Vec::new();
        for (&result, &init) in results.iter().zip(init) {
            let Var { name, ty } = &self.vars[result];
            let name = Name::new(format!("{name}_acc"));
            let acc = self.accs.push(Acc { name, ty: ty.clone() });
            self.append_outside(NestItem::Start(Start::NewAcc { acc, init }));
            self.append_outside(NestItem::End(End::Read { result, acc }));
            accs.push(acc);
        }
        self.append(rate, NestItem::Body(Stmt::Update { name, accs, order, worker, args, span }));
    }

    fn scan(&mut self, outs: &[SeriesId], prefix: ScanKind, init: &[Atom], fold: Fold) {
        let Fold { rate, order, worker, args, span } = fold;
        let name = self.series[outs[0]].name.clone();
        let mut accs = Vec::new();
        let mut seen = Vec::new();
        for (&out, &init) in outs.iter().zip(init) {
            let Series { name, ty, .. } = &self.series[out];
            let name = Name::new(format!("{name}_acc"));
            let acc = self.accs.push(Acc { name, ty: ty.clone() });
            self.append_outside(NestItem::Start(Start::NewAcc { acc, init }));
            let elem = self.new_elem(out);
            seen.push(NestItem::Body(Stmt::Current { elem, acc }));
            accs.push(acc);
        }
        let update = NestItem::Body(Stmt::Update { name, accs, order, worker, args, span });
        let steps: Vec<NestItem> = match prefix {
            ScanKind::Inclusive => [update].into_iter().chain(seen).collect(),
            ScanKind::Exclusive => seen.into_iter().chain([update]).collect(),
        };
        for step in steps {
            self.append(rate, step);
        }
    }

    fn create(&mut self, vec: VarId, rate: RateId, input: SeriesId, span: Span) {
        let elem = self.elem(input);
        self.append_outside(NestItem::Start(Start::NewVec { vec, rate, span }));
        self.append(rate, NestItem::Body(Stmt::Write { vec, rate, elem }));
        self.append_outside(NestItem::End(End::Slice { vec, rate }));
    }

    /// The elements of arrays in memory are read in the nest of their rate, once.
    fn next(&mut self, rate: RateId) {
        let here = self.params.iter().filter(|param| param.rate == rate);
        let series = here.map(|param| param.series).collect::<Vec<_>>();
        for series in series {
            if !self.elems.contains_key(&series) {
                let elem = self.new_elem(series);
                self.append(rate, NestItem::Body(Stmt::Next { elem, rate, series }));
            }
        }
    }

    fn new_elem(&mut self, series: SeriesId) -> VarId {
        let name = Name::new(format!("{}_elem", series_name(series)));
        let elem = self.vars.push(Var { name, ty: self.series[series].ty.clone() });
        self.elems.insert(series, elem);
        elem
    }

    fn elem(&self, series: SeriesId) -> Atom {
        Atom::Var(self.elems[&series])
    }

    fn elems(&self, series: &[SeriesId]) -> Vec<Atom> {
        series.iter().map(|&series| self.elem(series)).collect()
    }

    /// The operator ⊳ of figure 7: appends to a field of the nest that has the rate.
    fn append(&mut self, rate: RateId, field: NestItem) {
        let rate = self.loops.get(&rate).copied().unwrap_or(rate);
        let nest = find(&mut self.nest, rate).expect("the nest of a rate is made before its use");
        push(nest, field);
    }

    /// Appends to a field of the nest at ⊤, the outermost loop.
    fn append_outside(&mut self, field: NestItem) {
        push(&mut self.nest, field);
    }
}

fn new_loop(rate: RateId) -> Nest {
    let (start, body, inner, end) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Nest::Loop { rate, start, body, inner, end }
}

fn new_guard(rate: RateId, outer: RateId, flag: Atom) -> Nest {
    Nest::Guard { rate, outer, flag, body: Vec::new(), inner: Vec::new() }
}

fn new_expansion(rate: RateId, outer: RateId, count: Atom) -> Nest {
    Nest::Expansion { rate, outer, count, body: Vec::new(), inner: Vec::new() }
}

fn find(nest: &mut Nest, wanted: RateId) -> Option<&mut Nest> {
    let (Nest::Loop { rate, .. } | Nest::Guard { rate, .. } | Nest::Expansion { rate, .. }) = *nest;
    if rate == wanted {
        return Some(nest);
    }
    let (Nest::Loop { inner, .. } | Nest::Guard { inner, .. } | Nest::Expansion { inner, .. }) =
        nest;
    inner.iter_mut().find_map(|nest| find(nest, wanted))
}

fn push(nest: &mut Nest, field: NestItem) {
    match (nest, field) {
        (Nest::Loop { start, .. }, NestItem::Start(stmt)) => start.push(stmt),
        (Nest::Loop { end, .. }, NestItem::End(stmt)) => end.push(stmt),
        (
            Nest::Loop { body, .. } | Nest::Guard { body, .. } | Nest::Expansion { body, .. },
            NestItem::Body(stmt),
        ) => body.push(stmt),
        (
            Nest::Loop { inner, .. } | Nest::Guard { inner, .. } | Nest::Expansion { inner, .. },
            NestItem::Inner(nest),
        ) => inner.push(nest),
        (Nest::Guard { .. } | Nest::Expansion { .. }, NestItem::Start(_) | NestItem::End(_)) => {
            panic!("only loops have a start and an end")
        }
    }
}
