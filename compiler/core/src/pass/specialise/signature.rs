//! The type of an entry as Arr text, for documentation.
//!
//! Invariant: what is printed is what stands after `entry` in the program, up to abbreviations of
//! types, which are written out.
//!
//! ```text
//! quickhull [n] (xs: [n]f64) (ys: [n]f64): ?[h].([h]f64, [h]f64)
//! ```

use crate::ids::SizeId;
use crate::ir::core::{Def, Pat, Program, Size, Type};

/// The name, the parameters and the result of a definition.
pub(super) fn of(core: &Program, def: &Def) -> String {
    let mut text = def.name.to_string();
    for &size in &def.sizes {
        text.push_str(&format!(" [{}]", core.sizes[size].name));
    }
    for param in &def.params {
        text.push_str(&format!(" ({}: {})", pat(core, &param.pat), ty(core, &param.ty)));
    }
    format!("{text}: {}", ty(core, &def.result))
}

fn pat(core: &Program, this: &Pat) -> String {
    match this {
        Pat::Wild => "_".into(),
        Pat::Var(var, _) => core.vars[*var].name.to_string(),
        Pat::Tuple(pats) => list("(", pats.iter().map(|inner| pat(core, inner)), ")"),
        Pat::Record(pats) => {
            let fields = pats.iter().map(|(name, inner)| format!("{name} = {}", pat(core, inner)));
            list("{", fields, "}")
        }
    }
}

fn ty(core: &Program, this: &Type) -> String {
    match this {
        Type::Scalar(scalar) => scalar.to_string(),
        Type::Tuple(types) => list("(", types.iter().map(|inner| ty(core, inner)), ")"),
        Type::Record(fields) => {
            let fields = fields.iter().map(|(name, inner)| format!("{name}: {}", ty(core, inner)));
            list("{", fields, "}")
        }
        Type::Array(extent, elem) => format!("[{}]{}", size(core, extent), ty(core, elem)),
        Type::Fun(name, param, result) => {
            let param = match name {
                Some(name) => format!("({}: {})", name_of(core, *name), ty(core, param)),
                None if matches!(**param, Type::Fun(..)) => format!("({})", ty(core, param)),
                None => ty(core, param),
            };
            format!("{param} -> {}", ty(core, result))
        }
        Type::Var(var) => core.types[*var].to_string(),
        Type::Exists(sizes, inner) => {
            let sizes: String =
                sizes.iter().map(|&size| format!("[{}]", name_of(core, size))).collect();
            format!("?{sizes}.{}", ty(core, inner))
        }
    }
}

/// A polynomial, its constant last: `n*m - 1`.
fn size(core: &Program, this: &Size) -> String {
    let mut text = String::new();
    for (factors, coefficient) in this.terms.iter().rev() {
        let sign = match (text.is_empty(), *coefficient < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let names = factors.iter().map(|&factor| name_of(core, factor));
        let number = coefficient.unsigned_abs();
        let number = (number != 1 || factors.is_empty()).then(|| number.to_string());
        let term: Vec<String> = number.into_iter().chain(names).collect();
        text.push_str(sign);
        text.push_str(&term.join("*"));
    }
    if text.is_empty() { "0".into() } else { text }
}

fn name_of(core: &Program, size: SizeId) -> String {
    core.sizes[size].name.to_string()
}

fn list(open: &str, items: impl Iterator<Item = String>, close: &str) -> String {
    format!("{open}{}{close}", items.collect::<Vec<_>>().join(", "))
}
