//! Tests of the reader of test blocks.

use arrc_syntax::source::Sources;

use super::*;

fn read(text: &str) -> (Sources, Result<Vec<Test>, Vec<TestError>>) {
    read_file("test.arr", text)
}

fn read_file(name: &str, text: &str) -> (Sources, Result<Vec<Test>, Vec<TestError>>) {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let result = tests(&sources, file);
    (sources, result)
}

/// Each test as `line subject: input => expected`.
fn shown(text: &str) -> Vec<String> {
    shown_in("test.arr", text)
}

fn shown_in(name: &str, text: &str) -> Vec<String> {
    let (sources, tests) = read_file(name, text);
    let tests = tests.unwrap_or_else(|errors| panic!("{errors:?}"));
    let words = |values: &Values| {
        values.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>().join("|")
    };
    let what = |test: &Test| match &test.kind {
        Kind::Call(call) => {
            let input = match &call.input {
                Input::Values(values) => words(values),
                Input::Random(types) => format!("random {}", words(types)),
                Input::Script(script) => format!("script {}", script.word.text),
                Input::ScriptFile(file) => format!("script {}", words(file)),
            };
            let expected = match &call.expected {
                Expected::Success => "success".to_string(),
                Expected::Auto => "auto".to_string(),
                Expected::Output(values) => words(values),
                Expected::Error(pattern) => format!("error {}", pattern.text),
            };
            format!("{input} => {expected}")
        }
        Kind::CompileError(pattern) | Kind::Warning(pattern) => pattern.text.clone(),
        Kind::Property(entry) => entry.text.clone(),
        Kind::Structure(structure) => {
            let count = |(count, number): &(Count, String)| format!("{} {number}", count.name());
            structure.counts.iter().map(count).collect::<Vec<_>>().join(" ")
        }
    };
    let line = |test: &Test| sources.line_col(test.span).line;
    tests.iter().map(|test| format!("{} {}: {}", line(test), test.subject(), what(test))).collect()
}

/// The texts at the primary places of the errors, each with its message.
fn mistakes(text: &str) -> Vec<String> {
    let (sources, tests) = read(text);
    let errors = tests.expect_err("there are mistakes");
    let shown = |error: &TestError| {
        let diagnostic = error.diagnostic();
        let primary = diagnostic.primary.expect("mistakes in blocks have places");
        format!("{}: {}", sources.text(primary.span), diagnostic.message)
    };
    errors.iter().map(shown).collect()
}

#[test]
fn tests_of_several_blocks_and_entries() {
    let text = "\
-- Words before the block.
-- ==
-- entry: f g
-- input { [1, 2] 3 }
-- output { 6 empty([0]f64) }
-- input { 0 } error: division .*
-- \"large\" input { [1,
--   2] }
entry f = 1
-- input { not in a block }
-- ==
-- input{1}output{2}
-- compiled random input { [100]i64 } auto output
entry main = 2
";
    let expected = [
        "4 f: [1, 2]|3 => 6|empty([0]f64)",
        "4 g: [1, 2]|3 => 6|empty([0]f64)",
        "6 f: 0 => error division .*",
        "6 g: 0 => error division .*",
        "7 f \"large\": [1,\n     2] => success",
        "7 g \"large\": [1,\n     2] => success",
        "12 main: 1 => 2",
        "13 main: random [100]i64 => auto",
    ];
    assert_eq!(shown(text), expected);
}

#[test]
fn files_stand_behind_an_at() {
    assert_eq!(shown("-- ==\n-- input { \"a ( b\" 1 }\n"), ["2 main: \"a ( b\"|1 => success"]);
    let text = "-- ==\n-- input @ data/xs.npy output @out.csv:a\n-- input { @a.npy 3 }\n";
    assert_eq!(shown(text), ["2 main: @data/xs.npy => @out.csv:a", "3 main: @a.npy|3 => success"]);
}

#[test]
fn scripts_warnings_and_properties_are_tests() {
    let text = "\
-- ==
-- entry: f
-- script input { g {x = 1}
--   2i64 } output { 3 }
-- nobench script input @ made.script
-- property: p q
-- warning: unused
";
    let expected = [
        "3 f: script { g {x = 1}\n     2i64 } => 3",
        "5 f: script @made.script => success",
        "6 property p: p",
        "6 property q: q",
        "7 warning: unused",
    ];
    assert_eq!(shown(text), expected);
    assert_eq!(mistakes("-- ==\n-- script input { f ) }\n"), ["): this script cannot be read"]);
    assert_eq!(mistakes("-- ==\n-- script input { {a = 1}\n"), ["{: this `{` is never closed"]);
}

