//! The index space of each pass as generators: the boxes in which nothing is tested, and the elements of each array
//! there.
//!
//! A loop has ranges, and the loops in a range have ranges of their own. So the steps of a nest form boxes. If a pass
//! makes several arrays, the boxes of one array are intersected with the boxes of the others. Boxes that lie side by
//! side and have the same elements are shown as one box, as in figure 5 of paper 004. Variants that the steps of a
//! range take cyclically are generators with a step and a width.
//!
//! Invariant: the boxes of a pass do not overlap. Where bounds are known when the program is compiled, the boxes cover
//! the index space, unless the text says that indices outside of the boxes are tested.
//!
//! ```text
//! f_1: a b
//!   ([0, 0] <= iv < [1, 9]) : 1i64, 3i64
//!   ([1, 0] <= iv < [9, 9]) : 0i64, 3i64
//! ```

use std::fmt::Write;

use indexmap::IndexMap;

use crate::explain::range_ends::{BoxBound, GridInterval, RangeEndExprs};
use arrc_fusion::cnf::Atom;
use arrc_fusion::process::print_ops;
use arrc_fusion::process::text::VarNames;
use arrc_loops::concrete::{
    Block, Function, Length, Loop, Memory, Position, Procedure, Program, Start, Step, Stmt, Worker,
};
use arrc_syntax::ids::VarId;

/// The longest expression that is shown, in bytes. A longer one is shown as the variable that it is bound to.
const LONGEST: usize = 120;

/// The generators of each pass, function by function.
#[must_use]
pub fn generators(program: &Program) -> String {
    let mut text = String::new();
    for function in program.functions.values() {
        let Function { params, body, tables, .. } = function;
        let mut names = VarNames::new(&tables.vars, &tables.sizes);
        names.vars(params);
        let ends = RangeEndExprs::new(&tables.vars);
        IndexSpaces { names, ends, text: &mut text }.block(body);
    }
    text
}

/// A box: its bounds in each dimension, and the expression of its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
struct IndexBox<T> {
    sides: Vec<GridInterval>,
    has: T,
}

/// The boxes of one array.
type Boxes = Vec<IndexBox<String>>;

/// What a statement binds.
#[derive(Clone)]
enum BoundValue {
    Scalar(String),
    Row(Boxes),
}

struct IndexSpaces<'n, 't> {
    names: VarNames<'n>,
    ends: RangeEndExprs<'n>,
    text: &'t mut String,
}

