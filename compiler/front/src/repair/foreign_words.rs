//! Words and signs of other languages, and what they are in Arr.
//!
//! Invariant: as in [`super::rules`], each line is a rule with its example.
//!
//! ```text
//! elif   ⇒   else if          len(xs)   ⇒   length(xs)          xs.map(f)   ⇒   map f xs
//! ```

use super::rules::rules;

/// The names that modules of functions on numbers and arrays have in other languages.
pub(super) const FOREIGN_MODULES: &[&str] = &[
    "np",
    "numpy",
    "jnp",
    "cupy",
    "torch",
    "tf",
    "scipy",
    "math",
    "Math",
    "cmath",
    "statistics",
    "itertools",
    "functools",
    "Prelude",
    "List",
    "Vector",
    "V",
];

rules! { WORDS, Always;
    // Comments.
    "#" => ["--"], says "a comment begins with `--`", help "begin each comment with two dashes", in "# adds one\ndef f (x: i64): i64 = x + 1 # so";
    "$l $r" => ["-- $l $r"], says "a comment begins with `--`", help "begin each comment with two dashes",
        in "def g (x: i64): i64 = x\n#adds one\ndef f (x: i64): i64 = x + 1";
    "$m $x $y $r" => ["-- $m $x $y $r"], says "a comment begins with `--`", help "begin each comment with two dashes",
        in "def f (x: i64): i64 = x + 1 #the next number";
    "^// $r" => ["-- $r"], says "a comment begins with `--`", in "// adds one\ndef f (x: i64): i64 = x + 1";
    "// $x $y $z $r" => ["-- $x $y $z $r"], says "a comment begins with `--`",
        in "def f (x: i64): i64 = x // the same number";
    "/* $w */^" => ["-- $w"], says "a comment begins with `--`, and ends with its line",
        in "/* adds one */\ndef f (x: i64): i64 = x + 1";
    "/* $r" => [], says "a comment begins with `--`, and ends with its line", help "begin each line of it with `--`",
        in "/* adds\n   one */\ndef f (x: i64): i64 = x + 1";
    "{ - $w - }^" => ["-- $w"], says "a comment begins with `--`, and ends with its line",
        in "{- adds one -}\ndef f (x: i64): i64 = x + 1";
    "{ - $r" => [], says "a comment begins with `--`, and ends with its line", help "begin each line of it with `--`",
        in "{- adds\n   one -}\ndef f (x: i64): i64 = x + 1";

    // Other files.
    "import $x" => [], says "an import names a file of Arr in quotes", help "write `import \"statistics\"`",
        in "import numpy as np\ndef f (x: i64): i64 = x";
    "use $r" => [], says "an import names a file of Arr in quotes", help "write `import \"statistics\"`",
        in "use std::f64\ndef f (x: i64): i64 = x";
    "#include $r" => [], says "an import names a file of Arr in quotes", help "write `import \"statistics\"`",
        in "#include <math.h>\ndef f (x: i64): i64 = x";

    // Declarations of types.
    "struct $x { $w }" => ["type $x = {$w}"], in "struct point { x: f64, y: f64 }";
    "enum $x { $y , $z }" => ["type $x = #$y | #$z"], in "enum side { left, right }";
    "data $r" => [], says "a type of alternatives is declared by `type`", help "write `type t = #a i64 | #b`",
        in "data T = A i64 | B";

    // Steps.
    "break" => [], says "a loop has no `break`", help "write `loop x = … while c do …`, with the condition to go on",
        in "def f (x: i64): i64 = loop x for i < 10 do if x > 9 then break else x + i";
    "continue" => [], says "a loop has no `continue`", help "give the value that the next step begins with",
        in "def f (x: i64): i64 = loop x for i < 10 do if x > 9 then continue else x + i";
    "for $r" => [], says "a loop carries a value", help "write `loop x = 0 for i < n do …`; what follows `do` is the next `x`",
        in "def f (n: i64): i64 = for (i = 0; i < n; i++) { s += i }";
    "while $r" => [], says "a loop carries a value", help "write `loop x = 0 while x < 10 do …`; what follows `do` is the next `x`",
        in "def f (x: i64): i64 = while (x < 10) { x = x + 1 }";

    // Truth values.
    "True" => ["true"], in "def f (x: bool): bool = if x then True else x";
    "False" => ["false"], in "def f (x: bool): bool = if x then False else x";
    "$a and" => ["$a &&"], says "two truth values are joined by `&&`", help "write `&&`",
        in "def f (x: i64): bool = x > 1 and x < 9";
    "$a or" => ["$a ||"], says "two truth values are joined by `||`", help "write `||`",
        in "def f (x: i64): bool = x < 1 or x > 9";
    "~ $a" => ["!$a"], in "def f (x: i64): i64 = ~x";

    // Operators.
    "/=" => ["!="], in "def f (x: i64): bool = x /= 2";
    "<>" => ["!="], in "def f (x: i64): bool = x <> 2";
    "=/=" => ["!="], in "def f (x: i64): bool = x =/= 2";
    "!==" => ["!="], in "def f (x: i64): bool = x !== 2";
    "===" => ["=="], in "def f (x: i64): bool = x === 2";
    "=<" => ["<="], in "def f (x: i64): bool = x =< 2";
    "$a is $b" => ["$a == $b"], in "def f (x: i64): bool = x is 2";
    "$a in $b" => ["any (== $a) $b"], in "def f [n] (x: i64) (xs: [n]i64): bool = x in xs";
    "$a mod $b" => ["$a % $b"], in "def f (x: i64): i64 = x mod 2";
    "mod $a $b" => ["$a % $b"], in "def f (x: i64): i64 = mod x 2";
    "`mod`" => ["%"], says "the remainder is `%`", in "def f (x: i64): i64 = x `mod` 2";
    "`rem`" => ["%%"], says "the remainder is `%%`", in "def f (x: i64): i64 = x `rem` 2";
    "$a div $b" => ["$a / $b"], in "def f (x: i64): i64 = x div 2";
    "div $a $b" => ["$a / $b"], in "def f (x: i64): i64 = div x 2";
    "`div`" => ["/"], says "the quotient is `/`", in "def f (x: i64): i64 = x `div` 2";
    "`quot`" => ["//"], says "the quotient is `//`", in "def f (x: i64): i64 = x `quot` 2";
    "$a xor $b" => ["$a ^ $b"], in "def f (x: i64): i64 = x xor 2";
    "$a shl $b" => ["$a << $b"], in "def f (x: i64): i64 = x shl 2";
    "$a shr $b" => ["$a >> $b"], in "def f (x: i64): i64 = x shr 2";
    "$a !! $b" => ["$a[$b]"], in "def f [n] (xs: [n]i64): i64 = xs !! 0";
    "~$~" => ["<|"], says "`<|` applies a function to all that follows", in "def f (x: f64): f64 = f64.sqrt $ x + 1";
    "~.~ $a" => ["<-< $a"], says "`<-<` joins two functions", in "def f (x: f64): f64 = (f64.sqrt . f64.abs) x";
    "$a ++ $b" => ["$a + $b", "$a ++ [$b]", "[$a] ++ $b"],
        says "`++` joins two arrays", help "this has the types that fit",
        in "def f (x: i64): i64 = x ++ 1";
    "$x ++" => ["$x + 1"], says "there is no `++` that counts up", in "def f (x: i64): i64 = x++";
    "$x += $e" => [], says "a name keeps its value", help "bind the new value: `let x = x + …`",
        in "def f (x: i64): i64 = x += 1";
    "$x -= $e" => [], says "a name keeps its value", help "bind the new value: `let x = x - …`",
        in "def f (x: i64): i64 = x -= 1";
    "( & $a )" => ["($a)"], says "there are no references: a value is given by its name", in "def g (x: i64): i64 = x\ndef f (x: i64): i64 = g(&x)";

    // Choices.
    "$e ? $h : $i" => ["if $e then $h else $i"], in "def f (x: i64): i64 = x > 0 ? x : 0";
    "elif" => ["else if"], in "def f (x: i64): i64 = if x < 0 then 0 elif x < 1 then 1 else 2";
    "elseif" => ["else if"], in "def f (x: i64): i64 = if x < 0 then 0 elseif x < 1 then 1 else 2";
    "elsif" => ["else if"], in "def f (x: i64): i64 = if x < 0 then 0 elsif x < 1 then 1 else 2";
    "if $e { $h } else { $i }" => ["if $e then $h else $i"], in "def f (x: i64): i64 = if (x > 0) { x } else { 0 }";
    "if $e : $h else : $i" => ["if $e then $h else $i"], in "def f (x: i64): i64 = if x > 0: x else: 0";
    "if $a $e else $h" => ["if $a then $e else $h"], in "def f (x: i64): i64 = if (x > 0) x else 0";
    "$s if $e else $h" => ["if $e then $s else $h"], in "def f (x: i64): i64 = 1 if x > 0 else 2";
    "match $e { $h => $i , $j => $w }" => ["match $e case $h -> $i case $j -> $w"],
        in "def f (x: i64): i64 = match x { 0 => 1, _ => 2 }";
    "match $e with | $h -> $i | $j -> $w" => ["match $e case $h -> $i case $j -> $w"],
        in "def f (x: i64): i64 = match x with | 0 -> 1 | _ -> 2";
    "case $e of $r" => [], says "a choice by patterns begins with `match`", help "write `match x case p -> a case q -> b`",
        in "def f (x: i64): i64 = case x of\n  0 -> 1\n  _ -> 2";
    "switch $a { $w }" => [], says "a choice by patterns begins with `match`", help "write `match x case p -> a case q -> b`",
        in "def f (x: i64): i64 = switch (x) { case 0: 1; default: 2 }";
    "| $e = $h | otherwise = $i" => ["= if $e then $h else $i"], in "def f (x: i64): i64 | x > 0 = 1 | otherwise = 2";

    // Blocks.
    "{ let $x = $e ; $h }" => ["(let $x = $e in $h)"], says "a name is bound by `let … in …`", help "write `in` in place of `;`",
        in "def f (x: i64): i64 = { let y = x + 1; y * 2 }";
    "{ let $x = $e ; let $y = $h ; $i }" => ["(let $x = $e in let $y = $h in $i)"],
        says "a name is bound by `let … in …`", help "write `in` in place of `;`",
        in "def f (x: i64): i64 = {\n  let y = x + 1;\n  let z = y * 2;\n  z - x\n}";
    "let $x = $e ; $y = $h in" => ["let $x = $e let $y = $h in"], says "each name is bound by a `let` of its own", help "write `let $y`",
        in "def f (x: i64): i64 = let y = x; z = 2 in y + z";
    "let $x = $e ;" => ["let $x = $e", "let $x = $e in"], says "bindings need no mark at their end",
        help "leave `;` out; `in` stands behind the last binding",
        in "def f (x: i64): i64 =\n  let y = x + 1;\n  y * 2";

    // Functions without a name.
    "fun $w => $e" => ["\\$w -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (fun x => x + 1) xs";
    "fun $w -> $e" => ["\\$w -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (fun x -> x + 1) xs";
    "fn $w => $e" => ["\\$w -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (fn x => x + 1) xs";
    "fn $w -> $e" => ["\\$w -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (fn x -> x + 1) xs";
    "lambda $x : $e" => ["\\$x -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (lambda x: x + 1) xs";
    "lambda $x , $y : $e" => ["\\$x $y -> $e"], in "def f [n] (xs: [n]i64): i64 = reduce (lambda x, y: x + y) 0 xs";
    "| $x | $e" => ["\\$x -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (|x| x + 1) xs";
    "| $x , $y | $e" => ["\\$x $y -> $e"], in "def f [n] (xs: [n]i64): i64 = reduce (|x, y| x + y) 0 xs";
    "\\ $w => $e" => ["\\$w -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (\\x => x + 1) xs";
    "\\ $x . $e" => ["\\$x -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (\\x. x + 1) xs";
    "( $x , $y ) => $e" => ["\\$x $y -> $e"], in "def f [n] (xs: [n]i64): i64 = reduce ((x, y) => x + y) 0 xs";
    "$x => $e" => ["\\$x -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (x => x + 1) xs";

    // Definitions.
    "^int main $r" => [], says "a program begins at an entry", help "write `entry main (n: i64): i64 = …`, with what it is given",
        in "int main() {\n  return 0;\n}";
    "^int $x ( $r" => [], says "a definition begins with `def`, and types stand behind colons", help "write `def f (x: i64): i64 = …`",
        in "int f(int x) { return x + 1; }";
    "^double $x ( $r" => [], says "a definition begins with `def`, and types stand behind colons", help "write `def f (x: f64): f64 = …`",
        in "double f(double x) { return x + 1; }";
    "^float $x ( $r" => [], says "a definition begins with `def`, and types stand behind colons", help "write `def f (x: f32): f32 = …`",
        in "float f(float x) { return x + 1; }";
    "^void $x ( $r" => [], says "a definition gives a value", help "write `def f (x: i64): i64 = …`",
        in "void f(int x) { x = x + 1; }";
    "def $x ( $w ) : return $e" => ["def $x ($w) = $e"], in "def f(x, y):\n  return x + y";
    "pub fn $x ( $w ) -> $k { $e }" => ["def $x ($w): $k = $e"], in "pub fn f(x: i64) -> i64 { x + 1 }";
    "fn $x ( $w ) -> $k { $e }" => ["def $x ($w): $k = $e"], in "fn f(x: i64) -> i64 { x + 1 }";
    "def $x $w -> $k =" => ["def $x $w: $k ="], says "the type of a result stands behind a colon", help "write `: $k`",
        in "def f (x: i64) -> i64 = x";
    "fn $x" => ["def $x"], in "fn f (x: i64): i64 = x";
    "fun $x" => ["def $x"], in "fun f (x: i64): i64 = x";
    "function $x" => ["def $x"], in "function f(x) = x + 1";
    "val $x" => ["let $x", "def $x"], in "def f (x: i64): i64 = val y = x in y";
    "var $x" => ["let $x", "def $x"], in "def f (x: i64): i64 = var y = x in y";
    "const $x" => ["let $x", "def $x"], in "const two = 2";
    "let mut $x" => ["let $x"], in "def f (x: i64): i64 = let mut y = x + 1 in y";
    "let rec $x" => ["let $x"], in "def f (x: i64): i64 = let rec g y = y in g x";
    ": =" => ["="], says "a name is bound by `=`", help "write `=`", in "def f (x: i64): i64 = let y := x + 1 in y";
    "return $e" => ["$e", "in $e"], says "a function gives the value of its body, without `return`", in "def f (x: i64): i64 = return x + 1";
    "= $e where $x = $h" => ["= let $x = $h in $e"], says "names are bound before they are used",
        help "write `let $x = … in …`", in "def f (x: i64): i64 = y + 1\n  where y = x";
    "$x [ $e ] = $h" => ["$x with [$e] = $h"], says "an array keeps its elements",
        help "`with` gives an array with another element", in "def f [n] (ys: *[n]i64): *[n]i64 =\n  ys[0] = 3";
    "$a : : $b" => ["[$a] ++ $b"], says "`++` joins arrays", in "def f [n] (xs: [n]i64): [1+n]i64 = 1 :: xs";
    "$x : : $r" => [], says "the types of a definition stand in it", help "write `def f (x: i64): i64 = …`",
        in "f :: i64 -> i64\ndef f x = x + 1";
    "def $x < $y > (" => ["def $x '$y ("], says "a type parameter begins with `'`", help "write `'$y`",
        in "def f<t>(x: t): t = x";

    // Loops.
    "[ $e for $x in range ( $h ) ]" => ["generate $(h) (\\$x -> $e)"], in "def f (n: i64): [n]i64 = [i * 2 for i in range(n)]";
    "[ $e for $x in $h if $i ]" => ["map (\\$x -> $e) (filter (\\$x -> $i) $(h))"],
        in "def f [n] (xs: [n]i64): ?[k].[k]i64 = [x * 2 for x in xs if x > 0]";
    "[ $e for $x in $h ]" => ["map (\\$x -> $e) $(h)"], in "def f [n] (xs: [n]i64): [n]i64 = [x * 2 for x in xs]";
    "[ $e | $x <- $h ]" => ["map (\\$x -> $e) $(h)"], in "def f [n] (xs: [n]i64): [n]i64 = [x * 2 | x <- xs]";
    "[ $e | $x <- $h , $i ]" => ["map (\\$x -> $e) (filter (\\$x -> $i) $(h))"],
        in "def f [n] (xs: [n]i64): ?[k].[k]i64 = [x * 2 | x <- xs, x > 0]";
    "in range ( $e )" => ["< $e"], says "a loop counts by `for i < n`", help "write `< $e`",
        in "def f (n: i64): i64 = loop s = 0 for i in range(n) do s + i";
    "in 0 .. $s do" => ["< $s do"], says "a loop counts by `for i < n`", help "write `< $s`",
        in "def f (n: i64): i64 = loop s = 0 for i in 0..n do s + i";

    // Ranges and parts of arrays.
    "[ $s .. $t ]" => ["$s...$t", "$s..<$t", "[$s:$t]"], says "a range says whether it has its last number", help "write `$s...$t` with it, and `$s..<$t` without it",
        in "def f (n: i64): [n]i64 = [0..n]";
    "$a . [ $e ]" => ["$a[$e]"], in "def f [n] (xs: [n]i64): i64 = xs.[0]";

    // Values that may be missing.
    "Just $a" => ["#some $a"], in "def f (x: i64): #some i64 | #none = Just x";
    "Some $a" => ["#some $a"], in "def f (x: i64): #some i64 | #none = Some x";
    "Nothing" => ["#none"], in "def f (x: i64): #some i64 | #none = Nothing";
    "None" => ["#none"], in "def f (x: i64): #some i64 | #none = None";
    "null" => [], says "no value stands for none", help "say in the type that it may be missing: `#some t | #none`",
        in "def f (x: i64): i64 = null";
    "None" => [], says "no value stands for none", help "say in the type that it may be missing: `#some t | #none`",
        in "def f (x: i64): i64 = None";
    "nil" => [], says "no value stands for none", help "say in the type that it may be missing: `#some t | #none`",
        in "def f (x: i64): i64 = nil";
    "undefined" => [], says "what is still to be written is `???`", help "write `???`", in "def f (x: i64): i64 = undefined";

    // Types.
    "int" => ["i64", "i32"], in "def f (x: int): int = x";
    "Int" => ["i64", "i32"], in "def f (x: Int): Int = x";
    "short" => ["i16"], in "def f (x: short): short = x";
    "uint" => ["u64", "u32"], in "def f (x: uint): uint = x";
    "int32" => ["i32"], in "def f (x: int32): int32 = x";
    "int64" => ["i64"], in "def f (x: int64): int64 = x";
    "float32" => ["f32"], in "def f (x: float32): float32 = x";
    "float64" => ["f64"], in "def f (x: float64): float64 = x";
    "real" => ["f64", "f32"], in "def f (x: real): real = x";
    "Real" => ["f64", "f32"], in "def f (x: Real): Real = x";
    "Boolean" => ["bool"], in "def f (x: Boolean): Boolean = x";
    "integer" => ["i64"], in "def f (x: integer): integer = x";
    "Integer" => ["i64"], in "def f (x: Integer): Integer = x";
    "long" => ["i64"], in "def f (x: long): long = x";
    "usize" => ["i64"], says "sizes and indices are `i64`", in "def f (x: usize): usize = x";
    "isize" => ["i64"], says "sizes and indices are `i64`", in "def f (x: isize): isize = x";
    "size_t" => ["i64"], says "sizes and indices are `i64`", in "def f (x: size_t): size_t = x";
    "float" => ["f64", "f32"], in "def f (x: float): float = x";
    "Float" => ["f64", "f32"], in "def f (x: Float): Float = x";
    "double" => ["f64"], in "def f (x: double): double = x";
    "Double" => ["f64"], in "def f (x: Double): Double = x";
    "Bool" => ["bool"], in "def f (x: Bool): Bool = x";
    "boolean" => ["bool"], in "def f (x: boolean): boolean = x";
    "char" => ["u8"], in "def f (x: char): char = x";
    "string" => ["[]u8"], says "a text is an array of bytes", in "def f (x: string): i64 = length x";
    "String" => ["[]u8"], says "a text is an array of bytes", in "def f (x: String): i64 = length x";
    "str" => ["[]u8"], says "a text is an array of bytes", in "def f (x: str): i64 = length x";
    "Vec < $x >" => ["[]$x"], in "def f (xs: Vec<f64>): f64 = xs[0]";
    "List < $x >" => ["[]$x"], in "def f (xs: List<f64>): f64 = xs[0]";
    "$k [ ]" => ["[]$k"], in "def f (xs: f64[]): f64 = xs[0]";
    ": [ $k ]" => [": []$k"], says "the type of an array's elements stands behind the brackets", help "write `[]$k`",
        in "def f (xs: [f64]): f64 = xs[0]";
    "( $k $x )" => ["($x: $k)"], says "a type stands behind the name, after a colon", help "write `$x: $k`", in "def f (i64 x): i64 = x";
    "{ $x : $e , $y : $h }" => ["{$x = $e, $y = $h}"], says "the fields of a value are written with `=`", help "`:` says a field's type",
        in "def f (x: f64): {x: f64, y: f64} = {x: x, y: 2.0}";
    "{ $x : $e }" => ["{$x = $e}"], says "the fields of a value are written with `=`", help "`:` says a field's type",
        in "def f (x: f64): {x: f64} = {x: x}";
    "{ $x : $e , $y : $h , $z : $i }" => ["{$x = $e, $y = $h, $z = $i}"], says "the fields of a value are written with `=`", help "`:` says a field's type",
        in "def f (x: f64): {x: f64, y: f64, z: f64} = {x: x, y: 2.0, z: x}";

}

rules! { CONVERSIONS, Typed;
    "$a as $k" => ["$k.i64 $a", "$k.f64 $a", "$k.i32 $a", "$k.f32 $a", "$k.u8 $a", "$k.bool $a"],
        says "a number becomes `$k` by a function of the module `$k`", in "def f (x: i64): f64 = x as f64";
    "( $k ) $a" => ["$k.i64 $a", "$k.f64 $a", "$k.i32 $a", "$k.f32 $a", "$k.u8 $a", "$k.bool $a"],
        says "a number becomes `$k` by a function of the module `$k`", in "def f (x: i64): f64 = (f64) x";
    "$k ( $e )" => ["$k.i64 ($e)", "$k.f64 ($e)", "$k.i32 ($e)", "$k.f32 ($e)", "$k.u8 ($e)", "$k.bool ($e)"],
        says "a number becomes `$k` by a function of the module `$k`", in "def f (x: i64): f64 = f64(x)";
    "$k $a" => ["$k.i64 $a", "$k.f64 $a", "$k.i32 $a", "$k.f32 $a", "$k.u8 $a", "$k.bool $a"],
        says "a number becomes `$k` by a function of the module `$k`", in "def f (x: i64): f64 = f64 x";
    "( double ) $a" => ["f64.i64 $a", "f64.i32 $a", "f64.f32 $a"], in "def f (x: i64): f64 = (double)x";
    "( int ) $a" => ["i64.f64 $a", "i32.f64 $a", "i64.f32 $a"], in "def f (x: f64): i64 = (int)x";
    "float ( $e )" => ["f64.i64 ($e)", "f64.i32 ($e)", "f32.i64 ($e)", "f32.i32 ($e)"], in "def f (x: i64): f64 = float(x)";
    "int ( $e )" => ["i64.f64 ($e)", "i64.f32 ($e)", "i32.f64 ($e)", "i32.f32 ($e)"], in "def f (x: f64): i64 = int(x)";
    "fromIntegral $a" => ["f64.i64 $a", "f64.i32 $a", "f32.i64 $a", "i64.i32 $a", "i32.i64 $a"], in "def f (x: i64): f64 = fromIntegral x";
    "toFloat $a" => ["f64.i64 $a", "f64.i32 $a"], in "def f (x: i64): f64 = toFloat x";
    "truncate $a" => ["i64.f64 $a", "i32.f64 $a"], in "def f (x: f64): i64 = truncate x";
}

rules! { ARROWS, Syntax;
    "$x -> $e" => ["\\$x -> $e"], in "def f [n] (xs: [n]i64): [n]i64 = map (x -> x + 1) xs";
}

rules! { METHODS, Fields;
    "$a . length ( )" => ["length $a"], in "def f [n] (xs: [n]i64): i64 = xs.length()";
    "$a . len ( )" => ["length $a"], in "def f [n] (xs: [n]i64): i64 = xs.len()";
    "$a . length" => ["length $a"], in "def f [n] (xs: [n]i64): i64 = xs.length";
    "$a . T" => ["transpose $a"], in "def f [n] [m] (a: [n][m]f64): [m][n]f64 = a.T";
    "$a . size" => ["length $a"], in "def f [n] (xs: [n]i64): i64 = xs.size";
    "$a . iter ( ) . $x ( )" => ["$x $a"], in "def f [n] (xs: [n]i64): i64 = xs.iter().sum()";
    "$a . $x ( )" => ["$x $a", "f64.$x $a", "f32.$x $a", "i64.$x $a", "i32.$x $a"], in "def f (x: f64): f64 = x.sqrt()";
    "$a . $x ( $e , $h )" => ["$x $(e) $(h) $a", "$x $(h) $(e) $a"], in "def f [n] (xs: [n]i64): i64 = xs.fold(0, \\a x -> a + x)";
    "$a . $x ( $e )" => ["$x ($e) $a", "f64.$x $a ($e)", "i64.$x $a ($e)"], in "def f [n] (xs: [n]i64): [n]i64 = xs.map(\\x -> x + 1)";
    "$a . $x" => ["$x $a"], in "def f [n] (xs: [n]i64): i64 = xs.sum";
}

rules! { FUNCTIONS, Names;
    // Lengths, and arrays of a length.
    "len" => ["length"], in "def f [n] (xs: [n]i64): i64 = len(xs)";
    "size" => ["length"], in "def f [n] (xs: [n]i64): i64 = size xs";
    "numel" => ["length"], in "def f [n] (xs: [n]i64): i64 = numel(xs)";
    "range" => ["iota"], in "def f (n: i64): [n]i64 = range(n)";
    "arange" => ["iota"], in "def f (n: i64): [n]i64 = np.arange n";
    "linspace $a $b $c" => ["generate $c (\\i -> $a + ($b - $a) * f64.i64 i / f64.i64 ($c - 1))"],
        in "def f (n: i64): [n]f64 = np.linspace 0.0 1.0 n";
    "zeros $a" => ["replicate $a 0"], in "def f (n: i64): [n]f64 = np.zeros(n)";
    "ones $a" => ["replicate $a 1"], in "def f (n: i64): [n]f64 = ones n";
    "full $a $b" => ["replicate $a $b"], in "def f (n: i64): [n]f64 = full n 2.0";
    "repeat $a $b" => ["replicate $b $a", "replicate $a $b"], in "def f (n: i64): [n]f64 = repeat 2.0 n";
    "eye" => ["identity"], in "def f (n: i64): [n][n]f64 = np.eye n";

    // Functions of functions.
    "zipWith" => ["map2"], in "def f [n] (xs: [n]i64): [n]i64 = zipWith (+) xs xs";
    "zipWith3" => ["map3"], in "def g (a: i64) (b: i64) (c: i64): i64 = a\ndef f [n] (xs: [n]i64): [n]i64 = zipWith3 g xs xs xs";
    "fmap" => ["map"], in "def f [n] (xs: [n]i64): [n]i64 = fmap (+ 1) xs";
    "arrayfun" => ["map"], in "def f [n] (xs: [n]i64): [n]i64 = arrayfun (+ 1) xs";
    "concatMap" => ["flatmap"], in "def f [n] (xs: [n]i64): ?[k].[k]i64 = concatMap (\\x -> iota x) xs";
    "flat_map" => ["flatmap"], in "def f [n] (xs: [n]i64): ?[k].[k]i64 = flat_map (\\x -> iota x) xs";
    "enumerate" => ["indexed"], in "def f [n] (xs: [n]i64): [n](i64, i64) = enumerate xs";
    "foldl1 $a $b" => ["reduce $a $b[0] $b"], in "def f [n] (xs: [n]i64): i64 = foldl1 i64.max xs";
    "cumsum" => ["scan (+) 0"], in "def f [n] (xs: [n]i64): [n]i64 = np.cumsum xs";
    "cumprod" => ["scan (*) 1"], in "def f [n] (xs: [n]i64): [n]i64 = cumprod xs";

    // Results for a whole array.
    "prod" => ["product"], in "def f [n] (xs: [n]i64): i64 = np.prod xs";
    "amax" => ["maximum"], in "def f [n] (xs: [n]i64): i64 = np.amax xs";
    "amin" => ["minimum"], in "def f [n] (xs: [n]i64): i64 = np.amin xs";
    "max $a" => ["maximum $a"], in "def f [n] (xs: [n]i64): i64 = np.max xs";
    "min $a" => ["minimum $a"], in "def f [n] (xs: [n]i64): i64 = min(xs)";
    "average" => ["mean"], in "def f [n] (xs: [n]f64): f64 = np.average xs";
    "std" => ["stddev"], in "def f [n] (xs: [n]f64): f64 = std xs";
    "stdev" => ["sample_stddev"], in "def f [n] (xs: [n]f64): f64 = statistics.stdev xs";
    "var" => ["variance"], in "def f [n] (xs: [n]f64): f64 = np.var xs";
    "percentile $a $b" => ["quantile ($b / 100) $a"], in "def f [n] (xs: [n]f64): f64 = np.percentile xs 5.0";
    "argmax $a" => ["argmax (<=) $a"], in "def f [n] (xs: [n]i64): i64 = np.argmax xs";
    "argmin $a" => ["argmin (<=) $a"], in "def f [n] (xs: [n]i64): i64 = np.argmin xs";

    // Arrays made of arrays.
    "append $a $b" => ["$a ++ $b", "$a ++ [$b]"], in "def f [n] (xs: [n]f64): [n+1]f64 = append xs 1.0";
    "concatenate $a $b" => ["$a ++ $b"], in "def f [n] (xs: [n]f64): [n+n]f64 = concatenate xs xs";
    "concatenate ( $e , $h )" => ["$(e) ++ $(h)"], in "def f [n] (xs: [n]f64): [n+n]f64 = np.concatenate (xs, xs)";
    "concatenate ( [ $e , $h ] )" => ["$(e) ++ $(h)"], in "def f [n] (xs: [n]f64): [n+n]f64 = np.concatenate([xs, xs])";
    "concatenate ( ( $e , $h ) )" => ["$(e) ++ $(h)"], in "def f [n] (xs: [n]f64): [n+n]f64 = np.concatenate((xs, xs))";
    "hstack ( $e , $h )" => ["$(e) ++ $(h)"], in "def f [n] (xs: [n]f64): [n+n]f64 = np.hstack (xs, xs)";
    "sorted $a" => ["sort (<=) $a"], in "def f [n] (xs: [n]i64): [n]i64 = sorted xs";
    "sort $a" => ["sort (<=) $a"], in "def f [n] (xs: [n]i64): [n]i64 = np.sort xs";
    "argsort $a" => ["order_of (<=) $a"], in "def f [n] (xs: [n]i64): [n]i64 = np.argsort xs";
    "unique $a" => ["unique (==) (sort (<=) $a)"], in "def f [n] (xs: [n]i64): ?[k].[k]i64 = np.unique xs";
    "nub $a" => ["unique (==) (sort (<=) $a)"], in "def f [n] (xs: [n]i64): ?[k].[k]i64 = nub xs";
    "where $a $b $c" => ["pick $a $b $c"], in "def f [n] (xs: [n]i64): [n]i64 = np.where (map (> 0) xs) xs xs";
    "reversed" => ["reverse"], in "def f [n] (xs: [n]i64): [n]i64 = reversed xs";
    "flip $a" => ["reverse $a"], in "def f [n] (xs: [n]i64): [n]i64 = np.flip xs";
    "fliplr" => ["reverse"], in "def f [n] (xs: [n]i64): [n]i64 = fliplr xs";
    "roll $a $b" => ["rotate (-$b) $a"], in "def f [n] (xs: [n]i64): [n]i64 = np.roll xs 2";
    "ravel" => ["flatten"], in "def f [n] [m] (xs: [n][m]i64): [n*m]i64 = np.ravel xs";
    "any $a" => ["or $a"], in "def f [n] (xs: [n]bool): bool = np.any xs";
    "all $a" => ["and $a"], in "def f [n] (xs: [n]bool): bool = np.all xs";
    "elem $a $b" => ["any (== $a) $b"], in "def f [n] (x: i64) (xs: [n]i64): bool = elem x xs";

    // Linear algebra.
    "matmul $a $b" => ["mul $a $b"], in "def f [n] (a: [n][n]f64): [n][n]f64 = np.matmul a a";
    "dot $a $b" => ["dot $a $b", "matvec $a $b", "mul $a $b"], in "def f [n] (a: [n][n]f64) (xs: [n]f64): [n]f64 = np.dot a xs";
    "inv" => ["inverse"], in "def f [n] (a: [n][n]f64): [n][n]f64 = np.linalg.inv a";
    "det" => ["determinant"], in "def f [n] (a: [n][n]f64): f64 = np.linalg.det a";
    "diag" => ["diagonal"], in "def f [n] (a: [n][n]f64): [n]f64 = np.diag a";
    "lstsq" => ["least_squares"], in "def f [n] [m] (a: [n][m]f64) (b: [n]f64): [m]f64 = np.linalg.lstsq a b";

    // Numbers.
    "fmin" => ["f64.min", "f32.min"], in "def f (x: f64) (y: f64): f64 = fmin x y";
    "fmax" => ["f64.max", "f32.max"], in "def f (x: f64) (y: f64): f64 = fmax x y";
    "fabs" => ["f64.abs", "f32.abs"], in "def f (x: f64): f64 = fabs x";
    "absolute" => ["f64.abs", "f32.abs", "i64.abs"], in "def f [n] (xs: [n]f64): [n]f64 = map np.absolute xs";
    "minf" => ["f32.min"], in "def f (x: f32) (y: f32): f32 = minf x y";
    "sqrtf" => ["f32.sqrt"], in "def f (x: f32): f32 = sqrtf x";
    "expf" => ["f32.exp"], in "def f (x: f32): f32 = expf x";
    "logf" => ["f32.log"], in "def f (x: f32): f32 = logf x";
    "sinf" => ["f32.sin"], in "def f (x: f32): f32 = sinf x";
    "cosf" => ["f32.cos"], in "def f (x: f32): f32 = cosf x";
    "fabsf" => ["f32.abs"], in "def f (x: f32): f32 = fabsf x";
    "fminf" => ["f32.min"], in "def f (x: f32): f32 = fminf x x";
    "fmaxf" => ["f32.max"], in "def f (x: f32): f32 = fmaxf x x";
    "ln" => ["f64.log", "f32.log"], in "def f (x: f64): f64 = ln x";
    "sign" => ["f64.sgn", "i64.sgn", "f32.sgn", "i32.sgn"], in "def f (x: i64): i64 = np.sign x";
    "pow $a $b" => ["$a ** $b"], in "def f (x: f64): f64 = pow(x)(2)";
    "pow ( $e , $h )" => ["$(e) ** $(h)"], in "def f (x: f64): f64 = pow(x, 2)";
    "power $a $b" => ["$a ** $b"], in "def f (x: f64): f64 = np.power x 2";
    "mod $a $b" => ["$a %% $b", "$a % $b"], in "def f (x: i64): i64 = mod x 2";
    "fmod $a $b" => ["$a % $b"], in "def f (x: f64): f64 = fmod x 2.0";
    "M_PI" => ["f64.pi", "f32.pi"], in "def f (x: f64): f64 = M_PI * x";
    "INFINITY" => ["f64.inf", "f32.inf"], in "def f (x: f64): f64 = x + INFINITY";
    "Infinity" => ["f64.inf", "f32.inf"], in "def f (x: f64): f64 = x + Infinity";
    "NAN" => ["f64.nan", "f32.nan"], in "def f (x: f64): f64 = x + NAN";
    "NaN" => ["f64.nan", "f32.nan"], in "def f (x: f64): f64 = x + NaN";
    "DBL_MAX" => ["f64.highest"], in "def f (x: f64): f64 = f64.min x DBL_MAX";
    "INT_MAX" => ["i32.highest"], in "def f (x: i32): i32 = i32.min x INT_MAX";
    "clip $a $b $c" => ["f64.max $b (f64.min $c $a)", "i64.max $b (i64.min $c $a)", "f32.max $b (f32.min $c $a)"],
        in "def f (x: i64): i64 = clip x 0 9";

    // Tuples.
    "fst $a" => ["$a.0"], in "def f (p: (i64, f64)): i64 = fst p";
    "snd $a" => ["$a.1"], in "def f (p: (i64, f64)): f64 = snd p";

    // Modules.
    "$o . $x" => ["$x"], says "`$x` needs no module before it", in "def f [n] (xs: [n]f64): f64 = np.sum xs";
    "$o . $x" => ["f64.$x", "f32.$x", "i64.$x", "i32.$x"], says "each type of numbers has its own `$x`",
        in "def f (x: f64): f64 = Math.sqrt x";
    "$o . $x" => [], says "Arr has no `$o.$x`", help "arrays and numbers have functions of their own here, such as `sum xs` and `f64.sqrt x`",
        in "def f [n] (xs: [n]f64): f64 = np.frombuffer xs";
    "print" => [], says "a program gives results, and prints nothing", help "`arrc run` prints what an entry gives",
        in "def f (x: i64): i64 = print x";
    "println" => [], says "a program gives results, and prints nothing", help "`arrc run` prints what an entry gives",
        in "def f (x: i64): i64 = println(x)";
    "printf" => [], says "a program gives results, and prints nothing", help "`arrc run` prints what an entry gives",
        in "def f (x: i64): i64 = printf x";
}
