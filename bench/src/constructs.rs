//! Programs with very many of one construct, in three numbers that double.
//!
//! Invariant: twice the number is twice the work, so a time that grows by more is out of proportion.
//!
//! ```text
//! entry chosen (x: i64) (y: i64): i64 = if x < 0 then y * 2 else if y < 3 then x * 3 else … x
//! ```

/// A construct that programs have many of.
pub(crate) struct Construct {
    pub(crate) name: &'static str,
    /// The command of arrc whose time is measured: `build`, or `check`, where LLVM would take most of the time.
    pub(crate) command: &'static str,
    pub(crate) counts: [usize; 3],
    /// Makes a program with the given number of constructs.
    pub(crate) program: fn(usize) -> String,
}

/// A construct whose programs are checked.
const fn checked(
    name: &'static str,
    counts: [usize; 3],
    program: fn(usize) -> String,
) -> Construct {
    Construct { name, command: "check", counts, program }
}

/// A construct whose programs are built.
const fn built(name: &'static str, counts: [usize; 3], program: fn(usize) -> String) -> Construct {
    Construct { name, command: "build", counts, program }
}

/// The constructs.
pub(crate) const CONSTRUCTS: [Construct; 44] = [
    built("elements of an array literal", [10_000, 20_000, 40_000], elements),
    built("pairs of `map` and `reduce`", [500, 1_000, 2_000], one_pass),
    built("pairs, each of another size", [500, 1_000, 2_000], sizes),
    built("pairs, each after the other", [500, 1_000, 2_000], chain),
    built("sums whose product is a size", [5, 10, 20], sums),
    built("bytes of a text", [1 << 20, 1 << 21, 1 << 22], bytes),
    built("definitions, each calling the one before", [1_000, 2_000, 4_000], definitions),
    built("functions, each used once", [500, 1_000, 2_000], functions),
    built("uses of a function with 20 loops", [25, 50, 100], uses),
    built("entries", [125, 250, 500], entries),
    built("arrays that an entry takes", [63, 125, 250], parameters),
    built("arrays that an entry gives", [63, 125, 250], results),
    checked("`else if` by `==`", [250, 500, 1_000], |n| chosen(n, |at| format!("x == {}", at * 3))),
    checked("`else if` by `<` of three numbers", [125, 250, 500], |n| chosen(n, below)),
    checked("`else if` by `==`, in a `map`", [250, 500, 1_000], |n| {
        chosen_in_map(n, |at| format!("x == {}", at * 3))
    }),
    checked("`else if` by `<`, in a `map`", [125, 250, 500], |n| {
        chosen_in_map(n, |at| format!("x * {at} < {}", at * 3))
    }),
    checked("`else if` between arrays", [125, 250, 500], chosen_arrays),
    built("`if`s, each after the other", [500, 1_000, 2_000], ifs),
    checked("cases with constants", [1_000, 2_000, 4_000], |n| cases(n, |at| at.to_string())),
    checked("cases with computed values", [1_000, 2_000, 4_000], |n| {
        cases(n, |at| format!("y * {at} + x"))
    }),
    built("cases with computed values, built", [500, 1_000, 2_000], |n| {
        cases(n, |at| format!("y * {at} + x"))
    }),
    checked("cases of pairs", [250, 500, 1_000], pairs_of_numbers),
    checked("constructors", [125, 250, 500], constructors),
    built("filters in a chain", [75, 150, 300], filters),
    built("filters of one array", [25, 50, 100], filtered),
    built("`map`s in a chain", [100, 200, 400], maps),
    built("`zip`s in a chain", [50, 100, 200], zips),
    built("scans in a chain", [25, 50, 100], scans),
    built("`flatmap`s in a chain", [2, 4, 8], flatmaps),
    built("sorts in a chain", [5, 10, 20], sorts),
    built("products of matrices in a chain", [10, 20, 40], products),
    built("stencils in a chain", [10, 20, 40], stencils),
    built("dimensions of a with-loop with steps", [2, 4, 8], dimensions),
    built("generators of a with-loop", [16, 32, 64], generators),
    built("`map`s in each other", [5, 10, 20], nested),
    built("loops in each other", [5, 10, 20], loops),
    built("bindings of numbers", [500, 1_000, 2_000], numbers),
    built("fields of a record", [100, 200, 400], fields),
    built("elements that are replaced", [100, 200, 400], replaced),
    checked("`x ++ x` in a chain", [9, 18, 36], doubled),
    built("`x ++ x` in a chain, around another array", [10, 20, 40], doubled_around),
    built("`x ++ y` in a chain, the array before", [9, 18, 36], added_to_the_one_before),
    checked("appends of one array in a chain", [50, 100, 200], appended),
    checked("arrays in one append", [50, 100, 200], joined),
];

