//! Appends of appends are joined.

use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_syntax::source::Sources;

/// The right sides of the appends that remain in a program of four arrays.
fn appends(body: &str) -> Vec<String> {
    let text = format!("entry f (a: []i64) (b: []i64) (c: []i64) (d: []i64) =\n  {body}\n");
    let mut sources = Sources::default();
    let file = sources.add("appends.arr", text.as_str());
    let compiled = pipeline::compile(&mut sources, file, &NoFiles, &Options::default());
    let form = compiled.unwrap_or_else(|e| panic!("{text}: {e:?}")).program.to_string();
    let sides = form.lines().filter_map(|line| line.split_once(" = "));
    sides.map(|(_, right)| right.to_owned()).filter(|right| right.contains("++")).collect()
}

#[test]
fn each_element_is_copied_once() {
    assert_eq!(appends("a ++ b ++ c ++ d"), ["a ++ b ++ c ++ d"]);
    assert_eq!(appends("(a ++ b) ++ (c ++ d)"), ["a ++ b ++ c ++ d"]);
    assert_eq!(appends("a ++ (b ++ (a ++ a))"), ["a ++ b ++ a ++ a"]);
}

#[test]
fn what_is_looked_at_is_made() {
    assert_eq!(appends("let t = a ++ b in (t, t ++ c)"), ["a ++ b", "t ++ c"]);
    assert_eq!(appends("let t = a ++ b in t ++ t"), ["a ++ b", "t ++ t"]);
    let both = appends("let t = a ++ b in (t ++ c, t ++ d)");
    assert_eq!(both, ["a ++ b", "t ++ c", "extend t ++ d"]);
    assert_eq!(appends("let t = a ++ b in (t[0], t ++ c)"), ["a ++ b", "extend t ++ c"]);
}
