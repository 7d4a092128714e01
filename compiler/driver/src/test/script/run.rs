//! Runs scripts.

use std::fs;
use std::path::Path;

use arr_runtime::host::{RunError, Value, ValueType};
use arr_runtime::text::{self, DataFile, reason};
use arrc_pipeline::Compiled;

use super::Exp;
use crate::embed::{Shape, Signature};

/// Calls an entry: its name, the arguments, and the types of the results.
pub(crate) type Call<'a> =
    dyn Fn(&str, &[Value], &[ValueType]) -> Result<Vec<Value>, RunError> + 'a;

/// What a script runs with.
pub(crate) struct Caller<'a> {
    /// The program whose entries it calls.
    pub(crate) compiled: &'a Compiled,
    /// How it calls them.
    pub(crate) call: &'a Call<'a>,
    /// Where its files are.
    pub(crate) folder: &'a Path,
}

/// A value of a script.
#[derive(Clone)]
enum Made {
    /// A literal, which has no type yet.
    Literal(String),
    /// A text, which names a file.
    Text(String),
    /// A scalar or an array.
    Leaf(Value),
    Tuple(Vec<Made>),
    Record(Vec<(String, Made)>),
    Array(Vec<Made>),
    /// A value of a sum, whose components are kept together.
    Sum(Shape, Vec<Value>),
}

/// The arguments of an entry that a script gives.
///
/// # Errors
/// A sentence that says what does not fit, or the message of a call that fails.
pub(crate) fn arguments(
    script: &Exp,
    entry: &str,
    caller: &Caller<'_>,
) -> Result<Vec<Value>, String> {
    let made = caller.value(script, &mut Vec::new())?;
    caller.passed(entry, vec![made])
}

impl Caller<'_> {
    fn value(&self, exp: &Exp, scope: &mut Vec<(String, Made)>) -> Result<Made, String> {
        Ok(match exp {
            Exp::Literal(text) => Made::Literal(text.clone()),
            Exp::Text(text) => Made::Text(text.clone()),
            Exp::Tuple(exps) => Made::Tuple(self.values(exps, scope)?),
            Exp::Array(exps) => Made::Array(self.values(exps, scope)?),
            Exp::Record(fields) => {
                let field = |(name, exp): &(String, Exp)| {
                    Ok::<_, String>((name.clone(), self.value(exp, scope)?))
                };
                Made::Record(fields.iter().map(field).collect::<Result<_, _>>()?)
            }
            Exp::Let(names, value, body) => {
                let made = self.value(value, scope)?;
                let parts = match (names.len(), made) {
                    (1, made) => vec![made],
                    (count, Made::Tuple(parts)) if parts.len() == count => parts,
                    (count, _) => return Err(format!("a tuple of {count} values was expected")),
                };
                let before = scope.len();
                scope.extend(names.iter().cloned().zip(parts));
                let made = self.value(body, scope);
                scope.truncate(before);
                made?
            }
            Exp::Call(name, arguments) => {
                let variable = scope.iter().rev().find(|(other, _)| other == name);
                match variable {
                    Some((_, made)) if arguments.is_empty() => made.clone(),
                    Some(_) => return Err(format!("`{name}` is no function")),
                    None => {
                        let arguments = self.values(arguments, scope)?;
                        self.applied(name, arguments)?
                    }
                }
            }
        })
    }

    fn values(&self, exps: &[Exp], scope: &mut Vec<(String, Made)>) -> Result<Vec<Made>, String> {
        exps.iter().map(|exp| self.value(exp, scope)).collect()
    }

    fn applied(&self, name: &str, arguments: Vec<Made>) -> Result<Made, String> {
        if let Some(builtin) = name.strip_prefix('$') {
            let [Made::Text(file)] = arguments.as_slice() else {
                return Err(format!("`${builtin}` takes the name of a file in quotes"));
            };
            return self.builtin(builtin, file);
        }
        let signature = self.signature(name)?;
        let inputs = self.passed(name, arguments)?;
        let leaves: Vec<ValueType> = leaf_types(&signature.result);
        let failed = |error: RunError| format!("`{name}` fails: {}", error.message);
        let outputs = (self.call)(name, &inputs, &leaves).map_err(failed)?;
        Ok(made(&signature.result, &mut outputs.into_iter()))
    }

    fn builtin(&self, name: &str, file: &str) -> Result<Made, String> {
        let path = self.folder.join(file);
        match name {
            "loaddata" => {
                let problem = |error| format!("{file}: {error}");
                let data = DataFile::open(&path).map_err(problem)?;
                let value = |at| {
                    let ty = data.ty(at).map_err(problem)?;
                    data.get(at, ty).map(Made::Leaf).map_err(problem)
                };
                let mut values = (0..data.len()).map(value).collect::<Result<Vec<_>, String>>()?;
                Ok(if values.len() == 1 { values.remove(0) } else { Made::Tuple(values) })
            }
            "loadbytes" => {
                let bytes = fs::read(&path).map_err(|error| format!("{file}: {}", reason(&error)));
                Ok(Made::Leaf(bytes?.into()))
            }
            _ => Err(format!("`${name}` is not `$loaddata` or `$loadbytes`, which tests have")),
        }
    }

    fn signature(&self, name: &str) -> Result<Signature, String> {
        Signature::of(self.compiled, name).ok_or_else(|| format!("there is no entry `{name}`"))
    }

    /// Arguments as the components of an entry's parameters. A tuple as the only argument is taken apart.
    fn passed(&self, entry: &str, mut arguments: Vec<Made>) -> Result<Vec<Value>, String> {
        let params = self.signature(entry)?.params;
        if let ([Made::Tuple(parts)], true) = (arguments.as_slice(), params.len() != 1) {
            arguments = parts.clone();
        }
        if arguments.len() != params.len() {
            let (wanted, found) = (params.len(), arguments.len());
            let plural = if wanted == 1 { "" } else { "s" };
            return Err(format!(
                "`{entry}` takes {wanted} argument{plural}, but the script gives {found}"
            ));
        }
        let mut values = Vec::new();
        for (param, argument) in params.iter().zip(&arguments) {
            components(argument, &param.shape, &mut values)
                .map_err(|problem| format!("`{}` of `{entry}`: {problem}", param.name))?;
        }
        Ok(values)
    }
}

