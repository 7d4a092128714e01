//! The outline of a function from its loop nests.
//!
//! Invariant: a pass that occurs several times, as in the code for long and for short arrays, is in the outline where it
//! occurs first.
//!
//! ```text
//! procedure f_1 …; ys = loop xs for k do \xs i -> procedure f.loop_1 …   ⇒   pass 1; loop { pass 2 }
//! ```

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::storage::results;
use super::{
    ArrayUse, IfItem, Item, LoopItem, Lowering, Outline, OutlineNode, PassItem, Stamp, Storage,
    WholeItem, WholeOperation,
};
use crate::explain::labels::user_place;
use crate::explain::symbols;
use crate::explain::symbols::Symbols;
use crate::explain::{Cluster, Explanation, Parallelism};
use arrc_fusion::cnf::{Callee, Type, UNNAMED_SCALAR};
use arrc_fusion::tables::Tables;
use arrc_loops::access;
use arrc_loops::access::Accesses;
use arrc_loops::concrete::{
    Block, End, LoopForm, Memory, Procedure, Program, Start, Step, Stmt, Worker,
};
use arrc_loops::memory::reuse::{ReuseObstacle, obstacle};
use arrc_syntax::ids::{AccId, FuncId, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::source::{Sources, Span};

/// What outlines are made from.
pub(super) struct Context<'a> {
    pub(super) program: &'a Program,
    pub(super) sources: &'a Sources,
    pub(super) lowering: &'a Lowering,
    pub(super) sharing: &'a Parallelism,
}

/// The outline of a function with these explanations of its blocks.
pub(super) fn outline<'a>(
    context: &Context<'_>,
    function: FuncId,
    blocks: Vec<&'a Explanation>,
) -> Outline<'a> {
    let program = context.program;
    let of = &program.functions[function];
    let procedures = blocks.iter().flat_map(|block| {
        block.clusters.iter().map(|cluster| (cluster.procedure.as_str(), (*block, cluster)))
    });
    let labels = blocks.iter().flat_map(|block| &block.arrays);
    let mut walk = Walk {
        context,
        tables: &of.tables,
        own: &of.tables,
        span: of.span,
        procedures: procedures.collect(),
        labels: labels.map(|(var, label)| (*var, label.as_str())).collect(),
        part: None,
        arguments: of.params.iter().filter(|param| !of.owned.contains(param)).copied().collect(),
        accesses: access::passes::of_function(of).into_iter().collect(),
        symbols: Symbols::new(&of.tables).with_new_names(&of.tables),
        results: results(&of.body),
        seen: BTreeSet::new(),
        in_pass: false,
        repeated_passes: 0,
        now: 0,
        arrays: IndexMap::new(),
    };
    let items = walk.block(&of.body);
    let mut arrays = merged(walk.arrays.into_values());
    for array in arrays.iter_mut().filter(|array| array.is_result) {
        array.alive[1] = walk.now;
    }
    let body = blocks.iter().find(|block| block.is_body);
    let params = of.params.iter().filter(|&&param| of.tables.vars[param].ty.is_array());
    let params = params.map(|&param| of.tables.vars[param].name.to_string());
    let strided = body.and_then(|body| body.strided.as_ref());
    Outline {
        name: of.name.to_string(),
        span: of.span,
        allocated: body.and_then(|body| body.allocated.clone()),
        copied_if_strided: strided
            .map_or_else(Vec::new, |kept| params.filter(|param| !kept.contains(param)).collect()),
        blocks,
        items,
        arrays,
    }
}

/// Arrays of the program. Code that was copied, such as a peeled step, makes an array of the program at several places.
fn merged(all: impl Iterator<Item = ArrayUse>) -> Vec<ArrayUse> {
    let mut arrays: Vec<ArrayUse> = Vec::new();
    for array in all {
        let is_same = |other: &&mut ArrayUse| {
            (&other.name, &other.ty, &other.span) == (&array.name, &array.ty, &array.span)
                && other.bytes == array.bytes
                && other.storage == array.storage
        };
        match arrays.iter_mut().find(is_same) {
            Some(other) => {
                other.alive[0] = other.alive[0].min(array.alive[0]);
                other.alive[1] = other.alive[1].max(array.alive[1]);
                other.not_in_place = other.not_in_place.take().or(array.not_in_place);
            }
            None => arrays.push(array),
        }
    }
    arrays
}

