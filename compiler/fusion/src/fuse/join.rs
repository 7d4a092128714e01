//! Joins steps over rows, and steps with loops of their own, into one step, so that their loops can be fused.
//!
//! Two steps of one pass are joined if the second one reads rows that the first one makes, or both read the same
//! rows. They are also joined if both workers have loops, and both steps use a common value. The joined worker is one
//! block, which is simplified and clustered. So a row between the steps need not be made, a row that both read is
//! read once, and a value that both compute is computed once. A fold is joined with the step that makes its rows if
//! it is the only consumer of that step.
//!
//! Invariant: the used results of operators keep their series. An operator moves only to a place where all its
//! operands are bound.
//!
//! ```text
//! s2 <- map k1 (\row -> map f row) s1; s3 <- map k1 (\row -> map g row) s2
//! ⇒ s3 <- map k1 (\row -> { a = map f row; b = map g a; b }) s1
//!
//! s1 <- generate k1 (\i -> generate m (\j -> f i j)); s2 <- map k1 (\row -> map g row) s1
//! ⇒ s2 <- generate k1 (\i -> { a = generate m (\j -> f i j); b = map g a; b })
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::cnf::{Atom, Bind, Block, FoldOrder, SizeDef, SizeInfo, Type, Var, Worker, retain_live};
use crate::fuse::size_values::copy;
use crate::process::{Operator, Series, uses};
use arrc_syntax::ids::{PrimaryMap, RateId, SeriesId, SizeId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Joins the steps over rows, and those with loops, among the operators of a process.
pub(super) fn join(
    operators: Vec<Operator>,
    series: &mut PrimaryMap<SeriesId, Series>,
    vars: &mut PrimaryMap<VarId, Var>,
    sizes: &mut PrimaryMap<SizeId, SizeInfo>,
) -> Vec<Operator> {
    let mut uses = IndexMap::new();
    note_uses(&operators, &mut uses);
    let mut joiner = Joiner { series, vars, sizes, uses, joined: IndexSet::new() };
    let mut operators = joiner.list(operators);
    let joined = joiner.joined;
    let mut used = IndexMap::new();
    note_uses(&operators, &mut used);
    trim(&mut operators, &joined, &used);
    operators
}

/// An input of a step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum MapInput {
    /// Its position: the counter of a `generate`.
    Position,
    /// An element.
    Series(SeriesId),
}

/// The parts of a map or a `generate`.
struct MapOperator {
    outs: Vec<SeriesId>,
    rate: RateId,
    worker: Worker,
    ins: Vec<MapInput>,
    span: Span,
}

/// A step that another one can be joined with.
struct JoinCandidate {
    /// Its place in the list.
    place: usize,
    /// The steps after it on which the other one depends, the last one first.
    between: Vec<usize>,
}

/// An operator in the list so far.
enum JoinedOperator {
    Step(MapOperator),
    Other(Operator),
}

struct Joiner<'a> {
    series: &'a mut PrimaryMap<SeriesId, Series>,
    vars: &'a mut PrimaryMap<VarId, Var>,
    sizes: &'a mut PrimaryMap<SizeId, SizeInfo>,
    /// The number of uses of each series.
    uses: IndexMap<SeriesId, usize>,
    /// The series that joined steps make.
    joined: IndexSet<SeriesId>,
}

