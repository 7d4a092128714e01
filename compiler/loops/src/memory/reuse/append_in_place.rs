//! A pass whose result is appended to an array writes it there, behind the elements of that array.
//!
//! Invariant: the array has one owner, and gets room for the most elements that the pass can make. From the pass to
//! the append, nothing else uses the array or the result.
//!
//! ```text
//! pass { a = newVecI n }; pass { b = newVecI m }; ys = extend a ++ b; release b
//! ⇒ c = new room n room m; pass { a = newVecI n behind c }; d = extend c ++ a placed; release a
//!   pass { b = newVecI m behind d }; ys = extend d ++ b placed; release b
//! ```

use crate::concrete::def_use;
use crate::concrete::{Block, Complete, End, Length, Mapper, Memory, Start, Step, WrittenCount};
use crate::memory::reuse::overwrite::is_row_of_scalars;
use arrc_fusion::cnf::{Atom, Extent, SizeDef, SizeInfo, Type, Var};
use arrc_fusion::tables::Tables;
use arrc_syntax::ids::{PrimaryMap, VarId};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Span;

/// Makes the passes of a function write behind the arrays that their results are appended to.
pub(crate) fn append_in_place(body: Block, tables: &mut Tables) -> Block {
    AppendInPlace { tables }.block(body)
}

struct AppendInPlace<'a> {
    tables: &'a mut Tables,
}

impl Mapper for AppendInPlace<'_> {
    type From = Complete;
    type To = Complete;

    fn block(&mut self, block: Block) -> Block {
        let Block { steps, results } = block;
        let mut steps: Vec<Step> = steps.into_iter().map(|step| self.step(step)).collect();
        let mut at = 0;
        while at < steps.len() {
            if let Some(append) = Append::of(&steps, at, &results, &self.tables.vars) {
                let before = steps.len();
                append.place(&mut steps, &results, self.tables);
                at += steps.len() - before;
            }
            at += 1;
        }
        Block { steps, results }
    }
}

/// An append of the results of passes.
struct Append {
    /// Its position in the block.
    at: usize,
    var: VarId,
    /// The array that it takes over, if no pass makes that array in its place.
    extends: Option<VarId>,
    parts: Vec<AppendedPart>,
    span: Span,
}

/// A part of an append.
struct AppendedPart {
    array: VarId,
    /// The pass that writes the part in its place, if one does.
    pass: Option<usize>,
    /// The most elements that a pass can make of it. If no pass makes it, its length, if that is known when the room
    /// is made.
    most: Option<Length>,
    /// Whether the pass counts the elements.
    counted: bool,
}

impl Append {
    /// The append at a position in the block, if a pass can write one of its parts in its place.
    fn of(
        steps: &[Step],
        at: usize,
        results: &[Atom],
        vars: &PrimaryMap<VarId, Var>,
    ) -> Option<Self> {
        let Step::Append { var, extends, parts, room, placed: false, span, .. } = &steps[at] else {
            return None;
        };
        if !room.is_empty() || !is_row_of_scalars(&vars[*var].ty) {
            return None;
        }
        let found = AppendSite { steps, at, results, vars };
        let all: Vec<VarId> = extends.iter().chain(parts).copied().collect();
        let mut there = 0;
        let mut parts: Vec<AppendedPart> = Vec::new();
        for array in all {
            let pass = steps[..at].iter().rposition(|step| def_use::defines(step).contains(&array));
            let place = pass.filter(|&pass| pass >= there && found.is_only_use(array));
            let made = place.and_then(|pass| max_elements(&steps[pass], array));
            let is_first = parts.is_empty();
            let last = if is_first && extends.is_some() { found.last_use(array) } else { pass };
            there = there.max(last.map_or(0, |last| last + 1));
            parts.push(match made {
                Some((most, counted)) => AppendedPart { array, pass, most: Some(most), counted },
                None => {
                    AppendedPart { array, pass: None, most: found.length(array), counted: false }
                }
            });
        }
        // The first part is made in place only if the room for it can be made large enough for a later part too.
        let [first, behind @ ..] = &mut parts[..] else { return None };
        let early = |part: &AppendedPart| {
            let most = part.most.as_ref();
            most.is_some_and(|most| first.pass.is_some_and(|pass| found.is_known(most, pass)))
        };
        if !behind.iter().any(early) {
            first.pass = None;
        }
        let made = parts.iter().any(|part| part.pass.is_some());
        let extends = extends.filter(|_| parts[0].pass.is_none());
        if extends.is_some() {
            parts.remove(0);
        }
        made.then_some(Self { at, var: *var, extends, parts, span: *span })
    }

