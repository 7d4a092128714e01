//! Folds whose steps wait for one another, although the program may not need their order.
//!
//! Invariant: a hint is given only if the order makes a difference to the compiled code. Integer sums and extremes
//! are computed in any order in any case.
//!
//! ```text
//! fold (\s x -> s + x * x) 0 xs       of floats
//! ⇒ reduce (+) 0 (map (\x -> x * x) xs), whose `map` costs no pass
//! ```

use super::{Hint, HintContext};
use arrc_front::lint::operators::Joined;
use arrc_fusion::cnf::{Atom, Bind, FoldOrder, Op, Worker};
use arrc_syntax::diagnostics::{Code, Diagnostic};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Reassociation, Scalar};

/// The folds that could be reductions.
pub(super) fn folds(look: HintContext<'_>) -> Vec<Hint> {
    look.binds().iter().filter_map(|bind| hint(look, bind)).collect()
}

fn hint(look: HintContext<'_>, bind: &Bind) -> Option<Hint> {
    let Op::Fold { order: FoldOrder::Strict, worker, init, inputs } = &bind.op else { return None };
    if bind.op.has_effect() {
        return None;
    }
    let operators: Option<Vec<Joined>> =
        (0..init.len()).map(|place| operator(look, worker, place)).collect();
    let operators = operators?;
    let in_order = operators.iter().position(|of| of.ty.is_float() && adds(of.op))?;
    if !operators.iter().all(|of| adds(of.op) || chooses(of.op)) {
        return None;
    }
    let Joined { op, .. } = operators[in_order];
    let (sign, verb) = if op == BinOp::Add { ("+", "added") } else { ("*", "multiplied") };
    let neutral = if op == BinOp::Add { 0.0 } else { 1.0 };
    let starts_neutral = matches!(init[in_order], Atom::Const(value) if value.as_f64() == neutral);
    let start = if starts_neutral { String::new() } else { format!("start {sign} ") };
    let rest = if inputs.len() == 1 && worker.body.binds.len() == 1 {
        format!("`{start}reduce ({sign}) {neutral} {}`", look.name_or_dots(inputs[0]))
    } else {
        format!("`{start}reduce ({sign}) {neutral} (map … …)`, whose `map` costs no pass")
    };
    let diagnostic = Diagnostic::hint(
        Code::ORDERED_FOLD,
        bind.span,
        format!("these floats are {verb} one after the other, in one order"),
    )
    .label("each step waits for the one before")
    .note(
        "a `reduce` takes several elements in a step; since floats are rounded, the result may \
             differ in its last digits",
    )
    .instruct(format!("if the order does not matter, write {rest}"));
    let fold = if let [fold] = operators[..] { Some(fold) } else { None };
    Some(Hint { diagnostic, fold })
}

/// The operator by which a step combines the accumulator at that place with a value that uses no accumulator.
fn operator(look: HintContext<'_>, worker: &Worker, place: usize) -> Option<Joined> {
    let Atom::Var(result) = *worker.body.results.get(place)? else { return None };
    let acc = worker.params[place];
    let bind = worker.body.binds.iter().find(|bind| bind.vars.contains(&result))?;
    let (op, [left, right]) = bind.op.binary()?;
    let mut uses = 0;
    worker.body.for_each_use(&mut |atom| uses += usize::from(is(atom, acc) || is(atom, result)));
    // One use is the operand, and the other one the result.
    let combined = is(left, acc) != is(right, acc) && uses == 2;
    let ty = look.tables.vars[acc].ty.as_scalar()?;
    combined.then_some(Joined { op, ty })
}

fn is(atom: Atom, var: VarId) -> bool {
    atom == Atom::Var(var)
}

/// Whether the order matters for floats, but not for integers.
fn adds(op: BinOp) -> bool {
    op.fold() == Reassociation::Sum && op.accepts(Scalar::F64)
}

/// Whether the order never matters.
fn chooses(op: BinOp) -> bool {
    op.fold() == Reassociation::Choice
        || (op.fold() == Reassociation::Sum && !op.accepts(Scalar::F64))
}
