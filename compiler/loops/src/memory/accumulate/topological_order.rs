//! A topological order of steps: each comes after the steps that it needs.
//!
//! Invariant: steps that may fail or have an effect keep their order, and no step that relies on an assertion moves
//! before it.

use indexmap::IndexMap;

use crate::concrete::def_use;
use crate::concrete::{Ranged, Step};
use arrc_fusion::cnf::{Type, Var};
use arrc_syntax::ids::{PrimaryMap, VarId};

/// The steps in an order that is as near to the given one as possible, or none if there is no order.
pub(super) fn topological_order(
    steps: Vec<Step<Ranged>>,
    vars: &PrimaryMap<VarId, Var>,
) -> Option<Vec<Step<Ranged>>> {
    let mut made = IndexMap::new();
    for (at, step) in steps.iter().enumerate() {
        made.extend(def_use::defines(step).into_iter().map(|var| (var, at)));
    }
    let needs = |step: &Step<Ranged>| {
        let uses = def_use::uses(step).into_iter();
        uses.filter_map(|var| made.get(&var).copied()).collect::<Vec<_>>()
    };
    let needs = steps.iter().map(needs).collect::<Vec<_>>();
    let moves = steps.iter().map(|step| moves(step, vars)).collect::<Vec<_>>();
    let states = vec![VisitState::Waits; steps.len()];
    let mut order = TopologicalSort { needs, moves, states, done: Vec::new() };
    if !(0..steps.len()).all(|at| order.visit(at)) {
        return None;
    }
    let mut steps = steps.into_iter().map(Some).collect::<Vec<_>>();
    Some(order.done.iter().map(|&at| steps[at].take().expect("each step comes once")).collect())
}

/// The facts on a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum VisitState {
    Waits,
    /// The steps that it needs are being placed.
    Begun,
    Done,
}

struct TopologicalSort {
    needs: Vec<Vec<usize>>,
    moves: Vec<bool>,
    states: Vec<VisitState>,
    done: Vec<usize>,
}

impl TopologicalSort {
    /// Places a step after the steps that it needs. Returns whether that is possible.
    fn visit(&mut self, at: usize) -> bool {
        match self.states[at] {
            VisitState::Done => return true,
            VisitState::Begun => return false,
            VisitState::Waits => self.states[at] = VisitState::Begun,
        }
        for need in self.needs[at].clone() {
            let comes = self.states[need] == VisitState::Done || self.moves[need];
            if !comes || !self.visit(need) {
                return false;
            }
        }
        self.states[at] = VisitState::Done;
        self.done.push(at);
        true
    }
}

/// Whether a step can move to an earlier place: it cannot fail, even without the checks before it.
fn moves(step: &Step<Ranged>, vars: &PrimaryMap<VarId, Var>) -> bool {
    let is_row =
        |array: VarId| matches!(&vars[array].ty, Type::Array { shape, .. } if shape.len() == 1);
    // Rows must have the same length, so an array of rows does not move.
    if let Step::Append { var, .. } | Step::Array { var, .. } = step {
        return is_row(*var);
    }
    step.is_total(vars)
}