/// Joins the texts of `count` items.
fn list(count: usize, each: impl Fn(usize) -> String, between: &str) -> String {
    (0..count).map(each).collect::<Vec<_>>().join(between)
}

/// An entry whose `let`s are made for each number, and that gives the last variable.
fn lets(head: &str, first: &str, count: usize, each: impl Fn(usize) -> String) -> String {
    let lets = list(count, |at| format!("  let x{} = {}\n", at + 1, each(at)), "");
    format!("entry last {head} =\n  let x0 = {first}\n{lets}  in x{count}\n")
}

fn elements(count: usize) -> String {
    format!("entry table: []i64 = [{}]\n", list(count, |at| at.to_string(), ", "))
}

/// An array and its sum, to which something may be added. Each sum has a name: one expression with all of them would be
/// too deep.
fn pairs(count: usize, head: &str, pair: impl Fn(usize) -> (String, String)) -> String {
    let pairs = list(
        count,
        |at| {
            let (array, added_to) = pair(at);
            format!("  let ys{at} = {array}\n  let t{} = {added_to}reduce (+) 0 ys{at}\n", at + 1)
        },
        "",
    );
    format!("entry pairs {head}: i64 =\n  let t0 = 0\n{pairs}  in t{count}\n")
}

fn one_pass(count: usize) -> String {
    pairs(count, "[n] (xs: [n]i64)", |at| {
        (format!("map (\\x -> x * {at} + 1) xs"), format!("t{at} + "))
    })
}

/// Each pair is a pass.
fn sizes(count: usize) -> String {
    pairs(count, "(ns: []i64)", |at| {
        (format!("map (\\x -> x * {at} + 1) (iota ns[{at}])"), format!("t{at} + "))
    })
}

/// Each pair uses the sum of the pair before it.
fn chain(count: usize) -> String {
    pairs(count, "[n] (xs: [n]i64)", |at| {
        (format!("map (\\x -> x * t{at} + {at}) xs"), String::new())
    })
}

/// More than eight are an error.
fn sums(count: usize) -> String {
    let names = list(count, |at| format!("[a{at}] [b{at}]"), " ");
    let params = list(count, |at| format!("(x{at}: [a{at}]i64) (y{at}: [b{at}]i64)"), " ");
    let size = list(count, |at| format!("(a{at} + b{at})"), " * ");
    format!("entry sums {names} {params} (zs: [{size}]i64): i64 = i64.sum zs\n")
}

fn bytes(count: usize) -> String {
    format!("entry text: []u8 = \"{}\"\n", "a".repeat(count))
}

fn definitions(count: usize) -> String {
    let def = |at: usize| format!("def f{} (x: i32): i32 = f{at} x + {at}\n", at + 1);
    let defs = list(count, def, "");
    format!("def f0 (x: i32): i32 = x\n{defs}entry last (x: i32): i32 = f{count} x\n")
}

fn functions(count: usize) -> String {
    let def = |at| format!("def f{at} (x: i64): i64 = if x > {at} then x * {at} else x - {at}\n");
    let uses = lets("(x: i64): i64", "x", count, |at| format!("f{at} x{at}"));
    list(count, def, "") + &uses
}

fn uses(count: usize) -> String {
    let sums = list(20, |at| format!("  let t{at} = f64.sum (map (\\x -> x * {at} + k) xs)\n"), "");
    let all = list(20, |at| format!("t{at}"), " + ");
    let uses = lets("(xs: []f64): f64", "0", count, |at| format!("x{at} + big xs {at}.5"));
    format!("def big [n] (xs: [n]f64) (k: f64): f64 =\n{sums}  in {all}\n{uses}")
}

fn entries(count: usize) -> String {
    let entry = |at| format!("entry f{at} (xs: []i64): i64 = reduce (+) 0 (map (* {at}) xs)\n");
    list(count, entry, "")
}

fn parameters(count: usize) -> String {
    let params = list(count, |at| format!("(p{at}: [n]i32)"), " ");
    let head = format!("[n] {params}: [n]i32");
    lets(&head, "replicate n 0", count, |at| format!("map2 (+) x{at} p{at}"))
}

fn results(count: usize) -> String {
    let results = list(count, |at| format!("map (+ {at}) xs"), ", ");
    format!("entry all [n] (xs: [n]i32) = ({results})\n")
}

/// A number of three is below a constant.
fn below(at: usize) -> String {
    format!("{} < {}", ["x", "y", "z"][at % 3], at * 3)
}

