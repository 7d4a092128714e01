//! Futhark's test blocks in the comments of a program.
//!
//! ```text
//! -- ==
//! -- entry: total
//! -- input { [1, 2, 3] } output { 6 }
//! -- input { [0] } error: division by zero
//! ```
//! Values are separated by white space. A block without `entry:` is of `main`.

/// One call and what comes of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Case {
    /// The line of the input, from 1.
    pub line: usize,
    /// The entry.
    pub entry: String,
    /// The arguments, as literals.
    pub input: Vec<String>,
    /// What is expected.
    pub expected: Expected,
}

/// What is expected of a call.
#[derive(Clone, PartialEq, Debug)]
pub enum Expected {
    /// The results, as literals.
    Output(Vec<String>),
    /// A run-time error whose message matches the regular expression.
    Error(String),
}

/// Every case of a program.
///
/// # Errors
/// A sentence that says where a block is malformed.
pub fn cases(text: &str) -> Result<Vec<Case>, String> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((_, line)) = lines.next() {
        if line.trim() != "-- ==" {
            continue;
        }
        let mut block = Block::default();
        while let Some((number, line)) =
            lines.next_if(|(_, line)| line.starts_with("--") && line.trim() != "-- ==")
        {
            block.line(number + 1, line.trim_start_matches('-').trim());
        }
        found.extend(block.cases()?);
    }
    Ok(found)
}

/// The text of one block, with the line of each part.
#[derive(Default)]
struct Block {
    text: String,
    lines: Vec<(usize, usize)>,
}

impl Block {
    fn line(&mut self, number: usize, text: &str) {
        self.lines.push((self.text.len(), number));
        self.text.push_str(text);
        self.text.push('\n');
    }

    /// The line that a place in the block's text is on.
    fn number(&self, place: usize) -> usize {
        self.lines
            .iter()
            .take_while(|(start, _)| *start <= place)
            .last()
            .map_or(0, |&(_, number)| number)
    }

    fn cases(&self) -> Result<Vec<Case>, String> {
        let mut entry = "main".to_string();
        let mut found: Vec<Case> = Vec::new();
        let mut input: Option<(usize, Vec<String>)> = None;
        let mut at = 0;
        while let Some((start, word)) = self.word(at) {
            let line = self.number(start);
            at = start + word.len();
            match word {
                "entry:" => {
                    let (start, name) =
                        self.word(at).ok_or(format!("line {line}: `entry:` lacks a name"))?;
                    entry = name.to_string();
                    at = start + name.len();
                }
                "input" => input = Some((line, self.braces(&mut at)?)),
                "output" => {
                    let (line, input) =
                        input.take().ok_or(format!("line {line}: an output without an input"))?;
                    let expected = Expected::Output(self.braces(&mut at)?);
                    found.push(Case { line, entry: entry.clone(), input, expected });
                }
                "error:" => {
                    let (line, input) =
                        input.take().ok_or(format!("line {line}: an error without an input"))?;
                    let end = self.text[at..].find('\n').map_or(self.text.len(), |end| at + end);
                    let expected = Expected::Error(self.text[at..end].trim().to_string());
                    at = end;
                    found.push(Case { line, entry: entry.clone(), input, expected });
                }
                other => return Err(format!("line {line}: `{other}` is no part of a test block")),
            }
        }
        match input {
            Some((line, _)) => Err(format!("line {line}: an input without an output or an error")),
            None => Ok(found),
        }
    }

    /// The next word from a place.
    fn word(&self, at: usize) -> Option<(usize, &str)> {
        let rest = &self.text[at..];
        let start = at + rest.find(|character: char| !character.is_whitespace())?;
        let word = self.text[start..].split_whitespace().next()?;
        Some((start, word))
    }

    /// The values in the braces from a place; moves the place behind them.
    fn braces(&self, at: &mut usize) -> Result<Vec<String>, String> {
        let line = self.number(*at);
        let rest = &self.text[*at..];
        let open = rest.find('{').filter(|&open| rest[..open].trim().is_empty());
        let open = open.ok_or(format!("line {line}: `{{` is missing"))?;
        let close = rest.find('}').ok_or(format!("line {line}: `}}` is missing"))?;
        *at += close + 1;
        Ok(values(&rest[open + 1..close]))
    }
}

/// Splits at white space outside of brackets.
fn values(text: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut depth = 0_u32;
    for character in text.chars() {
        match character {
            '[' | '(' => depth += 1,
            ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let last = found.last_mut().expect("there is always a last one");
        if depth == 0 && character.is_whitespace() {
            found.push(String::new());
        } else {
            last.push(character);
        }
        // `empty([0]f64)` goes on after its bracket; an array ends with its own.
    }
    found.retain(|value| !value.is_empty());
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read() {
        let text = "-- ==\n-- entry: f\n-- input { [1, 2] 3 }\n-- output { 6 empty([0]f64) }\n\
                    -- input { 0 } error: division .*\nentry f = 1\n";
        let expected = [
            Case {
                line: 3,
                entry: "f".into(),
                input: vec!["[1, 2]".into(), "3".into()],
                expected: Expected::Output(vec!["6".into(), "empty([0]f64)".into()]),
            },
            Case {
                line: 5,
                entry: "f".into(),
                input: vec!["0".into()],
                expected: Expected::Error("division .*".into()),
            },
        ];
        assert_eq!(cases(text), Ok(expected.to_vec()));
        assert!(cases("-- ==\n-- input { 1 }\n").is_err());
        assert!(cases("-- ==\n-- outpt { 1 }\n").is_err());
    }
}
