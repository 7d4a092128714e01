//! Abstract procedures as paper 002 prints them (figure 8), after the steps that run them.
//!
//! Invariant: deterministic; empty fields are left out, as in the paper.
//!
//! ```text
//! procedure sum_1 (k1 : &) (s1 : Series k1 i64)
//! with loop k1
//!   start { x1_acc = newAcc 0i64 }
//!   body { s1_elem = next k1 s1
//!        ; x1_acc := (+) x1_acc s1_elem }
//!   end { x1 = read x1_acc }
//! yields (x1)
//! ```

use super::{Acc, End, Nest, Procedure, Start, Stmt};
use arrc_fusion::cnf::{Atom, Var};
use arrc_fusion::passes::Pass;
use arrc_fusion::process::print_ops;
use arrc_fusion::process::print_process::{header, order, rate_origin};
use arrc_fusion::process::text::{
    Lines, VarNames, braces, hanging_indent, indent, rate_name, series_name,
};
use arrc_syntax::ids::{AccId, PrimaryMap, VarId};
use arrc_syntax::names::Name;

/// An accumulator's name. It has a number if an earlier accumulator has the same name.
pub(crate) fn acc_name(accs: &PrimaryMap<AccId, Acc>, acc: AccId) -> String {
    let name = &accs[acc].name;
    let before = accs.iter().take_while(|(id, _)| *id != acc);
    match before.filter(|(_, other)| other.name == *name).count() {
        0 => name.to_string(),
        others => format!("{name}.{}", others + 1),
    }
}

/// The fields of a nest that are not empty, each with its statements.
pub(crate) fn fields(fields: Vec<(&str, Vec<Lines>)>) -> Lines {
    let used = fields.into_iter().filter(|(_, stmts)| !stmts.is_empty());
    indent(
        used.flat_map(|(name, stmts)| hanging_indent(&format!("{name} "), braces(stmts))).collect(),
    )
}

impl Pass for Procedure {
    fn name(&self) -> &Name {
        &self.name
    }

    fn yields(&self) -> &[VarId] {
        &self.yields
    }

    fn streams(&self) -> Vec<VarId> {
        self.params.iter().map(|param| param.array).collect()
    }

    fn verify(&self, vars: &PrimaryMap<VarId, Var>) -> Result<(), String> {
        self.check(vars)
    }

    fn lines(&self, names: &mut VarNames<'_>) -> Lines {
        let params = self.params.iter().map(|param| (param.series, param.rate, param.array));
        let mut lines = vec![header(names, "procedure", &self.name, &self.rates, params)];
        lines.extend(prefix("with ", self.nest(names, &self.nest)));
        let yields = self.yields.iter().map(|&var| Atom::Var(var)).collect::<Vec<_>>();
        lines.push(format!("yields {}", names.tuple(&yields)));
        lines
    }
}

impl Procedure {
    fn nest(&self, names: &mut VarNames<'_>, nest: &Nest) -> Lines {
        let mut lines = Lines::new();
        let (inner, end) = match nest {
            Nest::Loop { rate, start, body, inner, end } => {
                let origin = rate_origin(names, &self.rates[*rate]);
                lines.push(format!("loop {}{origin}", rate_name(*rate)));
                let start = start.iter().map(|start| vec![self.start(names, start)]).collect();
                lines.extend(fields(vec![("start", start), ("body", self.body(names, body))]));
                (inner, end.as_slice())
            }
            Nest::Guard { rate, outer, flag, body, inner } => {
                let (rate, outer) = (rate_name(*rate), rate_name(*outer));
                let flag = names.atom(*flag);
                lines.push(format!("guard ({rate} : &) with {outer} {flag}"));
                lines.extend(fields(vec![("body", self.body(names, body))]));
                (inner, [].as_slice())
            }
            Nest::Expansion { rate, outer, count, body, inner } => {
                let (rate, outer) = (rate_name(*rate), rate_name(*outer));
                let count = names.atom(*count);
                lines.push(format!("expansion ({rate} : &) of {outer} {count}"));
                lines.extend(fields(vec![("body", self.body(names, body))]));
                (inner, [].as_slice())
            }
        };
        for nest in inner {
            lines.extend(indent(prefix("inner ", self.nest(names, nest))));
        }
        let end = end.iter().map(|end| vec![self.end(names, end)]).collect();
        lines.extend(fields(vec![("end", end)]));
        lines
    }

