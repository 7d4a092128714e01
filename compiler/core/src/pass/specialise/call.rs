//! Calls of recursive definitions: finding or making the specialisation, and passing the arguments.
//!
//! The arguments are first described by [`Slot`]s: what of them is passed at run time, and what is
//! fixed in the specialisation. Two calls with one description share a function, also while that
//! function is still being built. Sizes are described by classes: a size of the definition's types is
//! one class, and so is each other extent that captured arrays have.
//!
//! Invariant: the description, and so the function's parameters, depend on nothing but the key.
//!
//! ```text
//! def each f n xs = … each f (n - 1) (map f xs)        each (\x -> x * k) 3 xs
//! ⇒ def each (k: i64) (n: i64) (xs: [n]i64) = …        call each k 3 xs
//! ```

use std::fmt::Write;
use std::rc::Rc;

use indexmap::IndexMap;

use super::build::Builder;
use super::error::{Error, Eval};
use super::tree::Tree;
use super::value::{Array, Code, Env, Fun, Leaf, Ty, TyLeaf, Value};
use super::{MAX_CHAIN, Pending, Specialiser};
use crate::ids::{DefId, FuncId, SizeId, TypeVar, VarId};
use crate::ir::cnf::{Atom, Extent, Op, SizeDef, Type};
use crate::ir::core::{self, Size};
use crate::names::Name;
use crate::prim::Scalar;
use crate::source::Span;

/// One leaf of an argument, as the specialisation sees it.
enum Slot<'a> {
    /// A parameter.
    Scalar(Scalar),
    /// A parameter for each leaf.
    Array(usize, Tree<Scalar>),
    /// Fixed, up to what it captures.
    Fun(FunSlot<'a>),
}

/// A function argument.
struct FunSlot<'a> {
    code: Code<'a>,
    vars: Vec<(VarId, Tree<Slot<'a>>)>,
    sizes: Vec<(SizeId, SizeSlot)>,
    types: Vec<(TypeVar, TySlot)>,
    args: Vec<Tree<Slot<'a>>>,
}

/// A captured size.
#[derive(Clone, Copy)]
enum SizeSlot {
    /// That of other arguments.
    Class(usize),
    /// A parameter of its own, which makes this class.
    Scalar(usize),
}

/// A captured type, with classes for its extents.
type TySlot = Tree<(TyLeaf, Option<usize>)>;

/// What a class of sizes is in the specialisation.
enum Class {
    /// What the definition's parameters say.
    Declared(Size),
    /// The size of captured arrays.
    Captured,
    /// Known when compiling.
    Const(i64),
    /// The value of a parameter.
    Scalar,
}

/// The description of a call's arguments.
#[derive(Default)]
struct Description<'a> {
    key: String,
    actuals: Vec<Atom>,
    args: IndexMap<usize, Tree<Slot<'a>>>,
    types: Vec<TySlot>,
    classes: Vec<Class>,
    /// The class of each extent of the caller.
    extents: IndexMap<Extent, usize>,
}

