//! From a clash of two types to its diagnostic: the expression to blame, and the origins of sizes.
//!
//! Invariant: a clash with something that was reported already is not reported again.
//!
//! ```text
//! Sizes { k of filter, n of xs } at an argument of map2
//! ⇒ labels at the argument, at the other argument, at the filter, and at the parameter xs
//! ```

use super::Checker;
use super::convert;
use super::environment::builtin;
use super::error::{
    ConstraintSite, EscapingUse, NameError, Origin, Remedy, ShownType, SizeError, TypeError,
};
use super::quotients;
use super::solve::{OperatorSite, UnifyError};
use crate::core::{Size, SizeOrigin, Type};
use arrc_syntax::diagnostics::{Help, nearest};
use arrc_syntax::ids::{LocalId, SizeVar};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A variable that does not fit: a function where none is expected, or an argument of a named function.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(super) enum MismatchedVariable {
    /// The variable is a function. An argument may be missing where the variable is bound.
    Function(LocalId),
    /// The variable is an argument: of the function with this name and place of definition, at this position.
    Argument(LocalId, (Option<Name>, Option<Span>), usize),
}

impl Checker<'_> {
    /// Whether it was reported already that this variable does not fit, for the same reason.
    fn is_told(
        &mut self,
        place: &ConstraintSite,
        (expected, found): (&Type, &Type),
        clash: &UnifyError,
    ) -> bool {
        let Some(&var) = self.walk.uses.get(&place.span()) else { return false };
        let is_function = |ty: &Type| matches!(self.u.head_ref(ty), Type::Fun(..));
        let misfit = match (clash, place) {
            (UnifyError::Operator { .. }, _) if is_function(found) => {
                MismatchedVariable::Function(var)
            }
            (UnifyError::Types { .. }, _) if is_function(found) && !is_function(expected) => {
                MismatchedVariable::Function(var)
            }
            (UnifyError::Types { .. }, ConstraintSite::Argument { callee, position, .. }) => {
                MismatchedVariable::Argument(var, (callee.name.clone(), callee.declared), *position)
            }
            _ => return false,
        };
        self.reports.is_known(misfit)
    }

    /// Unifies two types, or reports that they differ. Returns whether they are equal now.
    pub(super) fn expect(
        &mut self,
        expected: &Type,
        found: &Type,
        place: impl FnOnce() -> ConstraintSite,
    ) -> bool {
        let unified = self.u.unify(expected, found);
        if let Err(clash) = unified {
            self.clash(place(), expected, found, clash);
            return false;
        }
        true
    }

    /// Reports that two types differ.
    pub(super) fn clash(
        &mut self,
        place: ConstraintSite,
        expected: &Type,
        found: &Type,
        clash: UnifyError,
    ) {
        if self.is_told(&place, (expected, found), &clash) {
            return;
        }
        let span = place.span();
        match clash {
            UnifyError::Types { expected: left, found: right } => {
                let error = self.mismatch(place, (expected, found), (&left, &right));
                self.report(error);
            }
            UnifyError::Sizes { expected: left, found: right } => {
                let error = self.size_mismatch(place, (expected, found), (&left, &right));
                self.report(error);
            }
            UnifyError::Infinite { var, ty } => {
                let mut shown = self.shown();
                let (var, ty) = (shown.ty(&Type::Var(var)), shown.ty(&ty));
                self.report(TypeError::Infinite { span, var, ty });
            }
            UnifyError::Escape { size } => self.escape(size, place, found),
            UnifyError::TypeEscape { var } => {
                let name = self.u.types[var].name.clone();
                self.report(TypeError::TypeEscape { span, name });
            }
            UnifyError::Operator { operator, ty } => {
                self.operator_clash(&operator, &ty, (span, found))
            }
            UnifyError::Field { .. } => self.field_clash(clash),
            UnifyError::Constructor { name, span, given, ty } => {
                self.constructor_clash(&name, span, given, &ty);
            }
        }
    }

    /// Reports that an operator is not defined on a type. An expression at `span` has the type `whole`, which is that
    /// type or contains it.
    fn operator_clash(
        &mut self,
        operator: &OperatorSite,
        ty: &Type,
        (span, whole_ty): (Span, &Type),
    ) {
        if self.u.is_error(ty) {
            return;
        }
        let (shown, head) = (self.show(ty), self.u.head(ty));
        let whole = self.show(whole_ty);
        let OperatorSite { sign, span: at } = operator.clone();
        if matches!(sign.as_str(), "==" | "!=") {
            let part = (shown != whole).then_some(shown);
            let hint = self.comparison_hint(ty);
            self.report(TypeError::NotComparable {
                sign,
                operator: at,
                ty: ShownType { text: whole, is_array: self.is_array(whole_ty) },
                span,
                part,
                hint,
            });
            return;
        }
        let hint = match head {
            Type::Array(..) if builtin::reduction(&sign).is_some() => {
                Some(Help::naming("`map` applies {} to each row", [&sign]))
            }
            Type::Array(..) => {
                Some(Help::words("`map` and `map2` apply an operator to each element"))
            }
            Type::Fun(..) => {
                let name = self.walk.uses.get(&span).map(|&var| self.vars[var].name.clone());
                Some(self.missing_arguments(ty, name.as_ref()))
            }
            Type::Var(var) if !self.u.is_free(var) => Some(Help::naming(
                "take the operation as a parameter, or write a type that has it in the place of {}",
                [&shown],
            )),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Exists(..)
            | Type::Var(_)
            | Type::Hidden(_) => None,
        };
        let ty = ShownType { text: shown, is_array: self.is_array(ty) };
        self.report(TypeError::Operator { sign, operator: at, ty, span, whole, hint });
    }

    fn is_array(&self, ty: &Type) -> bool {
        matches!(self.u.head(ty), Type::Array(..))
    }

    /// Advice about values that cannot be compared.
    fn comparison_hint(&self, ty: &Type) -> &'static str {
        match self.u.head(ty) {
            Type::Array(..) => "`map2` compares the elements, and `and` joins the results",
            Type::Fun(..) => {
                "is an argument missing? Functions cannot be compared, their results can"
            }
            Type::Var(_) => "take the comparison as a parameter: `(eq: a -> a -> bool)`",
            Type::Hidden(_) => {
                "its module hides what it is: only a function of the module can compare its values"
            }
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Exists(..) => "scalars, and tuples, records and sums of them, can be compared",
        }
    }

    /// Reports that a type does not have a field.
    pub(super) fn field_clash(&mut self, clash: UnifyError) {
        let UnifyError::Field { name, span, ty } = clash else {
            panic!("only a field can be missing, not {clash:?}");
        };
        if self.u.is_error(&ty) {
            return;
        }
        let fields: Vec<Name> = match self.u.head(&ty) {
            Type::Record(fields) => fields.keys().cloned().collect(),
            Type::Tuple(items) => (0..items.len()).map(|at| Name::from(at.to_string())).collect(),
            Type::Scalar(_)
            | Type::Sum(_)
            | Type::Array(..)
            | Type::Fun(..)
            | Type::Var(_)
            | Type::Exists(..)
            | Type::Hidden(_) => Vec::new(),
        };
        let near = nearest(&name, &fields);
        let ty = self.show(&ty);
        self.report(NameError::UnknownField { name, span, ty, near, fields });
    }

    /// Reports that a size is needed where it is not known.
    fn escape(&mut self, size: SizeVar, place: ConstraintSite, found: &Type) {
        let info = &self.u.sizes[size].info;
        let maker = match &info.origin {
            SizeOrigin::Exists { maker } => Some(maker.clone()),
            SizeOrigin::Value(_) | SizeOrigin::Param => None,
        };
        let made = info.span;
        let shown = self.shown().size(&Size::symbol(size));
        let span = place.span();
        let of = match (self.u.head(found), place) {
            (Type::Fun(..), ConstraintSite::Argument { callee, .. }) => {
                EscapingUse::EachCall { callee }
            }
            (_, ConstraintSite::Argument { others, .. }) => EscapingUse::Early(others),
            _ => EscapingUse::Early(Vec::new()),
        };
        self.report(SizeError::SizeEscape { span, size: shown, maker, made, of });
    }

    fn mismatch(
        &self,
        place: ConstraintSite,
        (expected, found): (&Type, &Type),
        (left, right): (&Type, &Type),
    ) -> TypeError {
        let mut shown = self.shown();
        let (whole_expected, whole_found) = (shown.ty(expected), shown.ty(found));
        let part = (shown.ty(left), shown.ty(right));
        let is_part = part.0 != whole_expected && part.1 != whole_found;
        let hint = self.conversion(&place, (expected, found), (left, right));
        let hint = hint.or_else(|| {
            let hint = self.mismatch_hint(expected, found, place.span());
            let hint = hint.or_else(|| self.part_hint(left, right));
            hint.or_else(|| self.operand_hint(&place, expected, found))
        });
        TypeError::Mismatch {
            place,
            expected: ShownType { text: whole_expected, is_array: self.is_array(expected) },
            found: ShownType { text: whole_found, is_array: self.is_array(found) },
            part: is_part.then_some(part),
            hint,
        }
    }

    /// Advice about two types that differ.
    fn mismatch_hint(&self, expected: &Type, found: &Type, at: Span) -> Option<Help> {
        let around = |text: &str, [before, behind]: [&str; 2]| {
            let end = Span { start: at.end, ..at };
            let edits = [(at.before(), before), (end, behind)];
            Help::proposing(text, edits.into_iter().filter(|(_, new)| !new.is_empty()))
        };
        match (self.u.head(expected), self.u.head(found)) {
            (Type::Scalar(Scalar::Bool), Type::Scalar(from)) if from.is_numeric() => {
                Some(around("compare it with something, such as 0", ["", " != 0"]))
            }
            (expected, found @ Type::Fun(..))
                if !matches!(expected, Type::Fun(..) | Type::Var(_)) =>
            {
                Some(self.missing_arguments(&found, None))
            }
            (Type::Array(size, element), found) => {
                let size = self.u.resolve_size(&size).as_constant();
                let is_one = size.is_none_or(|size| size == 1) && self.may_be_one(&element, &found);
                is_one.then(|| around("put this one element in brackets", ["[", "]"]))
            }
            _ => None,
        }
    }

    /// Whether a value of the type `found` can be an element of the type `element`.
    fn may_be_one(&self, element: &Type, found: &Type) -> bool {
        match (self.u.scalars(element), self.u.scalars(found)) {
            (Some(left), Some(right)) => !left.and(right).is_empty(),
            (None, _) | (_, None) => {
                let mut shown = self.shown();
                shown.ty(element) == shown.ty(found)
            }
        }
    }

    /// Advice about a whole number beside a literal with a fraction.
    fn operand_hint(&self, place: &ConstraintSite, expected: &Type, found: &Type) -> Option<Help> {
        let ConstraintSite::Operands { wanted, .. } = place else { return None };
        let float = wanted.filter(|wanted| wanted.is_float()).unwrap_or(Scalar::F64);
        let types = match (self.u.head(expected), self.u.head(found)) {
            (Type::Var(_), Type::Scalar(from)) if from.is_integer() => [float, from],
            (Type::Scalar(from), Type::Var(_)) if from.is_integer() => [from, float],
            _ => return None,
        };
        Some(convert::of_operands(place, types))
    }

    /// How to convert numbers, or arrays of numbers, that differ.
    fn conversion(
        &self,
        place: &ConstraintSite,
        (expected, found): (&Type, &Type),
        (left, right): (&Type, &Type),
    ) -> Option<Help> {
        let numbers = |left: &Type, right: &Type| match (self.u.head(left), self.u.head(right)) {
            (Type::Scalar(to), Type::Scalar(from)) => {
                (to.is_numeric() && from.is_numeric()).then_some((to, from))
            }
            _ => None,
        };
        if let Some((to, from)) = numbers(expected, found) {
            let quotient = self.quotient(place, to, from);
            return Some(quotient.unwrap_or_else(|| convert::advice(place, to, from)));
        }
        let (to, from) = numbers(left, right)?;
        let is_array = matches!(self.u.head(expected), Type::Array(..));
        let def = self.names.def(self.walk.def);
        let edits = |(to, from): (Scalar, Scalar)| {
            quotients::of_elements(def, place.span(), &format!("{to}.{from}"))
        };
        let is_float = to.is_float() && from.is_integer();
        let quotient = Some((to, from)).filter(|_| is_array && is_float).and_then(edits);
        match quotient {
            Some(edits) => Some(convert::of_quotient(edits)),
            None => is_array.then(|| convert::of_elements(place, to, from)),
        }
    }

    /// How to convert a quotient of integers that is used as a float.
    fn quotient(&self, place: &ConstraintSite, expected: Scalar, found: Scalar) -> Option<Help> {
        let (at, from, to) = if let ConstraintSite::Operands { left, right, wanted, .. } = place {
            if wanted.is_some_and(Scalar::is_integer) {
                return None;
            }
            let is_right = expected.is_float();
            if is_right { (*right, found, expected) } else { (*left, expected, found) }
        } else {
            (place.span(), found, expected)
        };
        if !from.is_integer() || !to.is_float() {
            return None;
        }
        let edits =
            quotients::conversions(self.names.def(self.walk.def), at, &format!("{to}.{from}"))?;
        Some(convert::of_quotient(edits))
    }

    /// Advice about two types that differ in a part.
    fn part_hint(&self, left: &Type, right: &Type) -> Option<Help> {
        match (self.u.head(left), self.u.head(right)) {
            (Type::Scalar(Scalar::Bool), Type::Scalar(from)) if from.is_numeric() => {
                Some(Help::words("compare the number with something"))
            }
            (left, found @ Type::Fun(..)) if !matches!(left, Type::Fun(..) | Type::Var(_)) => {
                Some(self.missing_arguments(&found, None))
            }
            _ => None,
        }
    }

    /// The parameters that a function still takes, where its result was expected. A variable is given by its name.
    fn missing_arguments(&self, function: &Type, name: Option<&Name>) -> Help {
        let (mut shown, mut params, mut ty) = (self.shown(), Vec::new(), function.clone());
        while let Type::Fun(_, param, result) = self.u.head(&ty) {
            params.push(shown.ty(&param));
            ty = *result;
        }
        let words = match (params.len(), name) {
            (1, None) => "is an argument missing? This still takes {}",
            (1, Some(_)) => "is an argument missing here, or where it is bound? It still takes {}",
            (_, None) => "are arguments missing? This still takes {}",
            (_, Some(_)) => "are arguments missing here, or where it is bound? It still takes {}",
        };
        Help::naming(words, params)
    }

    fn size_mismatch(
        &self,
        place: ConstraintSite,
        (expected, found): (&Type, &Type),
        (left, right): (&Size, &Size),
    ) -> SizeError {
        let (left, right) = (self.u.resolve_size(left), self.u.resolve_size(right));
        let mut shown = self.shown();
        let texts = (shown.size(&left), shown.size(&right));
        let types = (shown.ty(expected), shown.ty(found));
        let symbols = self.differing(&left, &right);
        let mut origins = Vec::new();
        let mut computed = Vec::new();
        for id in symbols {
            let name = shown.size(&Size::symbol(id));
            if let Some(origin) = self.origin(id, &name) {
                origins.push(origin);
            }
            if let SizeOrigin::Exists { maker } = &self.u.sizes[id].info.origin {
                computed.push(maker.clone());
            }
        }
        let is_filtered = computed.iter().any(|maker| maker == "filter");
        let is_argument = matches!(place, ConstraintSite::Argument { .. });
        let remedy = if let ConstraintSite::Result { ty, .. } = &place
            && is_filtered
            && right.as_symbol().is_some()
            && !self.u.has_variable(found)
        {
            Remedy::Result { at: *ty, ty: format!("?[{}].{}", texts.1, types.1) }
        } else if is_argument
            && !is_filtered
            // Sizes that differ by a constant are never equal.
            && !self.differing(&left, &right).is_empty()
            && self.can_be_written(expected, &left)
        {
            Remedy::Coerce { ty: types.0.clone() }
        } else {
            Remedy::None
        };
        let place = self.with_sizes(place, &texts.0);
        SizeError::SizeMismatch {
            place,
            expected: texts.0,
            found: texts.1,
            expected_type: types.0,
            found_type: types.1,
            origins,
            computed,
            remedy,
        }
    }

    /// Whether a type with the size `size` can be written here in the words of the message.
    fn can_be_written(&self, ty: &Type, size: &Size) -> bool {
        let symbols = size.symbols();
        let has_name = |id: &SizeVar| {
            let info = &self.u.sizes[*id].info;
            !matches!(info.origin, SizeOrigin::Exists { .. })
                && !self.u.is_free_size(*id)
                && self.names.is_user(info.span)
        };
        !symbols.is_empty() && symbols.iter().all(has_name) && !self.u.has_variable(ty)
    }

    /// The symbols by which two sizes differ.
    fn differing(&self, left: &Size, right: &Size) -> Vec<SizeVar> {
        left.minus(right).symbols()
    }

    /// Where a size came from.
    fn origin(&self, id: SizeVar, name: &str) -> Option<Origin> {
        let info = &self.u.sizes[id].info;
        let text = match &info.origin {
            SizeOrigin::Exists { maker } if maker == "if" => {
                format!(
                    "the branches of this `if` have different sizes, so the result has a size `{name}` of its own"
                )
            }
            SizeOrigin::Exists { maker } if maker == "match" => {
                format!(
                    "the cases of this `match` have different sizes, so the result has a size `{name}` of its own"
                )
            }
            SizeOrigin::Exists { maker } => format!("`{maker}` makes the size `{name}` here"),
            SizeOrigin::Value(var) => {
                let var = &self.vars[*var];
                return self.names.is_user(var.span).then(|| {
                    let text = if var.name == name {
                        format!("`{name}` is bound here")
                    } else {
                        format!("the size `{name}` is the value of this `{}`", var.name)
                    };
                    (var.span, text)
                });
            }
            SizeOrigin::Param => return self.param_origin(id, name),
        };
        self.names.is_user(info.span).then_some((info.span, text))
    }

    /// Where a size parameter came from: the first parameter that has it.
    fn param_origin(&self, id: SizeVar, name: &str) -> Option<Origin> {
        let has = |(_, ty): &&(LocalId, Type)| {
            let Type::Array(size, _) = self.u.head(ty) else { return false };
            self.u.resolve_size(&size).as_symbol() == Some(id)
        };
        if let Some((var, _)) = self.walk.params.iter().find(has) {
            let var = &self.vars[*var];
            let text = format!("the parameter `{}` has size `{name}`, declared here", var.name);
            return Some((var.span, text));
        }
        let span = self.u.sizes[id].info.span;
        let text = match self.names.scope.get(&Name::new(name)) {
            None if self.u.is_free_size(id) => format!("`{name}` is a size of this function"),
            Some(_) | None => format!("the size `{name}` is declared here"),
        };
        self.names.is_user(span).then_some((span, text))
    }

    /// The place with the sizes of the other arguments in place of their types, for an error of sizes.
    fn with_sizes(&self, place: ConstraintSite, size: &str) -> ConstraintSite {
        match place {
            ConstraintSite::Argument { span, callee, position, others } => {
                let last = others.into_iter().next_back();
                let others = last.map(|(span, _)| (span, format!("this has size `{size}`")));
                ConstraintSite::Argument {
                    span,
                    callee,
                    position,
                    others: others.into_iter().collect(),
                }
            }
            ConstraintSite::Branch { .. }
            | ConstraintSite::Case { .. }
            | ConstraintSite::Payload { .. }
            | ConstraintSite::Condition { .. }
            | ConstraintSite::Assertion { .. }
            | ConstraintSite::Operands { .. }
            | ConstraintSite::Logic { .. }
            | ConstraintSite::Element { .. }
            | ConstraintSite::Annotation { .. }
            | ConstraintSite::Result { .. }
            | ConstraintSite::Index { .. }
            | ConstraintSite::Update { .. }
            | ConstraintSite::Loop { .. }
            | ConstraintSite::LoopCondition { .. }
            | ConstraintSite::Replace { .. }
            | ConstraintSite::ReplaceSlice { .. }
            | ConstraintSite::Yield { .. }
            | ConstraintSite::Later { .. } => place,
        }
    }
}
