//! Interchange of a loop over whole arrays with the passes in its steps: if each step computes an element of the arrays
//! that the loop carries from the same element alone, one pass runs the loop for each element. The element is carried in
//! a register, and a matrix whose columns the steps read is read in the order of memory.
//!
//! Invariant: each element is computed by the same operations in the same order as before. What the steps do beside their
//! passes cannot fail, so nothing is lost if there is no element.
//!
//! ```text
//! y = loop y = z for j < m do { t = x[j]; y' = generate n (\i -> { e = y[i]; c = a[i, j]; p = c * t; s = e + p; s }); y' }
//! ⇒ n' = length z; is = generate n' (\i -> i)
//!   y = map (\z i -> { r = loop e = z for j < m do { t = x[j]; c = a[i, j]; p = c * t; s = e + p; s }; r }) z is
//! ```

mod element;
mod strides;

use indexmap::{IndexMap, IndexSet};

use super::extents::Extents;
use super::{iotas, transpositions};
use crate::cnf::{
    Atom, Bind, Block, Extent, FoldOrder, Function, LoopForm, Op, Type, UNNAMED_SCALAR, Var, Worker,
};
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

use element::Element;
use strides::is_profitable;

/// Arrays of at most this many elements stay: the loop may carry all their elements in registers, and then reads what
/// its steps share once. No benchmark has arrays near the limit.
const SHORT: i64 = 64;

/// Makes passes whose steps are loops of loops whose steps are passes; says whether anything changed.
pub(super) fn interchange(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut loops = ElementLoops {
        tables: &mut function.tables,
        extents: Extents::default(),
        positions: IndexSet::new(),
        transposed: IndexMap::new(),
        changed: false,
    };
    loops.block(&mut body);
    let changed = loops.changed;
    function.body = body;
    changed
}

struct ElementLoops<'a> {
    tables: &'a mut Tables,
    extents: Extents,
    /// The arrays of positions.
    positions: IndexSet<VarId>,
    /// The matrices that other matrices are when they are transposed.
    transposed: IndexMap<VarId, VarId>,
    changed: bool,
}

/// A loop, or a fold that keeps its order.
struct Steps<'a> {
    init: &'a [Atom],
    /// The number of steps of a loop. A fold has as many as its inputs have elements.
    count: Option<Atom>,
    inputs: &'a [VarId],
    worker: &'a Worker,
}

impl<'a> Steps<'a> {
    fn of(op: &'a Op) -> Option<Self> {
        if let Op::Loop { form: LoopForm::For { count }, init, worker } = op {
            return Some(Self { init, count: Some(*count), inputs: &[], worker });
        }
        if let Op::Fold { order: FoldOrder::Strict, worker, init, inputs } = op {
            return Some(Self { init, count: None, inputs, worker });
        }
        None
    }
}

