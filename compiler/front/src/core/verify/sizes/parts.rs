//! The rules for data: tuples, arrays and their parts, ranges, updates and `:>`.
//!
//! Invariant: a size that the rule computes is that of the type, or the type has a new symbol for it.
//!
//! ```text
//! xs[i:j]: [k]t   ⇒   k = j - i        xs[::2]: [k]t   ⇒   k is new
//! ```

use super::super::super::{Accessor, Dim, Expr, ExprKind, Range, Size, Type};
use super::SizeVerifier;
use super::relate::SizeBindings;
use crate::core::verify::verify_types;
use arrc_syntax::ast::RangeEnd;
use arrc_syntax::ids::SizeVar;

/// A size that a rule computes.
enum ComputedSize {
    Known(Size),
    /// The run tells it.
    New,
}

impl<'p> SizeVerifier<'p> {
    /// Data whose parts are checked.
    pub(super) fn data(&mut self, expr: &'p Expr) -> Result<(), String> {
        let ty = &expr.ty;
        match (&expr.kind, ty) {
            (ExprKind::Tuple(items), Type::Tuple(types)) => {
                let mut items = items.iter().zip(types);
                items.try_for_each(|(item, ty)| self.fits(&item.ty, ty))
            }
            (ExprKind::Record(fields), Type::Record(types)) => {
                fields.iter().try_for_each(|(name, field)| self.fits(&field.ty, &types[name]))
            }
            (ExprKind::Constructor(name, args), _) => {
                let payloads = verify_types::payloads(ty, name, args.len())?;
                args.iter().zip(payloads).try_for_each(|(arg, ty)| self.fits(&arg.ty, ty))
            }
            (ExprKind::Item(tuple, at), _) => {
                self.fits(verify_types::field(&tuple.ty, &at.to_string())?, ty)
            }
            (ExprKind::Field(record, name), _) => {
                self.fits(verify_types::field(&record.ty, name)?, ty)
            }
            (ExprKind::Array(items), Type::Array(size, element)) => {
                let count = i64::try_from(items.len()).map_err(|_| "a long literal")?;
                self.same(&Size::constant(count), size)?;
                items.iter().try_for_each(|item| self.fits(&item.ty, element))
            }
            (ExprKind::Text(data), Type::Array(size, _)) => {
                let count = i64::try_from(data.len()).map_err(|_| "a long text")?;
                self.same(&Size::constant(count), size)
            }
            (ExprKind::Index(array, indices), _) => {
                let element = indices.iter().try_fold(&array.ty, |rest, _| match rest {
                    Type::Array(_, element) => Ok(&**element),
                    Type::Scalar(_)
                    | Type::Tuple(_)
                    | Type::Record(_)
                    | Type::Sum(_)
                    | Type::Fun(..)
                    | Type::Var(_)
                    | Type::Exists(..)
                    | Type::Hidden(_) => Err(format!("{rest:?} is indexed")),
                })?;
                self.fits(element, ty)
            }
            (ExprKind::Slice(array, dims), _) => {
                let (sizes, element) = self.sliced(&array.ty, dims)?;
                self.computed(sizes, &element, ty)
            }
            (ExprKind::Range(range), _) => {
                let size = self.range(range);
                self.computed(vec![size], &range.first.ty, ty)
            }
            (ExprKind::Update(whole, steps, value), _) => {
                self.fits(&whole.ty, ty)?;
                self.updated(&whole.ty, steps, &value.ty)
            }
            (ExprKind::Coerce(inner), _) => self.coerced(&inner.ty, ty),
            (ExprKind::Assert(assert), _) => self.fits(&assert.value.ty, ty),
            (_, ty) => Err(format!("data of type {ty:?}")),
        }
    }

    /// Two sizes must be equal.
    fn same(&self, left: &Size, right: &Size) -> Result<(), String> {
        let none = SizeBindings::new();
        let mut relation = self.relation();
        relation.equal(relation.resolve(left, &none), relation.resolve(right, &none));
        relation.solve().map(|_| ())
    }

    /// An array of the type `ty` with these sizes outside. The type may have a new symbol instead of a size.
    fn computed(
        &mut self,
        sizes: Vec<ComputedSize>,
        element: &Type,
        ty: &Type,
    ) -> Result<(), String> {
        let mut relation = self.relation();
        let none = SizeBindings::new();
        let mut asked: Vec<SizeVar> = Vec::new();
        let mut rest = ty;
        for size in sizes {
            let Type::Array(own, inner) = rest else {
                return Err(format!("an array of more dimensions is {ty:?}"));
            };
            let own = relation.resolve(own, &none);
            let is_new = own.as_symbol().is_some_and(|id| self.is_open(id));
            let size = match size {
                ComputedSize::Known(size) if !is_new => size,
                ComputedSize::Known(_) | ComputedSize::New => {
                    let id = relation.unknown();
                    asked.push(id);
                    Size::symbol(id)
                }
            };
            relation.equal(size, own);
            rest = inner;
        }
        relation.fits(element, rest)?;
        let told = relation.solve()?;
        self.define_sizes(&asked, &told)
    }

    /// The sizes of the slices of an array, and the type of the elements.
    fn sliced(&self, array: &Type, dims: &[Dim]) -> Result<(Vec<ComputedSize>, Type), String> {
        let mut rest = array;
        let mut sizes = Vec::new();
        for dim in dims {
            let Type::Array(size, element) = rest else {
                return Err(format!("{rest:?} is sliced"));
            };
            sizes.extend(self.slice(dim, size));
            rest = element;
        }
        Ok((sizes, rest.clone()))
    }

