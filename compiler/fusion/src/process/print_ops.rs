//! Bindings and workers of combinator normal form as they print inside processes and procedures: on
//! one line.
//!
//! Invariant: a worker that only applies one operation to its parameters prints as a section.
//!
//! ```text
//! \x -> { t = x * x; y = t + c; y }      (> 0i64)      i64.max
//! ```

use super::text::VarNames;
use crate::cnf::print::scalar;
use crate::cnf::{Atom, Bind, Block, Callee, LoopForm, Op, Usage, Visit, Worker};
use arrc_syntax::ids::VarId;
use arrc_syntax::prim::BinOp;

/// A worker as an argument: `(+ 1i64)`, `i64.max`, `(\x y -> …)`.
pub fn worker(names: &mut VarNames<'_>, worker: &Worker) -> String {
    if let [Bind { vars, op, .. }] = &worker.body.binds[..]
        && let Some((op, args)) = op.binary()
        && worker.body.results == [Atom::Var(vars[0])]
        && let Some(section) = section(names, &worker.params, op, args)
    {
        return section;
    }
    names.scope(|names| {
        let params = names.vars(&worker.params);
        let body = match (&worker.body.binds[..], &worker.body.results[..]) {
            ([], [result]) => names.atom(*result),
            ([], results) => names.tuple(results),
            (..) => block(names, &worker.body),
        };
        format!("(\\{params} -> {body})")
    })
}

/// An operation on parameters as a section, if it is one.
pub fn section(
    names: &mut VarNames<'_>,
    params: &[VarId],
    op: BinOp,
    args: [Atom; 2],
) -> Option<String> {
    let name = scalar::binary(op, &names.type_of(args[0]));
    let is_param = |atom: Atom| params.iter().any(|&param| atom == Atom::Var(param));
    match (params, args) {
        (&[x, y], [left, right]) if [left, right] == [Atom::Var(x), Atom::Var(y)] => {
            Some(if op.is_infix() { format!("({name})") } else { name })
        }
        (&[x], [left, right]) if left == Atom::Var(x) && !is_param(right) && op.is_infix() => {
            Some(format!("({name} {})", names.atom(right)))
        }
        (&[x], [left, right]) if right == Atom::Var(x) && !is_param(left) => {
            let left = names.atom(left);
            Some(if op.is_infix() {
                format!("({left} {name})")
            } else {
                format!("({name} {left})")
            })
        }
        _ => None,
    }
}

/// `{ x = a + b; x }`.
pub fn block(names: &mut VarNames<'_>, block: &Block) -> String {
    names.scope(|names| {
        let mut parts = Vec::new();
        for each in &block.binds {
            parts.push(bind(names, each));
        }
        parts.push(match &block.results[..] {
            [result] => names.atom(*result),
            results => names.tuple(results),
        });
        format!("{{ {} }}", parts.join("; "))
    })
}

/// `x = a + b`.
pub fn bind(names: &mut VarNames<'_>, bind: &Bind) -> String {
    let op = op(names, &bind.op);
    format!("{} = {op}", names.vars(&bind.vars))
}

/// `xs[i, j]`.
pub fn index(names: &mut VarNames<'_>, array: VarId, indices: &[Atom]) -> String {
    let array = names.var(array);
    format!("{array}[{}]", names.atoms(indices, ", "))
}

/// `reshape (n, m) xs`.
pub fn reshape(names: &mut VarNames<'_>, array: VarId, shape: &[Atom]) -> String {
    let shape = names.tuple(shape);
    format!("reshape {shape} {}", names.var(array))
}

/// `length xs`, or the length of an inner dimension.
pub fn length(names: &mut VarNames<'_>, array: VarId, dim: usize) -> String {
    let array = names.var(array);
    if dim == 0 { format!("length {array}") } else { format!("length.{dim} {array}") }
}

