//! Tests of a server without a compiled program: its entries are closures.

use std::time::Duration;

use super::command::Server;
use super::interface::Interface;
use super::{Entries, answer, words};
use crate::host::{Value, ValueType};

const INTERFACE: &str = "\
type\t{x: f64, n: i64}\trecord\tf64:0 i64:0\tx\tf64\tn\ti64
type\t[]{x: f64, n: i64}\tarray\tf64:1 i64:1\t{x: f64, n: i64}\t1
type\t(f64, i64)\trecord\tf64:0 i64:0\t0\tf64\t1\ti64
type\t#none | #some f64\tsum\ti64:0 f64:0\t=none\t=some\tf64
entry\tswap\t(f64, i64)\t{x: f64, n: i64}
attribute\tswap\tprop(size(3))
entry\tfail\tf64
";

/// `swap` gives the fields back, and `fail` fails.
struct Fake;

impl Entries for Fake {
    fn call(
        &mut self,
        entry: &str,
        inputs: &[Value],
        _: &[ValueType],
    ) -> (Duration, Result<Vec<Value>, String>) {
        let result = if entry == "swap" { Ok(inputs.to_vec()) } else { Err("no".to_owned()) };
        (Duration::from_micros(7), result)
    }

    fn clear(&mut self) -> Result<(), String> {
        Ok(())
    }

    fn peak(&self) -> u64 {
        80
    }
}

/// The answers to commands, up to the last `%%% OK`.
fn answers(commands: &str) -> String {
    let mut output = Vec::new();
    answer(&mut Server::new(Interface::new(INTERFACE), Fake), commands.as_bytes(), &mut output);
    String::from_utf8(output)
        .expect("answers are text")
        .replace("%%% OK\n", ".")
        .replace("%%% FAILURE\n", "!")
}

/// A file with values as literals, and the commands with its name for `FILE`.
fn with_values(values: &str, commands: &str) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file for a test");
    std::fs::write(file.path(), values).expect("it is written");
    let name = file.path().display().to_string();
    answers(&commands.replace("FILE", &name)).replace(&name, "FILE")
}

#[test]
fn what_a_program_has_is_told() {
    assert_eq!(answers("entry_points\n"), ".swap\nfail\n.");
    assert_eq!(
        answers("inputs swap\noutput swap\noutputs swap\n"),
        ".{x: f64, n: i64}\n.(f64, i64)\n.f64\ni64\n."
    );
    assert_eq!(answers("attributes swap\nattributes fail\n"), ".prop(size(3))\n..");
    assert_eq!(
        answers("kind [][]i8\nrank [][]i8\nelemtype [][]i8\nkind u8\n"),
        ".array\n.2\n.i8\n.primitive\n."
    );
    assert_eq!(answers("fields \"{x: f64, n: i64}\"\n"), ".x f64\nn i64\n.");
    assert_eq!(answers("variants \"#none | #some f64\"\n"), ".none\nsome\n- f64\n.");
    assert_eq!(
        answers("tuning_params swap\nset_tuning_param a 1\n"),
        "..!Unknown tuning parameter: a\n."
    );
}

#[test]
fn values_are_put_together_and_taken_apart() {
    let made = "restore FILE x f64 n i64\nnew r \"{x: f64, n: i64}\" x n\n";
    assert_eq!(
        with_values("2.5 7i64", &format!("{made}call swap o r\nproject p o 1\ntype p\ntype o\n")),
        "...runtime: 7\n..i64\n.(f64, i64)\n."
    );
    assert_eq!(
        with_values(
            "2.5 7i64",
            &format!(
                "{made}call swap a b r\ntype b\nstore FILE b a\nrestore FILE c i64 d f64\ntype d\n"
            )
        ),
        "...runtime: 7\n.i64\n...f64\n."
    );
    let array = "new_array a \"[]{x: f64, n: i64}\" 2 r r\n";
    assert_eq!(
        with_values(
            "2.5 7i64",
            &format!(
                "{made}{array}shape a\nunzip a xs ns\ntype xs\nzip b \"[]{{x: f64, n: i64}}\" xs ns\nindex e b 1\nset b e 0\nindex f b 2\n"
            )
        ),
        "....2\n..[]f64\n....!Invalid index `2` on dimension 1.\n."
    );
    let sum = "construct s \"#none | #some f64\" some x\nvariant s\ndestruct s y\ntype y\nconstruct t \"#none | #some f64\" none\nvariant t\n";
    assert_eq!(
        with_values("2.5", &format!("restore FILE x f64\n{sum}")),
        "...some\n..f64\n..none\n."
    );
}

#[test]
fn a_command_that_fails_changes_nothing() {
    assert_eq!(answers("call fail o\ntype o\n"), ".runtime: 7\n!no\n.!Unknown variable: o\n.");
    assert_eq!(
        with_values(
            "1i64",
            "restore FILE a i64 b f64\ntype a\nrestore FILE a f64\nrestore FILE a\n"
        ),
        ".!FILE has 1 values, but 2 were expected.\n.!Unknown variable: a\n.!Failed to restore variable a from FILE: `1i64` is of type i64, not f64\n.!A type is missing behind the last variable\n."
    );
    assert_eq!(
        with_values(
            "1",
            "restore FILE a i32\nrename a a\nrename a b\nfree b a\ntype b\nclear\ntype b\n"
        ),
        "..!Variable already exists: a\n..!Unknown variable: a\n.i32\n..!Unknown variable: b\n."
    );
    assert_eq!(
        answers("\n\"a\nhello 1\n"),
        ".!Empty line\n.!A quote is not closed\n.!Unknown command, or wrong number of words behind it: hello (1)\n."
    );
    assert_eq!(
        with_values("1", "restore FILE a i32\ncall swap o a\ncall swap\n"),
        "..!a has the wrong type.  Expected {x: f64, n: i64}, got i32.\n.!swap takes 1 inputs, but 0 were given.\n."
    );
}

#[test]
fn values_do_not_change_with_their_files() {
    // The first file is written while its value is used.
    let commands = "restore FILE a []u8\nstore FILE a a\nstore FILE a a a\nrestore FILE b []u8 c []u8 d []u8\n";
    assert_eq!(with_values("b\x02\x01  u8\x02\0\0\0\0\0\0\0\x07\x08", commands), ".....");
}

#[test]
fn calls_are_reported_if_they_are_recorded() {
    let made = "restore FILE x f64 n i64\nnew r \"{x: f64, n: i64}\" x n\n";
    let calls = "call swap o r\nunpause_profiling\ncall swap p r\nreport\n";
    let told = with_values("2.5 7i64", &format!("{made}{calls}"));
    let report = r#"{"memory":{"default space":80},"events":[{"name":"swap","provenance":"","duration":7,"description":"call"}]}"#;
    assert_eq!(told, format!("...runtime: 7\n..runtime: 7\n.{report}\n."));
}

#[test]
fn words_may_be_quoted() {
    assert_eq!(words(" a \"b  c\" d\n"), Some(vec!["a", "b  c", "d"]));
    assert_eq!(words("\"\""), Some(vec![""]));
    assert_eq!(words("a \"b"), None);
}
