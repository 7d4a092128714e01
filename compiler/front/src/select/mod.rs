//! Elements of a sorted array that are read by their rank are selected, without a sort of the others.
//!
//! The prelude has the selection: `for_ranks` sorts a short array and leaves a long one as it is; `at_rank`,
//! `first_of`, `rest_of` and others read the former and select from the latter. They are told whether the array is read
//! only once: then a short array of numbers is not sorted as a whole either. The reference interpreter runs the program
//! as it was.
//!
//! An array that is sorted by a key is selected from as pairs of keys and positions, in the order of the keys.
//!
//! Invariant: the sorted array has no other use, its uses run at most once each, and there are few of them. Each copy
//! of a comparison binds variables of its own.
//!
//! ```text
//! (sort (<=) xs)[n / 2]             ⇒ at_rank true (<=) (n / 2) (for_ranks true (<=) xs)
//! let s = sort (<=) xs in (head s, take 3 s)
//!   ⇒ let s = for_ranks false (<=) xs in (first_rank false (<=) s, first_of false (<=) 3 s)
//! take 3 (reverse (sort (<=) xs))   ⇒ highest_of true (<=) 3 (for_ranks true (<=) xs)
//! (sort (\p q -> p.0 <= q.0) xs)[:k]
//!   ⇒ slice_to true (\p q -> p.0 <= q.0) k (for_ranks true (\p q -> p.0 <= q.0) xs)
//! take 3 (sort_by_key f (<=) xs)
//!   ⇒ ranked xs (first_of true (\p q -> p.0 <= q.0) 3 (for_ranks true (\p q -> p.0 <= q.0) (with_positions f xs)))
//! let s = sort (<=) xs in map (\i -> s[i]) is      ⇒ the same
//! ```

mod build;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use self::build::{array_of, call, element, pairs, part_of, same_as, truth, variable};
use crate::core::{
    Body, ComponentStep, Def, Dim, Expr, ExprKind, Order, Pat, Program, Type, VarInfo,
};
use arrc_syntax::ids::{DefId, FileId, LocalId, PrimaryMap};
use arrc_syntax::stack::with_enough_stack;

/// The most elements that are selected from one array. Each takes a part of the time of the sort.
const MAX_ELEMENTS: usize = 3;

/// The program with selections in place of sorts.
#[must_use]
pub fn select(program: &Program, prelude: FileId) -> Cow<'_, Program> {
    let Some(library) = SortDefs::of(program, prelude) else { return Cow::Borrowed(program) };
    let mut selected = program.clone();
    let mut selection = Selection { library, defs: &program.defs, vars: &mut selected.vars };
    for def in selected.defs.values_mut().filter(|def| def.span.file != prelude) {
        if let Body::Expr(body) = &mut def.body {
            selection.expr(body);
        }
    }
    Cow::Owned(selected)
}

/// The definitions of the prelude that take part. Those that the program does not reach are missing.
struct SortDefs {
    sort: Option<DefId>,
    sort_by_key: Option<DefId>,
    take: Option<DefId>,
    drop: Option<DefId>,
    reverse: Option<DefId>,
    head: Option<DefId>,
    last: Option<DefId>,
    length: Option<DefId>,
    for_ranks: DefId,
    at_rank: DefId,
    first_rank: DefId,
    last_rank: DefId,
    first_of: DefId,
    rest_of: DefId,
    highest_of: DefId,
    slice_to: DefId,
    slice_from: DefId,
    slice_of: DefId,
    highest_to: DefId,
    keyed: Option<KeyedSortDefs>,
}

/// The definitions for arrays that are sorted by a key.
#[derive(Clone, Copy)]
struct KeyedSortDefs {
    with_positions: DefId,
    ranked: DefId,
    ranked_one: DefId,
}

/// A sort, taken apart.
struct Sort<'e> {
    le: &'e Expr,
    array: &'e Expr,
    /// The key, if the elements are sorted by one.
    key: Option<&'e Expr>,
}

/// An array from which elements are selected.
struct SortedArray {
    compare: Comparison,
    /// The type of its elements.
    elem: Type,
    /// Whether it is read only once.
    alone: bool,
    /// The array that its positions belong to, if it has pairs of keys and positions.
    source: Option<Expr>,
}

/// A comparison that can be copied.
enum Comparison {
    /// It binds no variables.
    Plain(Expr),
    /// It compares one component.
    By(Order, Expr),
}

/// How an expression reads a sorted array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SelectionKind {
    /// `s[i]`
    Rank,
    /// `head s`
    First,
    /// `last s`
    Last,
    /// `take k s`
    Take,
    /// `drop k s`
    Drop,
    /// `take k (reverse s)`
    Highest,
    /// `s[:k]`
    SliceTo,
    /// `s[k:]`
    SliceFrom,
    /// `s[j:k]`
    Slice,
    /// `(reverse s)[:k]`
    HighestTo,
}

