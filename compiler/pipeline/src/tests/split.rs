//! Loops in ranges give the same results as before, whatever numbers decide their conditions; `tests/passes` shows the
//! ranges.

use crate as pipeline;
use crate::Options;
use arrc_front::load::NoFiles;
use arrc_fusion::eval;
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::testing::ints;
use arrc_loops::concrete::eval as nests;
use arrc_syntax::prim::Const;
use arrc_syntax::source::Sources;

#[test]
fn what_is_the_same_in_all_steps_may_be_any_number() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if i < n - 1 then (if i + k >= 0 && i + k < n then xs[i + k] else i - k + l) else xs[l - i])";
    gives_the_same(text);
}

#[test]
fn narrow_sums_that_wrap_are_not_in_the_range() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        let (m, a, b) = (i32.i64 n, i32.i64 k, i32.i64 l) in
        tabulate n (\\i -> let j = i32.i64 i in
            if j + a >= 0 && j + a < m then xs[i64.i32 (j + a)] + i64.i32 (b - j) else i64.i32 (j + b - a))";
    gives_the_same(text);
}

#[test]
fn products_before_the_loop_may_be_any_number() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        let (a, b) = (i32.i64 k, i32.i64 l) in
        tabulate n (\\i -> let j = i32.i64 i in
            if k * l + i < n && k * l + i >= 0 then xs[k * l + i] + i64.i32 (a * b + j)
            else if a * b + j < 2 && a * b + j >= 0 then xs[i64.i32 (a * b + j) % i64.max 1 n] else -1)";
    gives_the_same(text);
}

#[test]
fn multiples_and_quotients_may_be_of_any_numbers() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> let (j, m) = (3 * i + k, (i - l) / 2) in
            (if 0 <= j && j < n then xs[j] else k) + (if 0 <= m && m < n then xs[m] else l)
            + (if i > 0 && k >= -2 && k <= 0 && l >= 0 && 2 * i < n then xs[2 * i + k] else 0))";
    gives_the_same(text);
    gives_the_same(
        "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> xs[(k - i) / 3] + l)",
    );
    gives_the_same(
        "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> xs[l - 4 * i] * k)",
    );
}

#[test]
fn ranges_that_parameters_part_are_in_order() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if i < k then xs[i] else if i + l >= k then (if i <= l then i - k else l - i) else xs[n - 1 - i])";
    gives_the_same(text);
}

#[test]
fn boxes_may_have_any_bounds() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> (if k <= i && i < l then xs[i] else if l - 2 <= i && i < k + 2 then -1 else 7)
            + (if l <= i && i <= k then 100 else 0))";
    gives_the_same(text);
}

#[test]
fn a_loop_of_too_many_paths_is_parted_where_one_outcome_is_likely() {
    let tests: Vec<String> = (1..12).map(|by| format!("if i < k * {by} then {by} else ")).collect();
    let text = format!(
        "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if i == 0 then l else {}xs[i - 1])",
        tests.concat()
    );
    gives_the_same(&text);
}

#[test]
fn ways_know_remainders_whatever_is_added_to_the_counter() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if (i + k) % 3 == 0 then xs[i]
            else if (i + k + 7) % 3 == 2 && i < l then (i + k + 1) % 3 * 10
            else if (i - l) % 3 == 1 then (i + 5) % 4 else (k - i) % 3)";
    gives_the_same(text);
}

#[test]
fn turns_may_have_any_length() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if i > 0 && l > 0 && (i + k) % l < 2 then xs[i - 1]
            else if i < n - 1 && l > 0 && (i + k) % l == 3 then i * 7 else i - k)";
    gives_the_same(text);
}

#[test]
fn what_the_range_around_implies_may_be_any_number() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if i + k > 0 && i + k < n then
            i64.sum (tabulate n (\\j -> if j > 0 && j + l < n && j + l >= 0 && i < n - 1
                then xs[i + k - 1] + xs[j + l] * xs[i + 1] + xs[j - 1] else i - j))
            else l)";
    gives_the_same(text);
}

#[test]
fn variants_of_long_periods_decide_comparisons_of_several_grids() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> if (i + k) % 10 >= 8 then xs[i]
            else if 3 > (i + k + 7) % 10 && i < l then i * 10
            else if (i - l) % 10 != 1 then (i + 5) % 4 else (k - i) % 30)";
    gives_the_same(text);
}

#[test]
fn narrow_sums_of_the_range_around_may_wrap() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        let (m, a, b) = (i32.i64 n, i32.i64 k, i32.i64 l - 1) in
        let at (j: i32) = xs[i64.i32 j] in
        tabulate n (\\i -> let i = i32.i64 i in
            if i + a >= 0 && i + a < m - 1 then
                i64.sum (tabulate n (\\j -> let j = i32.i64 j in
                    if j > 0 && j + b < m && j + b >= 0
                    then at (i + a) + at (j + b) * at (i + a + 1) + at (j - 1) else i64.i32 (i - j + b)))
            else i64.i32 (i - b))";
    gives_the_same(text);
}

