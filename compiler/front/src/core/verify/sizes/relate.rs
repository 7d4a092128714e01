//! Relations between types, with their sizes: a value of one type is also a value of another type.
//!
//! The relation goes through both types together and collects equations between sizes. Some symbols are unknown: the
//! size parameters of a function that is used, and the sizes of a `?[k]` that is opened. They are solved at the end.
//! After that, both sides of every equation are the same polynomial, or the relation does not hold.
//!
//! Invariant: an unknown symbol is solved by no symbol that was opened after it.
//!
//! ```text
//! [n]i64 -> ?[k].[k]i64, n unknown, is related to [m]i64 -> ?[j].[j]i64   ⇒   n = m, j = k
//! ```

use std::cell::Cell;
use std::collections::BTreeMap;

use super::super::super::{Size, Type};
use super::values::SizeValues;
use arrc_syntax::ids::{EntityRef, SizeVar};

/// The sizes that the binders around a place of a type stand for; the last one counts.
pub(super) type SizeBindings = Vec<(SizeVar, Size)>;

/// A type with the meaning of the sizes that are bound around it.
type TypeInContext<'t, 'n> = (&'t Type, &'n SizeBindings);

/// The source of symbols that the program does not have.
#[derive(Debug)]
pub(super) struct FreshSymbols(Cell<usize>);

impl FreshSymbols {
    /// The first new symbol is behind those of the program.
    pub(super) fn after(sizes: usize) -> Self {
        Self(Cell::new(sizes))
    }

    pub(super) fn symbol(&self) -> SizeVar {
        let next = self.0.get();
        self.0.set(next + 1);
        SizeVar::new(next)
    }
}

/// Two types on the way to be related.
pub(super) struct TypeRelation<'c> {
    values: &'c SizeValues<'c>,
    fresh: &'c FreshSymbols,
    /// From each unknown symbol to the first symbol that is newer.
    unknown: BTreeMap<SizeVar, SizeVar>,
    /// The sizes that must be equal.
    equations: Vec<[Size; 2]>,
}

impl<'c> TypeRelation<'c> {
    pub(super) fn new(values: &'c SizeValues<'c>, fresh: &'c FreshSymbols) -> Self {
        Self { values, fresh, unknown: BTreeMap::new(), equations: Vec::new() }
    }

    /// Makes a symbol of the program unknown.
    pub(super) fn make_unknown(&mut self, id: SizeVar) {
        let newer = self.fresh.symbol();
        self.unknown.insert(id, newer);
    }

    /// A new unknown symbol.
    pub(super) fn unknown(&mut self) -> SizeVar {
        let id = self.fresh.symbol();
        self.make_unknown(id);
        id
    }

    /// Binds each of these symbols to a new unknown one. Returns the new ones.
    pub(super) fn ask_for(&mut self, ids: &[SizeVar], names: &mut SizeBindings) -> Vec<SizeVar> {
        let one = |&id: &SizeVar| {
            let asked = self.unknown();
            names.push((self.values.representative(id), Size::symbol(asked)));
            asked
        };
        ids.iter().map(one).collect()
    }

    /// A size with its meaning at its place.
    pub(super) fn resolve(&self, size: &Size, names: &SizeBindings) -> Size {
        let known = self.values.resolve(size);
        known.substitute(|id| {
            names.iter().rev().find(|(own, _)| *own == id).map(|(_, size)| size.clone())
        })
    }

    /// Two sizes must be equal.
    pub(super) fn equal(&mut self, left: Size, right: Size) {
        if left != right || left.is_too_large() {
            self.equations.push([left, right]);
        }
    }

    /// A value of the type `found` must be a value of the type `expected`.
    pub(super) fn fits(&mut self, found: &Type, expected: &Type) -> Result<(), String> {
        self.related((found, &SizeBindings::new()), (expected, &SizeBindings::new()))
    }

