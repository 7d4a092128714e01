//! Plans as JSON, which engines read.
//!
//! Invariant: deterministic; each value is an object with one field, whose name is the kind of the value: `var`,
//! `const`, `chunk`, and so on. The field `step` of a step is its kind.
//!
//! ```text
//! {"step": "pass", "slice": "normalize2__pass0", "arguments": [{"chunk": "xs"}], "results": [{"fold": "s"}], …}
//! ```

use std::fmt;

use super::{Arg, Block, Pass, PassResult, Plan, PlanLoopForm, PlanStep, Plans, Program};
use crate::cnf::Atom;
use arrc_syntax::ids::VarId;
use arrc_syntax::json::{Value as Json, json};
use arrc_syntax::prim::{Const, Scalar};

/// The plans of a program.
#[must_use]
pub fn json(plans: &Plans) -> Json {
    let [entries, functions] = [&plans.entries, &plans.functions]
        .map(|plans| Json::from_iter(plans.iter().map(Plan::json)));
    json!({"abi": arr_abi::function::VERSION, "entries": entries, "functions": functions})
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:#}", json(&self.plans))
    }
}

impl Plan {
    fn json(&self) -> Json {
        let inputs = self.params.iter().map(|&param| self.described(param));
        let values = self.values.keys().filter(|value| !self.params.contains(value));
        json!({
            "entry": self.entry.as_str(),
            "inputs": Json::from_iter(inputs),
            "values": Json::from_iter(values.map(|&value| self.described(value))),
            "steps": self.steps(&self.body),
            "results": self.results(&self.body),
            "outputs": self.outputs,
        })
    }

    fn described(&self, var: VarId) -> Json {
        let value = &self.values[&var];
        let elem = value.ty.scalars();
        json!({"name": value.name, "type": elem.name(), "rank": value.ty.rank(), "shape": value.shape})
    }

    fn steps(&self, block: &Block) -> Json {
        Json::from_iter(block.steps.iter().map(|step| self.step(step)))
    }

    fn results(&self, block: &Block) -> Json {
        self.atoms(&block.results)
    }

    fn step(&self, step: &PlanStep) -> Json {
        match step {
            PlanStep::Pass(pass) => self.pass(pass),
            PlanStep::Once { function, args, outs } => json!({
                "step": "once", "function": function.as_str(), "arguments": self.args(args),
                "whole": self.whole(args), "out": self.names(outs),
            }),
            PlanStep::Call { function, args, outs, ends } => json!({
                "step": "call", "function": function.as_str(), "arguments": self.atoms(args),
                "out": self.names(outs), "ends": self.names(ends),
            }),
            PlanStep::Element { array, indices, out } => json!({
                "step": "element", "array": self.name(*array), "indices": self.atoms(indices),
                "out": self.name(*out),
            }),
            PlanStep::Append { left, right, outs } => json!({
                "step": "append", "left": self.names(left), "right": self.names(right),
                "out": self.names(outs),
            }),
            PlanStep::If { cond, then, otherwise, outs } => json!({
                "step": "if", "condition": self.atom(*cond), "out": self.names(outs),
                "then": {"steps": self.steps(then), "results": self.results(then)},
                "else": {"steps": self.steps(otherwise), "results": self.results(otherwise)},
            }),
            PlanStep::Loop(of) => {
                let form = match &of.form {
                    PlanLoopForm::For { count, counter } => {
                        json!({"count": self.atom(*count), "counter": self.name(*counter)})
                    }
                    PlanLoopForm::While { params, cond } => json!({
                        "carried": self.names(params), "steps": self.steps(cond),
                        "results": self.results(cond),
                    }),
                };
                let kind =
                    if matches!(of.form, PlanLoopForm::For { .. }) { "for" } else { "while" };
                json!({
                    "step": "loop", kind: form, "carried": self.names(&of.params),
                    "first": self.atoms(&of.init), "steps": self.steps(&of.body),
                    "results": self.results(&of.body), "out": self.names(&of.outs),
                })
            }
        }
    }

