//! Combinators with few steps, unrolled.
//!
//! Invariant: the steps run in their order, each on variables of its own. Only a `reduce` that adds or multiplies
//! floats in memory combines them in pairs.
//!
//! ```text
//! ys = map (\x -> { t = x * 2; t }) xs, xs: [2]f64
//! ⇒ x = xs[0]; t = x * 2; x_2 = xs[1]; t_2 = x_2 * 2; ys = [t, t_2]
//!
//! s = reduce (+) 0 xs, xs: [4]f64
//! ⇒ a = xs[0]; b = xs[1]; c = xs[2]; d = xs[3]; t = a + b; u = c + d; v = t + u; s = 0 + v
//! ```

use super::{ArrayScalariser, ExecutionFrequency};
use crate::cnf::{Atom, Bind, Block, FoldOrder, Op, Operation, ScanKind, Worker};
use crate::copy::Copier;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;

impl ArrayScalariser<'_> {
    /// Appends the steps of a combinator, and the literals of its results.
    pub(super) fn unroll(&mut self, bind: Bind, trips: usize, done: &mut Vec<Bind>) {
        let Bind { vars, op, span } = bind;
        self.facts.changed = true;
        #[allow(clippy::wildcard_enum_match_arm, reason = "these are what has a number of steps")]
        match op {
            Op::Map { worker, inputs } => {
                let steps = (0..trips).map(|step| {
                    let args = self.elements(&inputs, step, span, done);
                    self.apply(&worker, &args, done)
                });
                let steps = steps.collect();
                self.literals(&vars, steps, span, done);
            }
            Op::Generate { worker, .. } => {
                let steps = (0..trips).map(|step| self.apply(&worker, &[number(step)], done));
                let steps = steps.collect();
                self.literals(&vars, steps, span, done);
            }
            Op::Gather { data, indices } => {
                let steps = (0..trips).map(|step| {
                    let index = self.elements(&[indices], step, span, done);
                    data.iter().map(|&array| self.read(array, index[0], span, done)).collect()
                });
                let steps = steps.collect();
                self.literals(&vars, steps, span, done);
            }
            Op::Fold { order, worker, init, inputs }
                if order != FoldOrder::Strict && self.sums_memory(&worker, &inputs) =>
            {
                let elems = (0..trips).map(|step| self.elements(&inputs, step, span, done)[0]);
                let elems = elems.collect();
                let all = self.in_pairs(&worker, elems, done);
                let result = self.apply(&worker, &[init[0], all], done)[0];
                self.alias(vars[0], result);
            }
            Op::Fold { order, worker, init, inputs } => {
                let sums = self.sums(order, &worker);
                let mut accs = init;
                for step in 0..trips {
                    accs.extend(self.elements(&inputs, step, span, done));
                    accs = self.apply(&worker, &accs, done);
                    let added = sums.iter().filter_map(|&sum| accs[sum].as_var());
                    self.facts.sums.extend(added);
                }
                for (&var, &acc) in vars.iter().zip(&accs) {
                    self.alias(var, acc);
                }
            }
            Op::Scan { prefix, worker, init, inputs } => {
                let mut accs = init;
                let mut steps = Vec::new();
                for step in 0..trips {
                    let before = accs.clone();
                    accs.extend(self.elements(&inputs, step, span, done));
                    accs = self.apply(&worker, &accs, done);
                    steps.push(match prefix {
                        ScanKind::Inclusive => accs.clone(),
                        ScanKind::Exclusive => before,
                    });
                }
                self.literals(&vars, steps, span, done);
            }
            _ => panic!("a combinator with a number of steps is unrolled"),
        }
    }

    /// Whether a fold only adds or multiplies the floats of one array in memory. Operations whose results do not depend
    /// on the order of the elements stay in theirs.
    fn sums_memory(&self, worker: &Worker, inputs: &[VarId]) -> bool {
        let ([acc, elem], [bind], [array]) = (&worker.params[..], &worker.body.binds[..], inputs)
        else {
            return false;
        };
        let Op::Scalar(Operation::Bin(op, [left, right])) = bind.op else { return false };
        let ty = Atom::Var(*elem).ty(&self.function.tables.vars).as_scalar();
        ty.is_some_and(|ty| ty.is_float() && op.fold() == prim::Reassociation::Sum)
            && !self.facts.known.contains_key(array)
            && worker.body.results == [Atom::Var(bind.vars[0])]
            && [left, right] == [acc, elem].map(|&var| Atom::Var(var))
    }

    /// Combines neighbours, then their results, until one is left. So few operations wait for each other, and vectors
    /// can combine the elements of several rows in the same order.
    fn in_pairs(&mut self, worker: &Worker, mut elems: Vec<Atom>, done: &mut Vec<Bind>) -> Atom {
        while elems.len() > 1 {
            let pairs = elems.chunks(2).map(|pair| match *pair {
                [left, right] => self.apply(worker, &[left, right], done)[0],
                _ => pair[0],
            });
            elems = pairs.collect();
        }
        elems[0]
    }

    /// From here on a variable is replaced by another one, or by a constant.
    fn alias(&mut self, var: VarId, atom: Atom) {
        let replaced = self.facts.substitution.replace(self.function, var, atom);
        assert!(replaced, "an accumulator keeps its shape");
    }

    /// The arrays' elements of one step.
    fn elements(
        &mut self,
        arrays: &[VarId],
        step: usize,
        span: Span,
        done: &mut Vec<Bind>,
    ) -> Vec<Atom> {
        arrays.iter().map(|&array| self.read(array, number(step), span, done)).collect()
    }

    /// An element of an array, or a row.
    fn read(&mut self, array: VarId, index: Atom, span: Span, done: &mut Vec<Bind>) -> Atom {
        let mut elem = self.function.tables.vars[array].clone();
        elem.ty = elem.ty.element().expect("an array has elements");
        let var = self.function.tables.vars.push(elem);
        let op = Op::Index { array, indices: vec![index], inside: false };
        self.bind(Bind { vars: vec![var], op, span }, ExecutionFrequency::EachStep, done);
        self.facts.substitution.atom(Atom::Var(var))
    }

    /// Appends a worker's body with these arguments, and gives its results.
    fn apply(&mut self, worker: &Worker, args: &[Atom], done: &mut Vec<Bind>) -> Vec<Atom> {
        let Block { binds, results } = Copier::new(&mut self.function.tables).applied(worker, args);
        for bind in binds {
            self.bind(bind, ExecutionFrequency::EachStep, done);
        }
        results.into_iter().map(|result| self.facts.substitution.atom(result)).collect()
    }

    /// Appends array literals of the results of the steps.
    fn literals(
        &mut self,
        vars: &[VarId],
        steps: Vec<Vec<Atom>>,
        span: Span,
        done: &mut Vec<Bind>,
    ) {
        for (result, &var) in vars.iter().enumerate() {
            let elems = steps.iter().map(|step| step[result]).collect();
            let elem = self.function.tables.vars[var].ty.scalars();
            let bind = Bind { vars: vec![var], op: Op::Array { elem, elems }, span };
            self.bind(bind, ExecutionFrequency::EachStep, done);
        }
    }
}

fn number(step: usize) -> Atom {
    Const::i64(i64::try_from(step).expect("there are few steps")).into()
}
