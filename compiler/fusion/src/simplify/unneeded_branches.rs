//! Removes unnecessary `if`s.
//!
//! Invariant: a branch runs only where its condition holds, as before. A result that both branches share is used
//! directly.
//!
//! ```text
//! t = if true then { u = x + 1; u } else { x }          ⇒ u = x + 1   (and t is u)
//! t, v = if c then { x, y } else { x, z }               ⇒ v = if c then { y } else { z }
//! t = if c then { u } else { false }                    ⇒ t = c & u
//! c = a < b; t = if c then { a } else { b }             ⇒ t = min a b, of integers
//! if c then { if c then { x } else { y } } else { z }   ⇒ if c then { x } else { z }
//! ```

use super::extremes::Comparison;
use super::substitution::Substitution;
use crate::cnf::{Atom, Bind, Block, Function, Op};
use arrc_syntax::ids::{SecondaryMap, VarId};
use arrc_syntax::prim::{BinOp, Const, Scalar, UnOp};

/// Simplifies `if`s in a function; says whether anything changed.
pub(super) fn branches(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut brancher = Brancher {
        function,
        substitution: Substitution::default(),
        assumed: SecondaryMap::new(),
        comparisons: SecondaryMap::new(),
        changed: false,
    };
    brancher.block(&mut body);
    let Brancher { substitution, changed, .. } = brancher;
    function.body = body;
    substitution.finish(function) | changed
}

struct Brancher<'a> {
    function: &'a Function,
    substitution: Substitution,
    /// The conditions that are known here.
    assumed: SecondaryMap<VarId, Option<bool>>,
    /// The comparisons so far.
    comparisons: SecondaryMap<VarId, Option<Comparison>>,
    changed: bool,
}

impl Brancher<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut binds = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            bind.op.replace_operands(&mut |atom| self.atom(atom));
            self.inside(&mut bind.op);
            if let [var] = bind.vars[..] {
                self.comparisons[var] = Comparison::of(&bind.op);
            }
            self.bind(bind, &mut binds);
        }
        block.binds = binds;
        for result in &mut block.results {
            *result = self.atom(*result);
        }
    }

    /// The blocks of an operation. Inside the branches of an `if`, its condition is known.
    fn inside(&mut self, op: &mut Op) {
        if let Op::If { cond: Atom::Var(cond), then, otherwise } = op {
            let before = self.assumed[*cond];
            for (block, value) in [(then, true), (otherwise, false)] {
                self.assumed[*cond] = Some(value);
                self.block(block);
            }
            self.assumed[*cond] = before;
            return;
        }
        for inner in op.blocks_mut() {
            self.block(inner);
        }
    }

    /// The atom that replaces an atom here.
    fn atom(&mut self, atom: Atom) -> Atom {
        let atom = self.substitution.atom(atom);
        if let Atom::Var(var) = atom
            && let Some(value) = self.assumed[var]
        {
            self.changed = true;
            return Const::bool(value).into();
        }
        atom
    }

    /// Appends a binding, or the bindings that replace it.
    fn bind(&mut self, bind: Bind, binds: &mut Vec<Bind>) {
        let Op::If { cond, then, otherwise } = bind.op else {
            return binds.push(bind);
        };
        match cond {
            Atom::Const(value) => {
                let chosen = if value.bits == 0 { otherwise } else { then };
                self.splice(&bind.vars, (cond, chosen), bind.span, binds);
            }
            Atom::Var(_) => {
                let op = Op::If { cond, then, otherwise };
                let bind = self.share(Bind { op, ..bind });
                if !bind.vars.is_empty() || bind.op.stays() {
                    binds.push(self.as_operator(bind));
                }
            }
        }
    }

    /// Puts the branch that runs in the place of the `if`.
    fn splice(
        &mut self,
        vars: &[VarId],
        (cond, chosen): (Atom, Block),
        span: arrc_syntax::source::Span,
        binds: &mut Vec<Bind>,
    ) {
        self.changed |= !chosen.binds.is_empty();
        binds.extend(chosen.binds);
        let (mut left, mut results) = (Vec::new(), Vec::new());
        for (&var, &result) in vars.iter().zip(&chosen.results) {
            if !self.substitution.replace(self.function, var, result) {
                left.push(var);
                results.push(result);
            }
        }
        if !left.is_empty() {
            // Two symbols stand for the size of this array, and each has a definition of its own. The `if` stays, to
            // change the one size to the other.
            let then = Block { binds: Vec::new(), results };
            let op = Op::If { cond, then: then.clone(), otherwise: then };
            binds.push(Bind { vars: left, op, span });
        }
    }

    /// Uses directly a result that both branches share: it is a constant, or bound around the `if`.
    fn share(&mut self, bind: Bind) -> Bind {
        let Bind { vars, op: Op::If { cond, mut then, mut otherwise }, span } = bind else {
            unreachable!("only an `if` shares results")
        };
        let mut kept = Vec::new();
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (place, &var) in vars.iter().enumerate() {
            let (x, y) = (then.results[place], otherwise.results[place]);
            if x == y && self.substitution.replace(self.function, var, x) {
                continue;
            }
            kept.push(var);
            left.push(x);
            right.push(y);
        }
        then.results = left;
        otherwise.results = right;
        Bind { vars: kept, op: Op::If { cond, then, otherwise }, span }
    }

    /// Writes an `if` between truth values, or between the integers that it compares, as an operator, if they are already
    /// computed.
    fn as_operator(&mut self, bind: Bind) -> Bind {
        let Op::If { cond, then, otherwise } = &bind.op else {
            unreachable!("only an `if` becomes an operator")
        };
        let ([x], [y], true) = (
            &then.results[..],
            &otherwise.results[..],
            then.binds.is_empty() && otherwise.binds.is_empty(),
        ) else {
            return bind;
        };
        let Some(ty) = self.function.type_of(*x).as_scalar() else { return bind };
        let op = if ty == Scalar::Bool {
            operator_of_truth_values(*cond, [*x, *y])
        } else {
            let comparison = cond.as_var().and_then(|cond| self.comparisons[cond]);
            comparison.and_then(|comparison| comparison.choice([*x, *y], ty))
        };
        let Some(op) = op else { return bind };
        self.changed = true;
        Bind { op, ..bind }
    }
}

/// The operation that gives one truth value where a condition holds, and the other one elsewhere.
fn operator_of_truth_values(cond: Atom, [x, y]: [Atom; 2]) -> Option<Op> {
    let (yes, no): (Atom, Atom) = (Const::bool(true).into(), Const::bool(false).into());
    if y == no {
        Some(Op::bin(BinOp::And, cond, x))
    } else if x == yes {
        Some(Op::bin(BinOp::Or, cond, y))
    } else {
        ([x, y] == [no, yes]).then(|| Op::un(UnOp::Not, cond))
    }
}
