//! Types and sizes that are still open after the walk of a definition: each is generalised or settled, or it is an
//! error.
//!
//! Invariant: a metavariable with a bound is never generalised. Its uses in the same definition determine it, or it
//! gets its default.
//!
//! ```text
//! def pair x y = (x, y + 1)   ⇒   def pair 'a (x: a) (y: i32): (a, i32)
//! ```

use super::Checker;
use super::def_state::UndeterminedSize;
use super::error::{ConstraintSite, Error, SizeError, SumError, TypeError};
use super::report::ReportMark;
use super::solve::{Equation, Level, Scheme, SizeState, TypeState, UnifyError};
use crate::core::{Size, Type};
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::names::Name;
use arrc_syntax::source::Span;

impl Checker<'_> {
    /// The type of a local function, generalised over all types and sizes of its own. Metavariables that got a bound
    /// since `bounded` stay open.
    pub(super) fn generalise_local(
        &mut self,
        ty: Type,
        (mut sizes, mut types): (Vec<SizeVar>, Vec<TypeVar>),
        bounded: usize,
    ) -> Scheme {
        let outer = self.u.level;
        self.solve_size_parts(outer);
        if let Err((clash, span)) = self.u.prevent_generalisation(bounded, outer) {
            self.unclosed(span, clash);
        }
        self.pin_wanted(&ty, outer);
        self.quantify(&ty, outer, &mut sizes, &mut types);
        let mut left = Vec::new();
        self.u.sizes_of(&ty, &mut left);
        let escapes = |id: &SizeVar| {
            self.u.is_rigid_size(*id) && self.u.size_level(*id) > outer && !sizes.contains(id)
        };
        if let Some(size) = left.into_iter().find(escapes) {
            let span = self.u.sizes[size].info.span;
            self.unclosed(span, UnifyError::Escape { size });
        }
        Scheme { types, sizes, ty }
    }

    /// Prevents the sizes that only the result of a local function mentions from being generalised: a local function
    /// is a value, so its calls cannot pass such sizes to it.
    fn pin_wanted(&mut self, ty: &Type, level: Level) {
        for size in self.wanted_sizes(ty) {
            if self.u.is_free_size(size) {
                let lowered = self.u.lower_size(level, &Size::symbol(size));
                lowered.expect("a size that is still to be found can be found further out");
            }
        }
    }

    /// The sizes that only the result of a function of this type mentions.
    pub(super) fn wanted_sizes(&self, ty: &Type) -> Vec<SizeVar> {
        let (mut told, mut ty) = (Vec::new(), self.u.head(ty));
        while let Type::Fun(_, param, result) = ty {
            self.u.sizes_of(&param, &mut told);
            ty = self.u.head(&result);
        }
        let mut wanted = Vec::new();
        self.u.sizes_of(&ty, &mut wanted);
        wanted.retain(|size| !told.contains(size));
        wanted
    }

    /// Generalises the open types and sizes in `ty` that are deeper than `outer`.
    pub(super) fn quantify(
        &mut self,
        ty: &Type,
        outer: Level,
        sizes: &mut Vec<SizeVar>,
        types: &mut Vec<TypeVar>,
    ) {
        let mut open = Vec::new();
        self.u.free_types(ty, &mut open);
        open.retain(|&var| self.u.type_level(var) > outer);
        for var in open {
            self.u.types[var].name = self.fresh_type_name(types);
            self.u.types[var].state = TypeState::Rigid(outer.inner());
            types.push(var);
        }
        let mut open = Vec::new();
        self.u.sizes_of(ty, &mut open);
        open.retain(|&id| self.u.is_free_size(id) && self.u.size_level(id) > outer);
        for id in open {
            self.u.sizes[id].state = SizeState::Rigid(outer.inner());
            self.u.sizes[id].info.name = self.fresh_size_name(id, sizes);
            sizes.push(id);
        }
    }

    /// A name for a size parameter that was not written. It is the size's own name, if it has one that is different
    /// from the names of `sizes`.
    pub(super) fn fresh_size_name(&self, id: SizeVar, sizes: &[SizeVar]) -> Name {
        let own = self.u.sizes[id].info.name.clone();
        let taken = |name: &Name| {
            sizes.iter().any(|&other| other != id && self.u.sizes[other].info.name == *name)
        };
        let letters = ["n", "m", "l"].into_iter().map(Name::from);
        let numbered = (1..).map(|number| Name::from(format!("n{number}")));
        std::iter::once(own)
            .filter(|own| !own.is_empty())
            .chain(letters)
            .chain(numbered)
            .find(|name| !taken(name))
            .expect("there is always a further number")
    }

    /// A name for a type parameter that was not written.
    fn fresh_type_name(&self, types: &[TypeVar]) -> Name {
        let taken = |name: &Name| {
            self.names.has_type(name)
                || types.iter().any(|&other| self.u.types[other].name == *name)
        };
        let letters = ('a'..='z').map(|letter| Name::from(letter.to_string()));
        let numbered = (1..).map(|number| Name::from(format!("t{number}")));
        letters.chain(numbered).find(|name| !taken(name)).expect("there is always a further number")
    }

    /// Solves the equations of sizes that can be solved, and reports those that cannot hold.
    pub(super) fn solve_size_equations(&mut self) {
        for (equation, clash) in self.u.solve_equations() {
            let (expected, found) = (equation.expected.clone(), equation.found.clone());
            let array = |size: Size| Type::Array(size, Box::new(self.u.error_type()));
            let (expected, found) = (array(expected), array(found));
            self.clash(ConstraintSite::Later { span: equation.at }, &expected, &found, clash);
        }
    }

    /// As [`Self::solve_size_equations`]. If only a sum or product of sizes deeper than `level` is known, its parts are
    /// matched in order.
    fn solve_size_parts(&mut self, level: Level) {
        self.solve_size_equations();
        while self.u.match_parts(level) {
            self.solve_size_equations();
        }
    }

    /// Settles everything that is still open after the walk of a definition.
    pub(super) fn close(&mut self) {
        self.solve_size_parts(Level::default());
        let clean = self.reports.mark();
        for var in std::mem::take(&mut self.u.bounded) {
            if let Some(default) = self.u.default_of(var) {
                self.u.types[var].state = TypeState::Bound(default);
            } else if let Some(bounds) = self.u.bounds(var) {
                if !bounds.constructors.is_empty() {
                    self.unknown_sum(var, clean);
                    continue;
                }
                let Some(field) = bounds.fields.first().cloned() else { continue };
                let fields = bounds.fields.clone();
                let all = fields.iter().map(|field| field.name.clone()).collect();
                self.u.types[var].state = TypeState::Error;
                for field in &fields {
                    if let Some(inner) = self.u.as_free(&field.ty) {
                        self.u.types[inner].state = TypeState::Error;
                    }
                }
                // A type that is too large cannot determine the field's type.
                if !self.reports.is_oversized() && self.errors_are_subjects(clean) {
                    let (name, span) = (field.name, field.span);
                    self.report(TypeError::UnknownFieldType { name, span, all });
                }
            }
        }
        self.solve_size_parts(Level::default());
        for Equation { expected, found, at } in std::mem::take(&mut self.u.waiting) {
            let [expected, found] = [expected, found].map(|size| self.u.resolve_size(&size));
            let equation = Equation { expected, found, at };
            if self.open_shape(&equation) {
                continue;
            }
            let clash = UnifyError::Sizes {
                expected: equation.expected.clone(),
                found: equation.found.clone(),
            };
            let array = |size: Size| Type::Array(size, Box::new(self.u.error_type()));
            let (expected, found) = (array(equation.expected), array(equation.found));
            self.clash(ConstraintSite::Later { span: equation.at }, &expected, &found, clash);
        }
    }

    /// Reports sizes that only the place of a call could determine, and does not determine. The sizes in `untold` do
    /// not count as determined: they are sizes of the enclosing definition that its arguments do not determine.
    pub(super) fn open_sizes(&mut self, untold: &[SizeVar]) {
        for UndeterminedSize { def, own, size, span } in std::mem::take(&mut self.walk.wanted) {
            let symbols = self.u.resolve_size(&size).symbols();
            let is_open = |id: &SizeVar| self.u.is_free_size(*id) || untold.contains(id);
            if symbols.iter().any(is_open) && !self.is_untold(self.u.sizes[own].info.span) {
                let size = self.u.sizes[own].info.name.clone();
                let name = self.names.def(def).name.clone();
                let declared = self.names.is_user(name.span).then_some(name.span);
                self.report(SizeError::OpenSize { span, size, name: name.name, declared });
            }
        }
    }

    /// Whether an undetermined size was reported where it is declared.
    pub(super) fn is_untold(&self, declared: Span) -> bool {
        self.reports.all().iter().any(|error| {
            matches!(
                error,
                Error::Size(SizeError::Undetermined { span, .. } | SizeError::UnboundSize { span, .. })
                    if *span == declared
            )
        })
    }

    /// Reports an equation that leaves several sizes open, such as that of `unflatten`. Returns whether it is one.
    fn open_shape(&mut self, equation: &Equation) -> bool {
        let left = self.u.resolve_size(&equation.expected);
        let right = self.u.resolve_size(&equation.found);
        let free = |size: &Size| -> Vec<SizeVar> {
            size.symbols().into_iter().filter(|&id| self.u.is_free_size(id)).collect()
        };
        let (whole, open, given) = match (free(&left), free(&right)) {
            (open, given) if open.len() > 1 && given.is_empty() => (left, open, right),
            (given, open) if open.len() > 1 && given.is_empty() => (right, open, left),
            _ => return false,
        };
        let mut shown = self.shown();
        let sizes = open.iter().map(|&id| shown.size(&Size::symbol(id)).into()).collect();
        let (whole, given) = (shown.size(&whole), shown.size(&given));
        let maker = self.u.sizes[open[0]].info.span;
        let maker = self.names.is_user(maker).then_some(maker);
        self.report(SizeError::OpenShape { span: equation.at, sizes, whole, given, maker });
        true
    }

    /// Whether all errors since `clean` are about fields of unknown types.
    pub(super) fn errors_are_subjects(&self, clean: ReportMark) -> bool {
        self.reports.since(clean).iter().all(|error| {
            matches!(
                error,
                Error::Type(TypeError::UnknownFieldType { .. })
                    | Error::Sum(SumError::UnknownSum { .. })
            )
        })
    }
}
