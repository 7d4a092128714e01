//! Access maps as text.
//!
//! Invariant: each access is on one line. Lines are indented by the loops around.
//!
//! ```text
//! procedure ys_1
//!   for i
//!     for j
//!       read xs[i, j + 1]
//!       write ys[i, j]
//! ```

use arrc_fusion::process::text::VarNames;

use super::passes::of_function;
use super::{Access, Accesses, Affine, Kind, Place, Positions};
use crate::concrete::{Function, Phase, Program};

impl<P: Phase> Program<P> {
    /// The accesses of all passes as text.
    #[must_use]
    pub fn accesses(&self) -> String {
        let functions = self.functions.values().map(function);
        functions.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

fn function<P: Phase>(function: &Function<P>) -> String {
    let mut printer = Printer {
        names: VarNames::new(&function.tables.vars, &function.tables.sizes),
        text: String::new(),
    };
    printer.names.vars(&function.params);
    for (name, accesses) in of_function(function) {
        printer.text.push_str(&format!("procedure {name} in {}\n", function.name));
        printer.pass(&accesses);
    }
    printer.text
}

impl Accesses {
    /// Whether a place is a loop, or one of several bodies.
    fn is_shown(&self, place: &Place) -> bool {
        match place {
            Place::Loop(_) => true,
            Place::Branch { choice, .. } => {
                let mut all = self.list.iter().flat_map(|access| &access.path);
                all.any(|of| matches!(of, Place::Branch { choice: of, arm: 1.. } if of == choice))
            }
        }
    }
}

struct Printer<'a> {
    names: VarNames<'a>,
    text: String,
}

impl Printer<'_> {
    fn pass(&mut self, accesses: &Accesses) {
        let mut path: Vec<&Place> = Vec::new();
        for access in &accesses.list {
            let around: Vec<_> = access.path.iter().filter(|of| accesses.is_shown(of)).collect();
            let common = path.iter().zip(&around).take_while(|(a, b)| a == b).count();
            for (depth, place) in around.iter().enumerate().skip(common) {
                self.place(accesses, depth + 1, place);
            }
            path = around;
            let line = self.access(access);
            self.line(path.len() + 1, &line);
        }
    }

    fn place(&mut self, accesses: &Accesses, depth: usize, place: &Place) {
        let line = match place {
            Place::Loop(of) => match accesses.loops[*of].counter {
                Some(counter) => format!("for {}", self.names.var(counter)),
                None => "while".to_owned(),
            },
            Place::Branch { arm, .. } => format!("case {arm}"),
        };
        self.line(depth, &line);
    }

    fn line(&mut self, depth: usize, line: &str) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn access(&mut self, access: &Access) -> String {
        let word = match access.kind {
            Kind::Read(_) => "read",
            Kind::Write(_) => "write",
            Kind::Escape => "escape",
        };
        let region = access.region.iter().map(|positions| self.positions(positions));
        let region = region.collect::<Vec<_>>().join(", ");
        format!("{word} {}[{region}]", self.names.var(access.base))
    }

    fn positions(&mut self, positions: &Positions) -> String {
        match positions {
            Positions::At(at) => self.form(at),
            Positions::Range(from, to) => format!("{} .. {}", self.form(from), self.form(to)),
            Positions::All => "..".to_owned(),
            Positions::Unknown => "?".to_owned(),
        }
    }

    fn form(&mut self, form: &Affine) -> String {
        let mut text = String::new();
        for (&symbol, &factor) in &form.terms {
            let name = self.names.var(symbol);
            let term = if factor.unsigned_abs() == 1 {
                name
            } else {
                format!("{} * {name}", factor.unsigned_abs())
            };
            append(&mut text, factor, &term);
        }
        if form.constant != 0 || text.is_empty() {
            append(&mut text, form.constant, &form.constant.unsigned_abs().to_string());
        }
        text
    }
}

/// Adds a term with its sign.
fn append(text: &mut String, factor: i64, term: &str) {
    let sign = match (text.is_empty(), factor < 0) {
        (true, false) => "",
        (true, true) => "-",
        (false, false) => " + ",
        (false, true) => " - ",
    };
    text.push_str(sign);
    text.push_str(term);
}
