//! A coercion of an array that passes make is one of the arrays that the passes read: the passes then have the size that
//! the coercion says from the start, so they fuse with others of that size.
//!
//! Invariant: the sizes are compared before the passes run, and nothing else uses what the passes make. They cannot
//! fail, so a call fails where it did before.
//!
//! ```text
//! ys = map f xs; c = t == k; assert c; zs = reshape ys [k]; r = map2 g zs ws
//! ⇒ c = t == k; assert c; xs' = reshape xs [k]; zs = map f xs'; r = map2 g zs ws
//! ```

use indexmap::IndexMap;

use crate::cnf::{Atom, Bind, Block, Extent, Function, Op, Type, Var};
use crate::tables::Tables;
use arrc_syntax::ids::{SecondaryMap, VarId};
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;

/// Moves coercions before passes; says whether anything changed.
pub(super) fn hoist(function: &mut Function) -> bool {
    let mut uses = SecondaryMap::new();
    function.body.for_each_use(&mut |atom| {
        if let Atom::Var(var) = atom {
            uses[var] += 1;
        }
    });
    let mut coercions = Coercions { tables: &mut function.tables, uses, changed: false };
    coercions.block(&mut function.body);
    coercions.changed
}

struct Coercions<'a> {
    tables: &'a mut Tables,
    /// How often each variable is used.
    uses: SecondaryMap<VarId, u32>,
    changed: bool,
}

/// The passes that make coerced arrays.
#[derive(Default)]
struct Makers {
    /// Their places in the block.
    places: Vec<usize>,
    /// What they read that others make.
    sources: Vec<VarId>,
    /// The coercions to the same size of other arrays that they make, such as the other fields of records.
    others: Vec<Coercion>,
}

/// A coercion of the outermost extent.
#[derive(Clone, Copy)]
struct Coercion {
    array: VarId,
    coerced: VarId,
    /// The number of rows that it gives.
    size: Atom,
    /// Its place in the block.
    place: usize,
}

/// The block so far.
#[derive(Default)]
struct Seen {
    /// The bindings, by their places.
    done: Vec<Vec<Bind>>,
    /// The places of the passes, by what they make.
    passes: IndexMap<VarId, usize>,
    /// The coercions, by the arrays that they coerce.
    coercions: IndexMap<VarId, Coercion>,
}