impl SelectionKind {
    /// Whether it reads many elements.
    fn is_part(self) -> bool {
        match self {
            Self::Rank | Self::First | Self::Last => false,
            Self::Take
            | Self::Drop
            | Self::Highest
            | Self::SliceTo
            | Self::SliceFrom
            | Self::Slice
            | Self::HighestTo => true,
        }
    }
}

impl SortDefs {
    fn of(program: &Program, prelude: FileId) -> Option<Self> {
        let named = |name: &str| {
            let mut defs = program.defs.iter();
            defs.find(|(_, def)| def.span.file == prelude && def.name == name).map(|(id, _)| id)
        };
        let keyed = || {
            Some(KeyedSortDefs {
                with_positions: named("with_positions")?,
                ranked: named("ranked")?,
                ranked_one: named("ranked_one")?,
            })
        };
        Some(Self {
            sort: named("sort"),
            sort_by_key: named("sort_by_key"),
            take: named("take"),
            drop: named("drop"),
            reverse: named("reverse"),
            head: named("head"),
            last: named("last"),
            length: named("length"),
            for_ranks: named("for_ranks")?,
            at_rank: named("at_rank")?,
            first_rank: named("first_rank")?,
            last_rank: named("last_rank")?,
            first_of: named("first_of")?,
            rest_of: named("rest_of")?,
            highest_of: named("highest_of")?,
            slice_to: named("slice_to")?,
            slice_from: named("slice_from")?,
            slice_of: named("slice_of")?,
            highest_to: named("highest_to")?,
            keyed: keyed(),
        })
    }

    fn selector(&self, read: SelectionKind) -> DefId {
        match read {
            SelectionKind::Rank => self.at_rank,
            SelectionKind::First => self.first_rank,
            SelectionKind::Last => self.last_rank,
            SelectionKind::Take => self.first_of,
            SelectionKind::Drop => self.rest_of,
            SelectionKind::Highest => self.highest_of,
            SelectionKind::SliceTo => self.slice_to,
            SelectionKind::SliceFrom => self.slice_from,
            SelectionKind::Slice => self.slice_of,
            SelectionKind::HighestTo => self.highest_to,
        }
    }

    /// The array that an expression reverses.
    fn reversed<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::App(function, args) = &expr.kind else { return None };
        match (&function.kind, args.as_slice()) {
            (ExprKind::Global(def, _), [array]) if Some(*def) == self.reverse => Some(array),
            (_, _) => None,
        }
    }

    /// `length s`, which a selection leaves as it is.
    fn is_length(&self, var: LocalId, expr: &Expr) -> bool {
        let ExprKind::App(function, args) = &expr.kind else { return false };
        matches!(function.kind, ExprKind::Global(def, _) if Some(def) == self.length)
            && args.iter().all(|arg| is_var(arg, var))
    }

    /// How an expression reads an array, and the array.
    fn read<'e>(&self, expr: &'e Expr) -> Option<(SelectionKind, &'e Expr)> {
        if let ExprKind::Index(array, indices) = &expr.kind {
            return (indices.len() == 1).then_some((SelectionKind::Rank, array));
        }
        if let ExprKind::Slice(array, dims) = &expr.kind {
            let [Dim::Slice { first, last, step: None }] = &dims[..] else { return None };
            let of = self.reversed(array);
            return match (first, last, of) {
                (None, Some(_), Some(of)) => Some((SelectionKind::HighestTo, of)),
                (None, Some(_), None) => Some((SelectionKind::SliceTo, array)),
                (Some(_), None, None) => Some((SelectionKind::SliceFrom, array)),
                (Some(_), Some(_), None) => Some((SelectionKind::Slice, array)),
                (None, None, _) | (Some(_), _, Some(_)) => None,
            };
        }
        let ExprKind::App(function, args) = &expr.kind else { return None };
        let ExprKind::Global(def, _) = &function.kind else { return None };
        let def = Some(*def);
        match args.as_slice() {
            [array] if def == self.head => Some((SelectionKind::First, array)),
            [array] if def == self.last => Some((SelectionKind::Last, array)),
            [_, array] if def == self.take => Some(
                self.reversed(array)
                    .map_or((SelectionKind::Take, array), |of| (SelectionKind::Highest, of)),
            ),
            [_, array] if def == self.drop => Some((SelectionKind::Drop, array)),
            _ => None,
        }
    }
}

/// The search for sorts in expressions.
struct Selection<'a> {
    library: SortDefs,
    defs: &'a PrimaryMap<DefId, Def>,
    vars: &'a mut PrimaryMap<LocalId, VarInfo>,
}

