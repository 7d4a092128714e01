//! Names, layout and workers, for the printers of processes and procedures.
//!
//! Invariant: two variables that are visible at one place print under two names.
//!
//! ```text
//! Worker { params: [x], body: { y = x + 1; y } }  ⇒  (+ 1i64)
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::cnf::Operation;
use crate::cnf::print::print_extent;
use crate::cnf::print::scalar;
use crate::cnf::{Atom, SizeDef, SizeInfo, Type, Var};
use arrc_front::data::Data;
use arrc_syntax::ids::{
    EntityRef, PrimaryMap, RateId, SecondaryMap, SelId, SeriesId, SizeId, VarId,
};
use arrc_syntax::names::Name;

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

/// Words that begin a step, so that no variable has them as its name.
const WORDS: [&str; 3] = ["yield", "release", "procedure"];

/// Gives names to variables: the user's name, followed by a number if that name is taken.
#[derive(Debug)]
pub struct VarNames<'a> {
    vars: &'a PrimaryMap<VarId, Var>,
    sizes: &'a PrimaryMap<SizeId, SizeInfo>,
    /// The names of sizes, which no variable has.
    named: SecondaryMap<SizeId, String>,
    given: IndexMap<VarId, String>,
    /// The names in use, in the order of `given`.
    taken: IndexSet<String>,
    /// The base and the number of each name in use, in the order of `given`.
    made: Vec<(Name, usize)>,
    /// For each base, the lowest number that may be free.
    free: IndexMap<Name, usize>,
}

impl<'a> VarNames<'a> {
    /// No variable has a name yet.
    #[must_use]
    pub fn new(vars: &'a PrimaryMap<VarId, Var>, sizes: &'a PrimaryMap<SizeId, SizeInfo>) -> Self {
        let of_variables = vars.values().map(|var| base(&var.name).to_string()).collect();
        Self {
            vars,
            sizes,
            named: print_extent::names(sizes, of_variables),
            given: IndexMap::new(),
            taken: IndexSet::new(),
            made: Vec::new(),
            free: IndexMap::new(),
        }
    }

    /// Prints something, and then forgets the names of the variables that were first met there.
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
        let name = base(&self.vars[var].name);
        let numbered = |number: usize| match number {
            1 => name.to_string(),
            _ => format!("{name}.{number}"),
        };
        let mut number = self.free.get(&name).copied().unwrap_or(1);
        let mut given = numbered(number);
        while WORDS.contains(&given.as_str()) || !self.taken.insert(given.clone()) {
            number += 1;
            given = numbered(number);
        }
        self.free.insert(name.clone(), number + 1);
        self.made.push((name, number));
        self.given.insert(var, given.clone());
        given
    }

    /// Prints a variable as that text from now on.
    pub fn print_as(&mut self, var: VarId, text: String) {
        self.given.insert(var, text);
    }

    /// The variables' names, with spaces between.
    pub fn vars<'v>(&mut self, vars: impl IntoIterator<Item = &'v VarId>) -> String {
        let names = vars.into_iter().map(|&var| self.var(var));
        names.collect::<Vec<_>>().join(" ")
    }

    /// The variables where they are bound: arrays with their types.
    pub fn binders<'v>(&mut self, vars: impl IntoIterator<Item = &'v VarId>) -> String {
        let binders = vars.into_iter().map(|&var| {
            let name = self.var(var);
            if !self.vars[var].ty.is_array() {
                return name;
            }
            format!("({name} : {})", self.var_type(var))
        });
        binders.collect::<Vec<_>>().join(" ")
    }

    /// An operation on scalars.
    pub fn scalar(&mut self, operation: Operation) -> String {
        scalar::show(operation, |atom| (self.type_of(atom), self.atom(atom)))
    }

    /// The type of a constant or a variable.
    #[must_use]
    pub fn type_of(&self, atom: Atom) -> Type {
        match atom {
            Atom::Const(value) => Type::Scalar(value.ty),
            Atom::Var(var) => self.vars[var].ty.clone(),
        }
    }

    /// A constant or a variable.
    pub fn atom(&mut self, atom: Atom) -> String {
        match atom {
            Atom::Const(value) => value.to_string(),
            Atom::Var(var) => self.var(var),
        }
    }

    /// Constants and variables, with the text `between` between them.
    pub fn atoms(&mut self, atoms: &[Atom], between: &str) -> String {
        let texts = atoms.iter().map(|&atom| self.atom(atom));
        texts.collect::<Vec<_>>().join(between)
    }

    /// The scalars of a constant array.
    pub fn data(&self, data: &Data) -> String {
        format!("[{}]", data.values().map(|value| value.to_string()).collect::<Vec<_>>().join(", "))
    }

    /// The yields of a form: `(ys, m)`.
    pub fn tuple(&mut self, atoms: &[Atom]) -> String {
        format!("({})", self.atoms(atoms, ", "))
    }

    /// The variable's type.
    #[must_use]
    pub fn var_type(&self, var: VarId) -> String {
        self.ty(&self.vars[var].ty)
    }

    /// The number of elements of an array in a dimension.
    #[must_use]
    pub fn extent(&self, array: VarId, dim: usize) -> String {
        let ty = self.var_type(array);
        let extents =
            ty.trim_start_matches('[').split(']').map(|part| part.trim_start_matches('['));
        extents.take(self.vars[array].ty.shape().len()).nth(dim).unwrap_or_default().to_owned()
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
                let name = |size| match self.sizes[size].def {
                    SizeDef::Value(var) => self.given.get(&var).unwrap_or(&self.named[size]),
                    SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => {
                        &self.named[size]
                    }
                };
                let show = |&of| print_extent::show(self.sizes, of, &|size| name(size).clone());
                let extents = shape.iter().map(|of| format!("[{}]", show(of)));
                format!("{}{elem}", extents.collect::<String>())
            }
        }
    }
}

/// The name of a variable without its number.
fn base(name: &Name) -> Name {
    if name.is_empty() || name == "_" { Name::new_static("t") } else { name.clone() }
}

/// Text of several lines.
pub type Lines = Vec<String>;

/// `head` before the first line. The other lines are indented to its end.
#[must_use]
pub fn hanging_indent(head: &str, lines: Lines) -> Lines {
    let margin = " ".repeat(head.chars().count());
    let mut lines = lines.into_iter();
    let first = lines.next().map(|line| format!("{head}{line}"));
    first.into_iter().chain(lines.map(|line| format!("{margin}{line}"))).collect()
}

/// The lines, indented.
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
        lines.extend(hanging_indent(head, item));
    }
    match lines.last_mut() {
        Some(last) => last.push_str(" }"),
        None => lines.push("{}".to_owned()),
    }
    lines
}
