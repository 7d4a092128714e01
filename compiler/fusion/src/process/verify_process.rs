//! Checks the invariant of [`super`].

use indexmap::IndexSet;

use super::text::{rate_name, selector_name, series_name};
use super::{Operator, Process, Rate, uses};
use crate::cnf::{Atom, Type, Var, Worker};
use arrc_syntax::ids::{PrimaryMap, RateId, SelId, SeriesId, VarId};
use arrc_syntax::prim::Scalar;

/// An error unless the condition holds.
pub fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

impl Process {
    /// Checks the invariant.
    pub(super) fn check(&self, vars: &PrimaryMap<VarId, Var>) -> Result<(), String> {
        let mut check = ProcessVerifier {
            process: self,
            vars,
            bound: IndexSet::new(),
            visible: IndexSet::new(),
            selectors: IndexSet::new(),
            results: IndexSet::new(),
        };
        check.rates()?;
        for &(series, array) in &self.params {
            check.define(series, self.series[series].rate)?;
            let elem = vars[array].ty.element();
            ensure(elem.is_some_and(|elem| elem.agrees(&self.series[series].ty)), || {
                format!("{} has another type than {array}'s elements", series_name(series))
            })?;
        }
        check.operators(RateId::from_u32(0), &self.operators)?;
        let yields = self.yields.iter().copied().collect::<IndexSet<_>>();
        ensure(yields == check.results && yields.len() == self.yields.len(), || {
            format!("yields {yields:?}, and its operators make {:?}", check.results)
        })
    }

    /// The variables of the block that the process uses.
    pub(super) fn used(&self) -> IndexSet<VarId> {
        let mut used = self.params.iter().map(|(_, array)| *array).collect::<IndexSet<_>>();
        for rate in self.rates.values() {
            match rate {
                Rate::Array(array) => used.extend([*array]),
                Rate::Count { size, .. } => used.extend(size.as_var()),
                Rate::Selected { .. } | Rate::Expanded { .. } | Rate::Product(..) => {}
            }
        }
        let mut lists = vec![&self.operators];
        while let Some(list) = lists.pop() {
            for operator in list {
                match operator {
                    Operator::Map { worker, .. }
                    | Operator::Generate { worker, .. }
                    | Operator::Expand { worker, .. } => {
                        used.extend(uses::free_in(worker));
                    }
                    Operator::Fold { worker, init, .. } | Operator::Scan { worker, init, .. } => {
                        used.extend(uses::free_in(worker));
                        used.extend(init.iter().filter_map(Atom::as_var));
                    }
                    Operator::Gather { data, .. } => used.extend(data),
                    Operator::MkSel { operators, .. } | Operator::MkExp { operators, .. } => {
                        lists.push(operators);
                    }
                    Operator::Pack { .. } | Operator::Cross { .. } | Operator::Create { .. } => {}
                }
            }
        }
        used
    }
}

/// A process under inspection.
struct ProcessVerifier<'a> {
    process: &'a Process,
    vars: &'a PrimaryMap<VarId, Var>,
    /// The series bound so far.
    bound: IndexSet<SeriesId>,
    /// The series that are in scope.
    visible: IndexSet<SeriesId>,
    selectors: IndexSet<SelId>,
    /// The results of folds and creates.
    results: IndexSet<VarId>,
}

