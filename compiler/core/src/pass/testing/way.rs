//! The way of hand-built functions from combinator normal form to concrete loop nests.
//!
//! Invariant: every form on the way verifies, and the loop nests do what the function means.

use crate::eval;
use crate::eval::cnf::Value;
use crate::eval::error::RunError;
use crate::ids::{EntityRef, FuncId, NodeId};
use crate::ir::clusters::{Clustered, Clusters, Method, Proof, Report, Strategy};
use crate::ir::cnf::{self, Block, Function};
use crate::ir::graph::Graph;
use crate::ir::procedure::concrete::Plain;
use crate::ir::procedure::{self, concrete};
use crate::ir::process;
use crate::ir::tables::Tables;
use crate::pass::simplify::Runs;
use crate::pass::{cluster, fuse, lifetimes, rate, schedule, split};
use crate::prim::{Const, Scalar};

/// Every form of one function.
pub(crate) struct Forms {
    /// The function as it was built.
    source: cnf::Program,
    /// The processes of the function's block.
    pub(crate) process: String,
    /// The whole program, concrete, with lifetimes.
    pub(crate) program: concrete::Program,
    /// The function's block, of processes.
    pub(crate) processes: process::Block,
    /// The function's block, of abstract procedures.
    pub(crate) procedures: procedure::Block,
}

/// The way of a function whose block is clustered by the names of nodes: each node that is not named
/// is by itself, in its place; so are those of the blocks inside it.
pub(crate) fn forms(function: Function, clusters: &[&[&str]]) -> Forms {
    let name = function.name.to_string();
    let choose = |graph: &Graph| {
        if graph.name == name { by_name(graph, clusters) } else { by_name(graph, &[]) }
    };
    forms_with(function, &choose)
}

/// The way of a function whose blocks are clustered by a strategy.
pub(crate) fn forms_by(function: Function, strategy: Strategy) -> Forms {
    forms_with(function, &|graph| cluster::cluster(graph, Method { strategy, ..Method::default() }))
}

fn forms_with(function: Function, choose: &dyn Fn(&Graph) -> Clusters) -> Forms {
    let source = cnf::Program {
        functions: [function.clone()].into_iter().collect(),
        entries: vec![],
        ..Default::default()
    };
    let Function { name, span, params, owned, body, results, mut tables, recursive } = function;
    let mut way = Way { choose, processes: Vec::new(), procedures: Vec::new() };
    let body = way.block(name.to_string(), body, &mut tables);
    let Way { mut processes, mut procedures, .. } = way;
    let function =
        concrete::Function { name, span, params, owned, body, results, tables, recursive };
    let functions = [function].into_iter().collect();
    let program = concrete::Program { functions, ..Default::default() };
    sound(program.verify());
    let program = lifetimes::lifetimes(split::split(program));
    sound(program.verify());
    let (processes, procedures) = (processes.swap_remove(0), procedures.swap_remove(0));
    let process = processes.to_string();
    Forms { source, process, program, processes, procedures }
}

/// An argument that is an array.
pub(crate) fn ints(elems: &[i64]) -> Value {
    Value::array(Scalar::I64, elems.iter().map(|&elem| Const::i64(elem)).collect::<Vec<_>>())
}

impl Forms {
    /// What the loop nests give, which must be what the function means.
    pub(crate) fn run(&self, args: &[Value]) -> Result<Vec<Value>, RunError> {
        let main = FuncId::new(0);
        let meant = eval::cnf::run(&self.source, main, args.to_vec());
        let found = eval::concrete::run(&self.program, main, args.to_vec());
        assert_eq!(found, meant, "the loop nests do what the function means");
        found
    }

    /// That on arrays of these elements nothing fails.
    pub(crate) fn runs(&self, args: &[&[i64]]) -> Vec<Value> {
        let args = args.iter().map(|elems| ints(elems)).collect::<Vec<_>>();
        self.run(&args).expect("the function does not fail")
    }
}

fn sound(verified: Result<(), String>) {
    if let Err(what) = verified {
        panic!("the form is not sound: {what}");
    }
}

/// The way of one function's blocks, outer ones first.
struct Way<'a> {
    choose: &'a dyn Fn(&Graph) -> Clusters,
    processes: Vec<process::Block>,
    procedures: Vec<procedure::Block>,
}

impl Way<'_> {
    fn block(&mut self, name: String, block: Block, tables: &mut Tables) -> concrete::Block<Plain> {
        let graph = rate::rate(name, block, tables);
        sound(graph.verify());
        let clusters = (self.choose)(&graph);
        let clustered = Clustered { graph, clusters };
        let process = fuse::fuse(clustered, std::mem::take(tables));
        sound(process.verify());
        self.processes.push(process.clone());
        let procedure = schedule::schedule(process);
        sound(procedure.verify());
        self.procedures.push(procedure.clone());
        let mut nested =
            |name, block, _: Runs, tables: &mut Tables| self.block(name, block, tables);
        let (block, scheduled) = schedule::concretise(procedure, Runs::Once, &mut nested);
        *tables = scheduled;
        block
    }
}

fn by_name(graph: &Graph, clusters: &[&[&str]]) -> Clusters {
    let mut left = graph.nodes.keys().collect::<Vec<_>>();
    let mut parts = Vec::new();
    for names in clusters {
        let is_in = |node: &NodeId| names.contains(&graph.nodes[*node].name.as_str());
        let part = left.iter().copied().filter(is_in).collect::<Vec<_>>();
        assert_eq!(part.len(), names.len(), "each name is that of a node: {names:?}");
        left.retain(|node| !part.contains(node));
        parts.push(part);
    }
    parts.extend(left.into_iter().map(|node| vec![node]));
    order(graph, &mut parts);
    let strategy = Strategy::None;
    let report = Report {
        method: Method { strategy, ..Method::default() },
        proof: Proof::None,
        reads: 0,
        writes: 0,
        intermediates: 0,
        traffic: 0,
        objective: None,
    };
    Clusters { clusters: parts.into_iter().collect(), report }
}

/// Sorts parts so that each comes after those that it depends on.
fn order(graph: &Graph, parts: &mut Vec<Vec<NodeId>>) {
    parts.sort();
    let mut waiting = std::mem::take(parts);
    while !waiting.is_empty() {
        let is_ready = |part: &Vec<NodeId>| {
            graph.edges.iter().all(|edge| {
                !part.contains(&edge.to)
                    || part.contains(&edge.from)
                    || parts.iter().any(|done| done.contains(&edge.from))
            })
        };
        let next = waiting.iter().position(is_ready).expect("clusters of a test have an order");
        let part = waiting.remove(next);
        parts.push(part);
    }
}
