//! A pass in vectors of our own, where LLVM would run it one step at a time.
//!
//! LLVM's vectoriser takes no loop that stores elements where a flag holds, none with an accumulator that is chosen
//! from the elements, no scan, and no division of integers. Here such a loop runs many steps at once, and the scalar
//! loop that follows runs the remaining steps:
//!
//! ```text
//! enter:  constants, accumulators           if there are enough elements, and no divisor is 0
//! vector: two vectors of steps              … leaves for the scalar loop if one of them would fail
//! rest:   one vector of steps               where scalar steps take long, and nothing can fail; of folds also
//!                                           a last one, without the steps that were made before
//! done:   accumulators combined
//! loop:   the scalar loop, from where the vectors ended
//! ```
//!
//! A loop that LLVM can vectorise runs in vectors of ours only if its arrays are larger than the caches: its results
//! are then written past them.
//!
//! A guard is a mask: its body runs for all lanes where it cannot fail, changes no accumulator
//! where the flag does not hold, and stores the kept elements next to each other.
//!
//! Invariant: a step that fails runs in the scalar loop, with the state before that step. So errors are those of scalar
//! code, and the vector loop itself never fails. (The scalar loop repeats the stores that the vector loop made before
//! it was left.)

mod body;
mod column_folds;
mod compaction;
mod cross_tiles;
mod deferred_guards;
mod divide;
mod inner_bodies;
mod inner_guards;
mod inner_loops;
mod lanes;
mod lanes_of_steps;
mod last_vector_first;
mod legality;
mod loads;
mod local_arrays;
mod masked_guards;
mod masks;
mod plan;
mod planning;
mod profitability;
mod reductions;
mod row_interchange;
mod row_reductions;
mod rows;
mod shape;
pub(super) mod short_rows;
mod signed_extremes;
mod state;
mod store_coalescing;
mod streaming_stores;
mod techniques;
mod tile;
mod vector_iterations;
mod vector_loop;
mod vector_strips;

use std::collections::{BTreeMap, BTreeSet};

use arrc_fusion::cnf::Atom;
use arrc_loops::concrete::{Nest, Stmt, Worker};
use arrc_syntax::ids::{AccId, VarId};
use arrc_syntax::prim::Reassociation;
use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::values::IntValue;

use self::divide::Reciprocal;
use self::plan::{Plan, Role};
use self::planning::planned;
use self::streaming_stores::Stores;
use self::vector_iterations::{AfterLoop, vector_loop, vector_loop_if_any};
use self::vector_loop::{Extremes, VectorLoop};
use super::pass::{Grouping, Pass, Steps, stmts};
use super::scalar::strip_guards;
use crate::code::FunctionBuilder;
use crate::function::function_body::Body;
use crate::loops::nesting::Level;
use crate::note::{Note, Obstacle, Technique};
use crate::unit::built;
use crate::value::Array;

/// The steps that vectors leave to the scalar loop.
pub(super) struct RemainingSteps<'ctx> {
    /// The step that it begins with.
    pub(super) from: IntValue<'ctx>,
    /// The steps of the shortest vector, if each lane runs the loops of its own step in their order.
    pub(super) in_order: Option<u32>,
    /// There are fewer of them than the shortest vector has lanes.
    pub(super) are_few: bool,
}

/// Lowers the steps that run in vectors.
pub(super) fn lower<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
) -> RemainingSteps<'ctx> {
    let (mut in_order, mut are_few) = (None, false);
    let from = if let Some(rows) = rows(pass, run) {
        pass.at_once = Some(rows.plan.parts);
        rows::lower(pass, run, &rows)
    } else if let Some(flat) = flat(pass, run) {
        column_folds::lower(pass, run, &flat)
    } else if let Some(carried) = carried(pass, run) {
        let row = carried.row_of(pass);
        row_interchange::lower(pass, [run.from, run.to], &carried, &row)
    } else if let Some(plan) = plan(pass, run) {
        let in_place = profitability::changes_row(&plan.facts, run, pass.level);
        let shorter = shape::shorter(&plan, in_place);
        let least = shorter.as_ref().unwrap_or(&plan);
        in_order = plan.facts.loops.then_some(least.steps(1));
        are_few = in_place && !plan.facts.may_fail && least.lanes <= shape::LEAST_LANES;
        pass.at_once = plan.facts.loops.then_some(plan.steps(1));
        let from = planned_steps(pass, run, &plan);
        match shorter {
            Some(shorter) => planned_steps(pass, Steps { from, ..run }, &shorter),
            None => from,
        }
    } else {
        run.from
    };
    RemainingSteps { from, in_order, are_few }
}