impl ElementLoops<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            self.extents.note(&bind, self.tables);
            if iotas::count(&bind).is_some() {
                self.positions.insert(bind.vars[0]);
            }
            if let Some(matrix) = self.transposition(&bind) {
                self.transposed.insert(bind.vars[0], matrix);
            }
            match self.pass(&bind) {
                Some(binds) => {
                    self.changed = true;
                    done.extend(binds);
                }
                None => done.push(bind),
            }
        }
        block.binds = done;
    }

    /// The matrix whose transposition a binding computes.
    fn transposition(&self, bind: &Bind) -> Option<VarId> {
        let (matrix, [columns, rows]) = transpositions::of(bind)?;
        let &[outer, inner] = self.tables.vars[matrix].ty.shape() else { return None };
        let whole = self.extents.is(rows, outer, self.tables)
            && self.extents.is(columns, inner, self.tables);
        whole.then_some(matrix)
    }

    /// The pass over elements that a loop becomes, and before it the loop of the scalars that it carries too.
    fn pass(&mut self, bind: &Bind) -> Option<Vec<Bind>> {
        let steps = Steps::of(&bind.op)?;
        let (extent, first) = self.carried(&bind.vars, &steps)?;
        let span = bind.span;
        let mut before = Vec::new();
        let size = self.length(first, (&mut before, span));
        let count = match steps.count {
            Some(count) => count,
            None => self.length(*steps.inputs.first()?, (&mut before, span)),
        };
        let counter = match steps.count {
            Some(_) => *steps.worker.params.last()?,
            None => self.scalar("j"),
        };
        let lane = self.scalar("i");
        let mut element = Element::new(self, extent, lane, (counter, count));
        let worker = element.step(&steps, span)?;
        let own = element.inputs.values().copied().chain([lane]);
        if !is_profitable(&worker, own, counter, &element.tables.vars) {
            return None;
        }
        let form = LoopForm::For { count };
        let scalars = (&bind.vars[..], &worker);
        before.extend(element.scalar_loop(scalars, steps.init, (form.clone(), span)));
        let init: Vec<Atom> = steps.init.iter().map(|&init| element.initial(init)).collect();
        let made: Vec<VarId> = bind.vars.iter().map(|&var| element.like(var)).collect();
        let (mut inputs, mut params): (Vec<VarId>, Vec<VarId>) =
            std::mem::take(&mut element.inputs).into_iter().unzip();
        let one = Bind { vars: made.clone(), op: Op::Loop { form, init, worker }, span };
        if uses::free(&one).contains(&lane) {
            let (positions, op) = iotas::generated(self.tables, (extent, size));
            before.push(Bind { vars: vec![positions], op, span });
            inputs.push(positions);
            params.push(lane);
        }
        let is_array = |tables: &Tables, var: VarId| tables.vars[var].ty.is_array();
        let binds = if made.iter().any(|&var| is_array(self.tables, var)) {
            // Elements are rows. These are worth it only if their elements are carried in registers.
            self.pass(&one)?
        } else {
            vec![one]
        };
        let arrays = bind.vars.iter().zip(made).filter(|(var, _)| is_array(self.tables, **var));
        let (vars, results) = arrays.map(|(&var, made)| (var, Atom::Var(made))).unzip();
        let worker = Worker { params, body: Block { binds, results } };
        before.push(Bind { vars, op: Op::Map { worker, inputs }, span });
        Some(before)
    }

    /// The length of the arrays that a loop carries, and the first of them, if all have one length, and their shapes do
    /// not change.
    fn carried(&self, vars: &[VarId], steps: &Steps<'_>) -> Option<(Extent, VarId)> {
        let vars_of = &self.tables.vars;
        let is_array = |var: &VarId| vars_of[*var].ty.is_array();
        let (at, first) = vars.iter().enumerate().find(|(_, var)| is_array(var))?;
        let extent = *vars_of[*first].ty.shape().first()?;
        let is_short = matches!(extent, Extent::Const(count) if count <= SHORT);
        let carried = vars.iter().zip(&steps.worker.params).zip(steps.init);
        let fits = |((&var, &param), &init): ((&VarId, &VarId), &Atom)| {
            let ty = &vars_of[var].ty;
            ty.shape().first().is_none_or(|of| *of == extent)
                && *ty == vars_of[param].ty
                && *ty == init.ty(vars_of)
        };
        let is_plain = !is_short && !steps.worker.body.stays();
        (is_plain && carried.into_iter().all(fits)).then_some((extent, steps.init[at].as_var()?))
    }

    fn scalar(&mut self, name: &'static str) -> VarId {
        let ty = Type::Scalar(Scalar::I64);
        self.tables.vars.push(Var { name: Name::new_static(name), ty })
    }

    /// Binds the length of an array.
    fn length(&mut self, array: VarId, (before, span): (&mut Vec<Bind>, Span)) -> Atom {
        let length = self.scalar(UNNAMED_SCALAR);
        let bind = Bind { vars: vec![length], op: Op::Length { array, dim: 0 }, span };
        self.extents.note(&bind, self.tables);
        before.push(bind);
        Atom::Var(length)
    }
}
