//! The sizes that the dimensions of parameters determine.
//!
//! Invariant: a size counts as determined only if its value follows from the sizes of arguments, or if no arguments
//! have the types of the parameters.
//!
//! ```text
//! (xs: [n]f64) (ys: [n + 2*k]f64)   ⇒   n by xs, then k by ys
//! ```

use super::Checker;
use super::typed::Param;
use crate::core::{Size, SizeOrigin, Type};
use arrc_syntax::ids::SizeVar;

impl Checker<'_> {
    /// Adds the sizes that follow from the determined sizes in `told`. A dimension determines a size if the size is
    /// the only undetermined one in it, and stands alone or multiplied by a number.
    pub(super) fn solvable(&self, params: &[Param], told: &mut Vec<SizeVar>) {
        let mut dims = Vec::new();
        let params = params.iter().map(|param| self.revealed(&param.ty, None));
        params.for_each(|ty| self.all_dimensions(&ty, &mut dims));
        loop {
            let before = told.len();
            for size in &dims {
                let is_told = |id: &SizeVar| {
                    told.contains(id)
                        || matches!(self.u.sizes[*id].info.origin, SizeOrigin::Value(_))
                };
                let mut untold = size.symbols().into_iter().filter(|id| !is_told(id));
                if let (Some(id), None) = (untold.next(), untold.next())
                    && size.factor_of(id).is_some()
                {
                    told.push(id);
                }
            }
            if told.len() == before {
                return;
            }
        }
    }

    /// The dimensions of the arrays in `ty`.
    fn all_dimensions(&self, ty: &Type, dims: &mut Vec<Size>) {
        match self.u.head_ref(ty) {
            Type::Array(size, element) => {
                dims.push(self.u.resolve_size(size));
                self.all_dimensions(element, dims);
            }
            Type::Tuple(items) => items.iter().for_each(|ty| self.all_dimensions(ty, dims)),
            Type::Record(fields) => fields.values().for_each(|ty| self.all_dimensions(ty, dims)),
            Type::Sum(constructors) => {
                constructors.values().flatten().for_each(|ty| self.all_dimensions(ty, dims));
            }
            Type::Hidden(hidden) => {
                dims.extend(hidden.sizes.iter().map(|size| self.u.resolve_size(size)));
                hidden.types.iter().for_each(|ty| self.all_dimensions(ty, dims));
            }
            Type::Scalar(_) | Type::Fun(..) | Type::Var(_) | Type::Exists(..) => {}
        }
    }

    /// The symbols that are a whole dimension of an array in `ty`.
    pub(super) fn dimensions(&self, ty: &Type, told: &mut Vec<SizeVar>) {
        let mut dims = Vec::new();
        self.all_dimensions(&self.revealed(ty, None), &mut dims);
        told.extend(dims.iter().filter_map(Size::as_symbol));
    }
}
