//! Processes as paper 002 prints them (section 4.1), after the steps that run them.
//!
//! Invariant: deterministic; series, rates and selectors print with their numbers, in the order in which they were
//! made.
//!
//! ```text
//! filter_max = { vec3 mx = runSeries vec1 filter_max_1
//!              ; yield (vec3, mx) }
//!
//! process filter_max_1 (k1 : &) (s1 : Series k1 i64)
//! with { … }
//! yields (vec3, mx)
//! ```

use indexmap::IndexSet;

use super::text::{Lines, VarNames, braces, hanging_indent, rate_name, selector_name, series_name};
use super::{Operator, Process, Rate};
use crate::cnf::{Atom, FoldOrder, Var};
use crate::passes::Pass;
use crate::process::print_ops;
use arrc_syntax::ids::{PrimaryMap, RateId, SeriesId, VarId};
use arrc_syntax::names::Name;

/// The parameters of a process or procedure: its rate, and its series.
pub fn header(
    names: &VarNames<'_>,
    kind: &str,
    name: &str,
    rates: &PrimaryMap<RateId, Rate>,
    series: impl IntoIterator<Item = (SeriesId, RateId, VarId)>,
) -> String {
    let mut text = format!("{kind} {name}");
    for (rate, data) in rates {
        if matches!(data, Rate::Array(_) | Rate::Count { .. }) {
            text += &format!(" ({} : &)", rate_name(rate));
        }
    }
    for (id, rate, array) in series {
        let ty = names.element_type(array);
        text += &format!(" ({} : Series {} {ty})", series_name(id), rate_name(rate));
    }
    text
}

/// The definition of a rate, unless it is the rate of an array in memory: ` = n`, ` = k1 * k2`.
pub fn rate_origin(names: &mut VarNames<'_>, rate: &Rate) -> String {
    match rate {
        Rate::Array(_) | Rate::Selected { .. } | Rate::Expanded { .. } => String::new(),
        Rate::Count { size, .. } => format!(" = {}", names.atom(*size)),
        Rate::Product(left, right) => format!(" = {} * {}", rate_name(*left), rate_name(*right)),
    }
}

/// The text for the order of a fold: none if the operation is associative.
pub fn order(order: FoldOrder) -> &'static str {
    match order {
        FoldOrder::Strict => " in order",
        FoldOrder::Associative => "",
        FoldOrder::Commutative => " in any order",
    }
}

impl Pass for Process {
    fn name(&self) -> &Name {
        &self.name
    }

    fn yields(&self) -> &[VarId] {
        &self.yields
    }

    fn streams(&self) -> Vec<VarId> {
        self.params.iter().map(|&(_, array)| array).collect()
    }

    fn uses(&self) -> IndexSet<VarId> {
        self.used()
    }

    fn verify(&self, vars: &PrimaryMap<VarId, Var>) -> Result<(), String> {
        self.check(vars)
    }

    fn lines(&self, names: &mut VarNames<'_>) -> Lines {
        let yields = self.yields.iter().map(|&var| Atom::Var(var)).collect::<Vec<_>>();
        let series = self.params.iter().map(|&(id, array)| (id, self.series[id].rate, array));
        let mut lines = vec![header(names, "process", &self.name, &self.rates, series)];
        lines.extend(hanging_indent("with ", self.operators(names, &self.operators)));
        lines.push(format!("yields {}", names.tuple(&yields)));
        lines
    }
}

impl Process {
    fn operators(&self, names: &mut VarNames<'_>, operators: &[Operator]) -> Lines {
        braces(operators.iter().map(|operator| self.operator(names, operator)).collect())
    }

