//! Gives a combinator in a block the positions that it counts through, in the same block.
//!
//! An inner `iota n` is the same expression as an outer one, so the elimination of common subexpressions shares one array, which a pass
//! would store for the other one. A copy in the inner block fuses with its combinator. Elimination would undo this, so it comes last.
//!
//! Invariant: the copy has the same elements, and the number of them is in scope wherever the array is.
//!
//! ```text
//! a = generate n (\i -> i); b = map (\i -> { c = map (\j -> i * j) a; c }) a
//! ⇒ a = generate n (\i -> i); b = map (\i -> { d = generate n (\k -> k); c = map (\j -> i * j) d; c }) a
//! ```

use indexmap::IndexMap;

use crate::ids::VarId;
use crate::ir::cnf::{Atom, Bind, Block, Elements, Function, Op, Worker};
use crate::ir::tables::Tables;

/// Gives each block the arrays of positions that its combinators read.
pub(super) fn give_own(function: &mut Function) {
    let mut iotas = Iotas { tables: &mut function.tables, around: IndexMap::new() };
    iotas.block(&mut function.body);
}

struct Iotas<'a> {
    tables: &'a mut Tables,
    /// The arrays of positions of the blocks around, with their bindings.
    around: IndexMap<VarId, Bind>,
}

impl Iotas<'_> {
    fn block(&mut self, block: &mut Block) {
        let outer = self.around.len();
        let mut own = IndexMap::new();
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            if let Some(Elements { inputs, .. }) = bind.op.elements_mut() {
                for input in inputs {
                    let place = self.around.get_index_of(input).filter(|&at| at < outer);
                    let Some(place) = place else { continue };
                    *input = *own.entry(*input).or_insert_with(|| self.copy(place, &mut done));
                }
            }
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            if is_iota(&bind) {
                self.around.insert(bind.vars[0], bind.clone());
            }
            done.push(bind);
        }
        self.around.truncate(outer);
        block.binds = done;
    }

    /// Binds a copy of an array of positions.
    fn copy(&mut self, place: usize, done: &mut Vec<Bind>) -> VarId {
        let bind = &self.around[place];
        let Op::Generate { size, worker } = &bind.op else { panic!("positions are generated") };
        let index = self.tables.vars.push(self.tables.vars[worker.params[0]].clone());
        let array = self.tables.vars.push(self.tables.vars[bind.vars[0]].clone());
        let body = Block { binds: Vec::new(), results: vec![Atom::Var(index)] };
        let op = Op::Generate { size: *size, worker: Worker { params: vec![index], body } };
        done.push(Bind { vars: vec![array], op, span: bind.span });
        array
    }
}

/// Whether a binding makes an array of positions.
fn is_iota(bind: &Bind) -> bool {
    let Op::Generate { worker: Worker { params, body }, .. } = &bind.op else { return false };
    body.binds.is_empty() && body.results[..] == [Atom::Var(params[0])]
}
