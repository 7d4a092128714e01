//! A pass over the positions of a matrix in the order of memory is a pass over its rows, if a step uses its position only
//! as a row and a column: by a division and a remainder (delinearisation).
//!
//! ```text
//! size = n * m; b = generate size (\t -> { i = t / m; j = t % m; x = a[i, j]; x })
//! ⇒ c = generate n (\i -> { r = generate m (\j -> { x = a[i, j]; x }); r }); b = reshape c [size]
//! ```
//!
//! A pass whose elements another pass takes one by one stays, since it is fused with the other one and stores nothing.
//!
//! Invariant: both factors are sizes, so a step exists only where the divisor is positive. If the product of two sizes
//! overflows, the pass over rows fails, since there is no memory for the result.

use indexmap::{IndexMap, IndexSet};

use super::extents::Extents;
use crate::cnf::{
    Atom, Bind, Block, Extent, Function, Op, SizeDef, SizeInfo, Type, UNNAMED_ARRAY, Var, Worker,
};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Const, Scalar};

/// Makes passes over rows of passes over positions; says whether anything changed.
pub(super) fn delinearise(function: &mut Function) -> bool {
    let mut body = std::mem::take(&mut function.body);
    let mut streamed = IndexSet::new();
    body.for_each_op(&mut |op| streamed.extend(op.streams()));
    let mut positions = Delinearisation {
        streamed,
        tables: &mut function.tables,
        extents: Extents::default(),
        products: IndexMap::new(),
        changed: false,
    };
    positions.block(&mut body);
    let changed = positions.changed;
    function.body = body;
    changed
}

struct Delinearisation<'a> {
    /// The arrays that passes take one element at a time.
    streamed: IndexSet<VarId>,
    tables: &'a mut Tables,
    extents: Extents,
    /// The variables that are products, with their factors.
    products: IndexMap<VarId, [Atom; 2]>,
    changed: bool,
}

impl Delinearisation<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut done = Vec::with_capacity(block.binds.len());
        for mut bind in std::mem::take(&mut block.binds) {
            self.extents.note(&bind, self.tables);
            if let Some((BinOp::Mul, factors)) = bind.op.binary() {
                self.products.insert(bind.vars[0], factors);
            }
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            match self.rows(&bind) {
                Some(binds) => {
                    self.changed = true;
                    done.extend(binds);
                }
                None => done.push(bind),
            }
        }
        block.binds = done;
    }

    /// The pass over rows that a pass over positions is.
    fn rows(&mut self, bind: &Bind) -> Option<Vec<Bind>> {
        let Op::Generate { size, worker: Worker { params, body } } = &bind.op else { return None };
        if bind.vars.iter().any(|var| self.streamed.contains(var)) {
            return None;
        }
        let position = params[0];
        let columns = divisor(body, position)?;
        let rows = self.other_factor(*size, columns)?;
        let number = Var { name: Name::new_static("i"), ty: Type::Scalar(Scalar::I64) };
        let [row, column] = [(); 2].map(|()| self.tables.vars.push(number.clone()));
        let body = by_row_and_column(body.clone(), position, (columns, [row, column]))?;
        let [outer, inner] = [rows, columns].map(|size| self.extent(size));
        let arrays = |this: &mut Self, sizes: &[Extent]| {
            let new = bind.vars.iter().map(|&var| {
                let element = this.tables.vars[var].ty.element().expect("an array has elements");
                let ty = sizes.iter().rev().fold(element, |ty, &size| ty.array_of(size));
                this.tables.vars.push(Var { name: Name::new_static(UNNAMED_ARRAY), ty })
            });
            new.collect::<Vec<_>>()
        };
        let made = arrays(self, &[inner]);
        let matrices = arrays(self, &[outer, inner]);
        let results = made.iter().map(|&var| Atom::Var(var)).collect();
        let op = Op::Generate { size: columns, worker: Worker { params: vec![column], body } };
        let binds = vec![Bind { vars: made, op, span: bind.span }];
        let body = Block { binds, results };
        let op = Op::Generate { size: rows, worker: Worker { params: vec![row], body } };
        let mut done = vec![Bind { vars: matrices.clone(), op, span: bind.span }];
        for (&var, array) in bind.vars.iter().zip(matrices) {
            if self.tables.vars[var].ty.rank() > 1 {
                return None;
            }
            let op = Op::Reshape { array, shape: vec![*size] };
            done.push(Bind { vars: vec![var], op, span: bind.span });
        }
        Some(done)
    }

    /// The other factor of a product with this one, if both are sizes.
    fn other_factor(&self, product: Atom, factor: Atom) -> Option<Atom> {
        let other = match (product, factor) {
            (Atom::Const(product), Atom::Const(factor)) => {
                let [product, factor] = [product.as_i128(), factor.as_i128()];
                let is_factor = factor > 0 && product > 0 && product % factor == 0;
                let other = i64::try_from(is_factor.then(|| product / factor)?).ok()?;
                Const::i64(other).into()
            }
            (Atom::Var(product), _) => match *self.products.get(&product)? {
                [first, second] if second == factor => first,
                [first, second] if first == factor => second,
                _ => return None,
            },
            (Atom::Const(_), Atom::Var(_)) => return None,
        };
        (self.extents.is_size(factor) && self.extents.is_size(other)).then_some(other)
    }

    /// A size with this value.
    fn extent(&mut self, size: Atom) -> Extent {
        match size {
            Atom::Const(value) => {
                Extent::Const(i64::try_from(value.as_i128()).expect("a size fits"))
            }
            Atom::Var(var) => self.extents.of(size).unwrap_or_else(|| {
                let name = self.tables.vars[var].name.clone();
                let def = SizeDef::Value(var);
                Extent::Size(self.tables.sizes.push(SizeInfo { name, def }))
            }),
        }
    }
}

