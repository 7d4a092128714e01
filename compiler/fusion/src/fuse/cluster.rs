//! One cluster becomes one process: series for arrays, rates for sizes, selectors for filters.
//!
//! Invariant: the operators of a rate are in one list, and each operator uses only earlier ones. The operator
//! `create` makes an array from a series once, and only if the array is used after the pass.
//!
//! ```text
//! ys = filter (> 0) xs; m = reduce max 0 ys                (ys is not used elsewhere)
//! ⇒ s2 <- map k1 (> 0) s1; mkSel k2 sel1 from k1 s2 in { s3 <- pack k2 sel1 s1; m <= fold k2 s3 … }
//! ```

mod expand;

use indexmap::{IndexMap, IndexSet};

use super::join;
use super::length;
use super::length::{Length, LengthOf};
use super::rates::Rates;
use crate::cnf::{Atom, Bind, Block, Op, SizeInfo, Type, Var, Worker};
use crate::distribute::counts;
use crate::graph::Graph;
use crate::process::{BlockStep, Operator, Process, Rate, Series};
use crate::simplify::same_worker;
use arrc_syntax::ids::{NodeId, PrimaryMap, RateId, SelId, SeriesId, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A cluster, and what its block needs from it.
pub(super) struct Cluster<'a> {
    /// The graph that it belongs to.
    pub(super) graph: &'a Graph,
    /// Its nodes, in the graph's order.
    pub(super) nodes: &'a [NodeId],
    /// The name of its process.
    pub(super) name: Name,
    /// The arrays that are used outside the cluster.
    pub(super) needed: &'a IndexSet<VarId>,
    /// The lengths of its arrays that the block needs.
    pub(super) lengths: &'a [LengthOf],
}

/// The steps that a cluster becomes.
pub(super) struct Fused {
    /// Steps that may run before the pass: further names of arrays that the cluster passes on unchanged.
    pub(super) before: Vec<BlockStep>,
    /// The pass, unless it would have no operators.
    pub(super) process: Option<Process>,
    /// Steps after the pass: further names of the arrays that it made.
    pub(super) after: Vec<BlockStep>,
    /// For each length that the block needs, the way to know it.
    pub(super) lengths: IndexMap<VarId, Length>,
}

impl Cluster<'_> {
    /// The process of the cluster.
    pub(super) fn fuse(
        &self,
        vars: &mut PrimaryMap<VarId, Var>,
        sizes: &mut PrimaryMap<SizeId, SizeInfo>,
    ) -> Fused {
        let rates = Rates::new(self.graph, self.nodes);
        let streamed = self
            .nodes
            .iter()
            .flat_map(|&node| self.bind(node).op.streams())
            .collect::<IndexSet<_>>();
        let order = rates.outermost_first();
        let mut builder = Builder {
            cluster: self,
            rates,
            streamed,
            vars,
            sizes,
            series: PrimaryMap::new(),
            selectors: 0,
            params: Vec::new(),
            lists: IndexMap::new(),
            conditions: Vec::new(),
            selected: IndexMap::new(),
            packed: IndexMap::new(),
            of_array: IndexMap::new(),
            rate_of_array: IndexMap::new(),
            created: IndexMap::new(),
            yields: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        };
        for node in order {
            builder.node(node);
        }
        let lengths = builder.lengths();
        builder.finish(lengths)
    }

    fn bind(&self, node: NodeId) -> &Bind {
        &self.graph.block.binds[self.graph.nodes[node].bind]
    }
}

/// A process under construction.
struct Builder<'a> {
    cluster: &'a Cluster<'a>,
    rates: Rates<'a>,
    /// Arrays that a node of the cluster reads one element a step.
    streamed: IndexSet<VarId>,
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a mut PrimaryMap<SizeId, SizeInfo>,
    series: PrimaryMap<SeriesId, Series>,
    selectors: u32,
    params: Vec<(SeriesId, VarId)>,
    /// The operators of each rate with a list of its own. These are the outermost, the selected and the expanded
    /// rates.
    lists: IndexMap<RateId, Vec<Operator>>,
    /// The conditions of the filters so far.
    conditions: Vec<FilterFlags>,
    /// The selections by flags so far.
    selected: IndexMap<SeriesId, (RateId, SelId)>,
    /// The packed series so far.
    packed: IndexMap<(SelId, SeriesId), SeriesId>,
    /// The series of the arrays that the cluster makes.
    of_array: IndexMap<VarId, SeriesId>,
    /// The rates of the arrays that the cluster makes, also of those without a series.
    rate_of_array: IndexMap<VarId, RateId>,
    /// For each series of an array in memory, that array.
    created: IndexMap<SeriesId, VarId>,
    yields: Vec<VarId>,
    before: Vec<BlockStep>,
    after: Vec<BlockStep>,
}

