//! Missing cases of patterns, found when the types of a definition are known.
//!
//! Invariant: every `match` that gets through has a case for each value, and every other pattern fits
//! each value of its type, so that no pattern fails at run time.
//!
//! ```text
//! match x case #some (#leaf n) -> n case #none -> 0
//! ⇒ error[A0333]: this `match` has no case for `#some #empty`
//! ```

use super::Checker;
use super::error::{MissingPatterns, SumError};
use super::typed::{Literal, Pat};
use super::usefulness::{Constructor, PatternShape, is_useful, missing};
use crate::core::Type;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Const, Scalar};
use arrc_syntax::source::Span;

/// The most patterns that one message shows.
const MAX_SHOWN: usize = 3;

/// Patterns that have to cover a type.
#[derive(Debug)]
pub(super) struct ExhaustivenessCheck {
    /// The type.
    pub(super) ty: Type,
    /// The patterns with their places, in order.
    pub(super) rows: Vec<(Pat, Span)>,
    /// The construct that they belong to.
    pub(super) of: ExhaustivenessSite,
}

/// The construct whose patterns have to cover a type.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExhaustivenessSite {
    /// A `match` at a place, on a value at another.
    Match {
        /// From the word `match` to the last case.
        span: Span,
        /// The value.
        value: Span,
        /// Where the last case ends.
        end: Span,
    },
    /// The pattern of a binding: "a `let`", "a parameter".
    Binding(&'static str),
}

/// Patterns of a definition, to be checked when their types are known.
#[derive(Default, Debug)]
pub(super) struct Patterns {
    /// Sets of patterns; each has to cover its type.
    pub(super) covers: Vec<ExhaustivenessCheck>,
    /// The literals in patterns, with their types and places.
    pub(super) literals: Vec<(Literal, Type, Span)>,
}

impl Patterns {
    /// Adds the patterns of a part of the definition.
    pub(super) fn extend(&mut self, other: Self) {
        self.covers.extend(other.covers);
        self.literals.extend(other.literals);
    }
}

impl Checker<'_> {
    /// Remembers a pattern that has to fit every value of `ty`.
    pub(super) fn must_fit(&mut self, pat: &Pat, ty: &Type, span: Span, what: &'static str) {
        if may_fail(pat) {
            let of = ExhaustivenessSite::Binding(what);
            self.walk.patterns.covers.push(ExhaustivenessCheck {
                ty: ty.clone(),
                rows: vec![(pat.clone(), span)],
                of,
            });
        }
    }

    /// Checks the patterns of a definition whose types are known.
    pub(super) fn check_covers(&mut self) {
        let before = self.reports.mark();
        for (literal, ty, span) in std::mem::take(&mut self.walk.patterns.literals) {
            if let Type::Scalar(scalar) = self.u.defaulted(&ty) {
                self.finish_literal(literal, scalar, span);
            }
        }
        if !self.reports.is_clean_since(before) {
            // A literal that does not fit its type leaves open which values its pattern covers.
            self.walk.patterns.covers.clear();
        }
        for cover in std::mem::take(&mut self.walk.patterns.covers) {
            let ty = self.u.defaulted(&cover.ty);
            let shapes: Vec<PatternShape> =
                cover.rows.iter().map(|(pat, _)| self.shape(pat, &ty)).collect();
            if !self.u.is_error(&ty) {
                self.check_cover(&cover, &ty, &shapes);
            }
        }
    }

    fn check_cover(&mut self, cover: &ExhaustivenessCheck, ty: &Type, shapes: &[PatternShape]) {
        let left = self.missing_patterns(shapes, ty);
        let shown = self.show(ty);
        match (cover.of, left) {
            (ExhaustivenessSite::Match { span, value, end }, Some(missing)) => {
                self.report(SumError::NotExhaustive { span, value, end, ty: shown, missing });
            }
            (ExhaustivenessSite::Match { .. }, None) => self.unreachable(cover, ty, shapes),
            (ExhaustivenessSite::Binding(what), Some(missing)) => {
                let span = cover.rows[0].1;
                self.report(SumError::Refutable { span, what, ty: shown, missing });
            }
            (ExhaustivenessSite::Binding(_), None) => {}
        }
    }

    /// Warns of cases that no value reaches.
    fn unreachable(&mut self, cover: &ExhaustivenessCheck, ty: &Type, shapes: &[PatternShape]) {
        for (at, (_, span)) in cover.rows.iter().enumerate() {
            if is_useful(&shapes[..at], &shapes[at], ty) {
                continue;
            }
            let takes_all = |&before: &usize| {
                !is_useful(std::slice::from_ref(&shapes[before]), &shapes[at], ty)
            };
            let before = (0..at).find(takes_all).map(|before| cover.rows[before].1);
            self.report(SumError::Unreachable {
                span: *span,
                before: before.into_iter().collect(),
            });
        }
    }

    /// Values that fit none of the shapes, as patterns.
    fn missing_patterns(&self, shapes: &[PatternShape], ty: &Type) -> Option<MissingPatterns> {
        let mut rows = shapes.to_vec();
        let mut found = MissingPatterns { patterns: Vec::new(), more: false, others: Vec::new() };
        while let Some(shape) = missing(&rows, ty) {
            if found.patterns.len() == MAX_SHOWN {
                found.more = true;
                break;
            }
            others(&shape, &mut found.others);
            found.patterns.push(text(&shape, PatternPosition::Alone));
            rows.push(shape);
        }
        (!found.patterns.is_empty()).then_some(found)
    }

    /// A pattern for values of a type.
    fn shape(&self, pat: &Pat, ty: &Type) -> PatternShape {
        match (pat, ty) {
            (Pat::Tuple(items), Type::Tuple(types)) => {
                let items = items.iter().zip(types).map(|(item, ty)| self.shape(item, ty));
                PatternShape::Node(Constructor::Tuple, items.collect())
            }
            (Pat::Record(fields), Type::Record(types)) => {
                let part = |(name, ty): (&Name, &Type)| {
                    let field = fields.iter().find(|(field, _)| field == name);
                    field.map_or(PatternShape::Any, |(_, pat)| self.shape(pat, ty))
                };
                let names = types.keys().cloned().collect();
                PatternShape::Node(Constructor::Record(names), types.iter().map(part).collect())
            }
            (Pat::Constructor(name, pats), Type::Sum(constructors)) => {
                let types = constructors.get(name).map_or(&[][..], Vec::as_slice);
                let parts = pats.iter().zip(types).map(|(pat, ty)| self.shape(pat, ty));
                PatternShape::Node(Constructor::Named(name.clone()), parts.collect())
            }
            (Pat::Const(literal, _), Type::Scalar(scalar)) => {
                let value = super::finish::constant_of(*literal, *scalar);
                value.map_or(PatternShape::Any, |value| {
                    PatternShape::Node(Constructor::Const(value), Vec::new())
                })
            }
            // The error in the pattern was reported.
            _ => PatternShape::Any,
        }
    }
}

