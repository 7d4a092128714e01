//! Names that were probably meant.
//!
//! Invariant: what is suggested differs by less than half of its letters, nearest first.
//!
//! ```text
//! lenght, of {length, last, zip}   ⇒   length
//! ```

use crate::names::Name;

/// The names of `known` that are nearest to `name`, at most three.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a Name>) -> Vec<Name> {
    let limit = (name.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &Name)> = known
        .into_iter()
        .filter(|other| other.as_str() != name)
        .map(|other| (distance(name, other), other))
        .filter(|&(distance, other)| distance <= limit && distance < other.chars().count())
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name.clone()).collect()
}

/// How many letters to insert, delete, replace or swap with their neighbour.
fn distance(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[from.len()][to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_changed_places_are_near() {
        assert_eq!(distance("lenght", "length"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }

    #[test]
    fn only_near_names_are_suggested() {
        let known = ["length", "last", "zip"].map(Name::from);
        assert_eq!(nearest("lenght", &known), ["length"]);
        assert!(nearest("frobnicate", &known).is_empty());
        assert!(nearest("x", &known).is_empty());
    }
}
