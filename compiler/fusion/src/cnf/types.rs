//! The types of an operation's results and of its workers' parameters.
//!
//! Invariant: an operation determines its types completely, except for the sizes that are known only when it has run.
//! It determines which of these sizes are equal.
//!
//! ```text
//! map (\x -> x) xs, xs: [n]i64   ⇒   [n]i64
//! filter (\x -> …) xs            ⇒   [a new size]i64
//! ```

use super::{
    Atom, Callee, Extent, External, Function, LoopForm, Op, Program, SizeDef, Type, Var, Worker,
};
use arrc_syntax::ids::{PrimaryMap, SizeId, VarId};
use arrc_syntax::prim::{Const, Scalar};

/// A partial type: its sizes may not be known yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PartialType {
    /// The scalar's type, or that of the array's scalars.
    pub elem: Scalar,
    /// The dimensions, outermost first; none for a scalar.
    pub shape: Vec<Dim>,
}

/// A dimension of a [`PartialType`] type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dim {
    /// The dimension is this extent.
    Known(Extent),
    /// The dimension is the size with this definition.
    Defined(SizeDef),
    /// The dimension is a new size. Equal numbers stand for the same new size.
    New(usize),
}

/// Infers the result types of the operations of one function.
#[derive(Clone, Copy, Debug)]
pub struct Types<'a> {
    /// The program, for the signatures of the functions that are called.
    pub program: &'a Program,
    /// The function's variables.
    pub vars: &'a PrimaryMap<VarId, Var>,
}

type InferResult = Result<Vec<PartialType>, String>;

impl From<&Type> for PartialType {
    fn from(ty: &Type) -> Self {
        let shape = ty.shape().iter().map(|&extent| Dim::Known(extent)).collect();
        Self { elem: ty.scalars(), shape }
    }
}

impl From<Scalar> for PartialType {
    fn from(elem: Scalar) -> Self {
        Self { elem, shape: Vec::new() }
    }
}

impl PartialType {
    /// The type of arrays with elements of this type.
    fn array_of(mut self, size: Dim) -> Self {
        self.shape.insert(0, size);
        self
    }

    /// The type of the elements.
    fn element(mut self) -> Result<Self, String> {
        if self.shape.is_empty() {
            return Err("an array is wanted".into());
        }
        self.shape.remove(0);
        Ok(self)
    }

    /// Whether the two types agree up to their sizes.
    #[must_use]
    pub fn agrees(&self, ty: &Type) -> bool {
        self.elem == ty.scalars() && self.shape.len() == ty.rank()
    }
}

