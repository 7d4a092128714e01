//! `arrc lsp`: the language server, with the files of the system.
//!
//! Invariant: a bug of the compiler is told on standard error, and the server goes on.
//!
//! ```text
//! arrc lsp < messages   ⇒   messages on standard output, exit status 0 after `exit`
//! ```

use std::env;
use std::path::PathBuf;
use std::process::ExitCode;

use arrc_lsp::{Host, Served};

use crate::loader::Files;
use crate::{bug, names};

/// Exit status of a connection that ends without a word.
const LOST: u8 = 1;

/// Serves an editor until it ends the connection.
pub(crate) fn serve() -> ExitCode {
    bug::install_hook_of_server();
    let version = env!("CARGO_PKG_VERSION");
    match arrc_lsp::serve(Host { files: &Files, names: names::check, shelf, version }) {
        Ok(Served::Ended) => ExitCode::SUCCESS,
        Ok(Served::Lost) | Err(_) => ExitCode::from(LOST),
    }
}

/// The folder for the library and the pages of the codes, below the user's cache.
fn shelf() -> Option<PathBuf> {
    let folder =
        |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = folder("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    let cache = cache.or_else(|| Some(folder("HOME")?.join(".cache")));
    let cache = cache.unwrap_or_else(env::temp_dir);
    Some(cache.join("arrc").join(env!("CARGO_PKG_VERSION")))
}
