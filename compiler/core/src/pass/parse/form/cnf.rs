//! Combinator normal form from its tree: names become variables, and variables get their types.
//!
//! Invariant: a variable has the type that its operation says, or the one that is written where it is bound.
//!
//! ```text
//! let ys = filter (\x -> x > 0i64) xs, xs: [n]i64   ⇒   ys: [k]i64, k a new size; x: i64
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::extents::Extents;
use super::tree::{self, Binder, Decl, Lambda, Term};
use super::{Form, Read, Wrong, ops, wrong};
use crate::ids::{EntityRef, FuncId, VarId};
use crate::ir::ast::Ident;
use crate::ir::cnf::{
    Atom, Bind, Block, Callee, Component, Entry, External, Function, Op, Program, SizeDef, Told,
    Type, Types, Var, Worker,
};
use crate::ir::effect::Effect;
use crate::ir::tables::Tables;
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// The program.
pub(super) fn program(form: &Form) -> Read<Program> {
    let mut program = Program::default();
    let mut callees = BTreeMap::new();
    let mut headers = Vec::new();
    for decl in &form.decls {
        let (name, callee) = match decl {
            Decl::External { effect, name, params, results } => {
                let external = external(*effect, name, params, results);
                (name, Callee::External(program.externals.push(external)))
            }
            Decl::Function(tree) => {
                let mut body = Body::header(form, tree)?;
                let id = program.functions.push(std::mem::replace(&mut body.function, none()));
                headers.push((id, tree, body));
                (&tree.name, Callee::Function(id))
            }
        };
        if callees.insert(name.name.to_string(), callee).is_some() {
            return wrong(name.span, format!("`{}` is declared twice", name.name));
        }
    }
    for (id, tree, mut body) in headers {
        if tree.is_entry {
            let doc = form.docs.get(&tree.at.start).cloned();
            program.entries.push(entry(id, tree, doc));
        }
        body.function = program.functions[id].clone();
        let declared = body.function.results.clone();
        body.function.body =
            Reader { program: &program, callees: &callees, of: &mut body }.block(&tree.body)?;
        let Body { mut function, extents, .. } = body;
        if let Err(message) = extents.yielded(&mut function, declared) {
            return wrong(tree.name.span, message);
        }
        program.functions[id] = function;
    }
    settle(&mut program);
    Ok(program)
}

fn external(
    effect: bool,
    name: &Ident,
    params: &[tree::Param],
    results: &[tree::Type],
) -> External {
    let component = |name: &str, ty: &tree::Type| Component {
        name: name.to_owned(),
        elem: ty.elem,
        rank: ty.shape.len(),
    };
    let outputs = results.iter().enumerate();
    External {
        name: name.name.clone(),
        span: name.span,
        doc: None,
        signature: name.name.to_string(),
        effect: if effect { Effect::Io } else { Effect::Pure },
        inputs: params.iter().map(|param| component(&param.name.name, &param.ty)).collect(),
        outputs: outputs.map(|(place, ty)| component(&format!("out{place}"), ty)).collect(),
        tags: Vec::new(),
    }
}

fn entry(function: FuncId, tree: &tree::Function, doc: Option<String>) -> Entry {
    Entry {
        name: tree.name.name.clone(),
        doc,
        signature: tree.name.name.to_string(),
        function,
        inputs: tree.params.iter().map(|param| param.name.name.to_string()).collect(),
        outputs: (0..tree.results.len()).map(|place| format!("out{place}")).collect(),
        tags: Vec::new(),
    }
}

/// A function of which nothing is known.
fn none() -> Function {
    Function {
        name: Name::default(),
        span: Span::new(crate::ids::FileId::new(0), 0, 0),
        params: Vec::new(),
        owned: Vec::new(),
        body: Block::default(),
        results: Vec::new(),
        tables: Tables::default(),
        recursive: false,
    }
}

