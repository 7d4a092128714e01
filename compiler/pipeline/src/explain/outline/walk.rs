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
use super::symbols::Symbols;
use super::{
    ArrayUse, Item, LoopItem, Lowering, Outline, OutlineNode, PassItem, Storage, WholeItem,
    WholeOperation,
};
use crate::explain::labels::user_place;
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
        span: of.span,
        procedures: procedures.collect(),
        labels: labels.map(|(var, label)| (*var, label.as_str())).collect(),
        in_caller: IndexMap::new(),
        call: None,
        arguments: of.params.iter().filter(|param| !of.owned.contains(param)).copied().collect(),
        accesses: access::passes::of_function(of).into_iter().collect(),
        symbols: Symbols::default(),
        results: results(&of.body),
        seen: BTreeSet::new(),
        in_pass: false,
        position: 0,
        arrays: IndexMap::new(),
    };
    let items = walk.block(&of.body);
    let (has_items, end) = (walk.position > 0, walk.position.saturating_sub(1));
    let mut arrays: Vec<ArrayUse> = walk.arrays.into_values().collect();
    for array in &mut arrays {
        let is_result = array.is_result;
        // An array that is made after an item, and by none, would begin at the next item. There may be no next one.
        let alive = array.alive.filter(|_| has_items);
        array.alive = alive.map(|[first, last]| {
            let last = if is_result { end } else { last.min(end) };
            [first.min(last), last]
        });
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

struct Walk<'w, 'a> {
    context: &'w Context<'w>,
    tables: &'w Tables,
    /// The name of the function in the source.
    span: Span,
    /// The clusters by the names of their procedures, with their blocks.
    procedures: BTreeMap<&'a str, (&'a Explanation, &'a Cluster)>,
    /// The labels of the arrays of the function.
    labels: IndexMap<VarId, &'a str>,
    /// The variables of a part of the function that are its caller's variables.
    in_caller: IndexMap<VarId, VarId>,
    /// The call of the part.
    call: Option<Span>,
    /// The parameters that the caller keeps.
    arguments: BTreeSet<VarId>,
    /// The accesses of the passes.
    accesses: IndexMap<Name, Accesses>,
    symbols: Symbols,
    results: BTreeSet<VarId>,
    /// The procedures so far.
    seen: BTreeSet<String>,
    in_pass: bool,
    /// The number of items so far.
    position: usize,
    arrays: IndexMap<String, ArrayUse>,
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
            let label = self.label(vector);
            let why = why.map(|(array, why)| (self.label(array), why));
            if let Some(array) = self.arrays.get_mut(&label) {
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
                let [then, otherwise] = [then, otherwise].map(|branch| self.block(branch));
                if otherwise.is_empty() {
                    return then;
                }
                if then.is_empty() {
                    return otherwise;
                }
                Some(Item::If(then, otherwise))
            }
            Step::Call { callee: Callee::Function(callee), vars, args, span, .. }
                if self.context.program.is_part(*callee) =>
            {
                let args: Vec<_> = args.iter().map(|arg| arg.as_var()).collect();
                let call = self.call.replace(*span);
                let items = self.part(*callee, vars, &args);
                self.call = call;
                return items;
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
                let is_argument = self.arguments.contains(&self.original(*array));
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

    fn whole(&mut self, what: WholeOperation, name: String, span: Span) -> Item {
        self.position += 1;
        let (library, span) = self.place(span);
        Item::Whole(WholeItem { what, name, span, library })
    }

    /// The steps of a part of the function, which runs as a task.
    fn part(&mut self, part: FuncId, vars: &[VarId], args: &[Option<VarId>]) -> Vec<Item> {
        let of = &self.context.program.functions[part];
        let params = of.params.iter().zip(args);
        let mut names: IndexMap<VarId, VarId> =
            params.filter_map(|(&param, &arg)| Some((param, self.original(arg?)))).collect();
        let results = of.body.results.iter().zip(vars);
        names.extend(
            results.filter_map(|(result, &var)| Some((result.as_var()?, self.original(var)))),
        );
        let mut symbols = Symbols::default();
        for (&param, arg) in of.params.iter().zip(args) {
            let text = arg.and_then(|arg| self.symbols.scalar(arg.into(), self.tables));
            text.into_iter().for_each(|text| symbols.rename(param, text));
        }
        let tables = std::mem::replace(&mut self.tables, &of.tables);
        let names = std::mem::replace(&mut self.in_caller, names);
        let symbols = std::mem::replace(&mut self.symbols, symbols);
        let items = self.block(&of.body);
        (self.tables, self.in_caller, self.symbols) = (tables, names, symbols);
        items
    }

    /// The place in the user's files from which code comes, and the library function that is called there if it is code
    /// of the library.
    fn place(&self, span: Span) -> (Option<String>, Span) {
        let Context { program, sources, .. } = self.context;
        let (library, place) = user_place(span, sources, &program.calls);
        match self.call.filter(|_| sources.get(place.file).is_library) {
            Some(call) => user_place(call, sources, &program.calls),
            None => (library, place),
        }
    }

    fn original(&self, var: VarId) -> VarId {
        self.in_caller.get(&var).copied().unwrap_or(var)
    }

    fn repeated(
        &mut self,
        form: &LoopForm,
        carried: usize,
        worker: &Worker,
        span: Span,
    ) -> Option<Item> {
        let own = self.position;
        self.position += 1;
        let (is_counted, steps, before) = match form {
            LoopForm::For { count } => (true, self.symbols.scalar(*count, self.tables), Vec::new()),
            LoopForm::While { cond } => (false, None, self.block(&cond.body)),
        };
        let mut items = before;
        items.extend(self.block(&worker.body));
        if items.is_empty() {
            self.position = own;
            return None;
        }
        self.keep_to_the_end(&worker.body);
        let carries = worker.params[..carried].iter();
        let carries = carries.filter_map(|&param| self.tables.user_name(param));
        let (library, span) = self.place(span);
        let carries = carries.map(ToString::to_string).collect();
        let positions = [own + 1, self.position - 1];
        Some(Item::Loop(LoopItem { is_counted, steps, carries, span, library, items, positions }))
    }

    /// Notes that the next item uses arrays.
    fn use_arrays(&mut self, used: impl Iterator<Item = VarId>) {
        for array in used {
            let (label, next) = (self.label(array), self.position);
            if let Some(ArrayUse { alive: Some([_, last]), .. }) = self.arrays.get_mut(&label) {
                *last = (*last).max(next);
            }
        }
    }

    /// Notes that the arrays that a step of a loop gives to the next one are used until the loop ends.
    fn keep_to_the_end(&mut self, body: &Block) {
        let end = self.position - 1;
        for result in body.results.iter().filter_map(|result| result.as_var()) {
            let label = self.label(result);
            if let Some(array) = self.arrays.get_mut(&label) {
                array.alive = array.alive.map(|[first, _]| [first, end]);
            }
        }
    }

    fn pass(&mut self, pass: &Procedure) -> Option<Item> {
        if !self.seen.insert(pass.name.to_string()) {
            return None;
        }
        let own = self.position;
        self.position += 1;
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
            work: share.map_or(0, |share| share.estimate.work),
            items,
        };
        if let Some((block, cluster)) = self.procedures.get(pass.name.as_str()) {
            item.describe(block, cluster);
            self.use_arrays_of(block, cluster, own);
        }
        Some(Item::Pass(Box::new(item)))
    }

    /// Notes the arrays that a cluster reads, and those that it has in registers.
    fn use_arrays_of(&mut self, block: &Explanation, cluster: &Cluster, own: usize) {
        for read in &cluster.reads {
            if let Some(ArrayUse { alive: Some([_, last]), .. }) = self.arrays.get_mut(read) {
                *last = (*last).max(own);
            }
        }
        for (var, label) in &block.arrays {
            if cluster.registers.contains(label) && !self.arrays.contains_key(label) {
                let node = cluster.nodes.iter().find(|&&node| block.nodes[node].vars.contains(var));
                let span = node.map(|&node| block.nodes[node].span);
                self.array(*var, Storage::Registers, span.unwrap_or(self.span));
                if let Some(array) = self.arrays.get_mut(label) {
                    array.alive = Some([own, own]);
                }
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
                let initial = self.arrays.shift_remove(&self.label(from));
                let storage = initial.map(|initial| initial.storage);
                let storage = storage.unwrap_or_else(|| Storage::InPlace(self.label(from)));
                self.array(*result, storage, span);
            }
        }
    }

    /// The place of the node that makes an array.
    fn place_of(&self, var: VarId) -> Span {
        let var = self.original(var);
        let nodes = self.procedures.values().flat_map(|(block, _)| &block.nodes);
        nodes
            .filter(|node| node.vars.contains(&var))
            .map(|node| node.span)
            .next()
            .unwrap_or(self.span)
    }

    fn made(&mut self, var: VarId, memory: &Memory, span: Span) {
        let storage = Storage::of_memory(memory, |var| self.label(var));
        self.array(var, storage, span);
    }

    fn array(&mut self, var: VarId, storage: Storage, span: Span) {
        let name = self.label(var);
        let (library, span) = self.place(span);
        let is_of_library = library.is_some();
        let (ty, bytes) = self.type_and_bytes(&self.tables.vars[var].ty);
        let is_result = self.results.contains(&self.original(var));
        let alive = Some([self.position, self.position]);
        let name = name.clone();
        let array = ArrayUse {
            name: name.clone(),
            ty,
            bytes,
            storage,
            not_in_place: None,
            is_result,
            is_of_library,
            alive,
            span,
        };
        self.arrays.entry(name).or_insert(array);
    }

    /// The text of a type, and the number of bytes of an array of the type.
    fn type_and_bytes(&self, ty: &Type) -> (String, Option<String>) {
        let extents = ty.shape().iter();
        let extents = extents.map(|&extent| self.symbols.extent(extent, self.tables));
        let extents: Vec<Option<String>> = extents.collect();
        let shape: String =
            extents.iter().map(|of| format!("[{}]", of.as_deref().unwrap_or("?"))).collect();
        let bytes = extents.into_iter().collect::<Option<Vec<_>>>();
        (format!("{shape}{}", ty.scalars()), bytes.map(|of| bytes_text(ty.scalars().bytes(), &of)))
    }

    /// The label of an array.
    fn label(&self, var: VarId) -> String {
        let original = self.original(var);
        if let Some(label) = self.labels.get(&original) {
            return (*label).to_owned();
        }
        self.tables.user_name(var).map_or_else(|| "an array".to_owned(), ToString::to_string)
    }
}

/// Whether the name of a size is not from the program.
fn is_generated(size: &str) -> bool {
    size.trim_end_matches(|sign: char| sign.is_ascii_digit()) == UNNAMED_SCALAR
}

/// The product of a number of bytes and of extents: `8 * n * m`. Constants are multiplied.
fn bytes_text(width: u32, extents: &[String]) -> String {
    let mut factor = u64::from(width);
    let mut names = Vec::new();
    for extent in extents {
        match extent.parse::<u64>() {
            Ok(count) => factor = factor.saturating_mul(count),
            Err(_) if extent.contains(' ') => names.push(format!("({extent})")),
            Err(_) => names.push(extent.clone()),
        }
    }
    std::iter::once(factor.to_string()).chain(names).collect::<Vec<_>>().join(" * ")
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
