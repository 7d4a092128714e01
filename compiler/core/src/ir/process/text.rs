//! What the printers of processes and procedures share: names, layout, workers.
//!
//! Invariant: two variables that are visible at one place print under two names.
//!
//! ```text
//! Worker { params: [x], body: { y = x + 1; y } }  ⇒  (+ 1)
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ids::{EntityRef, PrimaryMap, RateId, SelId, SeriesId, SizeId, VarId};
use crate::ir::cnf::{Atom, Extent, SizeInfo, Type, Var};
use crate::ir::data::Data;
use crate::names::Name;
use crate::prim::Const;

/// A series as it prints: `s1` is the first.
#[must_use]
pub fn series_name(series: SeriesId) -> String {
    format!("s{}", series.index() + 1)
}

/// A rate as it prints: `k1` is the first.
#[must_use]
pub fn rate_name(rate: RateId) -> String {
    format!("k{}", rate.index() + 1)
}

/// A selector as it prints: `sel1` is the first.
#[must_use]
pub fn selector_name(selector: SelId) -> String {
    format!("sel{}", selector.index() + 1)
}

/// A constant without its type, which these forms show elsewhere.
#[must_use]
pub fn constant(value: Const) -> String {
    let text = value.to_string();
    text.strip_suffix(value.ty.name()).map_or(text.clone(), str::to_owned)
}

/// Gives variables their names: the user's, and a number behind it where that one is taken.
#[derive(Debug)]
pub struct Names<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    given: IndexMap<VarId, String>,
    /// The names that were given, in the same order.
    taken: IndexSet<String>,
    /// What they were made from, in the same order.
    made: Vec<(Name, usize)>,
    /// For each name of the user the least number that may be free.
    free: IndexMap<Name, usize>,
}

impl<'a> Names<'a> {
    /// No variable has been met yet.
    #[must_use]
    pub fn new(vars: &'a PrimaryMap<VarId, Var>, sizes: &'a PrimaryMap<SizeId, SizeInfo>) -> Self {
        Self {
            vars,
            sizes,
            given: IndexMap::new(),
            taken: IndexSet::new(),
            made: Vec::new(),
            free: IndexMap::new(),
        }
    }

    /// Prints something whose variables, those that are met there first, are forgotten after it.
    pub fn scope<T>(&mut self, print: impl FnOnce(&mut Self) -> T) -> T {
        let outside = self.given.len();
        let printed = print(self);
        self.given.truncate(outside);
        self.taken.truncate(outside);
        for (name, number) in self.made.drain(outside..) {
            let free = &mut self.free[&name];
            *free = number.min(*free);
        }
        printed
    }

    /// The variable's name.
    pub fn var(&mut self, var: VarId) -> String {
        if let Some(given) = self.given.get(&var) {
            return given.clone();
        }
        let name = match &self.vars[var].name {
            empty if empty.is_empty() => Name::new_static("t"),
            name => name.clone(),
        };
        let numbered = |number: usize| match number {
            1 => name.to_string(),
            _ => format!("{name}.{number}"),
        };
        let mut number = self.free.get(&name).copied().unwrap_or(1);
        let mut given = numbered(number);
        while !self.taken.insert(given.clone()) {
            number += 1;
            given = numbered(number);
        }
        self.free.insert(name.clone(), number + 1);
        self.made.push((name, number));
        self.given.insert(var, given.clone());
        given
    }

    /// The variables' names, with spaces between.
    pub fn vars<'v>(&mut self, vars: impl IntoIterator<Item = &'v VarId>) -> String {
        let names = vars.into_iter().map(|&var| self.var(var));
        names.collect::<Vec<_>>().join(" ")
    }

    /// A constant or a variable.
    pub fn atom(&mut self, atom: Atom) -> String {
        match atom {
            Atom::Const(value) => constant(value),
            Atom::Var(var) => self.var(var),
        }
    }

    /// Constants and variables, with that between them.
    pub fn atoms(&mut self, atoms: &[Atom], between: &str) -> String {
        let texts = atoms.iter().map(|&atom| self.atom(atom));
        texts.collect::<Vec<_>>().join(between)
    }

    /// The scalars of a constant array.
    pub fn data(&self, data: &Data) -> String {
        format!("[{}]", data.values().map(constant).collect::<Vec<_>>().join(", "))
    }

    /// What a form yields: `(ys, m)`.
    pub fn tuple(&mut self, atoms: &[Atom]) -> String {
        format!("({})", self.atoms(atoms, ", "))
    }

    /// The variable's type.
    #[must_use]
    pub fn var_type(&self, var: VarId) -> String {
        self.ty(&self.vars[var].ty)
    }

    /// The type of the array's elements.
    #[must_use]
    pub fn element_type(&self, array: VarId) -> String {
        self.vars[array].ty.element().map_or_else(String::new, |ty| self.ty(&ty))
    }

    /// A type: `i64`, `[n]f64`.
    #[must_use]
    pub fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => scalar.to_string(),
            Type::Array { elem, shape } => {
                let extents = shape.iter().map(|extent| match extent {
                    Extent::Const(value) => format!("[{value}]"),
                    Extent::Size(size) => format!("[{}]", self.sizes[*size].name),
                });
                format!("{}{elem}", extents.collect::<String>())
            }
        }
    }
}

/// Text of several lines.
pub type Lines = Vec<String>;

/// `head` before the first line, and the others below its end.
#[must_use]
pub fn beside(head: &str, lines: Lines) -> Lines {
    let margin = " ".repeat(head.chars().count());
    let mut lines = lines.into_iter();
    let first = lines.next().map(|line| format!("{head}{line}"));
    first.into_iter().chain(lines.map(|line| format!("{margin}{line}"))).collect()
}

/// Each line further to the right.
#[must_use]
pub fn indent(lines: Lines) -> Lines {
    lines.into_iter().map(|line| format!("  {line}")).collect()
}

/// `{ one ; two }`, one below the other.
#[must_use]
pub fn braces(items: Vec<Lines>) -> Lines {
    let mut lines = Lines::new();
    for (index, item) in items.into_iter().enumerate() {
        let head = if index == 0 { "{ " } else { "; " };
        lines.extend(beside(head, item));
    }
    match lines.last_mut() {
        Some(last) => last.push_str(" }"),
        None => lines.push("{}".to_owned()),
    }
    lines
}
