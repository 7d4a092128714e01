//! A check of the access maps: each element that a step reads lies where the map of its pass says, and has not been
//! overwritten.
//!
//! Invariant: the check changes no result. A read whose place is not known, or whose base is not an array at that point,
//! is not checked.
//!
//! ```text
//! x = nextI j r, where the map says `read a[i, j + 1]`      x is a[i, j + 1]
//! ```

use super::Frame;
use crate::access::passes::of_function;
use crate::access::{Affine, Kind};
use crate::concrete::{Function, Memory, Phase, RowLocation, Subarray};
use arrc_fusion::cnf::Atom;
use arrc_fusion::eval::cnf::Value;
use arrc_syntax::ids::VarId;
use indexmap::IndexMap;

/// The place of an element: its array, and the position in each dimension.
type Place = (VarId, Vec<Affine>);

/// The places of the elements that the passes of a function read, by the variables that hold the elements.
pub(super) struct ReadPlaces(IndexMap<VarId, Place>);

impl ReadPlaces {
    pub(super) fn of<P: Phase>(function: &Function<P>) -> Self {
        let mut places = IndexMap::new();
        for (_, accesses) in of_function(function) {
            for access in &accesses.list {
                if let (Kind::Read(Some(elem)), Some(place)) = (access.kind, access.position()) {
                    let place = place.into_iter().cloned().collect();
                    places.insert(elem, (access.base, place));
                }
            }
        }
        Self(places)
    }
}

/// A vector under construction in the memory of an array.
pub(super) struct InPlace {
    pub(super) vec: VarId,
    array: VarId,
    /// The indices at which it begins, and how many of them are those of a row or matrix.
    origin: Vec<usize>,
    fixed: usize,
}

impl<P: Phase> Frame<'_, P> {
    /// Notes the place of a new vector.
    pub(super) fn note_place(&mut self, vec: VarId, memory: &Memory<P>) {
        match memory {
            Memory::Over(array) => {
                let rank = self.store.vars()[vec].ty.rank();
                let array = (*array).into();
                self.in_place.push(InPlace { vec, array, origin: vec![0; rank], fixed: 0 });
            }
            Memory::Part(Subarray { array, indices, .. }) => {
                let array = (*array).into();
                let (of_array, of_part) =
                    (self.store.vars()[array].ty.rank(), self.store.vars()[vec].ty.rank());
                let mut origin =
                    indices.iter().map(|&index| self.index(index)).collect::<Option<Vec<_>>>();
                if let Some(origin) = &mut origin {
                    origin.resize(of_array, 0);
                }
                let fixed = of_array - of_part;
                self.in_place.extend(origin.map(|origin| InPlace { vec, array, origin, fixed }));
            }
            Memory::Row(RowLocation { vec: of, index, .. }) => {
                let at = self.position(index);
                self.rows.insert(*of, (vec, at));
            }
            Memory::New | Memory::Scratch | Memory::DoubleBuffer | Memory::Behind(_) => {}
        }
    }

    /// A number as a position, if it is one.
    fn index(&self, number: Atom) -> Option<usize> {
        usize::try_from(self.scalar(number).as_i128()).ok()
    }

    /// Checks the place of an element that was read.
    pub(super) fn check_read(&self, elem: VarId) {
        let Some((array, place)) = self.places.0.get(&elem) else { return };
        let Some(place) = place.iter().map(|form| self.value(form)).collect::<Option<Vec<_>>>()
        else {
            return;
        };
        for part in self.in_place.iter().filter(|part| part.array == *array) {
            assert!(
                !self.is_overwritten(part, &place),
                "{elem} is {array}{place:?}, which the pass has overwritten"
            );
        }
        if !self.store.is_array(*array) {
            return;
        }
        let there = place.iter().try_fold(self.store.var(*array).clone(), |value, &at| {
            let array = value.as_array();
            (at < array.count()).then(|| array.at(at))
        });
        let read = self.store.var(elem);
        assert!(
            there.as_ref().is_some_and(|there| is_same(there, read)),
            "{elem} is {array}{place:?} by the access map, {there:?}, and not {read:?}"
        );
    }

    /// The value of an affine form. None if a number in it is not known here.
    fn value(&self, form: &Affine) -> Option<usize> {
        let mut sum = form.constant;
        for (&symbol, factor) in &form.terms {
            if !self.store.has(symbol) {
                return None;
            }
            let number = i64::try_from(self.scalar(symbol.into()).as_i128()).ok()?;
            sum = sum.wrapping_add(number.wrapping_mul(*factor));
        }
        usize::try_from(sum).ok()
    }

    fn is_overwritten(&self, part: &InPlace, place: &[usize]) -> bool {
        let (row, inside) = place.split_at(part.fixed);
        let (of_row, first) = part.origin.split_at(part.fixed);
        let inside = inside.iter().zip(first).map(|(at, first)| at.checked_sub(*first));
        let inside = inside.collect::<Option<Vec<_>>>();
        row == of_row && inside.is_some_and(|inside| self.is_written(part.vec, &inside))
    }

    /// Whether a place of a vector under construction has been written, or one in a row under construction.
    fn is_written(&self, vec: VarId, place: &[usize]) -> bool {
        let Some((&at, inside)) = place.split_first() else { return false };
        let Some(written) = self.vecs[vec].get(at) else { return false };
        let in_row = || match self.rows.get(&vec) {
            Some(&(row, of)) if of == at => self.is_written(row, inside),
            Some(_) | None => false,
        };
        written.is_some() || in_row()
    }
}

/// Whether two values are scalars with the same bits.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Scalar(a), Value::Scalar(b)) => a == b,
        (Value::Array(_), _) | (_, Value::Array(_)) => false,
    }
}
