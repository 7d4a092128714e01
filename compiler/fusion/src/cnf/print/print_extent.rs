//! Sizes as text, in combinator normal form and in the later forms.
//!
//! Invariant: a sum or a product prints with its parts, so the text contains its definition.
//!
//! ```text
//! k2 = Sum(n, Product(k, 4))                       ⇒   n + k * 4
//! k3 = Sum(n, n); k4 = Sum(k3, k3); k5 = Sum(k4, k4)   ⇒   (n << 3)
//! ```

use std::collections::BTreeSet;

use crate::cnf::{Extent, SizeDef, SizeInfo};
use arrc_syntax::ids::{EntityRef, PrimaryMap, SecondaryMap, SizeId};

/// A size as text. `name` gives the names of sizes that are neither sums nor products.
pub(crate) fn show(
    sizes: &PrimaryMap<SizeId, SizeInfo>,
    extent: Extent,
    name: &dyn Fn(SizeId) -> String,
) -> String {
    let inner = |extent| show(sizes, extent, name);
    let def = |extent| match extent {
        Extent::Size(size) => Some(&sizes[size].def),
        Extent::Const(_) => None,
    };
    let size = match extent {
        Extent::Const(value) => return value.to_string(),
        Extent::Size(size) => size,
    };
    match sizes[size].def {
        SizeDef::Sum(left, Extent::Const(right)) if right < 0 => {
            format!("{} - {}", inner(left), right.unsigned_abs())
        }
        SizeDef::Sum(left, right) if left == right && double(sizes, left).is_some() => {
            let halves = std::iter::successors(Some(extent), |&half| double(sizes, half));
            let single = halves.clone().last().expect("there is always the extent itself");
            let single = inner(single);
            let single = if single.contains(' ') { format!("({single})") } else { single };
            format!("({single} << {})", halves.count() - 1)
        }
        SizeDef::Sum(left, right) => {
            let is_sum = matches!(def(right), Some(SizeDef::Sum(..)));
            let right = inner(right);
            let right = if is_sum { format!("({right})") } else { right };
            format!("{} + {right}", inner(left))
        }
        SizeDef::Product(left, right) => {
            let [left, right] = [left, right].map(|side| {
                let text = inner(side);
                if text.contains(' ') { format!("({text})") } else { text }
            });
            format!("{left} * {right}")
        }
        SizeDef::Param | SizeDef::Value(_) | SizeDef::Exists => name(size),
    }
}

/// The extent that is added to itself.
fn double(sizes: &PrimaryMap<SizeId, SizeInfo>, extent: Extent) -> Option<Extent> {
    let Extent::Size(size) = extent else { return None };
    match sizes[size].def {
        SizeDef::Sum(left, right) => (left == right).then_some(left),
        SizeDef::Param | SizeDef::Value(_) | SizeDef::Exists | SizeDef::Product(..) => None,
    }
}

/// Gives names to all sizes that are neither sums nor products. No variable and no other size has the same name. The
/// values of variables get their names last.
pub(crate) fn names(
    sizes: &PrimaryMap<SizeId, SizeInfo>,
    mut taken: BTreeSet<String>,
) -> SecondaryMap<SizeId, String> {
    let mut names = SecondaryMap::new();
    let mut give = |id: SizeId| {
        names[id] = super::names::fresh(&sizes[id].name, id.index(), sizes.len(), &mut taken);
    };
    let (mut free, mut of_variables) = (Vec::new(), Vec::new());
    for (id, size) in sizes.iter() {
        match size.def {
            SizeDef::Param | SizeDef::Exists => free.push(id),
            SizeDef::Value(_) => of_variables.push(id),
            SizeDef::Sum(..) | SizeDef::Product(..) => {}
        }
    }
    free.into_iter().chain(of_variables).for_each(&mut give);
    names
}
