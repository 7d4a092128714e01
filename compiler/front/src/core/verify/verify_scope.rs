//! The variables, sizes and types in scope at a place of a definition.
//!
//! Invariant: a variable is bound at most once in the whole program.
//!
//! ```text
//! \x -> let y = x in y   ⇒   x and y are in scope at the last y
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Program, Size, SizeOrigin, Type};
use arrc_syntax::ids::{LocalId, SizeVar, TypeVar};

/// The variables that are bound anywhere.
#[derive(Default)]
pub(super) struct BoundVars(BTreeSet<LocalId>);

/// The variables, sizes and types in scope.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) types: BTreeSet<TypeVar>,
    pub(super) sizes: Vec<SizeVar>,
    vars: BTreeMap<LocalId, Type>,
    order: Vec<LocalId>,
}

/// A place to go back to.
#[derive(Clone, Copy)]
pub(super) struct ScopeMark {
    vars: usize,
    sizes: usize,
}

impl BoundVars {
    /// Binds a variable.
    pub(super) fn bind(&mut self, var: LocalId) -> Result<(), String> {
        if self.0.insert(var) { Ok(()) } else { Err(format!("{var} is bound twice")) }
    }
}

impl Scope {
    /// Binds a variable.
    pub(super) fn bind(&mut self, var: LocalId, ty: Type) {
        self.vars.insert(var, ty);
        self.order.push(var);
    }

    /// The type of a variable.
    pub(super) fn var(&self, var: LocalId) -> Result<&Type, String> {
        self.vars.get(&var).ok_or_else(|| format!("{var} is not in scope"))
    }

    /// Where the scope is now.
    pub(super) fn mark(&self) -> ScopeMark {
        ScopeMark { vars: self.order.len(), sizes: self.sizes.len() }
    }

    /// Forgets the bindings since the mark.
    pub(super) fn leave(&mut self, mark: ScopeMark) {
        for var in self.order.split_off(mark.vars) {
            self.vars.remove(&var);
        }
        self.sizes.truncate(mark.sizes);
    }

    /// Adds the sizes that a value of type `ty` determines.
    pub(super) fn learn(&mut self, program: &Program, ty: &Type) {
        match ty {
            Type::Array(size, element) => {
                let symbols = size.symbols().into_iter();
                let mut open = symbols.filter(|&id| !self.is_known(program, id));
                if let (Some(id), None) = (open.next(), open.next())
                    && size.is_linear_in(id)
                {
                    self.sizes.push(id);
                }
                self.learn(program, element);
            }
            Type::Tuple(items) => items.iter().for_each(|ty| self.learn(program, ty)),
            Type::Record(fields) => fields.values().for_each(|ty| self.learn(program, ty)),
            Type::Sum(constructors) => {
                constructors.values().flatten().for_each(|ty| self.learn(program, ty));
            }
            Type::Scalar(_) | Type::Fun(..) | Type::Var(_) | Type::Exists(..) | Type::Hidden(_) => {
            }
        }
    }

    /// Checks that the value of a size is known here.
    pub(super) fn size(&self, program: &Program, size: &Size) -> Result<(), String> {
        for id in size.symbols() {
            if !self.is_known(program, id) {
                return Err(format!("the value of {id} ({}) is not known", program.sizes[id].name));
            }
        }
        Ok(())
    }

    fn is_known(&self, program: &Program, id: SizeVar) -> bool {
        match program.sizes[id].origin {
            SizeOrigin::Param | SizeOrigin::Exists { .. } => self.sizes.contains(&id),
            SizeOrigin::Value(var) => self.vars.contains_key(&var),
        }
    }
}
