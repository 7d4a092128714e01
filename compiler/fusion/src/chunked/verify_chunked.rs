//! The invariant of plans, checked.
//!
//! Invariant: `Ok` exactly if each step uses values that were defined before it, and calls an entry of the program
//! with one argument for each input and one result for each output; each carry has one argument and one result; a
//! function that is called has a plan; no step after a call uses an array that ends there; and the extents that a step
//! uses are those of arrays that are stored, or lengths that a pass gave.
//!
//! ```text
//! pass0 (chunk of xs) with two results; the plan names one   ⇒ Err("f: `f__pass0` gives 2 results, and 1 is named")
//! ```

use std::collections::BTreeSet;

use super::{Arg, Block, Loop, Pass, PassResult, Plan, PlanLoopForm, PlanStep, Plans, Program};
use crate::cnf;
use crate::cnf::{Atom, Entry};
use arrc_syntax::ids::VarId;

type VerifyResult = Result<(), String>;

impl Program {
    /// Checks the functions and the plans.
    ///
    /// # Errors
    /// The first part of the invariant that is broken.
    pub fn verify(&self) -> VerifyResult {
        cnf::verify(&self.functions)?;
        for plan in self.plans.entries.iter().chain(&self.plans.functions) {
            let mut verifier = Verifier {
                plan,
                plans: &self.plans,
                entries: &self.functions.entries,
                scope: BTreeSet::new(),
                lengths: BTreeSet::new(),
            };
            verifier.scope.extend(&plan.params);
            verifier.block(&plan.body).map_err(|broken| format!("{}: {broken}", plan.entry))?;
        }
        Ok(())
    }
}

struct Verifier<'a> {
    plan: &'a Plan,
    plans: &'a Plans,
    entries: &'a [Entry],
    /// The values that are defined.
    scope: BTreeSet<VarId>,
    /// The arrays whose lengths a pass has given.
    lengths: BTreeSet<VarId>,
}

