//! Long blocks in parts: each part of the steps is an LLVM function of its own.
//!
//! LLVM takes more than a thousand times as long for a function with a thousand loops as for a function with one: its
//! analyses look at all loops for each of them. So a block with more loops than [`LONG`] calls functions with about
//! [`PART`] loops each, and nothing else changes: the same steps run in the same order.
//!
//! Invariant: a part is given each outer value that its steps use, and gives each value that later steps use. A block
//! inside a pass is in one piece, since the alias scopes of the pass hold in one function. So is a block inside a loop
//! with scratch buffers, which are kept in the frame of one function.
//!
//! ```text
//! { pass; … pass; pass; … }   ⇒   call fastcc i32 @arr.f.part(ptr %ctx, …, ptr %ys)
//!                                 call fastcc i32 @arr.f.part.1(ptr %ctx, …, ptr %zs)
//! ```

use std::ops::Range;

use arrc_fusion::cnf::{Atom, Extent, SizeDef, Type};
use arrc_loops::concrete::def_use::{defines, shaped, uses};
use arrc_loops::concrete::{Block, Step, group_len, groups};
use arrc_syntax::ids::{SizeId, VarId};
use arrc_syntax::prim::Scalar;
use indexmap::IndexSet;
use inkwell::attributes::AttributeLoc;
use inkwell::values::FunctionValue;

use crate::function::declare::declare_as;
use crate::function::function_body::Body;
use crate::value::LoweredValue;

/// Blocks with more loops are in parts. `scripts/bench compile pairs` has functions of up to 2,000: 1,000 pairs, each
/// after the other, took 3.6 s to compile, before 8.9 (together with a shorter search for clusters).
const LONG: u32 = 96;
/// The loops of a part. `scripts/bench compile pairs` shows the time of LLVM. Not measured by itself.
const PART: u32 = 32;
/// This many results of a pass count as one more loop. No benchmark shows it alone.
const RESULTS: usize = 8;
/// A pass that is not split (`arrc_loops::vector::fission`) and has more accumulators is a part of its own, which LLVM
/// does not vectorise: it takes seconds for 200 accumulators, half a minute for 300, and many minutes for 1,000. No
/// benchmark shows it alone.
const WIDE: usize = 256;

/// Consecutive steps of a block.
struct StepRange {
    steps: Range<usize>,
    /// The variables that the steps define and the code outside uses.
    outputs: Vec<VarId>,
}

/// The values that are live into a part of the steps: it needs them, and sizes, from outside.
#[derive(Default)]
pub(crate) struct LiveIns {
    pub(crate) vars: IndexSet<VarId>,
    pub(crate) sizes: IndexSet<SizeId>,
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Lowers the steps of a block.
    pub(crate) fn steps(&mut self, block: &'p Block) {
        let is_long =
            block.steps.iter().map(weight).sum::<u32>() > LONG || block.steps.iter().any(is_wide);
        let in_frame = self.scratch.as_ref().is_some_and(|buffers| !buffers.is_empty());
        if self.aliasing.is_some() || in_frame || !is_long {
            self.note_runs(block);
            return self.groups(&block.steps);
        }
        for part in self.parts(block) {
            let steps = &block.steps[part.steps];
            match steps {
                // Its inner blocks are lowered in parts themselves.
                [step] if !is_wide(step) => self.step(step),
                steps => self.call_part(steps, &part.outputs),
            }
        }
    }

    /// Lowers steps in one piece.
    fn groups(&mut self, steps: &'p [Step]) {
        for group in groups(steps) {
            match group {
                [step] => self.step(step),
                calls => self.fork(calls),
            }
        }
    }

    /// The parts of a block.
    fn parts(&self, block: &Block) -> Vec<StepRange> {
        let mut needs = LiveIns::default();
        needs.atoms(&block.results);
        let mut parts: Vec<_> = ranges(&block.steps)
            .into_iter()
            .rev()
            .map(|steps| {
                let made = block.steps[steps.clone()].iter().flat_map(defines);
                let outputs = made.filter(|&var| self.is_needed(var, &needs)).collect();
                block.steps[steps.clone()].iter().for_each(|step| self.need(step, &mut needs));
                StepRange { steps, outputs }
            })
            .collect();
        parts.reverse();
        parts
    }

    /// Whether a variable is needed, or a size that its array has.
    fn is_needed(&self, var: VarId, needs: &LiveIns) -> bool {
        let mut sizes = sizes_of(self.type_of(var));
        self.literals[var].is_none()
            && (needs.vars.contains(&var) || sizes.any(|size| needs.sizes.contains(&size)))
    }

    /// Notes the values and sizes that a step needs.
    fn need(&self, step: &Step, needs: &mut LiveIns) {
        self.need_all(uses(step), shaped(step), needs);
    }

    /// Notes variables that are used, and arrays whose shapes are used.
    pub(crate) fn need_all(
        &self,
        used: impl IntoIterator<Item = VarId>,
        shaped: impl IntoIterator<Item = VarId>,
        needs: &mut LiveIns,
    ) {
        for var in used {
            needs.vars.insert(var);
            needs.atoms(self.literals[var].unwrap_or_default());
        }
        for var in shaped {
            sizes_of(self.type_of(var)).for_each(|size| self.need_size(size, needs));
        }
    }

    /// Leaves out variables that are not bound here: inner steps bind them.
    pub(crate) fn bound(&self, mut needs: LiveIns) -> LiveIns {
        needs.vars.retain(|&var| self.values[var].is_some());
        needs.sizes.retain(|&size| self.sizes[size].is_some());
        needs
    }

