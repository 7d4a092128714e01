//! Combinator normal form as Arr text.
//!
//! Invariant: the text contains everything about a function, so that [`super::parse`] reads it back: different
//! variables have different names, and types that do not follow from the operations are written ([`annotate`]). The
//! text is Arr, with these exceptions: an operation may bind several arrays at once without `unzip`, `zip` may take
//! more arrays than the prelude's, and a few operations, such as `reshape` and `assert`, have a syntax of their own.
//!
//! ```text
//! def f [n] (xs: [n]i64): ?[k].([k]i64, i64) =
//!   let ys = filter (\x -> x > 0i64) xs
//!   let s = reduce (\acc x -> acc + x) 0i64 ys
//!   in (ys, s)
//! ```

mod annotate;
mod names;
pub(crate) mod print_extent;
pub mod scalar;

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use self::scalar::argument;
use crate::cnf::{
    Atom, Bind, Block, Callee, Component, Extent, External, Function, LoopForm, Op, Operation,
    Program, SizeDef, Type, Worker,
};
use arrc_syntax::ids::{FuncId, SecondaryMap, SizeId, VarId};

/// The program as Arr text: the functions in order, the entries with their comments.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for external in self.externals.values() {
            writeln!(f, "{external}\n")?;
        }
        for (id, function) in self.functions.iter() {
            if id != self.functions.keys().next().unwrap_or(id) {
                f.write_char('\n')?;
            }
            let entry = self.entries.iter().find(|entry| entry.function == id);
            let doc = entry.and_then(|entry| entry.doc.as_deref()).unwrap_or_default();
            for (number, line) in doc.lines().enumerate() {
                writeln!(f, "--{} {line}", if number == 0 { " |" } else { "" })?;
            }
            let keyword = if entry.is_some() { "entry" } else { "def" };
            Printer::new(self, function).function(f, id, keyword)?;
        }
        Ok(())
    }
}

/// The declaration on one line. Each dimension has a size of its own.
impl fmt::Display for External {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ty = |of: &Component| format!("{}{}", "[]".repeat(of.rank), of.elem);
        let inputs = self.inputs.iter().map(|of| format!(" ({}: {})", of.name, ty(of)));
        let effect = if self.effect.is_some() { "#[effect(io)]\n" } else { "" };
        let outputs = tuple(self.outputs.iter().map(ty).collect());
        let trace = self.trace.iter().map(|described| format!(" \"{described}\""));
        let (trace, inputs) = (trace.collect::<String>(), inputs.collect::<String>());
        write!(f, "{effect}external {}{trace}{inputs}: {outputs}", self.name)
    }
}

impl Program {
    /// One function as Arr text.
    #[must_use]
    pub fn show_function(&self, id: FuncId) -> String {
        let mut text = String::new();
        Printer::new(self, &self.functions[id])
            .function(&mut text, id, "def")
            .expect("writing to a string does not fail");
        text
    }
}

