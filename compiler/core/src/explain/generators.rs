//! The index space of each pass as generators: the boxes in which nothing is tested, and the elements of each array
//! there.
//!
//! A loop has ranges, and the loops in a range have ranges of their own. So the steps of a nest form boxes. If a pass
//! makes several arrays, the boxes of one array are intersected with the boxes of the others. Boxes that lie side by
//! side and have the same elements are shown as one box, as in figure 5 of paper 004.
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

use crate::ids::VarId;
use crate::ir::cnf::Atom;
use crate::ir::procedure::concrete::{
    Block, Function, Length, Loop, Memory, Position, Procedure, Program, Start, Step, Stmt, Worker,
};
use crate::ir::process::ops;
use crate::ir::process::text::VarNames;

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
        Spaces { names, text: &mut text }.block(body);
    }
    text
}

/// A bound of a box in one dimension; `value` is there if the bound is a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Bound {
    text: String,
    value: Option<i64>,
}

impl Bound {
    fn number(value: i64) -> Self {
        Self { text: value.to_string(), value: Some(value) }
    }
}

/// A box: its bounds in each dimension, and the expression of its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Piece<T> {
    sides: Vec<[Bound; 2]>,
    has: T,
}

/// The boxes of one array.
type Boxes = Vec<Piece<String>>;

/// What a statement binds.
#[derive(Clone)]
enum Made {
    Scalar(String),
    Row(Boxes),
}

struct Spaces<'n, 't> {
    names: VarNames<'n>,
    text: &'t mut String,
}

