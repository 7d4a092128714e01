//! The rules of the style, each with a text and what becomes of it.

use arrc_syntax::ids::{EntityRef, FileId};

fn format(text: &str) -> String {
    arrc_format::format(text, FileId::new(0)).expect("the text has no mistakes")
}

#[track_caller]
fn becomes(text: &str, formatted: &str) {
    assert_eq!(format(text), formatted);
    assert_eq!(format(formatted), formatted);
}

#[test]
fn blanks_are_set_by_the_tokens() {
    becomes(
        "def  f [n][m]'a(x:[ n ][m]a)  y= -x[0 ,1:  ]+y*2:i64\n",
        "def f [n] [m] 'a (x: [n][m]a) y = -x[0, 1:] + y * 2 : i64\n",
    );
    becomes(
        "def g=(- -1,! !true,(  +1),(1+),( .x . y))",
        "def g = (- -1, ! !true, (+ 1), (1 +), (.x.y))\n",
    );
    becomes("type t=#a i64|#b{x:i64}", "type t = #a i64 | #b {x: i64}\n");
}

#[test]
fn breaks_of_the_user_are_kept_where_the_style_has_breaks() {
    becomes("def f x =\nx", "def f x =\n  x\n");
    becomes("def f x\n= (\nx)", "def f x = (x)\n");
    becomes("def f = {a = 1,\nb = 2}", "def f =\n  { a = 1\n  , b = 2 }\n");
    becomes("def f = [[1, 2],\n[3, 4], [5, 6]]", "def f =\n  [[1, 2],\n   [3, 4],\n   [5, 6]]\n");
    becomes("def f = [1, 2,\n3, 4]", "def f =\n  [1, 2,\n   3, 4]\n");
    becomes("def f x = x |>\ng |> h", "def f x =\n  x\n  |> g\n  |> h\n");
    becomes("def f x = a + x +\nb * c + d", "def f x =\n  a + x\n  + b * c + d\n");
}

#[test]
fn clauses_stand_in_one_column() {
    becomes(
        "def f x = let y = x\nlet z = y in y + z",
        "def f x =\n  let y = x\n  let z = y\n  in y + z\n",
    );
    becomes(
        "def f x = if x then 1 else if !x\nthen 2 else 3",
        "def f x =\n  if x then 1\n  else if !x\n  then 2\n  else 3\n",
    );
    becomes("def f x = if x then\n1 else 2", "def f x =\n  if x then\n    1\n  else 2\n");
    becomes(
        "def f x = match x case 1 -> 2\ncase _ -> 3",
        "def f x =\n  match x\n  case 1 -> 2\n  case _ -> 3\n",
    );
}

#[test]
fn functions_and_loops_hang_on_the_line_that_they_begin_in() {
    becomes(
        "def f xs = map (\\x ->\nlet y = x\nin y) xs",
        "def f xs = map (\\x ->\n  let y = x\n  in y) xs\n",
    );
    becomes(
        "def f xs = let s = loop s = 0 for x in xs do\ns + x\nin s",
        "def f xs =\n  let s = loop s = 0 for x in xs do\n    s + x\n  in s\n",
    );
}

#[test]
fn comments_stay_where_they_are() {
    becomes(
        "-- head\n\n\n-- | Doc.\n--   more\n-- ==\ndef f x = -- one\n x -- two  \n-- last",
        "-- head\n\n-- | Doc.\n--   more\n-- ==\ndef f x =  -- one\n  x        -- two\n-- last\n",
    );
    becomes(
        "def f = [ -- a\n1, -- b\n2 -- c\n]",
        "def f =\n  [    -- a\n   1,  -- b\n   2   -- c\n  ]\n",
    );
    becomes("def f = {a = 1, -- a\nb = 2}", "def f =\n  { a = 1  -- a\n  , b = 2 }\n");
    becomes("", "");
    becomes("\n\n-- only\n\n", "-- only\n");
}

