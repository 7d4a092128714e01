//! The operations of combinator normal form, from how they are written.
//!
//! Invariant: the operators and functions of scalars are those of the tables in `prim`.
//!
//! ```text
//! unzip (map2 (\x y -> …) xs ys)   ⇒   Map { worker, inputs: [xs, ys] }
//! ```

use arr_abi::ErrorCode;

use super::cnf::Reader;
use super::tree::{Kind, Lambda, Loop, LoopForm, Term};
use super::{Read, wrong};
use crate::ids::VarId;
use crate::ir::check::Piece;
use crate::ir::cnf::{self, Atom, Callee, Dim, Extent, Op, Order, Prefix, Worker};
use crate::ir::data::Data;
use crate::ir::effect::Effect;
use crate::prim::{BinOp, Const, Scalar, UnOp};
use crate::source::Span;

/// The operation.
pub(super) fn op(reader: &mut Reader<'_>, term: &Term) -> Read<Op> {
    let at = term.at;
    let atoms = |reader: &Reader<'_>, terms: &[Term]| -> Read<Vec<Atom>> {
        terms.iter().map(|term| reader.atom(term)).collect()
    };
    Ok(match &term.kind {
        Kind::Apply(name, args) => return apply(reader, name, args, at),
        Kind::Name(name) => return apply(reader, name, &[], at),
        Kind::Prefix(sign, x) => {
            let x = reader.atom(x)?;
            let ty = reader.scalar(x, at)?;
            let fits = |op: &UnOp| op.row().sign == Some(*sign) && op.accepts(ty);
            Op::Un(found(UnOp::ALL.iter().copied().find(fits), at)?, x)
        }
        Kind::Infix(left, sign, right) if sign == "++" => Op::Append {
            left: vec![variable(reader, left)?],
            right: vec![variable(reader, right)?],
        },
        Kind::Infix(left, sign, right) => infix(reader, left, sign, right, at)?,
        Kind::Index(array, indices) => Op::Index {
            array: reader.var(&array.name, array.span)?,
            indices: atoms(reader, indices)?,
        },
        Kind::Replace(array, indices, value) => Op::Replace {
            array: reader.var(&array.name, array.span)?,
            indices: atoms(reader, indices)?,
            value: reader.atom(value)?,
        },
        Kind::Tuple(sums) => {
            let mut sides = (Vec::new(), Vec::new());
            for sum in sums {
                let Op::Append { left, right } = op(reader, sum)? else {
                    return wrong(sum.at, "`++` is wanted");
                };
                sides.0.extend(left);
                sides.1.extend(right);
            }
            Op::Append { left: sides.0, right: sides.1 }
        }
        Kind::List(terms) => match constants(term) {
            Some(values) if !values.is_empty() => Op::Constant(Data::new(values[0].ty, values)),
            _ => literal(reader, terms)?,
        },
        Kind::Empty(ty) => Op::Array { elem: ty.elem, elems: Vec::new() },
        Kind::Assert(cond, fault, message) => {
            let code = ErrorCode::ALL.into_iter().find(|code| code.name() == fault.name.as_str());
            let message = message.iter().map(|piece| {
                if let Kind::Text(text) = &piece.kind {
                    return Ok(Piece::text(text.clone()));
                }
                reader.atom(piece).map(Piece::Value)
            });
            let message = message.collect::<Read<Vec<_>>>()?;
            Op::Assert { cond: reader.atom(cond)?, fault: found(code, fault.span)?, message }
        }
        Kind::If(cond, then, otherwise) => {
            let cond = reader.atom(cond)?;
            Op::If { cond, then: reader.block(then)?, otherwise: reader.block(otherwise)? }
        }
        Kind::Loop(tree) => return repeated(reader, tree, at),
        Kind::Const(_) | Kind::Text(_) | Kind::Lambda(_) => {
            return wrong(at, "an operation is wanted");
        }
    })
}

fn found<T>(what: Option<T>, at: Span) -> Read<T> {
    match what {
        Some(what) => Ok(what),
        None => wrong(at, "there is no such operation on operands of these types"),
    }
}

