//! The commands of a server.
//!
//! Invariant: a variable has a type, and a scalar or an array for each leaf of it.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use super::elements::{collected, element, place, replaced, shape};
use super::interface::{Interface, Kind, array_name};
use super::{Entries, words};
use crate::host::{ArrayData, ArrayValue, Scalar, ScalarValue, Value, ValueType, View};
use crate::text::{DataFile, literal, reason, write_data};

/// A server, with the variables that its client has made.
pub(super) struct Server<E> {
    interface: Interface,
    entries: E,
    variables: HashMap<String, Variable>,
    /// The calls since the last report, if they are recorded.
    events: Vec<(String, Duration)>,
    records: bool,
}

#[derive(Clone)]
struct Variable {
    ty: String,
    parts: Vec<Value>,
}

/// The lines of an answer, or the reason why there is none.
type Answer = Result<Vec<String>, String>;

/// The answer of a command that has nothing to tell.
const DONE: Answer = Ok(Vec::new());

impl<E: Entries> Server<E> {
    pub(super) fn new(interface: Interface, entries: E) -> Self {
        let (variables, events) = (HashMap::new(), Vec::new());
        Self { interface, entries, variables, events, records: false }
    }

    /// Runs a command. Gives the lines of its answer, and the reason if it failed.
    pub(super) fn command(&mut self, line: &str) -> (Vec<String>, Option<String>) {
        let mut told = Vec::new();
        let result = match words(line).as_deref() {
            None => Err("A quote is not closed".to_owned()),
            Some([]) => Err("Empty line".to_owned()),
            Some(["call", entry, names @ ..]) => self.call(entry, names, &mut told),
            Some([command, arguments @ ..]) => self.other(command, arguments),
        };
        match result {
            Ok(lines) => {
                told.extend(lines);
                (told, None)
            }
            Err(reason) => (told, Some(reason)),
        }
    }

    fn other(&mut self, command: &str, arguments: &[&str]) -> Answer {
        match (command, arguments) {
            ("types", []) => Ok(self.interface.types.iter().map(|ty| ty.name.clone()).collect()),
            ("entry_points", []) => {
                Ok(self.interface.entries.iter().map(|entry| entry.name.clone()).collect())
            }
            ("inputs", [entry]) => Ok(self.interface.entry(entry)?.inputs.clone()),
            ("output", [entry]) => Ok(vec![self.interface.entry(entry)?.output.clone()]),
            ("outputs", [entry]) => {
                let output = &self.interface.entry(entry)?.output;
                Ok(self.components(output)?)
            }
            ("attributes", [entry]) => Ok(self.interface.entry(entry)?.attributes.clone()),
            ("restore", [file, pairs @ ..]) => self.restore(file, pairs),
            ("store", [file, names @ ..]) => self.store(file, names),
            ("free", names) => self.free(names),
            ("rename", [old, new]) => {
                self.unused(&[new])?;
                let variable = self.variables.remove(*old).ok_or_else(|| unknown(old))?;
                self.set_new(new, variable)
            }
            ("clear", []) => {
                self.variables.clear();
                self.events.clear();
                self.entries.clear()?;
                DONE
            }
            ("kind", [ty]) => Ok(vec![self.interface.ty(ty)?.kind().to_owned()]),
            ("type", [name]) => Ok(vec![self.variable(name)?.ty.clone()]),
            ("pause_profiling", []) => {
                self.records = false;
                DONE
            }
            ("unpause_profiling", []) => {
                self.records = true;
                DONE
            }
            ("report", []) => Ok(vec![self.report()]),
            ("tuning_params", [entry]) => self.interface.entry(entry).map(|_| Vec::new()),
            ("set_tuning_param", [param, _]) | ("tuning_param_class", [param]) => {
                Err(format!("Unknown tuning parameter: {param}"))
            }
            ("rank", [ty]) => Ok(vec![self.array(ty)?.1.to_string()]),
            ("elemtype", [ty]) => Ok(vec![self.array(ty)?.0]),
            ("shape", [name]) => {
                let variable = self.variable(name)?;
                let (_, rank) = self.array(&variable.ty)?;
                let sizes: Vec<String> =
                    shape(&variable.parts, rank).iter().map(ToString::to_string).collect();
                Ok(vec![sizes.join(" ")])
            }
            ("new_array", [name, ty, rest @ ..]) => self.new_array(name, ty, rest),
            ("set", [name, element, index @ ..]) => self.set(name, element, index),
            ("index", [name, array, index @ ..]) => self.index(name, array, index),
            ("zip", [name, ty, fields @ ..]) => self.zip(name, ty, fields),
            ("unzip", [array, names @ ..]) => self.unzip(array, names),
            ("fields", [ty]) => {
                let fields = self.fields(ty)?;
                Ok(fields.into_iter().map(|(name, ty)| format!("{name} {ty}")).collect())
            }
            ("new", [name, ty, fields @ ..]) => self.new_record(name, ty, fields),
            ("project", [name, record, field]) => self.project(name, record, field),
            ("variants", [ty]) => {
                let lines = self.cases(ty)?.into_iter().flat_map(|(name, payload)| {
                    let payload = payload.into_iter().map(|ty| format!("- {ty}"));
                    std::iter::once(name).chain(payload)
                });
                Ok(lines.collect())
            }
            ("construct", [name, ty, case, payload @ ..]) => {
                self.construct(name, ty, case, payload)
            }
            ("destruct", [sum, names @ ..]) => self.destruct(sum, names),
            ("variant", [sum]) => {
                let variable = self.variable(sum)?;
                Ok(vec![self.case_of(variable)?.1])
            }
            (command, arguments) => Err(format!(
                "Unknown command, or wrong number of words behind it: {command} ({})",
                arguments.len()
            )),
        }
    }