/// Whether an operation divides; the roundings agree, since neither operand is negative.
fn is_quotient(op: BinOp) -> bool {
    matches!(op, BinOp::Div | BinOp::Quot)
}

fn is_remainder(op: BinOp) -> bool {
    matches!(op, BinOp::Mod | BinOp::Rem)
}

/// What the position is divided by in a block.
fn divisor(block: &Block, position: VarId) -> Option<Atom> {
    let mut found = None;
    block.for_each_op(&mut |op| {
        if let Some((op, [dividend, divisor])) = op.binary()
            && (is_quotient(op) || is_remainder(op))
            && dividend == Atom::Var(position)
        {
            found = found.or(Some(divisor));
        }
    });
    found
}

/// The block with the row and the column in the place of the position, if nothing else uses the position.
fn by_row_and_column(
    mut body: Block,
    position: VarId,
    (columns, [row, column]): (Atom, [VarId; 2]),
) -> Option<Block> {
    let mut step =
        Step { position, columns, row, names: IndexMap::new(), column, multiples: Vec::new() };
    step.block(&mut body);
    let mut is_left = false;
    body.for_each_use(&mut |atom| is_left |= atom == Atom::Var(position));
    (!is_left).then_some(body)
}

/// A step, while its position is replaced.
struct Step {
    position: VarId,
    columns: Atom,
    row: VarId,
    column: VarId,
    /// The variables that are the row or the column.
    names: IndexMap<VarId, VarId>,
    /// The variables that are the first position of the row.
    multiples: Vec<Atom>,
}

impl Step {
    fn block(&mut self, block: &mut Block) {
        for mut bind in std::mem::take(&mut block.binds) {
            bind.op.substitute(&self.names);
            let [row, position] = [self.row, self.position].map(Atom::Var);
            match bind.op.binary() {
                Some((op, operands)) if is_quotient(op) && operands == [position, self.columns] => {
                    self.names.insert(bind.vars[0], self.row);
                    continue;
                }
                Some((op, operands))
                    if is_remainder(op) && operands == [position, self.columns] =>
                {
                    self.names.insert(bind.vars[0], self.column);
                    continue;
                }
                Some((BinOp::Sub, [of, multiple]))
                    if of == position && self.multiples.contains(&multiple) =>
                {
                    self.names.insert(bind.vars[0], self.column);
                    continue;
                }
                Some((BinOp::Mul, operands))
                    if operands == [row, self.columns] || operands == [self.columns, row] =>
                {
                    self.multiples.push(Atom::Var(bind.vars[0]));
                }
                Some(_) | None => {}
            }
            for inner in bind.op.blocks_mut() {
                self.block(inner);
            }
            block.binds.push(bind);
        }
        for result in &mut block.results {
            *result = result.substitute(&self.names);
        }
    }
}
