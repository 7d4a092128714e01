//! Mutations of programs: tokens deleted, doubled, swapped and replaced, programs spliced, brackets
//! nested, and noise.
//!
//! Invariant: a mutant is text of at most a few thousand characters, so that a case is short.

use std::fs;
use std::path::Path;

use super::Random;
use crate::tools::files;

/// Words and signs that are likely to matter.
const WORDS: &[&str] = &[
    "def",
    "entry",
    "type",
    "let",
    "in",
    "if",
    "then",
    "else",
    "with",
    "loop",
    "for",
    "while",
    "do",
    "match",
    "case",
    "module",
    "import",
    "open",
    "intrinsic",
    "external",
    "local",
    "#[effect(io)]",
    "#[noinline]",
    "copy",
    "rep",
    "sum",
    "partition",
    "scan",
    "scatter",
    "flatmap",
    "loop [k] (xs: [k]i64) =",
    "f64.(",
    "*[n]i64",
    "true",
    "false",
    "assert",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "()",
    "[]",
    "{}",
    ",",
    ";",
    ":",
    ":>",
    "=",
    "==",
    "->",
    "\\",
    "|>",
    "<|",
    "+",
    "-",
    "*",
    "/",
    "%",
    "**",
    "<<",
    "&&",
    "||",
    "!",
    "++",
    ".",
    "..",
    "...",
    ".0",
    "_",
    "'a",
    "?[k].",
    "[n]",
    "[n+1]",
    "#",
    "#x",
    "|",
    "@",
    "$",
    "`",
    "\"",
    "0",
    "1",
    "-1",
    "1e400",
    "1e-400",
    "0x",
    "0xffffffffffffffffffff",
    "9223372036854775808",
    "-9223372036854775808",
    "1u8",
    "256u8",
    "2.5",
    "f64.inf",
    "i64",
    "f64",
    "bool",
    "u8",
    "i64.highest",
    "map",
    "map2",
    "filter",
    "reduce",
    "fold",
    "iota",
    "replicate",
    "generate",
    "gather",
    "cross",
    "zip",
    "unzip",
    "length",
    "n",
    "x",
    "xs",
    "é",
    "日",
    "\u{0}",
    "\u{feff}",
    "\r",
    "\t",
    "\u{202e}",
    "--",
    "-- |",
    "\n",
    "\n\n",
];

/// The most tokens of a mutant. Longer ones are cut.
const LONGEST: usize = 900;

/// The programs that are mutated, as tokens.
#[derive(Debug)]
pub struct Corpus {
    programs: Vec<Vec<String>>,
}

impl Corpus {
    /// Every program of the project.
    ///
    /// # Panics
    /// If the project is not there.
    #[must_use]
    pub fn read(project: &Path) -> Self {
        let folders = ["tests/run", "tests/ui", "tests/emit", "tests/fuzz", "examples", "stdlib"];
        let paths = folders.iter().flat_map(|folder| files(&project.join(folder), "arr"));
        let programs = paths.filter_map(|path| fs::read_to_string(path).ok());
        Self { programs: programs.map(|text| tokens(&text)).collect() }
    }
}