impl Joiner<'_> {
    fn list(&mut self, operators: Vec<Operator>) -> Vec<Operator> {
        let mut done: Vec<JoinedOperator> = Vec::new();
        for operator in operators {
            match JoinedOperator::of(operator) {
                JoinedOperator::Step(step) => self.step(step, &mut done),
                JoinedOperator::Other(operator) => {
                    let operator = self.fold(operator, &mut done);
                    done.push(JoinedOperator::Other(self.nested(operator)));
                }
            }
        }
        done.into_iter().flat_map(|slot| self.operators(slot)).collect()
    }

    /// Appends a step, or joins it with an earlier step.
    fn step(&mut self, step: MapOperator, done: &mut Vec<JoinedOperator>) {
        let Some(JoinCandidate { place, between }) = self.join_candidate(done, &step) else {
            return done.push(JoinedOperator::Step(step));
        };
        let mut take = |place: usize| match done.remove(place) {
            JoinedOperator::Step(step) => step,
            JoinedOperator::Other(_) => panic!("only steps are joined"),
        };
        let between = between.into_iter().map(&mut take).collect::<Vec<_>>();
        let first = take(place);
        let first = between.into_iter().rfold(first, |first, next| first.compose(next, self.sizes));
        let all = first.compose(step, self.sizes);
        self.joined.extend(&all.outs);
        done.insert(place, JoinedOperator::Step(all));
    }

    /// The operators inside a selector or an expansion.
    fn nested(&mut self, mut operator: Operator) -> Operator {
        if let Some(inner) = operator.inner_mut() {
            *inner = self.list(std::mem::take(inner));
        }
        operator
    }

    /// The earlier step that this one can be joined with. Both have a row in common, or both have loops and use a
    /// common value.
    fn join_candidate(&self, done: &[JoinedOperator], next: &MapOperator) -> Option<JoinCandidate> {
        let is_row = |id: &SeriesId| {
            self.series[*id].ty.is_array() && next.ins.contains(&MapInput::Series(*id))
        };
        let used =
            if has_loops(&next.worker) { uses::free_in(&next.worker) } else { IndexSet::new() };
        let mut needed = next.ins.clone();
        let mut between = Vec::new();
        for (place, slot) in done.iter().enumerate().rev() {
            if let JoinedOperator::Step(first) = slot
                && first.rate == next.rate
            {
                let rows = first.outs.iter().any(is_row)
                    || first.ins.iter().any(|of| matches!(of, MapInput::Series(id) if is_row(id)));
                let loops = has_loops(&first.worker) && has_loops(&next.worker);
                let both = || {
                    let series = |of: &&MapInput| matches!(of, MapInput::Series(_));
                    first.ins.iter().filter(series).any(|of| next.ins.contains(of))
                        || uses::free_in(&first.worker).iter().any(|var| used.contains(var))
                };
                if rows || (loops && both()) {
                    return Some(JoinCandidate { place, between });
                }
            }
            // A step cannot move before the operator that makes its input, unless that operator is a step that moves
            // with it.
            if slot.makes().iter().any(|&out| needed.contains(&MapInput::Series(out))) {
                let JoinedOperator::Step(maker) = slot else { return None };
                (maker.rate == next.rate).then_some(())?;
                needed.extend(&maker.ins);
                between.push(place);
            }
        }
        None
    }

    /// Joins a fold of rows with the step that makes them, if the fold is the only consumer of that step.
    fn fold(&mut self, operator: Operator, done: &mut Vec<JoinedOperator>) -> Operator {
        let Operator::Fold { results, rate, order, worker, init, ins, span } = operator else {
            return operator;
        };
        let rows = ins.iter().any(|&id| self.series[id].ty.is_array());
        let ends_here = |id: &SeriesId| {
            ins.iter().filter(|&of| of == id).count() == self.uses.get(id).copied().unwrap_or(0)
        };
        let maker = done.iter().position(|slot| {
            matches!(slot, JoinedOperator::Step(step) if step.rate == rate
                && step.outs.iter().any(|out| ins.contains(out) && self.series[*out].ty.is_array())
                && step.outs.iter().all(ends_here))
        });
        let Some(place) = maker.filter(|_| rows) else {
            return Operator::Fold { results, rate, order, worker, init, ins, span };
        };
        let JoinedOperator::Step(step) = done.remove(place) else {
            panic!("a step makes the rows")
        };
        let (accs, elems) = worker.params.split_at(init.len());
        let fold = MapOperator {
            outs: Vec::new(),
            rate,
            worker: Worker { params: elems.to_vec(), body: worker.body },
            ins: ins.into_iter().map(MapInput::Series).collect(),
            span,
        };
        let made = step.worker.body.results.len();
        let mut both = step.compose(fold, self.sizes);
        both.worker.body.results.drain(..made);
        let (worker, ins) = self.with_position(both, done);
        let params = [accs, &worker.params].concat();
        let worker = Worker { params, ..worker };
        // The inputs are those of the joined step now, so the worker cannot combine two accumulators any more.
        Operator::Fold { results, rate, order: FoldOrder::Strict, worker, init, ins, span }
    }

    /// The worker of a step and the series that it reads. The position becomes a series as well.
    fn with_position(
        &mut self,
        step: MapOperator,
        done: &mut Vec<JoinedOperator>,
    ) -> (Worker, Vec<SeriesId>) {
        let MapOperator { rate, worker, ins, span, .. } = step;
        let mut position = None;
        let ins = ins.into_iter().map(|of| match of {
            MapInput::Series(id) => id,
            MapInput::Position => *position.get_or_insert_with(|| {
                let (name, ty) = (Name::new_static("i"), Type::Scalar(Scalar::I64));
                self.series.push(Series { name, rate, ty })
            }),
        });
        let ins = ins.collect();
        if let Some(position) = position {
            let ty = Type::Scalar(Scalar::I64);
            let param = self.vars.push(Var { name: Name::new_static("i"), ty });
            let body = Block { binds: Vec::new(), results: vec![Atom::Var(param)] };
            let worker = Worker { params: vec![param], body };
            let outs = vec![position];
            done.push(JoinedOperator::Other(Operator::Generate { outs, rate, worker, span }));
        }
        (worker, ins)
    }

    fn operators(&mut self, slot: JoinedOperator) -> Vec<Operator> {
        let step = match slot {
            JoinedOperator::Step(step) => step,
            JoinedOperator::Other(operator) => return vec![operator],
        };
        if step.ins == [MapInput::Position] {
            let MapOperator { outs, rate, worker, span, .. } = step;
            return vec![Operator::Generate { outs, rate, worker, span }];
        }
        let (outs, rate, span) = (step.outs.clone(), step.rate, step.span);
        let mut before = Vec::new();
        let (worker, ins) = self.with_position(step, &mut before);
        before.push(JoinedOperator::Other(Operator::Map { outs, rate, worker, ins, span }));
        before.into_iter().flat_map(|slot| self.operators(slot)).collect()
    }
}

