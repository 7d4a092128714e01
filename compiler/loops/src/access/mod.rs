//! Access maps: the array elements that each step of a pass reads and writes, in order.
//!
//! The base of an access is an array that is no view: rows, slices, parameters of workers and other names are resolved.
//! In each dimension of the base, the positions are affine forms of counters and of other numbers.
//!
//! Invariant: an affine form wraps as the machine's arithmetic does. Positions of an access lie in the array, so a
//! constant difference of two forms is the true distance of the positions. An unknown position is
//! [`Positions::Unknown`], and a use that is not followed is [`Kind::Escape`]. No access is left out.
//!
//! # When a pass may work in place
//!
//! A vector is made in the memory of an array that nothing uses afterwards. Then each element must be read before the
//! vector overwrites it ([`Accesses::precedes`]):
//!
//! 1. In ascending order, step `i` may read what step `j >= i` overwrites. If step `i` reads and overwrites the same
//!    element, the read comes first.
//! 2. In blocks of lanes, all reads of a block come before its writes. So what rule 1 allows is legal in vectors.
//! 3. If the last vector overlaps the one before it, steps run twice. A step that reads what it overwrites may not.
//! 4. On several threads, a slice may not read what another slice overwrites: `j = i` only.
//! 5. In another memory layout the positions say nothing: the array and the vector have the same extents behind the
//!    first dimension.
//!
//! A pass does not choose its schedule here, so the rule is the one that all of them share: `j = i`.
//!
//! ```text
//! pass { ys = newVecI n; for i < n { r = row xs[i]; pass { … nextI j r … } } }      read xs[i, j], write ys[i, …]
//! ```

pub mod passes;
mod print;
mod resolve;
mod views;

use arrc_fusion::affine::AffineForm;
use arrc_fusion::cnf::Atom;
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::Const;
use indexmap::{IndexMap, IndexSet};

pub use resolve::Context;

/// A sum of counters, of other numbers, and a constant.
pub type Affine = AffineForm<VarId>;

/// The positions of an access in one dimension of its base.
#[derive(Clone, PartialEq, Debug)]
pub enum Positions {
    /// A single position.
    At(Affine),
    /// The positions from the first number up to the second, without the second.
    Range(Affine, Affine),
    /// Every position.
    All,
    /// Unknown positions.
    Unknown,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    /// It reads the elements. One element has that name.
    Read(Option<VarId>),
    /// It writes these elements.
    Write(Atom),
    /// The array, or a view of it, goes where it is not followed: to a function, a loop that carries it, another owner.
    Escape,
}

/// A place in the tree of loops and branches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// The steps of a loop.
    Loop(LoopIndex),
    /// A branch or a range body. Each step runs one of the alternatives.
    Branch {
        /// The number of the choice.
        choice: usize,
        /// The body.
        arm: usize,
    },
}

/// The number of a loop in its pass.
pub type LoopIndex = usize;

/// A loop of the pass, or in its steps.
#[derive(Clone, Debug)]
pub struct AccessLoop {
    /// The counter. A loop with a condition has none.
    pub counter: Option<VarId>,
    /// The loop around, if it is in the pass.
    pub parent: Option<LoopIndex>,
}

/// An access.
#[derive(Clone, Debug)]
pub struct Access {
    /// The base: an array that is no view, or a vector under construction.
    pub base: VarId,
    /// The array or view that the program names.
    pub by: VarId,
    /// The positions in each dimension of the base.
    pub region: Vec<Positions>,
    /// What it does.
    pub kind: Kind,
    /// The loops and branches around it, the outermost first.
    pub path: Vec<Place>,
    /// If it is a write that stores elements which were read: their array, and the positions.
    pub stores: Option<(VarId, Vec<Positions>)>,
}

/// The accesses of a pass, in the order of its steps.
#[derive(Clone, Debug, Default)]
pub struct Accesses {
    /// The accesses.
    pub list: Vec<Access>,
    /// The loops.
    pub loops: Vec<AccessLoop>,
    /// For each number that a step binds, the innermost loop around the step.
    homes: IndexMap<VarId, LoopIndex>,
    /// The rows, views and other names of arrays that the pass binds, each with the array or name that it comes from.
    pub names: IndexMap<VarId, VarId>,
    /// For the index of each guard, the loop of whose steps it counts some. It is at most the counter of the loop.
    guards: IndexMap<VarId, LoopIndex>,
}

