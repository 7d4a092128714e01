//! Calls of recursive definitions, and of those that are not to be inlined: finding or making the specialisation, and
//! passing the arguments.
//!
//! The arguments are first described ([`describe`](super::describe)): the parts that are passed at run
//! time, and the parts that are fixed in the specialisation. Two calls with one description share a function,
//! also while that function is still being built. The parameters of a new function are made from the description
//! ([`realise`](super::realise)).
//!
//! Invariant: the function and its arguments depend on nothing but the description.
//!
//! ```text
//! def each f n xs = … each f (n - 1) (map f xs)        each (\x -> x * k) 3 xs
//! ⇒ def each (k: i64) (n: i64) (xs: [n]i64) = …        call each k 3 xs
//! ```

use std::collections::BTreeMap;

use super::build::Builder;
use super::describe::Description;
use super::error::{Error, Eval};
use super::specialisations::Pending;
use super::value::{Array, Column, Env, Leaf, Ty, TyLeaf, Value};
use super::{MAX_CHAIN, Specialiser};
use crate::cnf::{Atom, Callee, Extent, Op, SizeDef, Type};
use crate::specialise::value_tree::{Sum, Tree};
use arrc_front::core;
use arrc_front::effect::Effect;
use arrc_syntax::ids::{DefId, FuncId, VarId};
use arrc_syntax::source::Span;

impl<'a> Specialiser<'a> {
    /// Calls a definition with all its arguments.
    pub(super) fn call(
        &mut self,
        id: DefId,
        types: &[Ty],
        args: Vec<Value<'a>>,
        span: Span,
    ) -> Eval<Value<'a>> {
        let def = &self.core.defs[id];
        let mut here = Env::default();
        here.types.extend(def.types.iter().copied().zip(types.iter().cloned()));
        let mark = self.build.next_var();
        for (param, arg) in def.params.iter().zip(&args) {
            self.learn(&mut here, &param.ty, arg);
            self.name(&param.pat, arg, mark);
            self.bind(&mut here, &param.pat, arg.clone());
        }
        let args: Vec<_> = def
            .params
            .iter()
            .zip(args)
            .map(|(param, arg)| self.align_declared(&here, &param.ty, arg, span))
            .collect();
        let result = self.declared_result(&mut here, def, span)?;
        let (description, actuals) = self.describe(id, types, &args, span);
        let function = match self.functions.get(&description) {
            Some(function) => function,
            None => self.request(description, span)?,
        };
        Ok(self.emit_call(function, actuals, &result, span))
    }

    /// Gives arrays the extents of the definition's types, where these are known.
    fn align_declared(
        &mut self,
        env: &Env<'a>,
        ty: &'a core::Type,
        value: Value<'a>,
        span: Span,
    ) -> Value<'a> {
        match (ty, value) {
            (core::Type::Array(..), Tree::Leaf(Leaf::Array(array))) => {
                let declared = self.declared_sizes(env, ty, &array);
                Tree::Leaf(Leaf::Array(self.build.aligned(&array, &declared, span)))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => Tree::Tuple(
                types
                    .iter()
                    .zip(items)
                    .map(|(ty, item)| self.align_declared(env, ty, item, span))
                    .collect(),
            ),
            (core::Type::Record(types), Tree::Record(fields)) => Tree::Record(
                fields
                    .into_iter()
                    .map(|(name, field)| {
                        let field = self.align_declared(env, &types[&name], field, span);
                        (name, field)
                    })
                    .collect(),
            ),
            (core::Type::Sum(types), Tree::Sum(sum)) => {
                let Sum { tag, cases } = *sum;
                let mut aligned = BTreeMap::new();
                for (name, payloads) in cases {
                    let pairs = types[&name].iter().zip(payloads);
                    let payloads =
                        pairs.map(|(ty, payload)| self.align_declared(env, ty, payload, span));
                    let payloads = payloads.collect();
                    aligned.insert(name, payloads);
                }
                Tree::Sum(Box::new(Sum { tag, cases: aligned }))
            }
            (_, value) => value,
        }
    }

    /// The array with the sizes that its declared type tells.
    fn declared_sizes(&mut self, env: &Env<'a>, ty: &core::Type, array: &Array) -> Array {
        let core::Type::Array(size, elem) = ty else { return array.clone() };
        let size = self.extent_of_size(env, size).unwrap_or(array.size);
        let elem = match (&**elem, &array.elem) {
            (rows @ core::Type::Array(..), Tree::Leaf(Column::Rows(part))) => {
                Tree::Leaf(Column::Rows(Box::new(self.declared_sizes(env, rows, part))))
            }
            (_, elem) => elem.clone(),
        };
        Array { size, elem }
    }

    /// The type of the call's result, with new sizes for those that only the call determines.
    fn declared_result(&mut self, env: &mut Env<'a>, def: &'a core::Def, span: Span) -> Eval<Ty> {
        let mut dimensions = Vec::new();
        def.result.dimensions(&mut dimensions);
        for size in dimensions {
            if self.extent_of_size(env, &size).is_none() {
                let name = self.size_name(&size);
                let fresh = self.build.fresh_size(name, SizeDef::Exists);
                self.learn_size(env, &size, Extent::Size(fresh));
            }
        }
        let ty = self.eval_type(env, &def.result, span)?;
        if ty.leaves().contains(&&TyLeaf::Fun) {
            let what = "this call of a recursive function gives".into();
            return Err(Box::new(Error::FunctionResult { span, what }));
        }
        Ok(ty)
    }

    /// Makes a specialisation, to be built later.
    fn request(&mut self, description: Description<'a>, span: Span) -> Eval<FuncId> {
        let id = description.def;
        let def = &self.core.defs[id];
        let mut chain = self.present.chain.clone();
        chain.push(id);
        if chain.iter().filter(|&&other| other == id).count() > MAX_CHAIN {
            let name = def.name.clone();
            return Err(Box::new(Error::Endless { span, name, def: def.span }));
        }
        let name = self.functions.fresh_name(&def.name);
        let func = self.functions.declare();
        let caller = std::mem::replace(&mut self.build, Builder::new());
        let env = self.realise(def, &description);
        self.functions.insert(description, func);
        let build = std::mem::replace(&mut self.build, caller);
        self.functions.push(Pending { func, name, def: id, build, env, chain });
        Ok(func)
    }

    /// Emits the call; its value has a variable for each scalar and array of the result.
    fn emit_call(
        &mut self,
        function: FuncId,
        args: Vec<Atom>,
        result: &Ty,
        span: Span,
    ) -> Value<'a> {
        let sized = self.sized(result);
        let mut types = Vec::new();
        result_types(&sized, &[], &mut types);
        // The effect is known only when all functions are built: see `effects`.
        let (callee, effect) = (Callee::Function(function), Effect::Io);
        let vars = self.build.emit(Op::Call { callee, args, effect }, types, span);
        let mut vars = vars.into_iter();
        sized.map(&mut |leaf| match leaf {
            TyLeaf::Array(size, elem) => Leaf::Array(result_array(*size, elem, &mut vars)),
            TyLeaf::Scalar(_) | TyLeaf::Fun => Leaf::Scalar(next_of(&mut vars).into()),
        })
    }

    /// The type with new sizes for those that nothing determines.
    fn sized(&mut self, ty: &Ty) -> Ty {
        ty.map(&mut |leaf| match leaf {
            TyLeaf::Array(size, elem) => {
                let size = size
                    .unwrap_or_else(|| Extent::Size(self.build.fresh_size("k", SizeDef::Exists)));
                TyLeaf::Array(Some(size), Box::new(self.sized(elem)))
            }
            TyLeaf::Scalar(_) | TyLeaf::Fun => leaf.clone(),
        })
    }
}

