//! The documentation of an entry in Rust: what the program says of it, its type, its sizes, and how it fails.
//!
//! Invariant: `cargo test` takes no part of it for a test, whatever the program says.
//!
//! ```text
//! entry above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64
//! ⇒ `above [n] (xs: [n]f64) (bound: f64): ?[k].[k]f64`
//!   - `n` is the length of `xs`
//!   - `k` is found by the call: the length of the result
//! ```

use std::collections::BTreeSet;

use arr_abi::ErrorCode;
use arrc_fusion::cnf::{Extent, SizeDef, Type};
use arrc_loops::concrete::{Function, Program};
use arrc_syntax::ids::SizeId;

use super::rust::{meaning, variant};
use super::{Call, INTO_TOLD, Results};
use crate::header::input_types;

/// What every call may fail with.
const ALWAYS: [ErrorCode; 3] = [ErrorCode::Size, ErrorCode::Memory, ErrorCode::Cancelled];

/// The lines. `inputs` are the names of the inputs in Rust, and `outs` those of memory for results.
pub(super) fn lines(
    program: &Program,
    call: &Call<'_>,
    results: Results,
    [inputs, outs]: [&[String]; 2],
) -> Vec<String> {
    let function = &program.functions[call.entry.function];
    let result = |(at, output)| match call.outputs.len() {
        _ if results.are_given(output) => format!("`{}`", outs[at]),
        1 => "the result".to_owned(),
        _ => format!("result {at}"),
    };
    let places = [
        inputs.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>(),
        call.outputs.iter().enumerate().map(result).collect(),
    ];
    let sizes = Sizes::of(function, results, &places);
    let mut codes = program.error_codes(call.entry.function);
    if sizes.are_checked() {
        codes.insert(ErrorCode::Shape);
    }
    if call.outputs.iter().any(|output| results.are_given(output)) {
        codes.insert(ErrorCode::Argument);
    }
    let mut lines = told(call, results);
    lines.extend(section("Sizes", sizes.lines()));
    lines.extend(section("Tags", tags(call, &places.concat())));
    lines.extend(section("Errors", errors(&codes)));
    lines
}

fn section(title: &str, lines: Vec<String>) -> Vec<String> {
    if lines.is_empty() {
        return lines;
    }
    [vec![String::new(), format!("# {title}")], lines].concat()
}

/// What the program says, and the type.
fn told(call: &Call<'_>, results: Results) -> Vec<String> {
    let mut lines = call.told();
    // A block of code without a language would be a test in Rust.
    let mut fence = None;
    for line in &mut lines {
        let found = ["```", "~~~"].into_iter().find(|sign| line.starts_with(sign));
        match (fence, found) {
            (None, Some(sign)) => {
                *line = format!("{sign}text");
                fence = Some(sign);
            }
            (Some(open), Some(sign)) if open == sign => {
                *line = sign.to_owned();
                fence = None;
            }
            (_, _) => {}
        }
    }
    lines.extend(fence.map(str::to_owned));
    let into = (results == Results::Into).then(|| vec![INTO_TOLD.to_owned()]);
    let signature = vec![format!("`{}`", call.entry.signature)];
    let parts = into.into_iter().chain([lines, signature]).filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(&String::new())
}

/// The sizes of a call, each with the places that it is the extent of.
struct Sizes<'a> {
    function: &'a Function,
    results: Results,
    of_inputs: Vec<(SizeId, String)>,
    of_results: Vec<(SizeId, String)>,
}

impl<'a> Sizes<'a> {
    fn of(function: &'a Function, results: Results, [inputs, outputs]: &[Vec<String>; 2]) -> Self {
        Self {
            function,
            results,
            of_inputs: named(input_types(function), inputs),
            of_results: named(function.results.iter(), outputs),
        }
    }

    /// Whether a call compares sizes.
    fn are_checked(&self) -> bool {
        let sizes: BTreeSet<SizeId> = self.of_inputs.iter().map(|(size, _)| *size).collect();
        let is_repeated = sizes.len() < self.of_inputs.len();
        let is_determined = |extent| match extent {
            Extent::Const(_) => true,
            Extent::Size(size) => self.function.tables.sizes[size].def != SizeDef::Param,
        };
        let is_into = self.results == Results::Into;
        is_into || is_repeated || input_types(self.function).flat_map(extents).any(is_determined)
    }

    /// A line for each size.
    fn lines(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let all = self.of_inputs.iter().chain(&self.of_results);
        let sizes = all.map(|(size, _)| *size).filter(|size| seen.insert(*size));
        sizes.filter_map(|size| self.line(size)).collect()
    }

    fn line(&self, size: SizeId) -> Option<String> {
        let info = &self.function.tables.sizes[size];
        let is_into = self.results == Results::Into;
        let (how, of_results) = match info.def {
            SizeDef::Param => ("is", is_into),
            SizeDef::Exists => ("is found by the call:", true),
            SizeDef::Value(_) | SizeDef::Sum(..) | SizeDef::Product(..) => return None,
        };
        let places = self.of_inputs.iter().chain(self.of_results.iter().filter(|_| of_results));
        let places = places.filter(|(other, _)| *other == size);
        let places: Vec<&str> = places.map(|(_, place)| place.as_str()).collect();
        Some(format!("- `{}` {how} {}", info.name, places.join(", ")))
    }
}

fn extents(ty: &Type) -> impl Iterator<Item = Extent> {
    match ty {
        Type::Scalar(_) => [].iter(),
        Type::Array { shape, .. } => shape.iter(),
    }
    .copied()
}

/// The extents of arrays that are sizes, each with its place.
fn named<'t>(types: impl Iterator<Item = &'t Type>, arrays: &[String]) -> Vec<(SizeId, String)> {
    let mut found = Vec::new();
    for (ty, array) in types.zip(arrays) {
        for (dim, extent) in extents(ty).enumerate() {
            let place = match ty.rank() {
                1 => format!("the length of {array}"),
                _ => format!("extent {dim} of {array}"),
            };
            if let Extent::Size(size) = extent {
                found.push((size, place));
            }
        }
    }
    found
}

/// A line for each tag of a sum. `places` are those of all components.
fn tags(call: &Call<'_>, places: &[String]) -> Vec<String> {
    let components = call.inputs.iter().chain(&call.outputs);
    let of_component = components.zip(places).filter_map(|(component, place)| {
        let (_, constructors) = call.entry.tags.iter().find(|(name, _)| *name == component.name)?;
        let values =
            constructors.iter().enumerate().map(|(tag, name)| format!("{tag} is `#{name}`"));
        Some(format!("- {place}: {}", values.collect::<Vec<_>>().join(", ")))
    });
    of_component.collect()
}

/// A line for each code, and one for those that every call may fail with.
fn errors(codes: &BTreeSet<ErrorCode>) -> Vec<String> {
    let link = |code: &ErrorCode| format!("[`Code::{}`]", variant(*code));
    let line = |code: &ErrorCode| format!("- {}: {}", link(code), meaning(*code));
    let always = ALWAYS.iter().filter(|code| !codes.contains(code)).map(link);
    let last = format!("- as every call: {}", always.collect::<Vec<_>>().join(", "));
    codes.iter().map(line).chain([last]).collect()
}