    fn variable(&self, name: &str) -> Result<&Variable, String> {
        self.variables.get(name).ok_or_else(|| unknown(name))
    }

    /// The variables with these names and types.
    fn of_types(&self, names: &[&str], types: &[String], what: &str) -> Result<Vec<Value>, String> {
        if names.len() != types.len() {
            let (wanted, found) = (types.len(), names.len());
            return Err(format!("{wanted} {what} expected but {found} values provided."));
        }
        let mut parts = Vec::new();
        for (name, ty) in names.iter().zip(types) {
            let variable = self.variable(name)?;
            if variable.ty != *ty {
                let found = &variable.ty;
                return Err(format!("{name} has the wrong type.  Expected {ty}, got {found}."));
            }
            parts.extend_from_slice(&variable.parts);
        }
        Ok(parts)
    }

    /// Checks that these names are of no variables yet, and differ.
    fn unused(&self, names: &[&str]) -> Result<(), String> {
        for (at, name) in names.iter().enumerate() {
            if self.variables.contains_key(*name) || names[..at].contains(name) {
                return Err(format!("Variable already exists: {name}"));
            }
        }
        Ok(())
    }

    fn set_new(&mut self, name: &str, variable: Variable) -> Answer {
        self.variables.insert(name.to_owned(), variable);
        DONE
    }

    /// Makes variables of these types from components one after the other.
    fn split(&mut self, names: &[&str], types: &[String], parts: Vec<Value>) -> Answer {
        self.unused(names)?;
        let mut parts = parts.into_iter();
        for (name, ty) in names.iter().zip(types) {
            let count = self.interface.ty(ty)?.leaves.len();
            let variable = Variable { ty: ty.clone(), parts: parts.by_ref().take(count).collect() };
            self.variables.insert((*name).to_owned(), variable);
        }
        DONE
    }

    /// The types of the components of a tuple, or the type alone.
    fn components(&self, ty: &str) -> Result<Vec<String>, String> {
        if !ty.starts_with('(') {
            return Ok(vec![ty.to_owned()]);
        }
        Ok(self.fields(ty)?.into_iter().map(|(_, ty)| ty).collect())
    }

    /// Calls an entry. Older clients name a variable for each component of a tuple.
    fn call(&mut self, entry: &str, names: &[&str], told: &mut Vec<String>) -> Answer {
        let found = self.interface.entry(entry)?;
        let (inputs, output) = (found.inputs.clone(), found.output.clone());
        let components = self.components(&output)?;
        let results = if names.len() == inputs.len() + components.len() {
            components
        } else {
            vec![output.clone()]
        };
        if names.len() != inputs.len() + results.len() {
            let (wanted, given) = (inputs.len(), names.len().saturating_sub(1));
            return Err(format!("{entry} takes {wanted} inputs, but {given} were given."));
        }
        let (outs, ins) = names.split_at(results.len());
        self.unused(outs)?;
        let inputs = self.of_types(ins, &inputs, "inputs")?;
        let leaves = self.interface.ty(&output)?.leaves;
        let (time, values) = self.entries.call(entry, &inputs, &leaves);
        told.push(format!("runtime: {}", time.as_micros()));
        let values = values?;
        if self.records {
            self.events.push((entry.to_owned(), time));
        }
        self.split(outs, &results, values)
    }

