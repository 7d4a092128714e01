//! Outlining: bindings become a function of their own.
//!
//! Invariant: the parameters are the variables that the bindings use and do not bind. Each has the argument that
//! stands for it. The extents of arrays that are no parameters are parameters themselves.
//!
//! ```text
//! { u = t * t; l = length xs; v = u + l }   ⇒   f t p = { u = t * t; l = p; v = u + l },  called with t, extent of xs
//! ```

use indexmap::{IndexMap, IndexSet};

use super::compact::compact;
use super::{Chunker, Planner};
use crate::chunk::block_uses::{FreeUses, SizeSources, TypeSizes};
use crate::chunked::Arg;
use crate::cnf::{Atom, Bind, Block, Entry, Extent, Function, Op, SizeDef, Type, Var};
use crate::tables::Tables;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{Scalar, UnOp};
use arrc_syntax::source::Span;

/// A function that is being built.
pub(super) struct OutlinedFunction {
    pub(super) tables: Tables,
    pub(super) binds: Vec<Bind>,
    pub(super) params: Vec<VarId>,
    pub(super) args: Vec<Arg>,
    pub(super) results: Vec<Atom>,
    owners: SizeSources,
}

impl OutlinedFunction {
    /// A function of these bindings. The owners of sizes are arrays outside of it.
    pub(super) fn new(tables: Tables, owners: SizeSources, binds: &[&Bind]) -> Self {
        let binds = binds.iter().map(|&bind| bind.clone()).collect();
        Self { tables, binds, params: Vec::new(), args: Vec::new(), results: Vec::new(), owners }
    }

    fn used(&self) -> FreeUses {
        FreeUses::of(&self.binds, TypeSizes { tables: &self.tables, owners: &self.owners })
    }

    /// A new parameter.
    pub(super) fn param(&mut self, arg: Arg, name: &str, ty: Type) -> VarId {
        let var = self.tables.vars.push(Var { name: Name::new(name), ty });
        self.params.push(var);
        self.args.push(arg);
        var
    }

    /// A new parameter that is an `i64`.
    pub(super) fn count(&mut self, arg: Arg, name: &str) -> VarId {
        self.param(arg, name, Type::Scalar(Scalar::I64))
    }

    /// Replaces extents by parameters. An extent that `is_total` accepts becomes the extent of the whole pass. If the
    /// bindings use an array only for its extents, each of these becomes a parameter.
    pub(super) fn extents(&mut self, is_total: impl Fn(VarId, usize) -> bool) {
        let used = self.used();
        let mut params: IndexMap<Arg, VarId> = IndexMap::new();
        let mut binds = std::mem::take(&mut self.binds);
        for_each_bind(&mut binds, &mut |bind| {
            let Some((array, dim)) = bind.op.length() else { return };
            let arg = if is_total(array, dim) {
                Arg::Total
            } else if used.is_bound(array) || used.values.contains(&array) {
                return;
            } else {
                Arg::Extent(array, dim)
            };
            let param = *params.entry(arg).or_insert_with(|| self.count(arg, "length"));
            bind.op = Op::un(UnOp::To(Scalar::I64), Atom::Var(param));
        });
        self.binds = binds;
    }

    /// Makes the other variables that the bindings use from outside the last parameters, and the extents of rows that
    /// no parameter has. Returns the arguments of all parameters.
    pub(super) fn close(&mut self) -> Vec<Arg> {
        let used = self.used();
        let results = self.results.iter().filter_map(|result| match result {
            Atom::Var(var) if !used.is_bound(*var) => Some(*var),
            Atom::Var(_) | Atom::Const(_) => None,
        });
        let values: IndexSet<VarId> = used.values.iter().copied().chain(results).collect();
        for var in values {
            if !self.params.contains(&var) {
                self.params.push(var);
                self.args.push(Arg::Value(var));
            }
        }
        let shapes = self.params.iter().map(|&param| self.tables.vars[param].ty.shape());
        let told: IndexSet<Extent> = shapes.flat_map(|shape| shape.iter().copied()).collect();
        for (size, (array, dim)) in used.rows {
            if !told.contains(&Extent::Size(size)) {
                let extent = self.count(Arg::Extent(array, dim), "rows");
                self.tables.sizes[size].def = SizeDef::Value(extent);
            }
        }
        self.args.clone()
    }

    fn function(self, name: Name, span: Span) -> Function {
        let types = self.results.iter().map(|result| result.ty(&self.tables.vars)).collect();
        compact(Function {
            name,
            span,
            params: self.params,
            owned: Vec::new(),
            body: Block { binds: self.binds, results: self.results },
            results: types,
            tables: self.tables,
            recursive: false,
        })
    }
}

impl Chunker<'_, '_> {
    /// Makes an entry of the bindings that were cut out. Returns its name: the name of the enclosing entry, the kind
    /// and a number.
    pub(super) fn add(&mut self, kind: &'static str, cut: OutlinedFunction, span: Span) -> Name {
        self.planner.add(&self.prefix, kind, cut, span)
    }
}

impl Planner<'_> {
    /// A name that no function of the program has, for a function of a kind.
    fn distinct(&mut self, prefix: &Name, kind: &'static str) -> Name {
        let number = self.numbers.entry((prefix.clone(), kind)).or_default();
        loop {
            let name = Name::new(format!("{prefix}__{kind}{number}"));
            *number += 1;
            let program = &self.functions;
            let is_taken = program.entries.iter().any(|entry| entry.name == name)
                || program.functions.values().any(|function| function.name == name);
            if !is_taken {
                return name;
            }
        }
    }

    /// Makes an entry of the bindings that were cut out. Returns its name: the prefix, the kind and a number.
    pub(super) fn add(
        &mut self,
        prefix: &Name,
        kind: &'static str,
        cut: OutlinedFunction,
        span: Span,
    ) -> Name {
        let name = self.distinct(prefix, kind);
        let function = cut.function(name.clone(), span);
        let inputs = function.params.iter().map(|&param| &function.tables.vars[param].name);
        let inputs = inputs.enumerate().map(|(at, name)| format!("{}_{at}", identifier(name)));
        let inputs = inputs.collect();
        let outputs = (0..function.results.len()).map(|at| format!("out{at}")).collect();
        self.functions.entries.push(Entry {
            name: name.clone(),
            doc: None,
            signature: name.to_string(),
            function: self.functions.functions.push(function),
            inputs,
            outputs,
            tags: Vec::new(),
        });
        name
    }
}

/// The letters and digits of a name that C accepts.
pub(super) fn identifier(name: &str) -> String {
    let text: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if text.starts_with(|c: char| c.is_ascii_alphabetic()) { text } else { format!("v{text}") }
}

/// Calls `f` for each binding, including bindings in workers and branches.
fn for_each_bind(binds: &mut [Bind], f: &mut impl FnMut(&mut Bind)) {
    for bind in binds {
        f(bind);
        for block in bind.op.blocks_mut() {
            for_each_bind(&mut block.binds, f);
        }
    }
}