/// Lowers the steps of an inner loop that run in vectors, if they do more than a guard that runs behind a strip of
/// them. Returns the step that the scalar loop begins with.
pub(super) fn lower_inner<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
) -> IntValue<'ctx> {
    let Some(plan) = inner_plan(pass, run) else { return run.from };
    let notes = &mut pass.body.code.unit.notes;
    let name = run.procedure.name.to_string();
    if let Some(note) = notes.iter_mut().rev().find(|note| note.name == name) {
        note.means.insert(Technique::Inner);
    }
    let from = planned_steps(pass, run, &plan);
    match shape::shorter(&plan, false) {
        Some(shorter) => planned_steps(pass, Steps { from, ..run }, &shorter),
        None => from,
    }
}

/// The plan of an inner loop. Other inner loops are left to LLVM: their steps may write to an array, or combine
/// elements.
fn inner_plan<'ctx>(pass: &Pass<'_, '_, 'ctx, '_>, run: Steps<'ctx, '_>) -> Option<Plan> {
    let unit = &pass.body.code.unit;
    if !unit.vectors || !matches!(run.inner, [Nest::Guard(_)]) {
        return None;
    }
    let binds = |stmt: &Stmt| !matches!(stmt, Stmt::Update { .. } | Stmt::Write { .. });
    if !run.release.is_empty() || !run.body.iter().all(binds) {
        return None;
    }
    let plan = planned(run, pass.body.function, unit.isa, Level::Inner).ok()?;
    let only_defers =
        plan.facts.deferred.is_some() && plan.facts.roles.values().flatten().count() == 1;
    (plan.gains && only_defers).then_some(plan)
}

/// Lowers the steps that run in vectors by a plan, and returns the step that the scalar loop begins with.
fn planned_steps<'ctx, 'p>(
    pass: &mut Pass<'_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    plan: &Plan,
) -> IntValue<'ctx> {
    let mut end = end(pass, plan, run, plan.steps(plan.parts));
    let rest = plan.has_rest.then(|| self::end(pass, plan, run, plan.steps(1)));
    let streams = (!plan.streams.is_empty()).then(|| streaming_stores::may_stream(pass, plan, run));
    if let Some(streams) = streams
        && !plan.gains
    {
        // For arrays that fit in the caches, LLVM's own loop is as good.
        end = pass.body.code.select(streams, end.into(), run.from.into()).into_int_value();
    }
    let code = &pass.body.code;
    let [enter, scalar] = ["vector.enter", "scalar"].map(|name| code.block(name));
    let before = code.current_block();
    let runs = code.compare(IntPredicate::NE, rest.unwrap_or(end), run.from);
    code.branch(runs, enter, scalar);
    code.b.position_at_end(enter);
    let reciprocals = reciprocals(pass, plan);
    let mut incoming = vec![(run.from, before)];
    for (stores, block) in loops(&pass.body.code, plan, streams) {
        pass.body.code.b.position_at_end(block);
        let choices = reductions::choices(stmts(run).into_iter(), &plan.facts.roles);
        let mut vectors = VectorLoop::new(pass, plan.clone(), stores, reciprocals.clone(), choices);
        let from = match cross_tiles::inner(run).filter(|_| plan.facts.tiled) {
            Some(inner) => vectors.tiles(run, inner, end),
            None => vector_loops_again(&mut vectors, run, end, rest),
        };
        if stores == Stores::Streamed {
            pass.body.code.end_streams();
        }
        incoming.push((from, pass.body.code.current_block()));
        pass.body.code.jump(scalar);
    }
    let code = &pass.body.code;
    code.b.position_at_end(scalar);
    let phi = built(code.b.build_phi(code.types.i64, "from"));
    for (from, block) in &incoming {
        phi.add_incoming(&[(from, *block)]);
    }
    phi.as_basic_value().into_int_value()
}

