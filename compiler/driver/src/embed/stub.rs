//! Type hints of entries, and the text of a `.pyi` file.
//!
//! Invariant: names and hints are valid in Python for all names in the program.
//!
//! ```text
//! entry above [n] (xs: [n]f64) (lambda: f64): ?[k].[k]f64
//! ⇒ def above(xs: numpy.typing.NDArray[numpy.float64], lambda_: float) -> numpy.typing.NDArray[numpy.float64]:
//! ```
//!
//! A result that is a record is a class of named tuples. The text declares the class before the function.

use arrc_syntax::prim::Scalar;

use super::signature::{Shape, Signature};

/// The keywords of Python.
const WORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];

/// A name of Arr as a name of Python.
#[must_use]
pub fn python_name(name: &str) -> String {
    let mut name = name.replace('\'', "_prime");
    if WORDS.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// A type hint.
pub(super) fn hint(shape: &Shape) -> String {
    match shape {
        Shape::Leaf { elem, rank: 0 } => match elem {
            Scalar::Bool => "bool",
            Scalar::F32 | Scalar::F64 => "float",
            Scalar::I8
            | Scalar::I16
            | Scalar::I32
            | Scalar::I64
            | Scalar::U8
            | Scalar::U16
            | Scalar::U32
            | Scalar::U64 => "int",
        }
        .to_owned(),
        Shape::Leaf { elem, .. } => format!("numpy.typing.NDArray[numpy.{}]", dtype(*elem)),
        Shape::Tuple(shapes) if shapes.is_empty() => "tuple[()]".to_owned(),
        Shape::Tuple(shapes) => format!("tuple[{}]", hints(shapes).join(", ")),
        Shape::Sum { rank: 0, cases } => {
            let cases = cases.iter().map(|(name, shapes)| {
                let mut parts = vec![format!("typing.Literal[\"{name}\"]")];
                parts.extend(hints(shapes));
                format!("tuple[{}]", parts.join(", "))
            });
            cases.collect::<Vec<_>>().join(" | ")
        }
        Shape::Record(_) | Shape::Sum { .. } => "typing.Any".to_owned(),
    }
}

/// The type hint of the arrays to which an entry writes results. None if it gives no arrays, or has a parameter of that name.
pub(super) fn out_hint(signature: &Signature) -> Option<String> {
    if signature.params.iter().any(|param| param.name == "out") {
        return None;
    }
    let arrays = signature.result.leaves().into_iter().filter(|(_, rank)| *rank > 0);
    let hints = arrays.map(|(elem, rank)| hint(&Shape::Leaf { elem, rank })).collect::<Vec<_>>();
    match hints.as_slice() {
        [] => None,
        [one] => Some(format!("{one} | None")),
        several => Some(format!("tuple[{}] | None", several.join(", "))),
    }
}

fn hints(shapes: &[Shape]) -> Vec<String> {
    shapes.iter().map(hint).collect()
}

/// NumPy's name of a scalar type.
fn dtype(elem: Scalar) -> String {
    if elem == Scalar::Bool {
        return "bool_".to_owned();
    }
    let (kind, bits) = elem.name().split_at(1);
    let kind = match kind {
        "i" => "int",
        "u" => "uint",
        _ => "float",
    };
    format!("{kind}{bits}")
}

/// The classes of named tuples in the result of an entry.
struct Classes {
    /// The base of their names. From the second class on, a number follows.
    name: String,
    /// Their declarations.
    all: Vec<String>,
}

impl Classes {
    /// The type hint of a result.
    fn hint(&mut self, shape: &Shape) -> String {
        match shape {
            Shape::Leaf { .. } => hint(shape),
            Shape::Tuple(shapes) if shapes.is_empty() => hint(shape),
            Shape::Tuple(shapes) => format!("tuple[{}]", self.hints(shapes).join(", ")),
            Shape::Record(fields) => {
                let fields = fields.iter().map(|(name, shape)| (name.clone(), self.hint(shape)));
                let fields = fields.collect();
                self.class(fields)
            }
            Shape::Sum { rank: 0, cases } => {
                let cases = cases.iter().map(|(name, shapes)| self.case(name, shapes));
                cases.collect::<Vec<_>>().join(" | ")
            }
            Shape::Sum { rank, cases } => {
                let tag = hint(&Shape::Leaf { elem: Scalar::I64, rank: *rank });
                let mut fields = vec![("tag".to_owned(), tag)];
                for (name, shapes) in cases {
                    let hints = self.hints(shapes);
                    let one = hints.len() == 1;
                    let names =
                        (0..).map(|at| if one { name.clone() } else { format!("{name}_{at}") });
                    fields.extend(names.zip(hints));
                }
                self.class(fields)
            }
        }
    }

    fn hints(&mut self, shapes: &[Shape]) -> Vec<String> {
        shapes.iter().map(|shape| self.hint(shape)).collect()
    }

    fn case(&mut self, constructor: &str, payloads: &[Shape]) -> String {
        let mut parts = vec![format!("typing.Literal[\"{constructor}\"]")];
        parts.extend(self.hints(payloads));
        format!("tuple[{}]", parts.join(", "))
    }

    /// Declares a class with these fields, and returns its name.
    fn class(&mut self, fields: Vec<(String, String)>) -> String {
        // The fields of named tuples cannot begin with an underscore, so the hint of such a result is `typing.Any`.
        if fields.is_empty() || fields.iter().any(|(name, _)| name.starts_with('_')) {
            return "typing.Any".to_owned();
        }
        let number = self.all.len() + 1;
        let number = if number == 1 { String::new() } else { format!("_{number}") };
        let name = format!("_{}_result{number}", self.name);
        let fields =
            fields.iter().map(|(name, hint)| format!("    {}: {hint}\n", python_name(name)));
        let fields: String = fields.collect();
        self.all.push(format!("\nclass {name}(typing.NamedTuple):\n{fields}"));
        name
    }
}

/// The text of a `.pyi` file.
#[must_use]
pub fn stub(signatures: &[Signature]) -> String {
    let mut text = "import typing\n\nimport numpy\nimport numpy.typing\n".to_owned();
    for whole in signatures {
        let Signature { name, doc, text: signature, params, result } = whole;
        let mut params: Vec<String> = params
            .iter()
            .map(|param| format!("{}: {}", python_name(&param.name), hint(&param.shape)))
            .collect();
        params.extend(out_hint(whole).map(|hint| format!("*, out: {hint} = None")));
        let doc = format!("{doc}\n\n{signature}").trim().replace('\\', "\\\\");
        let doc = doc.replace("\"\"\"", "\\\"\\\"\\\"");
        let name = python_name(name);
        let mut classes = Classes { name: name.clone(), all: Vec::new() };
        let result = classes.hint(result);
        text.extend(classes.all);
        let params = params.join(", ");
        text.push_str(&format!("\ndef {name}({params}) -> {result}:\n    \"\"\"{doc}\"\"\"\n"));
    }
    text
}
