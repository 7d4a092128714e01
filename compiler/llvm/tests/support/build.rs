//! Concrete programs, built by hand in few words.

use arrc_core::ids::{AccId, FuncId, PrimaryMap, VarId};
use arrc_core::ir::cnf::{Atom, Entry, Extent, Order, SizeDef, SizeInfo, Type, Var};
use arrc_core::ir::procedure::Acc;
use arrc_core::ir::procedure::concrete::{
    Block, End, Function, Guard, Length, Loop, Memory, Nest, Position, Procedure, Program, Start,
    Step, Stmt, Worker, Written,
};
use arrc_core::ir::tables::Tables;
use arrc_core::prim::{BinOp, Const, Scalar};
use arrc_core::source::{Sources, Span};

/// The text that every span of the tests is in: word `n` begins at column `4 n + 1` of line 2.
pub const TEXT: &str = "-- \nw00 w01 w02 w03 w04 w05 w06 w07 w08 w09 \n";

/// The text as the sources of a program.
pub fn sources() -> Sources {
    let mut sources = Sources::default();
    sources.add("test.arr", TEXT);
    sources
}

/// The span of word `n`.
pub fn word(n: u32) -> Span {
    let file = arrc_core::ids::EntityRef::new(0);
    Span::new(file, 4 + 4 * n, 4 + 4 * n + 3)
}

/// A function under construction.
pub struct Fun {
    pub f: Function,
}

impl Fun {
    pub fn new(name: &str) -> Self {
        Self {
            f: Function {
                name: name.into(),
                span: word(0),
                params: Vec::new(),
                owned: Vec::new(),
                body: Block::default(),
                results: Vec::new(),
                tables: Tables::default(),
                recursive: false,
            },
        }
    }

    /// A scalar variable.
    pub fn scalar(&mut self, name: &str, ty: Scalar) -> VarId {
        self.f.tables.vars.push(Var { name: name.into(), ty: Type::Scalar(ty) })
    }

    /// An array variable.
    pub fn array(&mut self, name: &str, elem: Scalar, shape: &[Extent]) -> VarId {
        let ty = Type::Array { elem, shape: shape.to_vec() };
        self.f.tables.vars.push(Var { name: name.into(), ty })
    }

    pub fn size(&mut self, name: &str, def: SizeDef) -> Extent {
        Extent::Size(self.f.tables.sizes.push(SizeInfo { name: name.into(), def }))
    }

    pub fn param_scalar(&mut self, name: &str, ty: Scalar) -> VarId {
        let var = self.scalar(name, ty);
        self.f.params.push(var);
        var
    }

    pub fn param_array(&mut self, name: &str, elem: Scalar, shape: &[Extent]) -> VarId {
        let var = self.array(name, elem, shape);
        self.f.params.push(var);
        var
    }

    /// A parameter of one dimension with a size of its own.
    pub fn param_vec(&mut self, name: &str, elem: Scalar) -> (VarId, Extent) {
        let size = self.size(&format!("n_{name}"), SizeDef::Param);
        (self.param_array(name, elem, &[size]), size)
    }

    pub fn step(&mut self, step: Step) {
        self.f.body.steps.push(step);
    }

    /// Ends the function with what it yields.
    pub fn returns(mut self, results: &[Atom]) -> Function {
        self.f.results = results
            .iter()
            .map(|result| match result {
                Atom::Const(value) => Type::Scalar(value.ty),
                Atom::Var(var) => self.f.tables.vars[*var].ty.clone(),
            })
            .collect();
        self.f.body.results = results.to_vec();
        self.f
    }

    /// `worker (params) = last` for the one-step worker `op`.
    pub fn bin_worker(&mut self, op: BinOp, ty: Scalar) -> Worker {
        let (x, y) = (self.scalar("x", ty), self.scalar("y", ty));
        let z = self.scalar("z", op.result(ty));
        worker(&[x, y], vec![bin(z, op, v(x), v(y))], &[v(z)])
    }

    /// A worker of one parameter: `x op constant`.
    pub fn with_const(&mut self, op: BinOp, constant: Const) -> Worker {
        let x = self.scalar("x", constant.ty);
        let z = self.scalar("z", op.result(constant.ty));
        worker(&[x], vec![bin(z, op, v(x), Atom::Const(constant))], &[v(z)])
    }
}

pub fn v(var: VarId) -> Atom {
    Atom::Var(var)
}

pub fn i64c(value: i64) -> Atom {
    Atom::Const(Const::i64(value))
}

