//! The types of the variables in random programs.

use arrc_syntax::prim::Scalar;

/// The scalar types that random programs use: one of each kind and width that the compiler treats differently.
pub(super) const SCALARS: [Scalar; 6] =
    [Scalar::I64, Scalar::F64, Scalar::Bool, Scalar::I32, Scalar::U8, Scalar::F32];

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ty {
    Scalar(Scalar),
    Tuple(Vec<Ty>),
    Record(Vec<(&'static str, Ty)>),
    /// Arrays with the same number have the same size.
    Array(u32, Box<Ty>),
    /// Arrays of arrays of one size: the number of rows, their length, and the type of their elements.
    Matrix(u32, u32, Box<Ty>),
    /// The sum type that is declared beside the helpers.
    Choice,
    /// A function of scalars.
    Fun(Vec<Scalar>, Scalar),
}

impl Ty {
    /// An array.
    pub(super) fn array(size: u32, elem: Self) -> Self {
        Self::Array(size, Box::new(elem))
    }

    /// The parts of a value of the type that have the type `wanted`, as the text behind the value's name.
    pub(super) fn paths(&self, wanted: Scalar) -> Vec<String> {
        let under = |name: &str, ty: &Self| {
            ty.paths(wanted).into_iter().map(|path| format!(".{name}{path}")).collect::<Vec<_>>()
        };
        match self {
            Self::Scalar(scalar) if *scalar == wanted => vec![String::new()],
            Self::Scalar(_) | Self::Array(..) | Self::Matrix(..) | Self::Choice | Self::Fun(..) => {
                Vec::new()
            }
            Self::Tuple(items) => {
                let items = items.iter().enumerate();
                items.flat_map(|(at, ty)| under(&at.to_string(), ty)).collect()
            }
            Self::Record(fields) => fields.iter().flat_map(|(name, ty)| under(name, ty)).collect(),
        }
    }

    /// Whether an entry can give it.
    pub(super) fn is_data(&self) -> bool {
        match self {
            Self::Scalar(_) => true,
            Self::Tuple(items) => items.iter().all(Self::is_data),
            Self::Record(fields) => fields.iter().all(|(_, ty)| ty.is_data()),
            Self::Array(_, elem) | Self::Matrix(_, _, elem) => elem.is_data(),
            // The blank payloads of other constructors need not be the same in all forms.
            Self::Choice | Self::Fun(..) => false,
        }
    }
}
