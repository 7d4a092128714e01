//! Concrete programs: passes as paper 002 prints them (figure 9), in the blocks that run them.
//!
//! Invariant: the text contains everything about a function, so that [`super::parse`] reads it back: a constant
//! has its type, and so has an array where it is bound. Fields of a nest that are empty are left out, as in the
//! paper.
//!
//! ```text
//! function sum (xs : [n]i64) : i64
//! = { procedure sum_1
//!     with loopI (k1_ix : i64) (length xs)
//!       start { s_acc = newAcc 0i64 }
//!       body { s1_elem = nextI k1_ix xs
//!            ; s_acc := (+) s_acc s1_elem }
//!       end { s = read s_acc }
//!     yields (s)
//!   ; yield (s) }
//! ```

use std::fmt;

use super::{
    Block, End, Guard, Length, Loop, LoopForm, Memory, Nest, PeeledIterations, Period, Phase,
    Position, Procedure, Program, Range, RowLength, RowLocation, Slices, Start, Step, Stmt,
    Subarray, Variant, Worker, WrittenCount,
};
use crate::procedure::print_procedure::{acc_name, fields, prefix, update_args};
use arrc_fusion::cnf::{Atom, Callee, Entry, Operation};
use arrc_fusion::process::print_ops;
use arrc_fusion::process::print_process::order;
use arrc_fusion::process::text::{Lines, VarNames, braces, hanging_indent, indent};
use arrc_syntax::ids::{AccId, FuncId, VarId};

impl<P: Phase> fmt::Display for Program<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let externals = self.externals.values().map(|external| format!("{external}\n"));
        let functions = self.functions.keys().map(|id| self.function(id));
        f.write_str(&externals.chain(functions).collect::<Vec<_>>().join("\n"))
    }
}

impl<P: Phase> Program<P> {
    /// The entry that calls a function.
    fn entry(&self, id: FuncId) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.function == id)
    }

    /// The name of the callee, or its id if the program has no such function.
    fn callee(&self, callee: Callee) -> String {
        let (name, id) = match callee {
            Callee::Function(id) => {
                let entry = self.entry(id).map(|entry| &entry.name);
                (entry.or(self.functions.get(id).map(|called| &called.name)), id.to_string())
            }
            Callee::External(id) => {
                (self.externals.get(id).map(|called| &called.name), id.to_string())
            }
        };
        name.map_or(id, ToString::to_string)
    }

    /// The function as text.
    fn function(&self, id: FuncId) -> String {
        let function = &self.functions[id];
        let mut names = VarNames::new(&function.tables.vars, &function.tables.sizes);
        // The parameters get their names first, since sizes may be parameters.
        names.vars(&function.params);
        let params = function.params.iter().map(|&param| {
            let name = names.var(param);
            let mark = if function.owned.contains(&param) { "*" } else { "" };
            format!(" ({name} : {mark}{})", names.var_type(param))
        });
        let params = params.collect::<String>();
        let results = function.results.iter().enumerate().map(|(at, ty)| {
            let mark = if function.appends.contains(&at) { "++" } else { "" };
            format!("{mark}{}", names.ty(ty))
        });
        let results = results.collect::<Vec<_>>();
        let results = match &results[..] {
            [one] => one.clone(),
            several => format!("({})", several.join(", ")),
        };
        let body = Printer { program: self }.block(&mut names, &function.body);
        let body = hanging_indent("= ", braces(body)).join("\n");
        let word = if self.entry(id).is_some() { "entry" } else { "function" };
        format!("{word} {}{params} : {results}\n{body}\n", self.callee(Callee::Function(id)))
    }
}

/// Prints one function.
struct Printer<'a, P: Phase> {
    program: &'a Program<P>,
}