pub fn int(ty: Scalar, value: i128) -> Const {
    Const::int(ty, value)
}

/// Every step points to word 1, unless a test says otherwise.
pub fn bin(var: VarId, op: BinOp, a: Atom, b: Atom) -> Step {
    Step::Bin { var, op, args: [a, b], span: word(1) }
}

pub fn worker(params: &[VarId], steps: Vec<Step>, results: &[Atom]) -> Worker {
    Worker { params: params.to_vec(), body: block(steps, results) }
}

pub fn block(steps: Vec<Step>, results: &[Atom]) -> Block {
    Block { steps, results: results.to_vec() }
}

pub fn apply(elems: &[VarId], worker: Worker, args: &[Atom]) -> Stmt {
    Stmt::Apply { elems: elems.to_vec(), worker, args: args.to_vec() }
}

pub fn next(elem: VarId, counter: VarId, array: VarId) -> Stmt {
    Stmt::Next { elem, index: Position::Var(counter), array }
}

pub fn write(vec: VarId, counter: VarId, elem: VarId) -> Stmt {
    Stmt::Write { vec, index: Position::Var(counter), elem: v(elem), placed: false }
}

pub fn update(acc: AccId, order: Order, worker: Worker, elem: VarId) -> Stmt {
    Stmt::Update { accs: vec![acc], order, worker, args: vec![v(elem)] }
}

pub fn new_vec(vec: VarId, capacity: Length) -> Start {
    Start::NewVec { vec, capacity, memory: Memory::New, span: word(2) }
}

/// A pass under construction.
pub struct Pass {
    pub p: Procedure,
}

impl Pass {
    pub fn new(counter: VarId, length: Length) -> Self {
        Self {
            p: Procedure {
                name: "pass".into(),
                accs: PrimaryMap::new(),
                start: Vec::new(),
                nest: counted(counter, length, Vec::new()),
                end: Vec::new(),
                yields: Vec::new(),
            },
        }
    }

    pub fn acc(&mut self, ty: Scalar, init: Const) -> AccId {
        let acc = self.p.accs.push(Acc { name: "acc".into(), ty: Type::Scalar(ty) });
        self.p.start.push(Start::NewAcc { acc, init: Atom::Const(init) });
        acc
    }

    pub fn counter(&mut self) -> AccId {
        self.p.accs.push(Acc { name: "count".into(), ty: Type::Scalar(Scalar::I64) })
    }

    pub fn start(&mut self, start: Start) -> &mut Self {
        self.p.start.push(start);
        self
    }

    pub fn body(&mut self, stmts: Vec<Stmt>) -> &mut Self {
        self.p.nest.body.extend(stmts);
        self
    }

    pub fn inner(&mut self, nest: Nest) -> &mut Self {
        self.p.nest.inner.push(nest);
        self
    }

    pub fn read(&mut self, result: VarId, acc: AccId) -> &mut Self {
        self.p.end.push(End::Read { result, acc });
        self.p.yields.push(result);
        self
    }

    pub fn slice(&mut self, vec: VarId, length: Written) -> &mut Self {
        self.p.end.push(End::Slice { vec, length });
        self.p.yields.push(vec);
        self
    }

    pub fn step(self) -> Step {
        Step::Pass(self.p)
    }
}

/// A loop with nothing nested in it.
pub fn counted(counter: VarId, length: Length, body: Vec<Stmt>) -> Loop {
    let (most, inner, release, ranges) = (None, Vec::new(), Vec::new(), Vec::new());
    Loop { counter, length, most, body, inner, release, ranges }
}

pub fn guard(index: VarId, counter: AccId, flag: VarId, body: Vec<Stmt>) -> Nest {
    Nest::Guard(Guard {
        index,
        counter,
        flag: v(flag),
        body,
        inner: Vec::new(),
        release: Vec::new(),
    })
}

/// A program of which every function is an entry of the same name.
pub fn program(functions: Vec<Function>) -> Program {
    let mut program = Program::default();
    for function in functions {
        add_entry(&mut program, function);
    }
    program
}

/// Adds a function that is an entry.
pub fn add_entry(program: &mut Program, function: Function) -> FuncId {
    let inputs =
        function.params.iter().map(|&param| function.tables.vars[param].name.to_string()).collect();
    let name = function.name.clone();
    let outputs = (0..function.results.len()).map(|n| format!("out{n}")).collect();
    let id = program.functions.push(function);
    program.entries.push(Entry {
        name,
        doc: None,
        signature: String::new(),
        function: id,
        inputs,
        outputs,
        tags: Vec::new(),
    });
    id
}
