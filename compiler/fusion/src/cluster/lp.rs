//! Integer linear programs as text, in the LP format that solvers read: `--emit=ilp`.
//!
//! Invariant: the text is the whole program: a solver that reads it finds the same optimum. The names are those of
//! the graph, with `_` for characters that the format does not allow.
//!
//! ```text
//! Minimize
//!   25 x_sum1_gts + x_sum1_sum2 + …
//! Subject To
//!   pi_gts - pi_sum1 - 5 x_sum1_gts <= 0
//! ```

use std::fmt::{self, Write};

use good_lp::Constraint;

use super::analysis::GraphAnalysis;
use super::program::{Column, IntegerProgram, VariableMeaning};

/// The columns that a line of text may have.
const WIDTH: usize = 100;

/// A program, with the graph that it is about.
pub(super) struct LpWriter<'a> {
    /// The program.
    pub(super) program: &'a IntegerProgram,
    /// The graph.
    pub(super) facts: &'a GraphAnalysis<'a>,
}

impl fmt::Display for LpWriter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = &self.program.columns;
        writeln!(f, "Minimize")?;
        let costs = columns.iter().map(|(column, of)| (column, of.cost));
        lines(f, &self.terms(costs.filter(|&(_, cost)| cost != 0)), "")?;
        writeln!(f, "Subject To")?;
        for row in &self.program.rows {
            let (terms, relation) = self.row(row);
            lines(f, &terms, &relation)?;
        }
        writeln!(f, "Bounds")?;
        for (column, of) in columns {
            writeln!(f, "  0 <= {} <= {}", self.name(column), of.upper)?;
        }
        writeln!(f, "Binaries")?;
        let binaries: Vec<String> =
            self.program.fused.values().map(|&column| self.name(column)).collect();
        lines(f, &binaries, "")?;
        writeln!(f, "End")
    }
}

impl LpWriter<'_> {
    /// The terms of a constraint, with a positive first one, and its comparison with a constant.
    fn row(&self, row: &Constraint) -> (Vec<String>, String) {
        let (terms, constant) = self.program.terms(row.expression());
        let negative = terms.values().next().is_some_and(|&by| by < 0);
        let (sign, relation) = if negative { (-1, ">=") } else { (1, "<=") };
        let scaled = terms.iter().map(|(&column, &by)| (column, sign * by));
        (self.terms(scaled), format!("{relation} {}", -sign * constant))
    }

    fn terms(&self, terms: impl Iterator<Item = (Column, i64)>) -> Vec<String> {
        let mut texts = Vec::new();
        for (column, by) in terms {
            let sign = match (by < 0, texts.is_empty()) {
                (true, _) => "- ",
                (false, true) => "",
                (false, false) => "+ ",
            };
            let factor = by.unsigned_abs();
            let factor = if factor == 1 { String::new() } else { format!("{factor} ") };
            texts.push(format!("{sign}{factor}{}", self.name(column)));
        }
        if texts.is_empty() {
            // The format requires at least one term.
            texts.extend(self.program.columns.keys().next().map(|c| format!("0 {}", self.name(c))));
        }
        texts
    }

    fn name(&self, column: Column) -> String {
        let graph = self.facts.graph;
        let name = match self.program.columns[column].meaning {
            VariableMeaning::Fused((i, j)) => format!("x_{}_{}", graph.label(i), graph.label(j)),
            VariableMeaning::Written(array) => format!("c_{}", self.facts.array_label(array)),
            VariableMeaning::Read(array, by) => {
                format!("r_{}_{}", self.facts.array_label(array), graph.label(by))
            }
            VariableMeaning::Position(node) => format!("pi_{}", graph.label(node)),
            VariableMeaning::First(node) => format!("z_{}", graph.label(node)),
            VariableMeaning::Assigned(first, node) => {
                format!("y_{}_{}", graph.label(first), graph.label(node))
            }
            VariableMeaning::Contracted(node) => format!("c_{}", graph.label(node)),
        };
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
    }
}

/// Writes words on as many lines as they need.
fn lines(f: &mut fmt::Formatter<'_>, words: &[String], last: &str) -> fmt::Result {
    let mut line = String::from(" ");
    for word in words.iter().map(String::as_str).chain((!last.is_empty()).then_some(last)) {
        if line.len() + 1 + word.len() > WIDTH {
            writeln!(f, "{line}")?;
            line = String::from("   ");
        }
        write!(line, " {word}")?;
    }
    writeln!(f, "{line}")
}