/// A chain of conditions on numbers.
fn choices(count: usize, condition: impl Fn(usize) -> String) -> String {
    list(count, |at| format!("if {} then y * {} else ", condition(at), at + 2), "") + "x"
}

fn chosen(count: usize, condition: impl Fn(usize) -> String) -> String {
    format!("entry chosen (x: i64) (y: i64) (z: i64): i64 =\n  {}\n", choices(count, condition))
}

fn chosen_in_map(count: usize, condition: impl Fn(usize) -> String) -> String {
    let choices = choices(count, condition);
    format!("entry chosen (xs: []i64) (y: i64): []i64 =\n  map (\\x -> {choices}) xs\n")
}

fn chosen_arrays(count: usize) -> String {
    let choice = |at| format!("if y * {at} % 1007 < {at} then map (+ {at}) xs else ");
    let choices = list(count, choice, "");
    format!("entry chosen [n] (xs: [n]i64) (y: i64): [n]i64 =\n  {choices}xs\n")
}

fn ifs(count: usize) -> String {
    lets("(x: i64) (y: i64): i64", "x", count, |at| {
        format!("if x{at} < {} then x{at} * y else y - x{at}", at * 10)
    })
}

fn cases(count: usize, value: impl Fn(usize) -> String) -> String {
    let case = |at: usize| format!("  case {at} -> {}\n", value(at * 7919 % 1000));
    let cases = list(count, case, "");
    format!("entry chosen (x: i64) (y: i64): i64 =\n  match x\n{cases}  case _ -> -1\n")
}

fn pairs_of_numbers(count: usize) -> String {
    let case = |at| format!("  case ({}, {at}) -> y * {at} + x\n", at * 7 % 50);
    let cases = list(count, case, "");
    format!("entry chosen (x: i64) (y: i64): i64 =\n  match (x, y)\n{cases}  case _ -> -1\n")
}

fn constructors(count: usize) -> String {
    let constructors = list(count, |at| format!("#c{at} i64"), " | ");
    let made = list(count, |at| format!("  case {at} -> #c{at} (x + {at})\n"), "");
    let taken = list(count, |at| format!("  case #c{at} v -> v * {at}\n"), "");
    format!(
        "type t = {constructors}\ndef make (x: i64): t =\n  match x\n{made}  case _ -> #c0 x\n\
        entry chosen (x: i64): i64 =\n  match make x\n{taken}"
    )
}

fn filters(count: usize) -> String {
    let filter = |at| format!("\n  |> filter (\\x -> x % {} != {})", at + 2, at + 1);
    format!("entry sum (xs: []i64): i64 =\n  xs{}\n  |> i64.sum\n", list(count, filter, ""))
}

fn filtered(count: usize) -> String {
    lets("(xs: []i64): i64", "0", count, |at| {
        format!("x{at} + i64.sum (filter (\\x -> x % {} > 0) xs)", at + 2)
    })
}

/// An array that goes through many steps.
fn steps(count: usize, head: &str, step: impl Fn(usize) -> String) -> String {
    format!("entry last {head} =\n  xs{}\n", list(count, |at| format!("\n  |> {}", step(at)), ""))
}

fn maps(count: usize) -> String {
    steps(count, "[n] (xs: [n]i64): [n]i64", |at| format!("map (\\x -> x * {} + 1)", at + 2))
}

fn zips(count: usize) -> String {
    steps(count, "[n] (xs: [n]i64) (ys: [n]i64): [n]i64", |at| {
        format!("(\\zs -> zip zs ys) |> map (\\(a, b) -> a * b + {at})")
    })
}

fn scans(count: usize) -> String {
    steps(count, "[n] (xs: [n]i64): [n]i64", |at| {
        format!("scan (+) 0 |> map (\\x -> x * {} + 1)", at + 2)
    })
}

fn flatmaps(count: usize) -> String {
    steps(count, "(xs: []i64): []i64", |at| {
        format!("flatmap (\\x -> map (+ x) (iota (i64.max 0 (x % {}))))", at + 2)
    })
}

fn sorts(count: usize) -> String {
    steps(count, "[n] (xs: [n]i64): [n]i64", |at| {
        format!("map (\\x -> x * {} % 1001) |> sort (<=)", at + 3)
    })
}

fn products(count: usize) -> String {
    lets("[n] (a: [n][n]f64) (b: [n][n]f64): [n][n]f64", "a", count, |at| {
        format!(
            "map (\\row -> map (\\column -> f64.sum (map2 (*) row column)) (transpose b)) x{at}"
        )
    })
}