    fn operator(&self, names: &mut VarNames<'_>, operator: &Operator) -> Lines {
        let line = match operator {
            Operator::Map { outs, rate, worker, ins, .. } => {
                let worker = print_ops::worker(names, worker);
                let (outs, ins) = (all(outs), self.typed(names, *rate, ins, &worker));
                format!("{outs} <- map {ins}")
            }
            Operator::Generate { outs, rate, worker, .. } => {
                let worker = print_ops::worker(names, worker);
                let origin = rate_origin(names, &self.rates[*rate]);
                format!("{} <- generate ({}{origin}) {worker}", all(outs), rate_name(*rate))
            }
            Operator::Gather { outs, rate, data, indices, .. } => {
                let (rate, data) = (rate_name(*rate), names.vars(data));
                format!("{} <- gather {rate} ({data}) {}", all(outs), series_name(*indices))
            }
            Operator::MkSel { inner, selector, outer, flags, operators } => {
                let (inner, selector) = (rate_name(*inner), selector_name(*selector));
                let (outer, flags) = (rate_name(*outer), series_name(*flags));
                let kinds = format!("({inner} : &) ({selector} : Sel {outer} {inner})");
                let mut lines = vec![format!("mkSel {kinds} from {outer} {flags} in")];
                lines.extend(hanging_indent("  ", self.operators(names, operators)));
                return lines;
            }
            Operator::MkExp { inner, outer, counts, operators } => {
                let (inner, outer) = (rate_name(*inner), rate_name(*outer));
                let counts = series_name(*counts);
                let mut lines = vec![format!("mkExp ({inner} : &) from {outer} {counts} in")];
                lines.extend(hanging_indent("  ", self.operators(names, operators)));
                return lines;
            }
            Operator::Expand { outs, rate, worker, ins, rows, .. } => {
                let worker = print_ops::worker(names, worker);
                let ins = self.typed(names, *rate, ins, &worker);
                let rows =
                    if rows.is_empty() { String::new() } else { format!(" of {}", all(rows)) };
                format!("{} <- expand {ins}{rows}", all(outs))
            }
            Operator::Pack { out, rate, selector, input } => {
                let outer = rate_name(self.series[*input].rate);
                let (inner, ty) = (rate_name(*rate), names.ty(&self.series[*input].ty));
                let (selector, input) = (selector_name(*selector), series_name(*input));
                format!("{} <- pack {outer} {inner} {ty} {selector} {input}", series_name(*out))
            }
            Operator::Cross { outs, rate, left, right } => {
                let origin = rate_origin(names, &self.rates[*rate]);
                let (rate, left, right) = (rate_name(*rate), all(left), all(right));
                format!("{} <- cross ({rate}{origin}) ({left}) ({right})", all(outs))
            }
            Operator::Fold { results, rate, order: by, worker, init, ins, .. } => {
                let (results, ins) = (names.vars(results), self.typed(names, *rate, ins, ""));
                let (worker, init) =
                    (print_ops::worker(names, worker), print_ops::init(names, init));
                format!("{results} <= fold {ins} with {worker} and {init}{}", order(*by))
            }
            Operator::Scan { outs, rate, prefix, worker, init, ins, .. } => {
                let ins = self.typed(names, *rate, ins, "");
                let (worker, init) =
                    (print_ops::worker(names, worker), print_ops::init(names, init));
                format!("{} <- {} {ins} with {worker} and {init}", all(outs), prefix.name())
            }
            Operator::Create { result, rate, input, .. } => {
                let typed = self.typed(names, *rate, &[*input], "");
                format!("{} <= create {typed}", names.var(*result))
            }
        };
        vec![line]
    }

    /// The rate, the element types, the worker and the series: `k1 i64 (+ 1i64) s1`.
    fn typed(&self, names: &VarNames<'_>, rate: RateId, ins: &[SeriesId], worker: &str) -> String {
        let types = ins.iter().map(|&series| names.ty(&self.series[series].ty));
        let worker = (!worker.is_empty()).then(|| worker.to_owned());
        let series = ins.iter().map(|&series| series_name(series));
        let parts = std::iter::once(rate_name(rate)).chain(types).chain(worker).chain(series);
        parts.collect::<Vec<_>>().join(" ")
    }
}

fn all(series: &[SeriesId]) -> String {
    series.iter().map(|&series| series_name(series)).collect::<Vec<_>>().join(" ")
}
