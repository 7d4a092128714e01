//! Entries as another program calls them, and their description as text, which another version of the compiler may
//! read.
//!
//! Invariant: the leaves of the parameters' shapes, in order, are the inputs of the entry's C function. The leaves of
//! the result's shape are its outputs.
//!
//! ```text
//! entry f (ps: [n]{x: f64, y: f64}): (i64, [n]f64)
//! ⇒ ps: {x: f64 rank 1, y: f64 rank 1}; result (i64 rank 0, f64 rank 1)
//! ```

use arrc_front::core::{Def, Pat, Program, Type};
use arrc_fusion::cnf;
use arrc_fusion::cnf::Entry;
use arrc_pipeline::Compiled;
use arrc_syntax::json::{Value, json};
use arrc_syntax::prim::Scalar;

use super::stub::{hint, out_hint};

/// An entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// The text of the `-- |` comment before it, up to the tests.
    pub doc: String,
    /// Its type in Arr, with its name.
    pub text: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its result.
    pub result: Shape,
}

/// A parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The shape of its values.
    pub shape: Shape,
}

/// The structure of a value. An array of tuples, records or sums is a tuple, record or sum of arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A scalar if the rank is 0, and an array of this rank otherwise.
    Leaf {
        /// The scalar type, or the scalar type of the array's elements.
        elem: Scalar,
        /// The number of dimensions.
        rank: usize,
    },
    /// A tuple.
    Tuple(Vec<Shape>),
    /// A record: its fields in the order in which they are written.
    Record(Vec<(String, Shape)>),
    /// A sum, with its constructors in the order of their tags. The tag is a leaf of type `i64`, before all payloads.
    Sum {
        /// The number of dimensions of the tag.
        rank: usize,
        /// The constructors, each with its payloads.
        cases: Vec<(String, Vec<Shape>)>,
    },
}

/// The entries of a program, as text.
pub(crate) fn describe(compiled: &Compiled) -> String {
    let core = &compiled.core;
    let entries = compiled.program.entries.iter().map(|entry| {
        let def = core.entries.iter().map(|&id| &core.defs[id]).find(|def| def.name == entry.name);
        def.map_or_else(|| flat(compiled, entry), |def| signature(core, entry, def))
    });
    Value::from_iter(entries.map(|entry| entry.json())).to_string()
}

/// Reads the description of entries that a [`Program`](super::Program) gives. `None` if the text is no such
/// description.
#[must_use]
pub fn signatures(text: &str) -> Option<Vec<Signature>> {
    let value: Value = text.parse().ok()?;
    value.as_array()?.iter().map(Signature::read).collect()
}

fn signature(core: &Program, entry: &Entry, def: &Def) -> Signature {
    let mut params: Vec<Param> = Vec::new();
    for (index, param) in def.params.iter().enumerate() {
        let mut name = match &param.pat {
            Pat::Var(var, _) => core.vars[*var].name.to_string(),
            Pat::Wild | Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..) | Pat::Const(..) => {
                format!("arg{index}")
            }
        };
        while params.iter().any(|other| other.name == name) {
            name.push('_');
        }
        params.push(Param { name, shape: Shape::of(&param.ty, 0) });
    }
    // A line `==` begins a test block, see `arrc test`.
    let doc = entry.doc.as_deref().unwrap_or_default().trim().lines().map(str::trim);
    let doc: Vec<&str> = doc.take_while(|&line| line != "==").collect();
    Signature {
        name: entry.name.to_string(),
        doc: doc.join("\n").trim().to_owned(),
        text: entry.signature.clone(),
        params,
        result: Shape::of(&def.result, 0),
    }
}

/// The function of a pass. The user did not write it, so its parameters are its components.
fn flat(compiled: &Compiled, entry: &Entry) -> Signature {
    let function = &compiled.program.functions[entry.function];
    let leaf = |ty: &cnf::Type| Shape::Leaf { elem: ty.scalars(), rank: ty.rank() };
    let params = entry.inputs.iter().zip(&function.params).map(|(name, &param)| {
        let shape = leaf(&function.tables.vars[param].ty);
        Param { name: name.clone(), shape }
    });
    let mut results: Vec<Shape> = function.results.iter().map(leaf).collect();
    let result = if results.len() == 1 { results.remove(0) } else { Shape::Tuple(results) };
    Signature {
        name: entry.name.to_string(),
        doc: String::new(),
        text: entry.signature.clone(),
        params: params.collect(),
        result,
    }
}

impl Signature {
    /// The entry with this name.
    pub(crate) fn of(compiled: &Compiled, name: &str) -> Option<Self> {
        let core = &compiled.core;
        let entry = compiled.program.entries.iter().find(|entry| entry.name == name)?;
        let def = core.entries.iter().map(|&id| &core.defs[id]).find(|def| def.name == name)?;
        Some(signature(core, entry, def))
    }

    fn json(&self) -> Value {
        let params: Vec<Value> = self
            .params
            .iter()
            .map(|param| json!({"name": param.name, "shape": param.shape.json(), "hint": hint(&param.shape)}))
            .collect();
        json!({
            "name": self.name, "doc": self.doc, "text": self.text, "params": params,
            "result": self.result.json(), "hint": hint(&self.result), "out": out_hint(self),
        })
    }

    fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value[key].as_str().map(str::to_owned);
        let params = value["params"].as_array()?.iter().map(|param| {
            let name = param["name"].as_str()?.to_owned();
            Some(Param { name, shape: Shape::read(&param["shape"])? })
        });
        Some(Self {
            name: text("name")?,
            doc: text("doc")?,
            text: text("text")?,
            params: params.collect::<Option<_>>()?,
            result: Shape::read(&value["result"])?,
        })
    }
}

