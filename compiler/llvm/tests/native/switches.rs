//! Cases of many neighbouring numbers: a jump by a table.

use std::fmt::Write;

use crate::support::native::{CArray, arg, lend, load, options, out};
use crate::support::source;
use arrc_llvm::{Cpu, OptLevel, Options};

/// An entry that chooses among so many neighbouring numbers, from `least` on. The values are no table of constants.
fn program(ty: &str, least: i64, count: i64) -> String {
    let mut text = format!("entry chosen (xs: []{ty}) (k: i64): []i64 =\n  map (\\x -> match x\n");
    for at in 0..count {
        let value = match at % 3 {
            0 => format!("k * {at} + 7"),
            1 => format!("{at} - k * k"),
            _ => format!("k ^ {at}"),
        };
        writeln!(text, "    case {} -> {value}", least + at).expect("a text grows");
    }
    text + "    case _ -> k - 1) xs\n"
}

/// What the entry computes.
fn chosen(x: i64, k: i64, (least, count): (i64, i64)) -> i64 {
    let at = x - least;
    match at % 3 {
        _ if !(0..count).contains(&at) => k - 1,
        0 => k * at + 7,
        1 => at - k * k,
        _ => k ^ at,
    }
}

#[test]
fn each_number_has_its_case() {
    for level in [OptLevel::O0, OptLevel::O3] {
        for (least, count) in [(-3, 40), (-60, 117), (-128, 50), (78, 50)] {
            let native = load(&program("i8", least, count), &options(level));
            let xs: Vec<i8> = (i8::MIN..=i8::MAX).collect();
            let mut found = CArray::<i64, 1>::EMPTY;
            native
                .call("chosen", &[out(&mut found)], &[arg(&lend(&xs)), arg(&11_i64)])
                .expect("nothing fails");
            let of = |&x: &i8| chosen(i64::from(x), 11, (least, count));
            assert_eq!(native.take(&found), xs.iter().map(of).collect::<Vec<_>>());
        }
    }
}

#[test]
fn numbers_that_are_not_negative_have_their_cases() {
    for count in [50, 255] {
        let native = load(&program("u8", 0, count), &options(OptLevel::O2));
        let xs: Vec<u8> = (0..=u8::MAX).collect();
        let mut found = CArray::<i64, 1>::EMPTY;
        native
            .call("chosen", &[out(&mut found)], &[arg(&lend(&xs)), arg(&5_i64)])
            .expect("nothing fails");
        let of = |&x: &u8| chosen(i64::from(x), 5, (0, count));
        assert_eq!(native.take(&found), xs.iter().map(of).collect::<Vec<_>>());
    }
}

#[test]
fn many_numbers_are_one_jump() {
    // The cases of the longest `switch`.
    let longest = |count| {
        let source = source::arr(&program("i64", 0, count));
        let options = Options {
            triple: Some("x86_64-linux-gnu".into()),
            cpu: Cpu::Named("x86-64-v3".into()),
            ..Options::default()
        };
        let module =
            arrc_llvm::compile(&source.program, &source.sources, &options).expect("it compiles");
        let ir = module.ir();
        let is_case =
            |line: &&str| line.trim_start().starts_with("i64 ") && line.contains(", label ");
        let lines: Vec<&str> = ir.lines().collect();
        let runs = lines.split(|line| !is_case(line)).map(<[_]>::len);
        runs.max().unwrap_or_default()
    };
    assert!(longest(100) >= 98, "one has {}", longest(100));
    assert!(longest(20) < 20, "one has {}", longest(20));
}