impl<'a> Specialiser<'a> {
    /// Calls a recursive definition with all its arguments.
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
        let mark = self.build.mark();
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
        let description = self.describe(id, types, &args, span)?;
        let actuals = description.actuals.clone();
        let function = match self.memo.get(&description.key) {
            Some(&function) => function,
            None => self.request(id, description, span)?,
        };
        let result = self.declared_result(&mut here, def, span)?;
        self.emit_call(function, actuals, &result, span)
    }

    /// Makes arrays have the extents that the definition's types say, where these are known.
    fn align_declared(
        &mut self,
        env: &Env<'a>,
        ty: &'a core::Type,
        value: Value<'a>,
        span: Span,
    ) -> Value<'a> {
        match (ty, value) {
            (core::Type::Array(size, _), Tree::Leaf(Leaf::Array(array))) => {
                let size = self.extent_of_size(env, size).unwrap_or(array.size);
                Tree::Leaf(Leaf::Array(self.build.aligned(&array, size, span)))
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
            (_, value) => value,
        }
    }

    fn describe(
        &mut self,
        id: DefId,
        types: &[Ty],
        args: &[Value<'a>],
        span: Span,
    ) -> Eval<Description<'a>> {
        let def = &self.core.defs[id];
        let mut description = Description { key: id.to_string(), ..Description::default() };
        // Functions last: sizes that they need may be those of arrays that are passed anyway.
        let is_fun = |&index: &usize| matches!(def.params[index].ty, core::Type::Fun(..));
        let (funs, data): (Vec<usize>, Vec<usize>) = (0..args.len()).partition(is_fun);
        for index in [data, funs].concat() {
            let ty = &def.params[index].ty;
            let slot = self.describe_declared(&mut description, ty, &args[index], span)?;
            description.args.insert(index, slot);
        }
        for ty in types {
            let slot = description.ty(ty);
            description.types.push(slot);
        }
        Ok(description)
    }

    /// Describes an argument whose type is written in the definition.
    fn describe_declared(
        &mut self,
        description: &mut Description<'a>,
        ty: &'a core::Type,
        value: &Value<'a>,
        span: Span,
    ) -> Eval<Tree<Slot<'a>>> {
        Ok(match (ty, value) {
            (core::Type::Array(size, _), Tree::Leaf(Leaf::Array(array))) => {
                let class = description.declared(size, array.size);
                Tree::Leaf(self.describe_array(description, class, array))
            }
            (core::Type::Tuple(types), Tree::Tuple(items)) => {
                description.key.push('(');
                let slots = types
                    .iter()
                    .zip(items)
                    .map(|(ty, item)| self.describe_declared(description, ty, item, span))
                    .collect::<Eval<_>>()?;
                description.key.push(')');
                Tree::Tuple(slots)
            }
            (core::Type::Record(types), Tree::Record(fields)) => {
                description.key.push('{');
                let slots = fields
                    .iter()
                    .map(|(name, field)| {
                        let ty = &types[name];
                        Ok((name.clone(), self.describe_declared(description, ty, field, span)?))
                    })
                    .collect::<Eval<_>>()?;
                description.key.push('}');
                Tree::Record(slots)
            }
            (_, value) => self.describe_value(description, value, span)?,
        })
    }

    /// Describes a captured value, or one of a type parameter's type.
    fn describe_value(
        &mut self,
        description: &mut Description<'a>,
        value: &Value<'a>,
        span: Span,
    ) -> Eval<Tree<Slot<'a>>> {
        // The shape of a tree is not told by its leaves alone.
        let shape =
            value.paths().iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>().join(",");
        description.key.push_str(&format!("<{shape}>"));
        value.try_map(&mut |leaf| match leaf {
            Leaf::Scalar(atom) => {
                let scalar = self.build.scalar_of(*atom);
                description.scalar(*atom, scalar);
                Ok(Slot::Scalar(scalar))
            }
            Leaf::Array(array) => {
                let class = description.captured(array.size);
                Ok(self.describe_array(description, class, array))
            }
            Leaf::Fun(fun) => Ok(Slot::Fun(self.describe_fun(description, fun, span)?)),
        })
    }

    fn describe_array(
        &self,
        description: &mut Description<'a>,
        class: usize,
        array: &Array,
    ) -> Slot<'a> {
        let elem = array.elem.map(&mut |&leaf| self.build.elem_of(leaf));
        description.push(format_args!("[{class}]"));
        for (path, scalar) in elem.paths() {
            description.push(format_args!("{path}:{scalar},"));
        }
        description.actuals.extend(array.elem.leaves().into_iter().map(|&leaf| Atom::Var(leaf)));
        Slot::Array(class, elem)
    }

    fn describe_fun(
        &mut self,
        description: &mut Description<'a>,
        fun: &Fun<'a>,
        span: Span,
    ) -> Eval<FunSlot<'a>> {
        let (mut vars, mut sizes, mut types) = (Vec::new(), Vec::new(), Vec::new());
        match &fun.code {
            Code::Lambda { lambda, env, .. } => {
                let free = self.free(lambda);
                description.push(format_args!("\\{}", free.number));
                for (&var, value) in &env.vars {
                    vars.push((var, self.describe_value(description, value, span)?));
                }
                for (&size, &needed) in &free.sizes {
                    if let Some(&extent) = env.sizes.get(&size)
                        && let Some(slot) = self.describe_size(description, extent, needed, span)
                    {
                        sizes.push((size, slot));
                    }
                }
                for (&var, ty) in &env.types {
                    types.push((var, description.ty(ty)));
                }
            }
            Code::Global(def, args) => {
                description.push(format_args!("{def}"));
                for ty in args {
                    // Kept in `types` under the position's own name: see `Realise::code`.
                    types.push((TypeVar::from_u32(0), description.ty(ty)));
                }
            }
            Code::Bin(op) => description.push(format_args!("{op:?}")),
            Code::Un(op) => description.push(format_args!("{op:?}")),
        }
        description.key.push('(');
        let args = fun
            .args
            .iter()
            .map(|arg| self.describe_value(description, arg, span))
            .collect::<Eval<_>>()?;
        description.key.push(')');
        Ok(FunSlot { code: fun.code.clone(), vars, sizes, types, args })
    }

    /// Describes a captured size: that of an array that is passed anyway, or if its value is needed,
    /// an argument of its own.
    fn describe_size(
        &mut self,
        description: &mut Description<'a>,
        extent: Extent,
        needed: bool,
        span: Span,
    ) -> Option<SizeSlot> {
        let known = matches!(extent, Extent::Const(_)) || description.extents.contains_key(&extent);
        if known {
            let class = description.captured(extent);
            description.push(format_args!("k{class}"));
            return Some(SizeSlot::Class(class));
        }
        let value = if needed { self.build.size_value(extent, span) } else { None };
        let Some(value) = value else {
            description.key.push('k');
            return None;
        };
        let class = description.class(Class::Scalar);
        description.extents.insert(extent, class);
        description.scalar(value, Scalar::I64);
        Some(SizeSlot::Scalar(class))
    }

    /// Makes a specialisation, to be built later.
    fn request(&mut self, id: DefId, description: Description<'a>, span: Span) -> Eval<FuncId> {
        let def = &self.core.defs[id];
        let mut chain = self.chain.clone();
        chain.push(id);
        if chain.iter().filter(|&&other| other == id).count() > MAX_CHAIN {
            let name = def.name.clone();
            return Err(Box::new(Error::Endless { span, name, def: def.span }));
        }
        let name = self.fresh_name(&def.name);
        let func = self.functions.push(None);
        self.memo.insert(description.key.clone(), func);
        let caller = std::mem::replace(&mut self.build, Builder::new());
        let env = self.realise(def, &description);
        let build = std::mem::replace(&mut self.build, caller);
        self.pending.push(Pending { func, name, def: id, build, env, chain });
        Ok(func)
    }

    /// Makes the parameters of a specialisation, in the order of the description, and binds the
    /// definition's patterns to them.
    fn realise(&mut self, def: &'a core::Def, description: &Description<'a>) -> Env<'a> {
        let mut env = Env::default();
        let mut extents = IndexMap::new();
        for (&index, slots) in &description.args {
            let param = &def.params[index];
            let mut realise =
                Realise { classes: &description.classes, extents: &mut extents, env: &mut env };
            let value = realise.value(self, slots, "arg");
            let first = VarId::from_u32(0);
            self.name(&param.pat, &value, first);
            self.learn(&mut env, &param.ty, &value);
            self.bind(&mut env, &param.pat, value);
        }
        for (&var, slot) in def.types.iter().zip(&description.types) {
            let ty = realise_type(slot, &extents);
            env.types.insert(var, ty);
        }
        env
    }

    /// The type of the call's result, with new sizes for those that only the call tells.
    fn declared_result(&mut self, env: &mut Env<'a>, def: &'a core::Def, span: Span) -> Eval<Ty> {
        let mut ty = &def.result;
        while let core::Type::Exists(sizes, inner) = ty {
            for &size in sizes {
                let name = self.core.sizes[size].name.clone();
                let fresh = self.build.fresh_size(name, SizeDef::Exists);
                env.sizes.insert(size, Extent::Size(fresh));
            }
            ty = inner;
        }
        self.eval_type(env, ty, span)
    }

    fn emit_call(
        &mut self,
        function: FuncId,
        args: Vec<Atom>,
        result: &Ty,
        span: Span,
    ) -> Eval<Value<'a>> {
        let mut types = Vec::new();
        let shape = result.try_map(&mut |leaf| match leaf {
            TyLeaf::Scalar(scalar) => {
                types.push(Type::Scalar(*scalar));
                Ok((Extent::Const(0), Tree::Tuple(Vec::new())))
            }
            TyLeaf::Array(size, elem) => {
                let size = size
                    .unwrap_or_else(|| Extent::Size(self.build.fresh_size("k", SizeDef::Exists)));
                let arrays = elem.leaves().into_iter();
                types.extend(arrays.map(|&elem| Type::Array { elem, shape: vec![size] }));
                Ok((size, elem.clone()))
            }
            TyLeaf::Fun => {
                let what = "this call of a recursive function gives".into();
                Err(Box::new(Error::FunctionResult { span, what }))
            }
        })?;
        let vars = self.build.emit(Op::Call { function, args }, types, span);
        let mut vars = vars.into_iter();
        let mut next = || vars.next().expect("a call has a variable for each leaf of its result");
        let mut leaves = Vec::new();
        for (leaf, (size, elem)) in result.leaves().into_iter().zip(shape.leaves()) {
            leaves.push(match leaf {
                TyLeaf::Array(..) => {
                    Leaf::Array(Array { size: *size, elem: elem.map(&mut |_| next()) })
                }
                TyLeaf::Scalar(_) | TyLeaf::Fun => Leaf::Scalar(next().into()),
            });
        }
        Ok(result.refill(leaves))
    }
}

