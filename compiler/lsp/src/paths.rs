//! Paths of files, and the URIs by which editors name them.
//!
//! Invariant: a text that is no file, such as one that was never saved, has its URI as its path.
//!
//! ```text
//! file:///tmp/a%20b.arr   ⇔   /tmp/a b.arr
//! ```

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stands in a URI of a file as it is.
const ENCODED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The path that a URI names.
pub(crate) fn path_of(uri: &Uri) -> String {
    let path = uri.0.strip_prefix("file://").filter(|path| path.starts_with('/'));
    let decoded = path.and_then(|path| percent_decode_str(path).decode_utf8().ok());
    decoded.map_or_else(|| uri.0.clone(), |path| normalised(&path))
}

/// The URI of a path.
pub(crate) fn uri_of(path: &str) -> Uri {
    if path.starts_with('/') {
        Uri(format!("file://{}", utf8_percent_encode(path, ENCODED)))
    } else {
        Uri(path.to_owned())
    }
}

/// The path without `.`, `..` and empty parts.
fn normalised(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_are_the_same() {
        for path in ["/tmp/a b.arr", "/tmp/é%.arr", "/a/b-c_d.e~f"] {
            assert_eq!(path_of(&uri_of(path)), path);
        }
        assert_eq!(path_of(&Uri("file:///tmp/%C3%A9/../x.arr".into())), "/tmp/x.arr");
        assert_eq!(path_of(&Uri("untitled:Untitled-1".into())), "untitled:Untitled-1");
        assert_eq!(uri_of("untitled:Untitled-1").0, "untitled:Untitled-1");
    }
}
