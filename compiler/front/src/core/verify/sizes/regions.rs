//! Regions: the parts of a definition in which a size has one value.
//!
//! A region is a part whose expressions run at most once each while it runs: the body of the definition, of a function,
//! of a loop, of a generator, or a branch. A symbol is made at one place of a region. It may be used there, and in the
//! regions inside.
//!
//! Invariant: no symbol is made where another value of it may be in scope.
//!
//! ```text
//! \xs -> let ys = filter p xs in ys   ⇒   the size of ys belongs to the function's region
//! ```

use std::collections::BTreeMap;

use arrc_syntax::ids::SizeVar;
use arrc_syntax::source::Span;

/// A region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Region(usize);

/// Where the value of a symbol comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SymbolSource {
    /// One place of the region.
    Place,
    /// The caller of the function whose region it is: it may be any size.
    Caller,
}

/// The regions of a definition, and the symbols that are made in them.
#[derive(Debug)]
pub(super) struct Regions {
    parents: Vec<Option<Region>>,
    made: BTreeMap<SizeVar, Vec<(Region, SymbolSource)>>,
    used: BTreeMap<(SizeVar, Region), Span>,
    /// The region of the place that is checked.
    pub(super) here: Region,
}

impl Regions {
    /// The region of a definition.
    pub(super) fn new() -> Self {
        let (made, used) = (BTreeMap::new(), BTreeMap::new());
        Self { parents: vec![None], made, used, here: Region(0) }
    }

    /// Enters a region inside of this one. Returns the one to go back to.
    pub(super) fn enter(&mut self) -> Region {
        let around = self.here;
        self.parents.push(Some(around));
        self.here = Region(self.parents.len() - 1);
        around
    }

    /// Whether a region is another one, or inside of it.
    fn is_in(&self, inner: Region, outer: Region) -> bool {
        let mut at = Some(inner);
        while let Some(region) = at {
            if region == outer {
                return true;
            }
            at = self.parents[region.0];
        }
        false
    }

    /// Whether a symbol has a value here.
    pub(super) fn is_made(&self, id: SizeVar) -> bool {
        self.made.get(&id).into_iter().flatten().any(|&(region, _)| self.is_in(self.here, region))
    }

    /// Whether a symbol is made by a place in a region.
    pub(super) fn is_made_in(&self, id: SizeVar, region: Region) -> bool {
        self.made.get(&id).into_iter().flatten().any(|&made| made == (region, SymbolSource::Place))
    }

    /// A place of this region makes a symbol. The branches in `joined` may have made it: the value of the place is
    /// that of the branch.
    pub(super) fn define(&mut self, id: SizeVar, joined: &[Region]) -> Result<(), String> {
        for &(region, by) in self.made.get(&id).into_iter().flatten() {
            let is_joined = joined
                .iter()
                .any(|&branch| self.is_in(region, branch) && self.is_made_in(id, branch));
            let is_again = self.is_in(self.here, region)
                || (by == SymbolSource::Place && self.is_in(region, self.here) && !is_joined);
            if is_again {
                return Err(format!("the size {id} is made again"));
            }
        }
        self.made.entry(id).or_default().push((self.here, SymbolSource::Place));
        Ok(())
    }

    /// The caller of the function gives a symbol any value, unless it has one here.
    pub(super) fn define_by_caller(&mut self, id: SizeVar) {
        if !self.is_made(id) {
            self.made.entry(id).or_default().push((self.here, SymbolSource::Caller));
        }
    }

    /// A symbol is used here.
    pub(super) fn mention(&mut self, id: SizeVar, span: Span) {
        self.used.entry((id, self.here)).or_insert(span);
    }

    /// Whether a symbol was used here or around.
    pub(super) fn is_mentioned(&self, id: SizeVar) -> bool {
        let mut at = Some(self.here);
        while let Some(region) = at {
            if self.used.contains_key(&(id, region)) {
                return true;
            }
            at = self.parents[region.0];
        }
        false
    }

    /// The symbols that are used where they have no value.
    pub(super) fn uses_out_of_scope(&self) -> impl Iterator<Item = (SizeVar, Span)> {
        self.used.iter().filter_map(|(&(id, at), &span)| {
            let mut made = self.made.get(&id).into_iter().flatten();
            let is_known = made.any(|&(region, _)| self.is_in(at, region));
            (!is_known).then_some((id, span))
        })
    }
}