/// The rows that the steps make, if several are made at once. Adds a note then.
fn rows<'p>(pass: &mut Pass<'_, '_, '_, 'p>, run: Steps<'_, 'p>) -> Option<rows::RowTiling<'p>> {
    let unit = &mut pass.body.code.unit;
    if !unit.vectors {
        return None;
    }
    let rows = rows::of(run, pass.body.function, unit.isa)?;
    let shape = Ok([rows.plan.lanes, rows.plan.parts]);
    let means =
        std::iter::once(Technique::Rows).chain(rows.is_in_spans().then_some(Technique::Spans));
    let name = run.procedure.name.to_string();
    unit.notes.push(Note { name, shape, means: means.collect(), outcome: None });
    Some(rows)
}

/// The folds of columns that the steps consist of, if they can run along memory. Adds a note then.
fn flat(pass: &mut Pass<'_, '_, '_, '_>, run: Steps<'_, '_>) -> Option<column_folds::ColumnFolds> {
    let unit = &mut pass.body.code.unit;
    if !unit.vectors {
        return None;
    }
    let flat = column_folds::of(run, pass.body.function, unit.isa)?;
    let shape = Ok([flat.lanes, flat.vectors]);
    let name = run.procedure.name.to_string();
    unit.notes.push(Note { name, shape, means: BTreeSet::from([Technique::Flat]), outcome: None });
    Some(flat)
}

/// The row that the steps change, if vectors of it can go through all steps. Adds a note then.
fn carried<'p>(
    pass: &mut Pass<'_, '_, '_, 'p>,
    run: Steps<'_, 'p>,
) -> Option<row_interchange::CarriedRow<'p>> {
    let unit = &mut pass.body.code.unit;
    if !unit.vectors {
        return None;
    }
    let carried = row_interchange::of(run, pass.body.function, unit.isa)?;
    let shape = Ok([carried.plan.lanes, row_interchange::VECTORS]);
    let name = run.procedure.name.to_string();
    unit.notes.push(Note {
        name,
        shape,
        means: BTreeSet::from([Technique::Carried]),
        outcome: None,
    });
    Some(carried)
}

/// Runs the steps of a loop that change a row in its place, if vectors of it can go through all steps. Returns the
/// first step that is left then.
pub(crate) fn change_row<'ctx, 'p>(
    body: &mut Body<'_, 'ctx, 'p>,
    worker: &'p Worker,
    bounds: [IntValue<'ctx>; 2],
    row: &Array<'ctx>,
) -> Option<IntValue<'ctx>> {
    let unit = &body.code.unit;
    if !unit.vectors {
        return None;
    }
    let carried = row_interchange::of_loop(worker, bounds, body.function, unit.isa)?;
    let shape = Ok([carried.plan.lanes, row_interchange::VECTORS]);
    let name = carried.name();
    let means = BTreeSet::from([Technique::Carried]);
    body.code.unit.notes.push(Note { name, shape, means, outcome: None });
    Some(row_interchange::lower(body, bounds, &carried, row))
}

/// The plan of a pass that runs in vectors. Adds a note.
fn plan<'ctx>(pass: &mut Pass<'_, '_, 'ctx, '_>, run: Steps<'ctx, '_>) -> Option<Plan> {
    let unit = &pass.body.code.unit;
    let plan = if unit.vectors {
        let plan = planned(run, pass.body.function, unit.isa, pass.level);
        plan.and_then(|plan| if reorders(&plan, pass) { Err(Obstacle::Order) } else { Ok(plan) })
    } else {
        Err(Obstacle::Off)
    };
    let shape = match &plan {
        Ok(plan) if plan.gains => Ok([plan.lanes, plan.parts]),
        Ok(_) => Err(Obstacle::Plain),
        Err(why) => Err(*why),
    };
    let mut means = plan
        .as_ref()
        .map_or_else(|_| BTreeSet::new(), |plan| techniques::techniques(plan, run, pass));
    let is_few =
        |nest: &Nest| matches!(nest, Nest::Loop(nest) if pass.bounded_trips(nest).is_some());
    if shape.is_err() && run.inner.iter().any(is_few) {
        means.insert(Technique::Few);
    }
    let name = run.procedure.name.to_string();
    pass.body.code.unit.notes.push(Note { name, shape, means, outcome: None });
    let plan = grouped(plan.ok(), pass.required_grouping);
    pass.grouping = Some(plan.as_ref().map_or(Grouping::Single, grouping));
    plan
}

