//! Laws of the operators of `reduce` and `scan`: they are associative, and their initial values are neutral. Each
//! operator is applied to sample values, and a law that does not hold for some of them is reported.
//!
//! Invariant: a report has values for which the law does not hold by more than rounding, so it is never wrong about
//! them. The samples depend on the program only, and the work on them is bounded by steps. An operator that cannot be
//! run alone is not judged.
//!
//! ```text
//! reduce (\x y -> x - y) 0 xs   ⇒   A0707: `op (op 0 0) 1` is -1, and `op 0 (op 0 1)` is 1
//! reduce (+) 10 xs              ⇒   A0708: `op 10 10` is 20
//! reduce i64.max 0 xs           ⇒   with --strict only: 0 may be used several times, but is not neutral
//! ```

mod elements;
mod operator;
mod report;
mod samples;

use std::cell::Cell;
use std::collections::BTreeSet;

use self::elements::Origins;
pub use self::operator::MappedOperation;
use self::operator::Operator;
use self::report::Place;
use crate::cnf::{Atom, Bind, Block, FoldOrder, Op, Operation, Program, Worker};
use crate::tables::Tables;
use arrc_syntax::diagnostics::Diagnostic;
use arrc_syntax::ids::{FileId, VarId};
use arrc_syntax::prim::Reassociation;

/// The values for which laws are tested.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Domain {
    /// Those that the program can make, but for the limits of integers; and an initial value need not be neutral if it
    /// may be used several times.
    #[default]
    Met,
    /// Any value of the type.
    All,
}

impl Domain {
    /// How many operations the interpreter may take for one operator, and for all those of a program.
    fn bounds(self) -> [u64; 2] {
        match self {
            Self::Met => [200_000, 2_000_000],
            Self::All => [20_000_000, 200_000_000],
        }
    }
}

/// A law that an operator breaks.
#[derive(Clone, Debug)]
pub struct BrokenLaw {
    /// The warning.
    pub diagnostic: Diagnostic,
    /// Whether it is of a scan.
    pub is_scan: bool,
    /// What the operator does to the accumulator, if that is an operation of the language with a function of the element.
    pub mapped: Option<MappedOperation>,
}

/// The laws that do not hold for operators in the files, in a program that has not been simplified yet.
#[must_use]
pub fn laws(program: &Program, own: &BTreeSet<FileId>, domain: Domain) -> Vec<BrokenLaw> {
    let (mut told, mut found) = (Vec::new(), Vec::new());
    let [most, mut left] = domain.bounds();
    for function in program.functions.values() {
        let tables = &function.tables;
        let origins = Origins::new(program, tables, &function.body);
        let mut checker =
            LawChecker { program, tables, origins, own, domain, most, left, told, found };
        checker.block(&function.body);
        LawChecker { left, told, found, .. } = checker;
    }
    found
}

/// Whether a reduction or a scan has an operator that is not known to be associative, or an initial value that is not
/// known to be neutral.
#[must_use]
pub fn are_in_doubt(program: &Program) -> bool {
    let mut found = false;
    for function in program.functions.values() {
        function.body.for_each_op(&mut |op| {
            if let Op::Fold {
                order: FoldOrder::Associative | FoldOrder::Commutative,
                worker,
                init,
                ..
            }
            | Op::Scan { worker, init, .. } = op
            {
                found |= !is_lawful(worker, init);
            }
        });
    }
    found
}

/// Whether the operator joins each component by an operation of the language that is associative, with its neutral
/// element.
fn is_lawful(worker: &Worker, init: &[Atom]) -> bool {
    let Some((accs, elements)) = worker.params.split_at_checked(init.len()) else { return false };
    if worker.body.binds.len() != init.len() || elements.len() != init.len() {
        return false;
    }
    let pairs = accs.iter().zip(elements);
    let parts = pairs.zip(init).zip(&worker.body.results);
    parts.into_iter().all(|(((&x, &y), &init), &result)| {
        let (Some(result), Atom::Const(init)) = (result.as_var(), init) else { return false };
        let bind = worker.body.binds.iter().find(|bind| bind.vars == [result]);
        let Some(Op::Scalar(Operation::Bin(op, args))) = bind.map(|bind| &bind.op) else {
            return false;
        };
        *args == [Atom::Var(x), Atom::Var(y)]
            && op.fold() != Reassociation::Ordered
            && op.row().neutral.is_some_and(|neutral| neutral.of(init.ty) == init)
    })
}

/// A `reduce` or a `scan`.
#[derive(Clone, Copy)]
struct Use<'a> {
    /// Its name.
    name: &'static str,
    is_scan: bool,
    worker: &'a Worker,
    init: &'a [Atom],
    inputs: &'a [VarId],
}

impl<'a> Use<'a> {
    /// The use, if an operation is one whose operator may break a law.
    fn of(op: &'a Op) -> Option<Self> {
        #[allow(clippy::wildcard_enum_match_arm, reason = "no other operation has laws")]
        let (name, is_scan, worker, init, inputs) = match op {
            Op::Fold {
                order: order @ (FoldOrder::Associative | FoldOrder::Commutative),
                worker,
                init,
                inputs,
            } => (order.name(), false, worker, init, inputs),
            Op::Scan { prefix, worker, init, inputs } => {
                (prefix.name(), true, worker, init, inputs)
            }
            _ => return None,
        };
        (!is_lawful(worker, init)).then_some(Self { name, is_scan, worker, init, inputs })
    }
}

/// The walk over a function.
struct LawChecker<'a, 'f> {
    program: &'a Program,
    tables: &'a Tables,
    origins: Origins<'a>,
    own: &'f BTreeSet<FileId>,
    domain: Domain,
    /// How many operations the interpreter may take for an operator, and how many for all that follow.
    most: u64,
    left: u64,
    /// The places that have a report.
    told: Vec<Place>,
    found: Vec<BrokenLaw>,
}

impl<'a> LawChecker<'a, '_> {
    fn block(&mut self, block: &'a Block) {
        for bind in &block.binds {
            if let Some(used) = Use::of(&bind.op) {
                self.operator(bind, used);
            }
            for inner in bind.op.inner() {
                self.block(inner.block);
            }
        }
    }

    /// Reports what an operator breaks, unless its place has a report.
    fn operator(&mut self, bind: &Bind, used: Use<'a>) {
        let call = (bind.span, used.name);
        let place = report::place(&self.program.calls, call, used.worker, self.own);
        let Some(place) = place else { return };
        if self.told.contains(&place) {
            return;
        }
        let most = self.most.min(self.left);
        let left = Cell::new(most);
        let (program, domain) = ((self.program, self.tables), self.domain);
        let operator = Operator::new(program, &self.origins, used, domain, &left);
        if let Some(law) = operator.and_then(|operator| report::law(&operator, used, &place)) {
            self.found.push(law);
            self.told.push(place);
        }
        self.left -= most - left.get();
    }
}