#[test]
fn empty_lines_are_kept_once() {
    becomes("def a = 1\n\n\n\ndef b = 2\ndef c = 3", "def a = 1\n\ndef b = 2\ndef c = 3\n");
    becomes(
        "def a = let x = 1\n\n\nlet y = 2\nin y",
        "def a =\n  let x = 1\n\n  let y = 2\n  in y\n",
    );
    becomes("def a =\n\n1", "def a =\n  1\n");
}

#[test]
fn attributes_and_modules_have_lines() {
    becomes("#[noinline] local def f = 1", "#[noinline]\nlocal def f = 1\n");
    becomes("module m={def f=1\n\ndef g=2}", "module m = {\n  def f = 1\n\n  def g = 2\n}\n");
    becomes("module  n=import \"x\"\nopen   m", "module n = import \"x\"\nopen m\n");
}

#[test]
fn last_commas_numbered_fields_and_last_functions_stay() {
    becomes("def f=(1,2,)", "def f = (1, 2,)\n");
    becomes("def f=[1,2,]  {a,b=1,}", "def f = [1, 2,] {a, b = 1,}\n");
    becomes(
        "def f({0=a,1=b,}:{0:t,1:u})=({0=a,1=b})",
        "def f ({0 = a, 1 = b,}: {0: t, 1: u}) = ({0 = a, 1 = b})\n",
    );
    becomes("def f=({a},b)", "def f = ({a}, b)\n");
    becomes("def f=g 1 \\x->x+1", "def f = g 1 \\x -> x + 1\n");
}

#[test]
fn lines_end_as_the_first_one_does() {
    becomes("def f =\r\n1\r\n", "def f =\r\n  1\r\n");
    becomes("\u{feff}def f=1", "\u{feff}def f = 1\n");
}

#[test]
fn long_heads_go_on_below() {
    let params = "(first: i64) (second: i64) (third: i64) (fourth: i64) (fifth: i64)";
    becomes(
        &format!("def function {params} (sixth: i64): [3]bool = first"),
        &format!("def function {params}\n    (sixth: i64): [3]bool = first\n"),
    );
}

#[test]
fn deep_and_long_programs_are_formatted() {
    let deep = format!("def f = {}1{}", "(".repeat(100), ")".repeat(100));
    assert_eq!(format(&format(&deep)), format(&deep));
    let long = format!("def f x = x{}", " + x".repeat(5000));
    assert_eq!(format(&format(&long)), format(&long));
    let lets = format!("def f x =\n{}in x", "let x = x\n".repeat(5000));
    assert_eq!(format(&format(&lets)), format(&lets));
}

/// The page about the style keeps to it.
#[test]
fn the_page_about_the_style_keeps_to_it() {
    let page = include_str!("../../../docs/src/style.md");
    let programs: Vec<&str> = page.split("```arr\n").skip(1).collect();
    assert!(!programs.is_empty());
    for program in programs {
        let (program, _) = program.split_once("```").expect("a block ends");
        assert_eq!(format(program), program);
    }
}

#[test]
fn mistakes_are_given_back() {
    assert!(arrc_format::format("def f = (1", FileId::new(0)).is_err());
    assert!(arrc_format::format_range("def f = (1", FileId::new(0), 0..3).is_err());
}

#[test]
fn edits_of_a_range_are_those_of_its_declarations() {
    let text = "-- one\ndef  a=1\n\n\ndef  b=2\n-- three\ndef  c=3\n";
    let edited = |range: std::ops::Range<usize>| {
        let edits = arrc_format::format_range(text, FileId::new(0), range).expect("no mistakes");
        edits.iter().rev().fold(text.to_owned(), |mut text, edit| {
            text.replace_range(edit.range.clone(), &edit.text);
            text
        })
    };
    assert_eq!(edited(0..text.len()), format(text));
    let b = text.find('b').expect("there is a b");
    assert_eq!(edited(b..b), "-- one\ndef  a=1\n\ndef b = 2\n-- three\ndef  c=3\n");
}
