//! The programs that may use what a file declares.
//!
//! Invariant: a program that imports the file, by way of others too, is among them.
//!
//! ```text
//! lib/geometry.arr   ⇒   main.arr, which has `import "lib/geometry"`
//! ```

use std::collections::BTreeSet;
use std::rc::Rc;

use arrc_syntax::ids::{EntityRef, FileId};
use arrc_syntax::parse::parse_text;

use crate::analysis::{Analysis, imports};
use crate::workspace::Workspace;

/// The analyses of the programs that have the file of `analysis` at `path` in them. The analysis itself is the first.
pub(crate) fn with(
    workspace: &mut Workspace,
    analysis: &Rc<Analysis>,
    path: &str,
) -> Vec<Rc<Analysis>> {
    let mut found = vec![analysis.clone()];
    for candidate in candidates(workspace, path) {
        if candidate != analysis.path
            && let Some(other) = workspace.analysis(&candidate)
            && other.file(path).is_some()
        {
            found.push(other);
        }
    }
    found
}

/// The file, and the programs with an import that may mean it or another one of them: the last name of the path decides.
fn candidates(workspace: &Workspace, path: &str) -> BTreeSet<String> {
    let programs = workspace.programs().into_iter().filter_map(|program| {
        let text = workspace.text(&program).filter(|text| text.contains("import"))?;
        let (file, _) = parse_text(&text, FileId::new(0));
        let names = imports(&file.decls).into_iter().map(|import| stem(&import.path).to_owned());
        Some((program, names.collect::<Vec<String>>()))
    });
    let programs: Vec<(String, Vec<String>)> = programs.collect();
    let mut found = BTreeSet::from([path.to_owned()]);
    loop {
        let stems: BTreeSet<String> = found.iter().map(|path| stem(path).to_owned()).collect();
        let before = found.len();
        let more =
            programs.iter().filter(|(_, names)| names.iter().any(|name| stems.contains(name)));
        found.extend(more.map(|(program, _)| program.clone()));
        if found.len() == before {
            return found;
        }
    }
}

/// The name of a file without its folder and ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}
