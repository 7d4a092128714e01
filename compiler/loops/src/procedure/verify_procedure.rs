//! Checks the invariant of [`super`].

use indexmap::IndexSet;

use super::{End, Nest, Procedure, Start, Stmt};
use arrc_fusion::cnf::{Atom, Type, Var, Worker};
use arrc_fusion::process::Rate;
use arrc_fusion::process::text::rate_name;
use arrc_fusion::process::verify_process::{check_same_types, ensure, worker};
use arrc_syntax::ids::{AccId, PrimaryMap, RateId, SeriesId, VarId};
use arrc_syntax::prim::Scalar;

/// The type of positions.
const INDEX: Type = Type::Scalar(Scalar::I64);

impl Procedure {
    /// Checks the invariant.
    pub(super) fn check(&self, vars: &PrimaryMap<VarId, Var>) -> Result<(), String> {
        let mut check = ProcedureVerifier::new(self, vars);
        let Nest::Loop { rate, start, end, .. } = &self.nest else {
            return Err("the outermost nest is no loop".into());
        };
        let outermost = !matches!(self.rates[*rate], Rate::Product(..));
        ensure(outermost, || format!("{} is not outermost", rate_name(*rate)))?;
        for stmt in start {
            match *stmt {
                Start::NewVec { vec, .. } => check.once(vec)?,
                Start::NewAcc { acc, init } => {
                    ensure(check.accs.insert(acc), || format!("{acc} is made twice"))?;
                    check.of_type("the first value", init, &self.accs[acc].ty)?;
                }
            }
        }
        check.nest(&self.nest, None)?;
        let mut made = IndexSet::new();
        for stmt in end {
            match *stmt {
                End::Read { result, acc } => {
                    ensure(check.updated.contains(&acc), || format!("{acc} has no writer"))?;
                    check.of_type("the result", Atom::Var(result), &self.accs[acc].ty)?;
                    made.insert(result);
                }
                End::Slice { vec, .. } => {
                    ensure(check.written.contains(&vec), || format!("{vec} has no writer"))?;
                    made.insert(vec);
                }
            }
        }
        let yields = self.yields.iter().copied().collect::<IndexSet<_>>();
        ensure(made == yields, || format!("yields {yields:?}, and its end makes {made:?}"))
    }
}

/// A procedure under inspection.
struct ProcedureVerifier<'a> {
    procedure: &'a Procedure,
    vars: &'a PrimaryMap<VarId, Var>,
    /// Every element and vector bound so far.
    bound: IndexSet<VarId>,
    /// The elements in scope.
    visible: IndexSet<VarId>,
    accs: IndexSet<AccId>,
    updated: IndexSet<AccId>,
    written: IndexSet<VarId>,
}

impl<'a> ProcedureVerifier<'a> {
    fn new(procedure: &'a Procedure, vars: &'a PrimaryMap<VarId, Var>) -> Self {
        Self {
            procedure,
            vars,
            bound: IndexSet::new(),
            visible: IndexSet::new(),
            accs: IndexSet::new(),
            updated: IndexSet::new(),
            written: IndexSet::new(),
        }
    }

    fn nest(&mut self, nest: &Nest, around: Option<RateId>) -> Result<(), String> {
        let outside = self.visible.len();
        let (rate, body, inner) = match nest {
            Nest::Loop { rate, body, inner, start, end } => {
                if let Some(around) = around {
                    let factor = matches!(self.procedure.rates[*rate], Rate::Product(left, _) if left == around);
                    ensure(factor && start.is_empty() && end.is_empty(), || {
                        format!("the loop {} is not nested in that of a factor", rate_name(*rate))
                    })?;
                }
                (*rate, body, inner)
            }
            Nest::Guard { rate, outer, flag, body, inner } => {
                ensure(Some(*outer) == around, || {
                    format!("the guard {} is not in {}", rate_name(*rate), rate_name(*outer))
                })?;
                self.used(*flag)?;
                self.of_type("a flag", *flag, &Type::Scalar(Scalar::Bool))?;
                (*rate, body, inner)
            }
            Nest::Expansion { rate, outer, count, body, inner } => {
                ensure(Some(*outer) == around, || {
                    format!("the expansion {} is not in {}", rate_name(*rate), rate_name(*outer))
                })?;
                self.used(*count)?;
                self.of_type("a count", *count, &INDEX)?;
                (*rate, body, inner)
            }
        };
        for stmt in body {
            self.stmt(stmt, rate)?;
        }
        for nest in inner {
            self.nest(nest, Some(rate))?;
        }
        self.visible.truncate(outside);
        Ok(())
    }