impl ProcessVerifier<'_> {
    /// Checks that rates are made of earlier rates.
    fn rates(&self) -> Result<(), String> {
        for (id, rate) in &self.process.rates {
            let parts = match rate {
                Rate::Array(_) | Rate::Count { .. } => vec![],
                Rate::Selected { outer, .. } | Rate::Expanded { outer, .. } => vec![*outer],
                Rate::Product(left, right) => vec![*left, *right],
            };
            ensure(parts.iter().all(|part| *part < id), || {
                format!("{} is made of later rates", rate_name(id))
            })?;
        }
        Ok(())
    }

    fn operators(&mut self, list: RateId, operators: &[Operator]) -> Result<(), String> {
        let outside = self.visible.len();
        for operator in operators {
            self.operator(list, operator)?;
        }
        self.visible.truncate(outside);
        Ok(())
    }

    fn operator(&mut self, list: RateId, operator: &Operator) -> Result<(), String> {
        match operator {
            Operator::Map { outs, rate, worker, ins, .. } => {
                self.is_in(*rate, list)?;
                let params = self.all_at(ins, *rate)?;
                self.worker(worker, &params, &self.types(outs))?;
                self.define_all(outs, *rate)
            }
            Operator::Generate { outs, rate, worker, .. } => {
                self.is_in(*rate, list)?;
                self.worker(worker, &[Type::Scalar(Scalar::I64)], &self.types(outs))?;
                self.define_all(outs, *rate)
            }
            Operator::Gather { outs, rate, data, indices, .. } => {
                self.is_in(*rate, list)?;
                self.used_at(*indices, *rate)?;
                ensure(outs.len() == data.len(), || "a gather gives one series an array".into())?;
                self.define_all(outs, *rate)
            }
            Operator::MkSel { inner, selector, outer, flags, operators } => {
                self.is_in(*outer, list)?;
                self.selector(*inner, *selector, *outer, *flags)?;
                self.operators(*inner, operators)
            }
            Operator::MkExp { inner, outer, counts, operators } => {
                self.is_in(*outer, list)?;
                let count = self.all_at(&[*counts], *outer)?;
                check_same_types("a count", &count, &[Type::Scalar(Scalar::I64)])?;
                ensure(self.expands(*inner) == Some((*outer, *counts)), || {
                    format!("{} is not what is expanded", rate_name(*inner))
                })?;
                self.operators(*inner, operators)
            }
            Operator::Expand { outs, rate, worker, ins, rows, .. } => {
                self.is_in(*rate, list)?;
                let params = self.expand_params(*rate, ins, rows)?;
                self.worker(worker, &params, &self.types(outs))?;
                self.define_all(outs, *rate)
            }
            Operator::Pack { out, rate, selector, input } => {
                let outer = self.process.series[*input].rate;
                self.used_at(*input, outer)?;
                ensure(*rate == list && self.is_selected(*rate, *selector, outer), || {
                    format!("{} is not packed by its selector", series_name(*out))
                })?;
                self.define(*out, *rate)
            }
            Operator::Cross { outs, rate, left, right } => {
                self.is_in(*rate, list)?;
                check_same_types("a cross", &self.cross(*rate, left, right)?, &self.types(outs))?;
                self.define_all(outs, *rate)
            }
            Operator::Fold { results, rate, worker, init, ins, .. } => {
                self.is_in(*rate, list)?;
                let accs = results.iter().map(|&var| self.vars[var].ty.clone());
                let accs = accs.collect::<Vec<_>>();
                ensure(init.len() == accs.len(), || "a fold lacks an initial value".into())?;
                self.accumulates(worker, &accs, (ins, *rate))?;
                self.results(results)
            }
            Operator::Scan { outs, rate, worker, init, ins, .. } => {
                self.is_in(*rate, list)?;
                let accs = self.types(outs);
                ensure(init.len() == accs.len(), || "a scan lacks an initial value".into())?;
                self.accumulates(worker, &accs, (ins, *rate))?;
                self.define_all(outs, *rate)
            }
            Operator::Create { result, rate, input, .. } => {
                self.is_in(*rate, list)?;
                let ty = self.all_at(&[*input], *rate)?;
                let elem = self.vars[*result].ty.element();
                check_same_types("a create", &ty, elem.as_slice())?;
                self.results(&[*result])
            }
        }
    }

    /// The types of the parameters of an expansion's worker: the position in the part, the elements of the series, and
    /// those of the rows.
    fn expand_params(
        &self,
        rate: RateId,
        ins: &[SeriesId],
        rows: &[SeriesId],
    ) -> Result<Vec<Type>, String> {
        let Some((outer, _)) = self.expands(rate) else {
            return Err(format!("an expand at {}, not expanded", rate_name(rate)));
        };
        let mut params = vec![Type::Scalar(Scalar::I64)];
        params.extend(self.all_at(ins, outer)?);
        params.extend(self.all_at(rows, outer)?.iter().filter_map(Type::element));
        Ok(params)
    }

    /// The types of the elements of a product.
    fn cross(
        &self,
        rate: RateId,
        left: &[SeriesId],
        right: &[SeriesId],
    ) -> Result<Vec<Type>, String> {
        let Rate::Product(left_rate, right_rate) = self.process.rates[rate] else {
            return Err(format!("a cross at {}, no product", rate_name(rate)));
        };
        let mut types = self.all_at(left, left_rate)?;
        types.extend(self.all_at(right, right_rate)?);
        Ok(types)
    }

    /// A worker takes accumulators and the elements of series, and yields the next accumulators.
    fn accumulates(
        &self,
        worker: &Worker,
        accs: &[Type],
        (ins, rate): (&[SeriesId], RateId),
    ) -> Result<(), String> {
        let params = [accs.to_vec(), self.all_at(ins, rate)?].concat();
        self.worker(worker, &params, accs)
    }

    /// Checks that a rate may be used in a list of operators: the list must be that of the rate's outermost factor.
    fn is_in(&self, rate: RateId, list: RateId) -> Result<(), String> {
        let mut factor = rate;
        while let Rate::Product(left, _) = self.process.rates[factor] {
            factor = left;
        }
        ensure(factor == list, || {
            format!("an operator at {} is among those at {}", rate_name(rate), rate_name(list))
        })
    }

    fn selector(
        &mut self,
        inner: RateId,
        selector: SelId,
        outer: RateId,
        flags: SeriesId,
    ) -> Result<(), String> {
        let name = selector_name(selector);
        let flag = self.all_at(&[flags], outer)?;
        check_same_types(&name, &flag, &[Type::Scalar(Scalar::Bool)])?;
        ensure(self.selectors.insert(selector), || format!("{name} is made twice"))?;
        ensure(self.is_selected(inner, selector, outer), || {
            format!("{} is not what {name} selects", rate_name(inner))
        })
    }

    fn is_selected(&self, inner: RateId, by: SelId, from: RateId) -> bool {
        match self.process.rates[inner] {
            Rate::Selected { outer, selector } => selector == by && outer == from,
            Rate::Array(_) | Rate::Count { .. } | Rate::Expanded { .. } | Rate::Product(..) => {
                false
            }
        }
    }

    /// The outer rate of an expanded rate, and its counts.
    fn expands(&self, inner: RateId) -> Option<(RateId, SeriesId)> {
        match self.process.rates[inner] {
            Rate::Expanded { outer, counts, .. } => Some((outer, counts)),
            Rate::Array(_) | Rate::Count { .. } | Rate::Selected { .. } | Rate::Product(..) => None,
        }
    }

    fn worker(&self, of: &Worker, params: &[Type], results: &[Type]) -> Result<(), String> {
        worker(self.vars, of, params, results)
    }

    fn types(&self, series: &[SeriesId]) -> Vec<Type> {
        series.iter().map(|&series| self.process.series[series].ty.clone()).collect()
    }

    /// The types of series that are used at a rate.
    fn all_at(&self, series: &[SeriesId], rate: RateId) -> Result<Vec<Type>, String> {
        for &each in series {
            self.used_at(each, rate)?;
        }
        Ok(self.types(series))
    }

    fn used_at(&self, series: SeriesId, rate: RateId) -> Result<(), String> {
        let name = series_name(series);
        ensure(self.visible.contains(&series), || format!("{name} is used where it is not bound"))?;
        let own = self.process.series[series].rate;
        ensure(own == rate, || {
            format!("{name} is at {}, and used at {}", rate_name(own), rate_name(rate))
        })
    }

    fn define_all(&mut self, series: &[SeriesId], rate: RateId) -> Result<(), String> {
        series.iter().try_for_each(|&series| self.define(series, rate))
    }

    fn define(&mut self, series: SeriesId, rate: RateId) -> Result<(), String> {
        let name = series_name(series);
        ensure(self.bound.insert(series), || format!("{name} is bound twice"))?;
        self.visible.insert(series);
        self.used_at(series, rate)
    }

    fn results(&mut self, results: &[VarId]) -> Result<(), String> {
        results.iter().try_for_each(|&result| {
            ensure(self.results.insert(result), || format!("{result} is made twice"))
        })
    }
}

/// Checks that a worker takes and gives these types.
pub fn worker(
    vars: &PrimaryMap<VarId, Var>,
    worker: &Worker,
    params: &[Type],
    results: &[Type],
) -> Result<(), String> {
    let takes = worker.params.iter().map(|&param| vars[param].ty.clone());
    check_same_types("a worker's parameters", &takes.collect::<Vec<_>>(), params)?;
    let gives = worker.body.results.iter().map(|&atom| atom.ty(vars));
    check_same_types("a worker's results", &gives.collect::<Vec<_>>(), results)
}

/// Checks that two lists of types agree up to their sizes.
pub fn check_same_types(of: &str, left: &[Type], right: &[Type]) -> Result<(), String> {
    let equal =
        left.len() == right.len() && left.iter().zip(right).all(|(left, right)| left.agrees(right));
    ensure(equal, || format!("{of}: {left:?} against {right:?}"))
}