impl Selection<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        with_enough_stack(|| {
            expr.for_each_child_mut(&mut |child| self.expr(child));
            if let ExprKind::Let(Pat::Var(var, _), value, body) = &expr.kind {
                let reads = self.sort(value).and_then(|_| self.few_reads(*var, body));
                if let Some(reads) = reads {
                    self.named(expr, reads == 1);
                }
            } else if let Some((read, array)) = self.library.read(expr)
                && let Some(sort) = self.sort(array)
            {
                let array = array.clone();
                let (source, sorted, prepared) = self.prepared(&sort, &array, true);
                self.replace(expr, read, &sorted, prepared);
                wrap_in_let(expr, source);
            }
        });
    }

    /// How often an array is read, if there are only few reads.
    fn few_reads(&self, var: LocalId, body: &Expr) -> Option<usize> {
        let mut uses = VarUses::default();
        uses.count(&self.library, var, body);
        let parts = uses.reads.iter().filter(|read| read.is_part()).count();
        let elements = uses.reads.len() - parts;
        let is_few =
            !uses.others && !uses.reads.is_empty() && elements <= MAX_ELEMENTS && parts <= 1;
        is_few.then_some(uses.reads.len())
    }

    /// `let s = sort le xs in …`
    fn named(&mut self, expr: &mut Expr, alone: bool) {
        let ExprKind::Let(Pat::Var(var, ty), value, body) = &mut expr.kind else { return };
        let whole = value.clone();
        let Some(sort) = self.sort(&whole) else { return };
        let (source, sorted, prepared) = self.prepared(&sort, &whole, alone);
        *ty = prepared.ty.clone();
        self.replace_reads(*var, &sorted, &prepared, body);
        **value = prepared;
        wrap_in_let(expr, source);
    }

    fn replace_reads(
        &mut self,
        var: LocalId,
        sorted: &SortedArray,
        prepared: &Expr,
        expr: &mut Expr,
    ) {
        with_enough_stack(|| {
            if self.library.is_length(var, expr)
                && let (Some(source), ExprKind::App(_, args)) = (&sorted.source, &mut expr.kind)
            {
                *args = vec![source.clone()];
                return;
            }
            expr.for_each_child_mut(&mut |child| self.replace_reads(var, sorted, prepared, child));
            if let Some((read, array)) = self.library.read(expr)
                && is_var(array, var)
            {
                let array = Expr { ty: prepared.ty.clone(), ..array.clone() };
                self.replace(expr, read, sorted, array);
            }
        });
    }

    /// `for_ranks le xs` in place of `sort le xs`; and a binding around it, if the sort is by a key.
    fn prepared(
        &mut self,
        sort: &Sort<'_>,
        whole: &Expr,
        alone: bool,
    ) -> (Option<(Pat, Expr)>, SortedArray, Expr) {
        let (mut array, span) = (sort.array.clone(), whole.span);
        let (mut outer, mut source) = (None, None);
        let mut compare = match self.order(sort.le) {
            Some(order) if matches!(sort.le.kind, ExprKind::Lambda(..)) || sort.key.is_some() => {
                Comparison::By(order, sort.le.clone())
            }
            Some(_) | None => Comparison::Plain(sort.le.clone()),
        };
        if let (Some(key), Some(keyed)) = (sort.key, self.library.keyed) {
            if !matches!(array.kind, ExprKind::Var(_)) {
                let (var, name) = variable(self.vars, "xs", &array.ty, span);
                outer = Some((Pat::Var(var, array.ty.clone()), array));
                array = name;
            }
            let Type::Fun(_, _, of) = &key.ty else { panic!("a key is a function") };
            let pair = pairs(of);
            let types = vec![element(&array.ty).clone(), (**of).clone()];
            let ty = array_of(&array.ty, pair);
            source = Some(array.clone());
            array = call(keyed.with_positions, types, vec![key.clone(), array], ty, span);
            if let Comparison::By(order, _) = &mut compare {
                order.path.insert(0, ComponentStep::Item(0));
            }
        }
        let elem = element(&array.ty).clone();
        let sorted = SortedArray { compare, elem: elem.clone(), alone, source };
        let ty = if sorted.source.is_some() { array.ty.clone() } else { whole.ty.clone() };
        let args = vec![truth(alone, span), self.compare(&sorted), array];
        let prepared = call(self.library.for_ranks, vec![elem], args, ty, span);
        (outer, sorted, prepared)
    }

    /// A copy of the comparison.
    fn compare(&mut self, sorted: &SortedArray) -> Expr {
        match &sorted.compare {
            Comparison::Plain(le) => le.clone(),
            Comparison::By(order, le) => same_as(order, &sorted.elem, le.span, self.vars),
        }
    }

    /// A selection from that array in place of a read of the sorted one.
    fn replace(&mut self, expr: &mut Expr, read: SelectionKind, sorted: &SortedArray, array: Expr) {
        let span = expr.span;
        let mut args = vec![truth(sorted.alone, span), self.compare(sorted)];
        args.extend(bounds(&expr.kind, read));
        args.push(array);
        let types = vec![sorted.elem.clone()];
        let def = self.library.selector(read);
        let (Some(source), Some(keyed)) = (&sorted.source, self.library.keyed) else {
            *expr = call(def, types, args, expr.ty.clone(), span);
            return;
        };
        let (ty, def_of) = if read.is_part() {
            (array_of(&expr.ty, sorted.elem.clone()), keyed.ranked)
        } else {
            (sorted.elem.clone(), keyed.ranked_one)
        };
        let read = call(def, types, args, ty, span);
        let types = vec![element(&source.ty).clone(), part_of(&sorted.elem, 0).clone()];
        *expr = call(def_of, types, vec![source.clone(), read], expr.ty.clone(), span);
    }

    /// A sort by a comparison that may be copied.
    fn sort<'e>(&self, expr: &'e Expr) -> Option<Sort<'e>> {
        let ExprKind::App(function, args) = &expr.kind else { return None };
        let ExprKind::Global(def, _) = &function.kind else { return None };
        match args.as_slice() {
            [le, array] if Some(*def) == self.library.sort => {
                let is_plain =
                    matches!(le.kind, ExprKind::BinOp(_) | ExprKind::Global(..) | ExprKind::Var(_));
                let is_known = is_plain || self.order(le).is_some();
                is_known.then_some(Sort { le, array, key: None })
            }
            [key, le, array] if Some(*def) == self.library.sort_by_key => {
                let is_known = self.library.keyed.is_some() && self.order(le).is_some();
                is_known.then_some(Sort { le, array, key: Some(key) })
            }
            _ => None,
        }
    }

    /// The order that a comparison is known to be.
    fn order(&self, le: &Expr) -> Option<Order> {
        if let ExprKind::BinOp(op) = le.kind {
            Order::of_operator(op)
        } else if let ExprKind::Lambda(params, body) = &le.kind {
            Order::of_function(params, body)
        } else if let ExprKind::Global(def, _) = &le.kind {
            Order::of_definition(&self.defs[*def])
        } else {
            None
        }
    }
}

