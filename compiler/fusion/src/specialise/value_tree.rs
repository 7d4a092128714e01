//! Nested tuples, records and sums with something at each leaf.
//!
//! Invariant: records are kept in the order of their fields' names, and sums in that of their
//! constructors', so two trees of one type have their leaves in the same order, however their types
//! were written.
//!
//! ```text
//! ({y: 2, x: 1}, 3)  has the leaves 1, 2, 3 at the paths _0_x, _0_y, _1
//! ```

use std::collections::BTreeMap;

use arrc_syntax::names::Name;

/// A nest of tuples, records and sums.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Tree<T> {
    /// No tuple and no record.
    Leaf(T),
    /// A tuple; the empty one is `()`.
    Tuple(Vec<Tree<T>>),
    /// A record.
    Record(BTreeMap<Name, Tree<T>>),
    /// A sum.
    Sum(Box<Sum<T>>),
}

/// A sum: the payloads of all its constructors, side by side.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Sum<T> {
    /// The constructor that made the value, as its position among the names of all.
    pub(super) tag: T,
    /// The payloads of each constructor.
    pub(super) cases: BTreeMap<Name, Vec<Tree<T>>>,
}

impl<T> Tree<T> {
    /// The leaves, from left to right.
    pub(super) fn leaves(&self) -> Vec<&T> {
        let mut leaves = Vec::new();
        self.gather(&mut leaves);
        leaves
    }

    fn gather<'t>(&'t self, leaves: &mut Vec<&'t T>) {
        match self {
            Self::Leaf(leaf) => leaves.push(leaf),
            Self::Tuple(items) => items.iter().for_each(|item| item.gather(leaves)),
            Self::Record(fields) => fields.values().for_each(|field| field.gather(leaves)),
            Self::Sum(sum) => {
                leaves.push(&sum.tag);
                sum.cases.values().flatten().for_each(|payload| payload.gather(leaves));
            }
        }
    }

    /// Whether there are more leaves than `most`. No more than that are counted.
    pub(super) fn exceeds(&self, most: usize) -> bool {
        fn uses_up<T>(tree: &Tree<T>, left: &mut usize) -> bool {
            match tree {
                Tree::Leaf(_) => match left.checked_sub(1) {
                    Some(rest) => {
                        *left = rest;
                        false
                    }
                    None => true,
                },
                Tree::Tuple(items) => items.iter().any(|item| uses_up(item, left)),
                Tree::Record(fields) => fields.values().any(|field| uses_up(field, left)),
                Tree::Sum(sum) => sum.cases.values().flatten().any(|case| uses_up(case, left)),
            }
        }
        uses_up(self, &mut { most })
    }

    /// The leaves with their paths: `_0_x` for the field `x` of the first component.
    pub(super) fn paths(&self) -> Vec<(String, &T)> {
        let mut paths = Vec::new();
        self.collect(&mut String::new(), &mut paths);
        paths
    }

    /// The same nest with other leaves.
    pub(super) fn map<U>(&self, f: &mut impl FnMut(&T) -> U) -> Tree<U> {
        match self {
            Self::Leaf(leaf) => Tree::Leaf(f(leaf)),
            Self::Tuple(items) => Tree::Tuple(items.iter().map(|item| item.map(f)).collect()),
            Self::Record(fields) => Tree::Record(
                fields.iter().map(|(name, field)| (name.clone(), field.map(f))).collect(),
            ),
            Self::Sum(sum) => {
                let tag = f(&sum.tag);
                let mut cases = BTreeMap::new();
                for (name, payloads) in &sum.cases {
                    cases.insert(name.clone(), payloads.iter().map(|one| one.map(f)).collect());
                }
                Tree::Sum(Box::new(Sum { tag, cases }))
            }
        }
    }

    /// The same nest with these leaves, from left to right.
    ///
    /// # Panics
    /// If there are fewer leaves than places.
    pub(super) fn refill<U>(&self, leaves: impl IntoIterator<Item = U>) -> Tree<U> {
        let mut leaves = leaves.into_iter();
        self.map(&mut |_| leaves.next().expect("one leaf for each place of the tree"))
    }

    /// Whether it contains a sum.
    pub(super) fn has_sum(&self) -> bool {
        match self {
            Self::Leaf(_) => false,
            Self::Tuple(items) => items.iter().any(Self::has_sum),
            Self::Record(fields) => fields.values().any(Self::has_sum),
            Self::Sum(_) => true,
        }
    }

    fn collect<'t>(&'t self, path: &mut String, paths: &mut Vec<(String, &'t T)>) {
        let length = path.len();
        match self {
            Self::Leaf(leaf) => paths.push((path.clone(), leaf)),
            Self::Tuple(items) => {
                for (index, item) in items.iter().enumerate() {
                    path.push_str(&format!("_{index}"));
                    item.collect(path, paths);
                    path.truncate(length);
                }
            }
            Self::Record(fields) => {
                for (name, field) in fields {
                    path.push_str(&format!("_{name}"));
                    field.collect(path, paths);
                    path.truncate(length);
                }
            }
            Self::Sum(sum) => {
                paths.push((format!("{path}_tag"), &sum.tag));
                for (name, payloads) in &sum.cases {
                    for (index, payload) in payloads.iter().enumerate() {
                        path.push_str(&payload_path(name, payloads.len(), index));
                        payload.collect(path, paths);
                        path.truncate(length);
                    }
                }
            }
        }
    }
}

/// The path of a payload: `_some`, or `_box_0` of one of several.
pub(super) fn payload_path(constructor: &str, payloads: usize, index: usize) -> String {
    if payloads == 1 { format!("_{constructor}") } else { format!("_{constructor}_{index}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_come_in_the_order_of_field_names() {
        let point = Tree::Record(BTreeMap::from([
            ("y".into(), Tree::Leaf(2)),
            ("x".into(), Tree::Leaf(1)),
        ]));
        let tree = Tree::Tuple(vec![point, Tree::Leaf(3)]);
        let paths: Vec<_> = tree.paths().into_iter().map(|(path, leaf)| (path, *leaf)).collect();
        assert_eq!(paths, [("_0_x".into(), 1), ("_0_y".into(), 2), ("_1".into(), 3)]);
        assert_eq!(tree.refill([4, 5, 6]).leaves(), [&4, &5, &6]);
    }
}