#[test]
fn rows_and_columns_may_be_rotated_by_any_number() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        let (p, q) = (if n == 0 then 0 else k % n, if n == 0 then 0 else l % n) in
        let turned (i: i64) (by: i64) = if i < n - by then i + by else i + by - n in
        tabulate n (\\i -> i64.sum (tabulate n (\\j ->
            xs[turned i p] * 3 + xs[turned j q] * 5 + xs[turned i q] + xs[turned j p] * i)))";
    gives_the_same(text);
}

#[test]
fn rows_at_edges_may_read_any_row() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> i64.sum (tabulate n (\\j ->
            let row = if i > 0 && i < n - 1 then i - 1 else if l > 1 then l - 1 - i else i + k
            let column = if j > 0 && j < n - 1 then j + 1 else 0
            in xs[row] * 3 + xs[column] * (i + 2))))";
    gives_the_same(text);
}

#[test]
fn rows_at_edges_may_fail_to_choose_a_row() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> i64.sum (tabulate (n - 1) (\\j ->
            let row = if i > 0 && i < n - 1 then i - 1 else k % l
            let other = if i > 0 then i - 1 else l / k
            let column = if j > 0 then j else 0
            in xs[row] * 3 + xs[column] * xs[other])))";
    gives_the_same(text);
}

#[test]
fn rows_at_edges_may_lie_outside() {
    let text = "entry f [n] (xs: [n]i64) (k: i64) (l: i64) =
        tabulate n (\\i -> i64.sum (tabulate n (\\j ->
            let is_inner = i > 0 && i < n - 1
            let above = if is_inner || (i + k > 0 && i + k <= n) then xs[i + (if is_inner then 0 else k) - 1] else l
            let beside = if j > 0 && j < n - 1 then (if is_inner || i > l then xs[j + 1] * xs[i - 1] else k) else j
            in above * 3 + beside)))";
    gives_the_same(text);
}

#[test]
fn positions_that_steps_imply_are_in_bounds_with_any_numbers() {
    let bodies = [
        "let m = i64.max k 0 let q = m / 2 in
         tabulate n (\\i -> if q <= i && i < n - m then xs[i - q] + xs[i + q] else l)",
        "tabulate n (\\i -> loop s = l for j < i do s + xs[i - 1 - j] * k)",
        "let m = i64.max k 0 in tabulate n (\\i ->
            if m <= i && i < n - m then (loop s = 0 for j < m do s + xs[i + j - m / 2]) else l)",
        "let m = i64.max 0 k in
         if m <= n then i64.sum (tabulate (n - m) (\\i -> xs[i + m] + xs[n - 1 - i] + l)) else l",
        "let m = i64.min n k in i64.sum (tabulate (i64.max 0 m) (\\i -> xs[i] + l))",
    ];
    for body in bodies {
        gives_with(&format!("entry f [n] (xs: [n]i64) (k: i64) (l: i64) = {body}"), "inside xs");
    }
}

/// Runs an entry with numbers near 0 and near the ends of the types. Its loops have ranges.
fn gives_the_same(text: &str) {
    gives_with(text, "range from");
}

/// Runs an entry with numbers near 0 and near the ends of the types. Its form contains some text.
fn gives_with(text: &str, shown: &str) {
    let mut sources = Sources::default();
    let file = sources.add("stencil.arr", text);
    let meaning = pipeline::normal_form(&mut sources, file, &NoFiles).expect("no errors");
    let function = meaning.entries[0].function;
    let (nests, _) = pipeline::nests(meaning.clone(), &Options::default());
    let program = pipeline::complete(nests);
    assert!(program.to_string().contains(shown), "{program}");
    let far = [
        i64::MIN,
        i64::MIN + 1,
        -(1 << 62),
        -(1 << 60) - 1,
        i32::MIN.into(),
        i64::from(i32::MIN) - 1,
        -3,
        -1,
        0,
        1,
        2,
        5,
        i64::from(i32::MAX) - 1,
        i32::MAX.into(),
        1 << 61,
        i64::MAX - 1,
        i64::MAX,
    ];
    for count in [0, 1, 2, 5] {
        let elements = ints(&(0..count).map(|at| at * 7 % 11 - 3).collect::<Vec<_>>());
        for (k, l) in far.iter().flat_map(|&k| far.iter().map(move |&l| (k, l))) {
            let [k, l] = [k, l].map(|number| Value::Scalar(Const::i64(number)));
            let args = [elements.clone(), k, l].to_vec();
            let meant = eval::cnf::run(&meaning, function, args.clone());
            let found = nests::run(&program, function, args.clone());
            assert_eq!(found, meant, "{args:?}");
        }
    }
}
