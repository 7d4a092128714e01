//! The values of numbers as sizes, and the text of sizes.
//!
//! Invariant: a variable has one meaning as a size: the polynomial that it is bound to, or else a symbol of its own.
//!
//! ```text
//! let m = length xs + 1, xs: [n]t   ⇒   m is n+1
//! ```

use std::collections::BTreeMap;

use super::super::super::polynomial::{SizeContext, polynomial};
use super::super::super::{
    Body, Expr, ExprKind, Intrinsic, Program, Size, SizeOrigin, Type, TypeNames, size_text,
};
use arrc_syntax::ids::{DefId, EntityRef, LocalId, SizeVar, TypeVar};
use arrc_syntax::prim::{Const, Scalar};

/// The most terms of a size that is the value of a variable.
const MAX_TERMS: usize = 16;
/// The most factors of a term in such a size.
const MAX_FACTORS: usize = 4;

/// The values of variables as sizes.
#[derive(Debug)]
pub(super) struct SizeValues<'p> {
    program: &'p Program,
    sizes: &'p Symbols,
    /// The variables that are bound to a size.
    bound: BTreeMap<LocalId, Size>,
}

/// The symbols that are the value of a variable.
pub(super) type Symbols = BTreeMap<LocalId, Vec<SizeVar>>;

/// The symbols that are the value of each variable.
pub(super) fn symbols(program: &Program) -> Symbols {
    let mut sizes = Symbols::new();
    for (id, info) in program.sizes.iter() {
        if let SizeOrigin::Value(var) = info.origin {
            sizes.entry(var).or_default().push(id);
        }
    }
    sizes
}

impl<'p> SizeValues<'p> {
    pub(super) fn new(program: &'p Program, sizes: &'p Symbols) -> Self {
        Self { program, sizes, bound: BTreeMap::new() }
    }

    /// Remembers the value that a variable is bound to.
    pub(super) fn bind(&mut self, var: LocalId, value: &Expr) {
        if let Some(size) = self.of_expr(value) {
            self.bound.insert(var, size);
        }
    }

    /// The symbols that are the value of a variable.
    pub(super) fn symbols(&self, var: LocalId) -> &[SizeVar] {
        self.sizes.get(&var).map_or(&[], Vec::as_slice)
    }

    /// The first symbol that is the value of a variable. If no type has one, it is behind the symbols of the program.
    fn symbol(&self, var: LocalId) -> SizeVar {
        let own = self.symbols(var).first().copied();
        own.unwrap_or_else(|| SizeVar::new(self.program.sizes.len() + var.index()))
    }

    /// The representative of the symbols with one value: the first of them.
    pub(super) fn representative(&self, id: SizeVar) -> SizeVar {
        match self.variable(id) {
            Some(var) => self.symbol(var),
            None => id,
        }
    }

    /// The variable whose value a symbol is.
    pub(super) fn variable(&self, id: SizeVar) -> Option<LocalId> {
        match self.program.sizes.get(id)?.origin {
            SizeOrigin::Value(var) => Some(var),
            SizeOrigin::Param | SizeOrigin::Exists { .. } => None,
        }
    }

    /// Whether the symbol was made by these checks.
    pub(super) fn is_new(&self, id: SizeVar) -> bool {
        id.index() >= self.program.sizes.len() + self.program.vars.len()
    }

    /// A size with the values of variables put in.
    pub(super) fn resolve(&self, size: &Size) -> Size {
        size.substitute(|id| {
            let var = self.variable(id)?;
            Some(
                self.bound
                    .get(&var)
                    .cloned()
                    .unwrap_or_else(|| Size::symbol(self.representative(id))),
            )
        })
    }

    /// The value of a number as a size, if that is known.
    pub(super) fn of_expr(&self, expr: &Expr) -> Option<Size> {
        polynomial(&mut &*self, expr).map(|size| self.resolve(&size)).filter(is_small)
    }

    /// A size in messages.
    pub(super) fn text(&self, size: &Size) -> String {
        struct SymbolNames<'p>(&'p Program);
        impl TypeNames for SymbolNames<'_> {
            fn size(&mut self, id: SizeVar) -> String {
                match self.0.sizes.get(id) {
                    Some(info) => format!("{}:{id}", info.name),
                    None => format!("{id}"),
                }
            }
            fn type_var(&mut self, var: TypeVar) -> String {
                var.to_string()
            }
        }
        format!("[{}]", size_text(size, &mut SymbolNames(self.program)))
    }
}

fn is_small(size: &Size) -> bool {
    !size.is_too_large()
        && size.terms.len() <= MAX_TERMS
        && size.terms.keys().all(|factors| factors.len() <= MAX_FACTORS)
}

impl SizeContext for &SizeValues<'_> {
    fn is_number(&self, expr: &Expr) -> bool {
        let Type::Scalar(scalar) = expr.ty else { return false };
        // Sums of other integer types wrap where sizes do not.
        let is_sum = matches!(expr.kind, ExprKind::App(..));
        if is_sum { scalar == Scalar::I64 } else { scalar.is_integer() }
    }

    fn constant(&self, constant: &Const) -> Option<Size> {
        i64::try_from(constant.as_i128()).ok().map(Size::constant)
    }

    fn var(&mut self, var: &LocalId) -> Option<Size> {
        let own = || Size::symbol(self.symbol(*var));
        Some(self.bound.get(var).cloned().unwrap_or_else(own))
    }

    fn global(&mut self, def: DefId) -> Option<Size> {
        match &self.program.defs[def].body {
            Body::Expr(Expr { kind: ExprKind::Const(constant), .. }) => self.constant(constant),
            Body::Expr(_) | Body::Intrinsic(_) | Body::External(_) => None,
        }
    }

    fn converted(&mut self, operand: &Expr) -> Option<Size> {
        self.of_expr(operand)
    }

    fn length(&self, def: DefId, array: &Expr) -> Option<Size> {
        let Body::Intrinsic(Intrinsic::Length) = self.program.defs[def].body else { return None };
        let Type::Array(size, _) = &array.ty else { return None };
        Some(size.clone())
    }

    fn is_small(&self, size: &Size) -> bool {
        is_small(size)
    }
}