impl<P: Phase> Printer<'_, P> {
    /// The steps of a block and its results.
    fn block(&self, names: &mut VarNames<'_>, block: &Block<P>) -> Vec<Lines> {
        let steps = block.steps.iter().map(|step| self.step(names, step));
        let mut items = steps.collect::<Vec<_>>();
        items.push(vec![format!("yield {}", names.tuple(&block.results))]);
        items
    }

    /// A block within a line, on one line if it fits.
    fn nested(&self, names: &mut VarNames<'_>, block: &Block<P>) -> Lines {
        let items = names.scope(|names| self.block(names, block));
        if items.iter().any(|item| item.len() > 1) {
            return braces(items);
        }
        vec![format!("{{ {} }}", items.concat().join("; "))]
    }

    fn step(&self, names: &mut VarNames<'_>, step: &Step<P>) -> Lines {
        let (vars, value) = match step {
            Step::Scalar { var, op, .. } => (vec![*var], names.scalar(*op)),
            Step::Index { var, array, indices, inside, .. } => {
                let mark = if *inside { "inside " } else { "" };
                (vec![*var], format!("{mark}{}", print_ops::index(names, *array, indices)))
            }
            Step::Row { var, array, indices, inside, .. } => {
                let mark = if *inside { "inside " } else { "" };
                (vec![*var], format!("row {mark}{}", print_ops::index(names, *array, indices)))
            }
            Step::Slice { var, array, indices, count } => {
                let from = print_ops::index(names, *array, indices);
                (vec![*var], format!("slice {from} {}", names.atom(*count)))
            }
            Step::Reshape { var, array, shape } => {
                (vec![*var], print_ops::reshape(names, *array, shape))
            }
            Step::Length { var, array, dim } => {
                (vec![*var], print_ops::length(names, *array, *dim))
            }
            Step::Append { var, extends, parts, room, placed, cut, memory: to, .. } => {
                let extends = extends.map(Into::into);
                let made = append(names, extends, parts, room);
                (vec![*var], made + &marks(*placed, *cut) + &memory(names, to))
            }
            Step::Array { var, elems, memory: to, .. } => {
                let to = memory(names, to);
                (vec![*var], format!("[{}]{to}", names.atoms(elems, ", ")))
            }
            Step::Sort { var, sorting, array, window, memory: to, .. } => {
                let (name, to) = (sorting.name(), memory(names, to));
                let array = names.var(*array);
                (vec![*var], format!("{name} {array} {}{to}", names.atoms(window, " ")))
            }
            Step::Constant { var, data } => (vec![*var], format!("constant {}", names.data(data))),
            Step::Share { var, array } => (vec![*var], format!("share {}", names.var(*array))),
            Step::Copy { var, array, memory: to, .. } => {
                let to = memory(names, to);
                (vec![*var], format!("copy {}{to}", names.var((*array).into())))
            }
            Step::Unique { var, array, .. } => {
                (vec![*var], format!("unique {}", names.var((*array).into())))
            }
            Step::Replace { var, array, indices, target, value, placed, .. } => {
                let placed = if *placed { " placed" } else { "" };
                let replaced = print_ops::replace(names, (*array, indices), *value, target.word());
                (vec![*var], replaced + placed)
            }
            Step::Loop { vars, form, init, worker, .. } => {
                return self.repeated(names, vars, (form, init), worker);
            }
            Step::Call { forks, vars, callee, args, .. } => {
                let args = names.atoms(args, " ");
                let word = if *forks { "fork" } else { "call" };
                (vars.clone(), spaced(format!("{word} {}", self.program.callee(*callee)), &args))
            }
            Step::Assert { check, .. } => return vec![check.show(|atom| names.atom(atom))],
            Step::Release { array } => {
                return vec![format!("release {}", names.var((*array).into()))];
            }
            Step::If { vars, cond, takes, then, otherwise } => {
                let takes = takes.iter().map(|&array| array.into()).collect::<Vec<_>>();
                let cond = names.atom(*cond);
                let cond = match names.vars(&takes) {
                    none if none.is_empty() => cond,
                    takes => format!("{cond} taking {takes}"),
                };
                return self.branch(names, vars, &cond, [then, otherwise]);
            }
            Step::Pass(pass) => return self.pass(names, pass),
        };
        vec![format!("{} = {value}", names.binders(&vars))]
    }

    fn repeated(
        &self,
        names: &mut VarNames<'_>,
        vars: &[VarId],
        (form, init): (&LoopForm<P>, &[Atom]),
        worker: &Worker<P>,
    ) -> Lines {
        let init = print_ops::init(names, init);
        let head = format!("{} = loop {init}", names.binders(vars));
        let mut lines = match form {
            LoopForm::For { count } => vec![format!("{head} for {}", names.atom(*count))],
            LoopForm::While { cond } => {
                hanging_indent(&format!("{head} while "), self.worker(names, cond))
            }
        };
        lines.extend(indent(hanging_indent("do ", self.worker(names, worker))));
        lines
    }

    fn branch(
        &self,
        names: &mut VarNames<'_>,
        vars: &[VarId],
        cond: &str,
        branches: [&Block<P>; 2],
    ) -> Lines {
        let [then, otherwise] = branches.map(|branch| self.nested(names, branch));
        let vars = names.binders(vars);
        if let ([then], [otherwise]) = (&then[..], &otherwise[..]) {
            return vec![format!("{vars} = if {cond} then {then} else {otherwise}")];
        }
        let mut lines = vec![format!("{vars} = if {cond}")];
        lines.extend(indent(hanging_indent("then ", then)));
        lines.extend(indent(hanging_indent("else ", otherwise)));
        lines
    }

    fn pass(&self, names: &mut VarNames<'_>, pass: &Procedure<P>) -> Lines {
        // The results of the pass are visible after it, and so get their names before its inner variables.
        let yields = pass.yields.iter().map(|&var| Atom::Var(var)).collect::<Vec<_>>();
        let yields = names.tuple(&yields);
        let printer = PassPrinter { printer: self, pass };
        let mut lines = vec![format!("procedure {}", pass.name)];
        lines.extend(prefix("with ", names.scope(|names| printer.outermost(names))));
        lines.push(format!("yields {yields}"));
        lines
    }

    /// A worker as an argument: `(+ 1i64)`, or a lambda.
    fn worker(&self, names: &mut VarNames<'_>, worker: &Worker<P>) -> Lines {
        if let [step] = &worker.body.steps[..]
            && let Some((var, Operation::Bin(op, args))) = step.operation()
            && worker.body.results == [Atom::Var(var)]
            && let Some(section) = print_ops::section(names, &worker.params, op, args)
        {
            return vec![section];
        }
        names.scope(|names| {
            let params = names.binders(&worker.params);
            let body = match (&worker.body.steps[..], &worker.body.results[..]) {
                ([], [result]) => vec![names.atom(*result)],
                ([], results) => vec![names.tuple(results)],
                (..) => self.nested(names, &worker.body),
            };
            let mut lines = hanging_indent(&format!("(\\{params} -> "), body);
            lines.iter_mut().last().expect("a block prints on a line").push(')');
            lines
        })
    }
}