/// `xs with [i] = x`.
pub fn replace(
    names: &mut VarNames<'_>,
    (array, indices): (VarId, &[Atom]),
    value: Atom,
    word: &str,
) -> String {
    let array = names.var(array);
    format!("{array} with{word} [{}] = {}", names.atoms(indices, ", "), names.atom(value))
}

/// The initial values of a fold or a loop.
pub fn init(names: &mut VarNames<'_>, init: &[Atom]) -> String {
    match init {
        [one] => names.atom(*one),
        several => names.tuple(several),
    }
}

/// The operands of a combinator behind its name: atoms print as initial values, and arrays that are needed whole in
/// parentheses.
struct Operands<'n, 'v> {
    names: &'n mut VarNames<'v>,
    text: String,
    /// Successive atoms that have not been printed yet.
    atoms: Vec<Atom>,
    /// Successive arrays that are needed whole and have not been printed yet.
    whole: Vec<VarId>,
}

impl Operands<'_, '_> {
    fn finish(&mut self) {
        if !self.atoms.is_empty() {
            self.text += &format!(" {}", init(self.names, &std::mem::take(&mut self.atoms)));
        }
        if !self.whole.is_empty() {
            self.text += &format!(" ({})", self.names.vars(&std::mem::take(&mut self.whole)));
        }
    }
}

impl Visit<'_> for Operands<'_, '_> {
    fn atom(&mut self, atom: &Atom) {
        self.atoms.push(*atom);
    }

    fn array(&mut self, array: &VarId, usage: Usage) {
        if usage == Usage::Stream {
            self.finish();
            self.text += &format!(" {}", self.names.var(*array));
        } else {
            self.whole.push(*array);
        }
    }

    fn worker(&mut self, of: &Worker) {
        self.finish();
        self.text += &format!(" {}", worker(self.names, of));
    }
}

fn op(names: &mut VarNames<'_>, op: &Op) -> String {
    #[allow(clippy::wildcard_enum_match_arm, reason = "the others are combinators")]
    match op {
        Op::Scalar(operation) => names.scalar(*operation),
        Op::Index { array, indices, inside: _ } => index(names, *array, indices),
        Op::Length { array, dim } => length(names, *array, *dim),
        Op::Assert(check) => check.show(|atom| names.atom(atom)),
        Op::If { cond, then, otherwise } => {
            let cond = names.atom(*cond);
            let [then, otherwise] = [then, otherwise].map(|branch| block(names, branch));
            format!("if {cond} then {then} else {otherwise}")
        }
        Op::Filter { worker: p, inputs, keep } => {
            let p = worker(names, p);
            format!("filter {p} {} keeping {}", names.vars(inputs), names.vars(keep))
        }
        Op::Cross { left, right } => {
            format!("cross ({}) ({})", names.vars(left), names.vars(right))
        }
        Op::Call { callee, args, .. } => {
            let name = match callee {
                Callee::Function(function) => function.to_string(),
                Callee::External(external) => external.to_string(),
            };
            format!("{name} {}", names.atoms(args, " "))
        }
        Op::Append { left, right } => {
            format!("({}) ++ ({})", names.vars(left), names.vars(right))
        }
        Op::Array { elems, .. } => format!("[{}]", names.atoms(elems, ", ")),
        Op::Constant { data, .. } => names.data(data),
        Op::Reshape { array, shape } => reshape(names, *array, shape),
        Op::Loop { form, init: from, worker: step } => {
            let form = match form {
                LoopForm::For { count } => format!("for {}", names.atom(*count)),
                LoopForm::While { cond } => format!("while {}", worker(names, cond)),
            };
            let from = init(names, from);
            format!("loop {from} {form} do {}", worker(names, step))
        }
        Op::Replace { array, indices, value, inside } => {
            let word = if *inside { " inside" } else { "" };
            replace(names, (*array, indices), *value, word)
        }
        combinator => {
            let text = combinator.name().to_owned();
            let mut inside = Operands { names, text, atoms: Vec::new(), whole: Vec::new() };
            combinator.visit(&mut inside);
            inside.finish();
            inside.text
        }
    }
}
