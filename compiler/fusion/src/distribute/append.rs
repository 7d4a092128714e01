//! The consumers of `xs ++ ys` as consumers of its parts.
//!
//! Invariant: the results stay the same. A fold in order keeps its order. If an array is needed as a whole, it is
//! appended from its parts under its old name.
//!
//! ```text
//! a = l ++ r; s = reduce (+) 0 a    ⇒ s1 = reduce (+) 0 l; s2 = reduce (+) 0 r; s = s1 + s2
//! a = l ++ r; s = fold f z a        ⇒ s1 = fold f z l; s = fold f s1 r
//! a = l ++ r; b = filter p a        ⇒ b1 = filter p l; b2 = filter p r; b = b1 ++ b2
//! a = l ++ r; b = scan (+) 0 a
//! ⇒ b1 = scan (+) 0 l; s1 = reduce (+) 0 l; t = scan (+) 0 r; b2 = map (s1 +) t; b = b1 ++ b2
//! ```

use indexmap::IndexMap;

use super::{MAX_CODE, MAX_PARTS, operations};
use crate::cnf::{Atom, Bind, Block, Extent, FoldOrder, Op, SizeDef, SizeInfo, Type, Var, Worker};
use crate::copy::Copier;
use crate::process::uses;
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};
use arrc_syntax::source::Span;

/// The block in which the consumers of an append consume its parts. None if nothing consumes it.
pub(super) fn rewrite(block: &Block, root: usize, tables: &mut Tables) -> Option<Block> {
    let mut parts = AppendDistributor {
        tables,
        split: IndexMap::new(),
        done: Vec::new(),
        moved: 0,
        code: 0,
        whole: Vec::new(),
        sides: IndexMap::new(),
        generated: IndexMap::new(),
    };
    for (at, bind) in block.binds.iter().enumerate() {
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others consume no parts by themselves"
        )]
        match &bind.op {
            Op::Append { left, right } if at == root || parts.any_split(left, right) => {
                parts.append(bind, left, right);
            }
            Op::Append { left, right } => parts.whole_append(bind, left, right),
            Op::Generate { worker, .. } if !bind.op.has_effect() => {
                let results = bind.vars.iter().enumerate();
                parts.generated.extend(results.map(|(at, &var)| (var, (worker.clone(), at))));
                parts.bind(bind)?;
            }
            _ => parts.bind(bind)?,
        }
    }
    if parts.moved == 0 {
        return None;
    }
    for result in &block.results {
        parts.join(result.as_var());
    }
    Some(Block { binds: parts.done, results: block.results.clone() })
}

/// A block whose consumers are being moved to the parts.
struct AppendDistributor<'a> {
    tables: &'a mut Tables,
    /// The parts of each array that has parts, and the place of its append.
    split: IndexMap<VarId, (Vec<VarId>, Span)>,
    done: Vec<Bind>,
    /// The number of consumers that consume parts.
    moved: usize,
    /// The number of additional operations.
    code: usize,
    /// The arrays that were appended from their parts.
    whole: Vec<VarId>,
    /// The two sides of the other appends. Their parts can be consumed together with parts of the same sizes.
    sides: IndexMap<VarId, [VarId; 2]>,
    /// The worker of the `generate` that makes an array, and the number of the array among its results. The parts of
    /// such an array are made from the positions in the whole.
    generated: IndexMap<VarId, (Worker, usize)>,
}