/// Adds the components of a value of a shape.
fn components(value: &Made, shape: &Shape, found: &mut Vec<Value>) -> Result<(), String> {
    let mismatch = |what: &str| Err(format!("{what} was expected"));
    match (shape, value) {
        (Shape::Leaf { .. }, Made::Literal(_) | Made::Array(_) | Made::Leaf(_) | Made::Text(_)) => {
            let ty = leaf_types(shape)[0];
            match value {
                Made::Leaf(value) if value.ty() == ty => found.push(value.clone()),
                Made::Leaf(value) => {
                    return Err(format!("a value of type {ty} was expected, not {}", value.ty()));
                }
                Made::Literal(_)
                | Made::Text(_)
                | Made::Array(_)
                | Made::Tuple(_)
                | Made::Record(_)
                | Made::Sum(..) => {
                    found.push(text::literal(&written(value)?, ty).map_err(|error| error.problem)?)
                }
            }
            Ok(())
        }
        (Shape::Leaf { .. }, _) => mismatch(&format!("a value of type {}", leaf_types(shape)[0])),
        (Shape::Tuple(shapes), Made::Tuple(values)) if shapes.len() == values.len() => {
            shapes.iter().zip(values).try_for_each(|(shape, value)| components(value, shape, found))
        }
        (Shape::Tuple(shapes), _) => mismatch(&format!("a tuple of {} values", shapes.len())),
        (Shape::Record(shapes), Made::Record(fields)) if shapes.len() == fields.len() => {
            shapes.iter().try_for_each(|(name, shape)| {
                let field = fields.iter().find(|(other, _)| other == name);
                let (_, value) = field.ok_or_else(|| format!("the field `{name}` is missing"))?;
                components(value, shape, found)
            })
        }
        (Shape::Record(shapes), _) => mismatch(&format!("a record of {} fields", shapes.len())),
        (Shape::Sum { .. }, Made::Sum(other, values)) if shape == other => {
            found.extend_from_slice(values);
            Ok(())
        }
        (Shape::Sum { .. }, _) => mismatch("a value that another entry gives"),
    }
}

/// A literal's text, also of an array of literals and of scalars or arrays that entries gave.
fn written(value: &Made) -> Result<String, String> {
    match value {
        Made::Literal(text) => Ok(text.clone()),
        Made::Text(text) => Ok(format!("\"{text}\"")),
        Made::Leaf(value) => Ok(text::print(value)),
        Made::Array(values) => {
            let texts = values.iter().map(written).collect::<Result<Vec<_>, _>>()?;
            Ok(format!("[{}]", texts.join(", ")))
        }
        Made::Tuple(_) | Made::Record(_) | Made::Sum(..) => {
            Err("an array in a script has scalars only".to_owned())
        }
    }
}

/// The results of a call in the structure of their type.
fn made(shape: &Shape, values: &mut impl Iterator<Item = Value>) -> Made {
    let mut next = || values.next().expect("a call gives a value for each leaf");
    match shape {
        Shape::Leaf { .. } => Made::Leaf(next()),
        Shape::Tuple(shapes) => {
            Made::Tuple(shapes.iter().map(|shape| made(shape, values)).collect())
        }
        Shape::Record(shapes) => Made::Record(
            shapes.iter().map(|(name, shape)| (name.clone(), made(shape, values))).collect(),
        ),
        Shape::Sum { .. } => {
            let count = shape.leaves().len();
            Made::Sum(shape.clone(), values.by_ref().take(count).collect())
        }
    }
}

/// The types of the scalars and arrays that a value is made of.
pub(crate) fn leaf_types(shape: &Shape) -> Vec<ValueType> {
    let ty = |(scalar, rank): (_, usize)| match u32::try_from(rank).expect("ranks are small") {
        0 => ValueType::Scalar(scalar),
        rank => ValueType::Array { scalar, rank },
    };
    shape.leaves().into_iter().map(ty).collect()
}