impl IndexSpaces<'_, '_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            self.ends.note(step);
            if let Step::Pass(pass) = step {
                self.pass(pass);
            } else if let Step::Loop { worker, .. } = step {
                self.block(&worker.body);
            } else {
                step.branches().into_iter().flatten().for_each(|branch| self.block(branch));
            }
        }
    }

    fn pass(&mut self, pass: &Procedure) {
        let mut is_tested = false;
        let Some(made) = self.vectors(pass, 0, &mut is_tested) else { return };
        let mut all: Vec<IndexBox<Vec<String>>> = Vec::new();
        for (number, boxes) in made.values().enumerate() {
            let boxes = boxes
                .iter()
                .map(|of| IndexBox { sides: of.sides.clone(), has: vec![of.has.clone()] });
            let boxes = boxes.collect::<Vec<_>>();
            let both = if number == 0 { Some(boxes) } else { intersected(&all, &boxes) };
            let Some(both) = both else { return };
            all = both;
        }
        merge(&mut all);
        if all.is_empty() {
            return;
        }
        let names = self.names.vars(made.keys());
        let mut line = |line: String| writeln!(self.text, "{line}").expect("text grows");
        line(format!("{}: {names}", pass.name));
        for IndexBox { sides, has } in all {
            let list = |of: &dyn Fn(&GridInterval) -> String| {
                sides.iter().map(of).collect::<Vec<_>>().join(", ")
            };
            let [from, to] = [0, 1].map(|at| list(&|side| side.ends[at].to_string()));
            let one = [1, 1].map(BoxBound::number);
            let [step, width] =
                [0, 1].map(|at| list(&|side| side.grid.as_ref().unwrap_or(&one)[at].to_string()));
            let has_grid = sides.iter().any(|side| side.grid.is_some());
            let grid =
                if has_grid { format!(" step [{step}] width [{width}]") } else { String::new() };
            line(format!("  ([{from}] <= iv < [{to}]{grid}) : {}", has.join(", ")));
        }
        if is_tested {
            line("  what is in no box is tested one at a time".into());
        }
    }

    /// The boxes of each vector that a pass makes inside `depth` loops; nothing if the steps cannot be shown as boxes.
    fn vectors(
        &mut self,
        pass: &Procedure,
        depth: usize,
        is_tested: &mut bool,
    ) -> Option<IndexMap<VarId, Boxes>> {
        let vecs = pass.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, .. } => Some((*vec, Vec::new())),
            Start::NewAcc { .. } | Start::CheckSize { .. } => None,
        });
        let mut made: IndexMap<VarId, Boxes> = vecs.collect();
        let Loop { counter, length, body, inner, ranges, .. } = &pass.nest;
        if !inner.is_empty() || made.is_empty() {
            return None;
        }
        self.names.print_as(*counter, format!("iv[{depth}]"));
        let end = self.length(length);
        let mut done = BoxBound::number(0);
        for range in ranges {
            let sides = self.ends.variant_intervals(&mut self.names, range);
            let from = sides[0].ends[0].clone();
            // Steps behind the last whole period are tested.
            *is_tested |= range.period.is_none()
                && range.variants.len() > 1
                && sides[0].ends[1].value().is_none();
            self.between_ranges([&done, &from], body, &mut made, (depth, is_tested))?;
            for (variant, side) in range.variants.iter().zip(sides) {
                let [from, to] = &side.ends;
                done = to.clone();
                let is_empty = from.value().is_some() && from == to;
                if !variant.is_empty() && !is_empty {
                    self.step(&variant.body, side, &mut made, (depth, is_tested))?;
                }
            }
        }
        if ranges.is_empty() {
            self.step(
                body,
                GridInterval { ends: [done, end], grid: None },
                &mut made,
                (depth, is_tested),
            )?;
        } else {
            self.between_ranges([&done, &end], body, &mut made, (depth, is_tested))?;
        }
        Some(made)
    }

    /// Adds the steps between two ranges, if there are any. If a bound is not a constant, notes instead that they are
    /// tested.
    fn between_ranges(
        &mut self,
        [from, to]: [&BoxBound; 2],
        body: &[Stmt],
        made: &mut IndexMap<VarId, Boxes>,
        (depth, is_tested): (usize, &mut bool),
    ) -> Option<()> {
        if from == to {
            return Some(());
        }
        if from.value().is_some() && to.value().is_some() {
            let side = GridInterval { ends: [from.clone(), to.clone()], grid: None };
            return self.step(body, side, made, (depth, is_tested));
        }
        *is_tested = true;
        Some(())
    }

    /// Adds the boxes that some steps write.
    fn step(
        &mut self,
        body: &[Stmt],
        side: GridInterval,
        made: &mut IndexMap<VarId, Boxes>,
        (depth, is_tested): (usize, &mut bool),
    ) -> Option<()> {
        let mut rows: IndexMap<VarId, Boxes> = IndexMap::new();
        for stmt in body {
            match stmt {
                Stmt::Position { elem, index: Position::Var(_) } => {
                    self.names.print_as(*elem, format!("iv[{depth}]"));
                }
                Stmt::Next { elem, array, index: Position::Var(_) } => {
                    let array = self.names.var(*array);
                    self.names.print_as(*elem, format!("{array}[iv[{depth}]]"));
                }
                Stmt::Copy { elem, from } => {
                    let from = self.names.atom(*from);
                    self.names.print_as(*elem, from);
                }
                Stmt::Apply { elems, worker, args } => {
                    let results = self.worker(worker, args, (depth, is_tested))?;
                    for (&elem, result) in elems.iter().zip(results) {
                        match result {
                            BoundValue::Scalar(text) => self.names.print_as(elem, text),
                            BoundValue::Row(boxes) => {
                                rows.insert(elem, boxes);
                            }
                        }
                    }
                }
                Stmt::Write { vec, elem, .. } => {
                    let row = match elem {
                        Atom::Var(elem) => rows.get(elem).cloned(),
                        Atom::Const(_) => None,
                    };
                    let row = row.unwrap_or_else(|| {
                        vec![IndexBox { sides: Vec::new(), has: self.names.atom(*elem) }]
                    });
                    let boxes = row.into_iter().map(|IndexBox { mut sides, has }| {
                        sides.insert(0, side.clone());
                        IndexBox { sides, has }
                    });
                    made.get_mut(vec)?.extend(boxes);
                }
                Stmt::Update { .. } | Stmt::Current { .. } => {}
                Stmt::Position { .. }
                | Stmt::Next { .. }
                | Stmt::Read { .. }
                | Stmt::Reserve { .. } => return None,
            }
        }
        Some(())
    }

    /// The results of a worker.
    fn worker(
        &mut self,
        worker: &Worker,
        args: &[Atom],
        (depth, is_tested): (usize, &mut bool),
    ) -> Option<Vec<BoundValue>> {
        for (&param, &arg) in worker.params.iter().zip(args) {
            let arg = self.names.atom(arg);
            self.names.print_as(param, arg);
        }
        let mut rows: IndexMap<VarId, Boxes> = IndexMap::new();
        for step in &worker.body.steps {
            if self.ends.note(step) {
                continue;
            }
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others make no row")]
            match step {
                Step::Pass(pass) => rows.extend(self.vectors(pass, depth + 1, is_tested)?),
                Step::Array { var, elems, memory: Memory::Row(_), .. } => {
                    let boxes = (0..).zip(elems).map(|(at, &elem)| IndexBox {
                        sides: vec![GridInterval {
                            ends: [at, at + 1].map(BoxBound::number),
                            grid: None,
                        }],
                        has: self.names.atom(elem),
                    });
                    rows.insert(*var, boxes.collect());
                }
                step => self.scalar(step),
            }
        }
        let result = |result: &Atom| match result {
            Atom::Var(var) if rows.contains_key(var) => BoundValue::Row(rows[var].clone()),
            Atom::Var(_) | Atom::Const(_) => BoundValue::Scalar(self.names.atom(*result)),
        };
        Some(worker.body.results.iter().map(result).collect())
    }

    /// Lets a scalar stand for its expression, if that is short.
    fn scalar(&mut self, step: &Step) {
        let (var, text) = if let Some((var, operation)) = step.operation() {
            let text = self.names.scalar(operation);
            (var, if text.contains(' ') { format!("({text})") } else { text })
        } else if let Step::Index { var, array, indices, .. } = step {
            (*var, print_ops::index(&mut self.names, *array, indices))
        } else {
            return;
        };
        if text.len() <= LONGEST {
            self.names.print_as(var, text);
        }
    }

    fn length(&mut self, length: &Length) -> BoxBound {
        match length {
            Length::Value(size) => self.ends.number(&mut self.names, *size),
            Length::Array(array) => BoxBound::of(self.names.extent(*array, 0)),
            Length::Product(left, right) => {
                let [left, right] = [left, right].map(|length| self.length(length));
                BoxBound::of(format!("{left} * {right}"))
            }
        }
    }
}

