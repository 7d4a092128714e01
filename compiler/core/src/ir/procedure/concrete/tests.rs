//! What the verifier rejects.

use super::{Block, Memory, Program, Start, Step};
use crate::ids::{EntityRef, FuncId, VarId};
use crate::ir::cnf::Atom;
use crate::pass::testing::{Builder, forms, int};
use crate::prim::BinOp::{Add, Div};

/// `ys = map (+ 1) xs; s = reduce (+) 0 ys; zs = map (/ s) ys`, of which `zs` is yielded. Since a step of
/// the last pass may fail, it does not go over `ys`.
fn program() -> Program {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let plus = b.section(Add, 1);
    let ys = b.map("ys", plus, &[xs]);
    let s = b.reduce("s", Add, int(0), ys);
    let part = b.worker(&[("y", crate::prim::Scalar::I64)], |b, y| {
        vec![b.bin("q", Div, Atom::Var(y[0]), Atom::Var(s))]
    });
    let zs = b.map("zs", part, &[ys]);
    forms(b.function("f", &[zs]), &[&["ys", "s"], &["zs"]]).program
}

/// What the verifier says of the program after a change of its block.
fn broken(change: impl FnOnce(&mut Block)) -> String {
    let mut program = program();
    change(&mut program.functions[FuncId::new(0)].body);
    program.verify().expect_err("the program is broken")
}

/// Where the block releases an array, and which.
fn release(block: &Block) -> (usize, VarId) {
    let found = block.steps.iter().enumerate().find_map(|(index, step)| {
        if let Step::Release { array } = step { Some((index, *array)) } else { None }
    });
    found.expect("the block releases an array")
}

#[test]
fn every_array_ends_once() {
    let what = broken(|block| {
        let (index, _) = release(block);
        block.steps.remove(index);
    });
    assert_eq!(what, "f: never released: `ys` (v3)");
    let what = broken(|block| {
        let (index, array) = release(block);
        block.steps.insert(index, Step::Release { array });
    });
    assert_eq!(what, "f: `ys` (v3) is used after its end");
    let what = broken(|block| {
        let (index, _) = release(block);
        block.steps.insert(index, Step::Release { array: VarId::new(0) });
    });
    assert_eq!(what, "f: `xs` (v0) ends and is not owned");
}

#[test]
fn no_array_is_used_after_its_end() {
    let what = broken(|block| {
        let (index, _) = release(block);
        let released = block.steps.remove(index);
        block.steps.insert(1, released);
    });
    assert_eq!(what, "f: `ys` (v3) is used after its end");
}

#[test]
fn a_pass_goes_over_what_the_block_owns() {
    let over = |array: VarId| {
        broken(|block| {
            let mut steps = block.steps.iter_mut().rev();
            let pass =
                steps.find_map(|step| if let Step::Pass(pass) = step { Some(pass) } else { None });
            for start in &mut pass.expect("the block has passes").start {
                if let Start::NewVec { memory, .. } = start {
                    *memory = Memory::Over(array);
                }
            }
        })
    };
    assert_eq!(over(VarId::new(0)), "f: `xs` (v0) ends and is not owned");
    assert_eq!(over(VarId::new(3)), "f: `ys` (v3) is used after its end");
}

#[test]
fn a_block_yields_what_it_owns() {
    let what = broken(|block| block.results = vec![Atom::Var(VarId::new(0))]);
    assert_eq!(what, "f: `xs` (v0) is yielded and not owned");
    let what = broken(|block| block.results.clear());
    assert!(what.starts_with("f: what a block yields"), "{what}");
}

#[test]
fn variables_are_defined_before_they_are_used() {
    let what = broken(|block| block.steps.swap(0, 1));
    assert!(what.ends_with("is used where it is not bound"), "{what}");
}

#[test]
fn each_part_of_a_pass_is_used_as_it_is_made() {
    let pass = |change: fn(&mut super::Procedure)| {
        broken(|block| {
            let Some(Step::Pass(pass)) = block.steps.first_mut() else {
                panic!("the first step is a pass");
            };
            change(pass);
        })
    };
    let what = pass(|pass| pass.start.truncate(1));
    assert!(what.ends_with("acc0 has not one writer"), "{what}");
    let what = pass(|pass| pass.end.truncate(1));
    assert!(what.ends_with("yields what its end does not define"), "{what}");
    let what = pass(|pass| pass.nest.body.truncate(2));
    assert!(what.ends_with("has no writer"), "{what}");
    let what = pass(|pass| pass.nest.release.push(VarId::new(0)));
    assert!(what.contains("a step makes the rows"), "{what}");
}
