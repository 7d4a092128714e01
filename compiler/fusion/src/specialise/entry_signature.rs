//! The type of an entry as Arr text, for documentation.
//!
//! Invariant: the printed signature is the text after `entry` in the program, but abbreviations of types are written
//! out.
//!
//! ```text
//! quickhull [n] (xs: [n]f64) (ys: [n]f64): ?[h].([h]f64, [h]f64)
//! ```

use arrc_front::core::{Def, Pat, Program, SourceNames, type_text};

/// The name, the parameters and the result of a definition.
pub(super) fn of(core: &Program, def: &Def) -> String {
    let mut names = SourceNames(core);
    let mut text = def.name.to_string();
    for &size in &def.sizes {
        text.push_str(&format!(" [{}]", core.sizes[size].name));
    }
    for param in &def.params {
        let ty = type_text(&param.ty, &mut names);
        text.push_str(&format!(" ({}: {ty})", pat(core, &param.pat)));
    }
    format!("{text}: {}", type_text(&def.result, &mut names))
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
        Pat::Constructor(name, pats) if pats.is_empty() => format!("#{name}"),
        Pat::Constructor(name, pats) => {
            let pats: Vec<String> = pats.iter().map(|inner| pat(core, inner)).collect();
            format!("(#{name} {})", pats.join(" "))
        }
        Pat::Const(..) => panic!("a parameter fits all values, and a literal does not"),
    }
}

fn list(open: &str, items: impl Iterator<Item = String>, close: &str) -> String {
    format!("{open}{}{close}", items.collect::<Vec<_>>().join(", "))
}
