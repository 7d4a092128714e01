//! The tables of rules, and slips that are easily made in Arr itself.
//!
//! Invariant: each rule has an example, for which this rule makes the diagnostic. A rule without a replacement gives
//! only its help.
//!
//! ```text
//! map xs f   ⇒   map f xs        reduce (+) xs   ⇒   reduce (+) 0 xs
//! ```

use super::foreign_words::{ARROWS, CONVERSIONS, FUNCTIONS, METHODS, WORDS};
use crate::repair::token_pattern::Pattern;

/// A text that may have been written, and its meaning.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rule {
    /// The pattern of the text.
    pub(super) written: &'static str,
    /// The possible replacements, the most likely first; none where the user has to decide.
    pub(super) meant: &'static [&'static str],
    /// The error; empty where the two texts say it.
    pub(super) says: &'static str,
    /// What to do; empty where the texts say it.
    pub(super) help: &'static str,
    /// Which errors it explains.
    pub(super) when: Applicability,
    /// A program with the mistake.
    #[cfg(test)]
    pub(super) example: &'static str,
}

/// Which errors a rule explains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Applicability {
    /// All.
    Always,
    /// Names that mean nothing.
    Names,
    /// Fields that are not there.
    Fields,
    /// What could not be read.
    Syntax,
    /// Names that mean nothing, and types that do not fit.
    Typed,
    /// Types that do not fit.
    Types,
    /// Names that mean nothing by themselves, but are members of the modules of the scalar types.
    Members,
}

impl Rule {
    /// Whether it changes nothing.
    pub(super) fn is_advice(&self) -> bool {
        self.meant.is_empty()
    }
}

/// A table of rules: `written => [meant], says "…", help "…", in "program with the mistake";`.
macro_rules! rules {
    ($name:ident, $when:ident;
     $($written:literal => [$($meant:literal),*] $(, says $says:literal)? $(, help $help:literal)?,
       in $example:literal;)*) => {
        /// The rules of this table, in the order in which they are tried.
        pub(super) const $name: &[$crate::repair::rules::Rule] =
            &[$($crate::repair::rules::Rule {
                written: $written,
                meant: &[$($meant),*],
                says: concat!($($says)?),
                help: concat!($($help)?),
                when: $crate::repair::rules::Applicability::$when,
                #[cfg(test)]
                example: $example,
            }),*];
    };
}
pub(super) use rules;

/// All rules, in the order in which they are tried.
pub(super) fn all() -> Vec<(Rule, Pattern)> {
    let tables = [MEMBERS, WORDS, ARROWS, CONVERSIONS, FUNCTIONS, METHODS, SLIPS];
    let rules = tables.into_iter().flatten();
    rules.map(|rule| (*rule, Pattern::new(rule.written))).collect()
}

rules! { MEMBERS, Members;
    "$x" => ["f64.$x", "i64.$x", "f32.$x", "i32.$x", "i16.$x", "i8.$x", "u64.$x", "u32.$x", "u16.$x", "u8.$x"],
        says "each type of numbers has its own `$x`", in "def f (x: f32): f32 = sqrt x";
}