/// Whether there may be values that the pattern does not fit.
fn may_fail(pat: &Pat) -> bool {
    match pat {
        Pat::Wild | Pat::Var(..) => false,
        Pat::Tuple(items) => items.iter().any(may_fail),
        Pat::Record(fields) => fields.iter().any(|(_, field)| may_fail(field)),
        Pat::Constructor(..) | Pat::Const(..) => true,
    }
}

/// Where the text of a pattern stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PatternPosition {
    Alone,
    Payload,
}

/// A pattern as it would be written.
fn text(shape: &PatternShape, place: PatternPosition) -> String {
    let PatternShape::Node(maker, parts) = shape else { return "_".to_owned() };
    let list = |parts: Vec<String>| parts.join(", ");
    match maker {
        Constructor::Tuple => {
            format!(
                "({})",
                list(parts.iter().map(|part| text(part, PatternPosition::Alone)).collect())
            )
        }
        Constructor::Record(names) => {
            let field = |(name, part)| format!("{name} = {}", text(part, PatternPosition::Alone));
            format!("{{{}}}", list(names.iter().zip(parts).map(field).collect()))
        }
        Constructor::Named(name) if parts.is_empty() => format!("#{name}"),
        Constructor::Named(name) => {
            let parts: Vec<String> =
                parts.iter().map(|part| text(part, PatternPosition::Payload)).collect();
            let whole = format!("#{name} {}", parts.join(" "));
            if place == PatternPosition::Payload { format!("({whole})") } else { whole }
        }
        Constructor::Const(value) => constant_text(*value),
    }
}

fn constant_text(value: Const) -> String {
    if value.ty == Scalar::Bool {
        (value.bits != 0).to_string()
    } else if value.ty.is_float() {
        format!("{:?}", value.as_f64())
    } else {
        value.as_i128().to_string()
    }
}

/// Adds the scalar types for which the shape takes all values that no case names.
fn others(shape: &PatternShape, found: &mut Vec<Name>) {
    match shape {
        PatternShape::Any => {}
        PatternShape::Other(scalar) => {
            let name = Name::from(scalar.name());
            if !found.contains(&name) {
                found.push(name);
            }
        }
        PatternShape::Node(_, parts) => parts.iter().for_each(|part| others(part, found)),
    }
}