    /// The size of a slice of a dimension of size `whole`. An index has none.
    fn slice(&self, dim: &Dim, whole: &Size) -> Option<ComputedSize> {
        let Dim::Slice { first, last, step } = dim else { return None };
        let step = step.as_ref().map_or(Some(1), literal);
        let whole = self.values.resolve(whole);
        let size = match (first, last, step) {
            (None, None, Some(1 | -1)) => Some(whole),
            (first, last, Some(1)) => {
                let value = |part: &Expr| self.values.of_expr(part);
                let first = first.as_ref().map_or(Some(Size::constant(0)), value);
                let last = last.as_ref().map_or(Some(whole), value);
                first
                    .zip(last)
                    .map(|(first, last)| last.minus(&first))
                    .filter(|size| !size.is_too_large())
            }
            _ => None,
        };
        Some(size.map_or(ComputedSize::New, ComputedSize::Known))
    }

    /// The size of a range.
    fn range(&self, range: &Range) -> ComputedSize {
        let counted = literal_count(range).map(Size::constant);
        counted.or_else(|| self.unit_range(range)).map_or(ComputedSize::New, ComputedSize::Known)
    }

    /// The size of a range from number to number whose ends are sizes.
    fn unit_range(&self, Range { first, second, end, last }: &Range) -> Option<Size> {
        let is_literal = |number: &Expr| literal(number).is_some();
        if is_literal(first) && is_literal(last) && second.as_ref().is_none_or(is_literal) {
            return None;
        }
        let i64 = Type::Scalar(arrc_syntax::prim::Scalar::I64);
        verify_types::check_equal_types(&i64, &last.ty).ok()?;
        let [from, to] = [first, last].map(|number| self.values.of_expr(number));
        let (from, to) = (from?, to?);
        let up = match second {
            None => *end != RangeEnd::Above,
            Some(second) => {
                let step = self.values.of_expr(second)?.minus(&from);
                if step != Size::constant(1) && step != Size::constant(-1) {
                    return None;
                }
                step == Size::constant(1)
            }
        };
        if up == (*end == RangeEnd::Above) && *end != RangeEnd::With {
            return None;
        }
        let (low, high) = if up { (from, to) } else { (to, from) };
        let size = high.minus(&low);
        let size = if *end == RangeEnd::With { size.plus(&Size::constant(1)) } else { size };
        (!size.is_too_large()).then_some(size)
    }

    /// An update of a value of type `whole`. As many elements as a slice has are compared when the program runs.
    fn updated(&self, whole: &Type, steps: &[Accessor], value: &Type) -> Result<(), String> {
        let mut part = whole.clone();
        let mut slices = 0;
        for step in steps {
            slices = 0;
            part = match step {
                Accessor::Item(at) => verify_types::field(&part, &at.to_string())?.clone(),
                Accessor::Field(name) => verify_types::field(&part, name)?.clone(),
                Accessor::At(dims) => {
                    let (sizes, element) = self.sliced(&part, dims)?;
                    slices = sizes.len();
                    let sizes = sizes.into_iter().rev().map(|size| match size {
                        ComputedSize::Known(size) => size,
                        ComputedSize::New => Size::symbol(self.fresh.symbol()),
                    });
                    sizes.fold(element, |element, size| Type::Array(size, Box::new(element)))
                }
            };
        }
        let (mut part, mut value) = (&part, value);
        for _ in 0..slices {
            let (Type::Array(_, inner), Type::Array(_, new)) = (part, value) else {
                return Err(format!("{value:?} for a slice"));
            };
            (part, value) = (inner, new);
        }
        self.fits(value, part).map_err(|wrong| format!("an update: {wrong}"))
    }

    /// `:>`. The sizes of the arrays in data are compared when the program runs.
    fn coerced(&self, found: &Type, ty: &Type) -> Result<(), String> {
        match (found, ty) {
            (Type::Array(_, found), Type::Array(_, ty)) => self.coerced(found, ty),
            (Type::Tuple(found), Type::Tuple(types)) if found.len() == types.len() => {
                found.iter().zip(types).try_for_each(|(found, ty)| self.coerced(found, ty))
            }
            (Type::Record(found), Type::Record(types)) => {
                found.iter().try_for_each(|(name, found)| match types.get(name) {
                    Some(ty) => self.coerced(found, ty),
                    None => Err(format!("there is no field {name} in {ty:?}")),
                })
            }
            _ => self.fits(found, ty).map_err(|wrong| format!("`:>`: {wrong}")),
        }
    }
}

/// The value of an integer literal.
fn literal(expr: &Expr) -> Option<i64> {
    let ExprKind::Const(constant) = &expr.kind else { return None };
    if !constant.ty.is_integer() {
        return None;
    }
    i64::try_from(constant.as_i128()).ok()
}

/// How many numbers a range of literals has: as many as there are when one goes from one to the next.
fn literal_count(Range { first, second, end, last }: &Range) -> Option<i64> {
    let (first, last) = (i128::from(literal(first)?), i128::from(literal(last)?));
    let step = match second {
        Some(second) => i128::from(literal(second)?) - first,
        None if *end == RangeEnd::Above => -1,
        None => 1,
    };
    let (up, leads) = match end {
        RangeEnd::Below => (true, first <= last),
        RangeEnd::Above => (false, first >= last),
        RangeEnd::With if step > 0 => (true, first <= last),
        RangeEnd::With => (false, first >= last),
    };
    if step == 0 || up != (step > 0) || !leads {
        return None;
    }
    // The last number that the range may have.
    let bound = match end {
        RangeEnd::Below => last - 1,
        RangeEnd::Above => last + 1,
        RangeEnd::With => last,
    };
    i64::try_from(((bound - first) * step.signum()).div_euclid(step.abs()) + 1).ok()
}
