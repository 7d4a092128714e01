//! The equations of an entry as comments above it.
//!
//! Invariant: there is a line for each dimension of an argument, and for each size that `:>` compares.
//!
//! ```text
//! entry f [n] [k] (xs: [n]i64) (ys: [2*k]i64) (zs: [n]i64)
//! ⇒ -- n = length xs
//!   -- k = length ys / 2, without a remainder
//!   -- length zs == n
//! ```

use super::super::{Body, Def, Equation, EquationUse, Pat, Program, Projection, Size, coercions};
use super::exprs::ExprPrinter;
use arrc_syntax::ids::SizeVar;
use arrc_syntax::names::Name;

/// The lines above an entry. The printer has the names of its parameters.
pub(super) fn lines(program: &Program, def: &Def, printer: &ExprPrinter<'_>) -> Vec<String> {
    let text = |size: &Size| {
        let is_named = size.symbols().into_iter().all(|id| printer.names.size(id).is_some());
        if is_named { printer.size_value(size).to_string() } else { "[]".to_owned() }
    };
    let mut lines = Vec::new();
    for Equation { param, path, size, role } in program.equations(def) {
        let pat = def.params.get(param).map(|param| &param.pat);
        let length = length(printer, pat, param, &path);
        let solved = |id: SizeVar, factor: i64| {
            let rest = size.minus(&Size::symbol(id).times_constant(factor));
            let has_rest = rest != Size::default();
            let whole = match (has_rest, factor < 0) {
                (false, _) => length.clone(),
                (true, false) if rest.terms.len() == 1 => format!("{length} - {}", text(&rest)),
                (true, false) => format!("{length} - ({})", text(&rest)),
                (true, true) => format!("{} - {length}", text(&rest)),
            };
            let name = text(&Size::symbol(id));
            match factor.unsigned_abs() {
                1 => format!("{name} = {whole}"),
                by if has_rest => format!("{name} = ({whole}) / {by}, without a remainder"),
                by => format!("{name} = {whole} / {by}, without a remainder"),
            }
        };
        lines.push(match role {
            EquationUse::Tells(id) => solved(id, size.factor_of(id).unwrap_or(1)),
            EquationUse::Divides(id, factor) => solved(id, factor),
            EquationUse::Compared => format!("{length} == {}", text(&size)),
        });
    }
    if let Body::Expr(body) = &def.body {
        let compared = coercions(body).into_iter();
        lines.extend(
            compared.map(|(own, wanted)| format!("{} == {}, by `:>`", text(own), text(wanted))),
        );
    }
    lines
}

/// The expression of a dimension.
fn length(
    printer: &ExprPrinter<'_>,
    pat: Option<&Pat>,
    param: usize,
    path: &[Projection],
) -> String {
    let (mut pat, whole, mut path) = (pat, path, path);
    // A pattern may give a part of the argument a name.
    let name = loop {
        pat = match (pat, path) {
            (Some(Pat::Var(var, _)), _) => break printer.names.var(*var),
            (Some(Pat::Tuple(items)), [Projection::Item(at), rest @ ..]) => {
                path = rest;
                items.get(*at)
            }
            (Some(Pat::Record(fields)), [Projection::Field(name), rest @ ..]) => {
                path = rest;
                fields.iter().find(|(field, _)| field == name).map(|(_, pat)| pat)
            }
            _ => {
                path = whole;
                break Name::from(format!("(argument {})", param + 1));
            }
        };
    };
    let mut text = name.to_string();
    for step in path {
        text.push_str(&match step {
            Projection::Element => "[0]".to_owned(),
            Projection::Item(at) => format!(".{at}"),
            Projection::Field(name) => format!(".{name}"),
            Projection::Payload(name, at) => format!(".#{name}.{at}"),
        });
    }
    format!("length {text}")
}
