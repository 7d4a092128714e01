//! A tile: several rows at one position, each a part of the vector loop.
//!
//! Invariant: the variables of a row are bound while its part is lowered.

use std::collections::BTreeMap;
use std::ops::Range;

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Procedure, Step, Stmt, Worker};
use arrc_syntax::ids::VarId;
use inkwell::IntPredicate;
use inkwell::values::{BasicValue, IntValue};

use super::row_steps::begin;
use super::row_tiling::{RowTiling, SpanPart};
use crate::loops::pass::Pass;
use crate::loops::pass_scopes::lower_with_scopes;
use crate::loops::vector::lanes::Lanes;
use crate::loops::vector::plan::Plan;
use crate::loops::vector::streaming_stores::Stores;
use crate::loops::vector::tile::{PlacedPanel, Tile};
use crate::loops::vector::vector_loop::VectorLoop;
use crate::scalar::vector_of;
use crate::unit::built;

/// One tile: `parts` rows from a position on, at a column.
pub(super) fn tile<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    outer: &'p Procedure,
    (rows, parts): (&RowTiling<'p>, u32),
    part: Option<SpanPart<'ctx>>,
    [row, column]: [IntValue<'ctx>; 2],
) {
    let sizes = pass.body.sizes.clone();
    lower_with_scopes(pass.body, rows.inner, |inner| {
        let begun = (0..parts).map(|part| {
            let code = &inner.body.code;
            let row = code.add_index(row, code.size(part.into()));
            begin(inner, outer, rows, row)
        });
        let begun = begun.collect::<Vec<_>>();
        let (plan, none) = (Plan { parts, ..rows.plan.clone() }, BTreeMap::new());
        let mut vectors = VectorLoop::new(inner, plan, Stores::Cached, none, Vec::new());
        let (span, panel) = (part.map(|(span, _)| span), part.and_then(|(_, panel)| panel));
        vectors.tile = Tile { rows: begun, span, panel };
        vectors.each_row(rows.body(), column);
    });
    pass.body.sizes = sizes;
}

impl<'ctx, 'p> VectorLoop<'_, '_, '_, 'ctx, 'p> {
    /// Goes on with a part: binds the variables of its row.
    pub(crate) fn enter_part(&mut self, part: usize) {
        self.part = part;
        for (var, value) in self.tile.rows.get(part).into_iter().flatten() {
            self.pass.body.bind_same(*var, value.clone());
        }
    }

    /// The steps of a pass that makes a row, at one position of all rows. Folds run for all of them in one loop.
    fn each_row(&mut self, body: &'p [Stmt], at: IntValue<'ctx>) {
        let parts = 0..self.tile.rows.len();
        self.all_at(at);
        for stmt in body {
            let Stmt::Apply { elems, worker, args } = stmt else {
                for part in parts.clone() {
                    self.enter_part(part);
                    self.keep_seen(stmt);
                    self.stmt(stmt, None);
                }
                continue;
            };
            for part in parts.clone() {
                self.enter_part(part);
                self.bind_all(&worker.params, args);
            }
            let results = self.worker_of_rows(worker, parts.clone());
            for part in parts.clone() {
                self.enter_part(part);
                self.bind_all(elems, &results);
            }
        }
    }

    /// The steps that make an element, for all rows. Returns its value: a partial sum, if the fold does not end in this
    /// span.
    fn worker_of_rows(&mut self, worker: &'p Worker, parts: Range<usize>) -> Vec<Atom> {
        let goes_on = self.tile.span.is_some_and(|span| !span.ends);
        for step in &worker.body.steps {
            self.step_of_rows(step, parts.clone());
            if let (Step::Pass(fold), true) = (step, goes_on) {
                return fold.yields.iter().map(|&sum| Atom::Var(sum)).collect();
            }
        }
        worker.body.results.clone()
    }

    /// Keeps the stored elements of columns for which the tile before has already run the iterations of the span.
    fn keep_seen(&mut self, stmt: &Stmt) {
        let (Some(span), Stmt::Write { vec, elem: Atom::Var(elem), .. }) = (self.tile.span, stmt)
        else {
            return;
        };
        if span.kept.is_none() {
            return;
        }
        let made = self.each_var(*elem);
        let code = &self.pass.body.code;
        let [some, next] = ["seen", "seen.next"].map(|name| code.block(name));
        let before = code.current_block();
        code.branch(code.compare(IntPredicate::NE, span.seen, code.size(0)), some, next);
        code.b.position_at_end(some);
        let stored = self.reload(*vec, None);
        let code = &self.pass.body.code;
        let seen = code.splat(span.seen.into(), self.plan.lanes);
        let new = code.lanes_compare(IntPredicate::UGE, code.count_up(self.plan.lanes), seen);
        let kept = code.blend(new, made, stored);
        let after = code.current_block();
        code.jump(next);
        code.b.position_at_end(next);
        let kept = code.phi_of([(made, before), (kept, after)]);
        self.bind(*elem, Lanes::Each(kept));
    }

    fn step_of_rows(&mut self, step: &'p Step, parts: Range<usize>) {
        if let Step::Pass(folds) = step {
            return self.folds_of(parts.collect(), folds, None);
        }
        for part in parts {
            self.enter_part(part);
            self.step(step, None);
        }
    }

    /// The elements in the panel, if the variable is read from there.
    pub(crate) fn in_panel(&self, var: VarId) -> Option<Lanes<'ctx>> {
        let PlacedPanel { panel, memory, stride } =
            self.tile.panel.filter(|placed| placed.panel.var == var)?;
        let (span, iteration) = (self.tile.span?, self.iteration?);
        let (elem, _) = self.pass.body.array_type(panel.array);
        let code = &self.pass.body.code;
        let iteration = built(code.b.build_int_sub(iteration, span.from, ""));
        let at = code.mul_index(iteration, stride);
        let ty = vector_of(code.types.memory(elem), self.plan.lanes);
        let loaded = built(code.b.build_load(ty, code.element(elem, memory, at), ""));
        let load = loaded.as_instruction_value().expect("a load is an instruction");
        load.set_alignment(elem.bytes()).expect("loads have an alignment");
        Some(Lanes::Each(self.in_registers(elem, loaded.into_vector_value())))
    }
}
