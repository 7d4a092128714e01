//! Elements of a sorted array that are read by their rank are selected, without a sort of the others.
//!
//! The prelude has the selection: `for_ranks` sorts a short array and leaves a long one as it is; `at_rank`, `first_of`, `rest_of`
//! and `highest_of` read the former and select from the latter. The reference interpreter runs the program as it was.
//!
//! Invariant: the sorted array has no other use, its uses run at most once each, and there are few of them.
//!
//! ```text
//! (sort (<=) xs)[n / 2]                            ⇒ at_rank (<=) (n / 2) (for_ranks (<=) xs)
//! let s = sort (<=) xs in (head s, take 3 s)       ⇒ let s = for_ranks (<=) xs in (first_rank (<=) s, first_of (<=) 3 s)
//! take 3 (reverse (sort (<=) xs))                  ⇒ highest_of (<=) 3 (for_ranks (<=) xs)
//! let s = sort (<=) xs in map (\i -> s[i]) is      ⇒ the same
//! ```

use std::borrow::Cow;

use crate::ids::{DefId, FileId, LocalId};
use crate::ir::core::{Body, Expr, ExprKind, Pat, Program, Type};
use crate::prim::Scalar;
use crate::stack::deep;

/// The most elements that are selected from one array. Each takes a part of the time of the sort.
const MAX_ELEMENTS: usize = 3;

/// The program with selections in place of sorts.
#[must_use]
pub fn select(program: &Program, prelude: FileId) -> Cow<'_, Program> {
    let Some(library) = Library::of(program, prelude) else { return Cow::Borrowed(program) };
    let mut selected = program.clone();
    for def in selected.defs.values_mut().filter(|def| def.span.file != prelude) {
        if let Body::Expr(body) = &mut def.body {
            library.expr(body);
        }
    }
    Cow::Owned(selected)
}

/// The definitions of the prelude that take part. Those that the program does not reach are missing.
struct Library {
    sort: DefId,
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
}

/// A sort, taken apart.
struct Sort<'e> {
    /// The types of the elements.
    types: &'e [Type],
    le: &'e Expr,
    array: &'e Expr,
}

/// How an expression reads a sorted array.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Read {
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
}

impl Read {
    /// Whether it reads many elements.
    fn is_part(self) -> bool {
        match self {
            Self::Rank | Self::First | Self::Last => false,
            Self::Take | Self::Drop | Self::Highest => true,
        }
    }
}

impl Library {
    fn of(program: &Program, prelude: FileId) -> Option<Self> {
        let named = |name: &str| {
            let mut defs = program.defs.iter();
            defs.find(|(_, def)| def.span.file == prelude && def.name == name).map(|(id, _)| id)
        };
        Some(Self {
            sort: named("sort")?,
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
        })
    }

    fn expr(&self, expr: &mut Expr) {
        deep(|| {
            expr.for_each_child_mut(&mut |child| self.expr(child));
            if let ExprKind::Let(Pat::Var(var, _), value, body) = &mut expr.kind {
                self.named(*var, value, body);
            } else if let Some((read, array)) = self.read(expr)
                && let Some(sort) = self.sort(array)
            {
                let (le, array) = (sort.le.clone(), self.prepared(&sort, array));
                self.replace(expr, read, &le, array);
            }
        });
    }

    /// `let s = sort le xs in …`
    fn named(&self, var: LocalId, value: &mut Expr, body: &mut Expr) {
        let Some(sort) = self.sort(value) else { return };
        let mut uses = Uses::default();
        uses.count(self, var, body);
        let parts = uses.reads.iter().filter(|read| read.is_part()).count();
        let elements = uses.reads.len() - parts;
        if uses.others || uses.reads.is_empty() || elements > MAX_ELEMENTS || parts > 1 {
            return;
        }
        let (le, array) = (sort.le.clone(), self.prepared(&sort, value));
        *value = array;
        self.replace_reads(var, &le, body);
    }

    fn replace_reads(&self, var: LocalId, le: &Expr, expr: &mut Expr) {
        deep(|| {
            expr.for_each_child_mut(&mut |child| self.replace_reads(var, le, child));
            if let Some((read, array)) = self.read(expr)
                && is_var(array, var)
            {
                let array = array.clone();
                self.replace(expr, read, le, array);
            }
        });
    }

    /// `for_ranks le xs` in place of `sort le xs`.
    fn prepared(&self, sort: &Sort<'_>, whole: &Expr) -> Expr {
        let (le, array) = (sort.le.clone(), sort.array.clone());
        let result = arrow(array.ty.clone(), whole.ty.clone());
        let ty = arrow(le.ty.clone(), result);
        let span = whole.span;
        let function =
            Expr { kind: ExprKind::Global(self.for_ranks, sort.types.to_vec()), ty, span };
        let kind = ExprKind::App(Box::new(function), vec![le, array]);
        Expr { kind, ty: whole.ty.clone(), span }
    }

    /// A selection from that array in place of a read of the sorted one.
    fn replace(&self, expr: &mut Expr, read: Read, le: &Expr, array: Expr) {
        let Type::Array(_, elem) = &array.ty else { panic!("what is sorted is an array") };
        let types = vec![(**elem).clone()];
        let from = arrow(array.ty.clone(), expr.ty.clone());
        let mut args = vec![le.clone()];
        let (def, rest) = match (&mut expr.kind, read) {
            (ExprKind::Index(_, indices), _) => {
                args.append(indices);
                (self.at_rank, arrow(Type::Scalar(Scalar::I64), from))
            }
            (ExprKind::App(_, _), Read::First) => (self.first_rank, from),
            (ExprKind::App(_, _), Read::Last) => (self.last_rank, from),
            (ExprKind::App(_, given), Read::Take | Read::Drop | Read::Highest) => {
                let count = given.swap_remove(0);
                let def = match read {
                    Read::Drop => self.rest_of,
                    Read::Highest => self.highest_of,
                    Read::Take | Read::Rank | Read::First | Read::Last => self.first_of,
                };
                let rest = arrow(count.ty.clone(), from);
                args.push(count);
                (def, rest)
            }
            (_, _) => panic!("an element is read by an index or a function"),
        };
        args.push(array);
        let ty = arrow(le.ty.clone(), rest);
        let function = Expr { kind: ExprKind::Global(def, types), ty, span: expr.span };
        expr.kind = ExprKind::App(Box::new(function), args);
    }