/// A call, a combinator, or a function of scalars.
fn apply(reader: &mut Reader<'_>, name: &str, args: &[Term], at: Span) -> Read<Op> {
    if let Some(&callee) = reader.callees.get(name) {
        let args = args.iter().map(|arg| reader.atom(arg)).collect::<Read<_>>()?;
        let effect = match callee {
            Callee::External(id) => reader.types().program.externals[id].effect,
            // Which functions have one is known when all are read.
            Callee::Function(_) => Effect::Pure,
        };
        return Ok(Op::Call { callee, args, effect });
    }
    if let Some((module, name)) = name.split_once('.') {
        return scalar(reader, (module, name), args, at);
    }
    match (name.trim_end_matches(|c: char| c.is_ascii_digit()), args) {
        ("unzip", [inside]) => op(reader, inside),
        ("length", [array]) => {
            let mut dim = 0;
            let mut row = array;
            while let Kind::Apply(head, args) = &row.kind
                && let ("head", [inner]) = (head.as_str(), &args[..])
            {
                dim += 1;
                row = inner;
            }
            let array = variable(reader, row)?;
            if dim >= reader.types().function.tables.vars[array].ty.rank() {
                return wrong(at, "the dimension exists");
            }
            Ok(Op::Length { array, dim })
        }
        ("reshape", [array, shape]) => {
            let array = variable(reader, array)?;
            let Kind::List(shape) = &shape.kind else { return wrong(shape.at, "a list is wanted") };
            let shape = shape.iter().map(|extent| reader.atom(extent)).collect::<Read<_>>()?;
            Ok(Op::Reshape { array, shape })
        }
        ("array", [Term { kind: Kind::List(terms), .. }]) => literal(reader, terms),
        ("gather", [data, indices]) => {
            Ok(Op::Gather { data: zipped(reader, data)?, indices: variable(reader, indices)? })
        }
        ("cross", [left, right]) => {
            Ok(Op::Cross { left: zipped(reader, left)?, right: zipped(reader, right)? })
        }
        (word, _) => combinator(reader, word, args, at),
    }
}

/// An operation that applies a function to elements.
fn combinator(reader: &mut Reader<'_>, word: &str, args: &[Term], at: Span) -> Read<Op> {
    let lambda = args
        .iter()
        .find_map(|arg| if let Kind::Lambda(lambda) = &arg.kind { Some(&**lambda) } else { None });
    let Some(lambda) = lambda else {
        return wrong(at, format!("there is no operation `{word}` of such operands"));
    };
    let worker = Worker { params: Vec::new(), body: cnf::Block::default() };
    let orders = [Order::Strict, Order::Associative, Order::Commutative];
    let order = |word| orders.into_iter().find(|order| order.name() == word);
    let op = match (word, args) {
        ("map", [_, arrays @ ..]) => Op::Map { worker, inputs: variables(reader, arrays)? },
        ("flatmap", [_, arrays @ ..]) => Op::FlatMap { worker, inputs: variables(reader, arrays)? },
        ("filter", [_, arrays]) => {
            let keep = zipped(reader, arrays)?;
            let binders = lambda.params.iter().flatten();
            let looked = binders.zip(&keep).filter(|(binder, _)| binder.name.is_some());
            Op::Filter { worker, inputs: looked.map(|(_, &array)| array).collect(), keep }
        }
        ("filter", [_, inputs, Term { kind: Kind::Name(word), .. }, keep]) if word == "keeping" => {
            Op::Filter { worker, inputs: zipped(reader, inputs)?, keep: zipped(reader, keep)? }
        }
        ("scan" | "exscan", [_, init, arrays]) => {
            let (init, inputs) = (reader.atoms(init)?, zipped(reader, arrays)?);
            let all = [Prefix::Inclusive, Prefix::Exclusive];
            let prefix = found(all.into_iter().find(|prefix| prefix.name() == word), at)?;
            Op::Scan { prefix, worker, init, inputs }
        }
        ("generate", [size, _]) => Op::Generate { size: reader.atom(size)?, worker },
        (word, [_, init, arrays]) if order(word).is_some() => {
            let (init, inputs) = (reader.atoms(init)?, zipped(reader, arrays)?);
            Op::Fold { order: found(order(word), at)?, worker, init, inputs }
        }
        (word, _) => return wrong(at, format!("there is no operation `{word}` of such operands")),
    };
    with_workers(reader, op, &[lambda], at)
}

/// Reads the functions that an operation applies: what they take is known when its operands are.
fn with_workers(reader: &mut Reader<'_>, mut op: Op, lambdas: &[&Lambda], at: Span) -> Read<Op> {
    let params = match reader.types().params(&op) {
        Ok(params) => params,
        Err(message) => return wrong(at, message),
    };
    let mut workers = Vec::new();
    for (lambda, params) in lambdas.iter().zip(params) {
        workers.push(reader.worker(lambda, params, at)?);
    }
    for (place, worker) in op.workers_mut().into_iter().zip(workers) {
        *place = worker;
    }
    Ok(op)
}