    pub(super) fn related(
        &mut self,
        (found, own): TypeInContext<'_, '_>,
        (expected, other): TypeInContext<'_, '_>,
    ) -> Result<(), String> {
        match (found, expected) {
            (Type::Exists(..), _) | (_, Type::Exists(..)) => {
                self.results((found, own), (expected, other))
            }
            (Type::Scalar(a), Type::Scalar(b)) if a == b => Ok(()),
            (Type::Var(a), Type::Var(b)) if a == b => Ok(()),
            (Type::Tuple(a), Type::Tuple(b)) if a.len() == b.len() => {
                a.iter().zip(b).try_for_each(|(a, b)| self.related((a, own), (b, other)))
            }
            (Type::Record(a), Type::Record(b)) if a.len() == b.len() => {
                a.iter().try_for_each(|(name, a)| match b.get(name) {
                    Some(b) => self.related((a, own), (b, other)),
                    None => Err(format!("there is no field {name} in {expected:?}")),
                })
            }
            (Type::Sum(a), Type::Sum(b)) if a.len() == b.len() => {
                a.iter().try_for_each(|(name, a)| match b.get(name) {
                    Some(b) if a.len() == b.len() => {
                        a.iter().zip(b).try_for_each(|(a, b)| self.related((a, own), (b, other)))
                    }
                    _ => Err(format!("there is no #{name} in {expected:?}")),
                })
            }
            (Type::Array(n, a), Type::Array(m, b)) => {
                self.equal(self.resolve(n, own), self.resolve(m, other));
                self.related((&**a, own), (&**b, other))
            }
            (Type::Fun(n, a, x), Type::Fun(m, b, y)) => {
                self.related((&**b, other), (&**a, own))?;
                if n.is_none() && m.is_none() {
                    return self.results((&**x, own), (&**y, other));
                }
                // Both results are about the same argument.
                let common = Size::symbol(self.fresh.symbol());
                let bound = |param: &Option<SizeVar>, names: &SizeBindings| {
                    let mut names = names.clone();
                    names.extend(param.map(|id| (self.values.representative(id), common.clone())));
                    names
                };
                let (own, other) = (bound(n, own), bound(m, other));
                self.results((&**x, &own), (&**y, &other))
            }
            _ => Err(format!("{found:?} is not {expected:?}")),
        }
    }

    /// As [`Self::related`], where `?[k]` may stand. The sizes of `found` may be any. For those of `expected`, some
    /// sizes must exist.
    fn results(
        &mut self,
        (found, own): TypeInContext<'_, '_>,
        (expected, other): TypeInContext<'_, '_>,
    ) -> Result<(), String> {
        let (mut own, mut other) = (own.clone(), other.clone());
        let found = if let Type::Exists(sizes, body) = found {
            for &id in sizes {
                own.push((self.values.representative(id), Size::symbol(self.fresh.symbol())));
            }
            &**body
        } else {
            found
        };
        let expected = if let Type::Exists(sizes, body) = expected {
            self.ask_for(sizes, &mut other);
            &**body
        } else {
            expected
        };
        self.related((found, &own), (expected, &other))
    }

    /// Solves the equations for the unknown symbols. An error shows two sizes that are different.
    pub(super) fn solve(self) -> Result<BTreeMap<SizeVar, Size>, String> {
        let Self { values, unknown, mut equations, .. } = self;
        let mut told: BTreeMap<SizeVar, Size> = BTreeMap::new();
        loop {
            let before = told.len();
            let mut open = Vec::new();
            for [left, right] in std::mem::take(&mut equations) {
                let put = |size: &Size| size.substitute(|id| told.get(&id).cloned());
                let sides = [put(&left), put(&right)];
                if sides.iter().any(Size::is_too_large) {
                    return Err("a size is too large to be compared".to_owned());
                }
                let rest = sides[0].minus(&sides[1]);
                let asked: Vec<SizeVar> =
                    rest.symbols().into_iter().filter(|id| unknown.contains_key(id)).collect();
                if rest == Size::default() {
                    continue;
                }
                let [id] = asked[..] else {
                    if asked.is_empty() {
                        let [left, right] = sides.map(|size| values.text(&size));
                        return Err(format!("the sizes {left} and {right} differ"));
                    }
                    open.push(sides);
                    continue;
                };
                match solution(id, &rest, unknown[&id], values) {
                    Some(size) => {
                        told.insert(id, size);
                    }
                    None => {
                        let [left, right] = sides.map(|size| values.text(&size));
                        return Err(format!("no size solves {left} = {right}"));
                    }
                }
            }
            if open.is_empty() {
                return Ok(told);
            }
            if told.len() == before {
                let [left, right] = open.swap_remove(0).map(|size| values.text(&size));
                return Err(format!("{left} = {right} has more than one solution"));
            }
            equations = open;
        }
    }
}

/// The size that makes `rest` 0 when it is put in for the symbol. It has no symbol that is newer than `newest`.
fn solution(id: SizeVar, rest: &Size, newest: SizeVar, values: &SizeValues<'_>) -> Option<Size> {
    let zero = Size::default();
    let others = || rest.symbols().into_iter().filter(|&other| other != id).map(Size::symbol);
    let candidates = rest.solved(id, &zero).into_iter().chain(others());
    let is_known = |size: &Size| {
        size.symbols().into_iter().all(|symbol| !values.is_new(symbol) || symbol < newest)
    };
    let solves = |size: &Size| rest.substitute(|other| (other == id).then(|| size.clone())) == zero;
    candidates.into_iter().find(|size| is_known(size) && solves(size))
}
