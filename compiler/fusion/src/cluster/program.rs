//! Integer linear programs about the fusion of nodes, stated in `good_lp`. The formulations build them,
//! [`solver`](super::solver) solves them, and `--emit=ilp` prints them.
//!
//! Invariant: every variable is at least 0 and at most [`Variable::upper`]. Every coefficient is an integer. If the x
//! are integral, some optimum has all variables integral.
//!
//! ```text
//! minimise 3 r[xs,a] + 3 r[xs,b], x[a,b] binary, r[xs,b] + (1 - x[a,b]) ≥ 1
//! ```

use std::collections::{BTreeMap, HashMap};

use arrc_syntax::ids::entity_impl;
use good_lp::{
    Constraint, Expression, IntoAffineExpression, ProblemVariables, Solver, SolverModel, variable,
};

use super::analysis::ArrayId;
use super::pairs::{Pair, ordered};
use arrc_syntax::ids::{NodeId, PrimaryMap, SecondaryMap};

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Column(u32);
entity_impl!(Column, "col");

/// The facts on a variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// Its meaning.
    pub(super) meaning: VariableMeaning,
    /// Its coefficient in the objective.
    pub(super) cost: i64,
    /// Its upper bound.
    pub(super) upper: i64,
    /// The variable in `good_lp`.
    pub(super) handle: good_lp::Variable,
}

/// The values of the variables.
pub(super) type Values = SecondaryMap<Column, f64>;

/// The meaning of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VariableMeaning {
    /// x[i,j], binary: 0 if the two are fused, and 1 otherwise.
    Fused(Pair),
    /// c[a]: 1 if the array is written though it is no output.
    Written(ArrayId),
    /// r[a,j]: 1 if the node starts a read of the array.
    Read(ArrayId, NodeId),
    /// π[i]: the position of the node's cluster in the order (001, figure 1.11).
    Position(NodeId),
    /// c[i]: 1 if an array of the node is not fully contracted (001, figure 1.11).
    Contracted(NodeId),
    /// z[j]: 1 if the node is the first of its cluster.
    First(NodeId),
    /// y[i,j]: 1 if the first node is the first of the second one's cluster.
    Assigned(NodeId, NodeId),
}

/// The program.
#[derive(Clone, Default)]
pub(super) struct IntegerProgram {
    /// The variables.
    pub(super) columns: PrimaryMap<Column, Variable>,
    /// The constraints.
    pub(super) rows: Vec<Constraint>,
    /// x, the binary variables. All pairs between the same two groups share one variable.
    pub(super) fused: BTreeMap<Pair, Column>,
    /// The variables for `good_lp`, where the x are integers.
    integral: ProblemVariables,
    /// The same variables, where the x may be fractional.
    relaxed: ProblemVariables,
    by_handle: HashMap<good_lp::Variable, Column>,
    /// The first node of each node's group, or none if it is the node itself. The nodes of a group are always
    /// together.
    groups: SecondaryMap<NodeId, Option<NodeId>>,
    /// The variables of pairs of groups.
    between: BTreeMap<Pair, Column>,
}

/// The values that the x may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Domain {
    /// They have to be integers.
    Integral,
    /// They may be any number from 0 to 1.
    Relaxed,
}

impl IntegerProgram {
    /// Puts two nodes into one group, so that they are always together. The first is the first node of its group.
    pub(super) fn group(&mut self, first: NodeId, other: NodeId) {
        self.groups[other] = Some(first);
    }

    /// Whether the two are in one group.
    pub(super) fn grouped(&self, i: NodeId, j: NodeId) -> bool {
        self.first_of(i) == self.first_of(j)
    }

    /// Whether the program decides about a pair: it has a variable, or is in one group.
    pub(super) fn decides_pair(&self, i: NodeId, j: NodeId) -> bool {
        self.grouped(i, j) || self.fused.contains_key(&ordered(i, j))
    }

    /// Adds x[i,j], for a pair that has no variable and is not in one group.
    pub(super) fn add_pair(&mut self, (i, j): Pair) {
        let between = ordered(self.first_of(i), self.first_of(j));
        let column = match self.between.get(&between) {
            Some(&column) => column,
            None => self.add(VariableMeaning::Fused((i, j)), 0, 1),
        };
        self.between.insert(between, column);
        self.fused.insert((i, j), column);
    }