/// Adds the types of the variables of a call's result.
fn result_types(ty: &Ty, around: &[Extent], types: &mut Vec<Type>) {
    for leaf in ty.leaves() {
        match leaf {
            TyLeaf::Scalar(scalar) if around.is_empty() => types.push(Type::Scalar(*scalar)),
            TyLeaf::Scalar(elem) => types.push(Type::Array { elem: *elem, shape: around.to_vec() }),
            TyLeaf::Array(size, elem) => {
                result_types(elem, &[around, &[known(*size)]].concat(), types);
            }
            TyLeaf::Fun => unreachable!("a call that gives a function was rejected"),
        }
    }
}

fn result_array(size: Option<Extent>, elem: &Ty, vars: &mut std::vec::IntoIter<VarId>) -> Array {
    let elem = elem.map(&mut |leaf| match leaf {
        TyLeaf::Array(size, elem) => Column::Rows(Box::new(result_array(*size, elem, &mut *vars))),
        TyLeaf::Scalar(_) | TyLeaf::Fun => Column::Scalar(next_of(vars)),
    });
    Array { size: known(size), elem }
}

fn next_of(vars: &mut std::vec::IntoIter<VarId>) -> VarId {
    vars.next().expect("a call has a variable for each part of its result")
}

fn known(size: Option<Extent>) -> Extent {
    size.expect("every array of a call's result has a size")
}
