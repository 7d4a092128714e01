//! Functions that no entry reaches are dropped.
//!
//! Invariant: functions keep their order; calls and entries mean the same functions as before.
//!
//! ```text
//! entry f = …; def g = … (called nowhere any more)   ⇒ entry f = …
//! ```

use crate::cnf::{Block, Callee, Op, Program};
use arrc_syntax::ids::{FuncId, PrimaryMap, SecondaryMap};

/// Drops the functions that no entry reaches.
pub(super) fn drop_unreachable(program: Program) -> Program {
    let mut reached: SecondaryMap<FuncId, bool> = SecondaryMap::new();
    let mut work: Vec<FuncId> = program.entries.iter().map(|entry| entry.function).collect();
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut reached[id], true) {
            continue;
        }
        work.extend(program.functions[id].body.callees());
    }
    let mut kept = PrimaryMap::new();
    let mut renamed: SecondaryMap<FuncId, Option<FuncId>> = SecondaryMap::new();
    for (id, function) in program.functions {
        if reached[id] {
            renamed[id] = Some(kept.push(function));
        }
    }
    let new = |id: FuncId| renamed[id].expect("a function that is called is reached");
    for function in kept.values_mut() {
        rename(&mut function.body, &new);
    }
    let mut entries = program.entries;
    for entry in &mut entries {
        entry.function = new(entry.function);
    }
    Program { functions: kept, externals: program.externals, entries, calls: program.calls }
}

fn rename(block: &mut Block, new: &impl Fn(FuncId) -> FuncId) {
    for bind in &mut block.binds {
        if let Op::Call { callee: Callee::Function(function), .. } = &mut bind.op {
            *function = new(*function);
        }
        for inner in bind.op.blocks_mut() {
            rename(inner, new);
        }
    }
}
