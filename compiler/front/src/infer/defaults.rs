//! Definitions with types that nothing determines: they get default types, and may be used at other types.
//!
//! Where a group of definitions has errors and uses such a definition, it is walked again, on trial: each use may
//! then have any type that the operators of the definition allow. If fewer errors are left, the default is to blame.
//! That is reported once, at the definition.
//!
//! Invariant: the trial changes nothing where no error was found, so it does not affect correct programs.
//!
//! ```text
//! def scale k x = k * x   def f (w: f64) = scale w 2.0
//! ⇒ error[A0351]: nothing says of what type `k` is: it is `i32`, and should be `f64` in `scale w 2.0`
//! ```

use indexmap::IndexMap;

use super::Checker;
use super::environment::order::Group;
use super::error::{AnnotationPlace, TypeError};
use super::solve::{Bounds, Instance, Scheme, TypeState};
use super::typed::Param;
use crate::core;
use crate::core::Type;
use arrc_syntax::ast::{Def, PatKind};
use arrc_syntax::ids::{DefId, TypeVar};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// A type that a definition has by default.
#[derive(Clone, Debug)]
pub(super) struct DefaultedType {
    /// The metavariable that stands for it.
    var: TypeVar,
    /// The metavariable that takes its place while the default is open.
    open: TypeVar,
    scalar: Scalar,
    /// The bounds that the definition puts on it.
    bounds: Bounds,
    /// The default of another definition, if this one comes from there: the definition and the number of its default.
    from: Option<(DefId, usize)>,
}

/// A type that is to be chosen by default.
#[derive(Debug)]
pub(super) struct PendingDefault {
    var: TypeVar,
    bounds: Bounds,
    from: Option<(DefId, usize)>,
}

/// The scheme of a definition whose defaults are left open: they are the last of its type parameters.
#[derive(Debug)]
struct OpenScheme {
    scheme: Scheme,
    defaults: Vec<DefaultedType>,
    /// The places where the defaults can be written.
    places: Vec<AnnotationPlace>,
}

/// A use of a definition with defaults, in a group that is walked on trial.
#[derive(Debug)]
struct TrialUse {
    def: DefId,
    /// The number of the default among those of the definition.
    at: usize,
    /// The type that the use needs.
    ty: Type,
    span: Span,
}

/// The defaults of all definitions, and the results of the trials.
#[derive(Default, Debug)]
pub(super) struct Defaults {
    open: IndexMap<DefId, OpenScheme>,
    /// Whether definitions are walked on trial.
    is_trial: bool,
    /// Whether the walk met the name of a definition with a default, or of one that depends on such a definition.
    is_used: bool,
    /// Groups without errors that named such a definition, and were not walked on trial.
    dependent: Vec<Group>,
    /// The uses in the definition that is walked on trial.
    trial_uses: Vec<TrialUse>,
    /// The uses on trial that are right with the default, by definition and number.
    default_uses: Vec<(DefId, usize, Span)>,
    /// The defaults that are to blame, by definition and number, with the types that uses need.
    non_default_uses: Vec<(DefId, usize, Scalar, Span)>,
}