impl AppendDistributor<'_> {
    fn any_split(&self, left: &[VarId], right: &[VarId]) -> bool {
        left.iter().chain(right).any(|side| self.split.contains_key(side))
    }

    /// Notes the parts of an append: the parts of its sides. An append that has too many of them is made as it was.
    fn append(&mut self, bind: &Bind, left: &[VarId], right: &[VarId]) {
        let sides = left.iter().zip(right);
        let parts = sides.map(|(&left, &right)| [self.parts(left), self.parts(right)].concat());
        let parts: Vec<_> = parts.collect();
        if parts.iter().any(|parts| parts.len() > MAX_PARTS) {
            left.iter().chain(right).for_each(|&side| self.join(Some(side)));
            return self.whole_append(bind, left, right);
        }
        let parts = parts.into_iter().map(|parts| (parts, bind.span));
        self.split.extend(bind.vars.iter().copied().zip(parts));
    }

    /// Adds an append whose sides are made before it.
    fn whole_append(&mut self, bind: &Bind, left: &[VarId], right: &[VarId]) {
        let sides = left.iter().zip(right).map(|(&left, &right)| [left, right]);
        self.sides.extend(bind.vars.iter().copied().zip(sides));
        self.done.push(bind.clone());
    }

    /// The parts of an array. An array without parts, or in memory, is its own part.
    fn parts(&self, array: VarId) -> Vec<VarId> {
        match self.split.get(&array) {
            Some((parts, _)) if !self.whole.contains(&array) => parts.clone(),
            Some(_) | None => vec![array],
        }
    }

    /// Adds a binding, or a binding for each part.
    fn bind(&mut self, bind: &Bind) -> Option<()> {
        if let Op::Length { array, dim } = bind.op
            && self.split.contains_key(&array)
            && !self.whole.contains(&array)
        {
            self.length(bind, array, dim);
            return Some(());
        }
        let streams = bind.op.streams();
        for used in uses::free(bind).into_iter().filter(|used| !streams.contains(used)) {
            self.join(Some(used));
        }
        let Some(sizes) = self.sizes(bind, &streams) else {
            streams.into_iter().for_each(|stream| self.join(Some(stream)));
            self.done.push(bind.clone());
            return Some(());
        };
        self.code += (sizes.len() - 1) * operations(&bind.op);
        (self.code <= MAX_CODE && sizes.len() <= MAX_PARTS).then_some(())?;
        self.moved += 1;
        let inputs: IndexMap<VarId, Vec<VarId>> = streams
            .iter()
            .map(|&stream| (stream, self.streamed(stream, &sizes, bind.span)))
            .collect();
        #[allow(clippy::wildcard_enum_match_arm, reason = "the others make a result of each part")]
        match &bind.op {
            Op::Fold { order: FoldOrder::Strict, .. } => self.fold(bind, &inputs),
            Op::Fold { worker, .. } => self.reduce(bind, worker, &inputs)?,
            Op::Scan { worker, init, .. } => self.scan(bind, worker, init, &inputs)?,
            _ => self.distribute_over_parts(bind, &inputs),
        }
        Some(())
    }

    /// The arrays that have the sizes of the parts, if a combinator can go over the parts. All arrays with parts that
    /// it streams must have parts of the same sizes, and it must use these arrays only as streams.
    fn sizes(&self, bind: &Bind, streams: &[VarId]) -> Option<Vec<VarId>> {
        let mut split = streams.iter().filter_map(|stream| self.split.get(stream));
        let (first, _) = split.next()?;
        let same = split.all(|(parts, _)| self.extents(parts) == self.extents(first));
        let beside = uses::beside_streams(bind);
        let only_streamed = streams.iter().all(|stream| !beside.contains(stream));
        (same && only_streamed && bind.op.is_combinator() && !bind.op.has_effect())
            .then(|| first.clone())
    }

    /// The arrays that other appends make an array from, or the array itself if it is no append, or one of too many
    /// parts.
    fn of_sides(&self, array: VarId) -> Vec<VarId> {
        let (mut parts, mut left) = (Vec::new(), vec![array]);
        while let Some(part) = left.pop() {
            match self.sides.get(&part) {
                Some(sides) => left.extend(sides.iter().rev()),
                None => parts.push(part),
            }
            if parts.len() + left.len() > MAX_PARTS {
                return vec![array];
            }
        }
        parts
    }

    fn extents(&self, arrays: &[VarId]) -> Vec<Extent> {
        arrays.iter().map(|&array| self.extent(array)).collect()
    }

    fn extent(&self, array: VarId) -> Extent {
        *self.tables.vars[array].ty.shape().first().expect("an array has a dimension")
    }

    /// The parts of a stream. If a stream has no parts, each part is read from it by index.
    fn streamed(&mut self, stream: VarId, sizes: &[VarId], span: Span) -> Vec<VarId> {
        if let Some((parts, _)) = self.split.get(&stream) {
            return parts.clone();
        }
        let parts = self.of_sides(stream);
        if self.extents(&parts) == self.extents(sizes) {
            return parts;
        }
        let mut from = Atom::Const(Const::i64(0));
        let mut parts = Vec::new();
        for &like in sizes {
            let length = self.scalar("length", Op::Length { array: like, dim: 0 }, span);
            let worker = match self.generated.get(&stream).cloned() {
                Some(generated) => self.shifted(generated, from, span),
                None => self.slice(stream, from, span),
            };
            let Var { name, ty } = self.tables.vars[stream].clone();
            let ty = ty.element().expect("an array has elements").array_of(self.extent(like));
            let part = self.tables.vars.push(Var { name, ty });
            let op = Op::Generate { size: length, worker };
            self.done.push(Bind { vars: vec![part], op, span });
            parts.push(part);
            from = self.scalar("from", Op::bin(BinOp::Add, from, length), span);
        }
        self.split.insert(stream, (parts.clone(), span));
        self.whole.push(stream);
        parts
    }

    /// A worker that reads the elements of an array in memory, from a position on.
    fn slice(&mut self, array: VarId, from: Atom, span: Span) -> Worker {
        let Var { name, ty } = self.tables.vars[array].clone();
        let elem = ty.element().expect("an array has elements");
        let (index, at, add) = self.position(from, span);
        let read = self.tables.vars.push(Var { name, ty: elem });
        let op = Op::Index { array, indices: vec![at], inside: false };
        let binds = vec![add, Bind { vars: vec![read], op, span }];
        Worker { params: vec![index], body: Block { binds, results: vec![Atom::Var(read)] } }
    }

    /// A worker that computes the elements of a `generate`, from a position on.
    fn shifted(&mut self, (worker, result): (Worker, usize), from: Atom, span: Span) -> Worker {
        let (index, at, add) = self.position(from, span);
        let Block { binds, results } = Copier::new(self.tables).applied(&worker, &[at]);
        let body = Block { binds: [vec![add], binds].concat(), results: vec![results[result]] };
        Worker { params: vec![index], body }
    }

    /// A counter, the sum of the counter and `from`, and the binding of this sum.
    fn position(&mut self, from: Atom, span: Span) -> (VarId, Atom, Bind) {
        let number = |name| Var { name: Name::new_static(name), ty: Type::Scalar(Scalar::I64) };
        let [index, at] = [number("i"), number("at")].map(|var| self.tables.vars.push(var));
        let op = Op::bin(BinOp::Add, Atom::Var(index), from);
        (index, Atom::Var(at), Bind { vars: vec![at], op, span })
    }

    /// Adds a binding of an `i64`, and returns it.
    fn scalar(&mut self, name: &'static str, op: Op, span: Span) -> Atom {
        let ty = Type::Scalar(Scalar::I64);
        let var = self.tables.vars.push(Var { name: Name::new_static(name), ty });
        self.done.push(Bind { vars: vec![var], op, span });
        Atom::Var(var)
    }

    /// Adds the append that makes an array from its parts, if it is not in memory yet.
    fn join(&mut self, array: Option<VarId>) {
        let Some(array) = array.filter(|array| !self.whole.contains(array)) else { return };
        let Some((parts, span)) = self.split.get(&array).cloned() else { return };
        self.whole.push(array);
        let [first, others @ .., last] = &parts[..] else { panic!("an append has two parts") };
        let mut left = *first;
        for &right in others {
            let sum = SizeDef::Sum(self.extent(left), self.extent(right));
            let size = self.tables.sizes.push(SizeInfo { name: Name::new_static("k"), def: sum });
            let Var { name, ty } = self.tables.vars[array].clone();
            let ty = ty.element().expect("an array has elements").array_of(Extent::Size(size));
            let joined = self.tables.vars.push(Var { name, ty });
            self.push_append(joined, [left, right], span);
            left = joined;
        }
        self.push_append(array, [left, *last], span);
    }

    fn push_append(&mut self, var: VarId, [left, right]: [VarId; 2], span: Span) {
        let op = Op::Append { left: vec![left], right: vec![right] };
        self.done.push(Bind { vars: vec![var], op, span });
    }

    /// The length is the sum of the parts' lengths. Rows have the same length in all parts.
    fn length(&mut self, bind: &Bind, array: VarId, dim: usize) {
        let (parts, _) = self.split[&array].clone();
        let length = |array| Op::Length { array, dim };
        let [others @ .., last] = &parts[..] else { panic!("an append has parts") };
        if dim > 0 {
            self.done.push(Bind { op: length(*last), ..bind.clone() });
            return;
        }
        let mut sum = None;
        for &part in others {
            let part = self.scalar("length", length(part), bind.span);
            sum = Some(match sum {
                Some(sum) => self.scalar("length", Op::bin(BinOp::Add, sum, part), bind.span),
                None => part,
            });
        }
        let part = self.scalar("length", length(*last), bind.span);
        let sum = sum.expect("an append has two parts");
        self.done.push(Bind { op: Op::bin(BinOp::Add, sum, part), ..bind.clone() });
    }

    /// Adds a combinator for each part. Its results have the same parts.
    fn distribute_over_parts(&mut self, bind: &Bind, inputs: &IndexMap<VarId, Vec<VarId>>) {
        let count = inputs.values().map(Vec::len).next().expect("there is an input");
        let mut parts: Vec<Vec<VarId>> = vec![Vec::new(); bind.vars.len()];
        for at in 0..count {
            let copy = self.copy(bind, inputs, at);
            for (part, &var) in parts.iter_mut().zip(&copy.vars) {
                part.push(var);
            }
            self.done.push(copy);
        }
        for (&var, parts) in bind.vars.iter().zip(parts) {
            self.split.insert(var, (parts, bind.span));
        }
    }

    /// A copy of a combinator that goes over a part.
    fn copy(&mut self, bind: &Bind, inputs: &IndexMap<VarId, Vec<VarId>>, at: usize) -> Bind {
        let mut copier = Copier::new(self.tables);
        for (&stream, parts) in inputs {
            copier.name(stream, Atom::Var(parts[at]));
        }
        let copy = copier.bind(bind);
        if let Some(size) = self.size(&copy) {
            for &var in &copy.vars {
                if let Type::Array { shape, .. } = &mut self.tables.vars[var].ty {
                    shape[0] = size;
                }
            }
        }
        copy
    }

    /// The size of the result of a combinator.
    fn size(&mut self, bind: &Bind) -> Option<Extent> {
        let first = *bind.op.streams().first()?;
        if bind.op.makes_each() {
            return Some(self.extent(first));
        }
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the others have results of one size with what they take"
        )]
        let def = match &bind.op {
            Op::Cross { right, .. } => SizeDef::Product(self.extent(first), self.extent(right[0])),
            op if op.kind()?.is_transducer() => SizeDef::Exists,
            _ => return None,
        };
        if let SizeDef::Product(Extent::Const(left), Extent::Const(right)) = def
            && let Some(product) = left.checked_mul(right)
        {
            return Some(Extent::Const(product));
        }
        Some(Extent::Size(self.tables.sizes.push(SizeInfo { name: Name::new_static("k"), def })))
    }

    /// A fold in order: the fold of each part begins with the result of the part before it.
    fn fold(&mut self, bind: &Bind, inputs: &IndexMap<VarId, Vec<VarId>>) {
        let count = inputs.values().map(Vec::len).next().expect("there is an input");
        let mut before: Option<Vec<VarId>> = None;
        for at in 0..count {
            let mut copy = self.copy(bind, inputs, at);
            if let (Op::Fold { init, .. }, Some(before)) = (&mut copy.op, &before) {
                *init = before.iter().map(|&acc| Atom::Var(acc)).collect();
            }
            if at + 1 == count {
                copy.vars.clone_from(&bind.vars);
            }
            before = Some(copy.vars.clone());
            self.done.push(copy);
        }
    }

    /// A reduction of each part, and the combination of their results.
    fn reduce(
        &mut self,
        bind: &Bind,
        worker: &Worker,
        inputs: &IndexMap<VarId, Vec<VarId>>,
    ) -> Option<()> {
        let count = inputs.values().map(Vec::len).next()?;
        let mut total: Option<Vec<Atom>> = None;
        for at in 0..count {
            let copy = self.copy(bind, inputs, at);
            let part: Vec<Atom> = copy.vars.iter().map(|&var| Atom::Var(var)).collect();
            self.done.push(copy);
            let last = (at + 1 == count).then_some(&bind.vars[..]);
            total = Some(match total {
                Some(total) => self.combined(worker, &[total, part].concat(), last)?,
                None => part,
            });
        }
        Some(())
    }

    /// The combination of two totals by an operator. The variables of the result may be given.
    fn combined(
        &mut self,
        worker: &Worker,
        args: &[Atom],
        names: Option<&[VarId]>,
    ) -> Option<Vec<Atom>> {
        (worker.params.len() == args.len()).then_some(())?;
        let bound = |result: &Atom| {
            result
                .as_var()
                .filter(|var| worker.body.binds.iter().any(|bind| bind.vars.contains(var)))
        };
        let mut copier = Copier::new(self.tables);
        let mut results = Vec::new();
        for (at, result) in worker.body.results.iter().enumerate() {
            if let Some(&name) = names.and_then(|names| names.get(at)) {
                let result = bound(result).filter(|result| !results.contains(result))?;
                copier.target(result, name);
                results.push(result);
            }
        }
        let Block { binds, results } = copier.applied(worker, args);
        self.done.extend(binds);
        Some(results)
    }

    /// A scan of each part, combined with the total of the parts before it.
    fn scan(
        &mut self,
        bind: &Bind,
        worker: &Worker,
        init: &[Atom],
        inputs: &IndexMap<VarId, Vec<VarId>>,
    ) -> Option<()> {
        let is_row = |&&var: &&VarId| self.tables.vars[var].ty.is_array();
        bind.vars.iter().all(|var| self.tables.vars[*var].ty.rank() == 1).then_some(())?;
        worker.params.iter().find(is_row).is_none().then_some(())?;
        let count = inputs.values().map(Vec::len).next()?;
        let mut parts: Vec<Vec<VarId>> = vec![Vec::new(); bind.vars.len()];
        let mut before: Option<Vec<Atom>> = None;
        for at in 0..count {
            let scan = self.copy(bind, inputs, at);
            let scanned = scan.vars.clone();
            self.done.push(scan);
            let of_part = match &before {
                Some(before) => self.combined_scan(worker, before, &scanned, bind.span),
                None => scanned,
            };
            for (part, var) in parts.iter_mut().zip(of_part) {
                part.push(var);
            }
            if at + 1 < count {
                let total = self.total(bind, worker, init, inputs, at);
                before = Some(match before {
                    Some(before) => self.combined(worker, &[before, total].concat(), None)?,
                    None => total,
                });
            }
        }
        for (&var, parts) in bind.vars.iter().zip(parts) {
            self.split.insert(var, (parts, bind.span));
        }
        Some(())
    }

    /// The total of a part.
    fn total(
        &mut self,
        bind: &Bind,
        worker: &Worker,
        init: &[Atom],
        inputs: &IndexMap<VarId, Vec<VarId>>,
        at: usize,
    ) -> Vec<Atom> {
        let mut copier = Copier::new(self.tables);
        let results: Vec<VarId> = worker
            .body
            .results
            .iter()
            .zip(&bind.vars)
            .map(|(_, &var)| {
                let mut total = copier.tables.vars[var].clone();
                total.ty = total.ty.element().expect("a scan makes arrays");
                copier.tables.vars.push(total)
            })
            .collect();
        let params = worker.params.iter().map(|&param| copier.fresh(param)).collect();
        let body = copier.block(&worker.body);
        let streams = bind.op.streams().into_iter().map(|stream| inputs[&stream][at]).collect();
        let op = Op::Fold {
            order: FoldOrder::Associative,
            worker: Worker { params, body },
            init: init.to_vec(),
            inputs: streams,
        };
        self.done.push(Bind { vars: results.clone(), op, span: bind.span });
        results.into_iter().map(Atom::Var).collect()
    }

    /// The scan of a part, combined with the total of the parts before it.
    fn combined_scan(
        &mut self,
        worker: &Worker,
        before: &[Atom],
        scanned: &[VarId],
        span: Span,
    ) -> Vec<VarId> {
        let mut copier = Copier::new(self.tables);
        let elements = &worker.params[before.len()..];
        let params: Vec<VarId> = elements.iter().map(|&param| copier.fresh(param)).collect();
        let args =
            [before.to_vec(), params.iter().map(|&param| Atom::Var(param)).collect()].concat();
        let body = copier.applied(worker, &args);
        let vars: Vec<VarId> = scanned
            .iter()
            .map(|&var| {
                let copy = copier.tables.vars[var].clone();
                copier.tables.vars.push(copy)
            })
            .collect();
        let op = Op::Map { worker: Worker { params, body }, inputs: scanned.to_vec() };
        self.done.push(Bind { vars: vars.clone(), op, span });
        vars
    }
}