    fn restore(&mut self, file: &str, pairs: &[&str]) -> Answer {
        if !pairs.len().is_multiple_of(2) {
            return Err("A type is missing behind the last variable".to_owned());
        }
        let (names, types): (Vec<&str>, Vec<String>) =
            pairs.chunks(2).map(|pair| (pair[0], pair[1].to_owned())).unzip();
        self.unused(&names)?;
        let data = DataFile::read(Path::new(file))
            .map_err(|error| format!("Failed to read {file}: {error}"))?;
        let mut leaves: Vec<(&str, ValueType)> = Vec::new();
        for (name, ty) in names.iter().zip(&types) {
            leaves.extend(self.interface.ty(ty)?.leaves.into_iter().map(|leaf| (*name, leaf)));
        }
        if leaves.len() != data.len() {
            let (wanted, found) = (leaves.len(), data.len());
            return Err(format!("{file} has {found} values, but {wanted} were expected."));
        }
        let read = |(place, &(name, leaf)): (usize, &(&str, ValueType))| {
            let problem = |error| format!("Failed to restore variable {name} from {file}: {error}");
            data.get(place, leaf).map_err(problem)
        };
        let parts = leaves.iter().enumerate().map(read).collect::<Result<_, _>>()?;
        self.split(&names, &types, parts)
    }

    fn store(&self, file: &str, names: &[&str]) -> Answer {
        let variables =
            names.iter().map(|name| self.variable(name)).collect::<Result<Vec<_>, _>>()?;
        let views = variables.iter().flat_map(|variable| variable.parts.iter().map(View::from));
        write_data(Path::new(file), views)
            .map_err(|error| format!("Failed to write {file}: {}", reason(&error)))?;
        DONE
    }

    fn free(&mut self, names: &[&str]) -> Answer {
        for name in names {
            self.variable(name)?;
        }
        for name in names {
            self.variables.remove(*name);
        }
        DONE
    }