/// The intersections of each box of the first list with each box of the second. Empty ones are left out. Nothing if
/// grids of different loops meet.
fn intersected(
    all: &[IndexBox<Vec<String>>],
    more: &[IndexBox<Vec<String>>],
) -> Option<Vec<IndexBox<Vec<String>>>> {
    let mut both = Vec::new();
    for (one, other) in all.iter().flat_map(|one| more.iter().map(move |other| (one, other))) {
        let sides = one.sides.iter().zip(&other.sides).map(|(one, other)| intersection(one, other));
        let sides = sides.collect::<Option<Vec<_>>>()?;
        if let Some(sides) = sides.into_iter().collect::<Option<Vec<_>>>() {
            both.push(IndexBox { sides, has: [&one.has[..], &other.has[..]].concat() });
        }
    }
    Some(both)
}

/// The intersection of two intervals, which may be empty; nothing if it is not known. Intervals whose bounds are known
/// only at run time come from the ranges of one loop, so they are equal or disjoint. The same holds for grids with one
/// step and one end.
fn intersection(one: &GridInterval, other: &GridInterval) -> Option<Option<GridInterval>> {
    if one == other {
        return Some(Some(one.clone()));
    }
    let [low, high] = [0, 1].map(|at| Some((one.ends[at].value()?, other.ends[at].value()?)));
    let (Some(low), Some(high)) = (low, high) else { return Some(None) };
    let (low, high) = (low.0.max(low.1), high.0.min(high.1));
    if low >= high {
        return Some(None);
    }
    match (&one.grid, &other.grid) {
        (None, None) => {
            Some(Some(GridInterval { ends: [low, high].map(BoxBound::number), grid: None }))
        }
        (Some(own), Some(others)) if own[0] == others[0] && one.ends[1] == other.ends[1] => {
            Some(None)
        }
        (Some(_) | None, _) => None,
    }
}

/// Merges two boxes with the same elements if one ends where the other begins in one dimension, and they agree in all
/// others. Then sorts the boxes by their first indices, if these are constants.
fn merge(all: &mut Vec<IndexBox<Vec<String>>>) {
    let rank = all.first().map_or(0, |first| first.sides.len());
    for dim in (0..rank).rev() {
        let mut merged: Vec<IndexBox<Vec<String>>> = Vec::new();
        for piece in all.drain(..) {
            let before = merged.iter_mut().find(|before| {
                let is_same = |at: usize| at == dim || before.sides[at] == piece.sides[at];
                before.has == piece.has
                    && follows(&before.sides[dim], &piece.sides[dim])
                    && (0..rank).all(is_same)
            });
            match before {
                Some(before) => before.sides[dim] = joined(&before.sides[dim], &piece.sides[dim]),
                None => merged.push(piece),
            }
        }
        *all = merged;
    }
    if all.iter().all(|of| of.sides.iter().all(|side| side.ends[0].value().is_some())) {
        all.sort_by_key(|of| of.sides.iter().map(|side| side.ends[0].value()).collect::<Vec<_>>());
    }
}

/// Whether a side begins where the other one ends: in each period, if both are variants of one range.
fn follows(before: &GridInterval, next: &GridInterval) -> bool {
    match (&before.grid, &next.grid) {
        (None, None) => before.ends[1] == next.ends[0],
        (Some([step, width]), Some(grid)) => {
            *step == grid[0]
                && before.ends[1] == next.ends[1]
                && before.ends[0].plus(width) == next.ends[0]
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// A side and the one that follows it.
fn joined(before: &GridInterval, next: &GridInterval) -> GridInterval {
    let (Some([step, width]), Some([_, more])) = (&before.grid, &next.grid) else {
        return GridInterval { ends: [before.ends[0].clone(), next.ends[1].clone()], grid: None };
    };
    let width = width.plus(more);
    let grid = (*step != width).then(|| [step.clone(), width]);
    GridInterval { ends: before.ends.clone(), grid }
}