/// The ranks that an expression reads: one, or the bounds of a part.
fn bounds(kind: &ExprKind, read: SelectionKind) -> Vec<Expr> {
    if let ExprKind::Index(_, indices) = kind {
        indices.clone()
    } else if let ExprKind::Slice(_, dims) = kind {
        dims.iter().flat_map(Dim::parts).cloned().collect()
    } else if let (ExprKind::App(_, args), true) = (kind, read.is_part()) {
        args[..1].to_vec()
    } else {
        Vec::new()
    }
}

/// Puts a binding around an expression.
fn wrap_in_let(expr: &mut Expr, outer: Option<(Pat, Expr)>) {
    if let Some((pat, value)) = outer {
        let (ty, span) = (expr.ty.clone(), expr.span);
        let none = Expr { kind: ExprKind::Tuple(Vec::new()), ty: Type::Tuple(Vec::new()), span };
        let body = std::mem::replace(expr, none);
        *expr = Expr { kind: ExprKind::Let(pat, Box::new(value), Box::new(body)), ty, span };
    }
}

/// The uses of a variable.
#[derive(Default)]
struct VarUses {
    /// Those that a selection can serve.
    reads: Vec<SelectionKind>,
    /// Whether there are others, or some that may run more than once.
    others: bool,
    /// How many functions and loops are around.
    depth: usize,
}

impl VarUses {
    fn count(&mut self, library: &SortDefs, var: LocalId, expr: &Expr) {
        if let Some((read, array)) = library.read(expr)
            && is_var(array, var)
        {
            self.reads.push(read);
            self.others |= self.depth > 0;
            let mut first = true;
            return expr.for_each_child(&mut |child| {
                let of = library.reversed(child).unwrap_or(child);
                if !(is_var(of, var) && std::mem::take(&mut first)) {
                    self.count(library, var, child);
                }
            });
        }
        if is_var(expr, var) {
            self.others = true;
            return;
        }
        if library.is_length(var, expr) {
            return;
        }
        let repeats =
            matches!(expr.kind, ExprKind::Lambda(..) | ExprKind::Loop(_) | ExprKind::With(_));
        self.depth += usize::from(repeats);
        with_enough_stack(|| expr.for_each_child(&mut |child| self.count(library, var, child)));
        self.depth -= usize::from(repeats);
    }
}

fn is_var(expr: &Expr, var: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Var(of) if of == var)
}