    /// The calls and the memory, in the form of Futhark's reports.
    fn report(&mut self) -> String {
        let mut text =
            format!(r#"{{"memory":{{"default space":{}}},"events":["#, self.entries.peak());
        for (at, (entry, time)) in self.events.drain(..).enumerate() {
            let comma = if at > 0 { "," } else { "" };
            let micros = time.as_secs_f64() * 1e6;
            write!(
                text,
                r#"{comma}{{"name":"{entry}","provenance":"","duration":{micros},"description":"call"}}"#
            )
            .expect("writing to a string succeeds");
        }
        text + "]}"
    }

    /// The type of an array's elements, and its rank.
    fn array(&self, ty: &str) -> Result<(String, usize), String> {
        match self.interface.ty(ty)?.kind {
            Kind::Array { elem, rank } => Ok((elem, rank)),
            Kind::Primitive | Kind::Record(_) | Kind::Sum(_) => {
                Err(format!("Not an array type: {ty}"))
            }
        }
    }

    fn fields(&self, ty: &str) -> Result<Vec<(String, String)>, String> {
        match self.interface.ty(ty)?.kind {
            Kind::Record(fields) => Ok(fields),
            Kind::Primitive | Kind::Array { .. } | Kind::Sum(_) => {
                Err(format!("Not a record type: {ty}"))
            }
        }
    }

    fn cases(&self, ty: &str) -> Result<Vec<(String, Vec<String>)>, String> {
        match self.interface.ty(ty)?.kind {
            Kind::Sum(cases) => Ok(cases),
            Kind::Primitive | Kind::Array { .. } | Kind::Record(_) => {
                Err(format!("Not a sum type: {ty}"))
            }
        }
    }

    fn new_array(&mut self, name: &str, ty: &str, rest: &[&str]) -> Answer {
        self.unused(&[name])?;
        let (elem, rank) = self.array(ty)?;
        let (sizes, names) = rest.split_at_checked(rank).ok_or("Sizes are missing")?;
        let sizes = sizes.iter().map(|size| natural(size)).collect::<Result<Vec<_>, _>>()?;
        let count = sizes.iter().try_fold(1, |count: i64, &size| count.checked_mul(size));
        if count != i64::try_from(names.len()).ok() {
            return Err(format!("The shape {sizes:?} does not have {} elements", names.len()));
        }
        let types = vec![elem; names.len()];
        let parts = self.of_types(names, &types, "elements")?;
        let leaves = self.interface.ty(ty)?.leaves;
        let component = |at: usize| {
            let elements: Vec<&Value> = parts.iter().skip(at).step_by(leaves.len()).collect();
            match elements.as_slice() {
                [] => Some(without_elements(leaves[at], &sizes)),
                elements => collected(elements, &sizes),
            }
        };
        let parts: Option<Vec<Value>> = (0..leaves.len()).map(component).collect();
        let parts = parts.ok_or("The elements have different shapes")?;
        self.set_new(name, Variable { ty: ty.to_owned(), parts })
    }

    /// The place of an element of an array.
    fn place(&self, array: &Variable, index: &[&str]) -> Result<(String, usize, usize), String> {
        let (elem, rank) = self.array(&array.ty)?;
        if index.len() != rank {
            let found = index.len();
            return Err(format!("{rank} indices expected but {found} values provided."));
        }
        let numbers: Vec<i64> =
            index.iter().map(|index| index.parse().unwrap_or(i64::MIN)).collect();
        let place = place(shape(&array.parts, rank), &numbers).map_err(|dimension| {
            format!("Invalid index `{}` on dimension {dimension}.", index[dimension - 1])
        })?;
        Ok((elem, rank, place))
    }

    fn set(&mut self, name: &str, value: &str, index: &[&str]) -> Answer {
        let variable = self.variable(name)?;
        let (elem, rank, place) = self.place(variable, index)?;
        let values = self.of_types(&[value], &[elem], "elements")?;
        let parts = variable.parts.iter().zip(&values);
        let parts: Option<Vec<Value>> =
            parts.map(|(part, value)| replaced(part, rank, place, value)).collect();
        let parts = parts.ok_or("The element has another shape than the others")?;
        let ty = variable.ty.clone();
        self.set_new(name, Variable { ty, parts })
    }

    fn index(&mut self, name: &str, array: &str, index: &[&str]) -> Answer {
        self.unused(&[name])?;
        let variable = self.variable(array)?;
        let (ty, rank, place) = self.place(variable, index)?;
        let parts = variable.parts.iter().map(|part| element(part, rank, place)).collect();
        self.set_new(name, Variable { ty, parts })
    }

    /// The types of the arrays that an array of records is made of.
    fn columns(&self, ty: &str) -> Result<(usize, Vec<String>), String> {
        let (elem, rank) = self.array(ty)?;
        let array = |(_, field): (String, String)| match self.array(&field) {
            Ok((elem, inner)) => array_name(&elem, rank + inner),
            Err(_) => array_name(&field, rank),
        };
        Ok((rank, self.fields(&elem)?.into_iter().map(array).collect()))
    }

    fn zip(&mut self, name: &str, ty: &str, fields: &[&str]) -> Answer {
        self.unused(&[name])?;
        let (rank, types) = self.columns(ty)?;
        let parts = self.of_types(fields, &types, "fields")?;
        let mut shapes = parts.iter().map(|part| shape(std::slice::from_ref(part), rank));
        let first = shapes.next();
        if shapes.any(|shape| Some(shape) != first) {
            return Err("The arrays have different shapes".to_owned());
        }
        self.set_new(name, Variable { ty: ty.to_owned(), parts })
    }

    fn unzip(&mut self, array: &str, names: &[&str]) -> Answer {
        let variable = self.variable(array)?.clone();
        let (_, types) = self.columns(&variable.ty)?;
        if types.len() != names.len() {
            let (wanted, found) = (types.len(), names.len());
            return Err(format!("{wanted} fields expected but {found} variables provided."));
        }
        self.split(names, &types, variable.parts)
    }

    fn new_record(&mut self, name: &str, ty: &str, fields: &[&str]) -> Answer {
        self.unused(&[name])?;
        let types: Vec<String> = self.fields(ty)?.into_iter().map(|(_, ty)| ty).collect();
        let parts = self.of_types(fields, &types, "fields")?;
        self.set_new(name, Variable { ty: ty.to_owned(), parts })
    }

    fn project(&mut self, name: &str, record: &str, field: &str) -> Answer {
        self.unused(&[name])?;
        let variable = self.variable(record)?;
        let mut at = 0;
        for (other, ty) in self.fields(&variable.ty)? {
            let count = self.interface.ty(&ty)?.leaves.len();
            if other == field {
                let parts = variable.parts[at..at + count].to_vec();
                return self.set_new(name, Variable { ty, parts });
            }
            at += count;
        }
        Err(format!("No such field: {field}"))
    }

    /// The number, the name and the payload of a value's constructor, and the place of the payload among the leaves.
    fn case_of(&self, variable: &Variable) -> Result<(usize, String, Vec<String>), String> {
        let cases = self.cases(&variable.ty)?;
        let Some(Value::Scalar(ScalarValue::I64(tag))) = variable.parts.first() else {
            return Err(format!("Not a sum type: {}", variable.ty));
        };
        let mut at = 1;
        for (number, (name, payload)) in cases.into_iter().enumerate() {
            if i64::try_from(number).ok() == Some(*tag) {
                return Ok((at, name, payload));
            }
            at += self.leaves(&payload)?.len();
        }
        Err(format!("The value has no constructor: its number is {tag}"))
    }

    fn leaves(&self, types: &[String]) -> Result<Vec<ValueType>, String> {
        let leaves = types.iter().map(|ty| Ok(self.interface.ty(ty)?.leaves));
        Ok(leaves.collect::<Result<Vec<_>, String>>()?.concat())
    }

    fn construct(&mut self, name: &str, ty: &str, case: &str, payload: &[&str]) -> Answer {
        self.unused(&[name])?;
        let mut parts = Vec::new();
        for (number, (other, types)) in self.cases(ty)?.into_iter().enumerate() {
            if other == case {
                let tag = i64::try_from(number).expect("a sum has a few constructors");
                parts.insert(0, Value::from(tag));
                parts.extend(self.of_types(payload, &types, "values")?);
            } else {
                // The payloads of other constructors are not looked at.
                parts.extend(self.leaves(&types)?.into_iter().map(blank));
            }
        }
        if parts.len() != self.interface.ty(ty)?.leaves.len() {
            return Err(format!("No such variant: {case}"));
        }
        self.set_new(name, Variable { ty: ty.to_owned(), parts })
    }

    fn destruct(&mut self, sum: &str, names: &[&str]) -> Answer {
        let variable = self.variable(sum)?;
        let (at, _, payload) = self.case_of(variable)?;
        if payload.len() != names.len() {
            let (wanted, found) = (payload.len(), names.len());
            return Err(format!("{wanted} variables expected but {found} variables provided."));
        }
        let parts = variable.parts[at..].to_vec();
        self.split(names, &payload, parts)
    }
}

fn unknown(name: &str) -> String {
    format!("Unknown variable: {name}")
}

fn natural(text: &str) -> Result<i64, String> {
    let number = text.parse().ok().filter(|&number: &i64| number >= 0);
    number.ok_or_else(|| format!("Not a size: {text}"))
}

/// A zero, or an array without elements.
fn blank(leaf: ValueType) -> Value {
    match leaf {
        ValueType::Scalar(scalar) => {
            let zero = if scalar == Scalar::Bool { "false" } else { "0" };
            literal(zero, leaf).expect("each type has such a literal")
        }
        ValueType::Array { .. } => without_elements(leaf, &[]),
    }
}

/// An array without elements, whose first sizes are these. The others are 0.
fn without_elements(leaf: ValueType, sizes: &[i64]) -> Value {
    let ValueType::Array { scalar, rank } = leaf else { return blank(leaf) };
    let mut shape = sizes.to_vec();
    shape.resize(rank as usize, 0);
    let none = ArrayData::collect(scalar, []).expect("there is nothing of another type");
    Value::Array(ArrayValue::new(shape, none).expect("one of its sizes is 0"))
}