impl Verifier<'_> {
    fn block(&mut self, block: &Block) -> VerifyResult {
        for step in &block.steps {
            self.step(step)?;
            self.scope.extend(step.defines());
            if let PlanStep::Pass(pass) = step {
                self.lengths.extend(pass.measures());
            }
        }
        self.atoms(&block.results)
    }

    /// Branches: one of these blocks runs. Their variables are in scope only inside of them. An array that one of them
    /// ends has ended after the step.
    fn inner(&mut self, params: &[VarId], blocks: &[&Block]) -> VerifyResult {
        let around = self.scope.clone();
        let mut behind = around.clone();
        for block in blocks {
            self.scope.clone_from(&around);
            self.scope.extend(params);
            self.block(block)?;
            behind.retain(|var| self.scope.contains(var));
        }
        self.scope = behind;
        Ok(())
    }

    fn step(&mut self, step: &PlanStep) -> VerifyResult {
        match step {
            PlanStep::Pass(pass) => self.pass(pass),
            PlanStep::Once { function, args, outs } => {
                self.called(function, args.len(), outs.len())?;
                args.iter().try_for_each(|&arg| self.arg(arg, None))
            }
            PlanStep::Call { function, args, outs, ends } => {
                self.called(function, args.len(), outs.len())?;
                require(self.plans.of(function).is_some(), "a function that is called has a plan")?;
                self.atoms(args)?;
                self.scope.retain(|var| !ends.contains(var));
                Ok(())
            }
            PlanStep::Element { array, indices, .. } => {
                self.used(*array)?;
                self.atoms(indices)
            }
            PlanStep::Append { left, right, outs } => {
                require(
                    left.len() == outs.len() && right.len() == outs.len(),
                    "pairs are appended",
                )?;
                left.iter().chain(right).try_for_each(|&array| self.used(array))
            }
            PlanStep::If { cond, then, otherwise, outs } => {
                self.atoms(&[*cond])?;
                for branch in [then, otherwise] {
                    require(branch.results.len() == outs.len(), "a branch gives all results")?;
                }
                self.inner(&[], &[then, otherwise])
            }
            PlanStep::Loop(of) => self.verify_loop(of),
        }
    }

    fn verify_loop(&mut self, of: &Loop) -> VerifyResult {
        let Loop { form, params, init, body, outs } = of;
        let carried = [init.len(), body.results.len(), outs.len()];
        require(carried == [params.len(); 3], "a loop carries the same values everywhere")?;
        self.atoms(init)?;
        match form {
            PlanLoopForm::For { count, counter } => {
                self.atoms(&[*count])?;
                self.inner(&[&params[..], &[*counter]].concat(), &[body])
            }
            PlanLoopForm::While { params: asked, cond } => {
                require(cond.results.len() == 1, "a condition is one value")?;
                self.inner(asked, &[cond])?;
                self.inner(params, &[body])
            }
        }
    }

    fn pass(&self, pass: &Pass) -> VerifyResult {
        self.called(&pass.function, pass.args.len(), pass.outs.len())?;
        pass.args.iter().try_for_each(|&arg| self.arg(arg, Some(pass)))?;
        let has_chunk = pass.args.iter().any(|arg| matches!(arg, Arg::Chunk(_)));
        require(has_chunk != pass.count.is_some(), "a pass has chunks or a number of steps")?;
        self.atoms(pass.count.as_slice())?;
        for (number, carry) in pass.carries.iter().enumerate() {
            self.atoms(&[carry.init])?;
            let taken = pass.args.iter().filter(|arg| **arg == Arg::Carry(number)).count();
            let given = pass.outs.iter().filter(|out| **out == PassResult::Carry(number)).count();
            require([taken, given] == [1, 1], "a carry is one argument and one result")?;
        }
        for out in &pass.outs {
            if let PassResult::Fold(var) = out {
                let folds = pass.folds.iter().filter(|fold| fold.outs.contains(var)).count();
                require(folds == 1, "an accumulator belongs to one fold")?;
            }
        }
        for fold in &pass.folds {
            let accs = fold.outs.len();
            self.called(&fold.combine, 2 * accs + fold.env.len(), accs)?;
            fold.env.iter().try_for_each(|&arg| self.arg(arg, None))?;
        }
        Ok(())
    }

    fn called(&self, function: &str, args: usize, outs: usize) -> VerifyResult {
        let entry = self.entries.iter().find(|entry| entry.name == function);
        let entry = entry.ok_or_else(|| format!("`{function}` is an entry"))?;
        if entry.inputs.len() != args {
            return Err(format!(
                "`{function}` takes {} arguments, and gets {args}",
                entry.inputs.len()
            ));
        }
        if entry.outputs.len() != outs {
            return Err(format!(
                "`{function}` gives {} results, and {outs} are named",
                entry.outputs.len()
            ));
        }
        Ok(())
    }

    fn arg(&self, arg: Arg, pass: Option<&Pass>) -> VerifyResult {
        match arg {
            Arg::Chunk(var) => {
                require(pass.is_some(), "a function that runs once takes no chunk")?;
                self.used(var)
            }
            // The length may belong to an array that is not stored.
            Arg::Extent(var, 0) if self.lengths.contains(&var) => Ok(()),
            Arg::Extent(var, _) => self.used(var),
            Arg::Value(var) => self.used(var),
            Arg::Total | Arg::Offset | Arg::Count => {
                require(pass.is_some(), "a function that runs once has no chunk")
            }
            Arg::Carry(number) => require(
                pass.is_some_and(|pass| number < pass.carries.len()),
                "a carry is one of its pass",
            ),
        }
    }

    fn atoms(&self, atoms: &[Atom]) -> VerifyResult {
        atoms.iter().try_for_each(|atom| match atom {
            Atom::Var(var) => self.used(*var),
            Atom::Const(_) => Ok(()),
        })
    }

    fn used(&self, var: VarId) -> VerifyResult {
        if self.scope.contains(&var) {
            return Ok(());
        }
        let name =
            self.plan.values.get(&var).map_or_else(|| var.to_string(), |value| value.name.clone());
        Err(format!("`{name}` ({var}) is defined before it is used"))
    }
}

fn require(holds: bool, invariant: &str) -> VerifyResult {
    if holds { Ok(()) } else { Err(format!("broken: {invariant}")) }
}