/// Prints one pass.
struct PassPrinter<'a, P: Phase> {
    printer: &'a Printer<'a, P>,
    pass: &'a Procedure<P>,
}

impl<P: Phase> PassPrinter<'_, P> {
    fn outermost(&self, names: &mut VarNames<'_>) -> Lines {
        let start = self.pass.start.iter().map(|start| vec![self.start(names, start)]).collect();
        let nest = &self.pass.nest;
        let sliced = self.pass.slices.clone().map_or_else(String::new, |slices| {
            let Slices { block, row } = slices.into();
            format!(" sliced {block}{}", row.map_or_else(String::new, |row| per_row(names, &row)))
        });
        let mut lines = vec![self.loop_head(names, nest) + &sliced];
        let body = self.stmts(names, &nest.body);
        lines.extend(fields(vec![("start", start), ("body", body)]));
        lines.extend(self.inner(names, &nest.inner, &nest.release));
        lines.extend(self.ranges(names, &nest.ranges));
        let end = self.pass.end.iter().map(|end| vec![self.end(names, end)]).collect();
        lines.extend(fields(vec![("end", end)]));
        lines
    }

    fn loop_head(&self, names: &mut VarNames<'_>, nest: &Loop<P>) -> String {
        let length = length(names, &nest.length);
        let most = nest.most.map_or_else(String::new, |most| format!(" at most {most}"));
        let collapsed = match nest.collapsed {
            0 => String::new(),
            inside => format!(" collapsed {inside}"),
        };
        format!("loopI ({} : i64) ({length}){most}{collapsed}", names.var(nest.counter))
    }

    fn inner(&self, names: &mut VarNames<'_>, nests: &[Nest<P>], release: &[P::Owned]) -> Lines {
        let mut lines = Lines::new();
        for nest in nests {
            let (head, body, nests, release, ranges) = match nest {
                Nest::Loop(nest) => {
                    let Loop { body, inner, release, ranges, .. } = nest;
                    (self.loop_head(names, nest), body, inner, release, &ranges[..])
                }
                Nest::Guard(guard) => {
                    let Guard { body, inner, release, .. } = guard;
                    (self.guard_head(names, guard), body, inner, release, &[][..])
                }
            };
            let mut nested = vec![head];
            nested.extend(fields(vec![("body", self.stmts(names, body))]));
            nested.extend(self.inner(names, nests, release));
            nested.extend(self.ranges(names, ranges));
            lines.extend(indent(prefix("inner ", nested)));
        }
        let release = release.iter().map(|&array| vec![names.var(array.into())]).collect();
        lines.extend(fields(vec![("release", release)]));
        lines
    }

    fn ranges(&self, names: &mut VarNames<'_>, ranges: &[Range<P>]) -> Lines {
        let mut lines = Lines::new();
        for Range { from, to, variants, period, peeled } in ranges {
            let [from, to] = [*from, *to].map(|bound| names.atom(bound.into()));
            let period = period.as_ref().map_or_else(String::new, |Period { first, steps }| {
                let steps: Vec<_> = steps.iter().map(|&steps| names.atom(steps.into())).collect();
                format!(" turns of {} from {}", steps.join(", "), names.atom((*first).into()))
            });
            let peeled = peeled.map_or_else(String::new, |PeeledIterations { before, behind }| {
                format!(" edges of {before}, {behind}")
            });
            let mut nested = vec![format!("from {from} to {to}{period}{peeled}")];
            for (number, Variant { body, inner, release }) in variants.iter().enumerate() {
                let mut variant = fields(vec![("body", self.stmts(names, body))]);
                variant.extend(self.inner(names, inner, release));
                if number > 0 {
                    nested.extend(indent(vec!["next".to_owned()]));
                }
                nested.extend(variant);
            }
            lines.extend(indent(prefix("range ", nested)));
        }
        lines
    }

    fn guard_head(&self, names: &mut VarNames<'_>, guard: &Guard<P>) -> String {
        let (index, counter) = (names.var(guard.index), self.acc(guard.counter));
        format!("guardI ({index} : i64) {counter} with {}", names.atom(guard.flag))
    }

    fn start(&self, names: &mut VarNames<'_>, start: &Start<P>) -> String {
        match start {
            Start::CheckSize { size, .. } => format!("checkSize {}", names.atom(*size)),
            Start::NewVec { vec, capacity, memory, .. } => {
                let capacity = length(names, capacity);
                let memory = self::memory(names, memory);
                format!("{} = newVecI ({capacity}){memory}", names.binders([vec]))
            }
            Start::NewAcc { acc, init } => {
                format!("{} = newAcc {}", self.acc(*acc), names.atom(*init))
            }
        }
    }

    fn stmts(&self, names: &mut VarNames<'_>, stmts: &[Stmt<P>]) -> Vec<Lines> {
        stmts.iter().map(|stmt| self.stmt(names, stmt)).collect()
    }

    fn stmt(&self, names: &mut VarNames<'_>, stmt: &Stmt<P>) -> Lines {
        let line = match stmt {
            Stmt::Next { elem, index, array } => {
                let (index, array) = (position(names, index), names.var(*array));
                format!("{} = nextI {index} {array}", names.binders([elem]))
            }
            Stmt::Position { elem, index } => {
                let index = position(names, index);
                format!("{} = index {index}", names.var(*elem))
            }
            Stmt::Copy { elem, from } => {
                let from = names.atom(*from);
                format!("{} = {from}", names.binders([elem]))
            }
            Stmt::Read { elem, array, index, .. } => {
                let read = print_ops::index(names, *array, &[*index]);
                format!("{} = {read}", names.binders([elem]))
            }
            Stmt::Current { elem, acc } => {
                format!("{} = read {}", names.binders([elem]), self.acc(*acc))
            }
            Stmt::Reserve { vec, written, more } => {
                let written = self.written(names, vec, written);
                format!("reserveI {} ({written} + {})", names.var(*vec), length(names, more))
            }
            Stmt::Write { vec, index, elem, placed } => {
                let (index, vec) = (position(names, index), names.var(*vec));
                let mark = if *placed { " placed" } else { "" };
                format!("writeVecI {index} {vec} {}{mark}", names.atom(*elem))
            }
            Stmt::Apply { elems, worker, args } => {
                let (worker, args) = (self.printer.worker(names, worker), names.atoms(args, " "));
                let head = format!("{} = ", names.binders(elems));
                return hanging_indent(&head, ending(worker, &spaced(String::new(), &args)));
            }
            Stmt::Update { accs, order: by, worker, args } => {
                let worker = self.printer.worker(names, worker);
                let accs = accs.iter().map(|&acc| self.acc(acc)).collect::<Vec<_>>().join(" ");
                let args = update_args(&accs, &names.atoms(args, " "), order(*by));
                return hanging_indent(&format!("{accs} := "), ending(worker, &args));
            }
        };
        vec![line]
    }

    fn end(&self, names: &mut VarNames<'_>, end: &End) -> String {
        match end {
            End::Read { result, acc } => {
                format!("{} = read {}", names.binders([result]), self.acc(*acc))
            }
            End::Slice { vec, length } => {
                format!("sliceVecI {} {}", self.written(names, vec, length), names.var(*vec))
            }
        }
    }

    fn written(&self, names: &mut VarNames<'_>, vec: &VarId, written: &WrittenCount) -> String {
        match written {
            WrittenCount::All => {
                let made = self.pass.start.iter().find_map(|start| match start {
                    Start::NewVec { vec: made, capacity, .. } if made == vec => Some(capacity),
                    Start::NewVec { .. } | Start::NewAcc { .. } | Start::CheckSize { .. } => None,
                });
                made.map_or_else(String::new, |made| format!("({})", length(names, made)))
            }
            WrittenCount::Counted(acc) => self.acc(*acc),
            WrittenCount::Rows(rows, row) => {
                let rows = self.written(names, vec, rows);
                format!("{rows} * ({})", length(names, row))
            }
        }
    }

    fn acc(&self, acc: AccId) -> String {
        acc_name(&self.pass.accs, acc)
    }
}