impl Coercions<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut seen = Seen::default();
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            let place = seen.done.len();
            if let Some(coercion) = self.coercion(&bind, place) {
                if self.hoisted(coercion, bind.span, &mut seen).is_some() {
                    self.changed = true;
                    continue;
                }
                seen.coercions.insert(coercion.array, coercion);
            }
            if bind.op.is_combinator() {
                seen.passes.extend(bind.vars.iter().map(|&var| (var, place)));
            }
            seen.done.push(vec![bind]);
        }
        block.binds = seen.done.into_iter().flatten().collect();
    }

    /// The coercion that a binding is. The other extents are constants, so the sizes are equal behind it.
    fn coercion(&self, bind: &Bind, place: usize) -> Option<Coercion> {
        let (&Op::Reshape { array, ref shape }, &[coerced]) = (&bind.op, &bind.vars[..]) else {
            return None;
        };
        let [from, to] = [array, coerced].map(|var| self.tables.vars[var].ty.shape());
        let are_rows = from.get(1..)? == to.get(1..)? && has_elements(from);
        are_rows.then_some(Coercion { array, coerced, size: *shape.first()?, place })
    }

    /// Moves a coercion, and those of other arrays of the same passes, before the passes. These run where the first of
    /// the coercions was.
    fn hoisted(&mut self, coercion: Coercion, span: Span, seen: &mut Seen) -> Option<()> {
        let Coercion { coerced, size, .. } = coercion;
        let extent = *self.tables.vars[coerced].ty.shape().first()?;
        let mut makers = Makers { others: vec![coercion], ..Makers::default() };
        self.makers(coercion.array, coercion, seen, &mut makers)?;
        if makers.places.is_empty() {
            return None;
        }
        let others = makers.others.iter();
        let mut names: IndexMap<VarId, VarId> =
            others.map(|one| (one.array, one.coerced)).collect();
        let mut moved = Vec::new();
        for source in makers.sources {
            let view = self.resized(source, extent);
            names.insert(source, view);
            let op = Op::Reshape { array: source, shape: self.shape(source, size)? };
            moved.push(Bind { vars: vec![view], op, span });
        }
        makers.places.sort_unstable();
        for place in makers.places {
            for Bind { vars, mut op, span } in std::mem::take(&mut seen.done[place]) {
                op.substitute(&names);
                if let Op::Generate { size: count, .. } = &mut op {
                    *count = size;
                }
                for &var in &vars {
                    if !names.contains_key(&var) {
                        let resized = self.resized(var, extent);
                        names.insert(var, resized);
                    }
                }
                let vars = vars.iter().map(|var| names[var]).collect();
                moved.push(Bind { vars, op, span });
            }
        }
        let first = makers.others.iter().map(|one| one.place).min()?;
        // The coercion itself is not in the block yet.
        seen.done.push(Vec::new());
        for other in makers.others {
            seen.done[other.place].clear();
        }
        seen.done[first] = moved;
        Some(())
    }

    /// Notes the passes that make an array, if coercions to one size are all that uses what they make, and they cannot
    /// fail.
    fn makers(
        &self,
        array: VarId,
        coercion: Coercion,
        seen: &Seen,
        makers: &mut Makers,
    ) -> Option<()> {
        let Some(&place) = seen.passes.get(&array) else {
            has_elements(self.tables.vars[array].ty.shape()).then_some(())?;
            if !makers.sources.contains(&array) {
                makers.sources.push(array);
            }
            return Some(());
        };
        if makers.places.contains(&place) {
            return None;
        }
        let [Bind { vars, op, .. }] = &seen.done[place][..] else { return None };
        for &var in vars.iter().filter(|&&var| var != array && self.uses[var] > 0) {
            let other = *seen.coercions.get(&var)?;
            self.is_like(other, coercion).then_some(())?;
            makers.others.push(other);
        }
        if vars.iter().any(|&var| self.uses[var] > 1) {
            return None;
        }
        let (worker, inputs) = if let Op::Map { worker, inputs } = op {
            (worker, &inputs[..])
        } else if let Op::Generate { worker, .. } = op {
            (worker, &[][..])
        } else {
            return None;
        };
        if !self.cannot_fail(&worker.body) {
            return None;
        }
        makers.places.push(place);
        inputs.iter().try_for_each(|&input| self.makers(input, coercion, seen, makers))
    }

    /// Whether two coercions give the same number of rows.
    fn is_like(&self, one: Coercion, other: Coercion) -> bool {
        let rows = |of: Coercion| self.tables.vars[of.coerced].ty.shape().first();
        one.size == other.size && rows(one) == rows(other)
    }

    fn cannot_fail(&self, block: &Block) -> bool {
        block.binds.iter().all(|bind| {
            matches!(bind.op, Op::Index { inside: true, .. } | Op::Array { .. })
                || bind.op.is_total_choice(&self.tables.vars)
        })
    }

    /// A variable for an array of another length.
    fn resized(&mut self, array: VarId, extent: Extent) -> VarId {
        let Var { name, ty } = self.tables.vars[array].clone();
        let shape = [&[extent], &ty.shape()[1..]].concat();
        self.tables.vars.push(Var { name, ty: Type::Array { elem: ty.scalars(), shape } })
    }

    /// The shape of an array with another length.
    fn shape(&self, array: VarId, size: Atom) -> Option<Vec<Atom>> {
        let rest = self.tables.vars[array].ty.shape()[1..].iter().map(|&extent| match extent {
            Extent::Const(count) => Some(Atom::Const(Const::i64(count))),
            Extent::Size(_) => None,
        });
        std::iter::once(Some(size)).chain(rest).collect()
    }
}

/// Whether each row of an array has elements, so that as many elements are as many rows.
fn has_elements(shape: &[Extent]) -> bool {
    shape.iter().skip(1).all(|extent| matches!(extent, Extent::Const(count) if *count > 0))
}