/// What is known once all functions are: the effects of calls, and what can reach itself.
fn settle(program: &mut Program) {
    let mut calls: BTreeMap<FuncId, BTreeSet<FuncId>> = BTreeMap::new();
    for (id, function) in program.functions.iter() {
        let calls = calls.entry(id).or_default();
        function.body.for_each_op(&mut |op| {
            if let Op::Call { callee: Callee::Function(callee), .. } = op {
                calls.insert(*callee);
            }
        });
    }
    for _ in 0..calls.len() {
        for id in program.functions.keys() {
            let further = calls[&id].iter().flat_map(|callee| calls[callee].iter().copied());
            let further = further.collect::<Vec<_>>();
            calls.entry(id).or_default().extend(further);
        }
    }
    let effects: BTreeSet<FuncId> =
        program.functions.iter().filter(|(_, of)| of.body.has_effect()).map(|(id, _)| id).collect();
    let acts = |id: FuncId| {
        effects.contains(&id) || calls[&id].iter().any(|callee| effects.contains(callee))
    };
    for (id, function) in program.functions.iter_mut() {
        function.recursive = calls[&id].contains(&id);
        mark(&mut function.body, &acts);
    }
}

fn mark(block: &mut Block, acts: &impl Fn(FuncId) -> bool) {
    for bind in &mut block.binds {
        if let Op::Call { callee: Callee::Function(callee), effect, .. } = &mut bind.op
            && acts(*callee)
        {
            *effect = Effect::Io;
        }
        for inner in bind.op.blocks_mut() {
            mark(inner, acts);
        }
    }
}

/// A function while it is read.
pub(super) struct Body {
    pub(super) function: Function,
    pub(super) extents: Extents,
    /// The variables that can be named.
    scope: BTreeMap<Name, VarId>,
    /// What variables are called that have no name in the text.
    hidden: Name,
}

impl Body {
    /// The signature.
    fn header(form: &Form, tree: &tree::Function) -> Read<Self> {
        let [hidden, size] = ["t", "k"].map(|base| {
            let mut names = (2..).map(|number| format!("{base}{number}"));
            let free = names.find(|name| !form.names.contains(name));
            Name::from(free.expect("there is no last number"))
        });
        let function = Function { name: tree.name.name.clone(), span: tree.name.span, ..none() };
        let mut body =
            Self { function, extents: Extents::new(size), scope: BTreeMap::new(), hidden };
        for size in &tree.sizes {
            body.extents.name(&mut body.function, &size.name, &SizeDef::Param);
        }
        for param in &tree.params {
            let ty = body.extents.ty(&mut body.function, &param.ty, &SizeDef::Param)?;
            let var = body.bound(&Binder { name: Some(param.name.clone()), ty: None }, ty)?;
            body.function.params.push(var);
            if param.owned {
                body.function.owned.push(var);
            }
        }
        for ty in &tree.results {
            let ty = body.extents.ty(&mut body.function, ty, &SizeDef::Exists)?;
            body.function.results.push(ty);
        }
        Ok(body)
    }

    /// A new variable, of the type that is written or else of that one.
    fn bound(&mut self, binder: &Binder, ty: Type) -> Read<VarId> {
        let ty = match &binder.ty {
            Some(written) => {
                let told = self.extents.ty(&mut self.function, written, &SizeDef::Exists)?;
                if !told.agrees(&ty) {
                    return wrong(written.at, "this is not the type that the operation gives");
                }
                told
            }
            None => ty,
        };
        let is_size = ty == Type::Scalar(Scalar::I64);
        let Some(name) = &binder.name else {
            return Ok(self.function.tables.vars.push(Var { name: self.hidden.clone(), ty }));
        };
        let var = self.function.tables.vars.push(Var { name: name.name.clone(), ty });
        self.scope.insert(name.name.clone(), var);
        if is_size {
            self.extents.value(&mut self.function, &name.name, var);
        }
        Ok(var)
    }
}

/// Reads the blocks of a function.
pub(super) struct Reader<'a> {
    program: &'a Program,
    pub(super) callees: &'a BTreeMap<String, Callee>,
    of: &'a mut Body,
}