    fn need_size(&self, size: SizeId, needs: &mut LiveIns) {
        if !needs.sizes.insert(size) {
            return;
        }
        match self.function.tables.sizes[size].def {
            SizeDef::Param | SizeDef::Exists => {}
            SizeDef::Value(var) => {
                needs.vars.insert(var);
            }
            SizeDef::Sum(a, b) | SizeDef::Product(a, b) => {
                for part in [a, b] {
                    size_of(part).into_iter().for_each(|size| self.need_size(size, needs));
                }
            }
        }
    }

    /// Lowers steps as a function, and calls it.
    fn call_part(&mut self, steps: &'p [Step], outputs: &[VarId]) {
        let mut needs = LiveIns::default();
        steps.iter().for_each(|step| self.need(step, &mut needs));
        let read = self.read_fields(needs.vars.iter().copied());
        let LiveIns { vars, sizes } = self.bound(needs);
        let (vars, sizes): (Vec<_>, Vec<_>) =
            (vars.into_iter().collect(), sizes.into_iter().collect());

        let size = Type::Scalar(Scalar::I64);
        let given = sizes.iter().map(|_| &size).chain(vars.iter().map(|&var| self.type_of(var)));
        let results: Vec<_> = outputs.iter().map(|&var| self.type_of(var)).collect();
        let name = format!("arr.{}.part", self.function.name);
        let llvm = declare_as(self.code.unit, &name, &given.collect::<Vec<_>>(), &results);
        llvm.add_attribute(AttributeLoc::Function, self.code.unit.attribute("noinline", 0));
        if steps.iter().any(is_wide) {
            // LLVM's vectorisers leave such a function alone.
            llvm.add_attribute(
                AttributeLoc::Function,
                self.code.unit.attribute("noimplicitfloat", 0),
            );
        }

        let told = sizes.iter().filter_map(|&size| self.sizes[size]);
        let args = told.map(|size| LoweredValue::Scalar(size.into()));
        let args: Vec<_> = args.chain(vars.iter().map(|&var| self.var(var).clone())).collect();
        self.lower_part(llvm, (&sizes, &vars), steps, outputs);
        let values = self.code.call(llvm, &results, &args, None);
        self.forget_fields(read);
        for (&var, value) in outputs.iter().zip(values) {
            let value = self.with_known_sizes(var, value);
            self.bind(var, value);
        }
    }

    fn lower_part(
        &mut self,
        llvm: FunctionValue<'ctx>,
        (sizes, vars): (&[SizeId], &[VarId]),
        steps: &'p [Step],
        outputs: &[VarId],
    ) {
        let mut part = Body::new(self.code.unit, llvm, self.function);
        part.literals = std::mem::take(&mut self.literals);
        let outs = part.bind_params(sizes, vars);
        part.groups(steps);
        self.literals = std::mem::take(&mut part.literals);
        let results = outputs
            .iter()
            .map(|&var| (part.type_of(var), part.held(Atom::Var(var)).value(&part.code)));
        let results: Vec<_> = results.collect();
        part.return_results(&results, &outs);
    }

    /// An array whose known sizes are replaced by the values in scope, so that LLVM sees that they are equal.
    pub(crate) fn with_known_sizes(
        &self,
        var: VarId,
        value: LoweredValue<'ctx>,
    ) -> LoweredValue<'ctx> {
        let LoweredValue::Array(mut array) = value else { return value };
        for (&extent, size) in self.type_of(var).shape().iter().zip(&mut array.shape) {
            let known = match extent {
                Extent::Const(_) => self.extent(extent),
                Extent::Size(id) => self.sizes[id],
            };
            *size = known.unwrap_or(*size);
        }
        LoweredValue::Array(array)
    }
}

impl LiveIns {
    fn atoms(&mut self, atoms: &[Atom]) {
        self.vars.extend(atoms.iter().filter_map(|atom| match atom {
            Atom::Const(_) => None,
            Atom::Var(var) => Some(*var),
        }));
    }
}

/// Whether a step is a pass with very many accumulators.
fn is_wide(step: &Step) -> bool {
    matches!(step, Step::Pass(pass) if pass.accs.len() > WIDE)
}

/// The loops of a step, wide ones counted several times.
fn weight(step: &Step) -> u32 {
    let more = if let Step::Pass(pass) = step { pass.end.len() / RESULTS } else { 0 };
    step.counts().loops + u32::try_from(more).expect("a pass has fewer than 2^32 results")
}

/// The ranges of the parts: each has as many steps as contain [`PART`] loops, or a single step that contains more.
fn ranges(steps: &[Step]) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let (mut from, mut loops) = (0, 0);
    let mut at = 0;
    while at < steps.len() {
        let step = &steps[at];
        let more = if is_wide(step) { PART } else { weight(step) };
        if more > 0 && loops + more > PART && at > from {
            ranges.push(from..at);
            (from, loops) = (at, 0);
        }
        loops += more;
        at += group_len(&steps[at..]);
    }
    ranges.push(from..steps.len());
    ranges
}

/// The sizes in the shape of an array.
fn sizes_of(ty: &Type) -> impl Iterator<Item = SizeId> {
    let shape = match ty {
        Type::Scalar(_) => &[],
        Type::Array { shape, .. } => shape.as_slice(),
    };
    shape.iter().copied().filter_map(size_of)
}

fn size_of(extent: Extent) -> Option<SizeId> {
    match extent {
        Extent::Const(_) => None,
        Extent::Size(id) => Some(id),
    }
}