    /// A sort by a comparison that may be copied.
    fn sort<'e>(&self, expr: &'e Expr) -> Option<Sort<'e>> {
        let ExprKind::App(function, args) = &expr.kind else { return None };
        let ExprKind::Global(def, types) = &function.kind else { return None };
        let [le, array] = args.as_slice() else { return None };
        let is_plain =
            matches!(le.kind, ExprKind::BinOp(_) | ExprKind::Global(..) | ExprKind::Var(_));
        (*def == self.sort && is_plain).then_some(Sort { types, le, array })
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
    fn read<'e>(&self, expr: &'e Expr) -> Option<(Read, &'e Expr)> {
        if let ExprKind::Index(array, indices) = &expr.kind {
            return (indices.len() == 1).then_some((Read::Rank, array));
        }
        let ExprKind::App(function, args) = &expr.kind else { return None };
        let ExprKind::Global(def, _) = &function.kind else { return None };
        let def = Some(*def);
        match args.as_slice() {
            [array] if def == self.head => Some((Read::First, array)),
            [array] if def == self.last => Some((Read::Last, array)),
            [_, array] if def == self.take => {
                Some(self.reversed(array).map_or((Read::Take, array), |of| (Read::Highest, of)))
            }
            [_, array] if def == self.drop => Some((Read::Drop, array)),
            _ => None,
        }
    }
}

/// The uses of a variable.
#[derive(Default)]
struct Uses {
    /// Those that a selection can serve.
    reads: Vec<Read>,
    /// Whether there are others, or some that may run more than once.
    others: bool,
    /// How many functions and loops are around.
    depth: usize,
}

impl Uses {
    fn count(&mut self, library: &Library, var: LocalId, expr: &Expr) {
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
        deep(|| expr.for_each_child(&mut |child| self.count(library, var, child)));
        self.depth -= usize::from(repeats);
    }
}

fn is_var(expr: &Expr, var: LocalId) -> bool {
    matches!(expr.kind, ExprKind::Var(of) if of == var)
}

fn arrow(from: Type, to: Type) -> Type {
    Type::Fun(None, Box::new(from), Box::new(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::EntityRef;
    use crate::ir::core;
    use crate::pass::infer::tests::check;

    /// The body of the program's entry, with selections.
    fn selected(body: &str) -> String {
        let text = format!("entry f [n] (xs: [n]f64) (is: [3]i64) = {body}");
        let core = check(&text).unwrap_or_else(|errors| panic!("{errors}"));
        let selected = select(&core, FileId::new(0));
        core::verify(&selected).unwrap_or_else(|error| panic!("{error}"));
        let printed = selected.to_string();
        let (_, entry) = printed.split_once("entry f").expect("there is an entry");
        let (_, body) = entry.split_once(" =").expect("it has a body");
        body.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn elements_are_selected() {
        let cases = [
            ("(sort (<=) xs)[n / 2]", "at_rank (<=) (n / 2i64) (for_ranks (<=) xs)"),
            ("xs |> sort (>=) |> last", "last_rank (>=) (for_ranks (>=) xs)"),
            ("take 3 (sort (<=) xs)", "first_of (<=) 3i64 (for_ranks (<=) xs)"),
            ("drop (n - 3) (sort (<=) xs)", "rest_of (<=) (n - 3i64) (for_ranks (<=) xs)"),
            ("xs |> sort (<=) |> reverse |> take 3", "highest_of (<=) 3i64 (for_ranks (<=) xs)"),
            (
                "let s = sort (<=) xs in (take 3 (reverse s), s[0])",
                "let s: [n]f64 = for_ranks (<=) xs in (highest_of (<=) 3i64 s, at_rank (<=) 0i64 s)",
            ),
            (
                "let s = sort (<=) xs in (head s, s[length s - 1])",
                "let s: [n]f64 = for_ranks (<=) xs in (first_rank (<=) s, at_rank (<=) (length s - 1i64) s)",
            ),
            (
                "map (\\i -> (sort (<=) xs)[i]) is",
                "map (\\(i: i64) -> at_rank (<=) i (for_ranks (<=) xs)) is",
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(selected(body), expected);
        }
    }

    #[test]
    fn arrays_with_other_uses_are_sorted() {
        let bodies = [
            "sort (<=) xs",
            "let s = sort (<=) xs in (s[0], s)",
            "let s = sort (<=) xs in map (\\i -> s[i]) is",
            "let s = sort (<=) xs in loop sum = 0 for i < n do sum + s[i]",
            "let s = sort (<=) xs in (s[0], s[1], s[2], s[3])",
            "let s = sort (<=) xs in (take 2 s, take 3 s)",
            "let s = sort (<=) xs in (take 2 s, drop 3 s)",
            "let s = sort (<=) xs in (take 3 (reverse s), reverse s)",
            "reverse (sort (<=) xs)",
            "take 2 (sort (\\x y -> x * x <= y * y) xs)",
        ];
        for body in bodies {
            let selected = selected(body);
            assert!(selected.contains("sort ") && !selected.contains("for_ranks"), "{selected}");
        }
    }
}