/// Whether a plan would give sums of floats other bits than the lanes of the pass around it, which left this step over.
fn reorders(plan: &Plan, pass: &Pass<'_, '_, '_, '_>) -> bool {
    let is_inexact = |acc: AccId| match plan.facts.roles[acc] {
        Some(Role::Each(op) | Role::Scan(op) | Role::Exscan(op)) => {
            op.fold() == Reassociation::Sum && pass.acc_type(acc).is_float()
        }
        None | Some(Role::Counter | Role::Count | Role::Choice) => false,
    };
    pass.body.is_left_over && pass.procedure.accs.keys().any(is_inexact)
}

/// The plan that combines elements in the order that is asked for, if it can.
fn grouped(plan: Option<Plan>, order: Option<Grouping>) -> Option<Plan> {
    match order {
        None | Some(Grouping::Depends) => plan,
        Some(Grouping::Single) => None,
        Some(Grouping::Vectors(lanes)) => {
            plan.map(|plan| Plan { lanes: lanes.min(plan.lanes), ..plan })
        }
    }
}

/// The order in which a plan combines elements.
fn grouping(plan: &Plan) -> Grouping {
    let facts = &plan.facts;
    let is_sure = plan.gains
        && !facts.may_fail
        && !facts.loops
        && facts.divisors.is_empty()
        && facts.gathered.is_empty();
    if is_sure { Grouping::Vectors(plan.lanes) } else { Grouping::Depends }
}

/// The loops of a pass, and the steps that they begin with. The builder is at the place where the choice between them
/// is made.
fn loops<'ctx>(
    code: &FunctionBuilder<'_, 'ctx, '_>,
    plan: &Plan,
    streams: Option<IntValue<'ctx>>,
) -> Vec<(Stores, BasicBlock<'ctx>)> {
    match streams {
        Some(streams) if plan.gains => {
            let [past, into] = ["vector.past", "vector.into"].map(|name| code.block(name));
            code.branch(streams, past, into);
            vec![(Stores::Streamed, past), (Stores::Cached, into)]
        }
        Some(_) => vec![(Stores::Streamed, code.current_block())],
        None => vec![(Stores::Cached, code.current_block())],
    }
}

/// The end of a vector loop whose step runs `step` steps of the pass. The loop runs whole steps only, and none if a
/// divisor is zero or an array that it reads is empty.
fn end<'ctx>(
    pass: &Pass<'_, '_, 'ctx, '_>,
    plan: &Plan,
    run: Steps<'ctx, '_>,
    step: u32,
) -> IntValue<'ctx> {
    let Steps { from, to, .. } = run;
    let code = &pass.body.code;
    let divisors = plan.facts.divisors.iter().map(|&var| pass.body.int(Atom::Var(var)));
    let extents =
        plan.facts.gathered.iter().flat_map(|&var| &pass.body.var(var).array(var).shape).copied();
    let mut steps = {
        let length = built(code.b.build_int_sub(to, from, ""));
        let mask = code.types.i64.const_int(!u64::from(step - 1), false);
        built(code.b.build_and(length, mask, ""))
    };
    if plan.facts.widest < 8 && plan.facts.has(|role| role == Role::Choice) {
        // With this bound, the number of a step fits in 32 bits.
        let (i64, most) = (code.types.i64.into(), code.size(1 << 33));
        let least = code.call_intrinsic("llvm.umin", &[i64], &[steps.into(), most.into()]);
        steps = least.into_int_value();
    }
    if !plan.facts.locals.is_empty() {
        let room = local_arrays::has_room(pass, plan);
        let none = pass.body.code.size(0);
        steps = built(pass.body.code.b.build_select(room, steps, none, "")).into_int_value();
    }
    let code = &pass.body.code;
    if let Some(inner) = cross_tiles::inner(run).filter(|_| plan.facts.tiled) {
        let lanes = code.size(u64::from(plan.lanes));
        let short = code.compare(IntPredicate::ULT, pass.length(&inner.length), lanes);
        steps = built(code.b.build_select(short, code.size(0), steps, "")).into_int_value();
    }
    for number in divisors.chain(extents) {
        let zero = code.compare(IntPredicate::EQ, number, number.get_type().const_zero());
        steps = built(code.b.build_select(zero, code.size(0), steps, "")).into_int_value();
    }
    code.add_index(from, steps)
}

