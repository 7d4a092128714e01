//! Makes a result of a function the given array, extended by the result's elements.
//!
//! Invariant: each branch appends to the given array once, at its end. If the given array is empty, the result is
//! yielded as it is, so that a call costs no additional copy.
//!
//! ```text
//! { z = if c then { yield xs } else { y = l ++ r; yield y }; yield z }
//! ⇒ { z = if c then { a = to ++ xs; yield a } else { y = to ++ l ++ r; yield y }; yield z }
//! ```

use super::fresh_variables::FreshVariables;
use crate::concrete::def_use;
use crate::concrete::{Block, Ranged, Step};
use arrc_fusion::cnf::{Atom, Operation};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// Makes the block yield `to ++ x` where it yields `x`.
pub(super) fn append_result(
    block: &mut Block<Ranged>,
    at: usize,
    to: VarId,
    span: Span,
    fresh: &mut FreshVariables<'_>,
) {
    let value = block.results[at].as_var().expect("arrays are no constants");
    let is_empty = is_empty(block, value);
    let is_there = is_independent(block, value);
    let var = match sole_maker(block, at).map(|(step, _)| &mut block.steps[step]) {
        Some(Step::If { vars, then, otherwise, .. }) => {
            let place = vars.iter().position(|&var| var == value).expect("the step binds it");
            for branch in [then, otherwise] {
                append_result(branch, place, to, span, fresh);
            }
            vars[place] = fresh.like(value);
            vars[place]
        }
        Some(Step::Append { var, parts, .. }) => {
            parts.insert(0, to);
            *var = fresh.like(value);
            *var
        }
        Some(_) | None if is_empty => to,
        Some(_) | None => {
            let var = fresh.like(value);
            let append = Step::appending(var, vec![to, value], span);
            if is_there {
                let (steps, var) = unless_empty(append, var, [to, value], span, fresh);
                block.steps.extend(steps);
                var
            } else {
                block.steps.push(append);
                var
            }
        }
    };
    block.results[at] = Atom::Var(var);
    if is_empty && !is_used(block, value) {
        block.steps.retain(|step| !def_use::defines(step).contains(&value));
    }
}

/// Whether an array exists independently of the append. It is neither a literal nor the result of a call, which may
/// append by itself.
fn is_independent(block: &Block<Ranged>, array: VarId) -> bool {
    block.steps.iter().all(|step| {
        let is_made =
            matches!(step, Step::Array { .. } | Step::Constant { .. } | Step::Call { .. });
        !is_made || !def_use::defines(step).contains(&array)
    })
}

/// The steps for `to ++ value`. If `to` is empty, the result is `value` itself, without a copy.
fn unless_empty(
    append: Step<Ranged>,
    appended: VarId,
    [to, value]: [VarId; 2],
    span: Span,
    fresh: &mut FreshVariables<'_>,
) -> (Vec<Step<Ranged>>, VarId) {
    let [length, none] = [Scalar::I64, Scalar::Bool].map(|scalar| fresh.scalar(scalar));
    let block = |steps, var| Block { steps, results: vec![Atom::Var(var)] };
    let args = [Atom::Var(length), Atom::Const(Const::i64(0))];
    let var = fresh.like(value);
    let steps = vec![
        Step::Length { var: length, array: to, dim: 0 },
        Step::Scalar { var: none, op: Operation::Bin(BinOp::Eq, args), span },
        Step::If {
            vars: vec![var],
            cond: Atom::Var(none),
            takes: Vec::new(),
            then: block(Vec::new(), value),
            otherwise: block(vec![append], appended),
        },
    ];
    (steps, var)
}

/// The step that makes this result of the block, if nothing else in the block uses the result, and the result's
/// variable.
pub(super) fn sole_maker(block: &Block<Ranged>, at: usize) -> Option<(usize, VarId)> {
    let value = block.results[at].as_var()?;
    let is_once = block.results.iter().filter(|&&result| result == Atom::Var(value)).count() == 1;
    if !is_once || is_used_inside(block, value) {
        return None;
    }
    let made = block.steps.iter().position(|step| def_use::defines(step).contains(&value))?;
    Some((made, value))
}

fn is_used(block: &Block<Ranged>, var: VarId) -> bool {
    block.results.contains(&Atom::Var(var)) || is_used_inside(block, var)
}

fn is_used_inside(block: &Block<Ranged>, var: VarId) -> bool {
    block.steps.iter().any(|step| def_use::uses(step).contains(&var))
}

/// Whether an array is a literal without elements.
fn is_empty(block: &Block<Ranged>, array: VarId) -> bool {
    block.steps.iter().any(
        |step| matches!(step, Step::Array { var, elems, .. } if *var == array && elems.is_empty()),
    )
}