struct Printer<'a> {
    program: &'a Program,
    function: &'a Function,
    functions: SecondaryMap<FuncId, String>,
    vars: SecondaryMap<VarId, String>,
    sizes: SecondaryMap<SizeId, String>,
    /// The variables whose types are written where they are bound.
    annotated: BTreeSet<VarId>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Self {
        let functions = names::functions(program);
        let mut taken: BTreeSet<String> = functions.values().cloned().collect();
        taken.extend(program.externals.values().map(|external| external.name.to_string()));
        let vars = names::unique(&function.tables.vars, |var| var.name.as_str(), &mut taken);
        let sizes = names::unique(&function.tables.sizes, |size| size.name.as_str(), &mut taken);
        let annotated = annotate::annotated(program, function);
        let mut printer = Self { program, function, functions, vars, sizes, annotated };
        for (id, size) in function.tables.sizes.iter() {
            if let SizeDef::Value(var) = size.def {
                printer.sizes[id] = printer.vars[var].clone();
            }
        }
        printer
    }

    fn function(&self, f: &mut impl Write, id: FuncId, keyword: &str) -> fmt::Result {
        write!(f, "{keyword} {}", self.functions[id])?;
        let params = &self.function.params;
        let mut declared = Vec::new();
        for &param in params {
            self.declare(&self.function.tables.vars[param].ty, &mut declared);
        }
        for size in &declared {
            write!(f, " [{}]", self.sizes[*size])?;
        }
        for &param in params {
            let ty = self.ty(&self.function.tables.vars[param].ty);
            let mark = if self.function.owned.contains(&param) { "*" } else { "" };
            write!(f, " ({}: {mark}{ty})", self.vars[param])?;
        }
        writeln!(f, ": {} =", self.result_type(&declared))?;
        self.block(f, &self.function.body, 1)?;
        writeln!(f)
    }

    /// Declares the size parameters that the type of a parameter needs.
    fn declare(&self, ty: &Type, declared: &mut Vec<SizeId>) {
        let Type::Array { shape, .. } = ty else { return };
        for &dim in shape {
            self.declare_extent(dim, declared);
        }
    }

    fn declare_extent(&self, extent: Extent, declared: &mut Vec<SizeId>) {
        let Extent::Size(size) = extent else { return };
        match self.function.tables.sizes[size].def {
            ref def @ (SizeDef::Sum(..) | SizeDef::Product(..)) => {
                def.parts().for_each(|part| self.declare_extent(part, declared));
            }
            SizeDef::Value(var) if self.function.params.contains(&var) => {}
            SizeDef::Param | SizeDef::Exists | SizeDef::Value(_) => {
                if !declared.contains(&size) {
                    declared.push(size);
                }
            }
        }
    }

    /// The result type. Sizes that are not the parameters' are existential: `?[k]`.
    fn result_type(&self, declared: &[SizeId]) -> String {
        let mut mentioned = Vec::new();
        for ty in &self.function.results {
            self.declare(ty, &mut mentioned);
        }
        let new: String = mentioned
            .iter()
            .filter(|size| !declared.contains(size))
            .map(|&size| format!("[{}]", self.sizes[size]))
            .collect();
        let types: Vec<_> = self.function.results.iter().map(|ty| self.ty(ty)).collect();
        let ty = tuple(types);
        if new.is_empty() { ty } else { format!("?{new}.{ty}") }
    }

    fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => scalar.to_string(),
            Type::Array { elem, shape } => {
                let dims: String =
                    shape.iter().map(|&dim| format!("[{}]", self.extent(dim))).collect();
                format!("{dims}{elem}")
            }
        }
    }

    fn extent(&self, extent: Extent) -> String {
        print_extent::show(&self.function.tables.sizes, extent, &|size| self.sizes[size].clone())
    }

    /// A block as an expression, each line indented.
    fn block(&self, f: &mut impl Write, block: &Block, indent: usize) -> fmt::Result {
        let margin = "  ".repeat(indent);
        for bind in &block.binds {
            write!(f, "{margin}let {} = ", self.pattern(&bind.vars))?;
            self.bind(f, bind, indent)?;
            writeln!(f)?;
        }
        let keyword = if block.binds.is_empty() { "" } else { "in " };
        write!(f, "{margin}{keyword}{}", self.atoms(&block.results))
    }

    fn bind(&self, f: &mut impl Write, bind: &Bind, indent: usize) -> fmt::Result {
        match &bind.op {
            Op::Scalar(operation) => f.write_str(&self.scalar(*operation)),
            Op::Index { array, indices, inside } => {
                let mark = if *inside { "inside " } else { "" };
                write!(f, "{mark}{}[{}]", self.vars[*array], list(self.each(indices)))
            }
            Op::Length { array, dim } => {
                // The length of a row, even if the array has no row.
                let heads = "(head ".repeat(*dim);
                write!(f, "length {heads}{}{}", self.vars[*array], ")".repeat(*dim))
            }
            Op::Assert(check) => f.write_str(&check.show(|atom| self.atom(atom))),
            Op::If { cond, then, otherwise } => {
                let margin = "  ".repeat(indent + 1);
                writeln!(f, "if {} then", self.atom(*cond))?;
                self.block(f, then, indent + 2)?;
                write!(f, "\n{margin}else\n")?;
                self.block(f, otherwise, indent + 2)
            }
            Op::Map { worker, inputs } | Op::FlatMap { worker, inputs } => {
                let count =
                    if inputs.len() == 1 { String::new() } else { inputs.len().to_string() };
                self.unzipped(f, bind.vars.len(), |f| {
                    write!(f, "{}{count} ", bind.op.name())?;
                    self.worker(f, worker, false, indent)?;
                    self.arrays(f, inputs)
                })
            }
            Op::Filter { worker, inputs, keep } => {
                self.filter(f, bind, (worker, inputs, keep), indent)
            }
            Op::Fold { order, worker, init, inputs } => {
                write!(f, "{} ", order.name())?;
                self.fold_worker(f, worker, init.len(), indent)?;
                write!(f, " {} {}", argument(self.atoms(init)), self.zipped(inputs))
            }
            Op::Scan { prefix, worker, init, inputs } => self.unzipped(f, bind.vars.len(), |f| {
                write!(f, "{} ", prefix.name())?;
                self.fold_worker(f, worker, init.len(), indent)?;
                write!(f, " {} {}", argument(self.atoms(init)), self.zipped(inputs))
            }),
            Op::Generate { size, worker } => self.unzipped(f, bind.vars.len(), |f| {
                write!(f, "generate {} ", argument(self.atom(*size)))?;
                self.worker(f, worker, false, indent)
            }),
            Op::Gather { data, indices } => self.unzipped(f, bind.vars.len(), |f| {
                write!(f, "gather {} {}", self.zipped(data), self.vars[*indices])
            }),
            Op::Cross { left, right } => {
                write!(f, "unzip (cross {} {})", self.zipped(left), self.zipped(right))
            }
            Op::Call { callee, args, .. } => self.call(f, *callee, args),
            Op::Append { left, right } => {
                let pairs = left.iter().zip(right);
                let sums: Vec<_> = pairs
                    .map(|(&left, &right)| format!("{} ++ {}", self.vars[left], self.vars[right]))
                    .collect();
                f.write_str(&tuple(sums))
            }
            Op::Array { elem, elems } if elems.is_empty() => write!(f, "([]: [0]{elem})"),
            Op::Array { elems, .. } => {
                // A literal of constants would be read back as constant data. The word `array` says that this array
                // is made at run time.
                let made = elems.iter().all(|elem| matches!(elem, Atom::Const(_)));
                let word = if made { "array " } else { "" };
                write!(f, "{word}[{}]", list(self.each(elems)))
            }
            Op::Constant { shape, data } => {
                let values: Vec<String> = data.values().map(|value| value.to_string()).collect();
                f.write_str(&nested(&values, shape))
            }
            Op::Reshape { array, shape } => {
                write!(f, "reshape {} [{}]", self.vars[*array], list(self.each(shape)))
            }
            Op::Sort { sorting, array, window: [from, to] } => {
                let [from, to] = [from, to].map(|&at| argument(self.atom(at)));
                write!(f, "{} {} {from} {to}", sorting.name(), self.vars[*array])
            }
            Op::Loop { form, init, worker } => self.print_loop(f, (form, init, worker), indent),
            Op::Replace { array, indices, value, inside } => write!(
                f,
                "{} with{} [{}] = {}",
                self.vars[*array],
                if *inside { " inside" } else { "" },
                list(self.each(indices)),
                self.atom(*value)
            ),
        }
    }

    fn call(&self, f: &mut impl Write, callee: Callee, args: &[Atom]) -> fmt::Result {
        f.write_str(match callee {
            Callee::Function(id) => &self.functions[id],
            Callee::External(id) => &self.program.externals[id].name,
        })?;
        for &arg in args {
            write!(f, " {}", argument(self.atom(arg)))?;
        }
        Ok(())
    }

    /// `loop p = init for i < n do …`.
    fn print_loop(
        &self,
        f: &mut impl Write,
        (form, init, worker): (&LoopForm, &[Atom], &Worker),
        indent: usize,
    ) -> fmt::Result {
        let (carried, counter) = worker.params.split_at(init.len());
        write!(f, "loop {} = {} ", self.pattern(carried), self.atoms(init))?;
        match form {
            LoopForm::For { count } => {
                let counter = self.vars[counter[0]].as_str();
                writeln!(f, "for {counter} < {} do", self.atom(*count))?;
            }
            LoopForm::While { cond } => {
                f.write_str("while ")?;
                self.lambda(f, &self.group(&cond.params), &cond.body, indent)?;
                let carried = carried.iter().map(|&var| self.vars[var].clone()).collect();
                writeln!(f, " {} do", tuple(carried))?;
            }
        }
        self.block(f, &worker.body, indent + 2)
    }

    /// `filter` of the kept arrays. If the predicate takes other arrays as well, `keeping` comes before the kept
    /// ones.
    fn filter(
        &self,
        f: &mut impl Write,
        bind: &Bind,
        (worker, inputs, keep): (&Worker, &[VarId], &[VarId]),
        indent: usize,
    ) -> fmt::Result {
        let once = |arrays: &[VarId]| arrays.iter().collect::<BTreeSet<_>>().len() == arrays.len();
        let unkept =
            inputs.iter().any(|input| !keep.contains(input)) || !once(inputs) || !once(keep);
        let params: Vec<String> = keep
            .iter()
            .map(|kept| match inputs.iter().position(|input| input == kept) {
                Some(place) => self.binder(worker.params[place]),
                None => "_".into(),
            })
            .collect();
        self.unzipped(f, bind.vars.len(), |f| {
            f.write_str("filter ")?;
            if unkept {
                // The predicate takes an array that is not kept, or one array twice. No single expression of Arr does
                // that.
                self.worker(f, worker, inputs.len() > 1, indent)?;
                return write!(f, " {} keeping {}", self.zipped(inputs), self.zipped(keep));
            }
            self.lambda(f, &grouped(params), &worker.body, indent)?;
            write!(f, " {}", self.zipped(keep))
        })
    }

    fn fold_worker(
        &self,
        f: &mut impl Write,
        worker: &Worker,
        accs: usize,
        indent: usize,
    ) -> fmt::Result {
        let (accs, elems) = worker.params.split_at(accs);
        let params = format!("{} {}", self.group(accs), self.group(elems));
        self.lambda(f, &params, &worker.body, indent)
    }

    fn worker(
        &self,
        f: &mut impl Write,
        worker: &Worker,
        tupled: bool,
        indent: usize,
    ) -> fmt::Result {
        if tupled {
            return self.lambda(f, &self.group(&worker.params), &worker.body, indent);
        }
        let params = worker.params.iter().map(|&param| self.group(&[param]));
        self.lambda(f, &params.collect::<Vec<_>>().join(" "), &worker.body, indent)
    }

    /// A lambda, on one line if its body is one expression.
    fn lambda(&self, f: &mut impl Write, params: &str, body: &Block, indent: usize) -> fmt::Result {
        if let Some(text) = self.one_line(body) {
            return write!(f, "(\\{params} -> {text})");
        }
        writeln!(f, "(\\{params} ->")?;
        self.block(f, body, indent + 2)?;
        f.write_char(')')
    }

    fn one_line(&self, body: &Block) -> Option<String> {
        match &body.binds[..] {
            [] => Some(self.atoms(&body.results)),
            [Bind { vars, op, .. }]
                if op.gives_scalar() && body.results == [Atom::Var(vars[0])] =>
            {
                let mut text = String::new();
                self.bind(&mut text, &body.binds[0], 0).expect("writing to a string does not fail");
                Some(text)
            }
            _ => None,
        }
    }

    /// An operation that binds several arrays. In Arr its value is one array of tuples, so it is unzipped.
    fn unzipped<W: Write>(
        &self,
        f: &mut W,
        results: usize,
        op: impl FnOnce(&mut W) -> fmt::Result,
    ) -> fmt::Result {
        if results == 1 {
            return op(f);
        }
        let count = if results == 2 { String::new() } else { results.to_string() };
        write!(f, "unzip{count} (")?;
        op(f)?;
        f.write_char(')')
    }

    fn zipped(&self, arrays: &[VarId]) -> String {
        match arrays {
            [array] => self.vars[*array].clone(),
            arrays => {
                let count =
                    if arrays.len() == 2 { String::new() } else { arrays.len().to_string() };
                let names: Vec<_> = arrays.iter().map(|&array| self.vars[array].as_str()).collect();
                format!("(zip{count} {})", names.join(" "))
            }
        }
    }

    fn arrays(&self, f: &mut impl Write, arrays: &[VarId]) -> fmt::Result {
        arrays.iter().try_for_each(|&array| write!(f, " {}", self.vars[array]))
    }

    /// An operation on scalars.
    fn scalar(&self, operation: Operation) -> String {
        scalar::show(operation, |atom| (self.function.type_of(atom), self.atom(atom)))
    }

    fn pattern(&self, vars: &[VarId]) -> String {
        tuple(vars.iter().map(|&var| self.binder(var)).collect())
    }

    /// The variables as one parameter pattern.
    fn group(&self, vars: &[VarId]) -> String {
        grouped(vars.iter().map(|&var| self.binder(var)).collect())
    }

    /// A variable at its binding.
    fn binder(&self, var: VarId) -> String {
        let name = &self.vars[var];
        if !self.annotated.contains(&var) {
            return name.clone();
        }
        format!("{name}: {}", self.ty(&self.function.tables.vars[var].ty))
    }

    fn atoms(&self, atoms: &[Atom]) -> String {
        tuple(self.each(atoms))
    }

    fn each(&self, atoms: &[Atom]) -> Vec<String> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    fn atom(&self, atom: Atom) -> String {
        match atom {
            Atom::Const(value) => value.to_string(),
            Atom::Var(var) => self.vars[var].clone(),
        }
    }
}

fn tuple(items: Vec<String>) -> String {
    if items.len() == 1 { items.concat() } else { format!("({})", items.join(", ")) }
}

/// A pattern of these items, in parentheses if it has a type.
fn grouped(items: Vec<String>) -> String {
    let text = tuple(items);
    if text.contains(':') && !text.starts_with('(') { format!("({text})") } else { text }
}

/// An array literal with brackets according to its shape.
fn nested(values: &[String], shape: &[i64]) -> String {
    let [count, inner @ ..] = shape else { return values.join(", ") };
    let count = usize::try_from(*count).unwrap_or(0).max(1);
    let parts = values.chunks(values.len().div_ceil(count).max(1));
    let parts = parts.map(|part| nested(part, inner));
    format!("[{}]", list(parts.collect()))
}

fn list(items: Vec<String>) -> String {
    items.join(", ")
}
