//! The equations between the sizes of an entry that hold at run time only.
//!
//! The caller of an entry may pass arrays of any sizes. Each dimension of an argument is one equation: the length that
//! the argument has, and the size that its type says. Some of these equations determine the size parameters of the
//! entry. The others are compared. In the body, `:>` compares too.
//!
//! Invariant: each dimension of an argument is in the list once. Each size parameter of the entry is determined once,
//! by sizes that are determined before it.
//!
//! ```text
//! entry f [n] [k] (xs: [n]i64) (ys: [2*k+n]i64) (zs: [n]i64)
//! ⇒ n by length xs; k by length ys, which is divided; length zs is compared
//! ```

use std::collections::BTreeSet;

use super::{Def, Expr, ExprKind, Program, Size, SizeOrigin, Type};
use arrc_syntax::ids::SizeVar;
use arrc_syntax::names::Name;
use arrc_syntax::stack::with_enough_stack;

/// An equation of an argument: one of its dimensions has the size that its type says.
#[derive(Clone, PartialEq, Debug)]
pub struct Equation {
    /// The position of the parameter.
    pub param: usize,
    /// From the parameter to the array.
    pub path: Vec<Projection>,
    /// The size in the type.
    pub size: Size,
    /// How a call of the entry uses the equation.
    pub role: EquationUse,
}

/// A projection: a step from a value to a part of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Projection {
    /// An element of an array.
    Element,
    /// A component of a tuple, from 0.
    Item(usize),
    /// A field of a record.
    Field(Name),
    /// A payload of a constructor, from 0.
    Payload(Name, usize),
}

/// The use of an equation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EquationUse {
    /// It determines the symbol, which stands alone in it. So it holds.
    Tells(SizeVar),
    /// It determines the symbol, which is multiplied by this number in it. It holds if the number divides the rest.
    Divides(SizeVar, i64),
    /// Both sides are known, and are compared.
    Compared,
}

impl EquationUse {
    /// The symbol that the equation determines.
    #[must_use]
    pub fn determined_size(self) -> Option<SizeVar> {
        match self {
            Self::Tells(id) | Self::Divides(id, _) => Some(id),
            Self::Compared => None,
        }
    }
}

impl Program {
    /// The equations of the arguments of an entry. Those that determine a size come first, in the order in which they
    /// are solved.
    #[must_use]
    pub fn equations(&self, entry: &Def) -> Vec<Equation> {
        let mut dims = Vec::new();
        for (param, at) in entry.params.iter().zip(0..) {
            dimensions(&param.ty, at, &mut Vec::new(), &mut dims);
        }
        let mut told = BTreeSet::new();
        let mut solved = Vec::new();
        // What stands alone as a whole dimension comes first, since its argument names it. Divisions come last.
        let ways: [fn(&Size, SizeVar) -> Option<EquationUse>; 3] = [is_plain, is_alone, is_divided];
        while let Some((at, role)) = ways.iter().find_map(|way| self.next(&dims, &told, *way)) {
            let mut equation: Equation = dims.remove(at);
            equation.role = role;
            told.extend(role.determined_size());
            solved.push(equation);
        }
        solved.extend(dims);
        solved
    }

    /// The first equation that determines a symbol in the given way.
    fn next(
        &self,
        dims: &[Equation],
        told: &BTreeSet<SizeVar>,
        way: fn(&Size, SizeVar) -> Option<EquationUse>,
    ) -> Option<(usize, EquationUse)> {
        dims.iter().enumerate().find_map(|(at, Equation { size, .. })| {
            let is_open = |id: &SizeVar| {
                !told.contains(id) && !matches!(self.sizes[*id].origin, SizeOrigin::Value(_))
            };
            let symbols = size.symbols().into_iter();
            let open: Vec<SizeVar> = symbols.filter(is_open).collect();
            let [id] = open[..] else { return None };
            Some((at, way(size, id)?))
        })
    }
}

fn is_plain(size: &Size, id: SizeVar) -> Option<EquationUse> {
    (size.as_symbol() == Some(id)).then_some(EquationUse::Tells(id))
}

fn is_alone(size: &Size, id: SizeVar) -> Option<EquationUse> {
    size.factor_of(id).filter(|factor| factor.abs() == 1).map(|_| EquationUse::Tells(id))
}

fn is_divided(size: &Size, id: SizeVar) -> Option<EquationUse> {
    size.factor_of(id).map(|factor| EquationUse::Divides(id, factor))
}

/// The dimensions of the arrays in a type, to be compared.
fn dimensions(ty: &Type, param: usize, path: &mut Vec<Projection>, found: &mut Vec<Equation>) {
    let mut inside = |ty: &Type, step: Projection| {
        path.push(step);
        dimensions(ty, param, path, found);
        path.pop();
    };
    match ty {
        Type::Scalar(_) | Type::Fun(..) | Type::Var(_) => {}
        Type::Tuple(items) => {
            items.iter().enumerate().for_each(|(at, ty)| inside(ty, Projection::Item(at)));
        }
        Type::Record(fields) => {
            fields.iter().for_each(|(name, ty)| inside(ty, Projection::Field(name.clone())));
        }
        Type::Sum(constructors) => {
            for (name, types) in constructors {
                let payloads = types.iter().enumerate();
                payloads.for_each(|(at, ty)| inside(ty, Projection::Payload(name.clone(), at)));
            }
        }
        Type::Array(size, element) => {
            let (path_here, size, role) = (path.clone(), size.clone(), EquationUse::Compared);
            found.push(Equation { param, path: path_here, size, role });
            path.push(Projection::Element);
            dimensions(element, param, path, found);
            path.pop();
        }
        Type::Exists(_, ty) => dimensions(ty, param, path, found),
        Type::Hidden(hidden) => hidden.gone(),
    }
}

/// The equations of `:>` in an expression: each pair of the size that an array has and the different size that it must
/// have, in the order in which they are compared.
#[must_use]
pub fn coercions(expr: &Expr) -> Vec<(&Size, &Size)> {
    let mut found = Vec::new();
    coerced(expr, &mut found);
    found
}

fn coerced<'e>(mut expr: &'e Expr, found: &mut Vec<(&'e Size, &'e Size)>) {
    while let ExprKind::Let(_, value, body) = &expr.kind {
        with_enough_stack(|| coerced(value, found));
        expr = body;
    }
    expr.for_each_child(&mut |child| with_enough_stack(|| coerced(child, found)));
    if let ExprKind::Coerce(inner) = &expr.kind {
        let mut pairs = Vec::new();
        inner.ty.paired_sizes(&expr.ty, &mut pairs);
        found.extend(pairs.into_iter().filter(|(own, wanted)| own != wanted));
    }
}
