//! Walking over expressions, and taking types apart.
//!
//! Invariant: the children come in the order in which they are evaluated.
//!
//! ```text
//! App(f, [x, y])   ⇒   f, x, y
//! ```

use indexmap::IndexMap;

use super::{Def, Expr, ExprKind, LoopForm, Phase, Size, Type};
use arrc_syntax::ids::SizeVar;

impl Type {
    /// The type with these sizes added in front, as in `?[k]`.
    #[must_use]
    pub fn with_bound_sizes(self, sizes: Vec<SizeVar>) -> Self {
        let (own, body) = self.without_exists();
        let all = [sizes, own].concat();
        if all.is_empty() { body } else { Self::Exists(all, Box::new(body)) }
    }

    /// The sizes of the arrays in data of the type, in order of writing.
    pub fn dimensions(&self, found: &mut Vec<Size>) {
        match self {
            Self::Scalar(_) | Self::Fun(..) | Self::Var(_) => {}
            Self::Tuple(items) => items.iter().for_each(|ty| ty.dimensions(found)),
            Self::Record(fields) => fields.values().for_each(|ty| ty.dimensions(found)),
            Self::Sum(constructors) => {
                constructors.values().flatten().for_each(|ty| ty.dimensions(found));
            }
            Self::Array(size, element) => {
                found.push(size.clone());
                element.dimensions(found);
            }
            Self::Exists(_, body) => body.dimensions(found),
            Self::Hidden(hidden) => {
                found.extend(hidden.sizes.iter().cloned());
                hidden.types.iter().for_each(|ty| ty.dimensions(found));
            }
        }
    }

    /// The sizes that stand at the same places in a type and in an instance of it, also in functions.
    pub fn paired_sizes<'t>(&'t self, instance: &'t Self, found: &mut Vec<(&'t Size, &'t Size)>) {
        match (self, instance) {
            (Self::Array(size, element), Self::Array(own, own_element)) => {
                found.push((size, own));
                element.paired_sizes(own_element, found);
            }
            (Self::Tuple(items), Self::Tuple(own)) => {
                items.iter().zip(own).for_each(|(ty, own)| ty.paired_sizes(own, found));
            }
            (Self::Record(fields), Self::Record(own)) => {
                fields.iter().for_each(|(name, ty)| ty.paired_sizes(&own[name], found));
            }
            (Self::Sum(constructors), Self::Sum(own)) => {
                let payloads = |(name, types): (_, &'t Vec<Self>)| types.iter().zip(&own[name]);
                let pairs = constructors.iter().flat_map(payloads);
                pairs.for_each(|(ty, own)| ty.paired_sizes(own, found));
            }
            (Self::Fun(_, from, to), Self::Fun(_, own_from, own_to)) => {
                from.paired_sizes(own_from, found);
                to.paired_sizes(own_to, found);
            }
            (Self::Hidden(hidden), Self::Hidden(own)) => {
                found.extend(hidden.sizes.iter().zip(&own.sizes));
                let types = hidden.types.iter().zip(&own.types);
                types.for_each(|(ty, own)| ty.paired_sizes(own, found));
            }
            (Self::Exists(_, body), Self::Exists(_, own)) => body.paired_sizes(own, found),
            (Self::Exists(_, body), own) => body.paired_sizes(own, found),
            (
                Self::Scalar(_)
                | Self::Var(_)
                | Self::Array(..)
                | Self::Tuple(_)
                | Self::Record(_)
                | Self::Sum(_)
                | Self::Fun(..)
                | Self::Hidden(_),
                _,
            ) => {}
        }
    }

    /// The sizes of the `?[k]` in front of the type, and the type behind it.
    #[must_use]
    pub fn without_exists(self) -> (Vec<SizeVar>, Self) {
        if let Self::Exists(sizes, body) = self { (sizes, *body) } else { (Vec::new(), self) }
    }
}

impl Def {
    /// The size parameters that no argument determines. An argument determines a size if it is an array with this
    /// size as a dimension. The type at which the definition is used determines the other sizes.
    #[must_use]
    pub fn undetermined_sizes(&self) -> Vec<SizeVar> {
        if self.sizes.is_empty() {
            return Vec::new();
        }
        let mut dimensions = Vec::new();
        self.params.iter().for_each(|param| param.ty.dimensions(&mut dimensions));
        let told: Vec<SizeVar> = dimensions.iter().filter_map(Size::as_symbol).collect();
        self.sizes.iter().copied().filter(|size| !told.contains(size)).collect()
    }