    /// Makes the passes write the parts in their places.
    fn place(self, steps: &mut Vec<Step>, results: &[Atom], tables: &mut Tables) {
        let Self { at, var, extends, parts, span } = self;
        let cut = parts.iter().any(|part| part.counted);
        let mut base = extends;
        let mut pending = Vec::new();
        let mut new: Vec<(usize, Step)> = Vec::new();
        // The first part for which there is no room yet.
        let mut covered = 0;
        for (index, part) in parts.iter().enumerate() {
            let Some(pass) = part.pass else {
                pending.push(part.array);
                continue;
            };
            let found = AppendSite { steps, at, results, vars: &tables.vars };
            let known =
                |part: &AppendedPart| part.most.clone().filter(|most| found.is_known(most, pass));
            let before = match base {
                Some(base) if pending.is_empty() && index < covered => base,
                _ => {
                    let behind: Vec<_> = parts[index + 1..].iter().map_while(known).collect();
                    covered = index + 1 + behind.len();
                    let room = part.most.iter().cloned().chain(behind).collect();
                    let (var, parts) = (like(var, tables), std::mem::take(&mut pending));
                    let (extends, placed) = (base, false);
                    let memory = Memory::New;
                    let open =
                        Step::Append { var, extends, parts, room, placed, cut, memory, span };
                    new.push((pass, open));
                    var
                }
            };
            make_behind(&mut steps[pass], part.array, before);
            let is_last = index + 1 == parts.len();
            let joined = if is_last { var } else { like(var, tables) };
            let (extends, parts) = (Some(before), vec![part.array]);
            let (room, placed, cut) = (Vec::new(), true, cut && is_last);
            let (var, memory) = (joined, Memory::New);
            let join = Step::Append { var, extends, parts, room, placed, cut, memory, span };
            new.push((pass + 1, join));
            // The release moves to the join, so that no pass after it takes the memory of the part.
            let ends =
                |step: &Step| matches!(step, Step::Release { array } if *array == part.array);
            let release = steps.iter().position(ends).map(|at| steps.remove(at));
            let release = release.unwrap_or(Step::Release { array: part.array });
            new.push((pass + 1, release));
            base = Some(joined);
        }
        if pending.is_empty() {
            steps.remove(at);
        } else {
            let (extends, parts, room) = (base, pending, Vec::new());
            let (placed, memory) = (false, Memory::New);
            steps[at] = Step::Append { var, extends, parts, room, placed, cut, memory, span };
        }
        for (at, step) in new.into_iter().rev() {
            steps.insert(at, step);
        }
    }
}

/// An append in its block.
struct AppendSite<'a> {
    steps: &'a [Step],
    at: usize,
    results: &'a [Atom],
    vars: &'a PrimaryMap<VarId, Var>,
}

impl AppendSite<'_> {
    /// Whether the append is the only use of an array.
    fn is_only_use(&self, array: VarId) -> bool {
        let uses = self.steps.iter().filter(|step| {
            !matches!(step, Step::Release { array: ended } if *ended == array)
                && def_use::uses(step).contains(&array)
        });
        let Step::Append { parts, .. } = &self.steps[self.at] else { return false };
        uses.count() == 1
            && parts.iter().filter(|part| **part == array).count() <= 1
            && !self.results.contains(&Atom::Var(array))
    }

    /// The last step before the append that uses an array or makes it.
    fn last_use(&self, array: VarId) -> Option<usize> {
        let before = &self.steps[..self.at];
        let views = crate::memory::reuse::write_into_part::views_of(array, before);
        before.iter().rposition(|step| {
            let used = def_use::uses(step);
            def_use::defines(step).contains(&array) || views.iter().any(|view| used.contains(view))
        })
    }

    /// The length of an array in memory.
    fn length(&self, array: VarId) -> Option<Length> {
        Some(match self.vars[array].ty.shape() {
            [Extent::Const(length)] => Length::Value(Atom::Const(Const::i64(*length))),
            _ => Length::Array(array),
        })
    }

    /// Whether a length is known before a step.
    fn is_known(&self, length: &Length, step: usize) -> bool {
        let var = match length {
            Length::Array(array) => Some(*array),
            Length::Value(size) => size.as_var(),
            Length::Product(..) => return false,
        };
        let late = |var| {
            let mut later = self.steps[step..].iter();
            later.any(|step| def_use::defines(step).contains(&var))
        };
        // The length of an array that has ended is not known any more.
        let ends = |var| {
            let mut before = self.steps[..step].iter();
            before.any(|step| matches!(step, Step::Release { array } if *array == var))
        };
        var.is_none_or(|var| !late(var) && !ends(var))
    }
}

/// An array like another one, with a length of its own.
fn like(array: VarId, tables: &mut Tables) -> VarId {
    let Var { name, ty } = tables.vars[array].clone();
    let info = SizeInfo { name: Name::new_static("k"), def: SizeDef::Exists };
    let size = Extent::Size(tables.sizes.push(info));
    let ty = Type::Array { elem: ty.scalars(), shape: vec![size] };
    tables.vars.push(Var { name, ty })
}

/// The most elements of a vector that a pass can make, and whether it counts them. None if the pass cannot write the
/// vector anywhere.
fn max_elements(step: &Step, made: VarId) -> Option<(Length, bool)> {
    let Step::Pass(pass) = step else { return None };
    if pass.growing().contains(&made) {
        return None;
    }
    let counted = pass.end.iter().any(
        |end| matches!(end, End::Slice { vec, length } if *vec == made && *length != WrittenCount::All),
    );
    pass.start.iter().find_map(|start| match start {
        Start::NewVec { vec, capacity, memory: Memory::New, .. } if *vec == made => {
            match capacity {
                Length::Array(_) | Length::Value(_) => Some((capacity.clone(), counted)),
                Length::Product(..) => None,
            }
        }
        Start::NewVec { .. } | Start::CheckSize { .. } | Start::NewAcc { .. } => None,
    })
}

/// Makes a pass write a vector behind an array.
fn make_behind(step: &mut Step, made: VarId, array: VarId) {
    let Step::Pass(pass) = step else { panic!("a pass makes the vector") };
    for start in &mut pass.start {
        if let Start::NewVec { vec, memory, .. } = start
            && *vec == made
        {
            *memory = Memory::Behind(array);
        }
    }
}