impl Checker<'_> {
    /// Walks a group, and once more if a default may be to blame for its errors.
    pub(super) fn group_or_trial(&mut self, group: &Group, defs: &mut IndexMap<DefId, core::Def>) {
        let told = self.reports.mark();
        self.defaults.is_used = false;
        self.group(group, defs);
        let wrong = self.reports.wrong_since(told);
        if !self.defaults.is_used {
            return;
        }
        if wrong == 0 {
            return self.defaults.dependent.push(group.clone());
        }
        let first = self.reports.take_since(told);
        let guilty = self.defaults.non_default_uses.len();
        self.defaults.is_trial = true;
        for group in std::mem::take(&mut self.defaults.dependent) {
            self.group(&group, &mut IndexMap::new());
        }
        self.reports.take_since(told);
        self.defaults.non_default_uses.truncate(guilty);
        self.group(group, defs);
        self.defaults.is_trial = false;
        if self.defaults.non_default_uses.len() == guilty || self.reports.wrong_since(told) >= wrong
        {
            self.defaults.non_default_uses.truncate(guilty);
            self.reports.take_since(told);
            self.reports.extend(first);
        }
    }

    /// Reports the defaults that are to blame, each once.
    pub(super) fn blame_defaults(&mut self) {
        if self.defaults.non_default_uses.is_empty() {
            return;
        }
        // A use that is correct at the default type would be an error at any other type.
        let (told, guilty) = (self.reports.mark(), self.defaults.non_default_uses.len());
        self.defaults.is_trial = true;
        for group in std::mem::take(&mut self.defaults.dependent) {
            self.group(&group, &mut IndexMap::new());
        }
        self.defaults.is_trial = false;
        self.reports.take_since(told);
        self.defaults.non_default_uses.truncate(guilty);
        let mut found: IndexMap<(DefId, usize), Vec<(Scalar, Span)>> = IndexMap::new();
        for (def, at, scalar, span) in std::mem::take(&mut self.defaults.non_default_uses) {
            let uses = found.entry((def, at)).or_default();
            if uses.iter().all(|(other, _)| *other != scalar) {
                uses.push((scalar, span));
            }
        }
        for ((def, at), uses) in found {
            let open = &self.defaults.open[&def];
            let (default, place) = (open.defaults[at].scalar, open.places[at].clone());
            let mut uses = uses;
            let mut right = self.defaults.default_uses.iter();
            uses.extend(
                right.find(|one| (one.0, one.1) == (def, at)).map(|&(.., span)| (default, span)),
            );
            let name = self.names.def(def).name.clone();
            self.report(TypeError::Defaulted {
                name: name.name,
                span: name.span,
                default,
                place,
                uses,
            });
        }
    }

    /// Gives each use on trial whose type nothing else determined the default type, if it can have it.
    pub(super) fn apply_defaults_to_trial_uses(&mut self) {
        for TrialUse { def, at, ty, span } in &self.defaults.trial_uses {
            let DefaultedType { scalar: default, from, .. } =
                &self.defaults.open[def].defaults[*at];
            let default = *default;
            if self.u.as_scalar(ty) == Some(default) {
                let (def, at) = from.unwrap_or((*def, *at));
                self.defaults.default_uses.push((def, at, *span));
            } else if self.u.as_free(ty).is_some() {
                // A use that cannot have the default gets another type when the definition is closed.
                let _ = self.u.unify(ty, &Type::Scalar(default));
            }
        }
    }

    /// Remembers the uses on trial that need another type than the default.
    pub(super) fn record_non_default_uses(&mut self) {
        for TrialUse { def, at, ty, span } in std::mem::take(&mut self.defaults.trial_uses) {
            let default = self.defaults.open[&def].defaults[at].scalar;
            if let Some(scalar) = self.u.as_scalar(&ty).filter(|&scalar| scalar != default) {
                let (def, at) = self.defaults.open[&def].defaults[at].from.unwrap_or((def, at));
                self.defaults.non_default_uses.push((def, at, scalar, span));
            }
        }
    }

    /// Forgets the uses of the definition that was walked before.
    pub(super) fn forget_trial_uses(&mut self) {
        self.defaults.trial_uses.clear();
    }

    /// The type of a definition where it is used, on trial or not.
    pub(super) fn instantiate_use(&mut self, def: DefId, scheme: &Scheme, span: Span) -> Instance {
        let Some(open) = self.defaults.open.get(&def) else {
            let mut dependent = self.defaults.dependent.iter();
            self.defaults.is_used |= dependent.any(|group| group.defs.contains(&def));
            return self.u.instantiate(scheme, span);
        };
        self.defaults.is_used = true;
        if !self.defaults.is_trial {
            return self.u.instantiate(scheme, span);
        }
        let mut instance = self.u.instantiate(&open.scheme, span);
        let types = instance.types.split_off(scheme.types.len());
        for (at, (ty, default)) in types.into_iter().zip(&open.defaults).enumerate() {
            if let Some(var) = self.u.as_free(&ty) {
                self.u.types[var].state = TypeState::Free(self.u.level, default.bounds.clone());
                self.u.bounded.push(var);
            }
            self.defaults.trial_uses.push(TrialUse { def, at, ty, span });
        }
        instance
    }

    /// The types in a definition that will get their defaults, and their bounds.
    pub(super) fn undecided(&self, params: &[Param], result: &Type) -> Vec<PendingDefault> {
        let mut found = Vec::new();
        params.iter().for_each(|param| self.u.free_types(&param.ty, &mut found));
        self.u.free_types(result, &mut found);
        found.retain(|&var| self.u.default_of(var).is_some());
        let undecided = |var| {
            let bounds = self.u.bounds(var)?.clone();
            let mut suspects = self.defaults.trial_uses.iter();
            let from = suspects.find(|suspect| self.u.as_free(&suspect.ty) == Some(var));
            let from = from.map(|TrialUse { def, at, .. }| {
                self.defaults.open[def].defaults[*at].from.unwrap_or((*def, *at))
            });
            Some(PendingDefault { var, bounds, from })
        };
        found.into_iter().filter_map(undecided).collect()
    }

    /// Leaves the chosen defaults open again, so that the definition's type can be made with them.
    pub(super) fn open_defaults(&mut self, undecided: Vec<PendingDefault>) -> Vec<DefaultedType> {
        let mut chosen = Vec::new();
        for PendingDefault { var, bounds, from } in undecided {
            if let Some(scalar) = self.u.as_scalar(&Type::Var(var)) {
                let open = self.u.rigid("number".into());
                self.u.types[var].state = TypeState::Bound(Type::Var(open));
                chosen.push(DefaultedType { var, open, scalar, bounds, from });
            }
        }
        chosen
    }

    /// Chooses the open defaults again. Returns the places where they can be written.
    pub(super) fn close_defaults(
        &mut self,
        chosen: &[DefaultedType],
        def: &Def,
        params: &[Param],
        result: &Type,
    ) -> Vec<AnnotationPlace> {
        let places = chosen.iter().map(|one| self.declaration(def, params, result, one.open));
        let places = places.collect();
        for DefaultedType { var, scalar, .. } in chosen {
            self.u.types[*var].state = TypeState::Bound(Type::Scalar(*scalar));
        }
        places
    }

    /// A type with the defaults that were left open in it.
    pub(super) fn with_defaults(&self, ty: &Type, chosen: &[DefaultedType]) -> Type {
        let types = chosen.iter().map(|one| (one.open, Type::Scalar(one.scalar)));
        self.u.substitute(ty, &types.collect::<Vec<_>>(), &[])
    }

    /// Remembers a definition's type with its defaults open.
    pub(super) fn remember_open(
        &mut self,
        id: DefId,
        (scheme, ty): (&Scheme, Type),
        (defaults, places): (Vec<DefaultedType>, Vec<AnnotationPlace>),
    ) {
        self.defaults.open.shift_remove(&id);
        if defaults.is_empty() || !self.names.is_user(self.names.def(id).name.span) {
            return;
        }
        let own = defaults.iter().map(|one| one.open);
        let types = scheme.types.iter().copied().chain(own).collect();
        let scheme = Scheme { types, sizes: scheme.sizes.clone(), ty };
        self.defaults.open.insert(id, OpenScheme { scheme, defaults, places });
    }

    /// Where the type `var` can be written: at a parameter that is a name, or at the result.
    fn declaration(
        &self,
        def: &Def,
        params: &[Param],
        result: &Type,
        var: TypeVar,
    ) -> AnnotationPlace {
        for (pat, param) in def.params.iter().zip(params) {
            if let (PatKind::Name(name), Some(rank)) = (&pat.kind, self.rank(&param.ty, var)) {
                return AnnotationPlace::Parameter {
                    name: name.name.clone(),
                    span: pat.span,
                    rank,
                };
            }
        }
        let last = def.params.last().map_or(def.name.span, |last| last.span);
        let is_alone = !def.params.is_empty() || (def.sizes.is_empty() && def.types.is_empty());
        match self.rank(result, var) {
            Some(rank) if def.result.is_none() && is_alone => {
                AnnotationPlace::Result { at: Span { start: last.end, ..last }, rank }
            }
            _ => AnnotationPlace::Elsewhere,
        }
    }

    /// The number of dimensions of an array whose elements have the type `var`; 0 for `var` itself.
    fn rank(&self, ty: &Type, var: TypeVar) -> Option<usize> {
        match self.u.head(ty) {
            Type::Var(found) => (found == var).then_some(0),
            Type::Array(_, element) => self.rank(&element, var).map(|rank| rank + 1),
            Type::Scalar(_)
            | Type::Tuple(_)
            | Type::Record(_)
            | Type::Sum(_)
            | Type::Fun(..)
            | Type::Exists(..)
            | Type::Hidden(_) => None,
        }
    }
}