    fn start(&self, names: &mut VarNames<'_>, start: &Start) -> String {
        match start {
            Start::NewVec { vec, rate, .. } => {
                format!("{} = newVec {}", names.var(*vec), rate_name(*rate))
            }
            Start::NewAcc { acc, init } => {
                format!("{} = newAcc {}", self.acc(*acc), names.atom(*init))
            }
        }
    }

    fn body(&self, names: &mut VarNames<'_>, body: &[Stmt]) -> Vec<Lines> {
        body.iter().map(|stmt| vec![self.stmt(names, stmt)]).collect()
    }

    fn stmt(&self, names: &mut VarNames<'_>, stmt: &Stmt) -> String {
        match stmt {
            Stmt::Next { elem, rate, series } => {
                let (rate, series) = (rate_name(*rate), series_name(*series));
                format!("{} = next {rate} {series}", names.var(*elem))
            }
            Stmt::Position { elem, rate } => {
                format!("{} = index {}", names.var(*elem), rate_name(*rate))
            }
            Stmt::Place { elem, rate } => {
                format!("{} = place {}", names.var(*elem), rate_name(*rate))
            }
            Stmt::Item { elem, rate, row } => {
                let row = names.var(*row);
                format!("{} = item {} {row}", names.var(*elem), rate_name(*rate))
            }
            Stmt::Copy { elem, from } => {
                let from = names.atom(*from);
                format!("{} = {from}", names.var(*elem))
            }
            Stmt::Apply { elems, worker, args, .. } => {
                let (worker, args) = (print_ops::worker(names, worker), names.atoms(args, " "));
                format!("{} = {worker} {args}", names.vars(elems))
            }
            Stmt::Read { elem, array, index, .. } => {
                let read = print_ops::index(names, *array, &[*index]);
                format!("{} = {read}", names.var(*elem))
            }
            Stmt::Update { accs, order: by, worker, args, .. } => {
                let accs = accs.iter().map(|&acc| self.acc(acc)).collect::<Vec<_>>().join(" ");
                let worker = print_ops::worker(names, worker);
                let args = update_args(&accs, &names.atoms(args, " "), order(*by));
                format!("{accs} := {worker}{args}")
            }
            Stmt::Current { elem, acc } => {
                format!("{} = read {}", names.var(*elem), self.acc(*acc))
            }
            Stmt::Write { vec, rate, elem } => {
                let (rate, vec) = (rate_name(*rate), names.var(*vec));
                format!("writeVec {rate} {vec} {}", names.atom(*elem))
            }
        }
    }

    fn end(&self, names: &mut VarNames<'_>, end: &End) -> String {
        match end {
            End::Read { result, acc } => {
                format!("{} = read {}", names.var(*result), self.acc(*acc))
            }
            End::Slice { vec, rate } => {
                format!("sliceVec {} {}", rate_name(*rate), names.var(*vec))
            }
        }
    }

    fn acc(&self, acc: AccId) -> String {
        acc_name(&self.accs, acc)
    }
}

/// The text behind the worker of an update: ` acc elem`, and the order.
pub(crate) fn update_args(accs: &str, args: &str, order: &str) -> String {
    let space = if args.is_empty() { "" } else { " " };
    format!(" {accs}{space}{args}{order}")
}

/// `head` before the first line only.
pub(crate) fn prefix(head: &str, lines: Lines) -> Lines {
    let mut lines = lines;
    if let Some(first) = lines.first_mut() {
        first.insert_str(0, head);
    }
    lines
}
