//! What a server offers: its types and its entries, as the compiler writes them into the program.
//!
//! Invariant: the leaves of a type are the scalars and arrays that a value is made of, in the order of the components of
//! a call.
//!
//! ```text
//! type\t[]f64\tarray\tf64:1\tf64\t1
//! type\t{x: f64, n: i64}\trecord\tf64:0 i64:0\tx\tf64\tn\ti64
//! type\t#a i64 | #b\tsum\ti64:0 i64:0\t=a\ti64\t=b
//! entry\tscaled\t[]f64\t[]f64\tf64      name, output, inputs
//! attribute\tscaled\tprop(size(10))
//! ```

use crate::host::{Scalar, ValueType};

/// The types and the entries of a program.
#[derive(Debug, Default)]
pub(super) struct Interface {
    pub(super) types: Vec<Type>,
    pub(super) entries: Vec<Entry>,
}

/// A type by its name.
#[derive(Clone, Debug)]
pub(super) struct Type {
    pub(super) name: String,
    pub(super) leaves: Vec<ValueType>,
    pub(super) kind: Kind,
}

/// What values of a type are made of.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Primitive,
    Array {
        elem: String,
        rank: usize,
    },
    /// Fields, or the components of a tuple, with their types.
    Record(Vec<(String, String)>),
    /// Constructors with the types of their payloads. A value's first leaf is the number of its constructor.
    Sum(Vec<(String, Vec<String>)>),
}

/// An entry.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) output: String,
    pub(super) inputs: Vec<String>,
    pub(super) attributes: Vec<String>,
}

impl Interface {
    /// Reads the compiler's text.
    ///
    /// # Panics
    /// If it is none.
    pub(super) fn new(text: &str) -> Self {
        let mut interface = Self::default();
        for line in text.lines() {
            let mut words = line.split('\t').map(str::to_owned);
            let mut next = || words.next().expect("the compiler writes whole lines");
            match next().as_str() {
                "type" => {
                    let (name, kind, leaves) = (next(), next(), next());
                    let leaves = leaves.split_whitespace().map(leaf).collect();
                    let kind = Kind::new(&kind, words.collect());
                    interface.types.push(Type { name, leaves, kind });
                }
                "entry" => {
                    let (name, output) = (next(), next());
                    let (inputs, attributes) = (words.collect(), Vec::new());
                    interface.entries.push(Entry { name, output, inputs, attributes });
                }
                _ => {
                    let (name, attribute) = (next(), next());
                    let entry = interface.entries.iter_mut().find(|entry| entry.name == name);
                    entry.expect("an attribute is behind its entry").attributes.push(attribute);
                }
            }
        }
        interface
    }

    /// The type with this name. Scalars and their arrays need not occur in the program.
    pub(super) fn ty(&self, name: &str) -> Result<Type, String> {
        let known = self.types.iter().find(|ty| ty.name == name).cloned();
        known.or_else(|| Type::transparent(name)).ok_or_else(|| format!("Unknown type: {name}"))
    }

    /// The entry with this name.
    pub(super) fn entry(&self, name: &str) -> Result<&Entry, String> {
        let found = self.entries.iter().find(|entry| entry.name == name);
        found.ok_or_else(|| format!("Unknown entry point: {name}"))
    }
}

impl Type {
    /// A scalar type, or an array of one: `[][]f64`.
    fn transparent(name: &str) -> Option<Self> {
        let elem = name.trim_start_matches("[]");
        let scalar = Scalar::from_name(elem)?;
        let rank = (name.len() - elem.len()) / 2;
        let kind = match rank {
            0 => Kind::Primitive,
            rank => Kind::Array { elem: elem.to_owned(), rank },
        };
        Some(Self { name: name.to_owned(), leaves: vec![value_type(scalar, rank)], kind })
    }

    /// The word for its kind.
    pub(super) fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Primitive => "primitive",
            Kind::Array { .. } => "array",
            Kind::Record(_) => "record",
            Kind::Sum(_) => "sum",
        }
    }
}

impl Kind {
    fn new(kind: &str, words: Vec<String>) -> Self {
        match (kind, words.as_slice()) {
            ("array", [elem, rank]) => Self::Array {
                elem: elem.clone(),
                rank: rank.parse().expect("the compiler writes a number"),
            },
            ("record", fields) => Self::Record(
                fields.chunks(2).map(|field| (field[0].clone(), field[1].clone())).collect(),
            ),
            ("sum", words) => {
                let mut cases: Vec<(String, Vec<String>)> = Vec::new();
                for word in words {
                    match (word.strip_prefix('='), cases.last_mut()) {
                        (Some(name), _) => cases.push((name.to_owned(), Vec::new())),
                        (None, Some((_, payload))) => payload.push(word.clone()),
                        (None, None) => panic!("a constructor is before its payload"),
                    }
                }
                Self::Sum(cases)
            }
            _ => Self::Primitive,
        }
    }
}

/// The name of an array of elements of a type, which is no array: `[][]f64`.
#[must_use]
pub fn array_name(elem: &str, rank: usize) -> String {
    let dimensions = "[]".repeat(rank);
    if elem.starts_with('#') {
        format!("{dimensions}({elem})")
    } else {
        format!("{dimensions}{elem}")
    }
}

/// `f64:1`.
fn leaf(word: &str) -> ValueType {
    let (scalar, rank) = word.split_once(':').expect("the compiler writes SCALAR:RANK");
    let scalar = Scalar::from_name(scalar).expect("the compiler writes scalar types");
    value_type(scalar, rank.parse().expect("the compiler writes a number"))
}

fn value_type(scalar: Scalar, rank: usize) -> ValueType {
    match u32::try_from(rank).expect("ranks are small") {
        0 => ValueType::Scalar(scalar),
        rank => ValueType::Array { scalar, rank },
    }
}
