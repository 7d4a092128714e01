//! Files that cannot be installed or removed.

use std::path::{Path, PathBuf};

use arrc_syntax::diagnostics::{Code, Diagnostic};

/// The reason for which an installation or its removal failed.
#[derive(Debug)]
pub(crate) enum InstallError {
    /// A file or a folder cannot be written.
    Unwritable { path: PathBuf, reason: String },
    /// A file or a folder cannot be removed.
    Unremovable { path: PathBuf, reason: String },
    /// The folder has no manifest.
    NoManifest { prefix: PathBuf, manifest: PathBuf },
    /// A line of the manifest names no place below the folder.
    Outside { manifest: PathBuf, line: String },
    /// The end of the manifest is missing.
    Cut { manifest: PathBuf },
}

impl InstallError {
    /// The diagnostic that the user sees.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        let failed = |what: &str, path: &Path, reason: &str| {
            Diagnostic::global(
                Code::UNWRITABLE,
                format!("cannot {what} `{}`: {reason}", path.display()),
            )
        };
        match self {
            Self::Unwritable { path, reason } => failed("write", path, reason)
                .help("choose another folder with `--prefix`, or install as a user who may write there"),
            Self::Unremovable { path, reason } => failed("remove", path, reason)
                .help("run `arrc uninstall` again, as a user who may write there: it goes on where it stopped"),
            Self::NoManifest { prefix, manifest } => {
                let message = format!("arrc is not installed below `{}`", prefix.display());
                Diagnostic::global(Code::NOT_INSTALLED, message)
                    .note(format!("there is no list of its files, `{}`", manifest.display()))
                    .help("give the folder that `arrc install --prefix` was given; an installation without a list gets one from `arrc install`")
            }
            Self::Outside { manifest, line } => {
                let what = format!("`{}` is no place below the folder", line.escape_debug());
                damaged(manifest, &what)
            }
            Self::Cut { manifest } => damaged(manifest, "its end is missing"),
        }
    }
}

/// The manifest cannot be used.
fn damaged(manifest: &Path, what: &str) -> Diagnostic {
    let message = format!("`{}` is not as `arrc install` has written it", manifest.display());
    Diagnostic::global(Code::NOT_INSTALLED, message)
        .note(format!("{what}, so nothing is removed"))
        .help("install again with `arrc install`, which writes the list anew")
}
