//! Processes that the verifier rejects.

use super::{Block, BlockStep, Operator, Process, Rate};
use crate::testing::processes;
use arrc_syntax::ids::{RateId, SeriesId, VarId};

const FUNCTION: &str = r"def f [n] (xs: [n]i64): ([k]i64, i64) =
  let more = map (\x -> x + 1i64) xs
  let ys: [k]i64 = filter (\x -> x > 0i64) more
  let m = reduce (\x y -> i64.max x y) 0i64 ys
  in (ys, m)
";

/// The verifier's error on the process after a change.
fn broken(change: impl FnOnce(&mut Process)) -> String {
    let mut block = processes(FUNCTION);
    change(process(&mut block));
    block.verify().expect_err("the process is broken")
}

fn process(block: &mut Block) -> &mut Process {
    let process = block.steps.iter_mut().find_map(|step| match step {
        BlockStep::Pass(process) => Some(process),
        BlockStep::Bind(_) | BlockStep::Share { .. } => None,
    });
    process.expect("the block has a process")
}

/// The operators inside the selector.
fn selected(process: &mut Process) -> &mut Vec<Operator> {
    match process.operators.last_mut() {
        Some(Operator::MkSel { operators, .. }) => operators,
        other => panic!("the last operator is a selector, not {other:?}"),
    }
}

#[test]
fn series_are_bound_before_they_are_used() {
    let what = broken(|process| process.operators.swap(0, 1));
    assert_eq!(what, "f_1: s2 is used where it is not bound");
    let what = broken(|process| {
        let again = process.operators[0].clone();
        process.operators.insert(1, again);
    });
    assert_eq!(what, "f_1: s2 is bound twice");
}

#[test]
fn what_is_selected_is_not_visible_outside() {
    let what = broken(|process| {
        let fold = selected(process).pop().expect("the fold");
        process.operators.push(fold);
    });
    assert_eq!(what, "f_1: an operator at k2 is among those at k1");
}

#[test]
fn operators_and_their_series_are_at_one_rate() {
    let what = broken(|process| {
        process.series[SeriesId::from_u32(1)].rate = RateId::from_u32(1);
    });
    assert_eq!(what, "f_1: s2 is at k2, and used at k1");
    let what = broken(|process| {
        let inner = RateId::from_u32(1);
        process.rates[inner] = Rate::Array(VarId::from_u32(0));
    });
    assert_eq!(what, "f_1: k2 is not what sel1 selects");
}

#[test]
fn a_process_yields_what_its_operators_make() {
    let what = broken(|process| {
        selected(process).pop();
    });
    assert!(what.contains("yields") && what.contains("and its operators make"), "{what}");
}

#[test]
fn a_worker_uses_nothing_that_its_process_yields() {
    let what = broken(|process| {
        let total = process.yields[1];
        let Operator::Map { worker, .. } = &mut process.operators[0] else {
            panic!("the first operator is a map");
        };
        worker.body.results = vec![crate::cnf::Atom::Var(total)];
    });
    assert!(what.ends_with("is used before it is bound"), "{what}");
}

#[test]
fn workers_fit_their_series() {
    let what = broken(|process| {
        let Operator::Map { ins, .. } = &mut process.operators[0] else {
            panic!("the first operator is a map");
        };
        ins.push(ins[0]);
    });
    assert!(what.starts_with("f_1: a worker's parameters"), "{what}");
}