impl Types<'_> {
    /// The types of the results, as far as the operation determines them.
    ///
    /// # Errors
    /// A message that says which operand has the wrong type.
    pub fn results(self, op: &Op) -> InferResult {
        Ok(match op {
            Op::Scalar(operation) => {
                vec![operation.result(self.scalar(operation.args()[0])?).into()]
            }
            Op::Index { array, indices, inside: _ } => {
                let element = |told: PartialType, _| told.element();
                vec![indices.iter().try_fold(self.array(*array)?, element)?]
            }
            Op::Length { .. } => vec![Scalar::I64.into()],
            Op::Assert(_) => Vec::new(),
            Op::If { then, otherwise, .. } => self.branches(&then.results, &otherwise.results),
            Op::Map { worker, inputs } => {
                let size = self.size(inputs)?;
                self.yields(worker).map(|told| told.array_of(size.clone())).collect()
            }
            Op::Filter { inputs, keep, .. } => {
                self.extent(&[&inputs[..], keep].concat())?;
                self.with_first_dim(keep, &Dim::New(0))?
            }
            Op::FlatMap { worker, inputs } => {
                self.extent(inputs)?;
                let part = |told: PartialType| Ok(told.element()?.array_of(Dim::New(0)));
                return self.yields(worker).map(part).collect();
            }
            Op::Loop { form: LoopForm::For { count }, init, .. } => {
                self.integer(*count)?;
                self.atoms(init)
            }
            Op::Fold { init, .. } | Op::Loop { init, .. } => self.atoms(init),
            Op::Scan { worker, inputs, .. } => {
                let size = self.size(inputs)?;
                self.yields(worker).map(|told| told.array_of(size.clone())).collect()
            }
            Op::Generate { size, worker } => {
                self.integer(*size)?;
                let size = self.value(*size, 0);
                self.yields(worker).map(|told| told.array_of(size.clone())).collect()
            }
            Op::Gather { data, indices } => {
                self.extent(data)?;
                if self.array(*indices)?.elem != Scalar::I64 {
                    return Err("indices are i64".into());
                }
                self.with_first_dim(data, &self.size(&[*indices])?)?
            }
            Op::Cross { left, right } => {
                let product = SizeDef::Product(self.extent(left)?, self.extent(right)?);
                self.with_first_dim(&[&left[..], right].concat(), &Dim::Defined(product))?
            }
            Op::Append { left, right } => self.append(left, right)?,
            Op::Array { elem, elems } => {
                let first =
                    elems.first().map_or(PartialType::from(*elem), |&first| self.atom(first));
                vec![first.array_of(count(elems.len()))]
            }
            Op::Constant { shape, data } => {
                let shape = shape.iter().map(|&extent| Dim::Known(Extent::Const(extent)));
                vec![PartialType { elem: data.elem(), shape: shape.collect() }]
            }
            Op::Reshape { array, shape } => {
                let dims = shape.iter().enumerate().map(|(dim, &extent)| self.value(extent, dim));
                vec![PartialType { shape: dims.collect(), ..self.array(*array)? }]
            }
            Op::Replace { array, .. } => vec![self.array(*array)?],
            Op::Sort { sorting, array, .. } => {
                let told = self.array(*array)?;
                vec![PartialType { elem: sorting.gives(told.elem), ..told }]
            }
            Op::Call { callee: Callee::Function(id), args, .. } => {
                let callee = self.program.functions.get(*id).ok_or("a call is of a function")?;
                self.called(callee, args)?
            }
            Op::Call { callee: Callee::External(id), .. } => {
                external_results(self.program.externals.get(*id).ok_or("a call is of an external")?)
            }
        })
    }

    /// The types of the parameters of each block in the operation, in order.
    ///
    /// # Errors
    /// As [`Types::results`].
    pub fn params(self, op: &Op) -> Result<Vec<Vec<PartialType>>, String> {
        let elements = |first: Vec<PartialType>, arrays: &[VarId]| -> InferResult {
            let elements = arrays.iter().map(|&array| self.array(array)?.element());
            first.into_iter().map(Ok).chain(elements).collect()
        };
        Ok(match op {
            Op::Map { inputs, .. } | Op::FlatMap { inputs, .. } | Op::Filter { inputs, .. } => {
                vec![elements(Vec::new(), inputs)?]
            }
            Op::Fold { init, inputs, .. } | Op::Scan { init, inputs, .. } => {
                vec![elements(self.atoms(init), inputs)?]
            }
            Op::Generate { .. } => vec![vec![Scalar::I64.into()]],
            Op::Loop { form: LoopForm::While { .. }, init, .. } => vec![self.atoms(init); 2],
            Op::Loop { form: LoopForm::For { .. }, init, .. } => {
                vec![[self.atoms(init), vec![Scalar::I64.into()]].concat()]
            }
            Op::If { .. } => vec![Vec::new(); 2],
            Op::Scalar(_)
            | Op::Index { .. }
            | Op::Length { .. }
            | Op::Assert(_)
            | Op::Gather { .. }
            | Op::Cross { .. }
            | Op::Call { .. }
            | Op::Append { .. }
            | Op::Array { .. }
            | Op::Constant { .. }
            | Op::Reshape { .. }
            | Op::Sort { .. }
            | Op::Replace { .. } => Vec::new(),
        })
    }

    /// The types that each block in the operation must yield, in order. Blocks at the end that may yield any types
    /// are left out.
    #[must_use]
    pub fn expected_block_types(self, op: &Op) -> Vec<Vec<PartialType>> {
        let asks = matches!(op, Op::Filter { .. } | Op::Loop { form: LoopForm::While { .. }, .. });
        let flag = asks.then(|| vec![Scalar::Bool.into()]);
        flag.into_iter().chain(op.carried().map(|init| self.atoms(init))).collect()
    }

    /// The types of what both branches yield. Where two sizes differ, there is a new size; equal pairs of sizes give
    /// the same new size.
    fn branches(self, then: &[Atom], otherwise: &[Atom]) -> Vec<PartialType> {
        let mut new: Vec<(Extent, Extent)> = Vec::new();
        let both = then.iter().zip(otherwise).map(|(&then, &otherwise)| {
            let (then, otherwise) = (self.type_of(then), self.type_of(otherwise));
            let dims = then.shape().iter().zip(otherwise.shape()).map(|(&then, &otherwise)| {
                if then == otherwise {
                    return Dim::Known(then);
                }
                let place = new.iter().position(|&pair| pair == (then, otherwise));
                Dim::New(place.unwrap_or_else(|| {
                    new.push((then, otherwise));
                    new.len() - 1
                }))
            });
            PartialType { elem: then.scalars(), shape: dims.collect() }
        });
        both.collect()
    }

    /// The types of the arrays of an append: their size is the sum of both sizes.
    fn append(self, left: &[VarId], right: &[VarId]) -> InferResult {
        let size = match (self.extent(left)?, self.extent(right)?) {
            (Extent::Const(x), Extent::Const(y)) => {
                x.checked_add(y).map_or(Dim::New(0), |sum| Dim::Known(Extent::Const(sum)))
            }
            (left, right) => Dim::Defined(SizeDef::Sum(left, right)),
        };
        let (told, other) = (self.with_first_dim(left, &size)?, self.with_first_dim(right, &size)?);
        let same = |(one, other): (&PartialType, &PartialType)| {
            (one.elem, one.shape.len()) == (other.elem, other.shape.len())
        };
        if told.len() != other.len() || !told.iter().zip(&other).all(same) {
            return Err("both sides have one type".into());
        }
        Ok(told)
    }

    /// The result types of a call. Sizes of parameters become the sizes of the arguments.
    fn called(self, callee: &Function, args: &[Atom]) -> InferResult {
        let args = args.iter().zip(&callee.params);
        let arg = |param: VarId| args.clone().find(|&(_, of)| *of == param).map(|(&arg, _)| arg);
        let mut new: Vec<SizeId> = Vec::new();
        let mut extent = |of: Extent| {
            let Extent::Size(size) = of else { return Dim::Known(of) };
            let mut pairs = args.clone().flat_map(|(&arg, &param)| {
                let shape = callee.tables.vars[param].ty.shape().to_vec();
                shape.into_iter().zip(self.type_of(arg).shape().to_vec())
            });
            if let Some((_, found)) = pairs.find(|&(param, _)| param == of) {
                return Dim::Known(found);
            }
            let value = match callee.tables.sizes[size].def {
                SizeDef::Value(var) => arg(var),
                SizeDef::Param | SizeDef::Exists | SizeDef::Sum(..) | SizeDef::Product(..) => None,
            };
            let place = new.iter().position(|&other| other == size).unwrap_or_else(|| {
                new.push(size);
                new.len() - 1
            });
            value.map_or(Dim::New(place), |value| self.value(value, place))
        };
        let mut told = Vec::new();
        for ty in &callee.results {
            let shape = ty.shape().iter().map(|&of| extent(of)).collect();
            told.push(PartialType { elem: ty.scalars(), shape });
        }
        Ok(told)
    }

    fn yields(self, worker: &Worker) -> impl Iterator<Item = PartialType> {
        worker.body.results.iter().map(move |&result| self.atom(result))
    }

    fn atoms(self, atoms: &[Atom]) -> Vec<PartialType> {
        atoms.iter().map(|&atom| self.atom(atom)).collect()
    }

    fn type_of(self, atom: Atom) -> Type {
        match atom {
            Atom::Const(value) => Type::Scalar(value.ty),
            Atom::Var(var) => self.vars[var].ty.clone(),
        }
    }

    fn atom(self, atom: Atom) -> PartialType {
        (&self.type_of(atom)).into()
    }

    fn scalar(self, atom: Atom) -> Result<Scalar, String> {
        self.type_of(atom).as_scalar().ok_or_else(|| "a scalar is wanted".into())
    }

    fn integer(self, atom: Atom) -> Result<(), String> {
        if self.scalar(atom)? == Scalar::I64 { Ok(()) } else { Err("an i64 is wanted".into()) }
    }

    fn array(self, array: VarId) -> Result<PartialType, String> {
        let told = self.atom(Atom::Var(array));
        if told.shape.is_empty() { Err("an array is wanted".into()) } else { Ok(told) }
    }

    /// The types of the arrays with another first dimension.
    fn with_first_dim(self, arrays: &[VarId], size: &Dim) -> InferResult {
        arrays
            .iter()
            .map(|&array| Ok(self.array(array)?.element()?.array_of(size.clone())))
            .collect()
    }

    /// The common size of the arrays.
    fn extent(self, arrays: &[VarId]) -> Result<Extent, String> {
        let first = arrays.first().ok_or("there is at least one array")?;
        let shape = self.vars[*first].ty.shape();
        shape.first().copied().ok_or_else(|| "an array is wanted".into())
    }

    fn size(self, arrays: &[VarId]) -> Result<Dim, String> {
        self.extent(arrays).map(Dim::Known)
    }

    /// The size that is the value of a scalar. A negative constant gives the new size with this number.
    fn value(self, value: Atom, new: usize) -> Dim {
        match value {
            Atom::Var(var) => Dim::Defined(SizeDef::Value(var)),
            Atom::Const(Const { ty: Scalar::I64, bits }) => match bits.cast_signed() {
                size @ 0.. => Dim::Known(Extent::Const(size)),
                _ => Dim::New(new),
            },
            Atom::Const(_) => Dim::New(new),
        }
    }
}

fn count(elems: usize) -> Dim {
    Dim::Known(Extent::Const(i64::try_from(elems).expect("a literal fits into memory")))
}

/// The types of the results of a C function: every dimension is a new size.
fn external_results(callee: &External) -> Vec<PartialType> {
    let mut sizes = (0..).map(Dim::New);
    let outputs = callee.outputs.iter();
    let told = outputs
        .map(|of| PartialType { elem: of.elem, shape: sizes.by_ref().take(of.rank).collect() });
    told.collect()
}
