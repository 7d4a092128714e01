//! The functions that combine the accumulators of two neighbouring chunks.
//!
//! Invariant: the worker of a `reduce` combines two accumulators as it combines an accumulator and an element, since
//! both have one type and the worker is associative.
//!
//! ```text
//! s = reduce (\acc x -> acc + x) 0 xs   ⇒   combine acc x = acc + x
//! ```

use super::Chunker;
use super::outline::OutlinedFunction;
use super::slice::is_ordered;
use crate::chunked::{Arg, ChunkFold, PassResult};
use crate::cnf::{Bind, Op, Worker};

impl Chunker<'_, '_> {
    /// The functions that combine accumulators of chunks, for the folds of a cluster that do not run in order.
    pub(super) fn folds(&mut self, binds: &[&Bind], outs: &[PassResult]) -> Vec<ChunkFold> {
        let folds = binds.iter().filter_map(|bind| {
            let Op::Fold { order, worker, init, .. } = &bind.op else { return None };
            (!is_ordered(*order, worker, init)).then_some((bind, worker))
        });
        let folds = folds
            .filter(|(bind, _)| bind.vars.iter().any(|&var| outs.contains(&PassResult::Fold(var))));
        let folds: Vec<(&&Bind, &Worker)> = folds.collect();
        folds.into_iter().map(|(bind, worker)| self.fold(bind, worker)).collect()
    }

    fn fold(&mut self, bind: &Bind, worker: &Worker) -> ChunkFold {
        let binds: Vec<&Bind> = worker.body.binds.iter().collect();
        let mut cut = OutlinedFunction::new(self.tables.clone(), self.owners.clone(), &binds);
        cut.params.clone_from(&worker.params);
        cut.results.clone_from(&worker.body.results);
        cut.args = bind.vars.iter().chain(&bind.vars).map(|&var| Arg::Value(var)).collect();
        cut.extents(|_, _| false);
        let args = cut.close();
        let env = args[worker.params.len()..].to_vec();
        let combine = self.add("combine", cut, bind.span);
        ChunkFold { outs: bind.vars.clone(), combine, env }
    }
}
