//! Sums of many terms that are one expression of consecutive bytes: the terms are computed in the lanes of a vector,
//! and the lanes are added (superword-level parallelism).
//!
//! Several machines have one instruction for a sum of differences of bytes. LLVM selects it for vectors of bytes whose
//! lanes are added, but its own vectors of such terms have 16 bits a lane.
//!
//! Invariant: sums of integers wrap, so the order of their terms makes no difference. A step is left out only if
//! nothing but a term in a vector uses its result. A read moves to the sum only if no step between the two may change
//! or release an array.
//!
//! ```text
//! s = |a[y, x] - b[v, u]| + |a[y, x + 1] - b[v, u + 1]| + … + |a[y, x + 7] - b[v, u + 7]|
//! ⇒ s = llvm.vector.reduce.add |zext <8 x i8> a[y, x] - zext <8 x i8> b[v, u]|
//! ```

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use arrc_fusion::cnf::{Atom, Operation, Type};
use arrc_loops::concrete::def_use::uses;
use arrc_loops::concrete::{Block, Step};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{BinOp, Scalar, UnOp};
use inkwell::values::{BasicValue, BasicValueEnum, IntValue};

use super::function_body::Body;
use super::superword_terms::{Offsets, SuperwordSum, Term, TermRun};
use crate::scalar::vector_of;
use crate::unit::built;
use crate::value::LoweredValue;

/// The lanes of vectors, the most first. Fewer terms are left to LLVM. `scripts/bench matches` has sums of 8 by 8
/// bytes: 0.97 of the time of C at 32,768 steps, before 1.93 (least times on a loaded machine).
const LANES: [usize; 2] = [16, 8];

/// The most terms of a sum that are looked at. It bounds the time of the compiler. `scripts/bench matches` has up to
/// 64.
const MAX_TERMS: usize = 512;

/// A block whose sums are looked for.
struct SumSearch<'s, 'p> {
    /// The steps that vectors have, each with the number of its section.
    steps: HashMap<VarId, (usize, &'p Step)>,
    /// The section of the sum: its terms are in no other section.
    section: usize,
    /// How many steps and results use a variable.
    uses: HashMap<VarId, usize>,
    offsets: &'s Offsets,
    type_of: &'s dyn Fn(Atom) -> Scalar,
}

impl<'p> SumSearch<'_, 'p> {
    /// The step of the section that computes a variable which is used once.
    fn inner(&self, atom: Atom) -> Option<&'p Step> {
        let Atom::Var(var) = atom else { return None };
        let &(section, step) = self.steps.get(&var)?;
        (section == self.section && self.uses.get(&var) == Some(&1)).then_some(step)
    }

    /// The term that an atom is.
    fn term(&self, atom: Atom) -> Term {
        let ty = |atom| (self.type_of)(atom);
        match self.inner(atom) {
            Some(Step::Scalar { op: Operation::Un(op, arg), .. }) => {
                Term::Un(*op, ty(*arg), Box::new(self.term(*arg)))
            }
            Some(Step::Scalar { op: Operation::Bin(op, args), .. }) => {
                Term::Bin(*op, ty(args[0]), Box::new(args.map(|arg| self.term(arg))))
            }
            Some(Step::Index { array, indices, .. }) => {
                let (&last, row) = indices.split_last().expect("an element has an index");
                match self.offsets.of(last) {
                    Some((base, at)) => {
                        Term::Read { array: *array, row: row.to_vec(), last, base, at }
                    }
                    None => Term::Same(atom),
                }
            }
            Some(_) | None => Term::Same(atom),
        }
    }

    /// The terms of the sum that a step computes, and the sums inside it.
    fn terms(&self, [a, b]: [Atom; 2]) -> (Vec<Atom>, Vec<VarId>) {
        let (mut open, mut terms, mut sums) = (vec![b, a], Vec::new(), Vec::new());
        while let Some(atom) = open.pop() {
            match self.inner(atom) {
                Some(Step::Scalar { var, op: Operation::Bin(BinOp::Add, [a, b]), .. }) => {
                    sums.push(*var);
                    open.extend([*b, *a]);
                }
                Some(_) | None => terms.push(atom),
            }
        }
        (terms, sums)
    }

    /// The variables of steps that only a term uses.
    fn inside(&self, atom: Atom, found: &mut HashSet<VarId>) {
        let args: &[Atom] = match self.inner(atom) {
            Some(Step::Scalar { op: op @ (Operation::Un(..) | Operation::Bin(..)), .. }) => {
                op.args()
            }
            Some(Step::Index { .. }) => &[],
            Some(_) | None => return,
        };
        if let Atom::Var(var) = atom {
            found.insert(var);
        }
        args.iter().for_each(|&arg| self.inside(arg, found));
    }
}