impl Description<'_> {
    fn push(&mut self, text: std::fmt::Arguments<'_>) {
        self.key.write_fmt(text).expect("writing to a string does not fail");
    }

    fn scalar(&mut self, actual: Atom, scalar: Scalar) {
        self.push(format_args!("{scalar};"));
        self.actuals.push(actual);
    }

    fn class(&mut self, class: Class) -> usize {
        self.classes.push(class);
        self.classes.len() - 1
    }

    /// The class of a size that the definition's types mention.
    fn declared(&mut self, size: &Size, extent: Extent) -> usize {
        let known = self
            .classes
            .iter()
            .position(|class| matches!(class, Class::Declared(other) if other == size));
        let class = known.unwrap_or_else(|| self.class(Class::Declared(size.clone())));
        self.extents.entry(extent).or_insert(class);
        class
    }

    /// The class of an extent that captured arrays have.
    fn captured(&mut self, extent: Extent) -> usize {
        if let Some(&class) = self.extents.get(&extent) {
            return class;
        }
        let class = match extent {
            Extent::Const(value) => {
                self.push(format_args!("={value}"));
                self.class(Class::Const(value))
            }
            Extent::Size(_) => self.class(Class::Captured),
        };
        self.extents.insert(extent, class);
        class
    }

    fn ty(&mut self, ty: &Ty) -> TySlot {
        let slot = ty.map(&mut |leaf| match leaf {
            TyLeaf::Array(Some(size), _) => {
                let known = matches!(size, Extent::Const(_)) || self.extents.contains_key(size);
                let class = known.then(|| self.captured(*size));
                (leaf.clone(), class)
            }
            TyLeaf::Array(None, _) | TyLeaf::Scalar(_) | TyLeaf::Fun => (leaf.clone(), None),
        });
        for (path, (leaf, class)) in slot.paths() {
            match leaf {
                TyLeaf::Scalar(scalar) => self.push(format_args!("{path}:{scalar},")),
                TyLeaf::Array(_, elem) => self.push(format_args!("{path}:{class:?}{elem:?},")),
                TyLeaf::Fun => self.push(format_args!("{path}:->,")),
            }
        }
        slot
    }
}