impl JoinedOperator {
    fn of(operator: Operator) -> Self {
        #[allow(clippy::wildcard_enum_match_arm, reason = "only these are joined")]
        match operator {
            Operator::Map { outs, rate, worker, ins, span } => {
                let ins = ins.into_iter().map(MapInput::Series).collect();
                Self::Step(MapOperator { outs, rate, worker, ins, span })
            }
            Operator::Generate { outs, rate, worker, span } => {
                Self::Step(MapOperator { outs, rate, worker, ins: vec![MapInput::Position], span })
            }
            _ => Self::Other(operator),
        }
    }

    /// The series that it makes.
    fn makes(&self) -> &[SeriesId] {
        match self {
            Self::Step(step) => &step.outs,
            Self::Other(operator) => operator.outs(),
        }
    }
}

/// Whether the worker has loops of its own.
fn has_loops(worker: &Worker) -> bool {
    !worker.body.binds.iter().all(|bind| bind.op.is_scalar())
}

impl MapOperator {
    /// The step that runs this one and then `next`. `next` may read the results of this step, the same inputs, or
    /// both. The sizes of its arrays have the values that its parameters stood for.
    fn compose(self, next: Self, sizes: &mut PrimaryMap<SizeId, SizeInfo>) -> Self {
        let Self { mut outs, rate, mut worker, mut ins, span } = self;
        let mut renamed = Vec::new();
        for (&param, &input) in next.worker.params.iter().zip(&next.ins) {
            let made = outs.iter().position(|&out| input == MapInput::Series(out));
            if let Some(place) = made {
                renamed.push((param, worker.body.results[place]));
            } else if let Some(place) = ins.iter().position(|&known| known == input) {
                renamed.push((param, Atom::Var(worker.params[place])));
            } else {
                ins.push(input);
                worker.params.push(param);
            }
        }
        for (_, SizeInfo { def, .. }) in sizes.iter_mut() {
            let known = renamed.iter().find(|(param, _)| *def == SizeDef::Value(*param));
            match known {
                Some(&(_, Atom::Var(var))) => *def = SizeDef::Value(var),
                Some(&(param, constant)) => {
                    let copy = Bind { vars: vec![param], op: copy(constant), span: next.span };
                    worker.body.binds.push(copy);
                }
                None => {}
            }
        }
        let mut body = next.worker.body;
        body.substitute(&renamed.into_iter().collect::<IndexMap<_, _>>());
        worker.body.binds.extend(body.binds);
        worker.body.results.extend(body.results);
        outs.extend(next.outs);
        Self { outs, rate, worker, ins, span }
    }
}

/// Counts the uses of each series.
fn note_uses(operators: &[Operator], used: &mut IndexMap<SeriesId, usize>) {
    for operator in operators {
        operator.ins().into_iter().for_each(|id| *used.entry(id).or_default() += 1);
        note_uses(operator.inner(), used);
    }
}

/// Drops the results of joined steps that are not used any more.
fn trim(operators: &mut [Operator], joined: &IndexSet<SeriesId>, used: &IndexMap<SeriesId, usize>) {
    for operator in operators {
        if let Operator::Map { outs, worker, .. } | Operator::Generate { outs, worker, .. } =
            operator
        {
            let stays = |out: &SeriesId| !joined.contains(out) || used.contains_key(out);
            let mut live: Vec<bool> = outs.iter().map(stays).collect();
            if !live.contains(&true) {
                // The steps run for their effect, and a series says how often.
                live.iter_mut().take(1).for_each(|live| *live = true);
            }
            retain_live(&mut worker.body.results, &live);
            retain_live(outs, &live);
        } else if let Some(inner) = operator.inner_mut() {
            trim(inner, joined, used);
        }
    }
}
