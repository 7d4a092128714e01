//! Suggestions: known names that the user probably meant.
//!
//! Invariant: a suggestion is one typo away, and the nearest comes first. A typo is two letters that changed places,
//! a missing letter, an added letter, or a letter in another case. A wrong letter counts in names of five letters or
//! more; in names of three or four, only if its key is beside the right one. Names of eight letters or more may have
//! two typos. Names of one or two letters are all near to each other, so one of them is meant only if the letters are
//! the same: in another order, in another case, or one of them twice.
//!
//! ```text
//! lenght, of {length, last, zip}   ⇒   length
//! ```

use crate::names::Name;

/// The names of `known` that are nearest to `name`, at most three.
#[must_use]
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a Name>) -> Vec<Name> {
    let length = name.chars().count();
    let limit = if length < 8 { 1 } else { 2 };
    let mut near: Vec<(usize, &Name)> = known
        .into_iter()
        .filter(|other| {
            other.as_str() != name && (!is_short(name, other) || has_letters(name, other))
        })
        .map(|other| (distance(name, other), other))
        .filter(|&(distance, _)| distance <= limit)
        .collect();
    near.sort();
    near.dedup();
    near.into_iter().take(3).map(|(_, name)| name.clone()).collect()
}

/// The longest name of which a typo makes any other.
const SHORT: usize = 2;

/// Whether one of two names is so short that a typo makes it the other one, whatever they are.
fn is_short(one: &str, other: &str) -> bool {
    one.chars().count().min(other.chars().count()) <= SHORT
}

/// Whether two names have the same letters, without regard to their order, their case, and letters that stand twice
/// in a row.
fn has_letters(one: &str, other: &str) -> bool {
    let letters = |name: &str| {
        let mut letters: Vec<char> = name.to_lowercase().chars().collect();
        letters.dedup();
        letters.sort_unstable();
        letters
    };
    letters(one) == letters(other)
}

/// The letters in the rows of a keyboard. Y and Z are left out, since some keyboards exchange them.
const KEYS: [&str; 4] = ["qwert", "uiop", "asdfghjkl", "xcvbnm"];

/// Whether the keys of two letters are side by side.
fn are_adjacent_keys(one: char, other: char) -> bool {
    let place = |row: &str, letter: char| row.find(letter.to_ascii_lowercase());
    let is_in = |row: &&str| {
        let places = place(row, one).zip(place(row, other));
        places.is_some_and(|(one, other)| one.abs_diff(other) == 1)
    };
    KEYS.iter().any(is_in)
}

/// The number of letters to insert, delete, replace, or swap with their neighbour. In a short name, a wrong letter
/// whose key is not beside the right one counts as two, since it makes another word.
fn distance(from: &str, to: &str) -> usize {
    if from.to_lowercase() == to.to_lowercase() {
        return usize::from(from != to);
    }
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let length = from.len().max(to.len());
    let another = |one: char, other: char| match length {
        _ if one == other => 0,
        0..3 => 2,
        3..5 if !are_adjacent_keys(one, other) => 2,
        _ => 1,
    };
    let mut rows: Vec<Vec<usize>> = vec![(0..=to.len()).collect()];
    for i in 1..=from.len() {
        let mut row = vec![i];
        for j in 1..=to.len() {
            let replaced = rows[i - 1][j - 1] + another(from[i - 1], to[j - 1]);
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

    #[test]
    fn another_word_is_not_suggested() {
        let near = |name: &str, known: &str| !nearest(name, &[Name::from(known)]).is_empty();
        let typos = [
            ("srot", "sort"),
            ("filer", "filter"),
            ("Map", "map"),
            ("lasst", "last"),
            ("reduse", "reduce"),
            ("norn", "norm"),
            ("sx", "xs"),
            ("xss", "xs"),
            ("XS", "xs"),
        ];
        assert!(typos.iter().all(|(name, known)| near(name, known)));
        let others = [
            ("sqrt", "sort"),
            ("ys", "xs"),
            ("max", "map"),
            ("reverse", "reduce"),
            ("sum", "x"),
            ("x1", "x2"),
            ("np", "n"),
            ("n", "np"),
            ("xs", "x"),
            ("abs", "as"),
            ("e", "ne"),
        ];
        assert!(others.iter().all(|(name, known)| !near(name, known)));
    }
}
