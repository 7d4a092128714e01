//! Each rule with its example, and what must not be repaired.

use super::rules;
use super::rules::Rule;
use super::trial::applied;
use crate::infer::infer;
use crate::repair::repair;
use arrc_syntax::ast;
use arrc_syntax::diagnostics::{Code, Diagnostic, Severity};
use arrc_syntax::parse::parse;
use arrc_syntax::source::Sources;

/// The prelude, and a file behind it.
struct Setting {
    sources: Sources,
    prelude: ast::File,
}

impl Setting {
    fn new() -> Self {
        let mut sources = Sources::default();
        let id = sources.add_library("prelude.arr", arrc_syntax::stdlib::PRELUDE);
        let (prelude, _) = parse(&sources, id);
        Self { sources, prelude }
    }

    /// The diagnostics on a program after repairs.
    fn errors(&self, text: &str) -> Vec<Diagnostic> {
        let (sources, program, [read, typed]) = self.read(text);
        only_errors(repair(&sources, &self.prelude, &program, read, typed))
    }

    /// The errors in a program.
    fn found(&self, text: &str) -> Vec<Diagnostic> {
        let (_, _, found) = self.read(text);
        only_errors(found.into_iter().flatten().collect())
    }

    fn read(&self, text: &str) -> (Sources, ast::Program, [Vec<Diagnostic>; 2]) {
        let mut sources = self.sources.clone();
        let file = sources.add("test.arr", text);
        let (ast, read) = parse(&sources, file);
        let program = ast::Program::single(ast);
        let (_, typed) = infer(&self.prelude, &program);
        (sources, program, [read, typed])
    }
}

fn only_errors(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.retain(|one| one.severity == Severity::Error);
    found
}

/// The failure of a rule's example, if there is one.
fn wrong(setting: &Setting, rule: &Rule) -> Option<String> {
    let found = setting.errors(rule.example);
    let says =
        |one: &Diagnostic| one.helps.iter().map(|help| help.text().to_owned()).collect::<Vec<_>>();
    let summary: Vec<_> = found.iter().map(|one| (one.message.clone(), says(one))).collect();
    let says_so = rule.says.split('$').next().unwrap_or_default();
    if rule.is_advice() {
        let is_told = found.iter().any(|one| one.message.starts_with(says_so));
        return (!is_told).then(|| format!("is not told, but {summary:?}"));
    }
    let [one] = found.as_slice() else { return Some(format!("is not alone: {summary:?}")) };
    let help = one.helps.first()?;
    if help.edits().is_empty() {
        return Some(format!("changes nothing: {summary:?}"));
    }
    let text = applied(rule.example, help.edits())?.text;
    let mut left = setting.errors(&text);
    left.retain(|one| {
        one.code != Code::HOLE || !rule.meant.iter().any(|meant| meant.contains("???"))
    });
    if !left.is_empty() {
        return Some(format!("leaves {:?} in {text}", left[0].message));
    }
    let named = !rule.says.is_empty();
    let is_it =
        if named { one.message.starts_with(says_so) } else { one.message.contains("is written") };
    (!is_it).then(|| format!("is hidden by another: {summary:?}"))
}

#[test]
fn each_rule_repairs_its_example() {
    let setting = Setting::new();
    let mut wrongs = Vec::new();
    for (rule, _) in rules::all() {
        if let Some(what) = wrong(&setting, &rule) {
            wrongs.push(format!("`{}` in `{}` {what}", rule.written, rule.example));
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}

#[test]
fn what_is_no_slip_is_told_as_it_was_found() {
    let setting = Setting::new();
    let programs = [
        "def f (x: i64): f64 = x",
        "def f (x: i64): i64 = x // 2 + y",
        "def ones [n] (x: i64): [n]i64 = replicate n x\nentry e (x: i64): i64 = sum (ones x)",
        "module m = { def area (r: f64): f64 = r }\ndef f (r: f64): f64 = m.are r",
        "def f (n: i64): i64 = loop x = 0 for i < n do x + y",
        "def f [n] [m] (xs: [n]i64) (ys: [m]i64): [n]i64 = map2 (+) xs ys",
        "def f (x: i64): i64 = (x + 1",
        "def f: []u8 =\n\"\"\ndef g: i64 = x",
    ];
    for text in programs {
        let mut found: Vec<String> =
            setting.found(text).into_iter().map(|one| one.message).collect();
        let mut told: Vec<String> =
            setting.errors(text).into_iter().map(|one| one.message).collect();
        found.sort();
        told.sort();
        assert_eq!(told, found, "{text}");
    }
}
