//! Checks of the definitions of a program against each other.
//!
//! Invariant: a definition that is not marked as recursive does not reach itself.
//!
//! ```text
//! def f x = g x    def g x = f x, neither marked   ⇒   Err
//! ```

use std::collections::BTreeSet;

use super::super::{Body, Def, Expr, ExprKind, Program, Type};
use arrc_syntax::ids::DefId;
use arrc_syntax::stack::with_enough_stack;

/// Checks that entries have data in and data out.
pub(super) fn entries(program: &Program) -> Result<(), String> {
    for &id in &program.entries {
        let def = program.defs.get(id).ok_or_else(|| format!("there is no entry {id}"))?;
        let params = def.params.iter().map(|param| &param.ty);
        if !def.types.is_empty() || params.chain([&def.result]).any(has_function) {
            return Err(format!("the entry {} is polymorphic or of higher order", def.name));
        }
    }
    Ok(())
}

/// Checks that an external has data in and data out.
pub(super) fn external(def: &Def) -> Result<(), String> {
    let params = def.params.iter().map(|param| &param.ty);
    if !def.types.is_empty() || params.chain([&def.result]).any(has_function) {
        return Err("it is polymorphic or of higher order, and a function of C".to_owned());
    }
    Ok(())
}

/// Checks that only functions that are marked as recursive reach themselves.
pub(super) fn recursion(program: &Program) -> Result<(), String> {
    let mut done = BTreeSet::new();
    for id in program.defs.keys() {
        let mut path = vec![(id, callees(program, id))];
        let mut open = BTreeSet::from([id]);
        while let Some((at, next)) = path.last_mut() {
            let at = *at;
            match next.pop() {
                Some(callee) if open.contains(&callee) => {
                    if !program.defs[callee].recursive {
                        return Err(format!("{} reaches itself", program.defs[callee].name));
                    }
                }
                Some(callee) if !done.contains(&callee) => {
                    open.insert(callee);
                    path.push((callee, callees(program, callee)));
                }
                Some(_) => {}
                None => {
                    path.pop();
                    open.remove(&at);
                    done.insert(at);
                }
            }
        }
    }
    Ok(())
}

/// The definitions that a definition uses.
fn callees(program: &Program, id: DefId) -> Vec<DefId> {
    let mut found = BTreeSet::new();
    if let Body::Expr(body) = &program.defs[id].body {
        collect(body, &mut found);
    }
    found.into_iter().collect()
}

fn collect(mut expr: &Expr, found: &mut BTreeSet<DefId>) {
    while let ExprKind::Let(_, value, body) = &expr.kind {
        collect(value, found);
        expr = body;
    }
    if let ExprKind::Global(def, _) = &expr.kind {
        found.insert(*def);
    }
    expr.for_each_child(&mut |child| with_enough_stack(|| collect(child, found)));
}

fn has_function(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) | Type::Var(_) => false,
        Type::Tuple(items) => items.iter().any(has_function),
        Type::Record(fields) => fields.values().any(has_function),
        Type::Sum(constructors) => constructors.values().flatten().any(has_function),
        Type::Array(_, body) | Type::Exists(_, body) => has_function(body),
        Type::Fun(..) => true,
        Type::Hidden(hidden) => hidden.gone(),
    }
}
