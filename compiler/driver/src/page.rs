//! The page of a diagnostic, converted from Markdown to text for a terminal.
//!
//! Invariant: no line of running text is longer than the width, except for a single long word. Programs and their
//! output are not changed, only indented.
//!
//! ```text
//! # A0107 let-without-body    ⇒   A0107 let-without-body      bold
//! Write `in`, as in …             Write `in`, as in …         the code in colour
//! ```

use arrc_syntax::diagnostics::{RenderOptions, words, wrapped};

/// The width if it is not known.
const WIDTH: usize = 80;

/// The options of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    /// The maximum length of lines.
    pub(crate) width: usize,
    /// Whether headings and code are coloured.
    pub(crate) color: bool,
}

impl Look {
    /// The options for standard output.
    pub(crate) fn new(options: RenderOptions) -> Self {
        Self { width: options.width.unwrap_or(WIDTH), color: options.color }
    }

    /// The page.
    pub(crate) fn page(self, markdown: &str) -> String {
        let mut text = String::new();
        let mut lines = markdown.lines().peekable();
        while let Some(line) = lines.next() {
            if line.starts_with("```") {
                let inside = lines.by_ref().take_while(|line| *line != "```");
                inside.for_each(|line| text.push_str(&self.code_line(line)));
            } else if let Some(heading) = line.strip_prefix('#') {
                let heading = heading.trim_start_matches('#').trim_start();
                text.push_str(&format!("{}\n", self.painted(heading, BOLD)));
            } else if line.is_empty() || line.starts_with('|') {
                text.push_str(&format!("{line}\n"));
            } else {
                let mut paragraph = line.to_string();
                while let Some(more) = lines.next_if(|next| goes_on(next)) {
                    paragraph.push(' ');
                    paragraph.push_str(more.trim_start());
                }
                text.push_str(&self.wrapped(&paragraph));
            }
        }
        text
    }

    fn code_line(self, line: &str) -> String {
        if line.is_empty() {
            return "\n".to_string();
        }
        format!("    {}\n", self.painted(line, CODE))
    }

    /// A paragraph or an item of a list. Its further lines are indented to its text.
    fn wrapped(self, paragraph: &str) -> String {
        let hang = if paragraph.starts_with("- ") { "  " } else { "" };
        let text = wrapped(&without_links(paragraph), self.width, hang);
        let painted = |word: String| {
            if word.contains('`') { self.painted(&word, CODE) } else { word }
        };
        let line = |line| words(line).into_iter().map(painted).collect::<Vec<_>>().join(" ") + "\n";
        text.lines().map(line).collect()
    }

    fn painted(self, text: &str, style: &str) -> String {
        if self.color { format!("{style}{text}\x1b[0m") } else { text.to_string() }
    }
}

/// The escape code before headings on a terminal.
const BOLD: &str = "\x1b[1m";
/// The escape code before code.
const CODE: &str = "\x1b[36m";

/// Whether a line continues the paragraph above.
fn goes_on(line: &str) -> bool {
    !line.is_empty() && !["#", "```", "- ", "|"].iter().any(|mark| line.starts_with(mark))
}

/// A text with the words of links in place of the links.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, word, after)) = link(rest) {
        plain.push_str(before);
        plain.push_str(word);
        rest = after;
    }
    plain + rest
}

/// The text before the first link, the words of the link, and the text behind it.
fn link(text: &str) -> Option<(&str, &str, &str)> {
    let middle = text.find("](")?;
    let open = text[..middle].rfind('[')?;
    let close = middle + text[middle..].find(')')?;
    Some((&text[..open], &text[open + 1..middle], &text[close + 1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A0001 some-name\n\nA line of text with `some code` in it,\nwhich goes on.\n\n\
                        - an item that is rather long, [here](there.md)\n- another\n\n```arr\ndef f = 1\n\n```\n";

    #[test]
    fn lines_are_as_long_as_they_may_be() {
        let look = Look { width: 24, color: false };
        let expected = "A0001 some-name\n\nA line of text with\n`some code` in it, which\ngoes on.\n\n\
                        - an item that is rather\n  long, here\n- another\n\n    def f = 1\n\n";
        assert_eq!(look.page(PAGE), expected);
    }

    #[test]
    fn colours_do_not_count() {
        let look = Look { width: 24, color: true };
        let text = look.page(PAGE);
        assert!(text.starts_with("\x1b[1mA0001 some-name\x1b[0m\n"), "{text}");
        assert!(text.contains("\n\x1b[36m`some code`\x1b[0m in it, which\n"), "{text}");
        assert!(text.contains("\n    \x1b[36mdef f = 1\x1b[0m\n"), "{text}");
    }
}