impl Spaces<'_, '_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
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
        let mut all: Vec<Piece<Vec<String>>> = Vec::new();
        for (number, boxes) in made.values().enumerate() {
            let boxes =
                boxes.iter().map(|of| Piece { sides: of.sides.clone(), has: vec![of.has.clone()] });
            all = if number == 0 {
                boxes.collect()
            } else {
                intersected(&all, &boxes.collect::<Vec<_>>())
            };
        }
        merge(&mut all);
        if all.is_empty() {
            return;
        }
        let names = self.names.vars(made.keys());
        let mut line = |line: String| writeln!(self.text, "{line}").expect("text grows");
        line(format!("{}: {names}", pass.name));
        for Piece { sides, has } in all {
            let ends = |at: usize| {
                let ends: Vec<_> = sides.iter().map(|side| side[at].text.as_str()).collect();
                ends.join(", ")
            };
            line(format!("  ([{}] <= iv < [{}]) : {}", ends(0), ends(1), has.join(", ")));
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
        self.names.stands_for(*counter, format!("iv[{depth}]"));
        let end = self.length(length);
        let mut done = Bound::number(0);
        for range in ranges {
            let [from, to] = [range.from, range.to].map(|bound| self.bound(bound));
            self.rest([&done, &from], body, &mut made, (depth, is_tested))?;
            let [way] = &range.ways[..] else { return None };
            let is_empty = from.value.is_some() && from == to;
            if !way.is_empty() && !is_empty {
                self.step(&way.body, [from, to.clone()], &mut made, (depth, is_tested))?;
            }
            done = to;
        }
        if ranges.is_empty() {
            self.step(body, [done, end], &mut made, (depth, is_tested))?;
        } else {
            self.rest([&done, &end], body, &mut made, (depth, is_tested))?;
        }
        Some(made)
    }

    /// Adds the steps between two ranges, if there are any. If a bound is not a constant, notes instead that they are
    /// tested.
    fn rest(
        &mut self,
        [from, to]: [&Bound; 2],
        body: &[Stmt],
        made: &mut IndexMap<VarId, Boxes>,
        (depth, is_tested): (usize, &mut bool),
    ) -> Option<()> {
        if from == to {
            return Some(());
        }
        if from.value.is_some() && to.value.is_some() {
            return self.step(body, [from.clone(), to.clone()], made, (depth, is_tested));
        }
        *is_tested = true;
        Some(())
    }

    /// Adds the boxes that the steps from one bound to the other write.
    fn step(
        &mut self,
        body: &[Stmt],
        side: [Bound; 2],
        made: &mut IndexMap<VarId, Boxes>,
        (depth, is_tested): (usize, &mut bool),
    ) -> Option<()> {
        let mut rows: IndexMap<VarId, Boxes> = IndexMap::new();
        for stmt in body {
            match stmt {
                Stmt::Position { elem, index: Position::Var(_) } => {
                    self.names.stands_for(*elem, format!("iv[{depth}]"));
                }
                Stmt::Next { elem, array, index: Position::Var(_) } => {
                    let array = self.names.var(*array);
                    self.names.stands_for(*elem, format!("{array}[iv[{depth}]]"));
                }
                Stmt::Copy { elem, from } => {
                    let from = self.names.atom(*from);
                    self.names.stands_for(*elem, from);
                }
                Stmt::Apply { elems, worker, args } => {
                    let results = self.worker(worker, args, (depth, is_tested))?;
                    for (&elem, result) in elems.iter().zip(results) {
                        match result {
                            Made::Scalar(text) => self.names.stands_for(elem, text),
                            Made::Row(boxes) => {
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
                        vec![Piece { sides: Vec::new(), has: self.names.atom(*elem) }]
                    });
                    let boxes = row.into_iter().map(|Piece { mut sides, has }| {
                        sides.insert(0, side.clone());
                        Piece { sides, has }
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
    ) -> Option<Vec<Made>> {
        for (&param, &arg) in worker.params.iter().zip(args) {
            let arg = self.names.atom(arg);
            self.names.stands_for(param, arg);
        }
        let mut rows: IndexMap<VarId, Boxes> = IndexMap::new();
        for step in &worker.body.steps {
            #[allow(clippy::wildcard_enum_match_arm, reason = "the others make no row")]
            match step {
                Step::Pass(pass) => rows.extend(self.vectors(pass, depth + 1, is_tested)?),
                Step::Array { var, elems, memory: Memory::Row(_), .. } => {
                    let boxes = (0..).zip(elems).map(|(at, &elem)| Piece {
                        sides: vec![[Bound::number(at), Bound::number(at + 1)]],
                        has: self.names.atom(elem),
                    });
                    rows.insert(*var, boxes.collect());
                }
                step => self.scalar(step),
            }
        }
        let result = |result: &Atom| match result {
            Atom::Var(var) if rows.contains_key(var) => Made::Row(rows[var].clone()),
            Atom::Var(_) | Atom::Const(_) => Made::Scalar(self.names.atom(*result)),
        };
        Some(worker.body.results.iter().map(result).collect())
    }

    /// Lets a scalar stand for its expression, if that is short.
    fn scalar(&mut self, step: &Step) {
        let (var, text) = if let Some((var, operation)) = step.operation() {
            let text = self.names.scalar(operation);
            (var, if text.contains(' ') { format!("({text})") } else { text })
        } else if let Step::Index { var, array, indices, .. } = step {
            (*var, ops::index(&mut self.names, *array, indices))
        } else {
            return;
        };
        if text.len() <= LONGEST {
            self.names.stands_for(var, text);
        }
    }

    fn bound(&mut self, bound: Atom) -> Bound {
        match bound {
            Atom::Const(value) => Bound::number(value.bits.cast_signed()),
            Atom::Var(var) => Bound { text: self.names.var(var), value: None },
        }
    }

    fn length(&mut self, length: &Length) -> Bound {
        match length {
            Length::Value(size) => self.bound(*size),
            Length::Array(array) => {
                Bound { text: format!("length {}", self.names.var(*array)), value: None }
            }
            Length::Product(left, right) => {
                let [left, right] = [left, right].map(|length| self.length(length).text);
                Bound { text: format!("{left} * {right}"), value: None }
            }
        }
    }
}

/// The intersections of each box of the first list with each box of the second. Empty ones are left out.
fn intersected(all: &[Piece<Vec<String>>], more: &[Piece<Vec<String>>]) -> Vec<Piece<Vec<String>>> {
    let pairs = all.iter().flat_map(|one| more.iter().map(move |other| (one, other)));
    let both = pairs.filter_map(|(one, other)| {
        let sides = one.sides.iter().zip(&other.sides).map(|(one, other)| common(one, other));
        let sides = sides.collect::<Option<Vec<_>>>()?;
        Some(Piece { sides, has: [&one.has[..], &other.has[..]].concat() })
    });
    both.collect()
}

/// The intersection of two sides. Sides whose bounds are known only at run time come from the ranges of one loop, so
/// they are equal or disjoint.
fn common(one: &[Bound; 2], other: &[Bound; 2]) -> Option<[Bound; 2]> {
    if one == other {
        return Some(one.clone());
    }
    let [low, high] = [0, 1].map(|at| Some((one[at].value?, other[at].value?)));
    let (low, high) = (low?, high?);
    let (low, high) = (low.0.max(low.1), high.0.min(high.1));
    (low < high).then(|| [low, high].map(Bound::number))
}

/// Merges two boxes with the same elements if one ends where the other begins in one dimension, and they agree in all
/// others. Then sorts the boxes by their first indices, if these are constants.
fn merge(all: &mut Vec<Piece<Vec<String>>>) {
    let rank = all.first().map_or(0, |first| first.sides.len());
    for dim in (0..rank).rev() {
        let mut merged: Vec<Piece<Vec<String>>> = Vec::new();
        for piece in all.drain(..) {
            let before = merged.iter_mut().find(|before| {
                let is_same = |at: usize| at == dim || before.sides[at] == piece.sides[at];
                before.has == piece.has
                    && before.sides[dim][1] == piece.sides[dim][0]
                    && (0..rank).all(is_same)
            });
            match before {
                Some(before) => before.sides[dim][1] = piece.sides[dim][1].clone(),
                None => merged.push(piece),
            }
        }
        *all = merged;
    }
    if all.iter().all(|of| of.sides.iter().all(|side| side[0].value.is_some())) {
        all.sort_by_key(|of| of.sides.iter().map(|side| side[0].value).collect::<Vec<_>>());
    }
}
