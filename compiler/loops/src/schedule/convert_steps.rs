//! Bindings that are no passes become steps of a concrete block.
//!
//! Invariant: a block with a combinator goes the whole way by itself; one without needs no
//! clustering and is converted as it stands.
//!
//! ```text
//! zs ws = append [xs, ps] [ys, qs]  ⇒  zs = xs ++ ys; ws = ps ++ qs
//! ```

use super::nested::Nested;
use crate::concrete::{Block, LoopForm, Memory, Plain, ReplacedPart, Step, Worker};
use crate::schedule::join_appends;
use arrc_fusion::cnf;
use arrc_fusion::cnf::{Bind, Op};
use arrc_fusion::simplify;
use arrc_fusion::simplify::ExecutionFrequency;
use arrc_fusion::tables::Tables;

/// Converts the steps of one block.
pub(super) struct StepConverter<'a, 'b> {
    /// Where the block is.
    name: String,
    /// How often it runs.
    runs: ExecutionFrequency,
    nested: &'a mut Nested<'b>,
    /// The number of branches so far, which tells their names apart.
    ifs: u32,
    /// The number of loops so far.
    loops: u32,
    /// Whether the block has been simplified since its passes were fused, and with it all blocks in it.
    is_simple: bool,
}

impl<'a, 'b> StepConverter<'a, 'b> {
    /// The state for the block of that name.
    pub(super) fn new(name: String, runs: ExecutionFrequency, nested: &'a mut Nested<'b>) -> Self {
        Self { name, runs, nested, ifs: 0, loops: 0, is_simple: false }
    }

    /// Converts the body of a worker, which is named after what it makes.
    pub(super) fn worker(
        &mut self,
        makes: &str,
        body: cnf::Block,
        tables: &mut Tables,
    ) -> Block<Plain> {
        self.block(format!("{}.{makes}", self.name), body, ExecutionFrequency::EachStep, tables)
    }

    /// Converts a binding that is no combinator.
    pub(super) fn bind(&mut self, bind: Bind, tables: &mut Tables) -> Vec<Step<Plain>> {
        let Bind { vars: results, op, span } = bind;
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are combinators")]
        let step = match op {
            Op::Scalar(op) => Step::Scalar { var: results[0], op, span },
            Op::Index { array, indices, inside } if tables.vars[results[0]].ty.is_array() => {
                Step::Row { var: results[0], array, indices, inside, span }
            }
            Op::Index { array, indices, inside } => {
                Step::Index { var: results[0], array, indices, inside, span }
            }
            Op::Reshape { array, shape } => Step::Reshape { var: results[0], array, shape },
            Op::Length { array, dim } => Step::Length { var: results[0], array, dim },
            Op::Assert(check) => Step::Assert { check, span },
            Op::If { cond, then, otherwise } => {
                let [then, otherwise] = self.branches(then, otherwise, tables);
                Step::If { vars: results, cond, takes: Vec::new(), then, otherwise }
            }
            Op::Call { callee, args, effect: _ } => {
                Step::Call { forks: false, vars: results, callee, args, span }
            }
            Op::Append { left, right } => {
                let parts = results.into_iter().zip(left.into_iter().zip(right));
                let step = |(var, (left, right))| Step::appending(var, vec![left, right], span);
                return parts.map(step).collect();
            }
            Op::Array { elem, elems } => {
                Step::Array { var: results[0], elem, elems, memory: Memory::New, span }
            }
            Op::Sort { sorting, array, window } => {
                let memory = Memory::New;
                Step::Sort { var: results[0], sorting, array, window, memory, span }
            }
            Op::Constant { data, .. } => Step::Constant { var: results[0], data },
            Op::Loop { form, init, worker } => {
                let (form, worker) = self.repeated(form, worker, tables);
                Step::Loop { vars: results, form, init, worker, span }
            }
            Op::Replace { array, indices, value, inside } => {
                let var = results[0];
                let target = if inside { ReplacedPart::Inside } else { ReplacedPart::Checked };
                Step::Replace { var, array, indices, target, value, placed: false, span }
            }
            combinator => panic!("`{}` is part of a pass", combinator.name()),
        };
        vec![step]
    }

    fn branches(
        &mut self,
        then: cnf::Block,
        otherwise: cnf::Block,
        tables: &mut Tables,
    ) -> [Block<Plain>; 2] {
        self.ifs += 1;
        let number = if self.ifs == 1 { String::new() } else { self.ifs.to_string() };
        let [then_name, else_name] =
            ["then", "else"].map(|branch| format!("{}.{branch}{number}", self.name));
        [(then_name, then), (else_name, otherwise)]
            .map(|(name, branch)| self.block(name, branch, self.runs, tables))
    }

    fn repeated(
        &mut self,
        form: cnf::LoopForm,
        worker: cnf::Worker,
        tables: &mut Tables,
    ) -> (LoopForm<Plain>, Worker<Plain>) {
        self.loops += 1;
        let number = if self.loops == 1 { String::new() } else { self.loops.to_string() };
        let mut step = |part: &str, worker: cnf::Worker| {
            let name = format!("{}.{part}{number}", self.name);
            Worker {
                params: worker.params,
                body: self.block(name, worker.body, ExecutionFrequency::EachStep, tables),
            }
        };
        let form = match form {
            cnf::LoopForm::For { count } => LoopForm::For { count },
            cnf::LoopForm::While { cond } => LoopForm::While { cond: step("while", cond) },
        };
        (form, step("loop", worker))
    }

    fn block(
        &mut self,
        name: String,
        block: cnf::Block,
        runs: ExecutionFrequency,
        tables: &mut Tables,
    ) -> Block<Plain> {
        // Steps that fusion joined may have common subexpressions.
        let block =
            if self.is_simple { block } else { simplify::simplify_fused(block, runs, tables) };
        if block.binds.iter().any(|bind| bind.op.is_combinator()) {
            return (self.nested)(name, block, runs, tables);
        }
        let mut inside = StepConverter::new(name, runs, &mut *self.nested);
        inside.is_simple = true;
        let steps = block.binds.into_iter().flat_map(|bind| inside.bind(bind, tables));
        join_appends::join(Block { steps: steps.collect(), results: block.results })
    }
}