fn length(names: &mut VarNames<'_>, of: &Length) -> String {
    match of {
        Length::Array(array) => format!("length {}", names.var(*array)),
        Length::Value(size) => names.atom(*size),
        Length::Product(left, right) => {
            format!("{} * {}", length(names, left), length(names, right))
        }
    }
}

/// The number of elements of a step, by which the number of elements of a block is divided.
fn per_row(names: &mut VarNames<'_>, row: &RowLength) -> String {
    match row {
        RowLength::Steps(steps) => format!(" / ({})", length(names, steps)),
        RowLength::Of(array) => format!(" / row {}", names.var(*array)),
    }
}

/// The parts of an append, and the room for more elements.
fn append(
    names: &mut VarNames<'_>,
    extends: Option<VarId>,
    parts: &[VarId],
    room: &[Length],
) -> String {
    // A single part would be read as an operand of another operation, so `new` stands before it.
    let alone = (extends.is_none() && parts.len() < 2).then(|| "new".to_owned());
    let first = extends.map(|array| format!("extend {}", names.var(array)));
    let parts = parts.iter().map(|&part| names.var(part));
    let parts = alone.into_iter().chain(first).chain(parts).collect::<Vec<_>>();
    let room = room.iter().map(|more| format!(" room ({})", length(names, more)));
    std::iter::once(parts.join(" ++ ")).chain(room).collect()
}

