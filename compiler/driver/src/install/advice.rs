//! The shell commands that `arrc install` prints. They set the variables by which tools find the installed files.
//!
//! Invariant: each command is valid in a POSIX shell. A variable that already has the folder gets no command.

use std::env;
use std::path::Path;

/// A variable of the environment.
struct Variable {
    name: &'static str,
    /// The folder below the prefix that it has to have.
    folder: &'static str,
    /// The files in this folder, in words.
    purpose: &'static str,
    /// Its value where it is not set; nothing if none is needed.
    default: &'static str,
}

/// CMake and man look beside the folders in PATH, too.
const VARIABLES: [Variable; 4] = [
    Variable {
        name: "PATH",
        folder: "bin",
        purpose: "arrc, its manual, and find_package(arr) of CMake",
        default: "",
    },
    Variable {
        name: "PKG_CONFIG_PATH",
        folder: "lib/pkgconfig",
        purpose: "the packages arr, arr-runtime and arr-parallel of pkg-config",
        default: "",
    },
    Variable {
        name: "LD_LIBRARY_PATH",
        folder: "lib",
        purpose: "libarr.so, for programs that are linked with it",
        default: "",
    },
    Variable {
        name: "XDG_DATA_DIRS",
        folder: "share",
        purpose: "completions in bash and fish",
        default: "/usr/local/share:/usr/share",
    },
];

/// Prefixes that systems search.
const USUAL: [&str; 2] = ["/usr", "/usr/local"];

/// The text about an installation below a folder, whose path is absolute.
pub(super) fn text(prefix: &Path) -> String {
    let folder = quoted(&prefix.display().to_string());
    let mut text = format!(
        "arrc {} is installed below {folder}; `arrc uninstall --prefix {folder}` removes it.\n",
        env!("CARGO_PKG_VERSION")
    );
    if USUAL.iter().any(|usual| prefix == Path::new(usual)) {
        return text + "Programs find libarr.so after `ldconfig`, run as root.\n";
    }
    let lines: Vec<String> =
        VARIABLES.iter().filter_map(|variable| variable.line(prefix)).chain(zsh(prefix)).collect();
    if !lines.is_empty() {
        text.push_str("These lines in the shell's profile let tools find it:\n\n");
        text.push_str(&lines.concat());
    }
    text
}

impl Variable {
    /// The lines that set it, unless it has the folder.
    fn line(&self, prefix: &Path) -> Option<String> {
        let Self { name, folder, purpose, default } = self;
        let folder = prefix.join(folder);
        let has_folder = |value| env::split_paths(&value).any(|path| path == folder);
        if env::var_os(name).is_some_and(has_folder) {
            return None;
        }
        let rest = match *default {
            // An empty path would be the current folder.
            "" => format!("${{{name}:+:${name}}}"),
            default => format!(":${{{name}:-{default}}}"),
        };
        let folder = escaped(&folder.display().to_string());
        Some(format!("# {purpose}\nexport {name}=\"{folder}{rest}\"\n"))
    }
}

/// The lines for completions in zsh, for users of zsh. Its list of folders is in no variable of the environment.
fn zsh(prefix: &Path) -> Option<String> {
    let shell = env::var_os("SHELL")?;
    let folder = quoted(&prefix.join("share/zsh/site-functions").display().to_string());
    let is_zsh = Path::new(&shell).file_name().is_some_and(|name| name == "zsh");
    is_zsh.then(|| {
        format!("# completions in zsh, before `compinit` in ~/.zshrc\nfpath=({folder} $fpath)\n")
    })
}

/// A word of a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,:@%=".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A part of a word in double quotes.
fn escaped(word: &str) -> String {
    word.chars().fold(String::new(), |mut text, character| {
        if "\\\"$`".contains(character) {
            text.push('\\');
        }
        text.push(character);
        text
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{VARIABLES, escaped, quoted, text};

    #[test]
    fn systems_search_usual_prefixes() {
        for prefix in ["/usr", "/usr/local"] {
            let told = text(Path::new(prefix));
            assert!(told.contains("`ldconfig`") && !told.contains("export"), "{told}");
        }
        assert!(!text(Path::new("/usr/local/arrc")).contains("ldconfig"));
    }

    #[test]
    fn an_empty_variable_adds_no_current_folder() {
        let line = VARIABLES[2].line(Path::new("/no such"));
        let expected =
            "export LD_LIBRARY_PATH=\"/no such/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"";
        assert!(line.is_some_and(|line| line.ends_with(&format!("{expected}\n"))));
    }

    #[test]
    fn words_are_one_word_of_a_shell() {
        assert_eq!(quoted("/opt/arrc-0.2"), "/opt/arrc-0.2");
        assert_eq!(quoted("/it's here"), r"'/it'\''s here'");
        assert_eq!(escaped(r#"$a`b"c\"#), r#"\$a\`b\"c\\"#);
    }
}