/// The condition of a filter, and the series of its flags.
struct FilterFlags {
    worker: Worker,
    ins: Vec<SeriesId>,
    flags: SeriesId,
}

/// The series of the results of a worker.
struct WorkerResults {
    /// The series of each array that is used.
    defs: Vec<(VarId, SeriesId)>,
    /// The new series among them, and the worker that makes these.
    made: Option<(Vec<SeriesId>, Worker)>,
}

impl Builder<'_> {
    fn node(&mut self, node: NodeId) {
        let rate = self.rates.of(node);
        let Bind { vars, op, span } = self.cluster.bind(node);
        self.rate_of_array.extend(vars.iter().map(|&var| (var, rate)));
        #[allow(clippy::wildcard_enum_match_arm, reason = "the nodes of a pass are combinators")]
        match op {
            Op::Map { worker, inputs } => {
                let ins = self.stream(inputs, rate);
                let WorkerResults { defs, made } = self.results(vars, worker, &ins, rate);
                if let Some((outs, worker)) = made {
                    self.push(rate, Operator::Map { outs, rate, worker, ins, span: *span });
                }
                self.define(&defs, rate, *span);
            }
            Op::Filter { worker, inputs, keep } => {
                let ins = self.stream(inputs, rate);
                let flags = self.flags(vars, rate, worker, ins, *span);
                self.filter(node, rate, flags, keep);
            }
            Op::FlatMap { worker, inputs } => {
                let ins = self.stream(inputs, rate);
                self.expand(node, rate, worker, &ins);
            }
            Op::Fold { order, worker, init, inputs } => {
                let ins = self.stream(inputs, rate);
                let (results, worker, init) = (vars.clone(), worker.clone(), init.clone());
                let order = *order;
                self.yields.extend(vars);
                let fold = Operator::Fold { results, rate, order, worker, init, ins, span: *span };
                self.push(rate, fold);
            }
            Op::Scan { prefix, worker, init, .. } if counts(*prefix, worker, init) => {
                self.positions(vars, rate, *span);
            }
            Op::Scan { prefix, worker, init, inputs } => {
                let ins = self.stream(inputs, rate);
                let outs: Vec<_> = vars.iter().map(|&var| self.new_series(var, rate)).collect();
                let defs: Vec<_> = vars.iter().copied().zip(outs.iter().copied()).collect();
                let (prefix, worker, init) = (*prefix, worker.clone(), init.clone());
                let scan = Operator::Scan { outs, rate, prefix, worker, init, ins, span: *span };
                self.push(rate, scan);
                self.define(&defs, rate, *span);
            }
            Op::Generate { worker, .. } => {
                let WorkerResults { defs, made } = self.results(vars, worker, &[], rate);
                if let Some((outs, worker)) = made {
                    self.push(rate, Operator::Generate { outs, rate, worker, span: *span });
                }
                self.define(&defs, rate, *span);
            }
            Op::Gather { data, indices } => self.gather(node, rate, data, *indices),
            Op::Cross { left, right } => self.cross(node, rate, left, right),
            _ => panic!("the nodes of a pass are combinators that iterate"),
        }
    }

    /// The positions at a rate.
    fn positions(&mut self, vars: &[VarId], rate: RateId, span: Span) {
        let number = Var { name: Name::new_static("i"), ty: Type::Scalar(Scalar::I64) };
        let position = self.vars.push(number);
        let outs: Vec<_> = vars.iter().map(|&var| self.new_series(var, rate)).collect();
        let defs: Vec<_> = vars.iter().copied().zip(outs.iter().copied()).collect();
        let body = Block { binds: Vec::new(), results: vec![Atom::Var(position)] };
        let worker = Worker { params: vec![position], body };
        self.push(rate, Operator::Generate { outs, rate, worker, span });
        self.define(&defs, rate, span);
    }

    /// The series of a worker's results. A result that is an input is the series of that input. The other results are
    /// new series, which the returned worker makes.
    fn results(
        &mut self,
        vars: &[VarId],
        worker: &Worker,
        ins: &[SeriesId],
        rate: RateId,
    ) -> WorkerResults {
        let mut made = IndexMap::<Atom, SeriesId>::new();
        let mut defs = Vec::new();
        // A worker with an effect runs even if its results are not used.
        let runs_anyway = worker.body.has_effect() && !vars.iter().any(|&var| self.used(var));
        for (at, (&var, &result)) in vars.iter().zip(&worker.body.results).enumerate() {
            let wanted = self.used(var) || (runs_anyway && at == 0);
            if !wanted {
                continue;
            }
            let series =
                forwarded_input(worker, ins, result).or_else(|| made.get(&result).copied());
            let series = series.unwrap_or_else(|| {
                let series = self.new_series(var, rate);
                made.insert(result, series);
                series
            });
            defs.push((var, series));
        }
        if made.is_empty() {
            return WorkerResults { defs, made: None };
        }
        let mut worker = worker.clone();
        worker.body.results = made.keys().copied().collect();
        WorkerResults { defs, made: Some((made.into_values().collect(), worker)) }
    }

    /// The flags of a filter: a series that exists already, the flags of an equal condition, or a new map of its
    /// predicate.
    fn flags(
        &mut self,
        vars: &[VarId],
        rate: RateId,
        worker: &Worker,
        ins: Vec<SeriesId>,
        span: Span,
    ) -> SeriesId {
        if let Some(given) = forwarded_input(worker, &ins, worker.body.results[0]) {
            return given;
        }
        let known = |known: &&FilterFlags| {
            known.ins == ins && same_worker(self.vars, &known.worker, worker)
        };
        if let Some(known) = self.conditions.iter().find(known) {
            return known.flags;
        }
        let of = vars.first().map_or("filter", |&var| self.vars[var].name.as_str());
        let name = Name::new(format!("{of}_flags"));
        let flags = self.series.push(Series { name, rate, ty: Type::Scalar(Scalar::Bool) });
        if !worker.body.has_effect() {
            self.conditions.push(FilterFlags { worker: worker.clone(), ins: ins.clone(), flags });
        }
        let worker = worker.clone();
        self.push(rate, Operator::Map { outs: vec![flags], rate, worker, ins, span });
        flags
    }

    fn filter(&mut self, node: NodeId, outer: RateId, flags: SeriesId, keep: &[VarId]) {
        let Bind { vars, span, .. } = self.cluster.bind(node);
        let (inner, selector) = self.select(node, outer, flags);
        for (&var, &array) in vars.iter().zip(keep) {
            self.rate_of_array.insert(var, inner);
            if !self.used(var) {
                continue;
            }
            let input = self.stream(&[array], outer)[0];
            let known = self.packed.get(&(selector, input)).copied();
            let out = known.unwrap_or_else(|| {
                let out = self.new_series(var, inner);
                self.push(inner, Operator::Pack { out, rate: inner, selector, input });
                out
            });
            self.packed.insert((selector, input), out);
            self.define(&[(var, out)], inner, *span);
        }
    }

    /// The rate at which the flags hold. Filters by the same flags share one selector, which comes after all series
    /// that they select from.
    fn select(&mut self, node: NodeId, outer: RateId, flags: SeriesId) -> (RateId, SelId) {
        let list = self.list_of(outer);
        if let Some(&(inner, selector)) = self.selected.get(&flags) {
            self.rates.select_again(node, inner);
            let operators = &mut self.lists[&list];
            let is_it = |operator: &Operator| matches!(operator, Operator::MkSel { selector: known, .. } if *known == selector);
            let place = operators.iter().position(is_it).expect("the selector was made");
            let mk_sel = operators.remove(place);
            operators.push(mk_sel);
            return (inner, selector);
        }
        let selector = SelId::from_u32(self.selectors);
        self.selectors += 1;
        let inner = self.rates.select(node, outer, selector);
        self.selected.insert(flags, (inner, selector));
        let operators = Vec::new();
        self.push(outer, Operator::MkSel { inner, selector, outer, flags, operators });
        (inner, selector)
    }

    fn gather(&mut self, node: NodeId, rate: RateId, data: &[VarId], indices: VarId) {
        let Bind { vars, span, .. } = self.cluster.bind(node);
        let indices = self.stream(&[indices], rate)[0];
        let mut read = IndexMap::<VarId, SeriesId>::new();
        let mut defs = Vec::new();
        for (&var, &array) in vars.iter().zip(data) {
            if self.used(var) {
                let known = read.get(&array).copied();
                let series = known.unwrap_or_else(|| self.new_series(var, rate));
                read.insert(array, series);
                defs.push((var, series));
            }
        }
        if !read.is_empty() {
            let (data, outs) = read.into_iter().unzip();
            self.push(rate, Operator::Gather { outs, rate, data, indices, span: *span });
        }
        self.define(&defs, rate, *span);
    }

    fn cross(&mut self, node: NodeId, rate: RateId, left: &[VarId], right: &[VarId]) {
        let Bind { vars, span, .. } = self.cluster.bind(node);
        let (product, factor) = self.rates.cross(node, rate, right[0]);
        self.rate_of_array.extend(vars.iter().map(|&var| (var, product)));
        let (left_vars, right_vars) = vars.split_at(left.len());
        let (left, left_defs) = self.cross_side(left_vars, left, rate, product);
        let (right, right_defs) = self.cross_side(right_vars, right, factor, product);
        let defs = [left_defs, right_defs].concat();
        let outs = defs.iter().map(|&(_, series)| series).collect();
        self.push(rate, Operator::Cross { outs, rate: product, left, right });
        self.define(&defs, product, *span);
    }

    /// The used series of one side of a cross, at their own rate and at the product rate.
    fn cross_side(
        &mut self,
        vars: &[VarId],
        arrays: &[VarId],
        rate: RateId,
        product: RateId,
    ) -> (Vec<SeriesId>, Vec<(VarId, SeriesId)>) {
        let mut ins = Vec::new();
        let mut defs = Vec::new();
        for (&var, &array) in vars.iter().zip(arrays) {
            if self.used(var) {
                ins.extend(self.stream(&[array], rate));
                defs.push((var, self.new_series(var, product)));
            }
        }
        (ins, defs)
    }

    /// The series of arrays at a rate. The cluster makes them, or they come from memory.
    fn stream(&mut self, arrays: &[VarId], rate: RateId) -> Vec<SeriesId> {
        arrays.iter().map(|&array| self.stream_one(array, rate)).collect()
    }

    fn stream_one(&mut self, array: VarId, rate: RateId) -> SeriesId {
        if let Some(&series) = self.of_array.get(&array) {
            assert_eq!(self.series[series].rate, rate, "series meet at one rate");
            return series;
        }
        let known = self
            .params
            .iter()
            .find(|&&(series, from)| from == array && self.series[series].rate == rate);
        if let Some(&(series, _)) = known {
            return series;
        }
        let series = self.new_series(array, rate);
        self.params.push((series, array));
        series
    }

    fn new_series(&mut self, array: VarId, rate: RateId) -> SeriesId {
        let Var { name, ty } = &self.vars[array];
        let ty = ty.element().unwrap_or_else(|| panic!("`{name}` is an array"));
        self.series.push(Series { name: name.clone(), rate, ty })
    }

    /// Defines the series of arrays. An array that is used after the pass is created.
    fn define(&mut self, defs: &[(VarId, SeriesId)], rate: RateId, span: Span) {
        for &(var, series) in defs {
            self.of_array.insert(var, series);
            if self.cluster.needed.contains(&var) {
                self.create(var, series, rate, span);
            }
        }
    }

    fn create(&mut self, result: VarId, input: SeriesId, rate: RateId, span: Span) {
        let param = self.params.iter().find(|(series, _)| *series == input);
        if let Some(&(_, array)) = param {
            self.before.push(BlockStep::Share { var: result, array });
        } else if let Some(&array) = self.created.get(&input) {
            self.after.push(BlockStep::Share { var: result, array });
        } else {
            self.created.insert(input, result);
            self.yields.push(result);
            self.push(rate, Operator::Create { result, rate, input, span });
        }
    }

    /// Whether the elements of the array are used.
    fn used(&self, array: VarId) -> bool {
        self.streamed.contains(&array) || self.cluster.needed.contains(&array)
    }

    /// Appends an operator to the list of its rate.
    fn push(&mut self, rate: RateId, operator: Operator) {
        let list = self.list_of(rate);
        self.lists.entry(list).or_default().push(operator);
    }

    /// The rate whose list contains the operators of `rate`.
    fn list_of(&self, rate: RateId) -> RateId {
        match *self.rates.get(rate) {
            Rate::Product(left, _) => self.list_of(left),
            Rate::Array(_) | Rate::Count { .. } | Rate::Selected { .. } | Rate::Expanded { .. } => {
                rate
            }
        }
    }

    /// The way in which the block gets to know each length that it needs. Elements selected from a series that is not
    /// stored must be counted. All other lengths are known before the pass, so operators that depend on them may even
    /// run in it.
    fn lengths(&mut self) -> IndexMap<VarId, Length> {
        let mut lengths = IndexMap::new();
        for &LengthOf { var, array, span } in self.cluster.lengths {
            let rate = self.rate_of_array[&array];
            let length = if let Some(binds) =
                length::known(self.rates.table(), rate, var, span, self.vars)
            {
                Length::Known(binds)
            } else if self.cluster.needed.contains(&array) {
                Length::Stored
            } else {
                match *self.rates.get(rate) {
                    Rate::Expanded { outer, counts, .. } => {
                        let total = length::total(var, outer, counts, span, self.vars);
                        self.push(outer, total);
                    }
                    Rate::Array(_)
                    | Rate::Count { .. }
                    | Rate::Selected { .. }
                    | Rate::Product(..) => {
                        let count = length::count(var, rate, span, self.vars);
                        self.push(rate, count);
                    }
                }
                self.yields.push(var);
                Length::Counted
            };
            lengths.insert(var, length);
        }
        lengths
    }

    fn finish(mut self, lengths: IndexMap<VarId, Length>) -> Fused {
        let mut operators = self.lists.swap_remove(&self.rates.outermost()).unwrap_or_default();
        fill(&mut operators, &mut self.lists);
        let operators = join::join(operators, &mut self.series, self.vars, self.sizes);
        let nodes = self.cluster.nodes.iter();
        let order = nodes.flat_map(|&node| &self.cluster.bind(node).vars).collect::<IndexSet<_>>();
        self.yields.sort_by_key(|var| order.get_index_of(var).unwrap_or(order.len()));
        let process = (!operators.is_empty()).then(|| Process {
            name: self.cluster.name.clone(),
            rates: self.rates.into_table(),
            series: self.series,
            selectors: self.selectors,
            params: self.params,
            operators,
            yields: self.yields,
        });
        Fused { before: self.before, process, after: self.after, lengths }
    }
}

/// The input series that a worker passes on unchanged as this result.
fn forwarded_input(worker: &Worker, ins: &[SeriesId], result: Atom) -> Option<SeriesId> {
    // A worker with an assertion or an effect runs in any case.
    if worker.body.stays() {
        return None;
    }
    let position = worker.params.iter().position(|&param| Atom::Var(param) == result)?;
    ins.get(position).copied()
}

/// Puts the operators of the inner rates into their selectors. A selector without operators is removed.
fn fill(operators: &mut Vec<Operator>, lists: &mut IndexMap<RateId, Vec<Operator>>) {
    operators.retain_mut(|operator| match operator {
        Operator::MkSel { inner, operators, .. } | Operator::MkExp { inner, operators, .. } => {
            *operators = lists.swap_remove(inner).unwrap_or_default();
            fill(operators, lists);
            !operators.is_empty()
        }
        Operator::Map { .. }
        | Operator::Generate { .. }
        | Operator::Gather { .. }
        | Operator::Expand { .. }
        | Operator::Pack { .. }
        | Operator::Cross { .. }
        | Operator::Fold { .. }
        | Operator::Scan { .. }
        | Operator::Create { .. } => true,
    });
}