impl Shape {
    /// The scalars and arrays that a value is made of, in order: their scalar types and ranks.
    #[must_use]
    pub fn leaves(&self) -> Vec<(Scalar, usize)> {
        let all = |shapes: &[Self]| shapes.iter().flat_map(Self::leaves).collect::<Vec<_>>();
        match self {
            Self::Leaf { elem, rank } => vec![(*elem, *rank)],
            Self::Tuple(shapes) => all(shapes),
            Self::Record(fields) => fields.iter().flat_map(|(_, shape)| shape.leaves()).collect(),
            Self::Sum { rank, cases } => {
                let payloads = cases.iter().flat_map(|(_, shapes)| all(shapes));
                std::iter::once((Scalar::I64, *rank)).chain(payloads).collect()
            }
        }
    }

    /// The shape of a value of the type, inside arrays with `rank` dimensions.
    pub(crate) fn of(ty: &Type, rank: usize) -> Self {
        match ty {
            Type::Scalar(elem) => Self::Leaf { elem: *elem, rank },
            Type::Tuple(types) => Self::Tuple(types.iter().map(|ty| Self::of(ty, rank)).collect()),
            Type::Record(types) => {
                let fields = types.iter().map(|(name, ty)| (name.to_string(), Self::of(ty, rank)));
                Self::Record(fields.collect())
            }
            Type::Sum(types) => {
                let mut cases: Vec<(String, Vec<Self>)> = types
                    .iter()
                    .map(|(name, types)| {
                        (name.to_string(), types.iter().map(|ty| Self::of(ty, rank)).collect())
                    })
                    .collect();
                cases.sort_by(|one, other| one.0.cmp(&other.0));
                Self::Sum { rank, cases }
            }
            Type::Array(_, ty) => Self::of(ty, rank + 1),
            Type::Exists(_, ty) => Self::of(ty, rank),
            Type::Fun(..) | Type::Var(_) | Type::Hidden(_) => {
                panic!("an entry takes and gives data, not {ty:?}")
            }
        }
    }

    fn json(&self) -> Value {
        let all = |shapes: &[Self]| shapes.iter().map(Self::json).collect::<Vec<_>>();
        match self {
            Self::Leaf { elem, rank } => json!({"elem": elem.name(), "rank": rank}),
            Self::Tuple(shapes) => json!({"tuple": all(shapes)}),
            Self::Record(fields) => {
                let fields = fields.iter().map(|(name, shape)| json!([name, shape.json()]));
                json!({"record": fields.collect::<Vec<_>>()})
            }
            Self::Sum { rank, cases } => {
                let cases = cases.iter().map(|(name, shapes)| json!([name, all(shapes)]));
                json!({"rank": rank, "sum": cases.collect::<Vec<_>>()})
            }
        }
    }

    fn read(value: &Value) -> Option<Self> {
        let all =
            |value: &Value| value.as_array()?.iter().map(Self::read).collect::<Option<Vec<Self>>>();
        let rank = || usize::try_from(value["rank"].as_u64()?).ok();
        let named = |pair: &Value| pair[0].as_str().map(str::to_owned);
        if let Some(elem) = value["elem"].as_str() {
            return Some(Self::Leaf { elem: Scalar::from_name(elem)?, rank: rank()? });
        }
        if let Some(fields) = value["record"].as_array() {
            let fields = fields.iter().map(|pair| Some((named(pair)?, Self::read(&pair[1])?)));
            return Some(Self::Record(fields.collect::<Option<_>>()?));
        }
        if let Some(cases) = value["sum"].as_array() {
            let cases = cases.iter().map(|pair| Some((named(pair)?, all(&pair[1])?)));
            return Some(Self::Sum { rank: rank()?, cases: cases.collect::<Option<_>>()? });
        }
        all(&value["tuple"]).map(Self::Tuple)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Input, Options, Program};
    use super::{Param, Shape, signatures};
    use arrc_syntax::prim::Scalar;

    #[test]
    fn what_is_told_of_entries_reads_back() {
        let text = "-- | Doubles.\n-- ==\n-- input { 1 }\n\
                    entry f [n] (ps: [n]{y: f64, x: [2]i32}) (b: #none | #some bool): ?[k].(i64, [k]f64) =\n\
                    \x20 (n, filter (> 0) (map (\\p -> p.y) ps))\n";
        let input = Input::Text { name: "a.arr".to_owned(), text: text.to_owned(), files: None };
        let options = Options::new("ilp", 0, "native", false).expect("there are such options");
        let program =
            Program::new(&input, &options).map_err(|told| told.render(false)).expect("it is right");
        let found = signatures(&program.description()).expect("it reads what it wrote");
        let leaf = |elem, rank| Shape::Leaf { elem, rank };
        let ps =
            vec![("y".to_owned(), leaf(Scalar::F64, 1)), ("x".to_owned(), leaf(Scalar::I32, 2))];
        let cases =
            vec![("none".to_owned(), vec![]), ("some".to_owned(), vec![leaf(Scalar::Bool, 0)])];
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].doc, "Doubles.");
        assert_eq!(
            found[0].params,
            [
                Param { name: "ps".to_owned(), shape: Shape::Record(ps) },
                Param { name: "b".to_owned(), shape: Shape::Sum { rank: 0, cases } },
            ]
        );
        assert_eq!(found[0].result, Shape::Tuple(vec![leaf(Scalar::I64, 0), leaf(Scalar::F64, 1)]));
        for other in ["", "{}", "[{}]", r#"[{"name": "f"}]"#] {
            assert_eq!(signatures(other), None);
        }
    }
}