struct Walk<'w, 'a> {
    context: &'w Context<'w>,
    /// Those of the function, or of the part that the walk is in.
    tables: &'w Tables,
    /// Those of the function.
    own: &'w Tables,
    /// The name of the function in the source.
    span: Span,
    /// The clusters by the names of their procedures, with their blocks.
    procedures: BTreeMap<&'a str, (&'a Explanation, &'a Cluster)>,
    /// The labels of the arrays of the function.
    labels: IndexMap<VarId, &'a str>,
    /// The part of the function that the walk is in.
    part: Option<Part>,
    /// The parameters that the caller keeps.
    arguments: BTreeSet<VarId>,
    /// The accesses of the passes.
    accesses: IndexMap<Name, Accesses>,
    symbols: Symbols,
    results: BTreeSet<VarId>,
    /// The procedures so far.
    seen: BTreeSet<String>,
    in_pass: bool,
    /// How often a pass was met that is in the outline already.
    repeated_passes: usize,
    /// The stamp of the next item.
    now: Stamp,
    /// The arrays so far. Each part of the function has variables of its own.
    arrays: IndexMap<Place, ArrayUse>,
}

/// A variable of the function, or of the part that is named.
type Place = (Option<FuncId>, VarId);

/// A part of a function, which runs as a task.
struct Part {
    id: FuncId,
    /// Its call.
    call: Span,
    /// Its variables that are variables of the function.
    in_caller: IndexMap<VarId, VarId>,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &Block) -> Vec<Item> {
        let mut items = Vec::new();
        for (at, step) in block.steps.iter().enumerate() {
            items.extend(self.step(step));
            if let Step::Pass(pass) = step {
                let ends = block.steps[at + 1..].iter().map_while(|step| {
                    if let Step::Release { array } = step { Some(*array) } else { None }
                });
                self.not_in_place(pass, &ends.collect::<Vec<_>>());
            }
        }
        items
    }

    /// Notes why the vectors of a pass are not made in the memory of arrays that end with it.
    fn not_in_place(&mut self, pass: &Procedure, ends: &[VarId]) {
        let Some(accesses) = self.accesses.get(&pass.name) else { return };
        let allocated = pass.start.iter().filter_map(|start| match start {
            Start::NewVec { vec, memory: Memory::New, .. } => Some(*vec),
            Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
        });
        for vector in allocated {
            let used = ends.iter().filter(|&&array| accesses.of(array).next().is_some());
            let obstacles = used.filter_map(|&array| {
                Some((array, obstacle(pass, (array, vector), self.tables, accesses)?))
            });
            let why = obstacles.max_by_key(|(_, why)| *why != ReuseObstacle::OtherShape);
            let why = why.map(|(array, why)| (self.label(array), why));
            let place = self.variable(vector);
            if let Some(array) = self.arrays.get_mut(&place) {
                array.not_in_place = why;
            }
        }
    }

    fn step(&mut self, step: &Step) -> Vec<Item> {
        self.symbols.step(step, self.tables);
        self.stored(step);
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others are no items")]
        let item = match step {
            Step::Pass(pass) => self.pass(pass),
            Step::Loop { form, init, worker, span, .. } => {
                self.use_arrays(init.iter().filter_map(|init| init.as_var()));
                self.repeated(form, init.len(), worker, *span)
            }
            Step::If { then, otherwise, .. } => {
                return self.choice(then, otherwise);
            }
            Step::Call { callee: Callee::Function(callee), vars, args, span, .. }
                if self.context.program.is_part(*callee) =>
            {
                let args: Vec<_> = args.iter().map(|arg| arg.as_var()).collect();
                return self.part((*callee, *span), vars, &args);
            }
            Step::Call { callee: Callee::Function(callee), span, .. } => {
                let name = self.context.program.functions[*callee].name.to_string();
                Some(self.whole(WholeOperation::Call, name, *span))
            }
            Step::Call { callee: Callee::External(callee), span, .. } => {
                let name = self.context.program.externals[*callee].name.to_string();
                Some(self.whole(WholeOperation::External, name, *span))
            }
            Step::Sort { var, span, .. } => {
                Some(self.whole(WholeOperation::Sort, self.label(*var), *span))
            }
            Step::Copy { array, span, .. } => {
                let is_argument =
                    self.original(*array).is_some_and(|of| self.arguments.contains(&of));
                let what =
                    if is_argument { WholeOperation::CopyArgument } else { WholeOperation::Copy };
                Some(self.whole(what, self.label(*array), *span))
            }
            Step::Unique { array, span, .. } => {
                Some(self.whole(WholeOperation::CopyIfShared, self.label(*array), *span))
            }
            Step::Append { var, placed: false, span, .. } => {
                Some(self.whole(WholeOperation::Append, self.label(*var), *span))
            }
            _ => None,
        };
        item.into_iter().collect()
    }

    /// The stamp of an item that begins here.
    fn stamp(&mut self) -> Stamp {
        self.now += 1;
        self.now - 1
    }

    /// A choice. If one branch runs nothing but passes that the outline has already, both branches run the same.
    fn choice(&mut self, then: &Block, otherwise: &Block) -> Vec<Item> {
        let stamp = self.stamp();
        let [(then, first), (otherwise, second)] = [then, otherwise].map(|branch| {
            let before = self.repeated_passes;
            (self.block(branch), self.repeated_passes > before)
        });
        if then.is_empty() && (otherwise.is_empty() || first) {
            return otherwise;
        }
        if otherwise.is_empty() && second {
            return then;
        }
        vec![Item::If(IfItem { then, otherwise, stamp })]
    }

    fn whole(&mut self, what: WholeOperation, name: String, span: Span) -> Item {
        let (library, span) = self.place(span);
        Item::Whole(WholeItem { what, name, span, library, stamp: self.stamp() })
    }

    /// The steps of a part of the function, which runs as a task and is called at that place.
    fn part(
        &mut self,
        (part, call): (FuncId, Span),
        vars: &[VarId],
        args: &[Option<VarId>],
    ) -> Vec<Item> {
        let of = &self.context.program.functions[part];
        let params = of.params.iter().zip(args);
        let mut names: IndexMap<VarId, VarId> =
            params.filter_map(|(&param, &arg)| Some((param, self.original(arg?)?))).collect();
        let results = of.body.results.iter().zip(vars);
        names.extend(
            results.filter_map(|(result, &var)| Some((result.as_var()?, self.original(var)?))),
        );
        let mut symbols = Symbols::new(&of.tables).with_new_names(&of.tables);
        for (&param, arg) in of.params.iter().zip(args) {
            let text = arg.and_then(|arg| self.symbols.scalar(arg.into(), self.tables));
            text.into_iter().for_each(|text| symbols.rename(param, text));
        }
        self.accesses.extend(access::passes::of_function(of));
        let tables = std::mem::replace(&mut self.tables, &of.tables);
        let around = self.part.replace(Part { id: part, call, in_caller: names });
        let symbols = std::mem::replace(&mut self.symbols, symbols);
        let items = self.block(&of.body);
        (self.tables, self.part, self.symbols) = (tables, around, symbols);
        items
    }

    /// The place in the user's files from which code comes, and the library function that is called there if it is code
    /// of the library.
    fn place(&self, span: Span) -> (Option<String>, Span) {
        let Context { program, sources, .. } = self.context;
        let (library, place) = user_place(span, sources, &program.calls);
        match self.part.as_ref().filter(|_| sources.get(place.file).is_library) {
            Some(Part { call, .. }) => user_place(*call, sources, &program.calls),
            None => (library, place),
        }
    }

    /// The variable of the function that a variable is; none for a variable of a part only.
    fn original(&self, var: VarId) -> Option<VarId> {
        self.part.as_ref().map_or(Some(var), |part| part.in_caller.get(&var).copied())
    }

    fn variable(&self, var: VarId) -> Place {
        match self.original(var) {
            Some(var) => (None, var),
            None => (self.part.as_ref().map(|part| part.id), var),
        }
    }

    fn repeated(
        &mut self,
        form: &LoopForm,
        carried: usize,
        worker: &Worker,
        span: Span,
    ) -> Option<Item> {
        let stamp = self.stamp();
        let (is_counted, steps, before) = match form {
            LoopForm::For { count } => (true, self.symbols.scalar(*count, self.tables), Vec::new()),
            LoopForm::While { cond } => (false, None, self.block(&cond.body)),
        };
        let mut items = before;
        items.extend(self.block(&worker.body));
        if items.is_empty() {
            return None;
        }
        // So arrays that are made behind the last item are in the loop.
        let end = self.stamp() + 1;
        self.keep_to_the_end(&worker.body);
        let carries = worker.params[..carried].iter();
        let carries = carries.filter_map(|&param| self.tables.user_name(param));
        let (library, span) = self.place(span);
        let carries = carries.map(ToString::to_string).collect();
        Some(Item::Loop(LoopItem { is_counted, steps, carries, span, library, items, stamp, end }))
    }

    /// Notes that the next item uses arrays.
    fn use_arrays(&mut self, used: impl Iterator<Item = VarId>) {
        for array in used {
            let (place, next) = (self.variable(array), self.now);
            if let Some(array) = self.arrays.get_mut(&place) {
                array.alive[1] = array.alive[1].max(next);
            }
        }
    }

    /// Notes that the arrays that a step of a loop gives to the next one are used until the loop ends.
    fn keep_to_the_end(&mut self, body: &Block) {
        let end = self.now - 1;
        for result in body.results.iter().filter_map(|result| result.as_var()) {
            let place = self.variable(result);
            if let Some(array) = self.arrays.get_mut(&place) {
                array.alive[1] = end;
            }
        }
    }

    fn pass(&mut self, pass: &Procedure) -> Option<Item> {
        if !self.seen.insert(pass.name.to_string()) {
            self.repeated_passes += 1;
            return None;
        }
        let stamp = self.stamp();
        let was_in_pass = std::mem::replace(&mut self.in_pass, true);
        let mut items = Vec::new();
        pass.nest.for_each_stmt(&mut |stmt| {
            if let Stmt::Apply { worker, .. } | Stmt::Update { worker, .. } = stmt {
                items.extend(self.block(&worker.body));
            }
        });
        self.in_pass = was_in_pass;
        let steps = self.symbols.length(&pass.nest.length, self.tables);
        let share =
            if self.in_pass { None } else { self.context.sharing.passes.get(pass.name.as_str()) };
        let mut item = PassItem {
            procedure: pass.name.to_string(),
            number: None,
            steps,
            nodes: Vec::new(),
            reads: Vec::new(),
            writes: Vec::new(),
            registers: Vec::new(),
            sharing: share.map(|share| share.sharing),
            vectors: self.context.lowering.get(pass.name.as_str()).cloned(),
            items,
            stamp,
        };
        if let Some((block, cluster)) = self.procedures.get(pass.name.as_str()) {
            item.describe(block, cluster);
            self.use_arrays_of(block, cluster, stamp);
        }
        Some(Item::Pass(Box::new(item)))
    }

    /// Notes the arrays that a cluster reads, and those that it has in registers.
    fn use_arrays_of(&mut self, block: &Explanation, cluster: &Cluster, own: usize) {
        for (var, label) in &block.arrays {
            if cluster.reads.contains(label)
                && let Some(array) = self.arrays.get_mut(&(None, *var))
            {
                array.alive[1] = array.alive[1].max(own);
            }
            if cluster.registers.contains(label) && !self.arrays.contains_key(&(None, *var)) {
                let node = cluster.nodes.iter().find(|&&node| block.nodes[node].vars.contains(var));
                let span = node.map_or(self.span, |&node| block.nodes[node].span);
                // In a part, formulas have other variables than the types of the function.
                let sizes_only = Symbols::new(self.own).with_new_names(self.own);
                let symbols = if self.part.is_none() { &self.symbols } else { &sizes_only };
                let ty = type_and_bytes(&self.own.vars[*var].ty, self.own, symbols);
                let place = (None, *var);
                let array = self.new_array(place, label.clone(), ty, Storage::Registers, span);
                self.arrays.insert(place, ArrayUse { alive: [own, own], ..array });
            }
        }
    }

    /// Notes the arrays that a step makes.
    fn stored(&mut self, step: &Step) {
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others make no array")]
        match step {
            Step::Array { var, memory, span, elems, .. } if !elems.is_empty() => {
                self.made(*var, memory, *span);
            }
            Step::Sort { var, memory, span, .. }
            | Step::Copy { var, memory, span, .. }
            | Step::Append { var, memory, span, placed: false, .. } => {
                self.made(*var, memory, *span);
            }
            Step::Unique { var, array, span } => {
                self.array(*var, Storage::InPlace(self.label(*array)), *span);
            }
            Step::Replace { var, array, span, .. } => {
                self.array(*var, Storage::InPlace(self.label(*array)), *span);
            }
            Step::Pass(pass) if !self.seen.contains(pass.name.as_str()) => self.made_by_pass(pass),
            _ => {}
        }
    }

    fn made_by_pass(&mut self, pass: &Procedure) {
        let mut init: IndexMap<AccId, VarId> = IndexMap::new();
        for start in &pass.start {
            match start {
                Start::NewVec { vec, memory, span, .. } => self.made(*vec, memory, *span),
                Start::NewAcc { acc, init: of } => init.extend(of.as_var().map(|of| (*acc, of))),
                Start::CheckSize { .. } => {}
            }
        }
        for end in &pass.end {
            if let End::Read { result, acc } = end
                && self.tables.vars[*result].ty.is_array()
                && let Some(&from) = init.get(acc)
            {
                // The initial array is the result.
                let span = self.place_of(*result);
                let initial = self.arrays.shift_remove(&self.variable(from));
                let storage = initial.map(|initial| initial.storage);
                let storage = storage.unwrap_or_else(|| Storage::InPlace(self.label(from)));
                self.array(*result, storage, span);
            }
        }
    }

    /// The place of the node that makes an array.
    fn place_of(&self, var: VarId) -> Span {
        let nodes = self.procedures.values().flat_map(|(block, _)| &block.nodes);
        let maker = self.original(var).and_then(|var| {
            nodes.into_iter().find(|node| node.vars.contains(&var)).map(|node| node.span)
        });
        maker.unwrap_or(self.span)
    }

    fn made(&mut self, var: VarId, memory: &Memory, span: Span) {
        let storage = Storage::of_memory(memory, |var| self.label(var));
        self.array(var, storage, span);
    }

    fn array(&mut self, var: VarId, storage: Storage, span: Span) {
        let place = self.variable(var);
        let ty = type_and_bytes(&self.tables.vars[var].ty, self.tables, &self.symbols);
        let array = self.new_array(place, self.label(var), ty, storage, span);
        self.arrays.entry(place).or_insert(array);
    }

    fn new_array(
        &self,
        (part, var): Place,
        name: String,
        (ty, bytes): (String, Option<String>),
        storage: Storage,
        span: Span,
    ) -> ArrayUse {
        let (library, span) = self.place(span);
        ArrayUse {
            name,
            ty,
            bytes,
            storage,
            not_in_place: None,
            is_result: part.is_none() && self.results.contains(&var),
            is_of_library: library.is_some(),
            alive: [self.now, self.now],
            span,
        }
    }

    /// The label of an array.
    fn label(&self, var: VarId) -> String {
        if let Some(label) = self.original(var).and_then(|var| self.labels.get(&var)) {
            return (*label).to_owned();
        }
        self.tables.user_name(var).map_or_else(|| "an array".to_owned(), ToString::to_string)
    }
}

