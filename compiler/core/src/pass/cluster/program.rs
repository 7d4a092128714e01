//! Integer linear programs about which nodes are fused: what the formulations state, what the solver
//! relaxes, and what `--emit=ilp` prints.
//!
//! Invariant: every variable is at least 0 and at most [`Variable::most`]; every coefficient is an integer;
//! once the x are integral, the optimum has all variables integral.
//!
//! ```text
//! minimise 3 r[xs,a] + 3 r[xs,b], x[a,b] binary, r[xs,b] + (1 - x[a,b]) ≥ 1
//! ```

use std::collections::BTreeMap;
use std::ops::{Add, Sub};

use cranelift_entity::entity_impl;

use super::facts::ArrayId;
use super::pairs::{Pair, ordered};
use crate::ids::{NodeId, PrimaryMap, SecondaryMap};

/// A variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Column(u32);
entity_impl!(Column, "col");

/// What is known of a variable.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// What it says.
    pub(super) meaning: Meaning,
    /// Its coefficient in the objective.
    pub(super) cost: i64,
    /// Its upper bound.
    pub(super) most: i64,
}

/// What a variable says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// x[i,j], binary: 1 unless the two are fused.
    Fused(Pair),
    /// c[a]: 1 if the array is written though it is no output.
    Written(ArrayId),
    /// r[a,j]: 1 if the node starts a read of the array.
    Read(ArrayId, NodeId),
    /// π[i]: where the node's cluster is in the order (001, figure 1.11).
    Position(NodeId),
    /// c[i]: 1 if an array of the node is not fully contracted (001, figure 1.11).
    Contracted(NodeId),
}

/// Σ coefficient · variable + constant.
#[derive(Clone, Default, Debug)]
pub(super) struct Sum {
    /// The coefficients.
    pub(super) terms: BTreeMap<Column, i64>,
    /// The constant.
    pub(super) constant: i64,
}

/// The constraint that a sum is at least 0.
pub(super) type Row = Sum;

/// The program.
#[derive(Clone, Default)]
pub(super) struct Program {
    /// The variables.
    pub(super) columns: PrimaryMap<Column, Variable>,
    /// The constraints.
    pub(super) rows: Vec<Row>,
    /// x: the binary ones. Pairs between the same two groups have one variable.
    pub(super) fused: BTreeMap<Pair, Column>,
    /// The first of the nodes that each is together with in any case; none if it is that itself.
    groups: SecondaryMap<NodeId, Option<NodeId>>,
    /// The variables between groups.
    between: BTreeMap<Pair, Column>,
}

impl Program {
    /// Two nodes are together in any case; the first is the first of its group.
    pub(super) fn group(&mut self, first: NodeId, other: NodeId) {
        self.groups[other] = Some(first);
    }

    /// Whether the two are together in any case.
    pub(super) fn grouped(&self, i: NodeId, j: NodeId) -> bool {
        self.first_of(i) == self.first_of(j)
    }

    /// Whether the program says anything of a pair: it has a variable, or is together in any case.
    pub(super) fn knows(&self, i: NodeId, j: NodeId) -> bool {
        self.grouped(i, j) || self.fused.contains_key(&ordered(i, j))
    }

    /// x[i,j], for a pair that has none and is not together in any case.
    pub(super) fn add_pair(&mut self, (i, j): Pair) {
        let between = ordered(self.first_of(i), self.first_of(j));
        let column = match self.between.get(&between) {
            Some(&column) => column,
            None => self.add(Meaning::Fused((i, j)), 0, 1),
        };
        self.between.insert(between, column);
        self.fused.insert((i, j), column);
    }

    /// Those of the nodes, given in order, that are together in any case with others.
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
    pub(super) fn add(&mut self, meaning: Meaning, cost: i64, most: i64) -> Column {
        let column = self.columns.push(Variable { meaning, cost, most });
        if let Meaning::Fused(pair) = meaning {
            self.fused.insert(pair, column);
        }
        column
    }

    /// x[i,j]; 1 for a pair that has no variable, 0 for what is together in any case.
    pub(super) fn x(&self, i: NodeId, j: NodeId) -> Sum {
        match self.fused.get(&ordered(i, j)) {
            Some(&column) => column.into(),
            None => i64::from(!self.grouped(i, j)).into(),
        }
    }

    /// left ≤ right. What the bounds say already is not stated.
    pub(super) fn at_most(&mut self, left: Sum, right: Sum) {
        let row = right - left;
        if row.constant < 0 || row.terms.values().any(|&by| by < 0) {
            self.rows.push(row);
        }
    }
}

impl From<Column> for Sum {
    fn from(column: Column) -> Self {
        Self { terms: BTreeMap::from([(column, 1)]), constant: 0 }
    }
}

impl From<i64> for Sum {
    fn from(constant: i64) -> Self {
        Self { terms: BTreeMap::new(), constant }
    }
}

impl Sum {
    /// Adds a multiple of another sum.
    pub(super) fn add_times(mut self, factor: i64, other: &Self) -> Self {
        self.constant += factor * other.constant;
        for (&column, &coefficient) in &other.terms {
            *self.terms.entry(column).or_insert(0) += factor * coefficient;
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }
}

impl Add for Sum {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        self.add_times(1, &other)
    }
}

impl Sub for Sum {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.add_times(-1, &other)
    }
}