#[test]
fn words_before_an_input_are_tags() {
    let text = "-- ==\n-- tags { all }\n-- \"a\" no_python mem_8gb compiled input { 1 }\n-- only_c random input { i32 }\n-- notest input{2}\n";
    let (_, tests) = read(text);
    let tests = tests.expect("no mistakes");
    let tags: Vec<Vec<String>> = tests.iter().map(|test| test.tags.clone()).collect();
    let expected =
        [&["all", "no_python", "mem_8gb", "compiled"][..], &["all", "only_c"], &["all", "notest"]];
    assert_eq!(tags, expected);
    assert!(matches!(&tests[0].kind, Kind::Call(call) if call.compiled_only));
    assert_eq!(
        mistakes("-- ==\n-- no_python output { 2 }\n"),
        ["no_python: `no_python` begins nothing in a test block"]
    );
}

#[test]
fn counts_of_futhark_are_none_of_ours() {
    let text = "-- ==\n-- structure gpu { SegMap 1 }\n-- structure { Screma 2 }\n-- input { 1 }\n";
    assert_eq!(shown_in("test.fut", text), ["4 main: 1 => success"]);
    assert_eq!(mistakes(text).len(), 2);
}

#[test]
fn structure_is_of_a_block_and_a_strategy() {
    let text = "\
-- ==
-- structure side.else none { clusters 3 } ilp { clusters 1 arrays 0 }
-- structure { loops 2 }
-- structure g { allocated n * m + 2 loops 1 }
-- entry: f
-- structure megiddo { reads 1 writes 2 allocations 3 }
-- input { } output { 1 }
";
    let expected = [
        "2 structure side.else none: clusters 3",
        "2 structure side.else ilp: clusters 1 arrays 0",
        "3 structure main ilp: loops 2",
        "4 structure g ilp: allocated n * m + 2 loops 1",
        "6 structure f megiddo: reads 1 writes 2 allocations 3",
        "7 f:  => 1",
    ];
    assert_eq!(shown(text), expected);
}

#[test]
fn tags_are_of_the_block_and_those_of_the_first_of_the_file() {
    let text = "-- ==\n-- tags { slow }\n\n-- ==\n-- tags { odd }\n-- input { }\n";
    let (_, tests) = read(text);
    let tests = tests.expect("no mistakes");
    assert_eq!(tests[0].tags, ["slow", "odd"]);
    assert_eq!(shown("-- ==\n-- error: size .* differ\n"), ["2 compile error: size .* differ"]);
}

#[test]
fn mistakes_are_told_where_they_are() {
    let cases: [(&str, &[&str]); 11] = [
        (
            "-- ==\n-- input { 1\n-- output { 2 }\n",
            &["{: this `{` is never closed", "output: `output` without an input"],
        ),
        ("-- ==\n-- input 1\n", &["1: `{` was expected, but `1` was found"]),
        ("-- ==\n-- input", &[": `{` was expected, but the test block ends"]),
        ("-- ==\n-- outpt { 2 }\n", &["outpt: `outpt` begins nothing in a test block"]),
        ("-- ==\n-- output { 2 }\n", &["output: `output` without an input"]),
        ("-- ==\n-- entry:\n", &["entry:: the name of an entry is missing after `entry:`"]),
        ("-- ==\n-- input @\n", &["@: the name of a file is missing after `@`"]),
        ("-- ==\n-- input { } auto\n", &["auto: `output` is missing after `auto`"]),
        ("-- ==\n-- input { } error: (\n", &["(: this is no regular expression"]),
        (
            "-- ==\n-- structure { cluster 2 }\n-- structure { clusters x }\n-- structure { loops }\n",
            &[
                "cluster: `cluster` is nothing that can be counted",
                "x: `x` is no number",
                "loops: a number is missing after `loops`",
            ],
        ),
        (
            "-- ==\n-- error: x\n-- input { 1 }\n",
            &["error:: a program that must not compile cannot have other tests"],
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(mistakes(text), expected, "{text}");
    }
}

#[test]
fn a_line_after_a_mistake_is_read() {
    let text = "-- ==\n-- inptu { 1 } output { 2 }\n-- input { 3 } output { 4 5\n";
    assert_eq!(
        mistakes(text),
        ["inptu: `inptu` begins nothing in a test block", "{: this `{` is never closed"]
    );
}
