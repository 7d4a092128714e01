//! The statements of a step, one step at a time, and the nests behind them.
//!
//! Invariant: an element is bound before a later statement uses it; the worker of an update owns accumulators that are
//! arrays.
//!
//! ```text
//! x = next i xs; s := x + s; write i ys x  ⇒  %x = load …; %s1 = add %x, %s; store %x, …
//! ```

use arrc_fusion::cnf::{Atom, FoldOrder};
use arrc_loops::concrete::{Nest, Position, Stmt, Worker};
use arrc_syntax::ids::{AccId, VarId};

use crate::loops::nesting::Level;
use crate::loops::pass::{Pass, begins_as_number, note_contractions};
use crate::unit::built;
use crate::value::LoweredValue;

impl<'ctx, 'p> Pass<'_, '_, 'ctx, 'p> {
    /// The body of a loop or guard, and the nests in it.
    pub(in crate::loops) fn inside(&mut self, body: &'p [Stmt], inner: &'p [Nest]) {
        for stmt in body {
            self.stmt(stmt);
        }
        for nest in inner {
            match nest {
                Nest::Loop(nest) => {
                    if !self.lower_bounded_trips(nest) {
                        let length = self.length(&nest.length);
                        let first = self.body.code.size(0);
                        self.counted(nest, [first, length], Level::Inner);
                    }
                }
                Nest::Guard(guard) => self.guard(guard),
            }
        }
    }

    pub(in crate::loops) fn stmt(&mut self, stmt: &'p Stmt) {
        match stmt {
            Stmt::Next { elem, index, array } => {
                let value = self.loaded[*elem].map_or_else(
                    || self.body.read(*array, self.position(index)),
                    LoweredValue::Scalar,
                );
                self.body.bind(*elem, value);
            }
            Stmt::Position { elem, index } => {
                let index = self.position(index);
                self.body.bind_same(*elem, LoweredValue::Scalar(index.into()));
            }
            Stmt::Copy { elem, from } => {
                let value = self.body.atom(*from);
                self.body.bind_same(*elem, value);
            }
            Stmt::Apply { elems, worker, args } => {
                let args = args.iter().map(|&arg| self.body.atom(arg)).collect();
                for (&elem, result) in elems.iter().zip(self.apply(worker, args)) {
                    self.body.bind_same(elem, result);
                }
            }
            Stmt::Read { elem, array, index, span } => {
                let value = self.body.index(*array, &[*index], *span);
                self.body.bind(*elem, value);
            }
            Stmt::Update { accs, worker, args, .. } if self.changes_nothing(accs, worker, args) => {
            }
            Stmt::Update { accs, order, worker, args } => {
                let args = args.iter().map(|&arg| self.body.atom(arg)).collect();
                let results = self.update(accs, *order, worker, args);
                for (&acc, result) in accs.iter().zip(results) {
                    self.fill_acc(acc, &result);
                }
            }
            Stmt::Current { elem, acc } => {
                let value = match self.acc_value(*acc) {
                    LoweredValue::Scalar(own) => LoweredValue::Scalar(self.seen(*acc, own)),
                    value @ (LoweredValue::Array(_) | LoweredValue::Vector(_)) => value,
                };
                if let LoweredValue::Array(array) = &value {
                    self.body.code.retain(array);
                }
                self.body.bind(*elem, value);
            }
            Stmt::Reserve { vec, written, more } => self.reserve(*vec, written, more),
            Stmt::Write { placed: true, .. } => {}
            Stmt::Write { vec, index, elem, placed: false } => self.write(*vec, index, *elem),
        }
    }

    /// The new values of accumulators.
    pub(in crate::loops) fn update(
        &mut self,
        accs: &[AccId],
        order: FoldOrder,
        worker: &'p Worker,
        elems: Vec<LoweredValue<'ctx>>,
    ) -> Vec<LoweredValue<'ctx>> {
        self.bind_update((accs, order, worker), elems);
        self.body.block(&worker.body)
    }

    /// Binds the parameters of an update's worker to the accumulators and the elements.
    pub(super) fn bind_update(
        &mut self,
        (accs, order, worker): (&[AccId], FoldOrder, &'p Worker),
        elems: Vec<LoweredValue<'ctx>>,
    ) {
        let update = (accs, order, &worker.params[..]);
        note_contractions(&mut self.body.contracts, self.procedure, update);
        for &param in worker.params.iter().take(accs.len()) {
            self.body.free_order[param] = order != FoldOrder::Strict && !self.body.keeps_order;
        }
        for (&param, &acc) in worker.params.iter().zip(accs) {
            let is_number = begins_as_number(self.procedure, acc);
            self.body.extremes[param] = is_number.then(|| self.zero(acc));
        }
        let mut args: Vec<_> = accs.iter().map(|&acc| self.acc_value(acc)).collect();
        args.extend(elems);
        self.bind_args(worker, args);
    }

    fn apply(
        &mut self,
        worker: &'p Worker,
        args: Vec<LoweredValue<'ctx>>,
    ) -> Vec<LoweredValue<'ctx>> {
        self.bind_args(worker, args);
        self.body.block(&worker.body)
    }

    fn bind_args(&mut self, worker: &'p Worker, args: Vec<LoweredValue<'ctx>>) {
        assert_eq!(worker.params.len(), args.len(), "a worker has as many arguments as parameters");
        for (&param, arg) in worker.params.iter().zip(args) {
            self.body.bind_same(param, arg);
        }
    }

    fn write(&self, vec: VarId, index: &Position, elem: Atom) {
        let (scalar, _) = self.body.array_type(vec);
        let at = self.body.place(vec, index);
        let code = &self.body.code;
        match self.body.atom(elem) {
            LoweredValue::Scalar(value) => {
                let store = built(code.b.build_store(at, code.in_memory(scalar, value)));
                if let Some(aliasing) = &self.body.aliasing {
                    aliasing.describe_own(code, store, vec);
                }
            }
            LoweredValue::Array(row) => code.copy_elements(scalar, &row, at),
            LoweredValue::Vector(_) => {
                panic!("an element of {vec} is no vector under construction")
            }
        }
    }
}