fn repeated(reader: &mut Reader<'_>, tree: &Loop, at: Span) -> Read<Op> {
    let none = || Worker { params: Vec::new(), body: cnf::Block::default() };
    let init = reader.atoms(&tree.init)?;
    let mut params = vec![tree.carried.clone()];
    let (form, cond) = match &tree.form {
        LoopForm::For(counter, count) => {
            let counter = super::tree::Binder { name: Some(counter.clone()), ty: None };
            params.push(vec![counter]);
            (cnf::LoopForm::For { count: reader.atom(count)? }, None)
        }
        LoopForm::While(cond) => (cnf::LoopForm::While { cond: none() }, Some(cond)),
    };
    let body = Lambda { params, body: tree.body.clone() };
    let lambdas: Vec<&Lambda> = cond.into_iter().chain([&body]).collect();
    with_workers(reader, Op::Loop { form, init, worker: none() }, &lambdas, at)
}

/// `x + y`.
fn infix(reader: &Reader<'_>, left: &Term, sign: &str, right: &Term, at: Span) -> Read<Op> {
    let (left, right) = (reader.atom(left)?, reader.atom(right)?);
    let ty = reader.scalar(left, at)?;
    let sign = match sign {
        "&&" if ty == Scalar::Bool => "&",
        "||" if ty == Scalar::Bool => "|",
        sign => sign,
    };
    let fits = |op: &BinOp| op.is_infix() && op.name() == sign && op.accepts(ty);
    Ok(Op::Bin(found(BinOp::ALL.iter().copied().find(fits), at)?, left, right))
}

/// `f64.max x y`.
fn scalar(reader: &Reader<'_>, (module, name): (&str, &str), args: &[Term], at: Span) -> Read<Op> {
    let args = args.iter().map(|arg| reader.atom(arg)).collect::<Read<Vec<_>>>()?;
    let Some(&first) = args.first() else { return found(None, at) };
    let ty = reader.scalar(first, at)?;
    match args[..] {
        [x] => {
            let conversions = Scalar::ALL.into_iter().map(UnOp::To);
            let fits = |op: &UnOp| {
                op.accepts(ty) && op.module(ty).name() == module && op.name_on(ty) == name
            };
            Ok(Op::Un(found(UnOp::ALL.iter().copied().chain(conversions).find(fits), at)?, x))
        }
        [x, y] => {
            let fits = |op: &BinOp| !op.is_infix() && op.accepts(ty) && op.name() == name;
            Ok(Op::Bin(found(BinOp::ALL.iter().copied().find(fits), at)?, x, y))
        }
        [x, y, z] if name == "fma" => Ok(Op::Fma([x, y, z])),
        _ => found(None, at),
    }
}

/// An array literal that is made when it is reached.
fn literal(reader: &Reader<'_>, terms: &[Term]) -> Read<Op> {
    let elems = terms.iter().map(|term| reader.atom(term)).collect::<Read<Vec<_>>>()?;
    let elem =
        elems.first().map_or(Scalar::I64, |&elem| reader.types().function.type_of(elem).scalars());
    Ok(Op::Array { elem, elems })
}

/// The constants of a literal that has nothing else, row by row.
fn constants(term: &Term) -> Option<Vec<Const>> {
    if let Kind::Const(value) = &term.kind {
        return Some(vec![*value]);
    }
    let Kind::List(terms) = &term.kind else { return None };
    let all = terms.iter().map(constants).collect::<Option<Vec<_>>>()?.concat();
    all.iter().all(|value| value.ty == all[0].ty).then_some(all)
}

/// The extents of a literal: how many parts it has, and how many each of them has.
pub(super) fn literal_shape(term: &Term) -> Vec<Dim> {
    let mut shape = Vec::new();
    let mut part = Some(term);
    while let Some(Term { kind: Kind::List(terms), .. }) = part {
        let count = i64::try_from(terms.len()).expect("a literal fits into memory");
        shape.push(Dim::Known(Extent::Const(count)));
        part = terms.first();
    }
    shape
}

fn variable(reader: &Reader<'_>, term: &Term) -> Read<VarId> {
    let Kind::Name(name) = &term.kind else { return wrong(term.at, "a variable is wanted") };
    reader.var(name, term.at)
}

fn variables(reader: &Reader<'_>, terms: &[Term]) -> Read<Vec<VarId>> {
    terms.iter().map(|term| variable(reader, term)).collect()
}

/// The arrays of `zip3 xs ys zs`, or the one array.
fn zipped(reader: &Reader<'_>, term: &Term) -> Read<Vec<VarId>> {
    if let Kind::Apply(zip, arrays) = &term.kind
        && zip.starts_with("zip")
    {
        return variables(reader, arrays);
    }
    if matches!(&term.kind, Kind::Name(zip) if zip == "zip0") {
        return Ok(Vec::new());
    }
    Ok(vec![variable(reader, term)?])
}