    fn stmt(&mut self, stmt: &Stmt, nest: RateId) -> Result<(), String> {
        match stmt {
            Stmt::Next { elem, rate, series } => {
                let array = self.array_of(*series, *rate)?;
                self.at(*rate, nest)?;
                self.element(*elem, array)?;
                self.define(*elem)
            }
            Stmt::Position { elem, rate } => {
                self.at(*rate, nest)?;
                self.of_type("a position", Atom::Var(*elem), &INDEX)?;
                self.define(*elem)
            }
            Stmt::Place { elem, rate } => {
                self.expanded(*rate, nest)?;
                self.of_type("a place", Atom::Var(*elem), &INDEX)?;
                self.define(*elem)
            }
            Stmt::Item { elem, rate, row } => {
                self.expanded(*rate, nest)?;
                self.used(Atom::Var(*row))?;
                self.element(*elem, *row)?;
                self.define(*elem)
            }
            Stmt::Copy { elem, from } => {
                self.used(*from)?;
                self.of_type("a copy", Atom::Var(*elem), &from.ty(self.vars))?;
                self.define(*elem)
            }
            Stmt::Apply { elems, worker: applied, args, .. } => {
                args.iter().try_for_each(|&arg| self.used(arg))?;
                let gives: Vec<Type> = elems.iter().map(|&elem| self.ty(elem)).collect();
                worker(self.vars, applied, &self.types(args), &gives)?;
                elems.iter().try_for_each(|&elem| self.define(elem))
            }
            Stmt::Read { elem, array, index, .. } => {
                self.used(*index)?;
                self.of_type("an index", *index, &INDEX)?;
                self.element(*elem, *array)?;
                self.define(*elem)
            }
            Stmt::Update { accs, worker, args, .. } => self.update(accs, worker, args),
            Stmt::Current { elem, acc } => {
                ensure(self.accs.contains(acc), || format!("{acc} is not made"))?;
                let held = &self.procedure.accs[*acc].ty;
                self.of_type("what is read of an accumulator", Atom::Var(*elem), held)?;
                self.define(*elem)
            }
            Stmt::Write { vec, rate, elem } => {
                ensure(*rate == nest, || format!("{vec} is not written at {}", rate_name(*rate)))?;
                self.write(*vec, *elem)
            }
        }
    }

    /// The array of a series that is read from memory at that rate.
    fn array_of(&self, series: SeriesId, rate: RateId) -> Result<VarId, String> {
        let param = self.procedure.params.iter().find(|param| param.series == series);
        let param = param
            .filter(|param| param.rate == rate)
            .ok_or_else(|| format!("{series} is no series from memory at {}", rate_name(rate)))?;
        Ok(param.array)
    }

    /// An update of accumulators: the only one of each.
    fn update(&mut self, accs: &[AccId], applied: &Worker, args: &[Atom]) -> Result<(), String> {
        args.iter().try_for_each(|&arg| self.used(arg))?;
        let held: Vec<Type> = accs.iter().map(|&acc| self.procedure.accs[acc].ty.clone()).collect();
        let takes = [held.clone(), self.types(args)].concat();
        worker(self.vars, applied, &takes, &held)?;
        accs.iter().try_for_each(|&acc| {
            ensure(self.accs.contains(&acc), || format!("{acc} is not made"))?;
            ensure(self.updated.insert(acc), || format!("{acc} has two writers"))
        })
    }

    /// A write to a vector: the only one.
    fn write(&mut self, vec: VarId, elem: Atom) -> Result<(), String> {
        self.used(elem)?;
        ensure(self.bound.contains(&vec), || format!("{vec} is not made"))?;
        let stored = self.ty(vec).element().ok_or_else(|| format!("{vec} is no array"))?;
        self.of_type("what is written", elem, &stored)?;
        ensure(self.written.insert(vec), || format!("{vec} has two writers"))
    }

    /// The loop of a product also steps through its second factor.
    fn at(&self, rate: RateId, nest: RateId) -> Result<(), String> {
        let steps = rate == nest
            || matches!(self.procedure.rates[nest], Rate::Product(_, right) if right == rate);
        ensure(steps, || format!("{} does not step in {}", rate_name(rate), rate_name(nest)))
    }

    /// A nest of an expanded rate has parts.
    fn expanded(&self, rate: RateId, nest: RateId) -> Result<(), String> {
        let parts = matches!(self.procedure.rates[rate], Rate::Expanded { .. });
        ensure(parts && rate == nest, || format!("{} has no parts", rate_name(rate)))
    }

    fn used(&self, atom: Atom) -> Result<(), String> {
        match atom {
            Atom::Const(_) => Ok(()),
            Atom::Var(var) => ensure(self.visible.contains(&var), || {
                format!("{var} is used where it is not bound")
            }),
        }
    }

    /// Checks that a variable is an element of the array.
    fn element(&self, elem: VarId, array: VarId) -> Result<(), String> {
        let of = self.ty(array).element().ok_or_else(|| format!("{array} is no array"))?;
        self.of_type("an element", Atom::Var(elem), &of)
    }

    fn of_type(&self, what: &str, atom: Atom, ty: &Type) -> Result<(), String> {
        check_same_types(what, &[atom.ty(self.vars)], std::slice::from_ref(ty))
    }

    fn ty(&self, var: VarId) -> Type {
        self.vars[var].ty.clone()
    }

    fn types(&self, atoms: &[Atom]) -> Vec<Type> {
        atoms.iter().map(|&atom| atom.ty(self.vars)).collect()
    }

    fn define(&mut self, elem: VarId) -> Result<(), String> {
        self.once(elem)?;
        self.visible.insert(elem);
        Ok(())
    }

    fn once(&mut self, var: VarId) -> Result<(), String> {
        ensure(self.bound.insert(var), || format!("{var} is bound twice"))
    }
}
