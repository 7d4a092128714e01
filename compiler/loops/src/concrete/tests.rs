//! Programs that the verifier rejects.

use super::{Block, Memory, Program, Start, Step, parse};
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::{EntityRef, FuncId, VarId};

/// A step of the last pass may fail, so the pass does not write over `ys`.
const PROGRAM: &str = "function f (xs : [n]i64) : [n]i64
= { procedure f_1
    with loopI (i : i64) (length xs)
      start { (ys : [n]i64) = newVecI (length xs)
            ; s_acc = newAcc 0i64 }
      body { x = nextI i xs
           ; y = (+ 1i64) x
           ; writeVecI i ys y
           ; s_acc := (+) s_acc y }
      end { sliceVecI (length xs) ys
          ; s = read s_acc }
    yields (ys, s)
  ; procedure f_2
    with loopI (j : i64) (length ys)
      start { (zs : [n]i64) = newVecI (length ys) }
      body { y = nextI j ys
           ; q = (/ s) y
           ; writeVecI j zs q }
      end { sliceVecI (length ys) zs }
    yields (zs)
  ; release ys
  ; yield (zs) }
";

fn program() -> Program {
    parse(PROGRAM).unwrap_or_else(|error| panic!("{error}"))
}

/// The verifier's error after a change of the program's block.
fn broken(change: impl FnOnce(&mut Block)) -> String {
    let mut program = program();
    assert_eq!(program.verify(), Ok(()));
    change(&mut program.functions[FuncId::new(0)].body);
    program.verify().expect_err("the program is broken")
}

/// The index of a release in the block, and the released array.
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
    assert_eq!(what, "f: never released: `ys` (v2)");
    let what = broken(|block| {
        let (index, array) = release(block);
        block.steps.insert(index, Step::Release { array });
    });
    assert_eq!(what, "f: `ys` (v2) is used after its end");
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
    assert_eq!(what, "f: `ys` (v2) is used after its end");
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
    assert_eq!(over(VarId::new(2)), "f: `ys` (v2) is used after its end");
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
    let what = pass(|pass| pass.nest.collapsed = 1);
    assert!(what.ends_with("is collapsed, but its step is not one pass"), "{what}");
    let what = pass(|pass| pass.nest.release.push(VarId::new(0)));
    assert!(what.contains("a step makes the rows"), "{what}");
}