fn stencils(count: usize) -> String {
    lets("[n] [m] (a: [n][m]f64): [n][m]f64", "a", count, |at| {
        let sum = format!("x{at}[iv - [1, 0]] + x{at}[iv + [1, 0]]");
        format!("with {{ (. < iv < .) : ({sum}) / {} }} : modarray x{at}", at + 4)
    })
}

fn dimensions(count: usize) -> String {
    let sizes = list(count, |at| format!("[n{at}]"), "");
    let indices = list(count, |at| format!("i{at}"), ", ");
    let steps = list(count, |at| (at % 3 + 2).to_string(), ", ");
    let params = list(count, |at| format!("[n{at}]"), " ");
    format!(
        "entry steps {params} (xs: {sizes}f64): {sizes}f64 =\n  with {{ (. <= [{indices}] <= . step \
        [{steps}]) : xs[{indices}] * 2 }} : modarray xs\n"
    )
}

fn generators(count: usize) -> String {
    let generator = |at| format!("([{}] <= [i] < [{}]) : i * {}", at * 100, at * 100 + 50, at + 2);
    let generators = list(count, generator, ";\n    ");
    format!(
        "entry parts (n: i64): []i64 =\n  with {{ {generators} }} : genarray ([{} + i64.max n 0], 0)\n",
        count * 100
    )
}

fn nested(count: usize) -> String {
    let maps = list(count, |at| format!("i64.sum (map (\\x{at} -> "), "");
    let sum = list(count, |at| format!("x{at}"), " + ");
    format!("entry nested [n] (xs: [n]i64): i64 =\n  {maps}{sum}{}\n", ") xs)".repeat(count))
}

fn loops(count: usize) -> String {
    let init = |at: usize| at.checked_sub(1).map_or("0".into(), |around| format!("a{around}"));
    let loops = list(count, |at| format!("loop a{at} = {} for x{at} < n do ", init(at)), "");
    let product = list(count, |at| format!("x{at}"), " * ");
    format!("entry nested (n: i64): i64 =\n  {loops}a{} + {product}\n", count - 1)
}

fn numbers(count: usize) -> String {
    lets("(x: i64): i64", "x", count, |at| format!("x{at} * {} + x0 * x{}", at + 3, at / 2))
}

fn fields(count: usize) -> String {
    let types = list(count, |at| format!("a{at}: i64"), ", ");
    let values = list(count, |at| format!("a{at} = x + {at}"), ", ");
    let sums = lets("(x: i64): i64", "x", count, |at| format!("x{at} + y * (make x).a{at}"));
    let sums = sums.replace("(x: i64)", "(x: i64) (y: i64)").replace("(make x)", "r");
    let sums = sums.replacen("=\n", "=\n  let r = make x\n", 1);
    format!("type r = {{{types}}}\ndef make (x: i64): r = {{{values}}}\n{sums}")
}

fn replaced(count: usize) -> String {
    lets("(xs: *[]i64) (y: i64): []i64", "xs", count, |at| {
        format!("x{at} with [{}] = y + {at}", at * 3)
    })
}

fn doubled(count: usize) -> String {
    lets("(xs: []i64): []i64", "xs", count, |at| format!("x{at} ++ x{at}"))
}

/// The sizes share their parts: the whole text of the last one would have as many terms as a number of Fibonacci.
fn added_to_the_one_before(count: usize) -> String {
    let chain = list(count, |_| "  let (x, y) = (x ++ y, x)\n".into(), "");
    format!(
        "entry sum (xs: []i64) (ys: []i64): i64 =\n  let x = map (+ 1) xs\n  let y = map (+ 2) ys\n{chain}\
         \x20 let b = map (* i64.sum xs) x\n  in i64.sum b + length y\n"
    )
}

fn doubled_around(count: usize) -> String {
    let chain = list(count, |_| "  let x = x ++ x\n".into(), "");
    let [part, around] = ["  let b = map (* i64.sum xs) x\n", "b ++ ys ++ map (+ 1) b"];
    format!(
        "entry last (xs: []i64) (ys: []i64): []i64 =\n  let x = xs\n{chain}{part}  in {around}\n"
    )
}

fn appended(count: usize) -> String {
    lets("(xs: []i64) (ys: []i64): []i64", "xs", count, |at| format!("x{at} ++ map (+ {at}) ys"))
}

fn joined(count: usize) -> String {
    let params = list(count, |at| format!("(x{at}: []i64)"), " ");
    format!("entry joined {params}: []i64 =\n  {}\n", list(count, |at| format!("x{at}"), " ++ "))
}