fn reciprocals<'ctx>(
    pass: &mut Pass<'_, '_, 'ctx, '_>,
    plan: &Plan,
) -> BTreeMap<VarId, Reciprocal<'ctx>> {
    let mut reciprocals = BTreeMap::new();
    for &var in &plan.facts.divisors {
        let ty = pass.body.scalar_type(Atom::Var(var));
        let divisor = pass.body.int(Atom::Var(var));
        reciprocals.insert(var, pass.body.code.reciprocal(ty, divisor, plan.lanes));
    }
    reciprocals
}

/// The loops over vectors, and the accumulators after them. Extremes are looked for without the signs of zeros first,
/// and with them only where they matter. Returns the first step that is left.
fn vector_loops_again<'ctx, 'p>(
    vectors: &mut VectorLoop<'_, '_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    end: IntValue<'ctx>,
    rest: Option<IntValue<'ctx>>,
) -> IntValue<'ctx> {
    vectors.extremes = signed_extremes::extremes(vectors.pass, &vectors.plan, run);
    let made = vector_loops(vectors, run, end, rest);
    if vectors.extremes == Extremes::Exact {
        let result = vectors.state.clone();
        vectors.finish(&result);
        return made;
    }
    let result = vectors.state.clone();
    let is_open = vectors.sign_is_unknown(&result);
    let code = &vectors.pass.body.code;
    let [again, found, done] =
        ["vector.again", "vector.found", "vector.signed"].map(|n| code.block(n));
    code.branch(is_open, again, found);
    code.b.position_at_end(found);
    vectors.finish(&result);
    let code = &vectors.pass.body.code;
    let found = code.current_block();
    code.jump(done);
    code.b.position_at_end(again);
    vectors.extremes = Extremes::Exact;
    let exact = vector_loops(vectors, run, end, rest);
    let result = vectors.state.clone();
    vectors.finish(&result);
    let code = &vectors.pass.body.code;
    let again = code.current_block();
    code.jump(done);
    code.b.position_at_end(done);
    let phi = built(code.b.build_phi(made.get_type(), "made"));
    phi.add_incoming(&[(&made, found), (&exact, again)]);
    phi.as_basic_value().into_int_value()
}

/// The loop over vectors up to step `end`, and the loop over single vectors up to `rest`, if there is one. Returns the
/// first step that is left.
fn vector_loops<'ctx, 'p>(
    vectors: &mut VectorLoop<'_, '_, '_, 'ctx, 'p>,
    run: Steps<'ctx, 'p>,
    end: IntValue<'ctx>,
    rest: Option<IntValue<'ctx>>,
) -> IntValue<'ctx> {
    vectors.state = vectors.first_state();
    let deferred = vectors.plan.facts.deferred.clone();
    let behind = deferred.as_ref().and_then(|deferred| {
        Some((deferred, strip_guards::guard_of(run.inner, deferred.counter)?))
    });
    let is_ahead =
        last_vector_first::computes_last_first(&vectors.plan.facts, run, vectors.pass.level);
    let made = match (behind, rest) {
        (None, Some(_)) if is_ahead => vectors.last_vector_first(run),
        (Some(behind), _) => vector_strips::strips(vectors, run, behind, end),
        (None, None) => vector_loop(vectors, run, end),
        (None, Some(_)) if short_rows::vectors_of(run, &vectors.plan).is_some() => {
            vectors.without_loop(run)
        }
        (None, Some(rest)) => {
            let from = vector_loop_if_any(vectors, run, end, AfterLoop::Join);
            let parts = std::mem::replace(&mut vectors.plan.parts, 1);
            let rest = if vectors.may_repeat(run) { run.to } else { rest };
            let made = vector_loop_if_any(vectors, Steps { from, ..run }, rest, AfterLoop::Keep);
            let made =
                if vectors.ends_in_vector(run) { vectors.last_vector(run, made) } else { made };
            vectors.plan.parts = parts;
            made
        }
    };
    vectors.finish_inner_guards(run);
    made
}