impl Reader<'_> {
    pub(super) fn block(&mut self, tree: &tree::Block) -> Read<Block> {
        let scope = self.of.scope.clone();
        let mut binds = Vec::new();
        for bind in &tree.binds {
            binds.push(self.bind(&bind.vars, &bind.value)?);
        }
        let results = if self.is_operation(&tree.last) {
            let bind = self.bind(&[Binder { name: None, ty: None }], &tree.last)?;
            let results = bind.vars.iter().map(|&var| Atom::Var(var)).collect();
            binds.push(bind);
            results
        } else {
            self.atoms(&tree.last)?
        };
        self.of.scope = scope;
        Ok(Block { binds, results })
    }

    /// Whether a block ends with an operation, and not with what it yields.
    fn is_operation(&self, last: &Term) -> bool {
        if let tree::Kind::Name(name) = &last.kind {
            return self.callees.contains_key(name.as_str());
        }
        !matches!(last.kind, tree::Kind::Const(_) | tree::Kind::Tuple(_))
    }

    fn bind(&mut self, binders: &[Binder], value: &Term) -> Read<Bind> {
        let op = ops::op(self, value)?;
        let told = if let Op::Constant(data) = &op {
            Ok(vec![Told { elem: data.elem(), shape: ops::literal_shape(value) }])
        } else {
            self.types().results(&op)
        };
        let told = told.map_err(|message| Wrong { at: value.at, message })?;
        if told.len() != binders.len() {
            let count = told.len();
            return wrong(
                value.at,
                format!("this has {count} results, and binds {}", binders.len()),
            );
        }
        let vars = self.bound(binders, told)?;
        Ok(Bind { vars, op, span: value.at })
    }

    fn bound(&mut self, binders: &[Binder], told: Vec<Told>) -> Read<Vec<VarId>> {
        let Body { function, extents, .. } = self.of;
        let types = extents.told(function, told);
        binders.iter().zip(types).map(|(binder, ty)| self.of.bound(binder, ty)).collect()
    }

    /// A function that takes what is told.
    pub(super) fn worker(&mut self, lambda: &Lambda, told: Vec<Told>, at: Span) -> Read<Worker> {
        let binders: Vec<Binder> = lambda
            .params
            .iter()
            .flatten()
            .filter(|binder| binder.name.is_some())
            .cloned()
            .collect();
        if binders.len() != told.len() {
            return wrong(at, format!("this function takes {} values", told.len()));
        }
        let scope = self.of.scope.clone();
        let params = self.bound(&binders, told)?;
        let body = self.block(&lambda.body)?;
        self.of.scope = scope;
        Ok(Worker { params, body })
    }

    pub(super) fn types(&self) -> Types<'_> {
        Types { program: self.program, function: &self.of.function }
    }

    /// The scalar type of an atom.
    pub(super) fn scalar(&self, atom: Atom, at: Span) -> Read<Scalar> {
        match self.of.function.type_of(atom).as_scalar() {
            Some(scalar) => Ok(scalar),
            None => wrong(at, "a scalar is wanted"),
        }
    }

    pub(super) fn var(&self, name: &str, at: Span) -> Read<VarId> {
        match self.of.scope.get(name) {
            Some(&var) => Ok(var),
            None => wrong(at, format!("there is no variable `{name}`")),
        }
    }

    /// The atom, or the atoms of a tuple.
    pub(super) fn atoms(&self, term: &Term) -> Read<Vec<Atom>> {
        if let tree::Kind::Tuple(terms) = &term.kind {
            return terms.iter().map(|term| self.atom(term)).collect();
        }
        Ok(vec![self.atom(term)?])
    }

    pub(super) fn atom(&self, term: &Term) -> Read<Atom> {
        if let tree::Kind::Const(value) = &term.kind {
            return Ok(Atom::Const(*value));
        }
        if let tree::Kind::Name(name) = &term.kind {
            return Ok(Atom::Var(self.var(name, term.at)?));
        }
        wrong(term.at, "a variable or a constant is wanted")
    }
}