/// A text cut where words, numbers, blanks and signs meet. Together the pieces are the text.
fn tokens(text: &str) -> Vec<String> {
    let class = |c: char| match c {
        '\n' => 0,
        c if c.is_whitespace() => 1,
        c if c.is_alphanumeric() || c == '_' => 2,
        '(' | ')' | '[' | ']' | '{' | '}' | ',' | ';' => 3,
        _ => 4,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = None;
    for c in text.chars() {
        let here = class(c);
        match tokens.last_mut() {
            Some(token) if last == Some(here) && here != 0 && here != 3 => token.push(c),
            Some(_) | None => tokens.push(c.to_string()),
        }
        last = Some(here);
    }
    tokens
}

/// A random mutant.
#[must_use]
pub fn mutant(corpus: &Corpus, random: &mut Random) -> String {
    let mut tokens = window(random.choose::<Vec<String>>(&corpus.programs), random);
    for _ in 0..=random.below(4) {
        mutate(&mut tokens, corpus, random);
    }
    let text = tokens.concat();
    if random.below(12) == 0 { noise(text, random) } else { text }
}

/// Some whole lines of a program.
fn window(program: &[String], random: &mut Random) -> Vec<String> {
    if program.len() <= LONGEST {
        return program.to_vec();
    }
    let line = program[random.below(program.len() - LONGEST)..].iter();
    let window: Vec<String> =
        line.skip_while(|token| *token != "\n").take(LONGEST).cloned().collect();
    let end = window.windows(2).rposition(|pair| pair[0] == "\n" && pair[1] == "\n");
    window[..end.unwrap_or(window.len())].to_vec()
}

fn mutate(tokens: &mut Vec<String>, corpus: &Corpus, random: &mut Random) {
    let at = random.below(tokens.len());
    let run = |tokens: &[String], random: &mut Random| {
        let at = random.below(tokens.len());
        at..tokens.len().min(at + 1 + random.below(6))
    };
    match random.below(11) {
        0 | 1 => drop(tokens.drain(run(tokens, random))),
        2 => {
            let doubled = tokens[run(tokens, random)].to_vec();
            tokens.splice(at..at, doubled);
        }
        3 if !tokens.is_empty() => {
            let other = random.below(tokens.len());
            tokens.swap(at, other);
        }
        4 | 5 if !tokens.is_empty() => tokens[at] = (*random.choose(WORDS)).to_owned(),
        6 => tokens.insert(at, (*random.choose(WORDS)).to_owned()),
        7 => {
            let other = random.choose(&corpus.programs);
            let piece = other[run(other, random)].to_vec();
            tokens.splice(at..at, piece);
        }
        8 => {
            let other = window(random.choose::<Vec<String>>(&corpus.programs), random);
            let from = random.below(other.len());
            tokens.truncate(at);
            tokens.extend(other[from..].iter().cloned());
            tokens.truncate(2 * LONGEST);
        }
        9 if !tokens.is_empty() => {
            let (open, close) =
                *random.choose(&[("(", ")"), ("[", "]"), ("{", "}"), ("if ", " x "), ("(-", ")")]);
            let depth = [1, 2, 40, 300][random.below(4)];
            tokens[at] = format!("{}{}{}", open.repeat(depth), tokens[at], close.repeat(depth));
        }
        _ => {
            // A word in the place of another of the same program: types and names get mixed up.
            let words: Vec<usize> = (0..tokens.len())
                .filter(|&at| tokens[at].starts_with(|c: char| c.is_alphanumeric()))
                .collect();
            if !words.is_empty() {
                let (from, to) = (*random.choose(&words), *random.choose(&words));
                tokens[to] = tokens[from].clone();
            }
        }
    }
}

/// Changes bytes; invalid UTF-8 is replaced, since only text gets this far.
fn noise(text: String, random: &mut Random) -> String {
    let mut bytes = text.into_bytes();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte = u8::try_from(random.below(256)).expect("it is below 256");
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::project;

    #[test]
    fn tokens_are_the_text() {
        let text = "def f [n] (xs: [n]i64) =\n  map (+ 1) xs -- é\n";
        assert_eq!(tokens(text).concat(), text);
        assert_eq!(tokens("a1 ++(b"), ["a1", " ", "++", "(", "b"]);
    }

    #[test]
    fn a_case_depends_on_its_number_alone() {
        let corpus = Corpus::read(&project());
        let mutants = |seed| -> Vec<String> {
            (0..50).map(|case| mutant(&corpus, &mut Random::new(seed, case))).collect()
        };
        let first = mutants(1);
        assert_eq!(first, mutants(1));
        let other = mutants(2);
        assert!(first.iter().zip(&other).filter(|(a, b)| a == b).count() < 5);
    }
}
