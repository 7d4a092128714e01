//! Checks of the sizes of arguments against the types of a function's parameters.
//!
//! Invariant: after the check, everything holds that the function's code relies on. Sizes that are sums or products
//! are compared by the code itself.
//!
//! ```text
//! f (n: i64) (xs: [n]f64)   of 3 and 2 elements   ⇒ an argument has size 2 but another has size 3
//! ```

use arr_abi::ErrorCode;

use crate::cnf::{Extent, SizeDef, Type};
use crate::eval::cnf::Value;
use crate::tables::Tables;
use arrc_front::eval::run_error::RunError;
use arrc_syntax::ids::{SecondaryMap, SizeId, VarId};
use arrc_syntax::source::Span;

/// The parameters of a function.
pub struct Signature<'a> {
    /// The parameters.
    pub params: &'a [VarId],
    /// The function's variables and sizes.
    pub tables: &'a Tables,
    /// The place of the function.
    pub span: Span,
}

impl Signature<'_> {
    /// Checks that the sizes of arguments agree with the parameters' types, and with each other.
    ///
    /// # Errors
    /// The first two sizes that differ, or a size that is negative.
    pub fn check(&self, args: &[Value]) -> Result<(), RunError> {
        assert_eq!(args.len(), self.params.len(), "there is one argument for each parameter");
        let mut sizes = SizeValues { of: self, args, known: SecondaryMap::new() };
        for (&param, arg) in self.params.iter().zip(args) {
            let (elem, shape, found) = match (&self.tables.vars[param].ty, arg) {
                (Type::Array { elem, shape }, Value::Array(array)) => (*elem, shape, array),
                (Type::Scalar(scalar), Value::Scalar(value)) if value.ty == *scalar => continue,
                (ty, arg) => panic!("an argument has its parameter's type {ty:?}, not {arg:?}"),
            };
            assert_eq!(elem, found.elem(), "an argument's scalars have its parameter's type");
            assert_eq!(shape.len(), found.shape().len(), "an argument has its parameter's rank");
            for (&extent, &found) in shape.iter().zip(found.shape()) {
                let found = i64::try_from(found).expect("an array's length is an i64");
                if let Some(wanted) = sizes.learn(extent, found)
                    && wanted != found
                {
                    let (names, sizes) = ("an argument\nanother", [found.into(), wanted.into()]);
                    return Err(RunError::about(ErrorCode::Shape, names, sizes, self.span));
                }
            }
        }
        Ok(())
    }
}

/// The values of the sizes of parameters.
struct SizeValues<'a> {
    of: &'a Signature<'a>,
    args: &'a [Value],
    known: SecondaryMap<SizeId, Option<i64>>,
}

impl SizeValues<'_> {
    /// The value that the extent must have, if it is known without this array. Otherwise the extent of this array
    /// becomes the known value.
    fn learn(&mut self, extent: Extent, found: i64) -> Option<i64> {
        let size = match extent {
            Extent::Const(value) => return Some(value),
            Extent::Size(size) => size,
        };
        match self.of.tables.sizes[size].def {
            SizeDef::Param | SizeDef::Exists => {
                let known = self.known[size];
                self.known[size] = known.or(Some(found));
                known
            }
            SizeDef::Value(var) => {
                let place = self.of.params.iter().position(|&param| param == var)?;
                i64::try_from(self.args[place].scalar().as_i128()).ok()
            }
            SizeDef::Sum(..) | SizeDef::Product(..) => None,
        }
    }
}
