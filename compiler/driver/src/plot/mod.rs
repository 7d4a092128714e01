//! `arrc run --plot`: values as a picture.
//!
//! Invariant: a picture's size does not grow with the number of points. A picture needs no fonts and no programs of
//! the system. The same values give the same picture.
//!
//! ```text
//! values ⇒ marks (figure) ⇒ frame with axes, pixels (pixels), lines over them (draw) ⇒ SVG, PNG or HTML
//! ```

mod draw;
mod figure;
mod pixels;

use std::path::{Path, PathBuf};

use arr_runtime::host::View;
use arr_runtime::text::reason;

use crate::cli::Kind;
use crate::error::DriverError;
use figure::Figure;

/// The reason for which a picture cannot be made.
#[derive(Debug)]
pub(crate) struct PlotError {
    /// The problem.
    pub(crate) problem: String,
    /// What to do.
    pub(crate) help: String,
}

impl PlotError {
    fn new(problem: impl Into<String>, help: impl Into<String>) -> Self {
        Self { problem: problem.into(), help: help.into() }
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug)]
enum Format {
    Svg,
    Png,
    Html,
}

/// A picture to make.
#[derive(Debug)]
pub(crate) struct Plot {
    path: PathBuf,
    format: Format,
    kinds: Vec<Kind>,
}

impl Plot {
    /// A picture in a file. The kinds are those of its marks, in order. Without kinds, the shapes of the values
    /// determine the marks.
    pub(crate) fn new(path: &Path, kinds: &[Kind]) -> Result<Self, DriverError> {
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Format::Svg,
            Some("png") => Format::Png,
            Some("html") => Format::Html,
            _ => {
                let problem = format!("`{}` is no name of a picture", path.display());
                let help = "its end says which format is written: `.svg`, `.png` or `.html`";
                return Err(DriverError::Plot(PlotError::new(problem, help)));
            }
        };
        Ok(Self { path: path.to_path_buf(), format, kinds: kinds.to_vec() })
    }

    /// Draws values under a title.
    pub(crate) fn write(&self, title: &str, values: &[View<'_>]) -> Result<(), DriverError> {
        let title = arr_printable::line(title).to_string();
        let figure = Figure::new(title, values, &self.kinds).map_err(DriverError::Plot)?;
        let bytes = match self.format {
            Format::Svg => draw::svg(&figure).into_bytes(),
            Format::Html => page(&figure).into_bytes(),
            Format::Png => draw::png(&figure),
        };
        std::fs::write(&self.path, bytes).map_err(|error| DriverError::Unwritable {
            path: self.path.clone(),
            reason: reason(&error),
        })
    }
}

/// An HTML page that contains only the picture.
fn page(figure: &Figure) -> String {
    let title = figure.title.replace('&', "&amp;").replace('<', "&lt;");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n{}</html>\n",
        draw::svg(figure)
    )
}
