//! Types and sizes as Arr text.
//!
//! Invariant: the text reads back as the type, given the names that [`TypeNames`] chose.
//!
//! ```text
//! Fun(None, Array(n, Var(t0)), Exists([k], Array(k, Var(t0))))   ⇒   [n]a -> ?[k].[k]a
//! ```

use std::fmt::Write as _;

use indexmap::IndexMap;

use super::{Hidden, Program, Size, Type};
use arrc_syntax::ids::{SizeVar, TypeVar};
use arrc_syntax::names::Name;

/// The names of the symbols in types.
pub trait TypeNames {
    /// The name of a size.
    fn size(&mut self, id: SizeVar) -> String;
    /// The name of a type variable.
    fn type_var(&mut self, var: TypeVar) -> String;
    /// The name of a whole type, if it has one.
    fn whole(&mut self, _ty: &Type) -> Option<String> {
        None
    }
    /// A whole size in brackets; the default writes out the polynomial.
    fn dimension(&mut self, size: &Size) -> String {
        size_text(size, self)
    }
}

/// The names as the source has them.
pub struct SourceNames<'p>(pub &'p Program);

impl TypeNames for SourceNames<'_> {
    fn size(&mut self, id: SizeVar) -> String {
        self.0.sizes[id].name.to_string()
    }

    fn type_var(&mut self, var: TypeVar) -> String {
        self.0.types[var].to_string()
    }
}

/// A type as Arr text.
#[must_use]
pub fn type_text(ty: &Type, names: &mut dyn TypeNames) -> String {
    if let Some(name) = names.whole(ty) {
        return name;
    }
    match ty {
        Type::Scalar(scalar) => scalar.name().to_owned(),
        Type::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|ty| type_text(ty, names)).collect();
            format!("({})", items.join(", "))
        }
        Type::Record(fields) => {
            let mut parts = Vec::new();
            for (name, ty) in fields {
                parts.push(format!("{name}: {}", type_text(ty, names)));
            }
            format!("{{{}}}", parts.join(", "))
        }
        Type::Sum(constructors) => sum_text(constructors, names),
        Type::Array(size, element) => {
            let size = names.dimension(size);
            format!("[{size}]{}", operand_text(element, names))
        }
        Type::Fun(Some(param), from, to) => {
            let param = names.size(*param);
            let from = type_text(from, names);
            format!("({param}: {from}) -> {}", type_text(to, names))
        }
        Type::Fun(None, from, to) => {
            let from = operand_text(from, names);
            format!("{from} -> {}", type_text(to, names))
        }
        Type::Var(var) => names.type_var(*var),
        Type::Hidden(hidden) => hidden_text(hidden, names),
        Type::Exists(sizes, body) => {
            let mut text = "?".to_owned();
            for &size in sizes {
                let _ = write!(text, "[{}]", names.size(size));
            }
            format!("{text}.{}", type_text(body, names))
        }
    }
}

/// `m.t [n] i64`.
fn hidden_text(hidden: &Hidden, names: &mut dyn TypeNames) -> String {
    let mut text = hidden.name.to_string();
    for size in &hidden.sizes[..hidden.written] {
        let _ = write!(text, " [{}]", names.dimension(size));
    }
    for ty in &hidden.types {
        let argument = type_text(ty, names);
        let is_plain = !argument.contains(' ') || argument.starts_with(['(', '{']);
        text += &if is_plain { format!(" {argument}") } else { format!(" ({argument})") };
    }
    text
}

/// The message that a tag stands for no constructor. The tag itself is printed before it. Tags are the places of the
/// constructors in the order of their names.
#[must_use]
pub fn tag_problem(constructors: &IndexMap<Name, Vec<Type>>) -> String {
    let mut names: Vec<String> = constructors.keys().map(|name| format!("#{name}")).collect();
    names.sort_unstable();
    format!(" is no tag of `{}`: these are 0 to {}", names.join(" | "), names.len() - 1)
}

/// `#some t | #none`.
fn sum_text(constructors: &IndexMap<Name, Vec<Type>>, names: &mut dyn TypeNames) -> String {
    let mut parts = Vec::new();
    for (name, payloads) in constructors {
        let mut part = format!("#{name}");
        for payload in payloads {
            let text = operand_text(payload, names);
            // Without parentheses, the parts of an applied abbreviation would be read as several payloads.
            let text = if text.contains(' ') && !text.starts_with(['(', '{', '[']) {
                format!("({text})")
            } else {
                text
            };
            part.push(' ');
            part.push_str(&text);
        }
        parts.push(part);
    }
    parts.join(" | ")
}

/// A type as an operand: a function type stands in parentheses.
#[must_use]
pub fn operand_text(ty: &Type, names: &mut dyn TypeNames) -> String {
    let text = type_text(ty, names);
    match ty {
        Type::Fun(..) | Type::Exists(..) => format!("({text})"),
        // A sum that prints as its own name needs no parentheses.
        Type::Sum(_) if text.starts_with('#') => format!("({text})"),
        Type::Scalar(_)
        | Type::Tuple(_)
        | Type::Record(_)
        | Type::Sum(_)
        | Type::Array(..)
        | Type::Var(_)
        | Type::Hidden(_) => text,
    }
}

/// A size as Arr text: `n*m+1`. Positive terms come before negative ones. The constant comes last, except where it is
/// the only positive term: `10-n`. Where a name has several words, blanks surround the signs: `10 - length xs`.
#[must_use]
pub fn size_text<N: TypeNames + ?Sized>(size: &Size, names: &mut N) -> String {
    if size.is_too_large() {
        return "…".to_owned();
    }
    let mut terms: Vec<(&Vec<SizeVar>, i64)> = size.terms.iter().map(|(f, &c)| (f, c)).collect();
    let is_sum = terms.iter().any(|&(factors, coefficient)| !factors.is_empty() && coefficient > 0);
    terms.sort_by_key(|&(factors, coefficient)| (is_sum && factors.is_empty(), coefficient < 0));
    let product = |(factors, coefficient): (&Vec<SizeVar>, i64)| {
        let mut parts: Vec<String> = factors.iter().map(|&id| names.size(id)).collect();
        if coefficient.unsigned_abs() != 1 || parts.is_empty() {
            parts.insert(0, coefficient.unsigned_abs().to_string());
        }
        (coefficient < 0, parts)
    };
    let products: Vec<(bool, Vec<String>)> = terms.into_iter().map(product).collect();
    let is_apart = products.iter().any(|(_, parts)| parts.iter().any(|part| part.contains(' ')));
    let blank = if is_apart { " " } else { "" };
    let mut text = String::new();
    for (is_subtracted, parts) in products {
        match (is_subtracted, text.is_empty()) {
            (true, true) => text.push('-'),
            (true, false) => text += &format!("{blank}-{blank}"),
            (false, true) => {}
            (false, false) => text += &format!("{blank}+{blank}"),
        }
        text += &parts.join(&format!("{blank}*{blank}"));
    }
    if text.is_empty() { "0".to_owned() } else { text }
}
