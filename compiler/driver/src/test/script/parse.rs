//! Reads scripts.
//!
//! ```text
//! exp  = `let` (id | `(` id { `,` id } `)`) `=` exp `in` exp | fun { atom } | atom
//! atom = id | literal | text | `empty` `(` … `)` | `(` [exp { `,` exp }] `)` | `[` exp { `,` exp } `]` | `{` [id `=` exp { `,` id `=` exp }] `}`
//! fun  = id | `$` id
//! ```

use super::Exp;

/// Why a text is no script, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ScriptError {
    /// The place in the text, in bytes.
    pub(crate) at: usize,
    /// How many bytes the word there has.
    pub(crate) length: usize,
    /// The message.
    pub(crate) problem: String,
}

/// The length of the text up to the brace that closes the first one. `None` if there is none.
pub(crate) fn closed(text: &str) -> Option<usize> {
    let (mut depth, mut quoted) = (0_usize, false);
    for (at, character) in text.char_indices() {
        match character {
            '"' => quoted = !quoted,
            '{' if !quoted => depth += 1,
            '}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads a whole text.
///
/// # Errors
/// The first thing that cannot stand where it is.
pub(crate) fn parse(text: &str) -> Result<Exp, ScriptError> {
    let mut reader = Reader { text, at: 0 };
    let exp = reader.exp()?;
    match reader.peek() {
        "" => Ok(exp),
        word => Err(reader.error(format!("`{word}` is left over behind the expression"))),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// The expression, or the reason why there is none.
type Read<T> = Result<T, ScriptError>;

impl<'a> Reader<'a> {
    /// The next word or sign, without taking it.
    fn peek(&self) -> &'a str {
        let rest = self.text[self.at..].trim_start();
        let is_part = |character: char| character.is_alphanumeric() || "_'.$".contains(character);
        let Some(first) = rest.chars().next() else { return "" };
        if first == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            return &rest[..end];
        }
        let number = rest.trim_start_matches('-');
        if number.starts_with(|first: char| first.is_ascii_digit()) || rest.starts_with("-f") {
            // The sign of an exponent is part of a number.
            let mut previous = '-';
            let end = rest.char_indices().find(|&(_, character)| {
                let sign = "+-".contains(character) && "-eEpP".contains(previous);
                previous = character;
                !(sign || is_part(character))
            });
            return &rest[..end.map_or(rest.len(), |(end, _)| end)];
        }
        let end = rest.find(|character| !is_part(character)).unwrap_or(rest.len());
        &rest[..end.max(first.len_utf8())]
    }

    fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.at = word.as_ptr() as usize - self.text.as_ptr() as usize + word.len();
        word
    }

    /// An error at the next word.
    fn error(&self, problem: String) -> ScriptError {
        let word = self.peek();
        let blanks = self.text[self.at..].len() - self.text[self.at..].trim_start().len();
        ScriptError { at: self.at + blanks, length: word.len(), problem }
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.peek() == sign;
        if found {
            self.next();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Read<()> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.error(match self.peek() {
            "" => format!("`{sign}` is missing at the end"),
            word => format!("`{sign}` was expected, not `{word}`"),
        }))
    }

    fn name(&mut self) -> Read<String> {
        let word = self.peek();
        if is_name(word) {
            return Ok(self.next().to_owned());
        }
        Err(self.error(format!("a name was expected, not `{word}`")))
    }

    fn exp(&mut self) -> Read<Exp> {
        let word = self.peek();
        if word == "let" {
            self.next();
            let mut names = Vec::new();
            if self.take("(") {
                while names.is_empty() || self.take(",") {
                    names.push(self.name()?);
                }
                self.expect(")")?;
            } else {
                names.push(self.name()?);
            }
            self.expect("=")?;
            let value = self.exp()?;
            self.expect("in")?;
            return Ok(Exp::Let(names, Box::new(value), Box::new(self.exp()?)));
        }
        if !is_function(word) {
            return self.atom();
        }
        let function = self.next().to_owned();
        let mut arguments = Vec::new();
        while !matches!(self.peek(), "" | ")" | "]" | "}" | "," | "in" | "=") {
            arguments.push(self.atom()?);
        }
        Ok(Exp::Call(function, arguments))
    }

    fn atom(&mut self) -> Read<Exp> {
        let word = self.peek();
        match word {
            "(" => {
                let mut exps = self.list("(", ")")?;
                Ok(if exps.len() == 1 { exps.remove(0) } else { Exp::Tuple(exps) })
            }
            "[" => self.list("[", "]").map(Exp::Array),
            "{" => self.record(),
            "empty" => self.empty(),
            _ if word.starts_with('"') && word.len() > 1 && word.ends_with('"') => {
                self.next();
                Ok(Exp::Text(word[1..word.len() - 1].to_owned()))
            }
            _ if is_literal(word) => Ok(Exp::Literal(self.next().to_owned())),
            _ if is_function(word) => Ok(Exp::Call(self.next().to_owned(), Vec::new())),
            "" => Err(self.error("an expression is missing at the end".to_owned())),
            word => Err(self.error(format!("an expression was expected, not `{word}`"))),
        }
    }

    /// Expressions between two signs, with commas between.
    fn list(&mut self, open: &str, close: &str) -> Read<Vec<Exp>> {
        self.expect(open)?;
        let mut exps = Vec::new();
        while !self.take(close) {
            if !exps.is_empty() {
                let next = if self.peek().is_empty() { close } else { "," };
                self.expect(next)?;
            }
            exps.push(self.exp()?);
        }
        Ok(exps)
    }

    fn record(&mut self) -> Read<Exp> {
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.take("}") {
            if !fields.is_empty() {
                self.expect(",")?;
            }
            let name = self.name()?;
            self.expect("=")?;
            fields.push((name, self.exp()?));
        }
        Ok(Exp::Record(fields))
    }

    /// `empty([0]i32)`, as written.
    fn empty(&mut self) -> Read<Exp> {
        self.next();
        let start = self.at;
        self.expect("(")?;
        while !self.take(")") {
            if self.peek().is_empty() {
                return Err(self.error("`)` is missing at the end".to_owned()));
            }
            self.next();
        }
        Ok(Exp::Literal(format!("empty{}", &self.text[start..self.at])))
    }
}

fn is_name(word: &str) -> bool {
    !is_literal(word)
        && !["let", "in", "empty"].contains(&word)
        && word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn is_function(word: &str) -> bool {
    is_name(word.strip_prefix('$').unwrap_or(word))
}

fn is_literal(word: &str) -> bool {
    let special = ["nan", "inf"].iter().any(|end| word.ends_with(&format!(".{end}")));
    let number = word.trim_start_matches('-');
    special
        || ["true", "false"].contains(&word)
        || number.starts_with(|first: char| first.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: Vec<Exp>) -> Exp {
        Exp::Call(name.to_owned(), arguments)
    }

    fn literal(text: &str) -> Exp {
        Exp::Literal(text.to_owned())
    }

    #[test]
    fn scripts_are_read() {
        let let_in = Exp::Let(
            vec!["a".to_owned(), "b".to_owned()],
            Box::new(call("$loaddata", vec![Exp::Text("x y.in".to_owned())])),
            Box::new(call("f", vec![call("b", vec![]), call("g", vec![call("a", vec![])])])),
        );
        assert_eq!(parse(" let (a, b) = $loaddata \"x y.in\"\n in f b (g a) "), Ok(let_in));
        let record =
            vec![("x".to_owned(), literal("-1.5e-3f32")), ("y".to_owned(), literal("true"))];
        assert_eq!(parse("{x = -1.5e-3f32, y = true}"), Ok(Exp::Record(record)));
        let tuple =
            vec![literal("empty([0] i32)"), Exp::Array(vec![literal("1"), literal("2i64")])];
        assert_eq!(parse("(empty([0] i32), [1, 2i64])"), Ok(Exp::Tuple(tuple)));
        assert_eq!(parse("()"), Ok(Exp::Tuple(vec![])));
        assert_eq!(closed("{ {a = \"}\"} } rest"), Some(13));
        assert_eq!(closed("{ {a = 1}"), None);
    }

    #[test]
    fn mistakes_have_places() {
        for (text, at, problem) in [
            ("f (g 1", 6, "`)` is missing at the end"),
            ("f ]", 2, "`]` is left over behind the expression"),
            ("let 1 = 2 in 3", 4, "a name was expected, not `1`"),
            ("", 0, "an expression is missing at the end"),
            ("{x 1}", 3, "`=` was expected, not `1`"),
        ] {
            let error = parse(text).expect_err(text);
            assert_eq!((error.at, error.problem.as_str()), (at, problem), "{text}");
        }
    }
}