/// Turns slots into parameters of the function that is built.
struct Realise<'d, 'a> {
    classes: &'d [Class],
    extents: &'d mut IndexMap<usize, Extent>,
    env: &'d mut Env<'a>,
}

impl<'a> Realise<'_, 'a> {
    fn value(&mut self, to: &mut Specialiser<'a>, slots: &Tree<Slot<'a>>, name: &str) -> Value<'a> {
        slots.map(&mut |slot| match slot {
            Slot::Scalar(scalar) => {
                Leaf::Scalar(to.build.param(name, Type::Scalar(*scalar)).into())
            }
            Slot::Array(class, elem) => {
                let size = self.extent(to, *class);
                let elem = elem.map(&mut |&elem| {
                    to.build.param(name, Type::Array { elem, shape: vec![size] })
                });
                Leaf::Array(Array { size, elem })
            }
            Slot::Fun(fun) => Leaf::Fun(Rc::new(self.fun(to, fun))),
        })
    }

    fn extent(&mut self, to: &mut Specialiser<'a>, class: usize) -> Extent {
        if let Some(&extent) = self.extents.get(&class) {
            return extent;
        }
        let extent = match &self.classes[class] {
            Class::Declared(size) => to.declared_extent(self.env, size),
            Class::Captured => Extent::Size(to.build.fresh_size("k", SizeDef::Param)),
            Class::Const(value) => Extent::Const(*value),
            Class::Scalar => panic!("a class with a parameter is made with the parameter"),
        };
        self.extents.insert(class, extent);
        extent
    }

    fn fun(&mut self, to: &mut Specialiser<'a>, fun: &FunSlot<'a>) -> Fun<'a> {
        let vars = fun
            .vars
            .iter()
            .map(|(var, slots)| {
                let name: Name = to.core.vars[*var].name.clone();
                (*var, self.value(to, slots, &name))
            })
            .collect();
        let sizes =
            fun.sizes.iter().map(|(size, slot)| (*size, self.size(to, *size, *slot))).collect();
        let types = fun.types.iter().map(|(var, slot)| (*var, realise_type(slot, self.extents)));
        let code = match &fun.code {
            Code::Lambda { lambda, params, body, .. } => {
                let env = Rc::new(Env { vars, sizes, types: types.collect() });
                Code::Lambda { lambda, params, body, env }
            }
            Code::Global(def, _) => Code::Global(*def, types.map(|(_, ty)| ty).collect()),
            Code::Bin(op) => Code::Bin(*op),
            Code::Un(op) => Code::Un(*op),
        };
        let args = fun.args.iter().map(|slots| self.value(to, slots, "arg")).collect();
        Fun { code, args }
    }

    fn size(&mut self, to: &mut Specialiser<'a>, size: SizeId, slot: SizeSlot) -> Extent {
        match slot {
            SizeSlot::Class(class) => self.extent(to, class),
            SizeSlot::Scalar(class) => {
                let name = to.core.sizes[size].name.clone();
                let param = to.build.param(name, Type::Scalar(Scalar::I64));
                let extent = to.build.extent_of(param.into());
                self.extents.insert(class, extent);
                extent
            }
        }
    }
}

impl<'a> Specialiser<'a> {
    /// The extent of a parameter's array: what is known of the size, or a new one.
    pub(super) fn declared_extent(&mut self, env: &mut Env<'a>, size: &Size) -> Extent {
        if let Some(extent) = self.extent_of_size(env, size) {
            return extent;
        }
        let name = size
            .terms
            .keys()
            .flatten()
            .next()
            .map_or_else(|| "k".into(), |&factor| self.core.sizes[factor].name.clone());
        let extent = Extent::Size(self.build.fresh_size(name, SizeDef::Param));
        self.learn_size(env, size, extent);
        extent
    }
}

fn realise_type(slot: &TySlot, extents: &IndexMap<usize, Extent>) -> Ty {
    slot.map(&mut |(leaf, class)| match leaf {
        TyLeaf::Array(_, elem) => {
            let size = class.and_then(|class| extents.get(&class).copied());
            TyLeaf::Array(size, elem.clone())
        }
        TyLeaf::Scalar(_) | TyLeaf::Fun => leaf.clone(),
    })
}