/// The marks of an append.
fn marks(placed: bool, cut: bool) -> String {
    let placed = if placed { " placed" } else { "" };
    let cut = if cut { " cut" } else { "" };
    format!("{placed}{cut}")
}

/// The memory of an array; nothing for memory of its own.
fn memory<P: Phase>(names: &mut VarNames<'_>, memory: &Memory<P>) -> String {
    match memory {
        Memory::New => String::new(),
        Memory::Scratch => " scratch".into(),
        Memory::DoubleBuffer => " turns".into(),
        Memory::Row(RowLocation { vec, index, over }) => {
            let over = over.map(|array| format!(" over {}", names.var(array)));
            let place = format!(" in {} at {}", names.var(*vec), position(names, index));
            place + &over.unwrap_or_default()
        }
        Memory::Over(array) => format!(" over {}", names.var((*array).into())),
        Memory::Behind(array) => format!(" behind {}", names.var((*array).into())),
        Memory::Part(Subarray { array, indices, view, .. }) => {
            let view = view.map(|view| format!(" over {}", names.var(view.into())));
            let array = names.var((*array).into());
            format!(" in {array}[{}]{}", names.atoms(indices, ", "), view.unwrap_or_default())
        }
    }
}

fn position(names: &mut VarNames<'_>, at: &Position) -> String {
    match at {
        Position::Var(index) => names.var(*index),
        Position::Product { outer, length: by, inner } => {
            let (outer, by) = (position(names, outer), length(names, by));
            format!("({outer} * {by} + {})", names.var(*inner))
        }
    }
}

/// A head, and the arguments behind it if there are any.
fn spaced(head: String, args: &str) -> String {
    if args.is_empty() { head } else { format!("{head} {args}") }
}

/// The lines with `end` behind the last one.
fn ending(mut lines: Lines, end: &str) -> Lines {
    lines.iter_mut().last().expect("what prints has a line").push_str(end);
    lines
}
