//! Loops: a carried value is the loop's own where it is marked or where a step consumes it.
//!
//! Invariant: a value that a loop owns is not shared: its initial value is consumed, and each step gives a value that
//! shares memory with no other part.
//!
//! ```text
//! loop (xs: *[n]i64, k) = (ys, 0) for i < n do (f xs, k + i)   ⇒   ys is consumed
//! loop xs = ys for i < n do if c then xs else zs               ⇒   all of it may be ys or zs
//! ```

use super::UniquenessChecker;
use super::call::{component, tail};
use super::memory::{Aliases, AllocSite, PointsTo, SiteKind};
use super::state::{Consumer, Consumption, ScopeKind, name_of};
use crate::core::{Expr, Loop, LoopForm, UniquenessMarks};
use crate::unique::uniqueness_error::{Error, Sharing};

/// One value that a loop carries.
struct CarriedValue {
    /// The memory of its name in the loop; none if it is no array.
    own: Option<AllocSite>,
    init: PointsTo,
    next: PointsTo,
    is_owned: bool,
}

impl<'p> UniquenessChecker<'p> {
    pub(super) fn check_loop(&mut self, whole: &'p Expr, data: &'p Loop) -> Aliases {
        let init = self.expr(&data.init).shaped(&data.ty);
        let over = match &data.form {
            LoopForm::For(_, over) | LoopForm::In(_, over) => Some(self.expr(over)),
            LoopForm::While(_) => None,
        };
        let marks = UniquenessMarks::of_pattern(&data.pat, &self.program.vars);
        let how = Consumption {
            span: data.init.span,
            by: Consumer::Loop,
            name: name_of(self, &data.init),
        };
        for (places, marked) in init.marked(&marks) {
            if marked {
                self.consume(places, &how);
            }
        }
        self.enter(ScopeKind::Loop, whole.span);
        let carried = self.named(&data.pat, &data.ty, SiteKind::Fresh);
        match (&data.form, over) {
            (LoopForm::While(condition), _) => drop(self.expr(condition)),
            (LoopForm::For(pat, over) | LoopForm::In(pat, over), Some(value)) => {
                self.bind(pat, Aliases::Data(value.all()), over);
            }
            (LoopForm::For(..) | LoopForm::In(..), None) => {}
        }
        let next = self.expr(&data.body).shaped(&data.ty);
        self.check_use(&next, tail(&data.body));
        let mut parts = self.parts(&carried, &init, &next, &marks);
        self.check_owned(&parts, data, &next);
        let scope = self.leave();
        for part in parts.iter().filter(|part| part.is_owned) {
            self.consume_init(part, &how, &scope.seen);
        }
        extend_to_fixpoint(&mut parts);
        let mut places = parts.into_iter().map(|part| {
            if part.is_owned {
                PointsTo::from([self.new_site(None, whole.span, SiteKind::Fresh)])
            } else {
                part.next
            }
        });
        let places: Vec<PointsTo> = places.by_ref().collect();
        init.with(&mut places.into_iter())
    }

    fn parts(
        &self,
        carried: &Aliases,
        init: &Aliases,
        next: &Aliases,
        marks: &UniquenessMarks,
    ) -> Vec<CarriedValue> {
        let (init, next) = (init.leaves(), next.leaves());
        let parts = carried.marked(marks).into_iter().zip(init).zip(next);
        let part = |(((own, marked), init), next): (((&PointsTo, bool), &PointsTo), &PointsTo)| {
            let own = own.first().copied();
            let is_consumed = own.is_some_and(|own| self.consumed.contains_key(&own));
            let is_owned = own.is_some() && (marked || is_consumed);
            CarriedValue { own, init: init.clone(), next: next.clone(), is_owned }
        };
        parts.map(part).collect()
    }

    /// Checks that the value that a step gives for an owned part is made in the step, for that part only.
    fn check_owned(&mut self, parts: &[CarriedValue], data: &'p Loop, next: &Aliases) {
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| part.is_owned) {
            let others = parts.iter().enumerate().filter(|(other, _)| *other != at);
            let others: PointsTo =
                others.flat_map(|(_, part)| part.next.iter().chain(&part.own)).copied().collect();
            let shared = part.next.iter().find_map(|&memory| {
                let info = self.memories[memory].clone();
                if self.is_outside(memory) {
                    return Some(Sharing::Outside { name: info.name, span: info.span });
                }
                let twice = Sharing::Twice { name: info.name, span: info.span };
                others.contains(&memory).then_some(twice)
            });
            if let Some(how) = shared {
                let part = component(tail(&data.body), next, at);
                let (span, is_name) = (part.span, name_of(self, part).is_some());
                self.errors.push(Error::Shared { span, how, is_name });
            }
        }
    }

    /// Consumes the initial value of a part that the loop owns. A use of it in a step is an error, since it comes after
    /// that.
    fn consume_init(
        &mut self,
        part: &CarriedValue,
        how: &Consumption,
        seen: &std::collections::BTreeMap<AllocSite, arrc_syntax::source::Span>,
    ) {
        let new: PointsTo =
            part.init.iter().copied().filter(|it| !self.consumed.contains_key(it)).collect();
        self.consume(&new, how);
        for memory in new {
            if let Some(&span) = seen.get(&memory) {
                let name = self.memories[memory].name.as_ref().map(ToString::to_string);
                self.used(memory, name, span, how.clone());
            }
        }
    }
}

/// Extends `next` of each part to all memory that the part may be in after any number of steps: a least fixpoint.
fn extend_to_fixpoint(parts: &mut [CarriedValue]) {
    for part in parts.iter_mut() {
        part.next = part.next.union(&part.init).copied().collect();
    }
    loop {
        let known: Vec<(Option<AllocSite>, PointsTo)> =
            parts.iter().map(|part| (part.own, part.next.clone())).collect();
        let mut changed = false;
        for part in parts.iter_mut() {
            let before = part.next.len();
            for (own, places) in &known {
                if own.is_some_and(|own| part.next.contains(&own)) {
                    part.next.extend(places);
                }
            }
            changed |= part.next.len() > before;
        }
        if !changed {
            break;
        }
    }
    let own: PointsTo = parts.iter().filter_map(|part| part.own).collect();
    parts.iter_mut().for_each(|part| part.next.retain(|memory| !own.contains(memory)));
}