/// The names by which a pass reads elements of an array while it writes a part of the array.
#[derive(Clone, Debug, Default)]
pub struct PartReads {
    /// The names by which it reads elements of the part, each before it writes there.
    pub inside: IndexSet<VarId>,
    /// The names by which it reads other elements.
    pub outside: IndexSet<VarId>,
}

/// Why an array cannot be worked on in place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The array is used where the access map does not follow it.
    Escapes,
    /// A step may read an element that an earlier step has overwritten.
    OtherStep,
    /// A step reads an element after it has overwritten it.
    AfterWrite,
}

impl Accesses {
    /// The accesses whose base is the array, each with its position in the list.
    pub fn of(&self, base: VarId) -> impl Iterator<Item = (usize, &Access)> {
        self.list.iter().enumerate().filter(move |(_, access)| access.base == base)
    }

    /// Whether each element of an array is read before a vector overwrites it, if the vector is made in the memory of the
    /// array. Both have the same extents behind the first dimension.
    ///
    /// # Errors
    /// The first obstacle.
    pub fn overwrites(&self, array: VarId, vector: VarId) -> Result<(), Obstacle> {
        self.of(array).try_for_each(|(at, access)| match access.kind {
            Kind::Read(_) => self.read_before_writes(at, vector),
            Kind::Write(_) | Kind::Escape => Err(Obstacle::Escapes),
        })
    }

    /// How the pass reads an array, while it writes a part of the array. [`Context::place_part`] and its like say which
    /// vector is the part.
    ///
    /// # Errors
    /// The first obstacle.
    pub fn writes_part(&self, array: VarId, part: &[Positions]) -> Result<PartReads, Obstacle> {
        let mut reads = PartReads::default();
        for (at, access) in self.of(array) {
            match access.kind {
                Kind::Write(_) => {}
                Kind::Escape => return Err(Obstacle::Escapes),
                Kind::Read(_) if is_disjoint(&access.region, part) => {
                    reads.outside.insert(self.outer_name(access.by));
                }
                Kind::Read(_) => {
                    self.read_before_writes(at, array)?;
                    reads.inside.insert(self.outer_name(access.by));
                }
            }
        }
        Ok(reads)
    }

    /// Whether the elements of a read are read before the writes to a base overwrite them.
    fn read_before_writes(&self, read: usize, base: VarId) -> Result<(), Obstacle> {
        let mut writes = self.of(base).filter(|(_, of)| matches!(of.kind, Kind::Write(_)));
        writes.try_for_each(|(write, _)| self.precedes(read, write))
    }

    /// The name of an array or view where the pass begins.
    fn outer_name(&self, name: VarId) -> VarId {
        let names = std::iter::successors(Some(name), |name| self.names.get(name).copied());
        names.last().unwrap_or(name)
    }

    /// The writes that store what is there already, if a vector is made in the memory of the array: each as the vector or
    /// row that is written, and the value.
    #[must_use]
    pub fn silent_stores(&self, array: VarId, vector: VarId) -> IndexSet<(VarId, Atom)> {
        let silent = self.of(vector).filter_map(|(_, access)| {
            let Kind::Write(value) = access.kind else { return None };
            let (base, region) = access.stores.as_ref()?;
            let is_known = !region.contains(&Positions::Unknown);
            let is_own = *base == array && *region == access.region;
            (is_known && is_own).then_some((access.by, value))
        });
        silent.collect()
    }

