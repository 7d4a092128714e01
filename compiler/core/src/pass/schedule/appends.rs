//! Appends of appends are one append, which copies each element once.
//!
//! Invariant: an array that has other uses is still made.
//!
//! ```text
//! t = a ++ b; u = t ++ c; v = u ++ d   ⇒   v = a ++ b ++ c ++ d     if t and u are used nowhere else
//! ```

use indexmap::{IndexMap, IndexSet};

use crate::ids::VarId;
use crate::ir::cnf::Atom;
use crate::ir::procedure::concrete::mentions;
use crate::ir::procedure::concrete::{Block, Plain, Step};

/// Joins the appends of a block, but not those of the blocks inside it.
pub(super) fn join(block: Block<Plain>) -> Block<Plain> {
    // Without two appends there are no uses to look for, and branches may be nested deeply.
    if block.steps.iter().filter(|step| matches!(step, Step::Append { .. })).count() < 2 {
        return block;
    }
    let appended = appended_only(&block);
    let mut parts_of = IndexMap::new();
    let mut steps = Vec::new();
    for step in block.steps {
        let Step::Append { var, extends: None, parts, span, .. } = step else {
            steps.push(step);
            continue;
        };
        let parts = parts
            .into_iter()
            .flat_map(|part| parts_of.swap_remove(&part).unwrap_or_else(|| vec![part]));
        let parts = parts.collect::<Vec<_>>();
        if appended.contains(&var) {
            parts_of.insert(var, parts);
        } else {
            steps.push(Step::appending(var, parts, span));
        }
    }
    Block { steps, results: block.results }
}

/// The results of appends whose only use is one append.
fn appended_only(block: &Block<Plain>) -> IndexSet<VarId> {
    let mut once = IndexSet::new();
    let mut others = IndexSet::new();
    let mut made = IndexSet::new();
    for step in &block.steps {
        if let Step::Append { var, parts, .. } = step {
            made.insert(*var);
            others.extend(parts.iter().copied().filter(|part| !once.insert(*part)));
        } else {
            others.extend(mentions::uses(step));
        }
    }
    others.extend(block.results.iter().filter_map(|result| match result {
        Atom::Const(_) => None,
        Atom::Var(var) => Some(*var),
    }));
    once.retain(|part| made.contains(part) && !others.contains(part));
    once
}

#[cfg(test)]
mod tests {
    use crate::pass::load::NoFiles;
    use crate::pipeline::{self, Options};
    use crate::source::Sources;

    /// The right sides of the appends that remain in a program of four arrays.
    fn appends(body: &str) -> Vec<String> {
        let text = format!("entry f (a: []i64) (b: []i64) (c: []i64) (d: []i64) =\n  {body}\n");
        let mut sources = Sources::default();
        let file = sources.add("appends.arr", text.as_str());
        let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
        let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
        let sides = form.lines().filter_map(|line| line.split_once(" = "));
        sides.map(|(_, right)| right.to_owned()).filter(|right| right.contains("++")).collect()
    }

    #[test]
    fn each_element_is_copied_once() {
        assert_eq!(appends("a ++ b ++ c ++ d"), ["a ++ b ++ c ++ d"]);
        assert_eq!(appends("(a ++ b) ++ (c ++ d)"), ["a ++ b ++ c ++ d"]);
        assert_eq!(appends("a ++ (b ++ (a ++ a))"), ["a ++ b ++ a ++ a"]);
    }

    #[test]
    fn what_is_looked_at_is_made() {
        assert_eq!(appends("let t = a ++ b in (t, t ++ c)"), ["a ++ b", "t ++ c"]);
        assert_eq!(appends("let t = a ++ b in t ++ t"), ["a ++ b", "t ++ t"]);
        let both = appends("let t = a ++ b in (t ++ c, t ++ d)");
        assert_eq!(both, ["a ++ b", "t ++ c", "extend t ++ d"]);
        assert_eq!(appends("let t = a ++ b in (t[0], t ++ c)"), ["a ++ b", "extend t ++ c"]);
    }
}