    /// The groups among nodes, which are given in order, that have more than one node.
    pub(super) fn groups(&self, nodes: &[NodeId]) -> Vec<Vec<NodeId>> {
        let mut groups: BTreeMap<NodeId, Vec<NodeId>> = BTreeMap::new();
        for &node in nodes {
            groups.entry(self.first_of(node)).or_default().push(node);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }

    fn first_of(&self, node: NodeId) -> NodeId {
        self.groups[node].unwrap_or(node)
    }

    /// Adds a variable.
    pub(super) fn add(&mut self, meaning: VariableMeaning, cost: i64, most: i64) -> Column {
        let bounded = variable().clamp(0.0, float(most));
        let handle = self.relaxed.add(bounded.clone());
        if let VariableMeaning::Fused(_) = meaning {
            self.integral.add(bounded.integer());
        } else {
            self.integral.add(bounded);
        }
        let column = self.columns.push(Variable { meaning, cost, upper: most, handle });
        self.by_handle.insert(handle, column);
        if let VariableMeaning::Fused(pair) = meaning {
            self.fused.insert(pair, column);
        }
        column
    }

    /// The variable as a term.
    pub(super) fn term(&self, column: Column) -> Expression {
        self.columns[column].handle.into()
    }

    /// x[i,j]. It is 1 for a pair that has no variable, and 0 for a pair in one group.
    pub(super) fn x(&self, i: NodeId, j: NodeId) -> Expression {
        match self.fused.get(&ordered(i, j)) {
            Some(&column) => self.term(column),
            None => f64::from(u8::from(!self.grouped(i, j))).into(),
        }
    }

    /// Adds a constraint, unless it follows from the bounds of the variables.
    pub(super) fn subject_to(&mut self, row: Constraint) {
        let (terms, constant) = self.terms(row.expression());
        if constant > 0 || terms.values().any(|&by| by > 0) {
            self.rows.push(row);
        }
    }

    /// The coefficients of an expression, in the order of the variables, and its constant.
    pub(super) fn terms(&self, expression: &Expression) -> (BTreeMap<Column, i64>, i64) {
        let terms = expression.linear_coefficients();
        let terms = terms.map(|(handle, by)| (self.by_handle[&handle], integer(by)));
        (terms.filter(|&(_, by)| by != 0).collect(), integer(expression.constant()))
    }

    /// The amount by which a constraint is violated. It is less than 0 if the constraint holds.
    pub(super) fn violation(&self, row: &Constraint, values: &Values) -> f64 {
        let expression = row.expression();
        let terms = expression.linear_coefficients();
        let terms = terms.map(|(handle, by)| by * values[self.by_handle[&handle]]);
        terms.sum::<f64>() + expression.constant()
    }

    /// The value of the objective at integral values.
    pub(super) fn value(&self, values: &Values) -> i64 {
        let costs = self.columns.iter().map(|(column, of)| float(of.cost) * values[column]);
        integer(costs.sum())
    }

    /// Σ cost · variable.
    pub(super) fn objective(&self) -> Expression {
        let costly = self.columns.values().filter(|variable| variable.cost != 0);
        costly.map(|variable| float(variable.cost) * variable.handle).sum()
    }

    /// The model for a solver, with further constraints.
    pub(super) fn model<S: Solver>(
        &self,
        domain: Domain,
        cuts: &[Constraint],
        solver: S,
    ) -> S::Model {
        let variables = match domain {
            Domain::Integral => &self.integral,
            Domain::Relaxed => &self.relaxed,
        };
        let model = variables.clone().minimise(self.objective()).using(solver);
        model.with_all(self.rows.iter().chain(cuts).cloned())
    }
}

/// An integer as a float, which represents it exactly: coefficients are far below 2^53.
#[allow(clippy::cast_precision_loss)]
pub(super) fn float(value: i64) -> f64 {
    value as f64
}

/// A coefficient as an integer.
#[allow(clippy::cast_possible_truncation)]
fn integer(value: f64) -> i64 {
    value.round() as i64
}