/// The text of a type, and the number of bytes of an array of the type.
fn type_and_bytes(ty: &Type, tables: &Tables, symbols: &Symbols) -> (String, Option<String>) {
    let extents = ty.shape().iter().map(|&extent| symbols.extent(extent, tables));
    let extents: Vec<Option<String>> = extents.collect();
    let shape: String =
        extents.iter().map(|of| format!("[{}]", of.as_deref().unwrap_or("?"))).collect();
    let bytes = extents.into_iter().collect::<Option<Vec<_>>>();
    (format!("{shape}{}", ty.scalars()), bytes.map(|of| symbols::bytes(ty.scalars().bytes(), &of)))
}

/// Whether the name of a size is not from the program.
fn is_generated(size: &str) -> bool {
    size.trim_end_matches(|sign: char| sign.is_ascii_digit()) == UNNAMED_SCALAR
}

impl PassItem {
    /// Adds what the explanation of its block says about a pass.
    fn describe(&mut self, block: &Explanation, cluster: &Cluster) {
        self.number = cluster.number;
        self.nodes =
            cluster.nodes.iter().map(|&node| OutlineNode::of(&block.nodes[node])).collect();
        let size = cluster.nodes.first().and_then(|&node| block.nodes[node].size.clone());
        self.steps = self.steps.take().or(size.filter(|size| !is_generated(size)));
        self.reads.clone_from(&cluster.reads);
        self.writes.clone_from(&cluster.writes);
        self.registers.clone_from(&cluster.registers);
    }
}

impl OutlineNode {
    fn of(node: &crate::explain::Node) -> Self {
        Self {
            name: node.name.clone(),
            kind: node.kind,
            is_named: node.is_named,
            library: node.library.clone(),
            what: node.what.clone(),
            span: node.span,
        }
    }
}