/// A term at a number, and the atom that it is.
type NumberedTerm = (i64, Atom, Term);

/// The runs among terms, the terms in them, and the other terms.
fn runs(terms: Vec<(Atom, Term)>) -> (Vec<TermRun>, Vec<Atom>, Vec<Atom>) {
    let mut groups: Vec<(Term, Vec<NumberedTerm>)> = Vec::new();
    let (mut found, mut taken, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    for (atom, term) in terms {
        let Some(at) = term.at() else {
            rest.push(atom);
            continue;
        };
        let shape = term.shape(at);
        match groups.iter_mut().find(|(known, _)| *known == shape) {
            Some((_, terms)) => terms.push((at, atom, term)),
            None => groups.push((shape, vec![(at, atom, term)])),
        }
    }
    for (_, mut terms) in groups {
        terms.sort_by_key(|(at, _, _)| *at);
        let mut left = terms.as_slice();
        while let Some((_, atom, first)) = left.first() {
            let lanes = LANES.into_iter().find(|&lanes| is_run(left, lanes));
            match lanes {
                Some(lanes) => {
                    found.push(TermRun { first: first.clone(), lanes });
                    taken.extend(left[..lanes].iter().map(|(_, atom, _)| *atom));
                }
                None => rest.push(*atom),
            }
            left = &left[lanes.unwrap_or(1)..];
        }
    }
    (found, taken, rest)
}

/// The sections of a block: a new one begins behind each step that may change or release an array.
fn sections(block: &Block) -> impl Iterator<Item = usize> {
    block.steps.iter().scan(0, |section, step| {
        let keeps = matches!(
            step,
            Step::Scalar { op: Operation::Un(..) | Operation::Bin(..), .. }
                | Step::Index { .. }
                | Step::Length { .. }
        );
        *section += usize::from(!keeps);
        Some(*section)
    })
}

/// Whether the first terms are at consecutive numbers.
fn is_run(terms: &[NumberedTerm], lanes: usize) -> bool {
    terms.len() >= lanes
        && terms[..lanes].windows(2).all(|pair| pair[0].0.checked_add(1) == Some(pair[1].0))
}

impl<'ctx, 'p> Body<'_, 'ctx, 'p> {
    /// Finds the sums of a block that are computed in vectors.
    pub(super) fn note_runs(&mut self, block: &'p Block) {
        if !self.code.unit.vectors {
            return;
        }
        let sections = sections(block);
        let laned = |(section, step): (usize, &'p Step)| {
            let var = self.has_vector_form(step)?;
            Some((var, (section, step)))
        };
        let steps: HashMap<_, _> = sections.zip(&block.steps).filter_map(laned).collect();
        let is_read = |(_, step): &&(usize, &Step)| matches!(step, Step::Index { .. });
        if steps.values().filter(is_read).count() < LANES[LANES.len() - 1] {
            return;
        }
        let mut counts = HashMap::new();
        let results = block.results.iter().filter_map(|result| match result {
            Atom::Var(var) => Some(*var),
            Atom::Const(_) => None,
        });
        for var in block.steps.iter().flat_map(uses).chain(results) {
            *counts.entry(var).or_default() += 1;
        }
        let offsets = self.offsets();
        let mut search = SumSearch {
            steps,
            section: 0,
            uses: counts,
            offsets: &offsets,
            type_of: &|atom| self.scalar_type(atom),
        };
        let (mut sums, mut unused) = (Vec::new(), HashSet::new());
        let mut seen = HashSet::<VarId>::new();
        // A sum is behind the sums inside it.
        for step in block.steps.iter().rev() {
            let Step::Scalar { var, op: Operation::Bin(BinOp::Add, args), .. } = step else {
                continue;
            };
            if seen.contains(var) || unused.contains(var) {
                continue;
            }
            let Some(&(section, _)) = search.steps.get(var) else { continue };
            search.section = section;
            let (terms, inner) = search.terms(*args);
            seen.extend(&inner);
            if terms.len() > MAX_TERMS {
                continue;
            }
            let terms = terms.into_iter().map(|atom| (atom, search.term(atom)));
            let (runs, taken, rest) = runs(terms.collect());
            if !runs.is_empty() {
                unused.extend(inner);
                taken.iter().for_each(|&atom| search.inside(atom, &mut unused));
                sums.push((*var, SuperwordSum { runs, rest }));
            }
        }
        self.runs.sums.extend(sums);
        self.runs.unused.extend(unused);
    }

    /// The result of a step whose operation vectors have: arithmetic on integers, or the read of a byte.
    fn has_vector_form(&self, step: &Step) -> Option<VarId> {
        let is_integer = |atom: Atom| {
            let ty = self.scalar_type(atom);
            !ty.is_float() && ty != Scalar::Bool
        };
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others have no vectors")]
        match step {
            Step::Scalar {
                var,
                op: Operation::Un(UnOp::To(_) | UnOp::Abs | UnOp::Neg, arg),
                ..
            } => (is_integer(*arg) && is_integer((*var).into())).then_some(*var),
            Step::Scalar { var, op: Operation::Bin(op, args), .. } => {
                let has =
                    matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Min | BinOp::Max);
                (has && is_integer(args[0])).then_some(*var)
            }
            Step::Index { var, array, inside: true, .. } => {
                let is_byte = matches!(
                    self.type_of(*array),
                    Type::Array { elem: Scalar::U8 | Scalar::I8, .. }
                );
                is_byte.then_some(*var)
            }
            _ => None,
        }
    }

    fn offsets(&mut self) -> Rc<Offsets> {
        let function = self.function;
        let offsets = self.runs.offsets.get_or_insert_with(|| {
            let mut offsets = Offsets::default();
            offsets.block(&function.body);
            Rc::new(offsets)
        });
        Rc::clone(offsets)
    }

    /// Whether a step is part of a sum in vectors. Emits the sum if the step computes it.
    pub(super) fn is_in_run(&mut self, step: &Step) -> bool {
        let (Step::Scalar { var, op: Operation::Un(..) | Operation::Bin(..), .. }
        | Step::Index { var, .. }) = step
        else {
            return false;
        };
        if let Some(sum) = self.runs.sums.get(var).cloned() {
            let value = self.sum_of(&sum);
            self.bind(*var, LoweredValue::Scalar(value.into()));
            return true;
        }
        self.runs.unused.contains(var)
    }

    fn sum_of(&self, sum: &SuperwordSum) -> IntValue<'ctx> {
        let rest = sum.rest.iter().map(|&atom| self.int(atom));
        let runs = sum.runs.iter().map(|run| self.run(run));
        let total =
            runs.chain(rest).reduce(|sum, term| built(self.code.b.build_int_add(sum, term, "")));
        total.expect("a sum has terms")
    }

    /// The sum of the terms of a run.
    fn run(&self, run: &TermRun) -> IntValue<'ctx> {
        let lanes = u32::try_from(run.lanes).expect("vectors have few lanes");
        let terms = self.term_in_lanes(&run.first, lanes);
        let sum = self.code.call_intrinsic("llvm.vector.reduce.add", &[terms.get_type()], &[terms]);
        sum.into_int_value()
    }

    fn term_in_lanes(&self, term: &Term, lanes: u32) -> BasicValueEnum<'ctx> {
        match term {
            Term::Same(atom) => self.code.splat(self.scalar(*atom), lanes).into(),
            Term::Un(op, ty, arg) => self.code.unary(*op, *ty, self.term_in_lanes(arg, lanes)),
            Term::Bin(op, ty, args) => {
                let [a, b] = &**args;
                self.code.apply(*op, *ty, [a, b].map(|arg| self.term_in_lanes(arg, lanes)))
            }
            Term::Read { array, row, last, .. } => self.bytes(*array, (row, *last), lanes),
        }
    }

    /// Consecutive bytes of an array, or of a row of it.
    fn bytes(
        &self,
        array: VarId,
        (row, first): (&[Atom], Atom),
        lanes: u32,
    ) -> BasicValueEnum<'ctx> {
        let (elem, _) = self.array_type(array);
        let row = self.index_inside(array, row);
        let at = self.code.element(elem, row.array(array).data, self.int(first));
        let loaded = self.code.load(vector_of(self.code.types.memory(elem), lanes), at, "");
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        load.set_alignment(elem.bytes()).expect("loads have an alignment");
        if let Some(aliasing) = &self.aliasing {
            aliasing.describe_load(&self.code, loaded, array);
        }
        loaded
    }
}
