//! Array literals. Constants become data of the program, and the scalars of nested literals are written directly to
//! their places.
//!
//! Invariant: the scalars that are remembered for a literal are in scope wherever the literal is.
//!
//! ```text
//! [[1, 2], [3, 4]]   ⇒   a: [2][2]i64 = [[1, 2], [3, 4]]
//! [[1, x], [3, 4]]   ⇒   a = [1, x, 3, 4]; b: [2][2]i64 = reshape a
//! ```

use std::rc::Rc;

use super::build::Builder;
use crate::cnf::{Atom, Extent, Op, Type};
use arrc_front::data::Data;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// The scalars of a literal, row by row.
#[derive(Clone, Debug)]
pub(super) enum Scalars {
    /// All are constants.
    Constant(Data),
    /// Some are not.
    Mixed(Rc<[Atom]>),
}

impl Builder {
    /// An array literal of at least one element.
    pub(super) fn literal(&mut self, ty: Type, elems: Vec<Atom>, span: Span) -> VarId {
        match self.scalars(&ty, &elems) {
            Some(Scalars::Constant(data)) if Extent::volume(ty.shape()) == Some(data.len()) => {
                self.constants(ty, data, span)
            }
            Some(Scalars::Mixed(scalars)) if ty.rank() > 1 => {
                let count = i64::try_from(scalars.len()).expect("a literal fits into memory");
                let flat = Type::Array { elem: ty.scalars(), shape: vec![Extent::Const(count)] };
                let flat = self.array(flat, scalars.to_vec(), span);
                let shape: Vec<Extent> = ty.shape().to_vec();
                let var = self.reshaped(flat, &shape, span);
                self.literals[var] = Some(Scalars::Mixed(scalars));
                var
            }
            Some(Scalars::Constant(_) | Scalars::Mixed(_)) | None => self.array(ty, elems, span),
        }
    }

    /// A literal of no elements.
    pub(super) fn empty(&mut self, elem: Scalar, size: Extent, span: Span) -> VarId {
        let op = Op::Array { elem, elems: Vec::new() };
        self.emit_one(op, Self::array_type(elem, size), span)
    }

    /// Constants in the shape of the type.
    pub(super) fn constants(&mut self, ty: Type, data: Data, span: Span) -> VarId {
        if data.is_empty() {
            return self.empty(data.elem(), Extent::Const(0), span);
        }
        let shape = ty.shape().iter().map(|extent| match extent {
            Extent::Const(extent) => *extent,
            Extent::Size(_) => panic!("the shape of constants is constant"),
        });
        let op = Op::Constant { shape: shape.collect(), data: data.clone() };
        let var = self.emit_one(op, ty, span);
        self.literals[var] = Some(Scalars::Constant(data));
        var
    }

    fn array(&mut self, ty: Type, elems: Vec<Atom>, span: Span) -> VarId {
        let known = (ty.rank() == 1).then(|| Scalars::Mixed(elems.as_slice().into()));
        let var = self.emit_one(Op::Array { elem: ty.scalars(), elems }, ty, span);
        self.literals[var] = known;
        var
    }

    /// The scalars of a literal of that type, if it has some and the elements tell them.
    fn scalars(&self, ty: &Type, elems: &[Atom]) -> Option<Scalars> {
        if ty.rank() == 1 {
            let constant = |elem: &Atom| match elem {
                Atom::Const(value) => Some(*value),
                Atom::Var(_) => None,
            };
            let constants: Option<Vec<Const>> = elems.iter().map(constant).collect();
            return Some(match constants {
                Some(constants) => Scalars::Constant(Data::new(ty.scalars(), constants)),
                None => Scalars::Mixed(elems.into()),
            });
        }
        let row = |elem: &Atom| match elem {
            Atom::Const(_) => None,
            Atom::Var(var) => self.literals[*var].clone(),
        };
        let rows: Vec<Scalars> = elems.iter().map(row).collect::<Option<_>>()?;
        let is_constant = |row: &Scalars| match row {
            Scalars::Constant(data) => Some(data.clone()),
            Scalars::Mixed(_) => None,
        };
        if let Some(data) = rows.iter().map(is_constant).collect::<Option<Vec<_>>>() {
            return Data::concat(&data).map(Scalars::Constant);
        }
        let mut scalars = Vec::new();
        for row in rows {
            match row {
                Scalars::Constant(data) => scalars.extend(data.values().map(Atom::Const)),
                Scalars::Mixed(atoms) => scalars.extend(atoms.iter()),
            }
        }
        Some(Scalars::Mixed(scalars.into()))
    }
}