rules! { SLIPS, Types;
    // A sign that belongs to the number behind it.
    "~- $a ~- $b" => ["(-$a) (-$b)"],
        says "`-` is read as a subtraction here", help "put the negative arguments in parentheses",
        in "def clamp (lo: i64) (hi: i64) (x: i64): i64 = i64.max lo (i64.min hi x)\ndef f (x: i64): i64 = clamp -2 -1 x";
    "~- $a" => ["(-$a)"],
        says "`-` is read as a subtraction here", help "put the negative argument in parentheses",
        in "def f (x: i64): i64 = i64.max -1 x";

    // Comparisons in a row.
    "$s $p $t $q $u" => ["$s $p $t && $t $q $u"],
        says "a comparison has two sides, not three", help "compare twice",
        in "def f (a: i64) (x: i64) (b: i64): bool = a < x < b";

    // An operator of two types: only `fold` takes one. The second rule is for an array before `|>`.
    "reduce $a $b $c" => ["fold $a $b $c"],
        says "the operator of this `reduce` joins values of two types",
        help "`fold` joins a result and an element, from the left; or use `map` before `reduce`, so that all values have one type",
        in "def f [n] (xs: [n]i64): f64 = reduce (\\acc x -> acc + f64.i64 x) 0 xs";
    "reduce $a $b" => ["fold $a $b"],
        says "the operator of this `reduce` joins values of two types",
        help "`fold` joins a result and an element, from the left; or use `map` before `reduce`, so that all values have one type",
        in "def f [n] (xs: [n]i64): f64 = xs |> reduce (\\acc x -> acc + f64.i64 x) 0";

    // The neutral element.
    "$f ( + ) $a" => ["$f (+) 0 $a"],
        says "the neutral element of `+` is missing", help "write it behind the operator",
        in "def f [n] (xs: [n]i64): i64 = reduce (+) xs";
    "$f ( * ) $a" => ["$f (*) 1 $a"],
        says "the neutral element of `*` is missing", help "write it behind the operator",
        in "def f [n] (xs: [n]i64): [n]i64 = scan (*) xs";
    "$f ( && ) $a" => ["$f (&&) true $a"],
        says "the neutral element of `&&` is missing", help "write it behind the operator",
        in "def f [n] (xs: [n]bool): bool = reduce (&&) xs";
    "$f ( || ) $a" => ["$f (||) false $a"],
        says "the neutral element of `||` is missing", help "write it behind the operator",
        in "def f [n] (xs: [n]bool): bool = reduce (||) xs";
    "$f $k . max $a" => ["$f $k.max $k.lowest $a"],
        says "the neutral element of `$k.max` is missing", help "write it behind the function",
        in "def f [n] (xs: [n]i64): i64 = reduce i64.max xs";
    "$f $k . min $a" => ["$f $k.min $k.highest $a"],
        says "the neutral element of `$k.min` is missing", help "write it behind the function",
        in "def f [n] (xs: [n]i64): i64 = reduce i64.min xs";

    "$f ( \\ $x $y -> $a + $b ) $c" => ["$f (\\$x $y -> $a + $b) 0 $c"],
        says "the neutral element of `+` is missing", help "write it behind the operator",
        in "def f [n] (xs: [n]i64): i64 = reduce (\\a b -> a + b) xs";
    "$f ( \\ $x $y -> $a * $b ) $c" => ["$f (\\$x $y -> $a * $b) 1 $c"],
        says "the neutral element of `*` is missing", help "write it behind the operator",
        in "def f [n] (xs: [n]i64): [n]i64 = scan (\\a b -> a * b) xs";
    "$f ( \\ $x $y -> $k . max $a $b ) $c" => ["$f (\\$x $y -> $k.max $a $b) $k.lowest $c"],
        says "the neutral element of `$k.max` is missing", help "write it behind the function",
        in "def f [n] (xs: [n]i64): i64 = reduce (\\a b -> i64.max a b) xs";
    "$f ( \\ $x $y -> $k . min $a $b ) $c" => ["$f (\\$x $y -> $k.min $a $b) $k.highest $c"],
        says "the neutral element of `$k.min` is missing", help "write it behind the function",
        in "def f [n] (xs: [n]i64): i64 = reduce (\\a b -> i64.min a b) xs";

    "reduce $a $b" => ["reduce $a ??? $b"],
        says "the neutral element is missing", help "put the operator's neutral element in the place of `???`: the value for which it gives its other operand",
        in "def f [n] (xs: [n]i64): i64 = reduce (\\a b -> a - b) xs";
    "scan $a $b" => ["scan $a ??? $b"],
        says "the neutral element is missing", help "put the operator's neutral element in the place of `???`: the value for which it gives its other operand",
        in "def f [n] (xs: [n]i64): [n]i64 = scan (\\a b -> a - b) xs";

    // Arguments in another order.
    "$f $a $b" => ["$f $b $a"],
        says "the arguments of `$f` stand in another order", help "exchange them",
        in "def f [n] (xs: [n]i64): [n]i64 = map xs (+ 1)";
    "$f $a $b $c" => ["$f $b $a $c", "$f $a $c $b", "$f $c $b $a", "$f $b $c $a", "$f $c $a $b"],
        says "the arguments of `$f` stand in another order", help "exchange them",
        in "def f [n] (xs: [n]i64): i64 = reduce 0 (+) xs";

    // As many arrays as the function has parameters.
    "map $a $b $c" => ["map2 $a $b $c"],
        says "`map` goes through one array", help "`map2` goes through two, side by side",
        in "def f [n] (xs: [n]i64) (ys: [n]i64): [n]i64 = map (+) xs ys";
    "map $a $b $c $d" => ["map3 $a $b $c $d"],
        says "`map` goes through one array", help "`map3` goes through three, side by side",
        in "def g (a: i64) (b: i64) (c: i64): i64 = a\ndef f [n] (xs: [n]i64): [n]i64 = map g xs xs xs";

    // Tuples.
    "\\ $x $y -> $e" => ["\\($x, $y) -> $e"],
        says "the function is given one pair, not two arguments", help "take the pair apart",
        in "def f [n] (ps: [n](i64, i64)): [n]i64 = map (\\x y -> x + y) ps";
    "\\ $x $y $z -> $e" => ["\\($x, $y, $z) -> $e", "\\$x ($y, $z) -> $e", "\\($x, $y) $z -> $e"],
        says "the function is given a tuple, not each argument by itself", help "take the tuple apart",
        in "def f [n] (xs: [n]i64): [n]i64 = map (\\x y z -> x + y + z) (zip3 xs xs xs)";
    "\\ ( $x , $y ) -> $e" => ["\\$x $y -> $e"],
        says "the function is given two arguments, not one pair", help "take one after the other",
        in "def f [n] (xs: [n]i64): [n]i64 = map2 (\\(x, y) -> x + y) xs xs";
    "map $a ( zip $b $c )" => ["map2 $a $b $c"],
        says "`map` gives the function one pair, not two arguments", help "`map2` gives it both",
        in "def f [n] (xs: [n]i64): [n]i64 = map (+) (zip xs xs)";
    "$f ( $e , $h )" => ["$f $(e) $(h)"],
        says "`$f` takes its arguments one after the other, not as a tuple",
        help "leave the parentheses and the comma out",
        in "def g (x: i64) (y: i64): i64 = x + y\ndef f (x: i64): i64 = g(x, 1)";
    "$f ( $e , $h , $i )" => ["$f $(e) $(h) $(i)"],
        says "`$f` takes its arguments one after the other, not as a tuple",
        help "leave the parentheses and the commas out",
        in "def f [n] (xs: [n]i64): i64 = reduce((+), 0, xs)";
    "$f $a $b" => ["$f ($a, $b)"],
        says "`$f` takes a pair", help "put the two in parentheses, with a comma between them",
        in "def g (x: i64, y: i64): i64 = x + y\ndef f (x: i64): i64 = g x 1";
    "$f $a $b $c" => ["$f ($a, $b, $c)"],
        says "`$f` takes a tuple of three", help "put the three in parentheses, with commas between them",
        in "def g (x: i64, y: i64, z: i64): i64 = x + y + z\ndef f (x: i64): i64 = g x 1 2";

    // A `match` in a case.
    "-> match $w case $a" => ["-> (match $w)$_case $a"],
        says "this `match` has taken the cases behind it", help "put it in parentheses, up to its own last case",
        in "def f (x: #a | #b) (y: bool): i64 =\n  match x\n  case #a -> match y case true -> 1 case false -> 2\n  case #b -> 3";

    // Elements of arrays.
    "$a [ $e ]" => ["$a[$e]"],
        says "an index stands right behind the array", help "leave the blank out",
        in "def f [n] (xs: [n]i64): i64 = xs [0]";
    "$a ( $e )" => ["$a[$e]"],
        says "an index stands in square brackets", help "write them",
        in "def f [n] (xs: [n]i64): i64 = xs(0)";
    "$a ^" => ["$a **"],
        says "`^` is the exclusive or of integers", help "a power is written `**`",
        in "def f (x: f64): f64 = x ^ 2";
}
