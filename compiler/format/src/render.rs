//! From a document to text.
//!
//! Invariant: no line ends with a blank, and the text ends with one line break, unless it is empty. Comments behind
//! code on consecutive lines begin in the same column.
//!
//! ```text
//! #a  -- one      ⇒   #a     -- one
//! #long  -- two       #long  -- two
//! ```

use std::convert::Infallible;

use pretty::{RefDoc, Render, RenderAnnotated};

/// The maximum number of columns of a line that has more than one token.
pub(crate) const WIDTH: usize = 100;

/// What a part of a document is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrailingComment;

/// The text of a document.
pub(crate) fn text(doc: RefDoc<'_, TrailingComment>) -> String {
    let mut out = Written::default();
    match doc.render_raw(WIDTH, &mut out) {
        Ok(()) => out.aligned(),
    }
}

/// The text, and where comments behind code begin.
#[derive(Default)]
struct Written {
    text: String,
    comments: Vec<usize>,
}

impl Render for Written {
    type Error = Infallible;

    fn write_str(&mut self, text: &str) -> Result<usize, Infallible> {
        self.text.push_str(text);
        Ok(text.len())
    }

    fn fail_doc(&self) -> Infallible {
        unreachable!("no document here can fail")
    }
}

impl<'d> RenderAnnotated<'d, TrailingComment> for Written {
    fn push_annotation(&mut self, _: &'d TrailingComment) -> Result<(), Infallible> {
        self.comments.push(self.text.len());
        Ok(())
    }

    fn pop_annotation(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A line of the text: its code, and the comment behind it.
struct Line<'t> {
    code: &'t str,
    comment: Option<&'t str>,
}

impl Written {
    fn aligned(&self) -> String {
        let mut comments = self.comments.iter().copied().peekable();
        let mut start = 0;
        let lines: Vec<Line<'_>> = self
            .text
            .split('\n')
            .map(|line| {
                let end = start + line.len();
                let at = comments.next_if(|&at| at <= end).map(|at| at - start);
                start = end + 1;
                let (code, comment) = line.split_at(at.unwrap_or(line.len()));
                Line { code: code.trim_end(), comment: at.map(|_| comment.trim_end()) }
            })
            .collect();
        let mut out = String::with_capacity(self.text.len());
        for run in lines.chunk_by(|left, right| left.comment.is_some() && right.comment.is_some()) {
            let column = run.iter().map(|line| width(line.code)).max().unwrap_or(0);
            for Line { code, comment } in run {
                out.push_str(code);
                if let Some(comment) = comment {
                    let blanks = column - width(code) + 2;
                    out.extend(std::iter::repeat_n(' ', blanks));
                    out.push_str(comment);
                }
                out.push('\n');
            }
        }
        out.truncate(out.trim_end().len());
        if !out.is_empty() {
            out.push('\n');
        }
        out
    }
}

/// The columns that a text takes.
fn width(text: &str) -> usize {
    text.chars().count()
}