    /// The values of the sizes that no argument determines, where the definition is used at the type `instance`.
    /// Sizes that this type does not determine are missing.
    #[must_use]
    pub fn size_arguments(&self, instance: &Type) -> Vec<(SizeVar, Size)> {
        let untold = self.undetermined_sizes();
        if untold.is_empty() {
            return Vec::new();
        }
        let pairs = self.paired_sizes(instance);
        let mut told: IndexMap<SizeVar, Size> = IndexMap::new();
        loop {
            let before = told.len();
            for (size, own) in &pairs {
                let size = size.substitute(|id| told.get(&id).cloned());
                let symbols = size.symbols().into_iter();
                let mut open =
                    symbols.filter(|id| self.sizes.contains(id) && !told.contains_key(id));
                if let (Some(id), None) = (open.next(), open.next())
                    && let Some(solution) = size.solved(id, own)
                {
                    told.insert(id, solution);
                }
            }
            if told.len() == before {
                told.retain(|size, _| untold.contains(size));
                return told.into_iter().collect();
            }
        }
    }

    /// The sizes in the types of the parameters and the result, paired with the sizes at the same places of
    /// `instance`, the type at which the definition is used.
    fn paired_sizes<'t>(&'t self, mut instance: &'t Type) -> Vec<(&'t Size, &'t Size)> {
        let mut found = Vec::new();
        for param in &self.params {
            let Type::Fun(_, from, to) = instance else { return found };
            param.ty.paired_sizes(from, &mut found);
            instance = to;
        }
        self.result.paired_sizes(instance, &mut found);
        found
    }
}

/// Gives a function every direct part of an expression, for reading or for changing.
macro_rules! walk {
    ($kind:expr, $f:ident, $dims:ident, $parts:ident, [$($m:tt)?]) => {
        match $kind {
            ExprKind::Const(_)
            | ExprKind::Text(_)
            | ExprKind::Var(_)
            | ExprKind::Size(_)
            | ExprKind::Global(..)
            | ExprKind::BinOp(_)
            | ExprKind::UnOp(_)
            | ExprKind::Fma => {}
            ExprKind::AndAlso(left, right)
            | ExprKind::OrElse(left, right)
            | ExprKind::Let(_, left, right) => {
                $f(left);
                $f(right);
            }
            ExprKind::Update(whole, steps, value) => {
                $f(whole);
                for step in steps {
                    for dim in step.$dims() {
                        dim.$parts().for_each(&mut *$f);
                    }
                }
                $f(value);
            }
            ExprKind::App(first, rest) | ExprKind::Index(first, rest) => {
                $f(first);
                for part in rest {
                    $f(part);
                }
            }
            ExprKind::Lambda(_, part)
            | ExprKind::Item(part, _)
            | ExprKind::Field(part, _)
            | ExprKind::Coerce(part) => $f(part),
            ExprKind::If(condition, then, otherwise) => {
                $f(condition);
                $f(then);
                $f(otherwise);
            }
            ExprKind::Match(value, cases) => {
                $f(value);
                for case in cases {
                    $f(&$($m)? case.body);
                }
            }
            ExprKind::Constructor(_, items) | ExprKind::Tuple(items) | ExprKind::Array(items) => {
                for item in items {
                    $f(item);
                }
            }
            ExprKind::Record(fields) => {
                for (_, field) in fields {
                    $f(field);
                }
            }
            ExprKind::Slice(array, dims) => {
                $f(array);
                for dim in dims {
                    dim.$parts().for_each(&mut *$f);
                }
            }
            ExprKind::Range(range) => range.$parts().for_each($f),
            ExprKind::With(data) => data.$parts().for_each($f),
            ExprKind::Assert(assert) => {
                $f(&$($m)? assert.condition);
                $f(&$($m)? assert.value);
            }
            ExprKind::Loop(data) => {
                let (LoopForm::For(_, over) | LoopForm::In(_, over) | LoopForm::While(over)) =
                    &$($m)? data.form;
                $f(&$($m)? data.init);
                $f(over);
                $f(&$($m)? data.body);
            }
        }
    };
}

impl<P: Phase> Expr<P> {
    /// Looks at every direct child.
    pub fn for_each_child<'e>(&'e self, look: &mut dyn FnMut(&'e Self)) {
        walk!(&self.kind, look, dims, parts, []);
    }

    /// Changes every direct child.
    pub fn for_each_child_mut(&mut self, change: &mut dyn FnMut(&mut Self)) {
        walk!(&mut self.kind, change, dims_mut, parts_mut, [mut]);
    }
}