    /// Whether no write of an element comes before the read of that element, for two positions in the list.
    ///
    /// For each loop around both, a dimension must say that both are in the same step: the positions are equal, and differ
    /// from step to step. Within one step the order decides.
    ///
    /// # Errors
    /// The obstacle.
    pub fn precedes(&self, read: usize, write: usize) -> Result<(), Obstacle> {
        let (from, to) = (&self.list[read], &self.list[write]);
        for (a, b) in from.path.iter().zip(&to.path) {
            match (a, b) {
                (Place::Loop(a), Place::Loop(b)) if a == b => {
                    if !self.is_same_step(from, to, *a) {
                        return Err(Obstacle::OtherStep);
                    }
                }
                (
                    Place::Branch { choice: a, arm: first },
                    Place::Branch { choice: b, arm: second },
                ) if a == b => {
                    if first != second {
                        return Ok(());
                    }
                }
                (_, _) => break,
            }
        }
        if read < write { Ok(()) } else { Err(Obstacle::AfterWrite) }
    }

    /// Whether two accesses of the same element are in the same step of a loop, or the second one is in a later step.
    fn is_same_step(&self, first: &Access, second: &Access, of: LoopIndex) -> bool {
        first.region.iter().zip(&second.region).any(|(first, second)| {
            let (Positions::At(first), Positions::At(second)) = (first, second) else {
                return false;
            };
            (first == second && self.determines(first, of)) || self.is_counted(first, second, of)
        })
    }

    /// Whether a form has another value in each step of a loop, as long as the steps of the loops around stay the same.
    fn determines(&self, form: &Affine, of: LoopIndex) -> bool {
        let varying: Vec<_> =
            form.terms.iter().filter(|&(&symbol, _)| self.varies_in(symbol, of)).collect();
        let [(symbol, 1 | -1)] = varying[..] else { return false };
        self.loops[of].counter == Some(*symbol) || self.guards.get(symbol) == Some(&of)
    }

    /// Whether the first form is the counter of a loop, and the second one the index of a guard in its steps.
    fn is_counted(&self, first: &Affine, second: &Affine, of: LoopIndex) -> bool {
        let counter = self.loops[of].counter.map(Affine::symbol);
        let mut indices = self.guards.iter().filter(|(_, around)| **around == of);
        counter.as_ref() == Some(first)
            && indices.any(|(&index, _)| *second == Affine::symbol(index))
    }

    /// Whether a number may differ from step to step of a loop.
    pub fn varies_in(&self, symbol: VarId, of: LoopIndex) -> bool {
        let home = self.homes.get(&symbol).copied();
        std::iter::successors(home, |&home| self.loops[home].parent).any(|home| home == of)
    }

    /// The number that a form is in all steps of the pass, if steps need not compute it.
    #[must_use]
    pub fn fixed(&self, form: &Affine) -> Option<Atom> {
        if let Some(number) = form.as_constant() {
            return Some(Const::i64(number).into());
        }
        let symbol = form.as_symbol().filter(|symbol| !self.homes.contains_key(symbol))?;
        Some(symbol.into())
    }
}

impl Access {
    /// The single position in each dimension of the base, if the access is of one element.
    #[must_use]
    pub fn position(&self) -> Option<Vec<&Affine>> {
        self.region.iter().map(Positions::single).collect()
    }
}

/// Whether two regions of one array have no element in common. Symbols have the same value in both.
pub fn is_disjoint(first: &[Positions], second: &[Positions]) -> bool {
    first.iter().zip(second).any(|(first, second)| {
        let (Some((a, a_end)), Some((b, b_end))) = (first.bounds(), second.bounds()) else {
            return false;
        };
        let distance = |from: &Affine, to: &Affine| to.plus(-1, from).as_constant();
        distance(&a_end, &b).is_some_and(|gap| gap >= 0)
            || distance(&b_end, &a).is_some_and(|gap| gap >= 0)
    })
}

impl Positions {
    /// The position, if it is one.
    fn single(&self) -> Option<&Affine> {
        match self {
            Self::At(at) => Some(at),
            Self::Range(..) | Self::All | Self::Unknown => None,
        }
    }

    /// The first position, and the position after the last one.
    fn bounds(&self) -> Option<(Affine, Affine)> {
        match self {
            Self::At(at) => Some((at.clone(), at.shifted(1))),
            Self::Range(from, to) => Some((from.clone(), to.clone())),
            Self::All | Self::Unknown => None,
        }
    }
}
