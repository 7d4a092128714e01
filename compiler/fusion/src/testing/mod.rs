//! Helpers that the tests of passes share: functions from text or at random, and the passes up to processes.
//!
//! Invariant: every form that a test gets from here verifies, except the program of a coerced graph.
//!
//! ```text
//! def f … = let ys = map … xs in ys   ⇒   the process of `f`
//! ```

mod random;

pub use random::function;

use crate::clusters::{Clustered, Method};
use crate::cnf;
use crate::cnf::Function;
use crate::eval::cnf::Value;
use crate::tables::Tables;
use crate::{cluster, fuse, rate};
pub use crate::{graph, process};
use arrc_syntax::ids::{EntityRef, FuncId};
use arrc_syntax::prim::{Const, Scalar};

/// A program in combinator normal form.
pub fn program(text: &str) -> cnf::Program {
    let program = read(text);
    sound(cnf::verify(&program), text);
    program
}

fn read(text: &str) -> cnf::Program {
    cnf::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The graph of the body of the first function, and its tables.
pub fn graph(text: &str) -> (graph::Graph, Tables) {
    rated(&program(text), text)
}

/// Whether the long suite runs, which tries more.
pub fn is_night() -> bool {
    std::env::var_os("ARR_TESTS").is_some_and(|tests| tests == "all")
}

/// The graph of the body of the first function, whose arrays may have other sizes than its combinators require.
pub fn coerced(text: &str) -> graph::Graph {
    rated(&read(text), text).0
}

fn rated(program: &cnf::Program, text: &str) -> (graph::Graph, Tables) {
    let Function { name, body, tables, .. } = program.functions[FuncId::new(0)].clone();
    let graph = rate::rate(name.to_string(), body, &tables);
    sound(graph.verify(), text);
    (graph, tables)
}

/// The processes of the first function.
pub fn processes(text: &str) -> process::Block {
    let (graph, tables) = graph(text);
    let clusters = cluster::cluster(&graph, Method::default());
    let processes = fuse::fuse(Clustered { graph, clusters }, tables);
    sound(processes.verify(), text);
    processes
}

/// An argument that is an array.
pub fn ints(elems: &[i64]) -> Value {
    Value::array(Scalar::I64, elems.iter().map(|&elem| Const::i64(elem)).collect::<Vec<_>>())
}

fn sound(verified: Result<(), String>, text: &str) {
    if let Err(what) = verified {
        panic!("the form is not sound: {what}\n{text}");
    }
}
