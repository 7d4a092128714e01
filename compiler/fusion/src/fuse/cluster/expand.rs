//! A `flatmap` becomes an expansion: a map for the work that its worker does once for an input element, and a rate of
//! its own for the work on each element of the part.
//!
//! Invariant: the results of a flatmap have one rate. It is the expanded rate, or the rate that a filter at the end
//! of the worker selects from it.
//!
//! ```text
//! ys = flatmap (\x -> { k = x & 3; a = generate k (\i -> { t = x + i; t }); a }) xs
//! ⇒ s2 <- map k1 (\x -> { k = x & 3; k }) s1
//!   mkExp (k2) from k1 s2 in { s3 <- expand k2 (\i x -> { t = x + i; t }) s1; … }
//! ```

use indexmap::IndexMap;

use super::super::nested::nested;
use super::super::split_worker;
use super::super::split_worker::{ElementWork, SplitWorker};
use super::Builder;
use crate::cnf::{Atom, Bind, Type, Worker};
use crate::process::{Operator, Rate, Series};
use arrc_syntax::ids::{NodeId, RateId, SeriesId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The results of a worker that are used.
struct UsedResults {
    /// Which ones these are.
    used: Vec<bool>,
    /// Their names.
    names: Vec<Name>,
}

impl Builder<'_> {
    /// The expansion of a `flatmap`, whose results run at a rate of their own.
    pub(super) fn expand(&mut self, node: NodeId, rate: RateId, worker: &Worker, ins: &[SeriesId]) {
        let Bind { vars, span, .. } = self.cluster.bind(node);
        if let Some((first, second)) = nested(worker, self.vars, self.sizes) {
            let names = first.body.results.iter().filter_map(|result| match result {
                Atom::Var(var) => Some(self.vars[*var].name.clone()),
                Atom::Const(_) => None,
            });
            let wanted =
                UsedResults { used: vec![true; first.body.results.len()], names: names.collect() };
            let (inner, ins) = self.expansion(node, rate, &first, ins, &wanted);
            return self.expand(node, inner, &second, &ins);
        }
        let mut used: Vec<bool> = vars.iter().map(|&var| self.used(var)).collect();
        let wanted = vars.iter().copied().filter(|&var| self.used(var)).collect::<Vec<_>>();
        let mut names: Vec<Name> = wanted.iter().map(|&var| self.vars[var].name.clone()).collect();
        let unfiltered = split_worker::unfiltered(worker, *span, self.vars);
        if unfiltered.is_some() {
            used.insert(0, true);
            names.insert(0, Name::new_static("flags"));
        }
        let worker = unfiltered.as_ref().unwrap_or(worker);
        let (inner, mut made) =
            self.expansion(node, rate, worker, ins, &UsedResults { used, names });
        let inner = if unfiltered.is_some() {
            let flags = made.remove(0);
            self.select(node, inner, flags).0
        } else {
            inner
        };
        self.rate_of_array.extend(vars.iter().map(|&var| (var, inner)));
        for (var, input) in wanted.into_iter().zip(made) {
            let out = if unfiltered.is_some() { self.pack(var, inner, input) } else { input };
            self.define(&[(var, out)], inner, *span);
        }
    }

    /// The rate of the parts that a worker makes, and the series of their elements.
    fn expansion(
        &mut self,
        node: NodeId,
        rate: RateId,
        worker: &Worker,
        ins: &[SeriesId],
        UsedResults { used, names }: &UsedResults,
    ) -> (RateId, Vec<SeriesId>) {
        let span = self.cluster.bind(node).span;
        let SplitWorker { once, max_count: most, each } =
            SplitWorker::of(worker, used, span, self.vars);
        let given = self.once_per_input(once, rate, ins, span);
        let inner = self.rates.expand(node, rate, given[0], most);
        let operators = Vec::new();
        self.push(rate, Operator::MkExp { inner, outer: rate, counts: given[0], operators });
        (inner, self.add_element_work(each, names, inner, &given[1..], span))
    }

    /// Adds the work for each element of the part, and returns the series of its results.
    fn add_element_work(
        &mut self,
        each: ElementWork,
        names: &[Name],
        rate: RateId,
        given: &[SeriesId],
        span: Span,
    ) -> Vec<SeriesId> {
        let (ins, rows) = given.split_at(each.elements);
        let mut worker = each.worker;
        let mut made = IndexMap::<Atom, SeriesId>::new();
        let results = worker.body.results.iter().zip(names);
        let series: Vec<SeriesId> = results
            .map(|(&result, name)| {
                *made.entry(result).or_insert_with(|| {
                    let ty = result.ty(self.vars);
                    self.series.push(Series { name: name.clone(), rate, ty })
                })
            })
            .collect();
        if !made.is_empty() {
            worker.body.results = made.keys().copied().collect();
            let (outs, ins, rows) = (made.into_values().collect(), ins.to_vec(), rows.to_vec());
            self.push(rate, Operator::Expand { outs, rate, worker, ins, rows, span });
        }
        series
    }

    /// The elements of a series that are selected at the expanded rate.
    fn pack(&mut self, var: VarId, rate: RateId, input: SeriesId) -> SeriesId {
        let Rate::Selected { selector, .. } = *self.rates.get(rate) else {
            panic!("a part is filtered at a selected rate")
        };
        if let Some(&known) = self.packed.get(&(selector, input)) {
            return known;
        }
        let out = self.new_series(var, rate);
        self.push(rate, Operator::Pack { out, rate, selector, input });
        self.packed.insert((selector, input), out);
        out
    }

    /// The series of a worker's results for an input element. A result that is an input is the series of that input.
    fn once_per_input(
        &mut self,
        mut worker: Worker,
        rate: RateId,
        ins: &[SeriesId],
        span: Span,
    ) -> Vec<SeriesId> {
        let mut made = IndexMap::<Atom, SeriesId>::new();
        let mut given = Vec::new();
        for &result in &worker.body.results {
            let param = worker.params.iter().position(|&param| Atom::Var(param) == result);
            given.push(match param {
                Some(place) => ins[place],
                None => *made.entry(result).or_insert_with(|| {
                    let (name, ty) = match result {
                        Atom::Var(var) => (self.vars[var].name.clone(), self.vars[var].ty.clone()),
                        Atom::Const(value) => (Name::new_static("count"), Type::Scalar(value.ty)),
                    };
                    self.series.push(Series { name, rate, ty })
                }),
            });
        }
        if made.is_empty() && worker.body.stays() {
            // The worker runs because of its assertion or effect.
            let name = Name::new_static("count");
            let ty = Type::Scalar(Scalar::I64);
            made.insert(worker.body.results[0], self.series.push(Series { name, rate, ty }));
        }
        if !made.is_empty() {
            worker.body.results = made.keys().copied().collect();
            let (outs, ins) = (made.into_values().collect(), ins.to_vec());
            self.push(rate, Operator::Map { outs, rate, worker, ins, span });
        }
        given
    }
}
