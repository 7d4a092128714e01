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

/// The passes that make a coerced array.
#[derive(Default)]
struct Makers {
    /// Their places in the block.
    places: Vec<usize>,
    /// What they read that others make.
    sources: Vec<VarId>,
}

impl Coercions<'_> {
    fn block(&mut self, block: &mut Block) {
        // The passes of the block so far, by what they make.
        let mut passes = IndexMap::new();
        let mut done: Vec<Option<Bind>> = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            if let Some(moved) = self.coercion(&bind, &passes, &mut done) {
                self.changed = true;
                done.extend(moved.into_iter().map(Some));
                continue;
            }
            if bind.op.is_combinator() {
                passes.extend(bind.vars.iter().map(|&var| (var, done.len())));
            }
            done.push(Some(bind));
        }
        block.binds = done.into_iter().flatten().collect();
    }

    /// The passes that a coercion becomes, which are taken out of their places.
    fn coercion(
        &mut self,
        bind: &Bind,
        passes: &IndexMap<VarId, usize>,
        done: &mut [Option<Bind>],
    ) -> Option<Vec<Bind>> {
        let (Op::Reshape { array, shape }, [coerced]) = (&bind.op, &bind.vars[..]) else {
            return None;
        };
        let (&[size], &[extent]) = (&shape[..], self.tables.vars[*coerced].ty.shape()) else {
            return None;
        };
        if self.tables.vars[*array].ty.rank() != 1 {
            return None;
        }
        let mut makers = Makers::default();
        self.makers(*array, passes, done, &mut makers)?;
        if makers.places.is_empty() {
            return None;
        }
        let mut names = IndexMap::from([(*array, *coerced)]);
        let mut moved = Vec::new();
        for source in makers.sources {
            let view = self.resized(source, extent);
            names.insert(source, view);
            let op = Op::Reshape { array: source, shape: vec![size] };
            moved.push(Bind { vars: vec![view], op, span: bind.span });
        }
        makers.places.sort_unstable();
        for place in makers.places {
            let Bind { vars, mut op, span } = done[place].take()?;
            op.substitute(&names);
            if let Op::Generate { size: count, .. } = &mut op {
                *count = size;
            }
            let made: Vec<VarId> = vars
                .iter()
                .map(|&var| match names.get(&var) {
                    Some(&made) => made,
                    None => self.resized(var, extent),
                })
                .collect();
            names.extend(vars.into_iter().zip(made.iter().copied()));
            moved.push(Bind { vars: made, op, span });
        }
        Some(moved)
    }

    /// Notes the passes that make an array, if nothing else uses what they make, and they cannot fail.
    fn makers(
        &self,
        array: VarId,
        passes: &IndexMap<VarId, usize>,
        done: &[Option<Bind>],
        makers: &mut Makers,
    ) -> Option<()> {
        if self.tables.vars[array].ty.rank() != 1 {
            return None;
        }
        let Some(&place) = passes.get(&array) else {
            if !makers.sources.contains(&array) {
                makers.sources.push(array);
            }
            return Some(());
        };
        let Bind { vars, op, .. } = done[place].as_ref()?;
        let is_alone = vars.iter().all(|&var| self.uses[var] == u32::from(var == array));
        if !is_alone || makers.places.contains(&place) {
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
        inputs.iter().try_for_each(|&input| self.makers(input, passes, done, makers))
    }

    fn cannot_fail(&self, block: &Block) -> bool {
        block.binds.iter().all(|bind| {
            matches!(bind.op, Op::Index { inside: true, .. })
                || bind.op.is_total_choice(&self.tables.vars)
        })
    }

    /// A variable for an array of another length.
    fn resized(&mut self, array: VarId, extent: Extent) -> VarId {
        let Var { name, ty } = self.tables.vars[array].clone();
        let ty = Type::Array { elem: ty.scalars(), shape: vec![extent] };
        self.tables.vars.push(Var { name, ty })
    }
}