    fn pass(&self, pass: &Pass) -> Json {
        let chunks = pass.args.iter().filter_map(|arg| Some(self.name(arg.chunk()?)));
        let values = pass.args.iter().filter_map(|arg| arg.value());
        let scalars = values.filter(|&var| !self.is_array(var)).map(|var| self.name(var));
        let folds = pass.folds.iter().map(|fold| {
            json!({
                "out": self.names(&fold.outs), "combine": fold.combine.as_str(),
                "env": self.args(&fold.env),
            })
        });
        let carries = pass
            .carries
            .iter()
            .map(|carry| json!({"first": self.atom(carry.init), "out": self.name(carry.out)}));
        let arrays = pass.outs.iter().filter_map(|out| Some(self.name(out.array()?)));
        json!({
            "step": "pass", "slice": pass.function.as_str(),
            "reads": Json::from_iter(chunks), "env": Json::from_iter(scalars),
            "whole": self.whole(&pass.args), "offset": pass.args.contains(&Arg::Offset),
            "count": pass.count.map(|count| self.atom(count)),
            "arguments": self.args(&pass.args), "results": self.outs(&pass.outs),
            "folds": Json::from_iter(folds), "carries": Json::from_iter(carries),
            "arrays": Json::from_iter(arrays),
        })
    }

    fn args(&self, args: &[Arg]) -> Json {
        Json::from_iter(args.iter().map(|arg| match *arg {
            Arg::Chunk(array) => json!({"chunk": self.name(array)}),
            Arg::Value(var) => json!({"var": self.name(var)}),
            Arg::Extent(array, dim) => json!({"extent": [self.name(array), dim]}),
            Arg::Total => json!({"total": true}),
            Arg::Offset => json!({"offset": true}),
            Arg::Count => json!({"count": true}),
            Arg::Carry(carry) => json!({"carry": carry}),
        }))
    }

    fn outs(&self, outs: &[PassResult]) -> Json {
        Json::from_iter(outs.iter().map(|out| match *out {
            PassResult::Array(array) => json!({"array": self.name(array)}),
            PassResult::Fold(var) => json!({"fold": self.name(var)}),
            PassResult::Length(array) => json!({"length": self.name(array)}),
            PassResult::Carry(carry) => json!({"carry": carry}),
        }))
    }

    /// The arrays that a function needs whole.
    fn whole(&self, args: &[Arg]) -> Json {
        let values = args.iter().filter_map(|arg| arg.value());
        Json::from_iter(values.filter(|&var| self.is_array(var)).map(|var| self.name(var)))
    }

    fn is_array(&self, var: VarId) -> bool {
        self.values.get(&var).is_some_and(|value| value.ty.is_array())
    }

    fn atoms(&self, atoms: &[Atom]) -> Json {
        Json::from_iter(atoms.iter().map(|&atom| self.atom(atom)))
    }

    fn atom(&self, atom: Atom) -> Json {
        match atom {
            Atom::Var(var) => json!({"var": self.name(var)}),
            Atom::Const(value) => json!({"const": constant(value), "type": value.ty.name()}),
        }
    }

    fn names(&self, vars: &[VarId]) -> Json {
        Json::from_iter(vars.iter().map(|&var| self.name(var)))
    }

    fn name(&self, var: VarId) -> String {
        self.values.get(&var).map_or_else(|| var.to_string(), |value| value.name.clone())
    }
}

/// A number or a truth value; a text for a float that JSON does not have.
fn constant(value: Const) -> Json {
    if value.ty.is_float() {
        let float = value.as_f64();
        return if float.is_finite() { json!(float) } else { json!(float.to_string()) };
    }
    let integer = value.as_i128();
    if value.ty == Scalar::Bool {
        return json!(integer != 0);
    }
    i64::try_from(integer).map_or_else(
        |_| json!(u64::try_from(integer).expect("no integer is wider than 64 bits")),
        |integer| json!(integer),
    )
}
