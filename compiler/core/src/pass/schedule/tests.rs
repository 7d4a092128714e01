//! What processes become: the figures of paper 002, and the blocks inside blocks.

use proptest::collection;
use proptest::prelude::*;

use crate::eval::cnf::Value;
use crate::ids::{EntityRef, FuncId};
use crate::ir::clusters::Strategy;
use crate::ir::cnf::{Atom, Callee, Op, Type};
use crate::ir::effect::Effect;
use crate::pass::testing::{Builder, Forms, forms, forms_by, function, int, ints};
use crate::prim::BinOp::{Add, Gt, Max, Mul};
use crate::prim::{Const, Scalar};

fn filter_max() -> Forms {
    let mut b = Builder::new();
    let vec1 = b.input("vec1");
    let plus = b.section(Add, 1);
    let vec2 = b.map("vec2", plus, &[vec1]);
    let positive = b.section(Gt, 0);
    let vec3 = b.filter("vec3", positive, vec2);
    let mx = b.reduce("mx", Max, int(0), vec3);
    forms(b.function("filter_max", &[vec3, mx]), &[&["vec2", "vec3", "mx"]])
}

#[test]
fn paper_002_figure_8_abstract_procedure_of_filter_max() {
    let text = filter_max().procedure;
    let (_, procedure) = text.split_once("\n\n").expect("the block has a procedure");
    assert_eq!(
        procedure,
        "\
procedure filter_max_1 (k1 : &) (s1 : Series k1 i64)
with loop k1
  start { vec3 = newVec k2
        ; mx_acc = newAcc 0 }
  body { s1_elem = next k1 s1
       ; s2_elem = (+ 1) s1_elem
       ; s3_elem = (> 0) s2_elem }
  inner guard (k2 : &) with k1 s3_elem
    body { s4_elem = s2_elem
         ; writeVec k2 vec3 s4_elem
         ; mx_acc := max mx_acc s4_elem }
  end { sliceVec k2 vec3
      ; mx = read mx_acc }
yields (vec3, mx)
"
    );
}

#[test]
fn paper_002_figure_9_concrete_procedure_of_filter_max() {
    assert_eq!(
        filter_max().program.to_string(),
        "\
function filter_max (vec1 : [n_vec1]i64) : ([k_vec3]i64, i64)
= { procedure filter_max_1
    with loopI (k1_ix : i64) (length vec1)
      start { vec3 = newVecI (length vec1)
            ; mx_acc = newAcc 0
            ; k2_acc = newAcc 0 }
      body { s1_elem = nextI k1_ix vec1
           ; s2_elem = (+ 1) s1_elem
           ; s3_elem = (> 0) s2_elem }
      inner guardI (k2_ix : i64) k2_acc with s3_elem
        body { s4_elem = s2_elem
             ; writeVecI k2_ix vec3 s4_elem
             ; mx_acc := max mx_acc s4_elem }
      end { sliceVecI k2_acc vec3
          ; mx = read mx_acc }
    yields (vec3, mx)
  ; yield (vec3, mx) }
"
    );
}

#[test]
fn guards_are_nested_as_selectors_are() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let positive = b.section(Gt, 0);
    let ys = b.filter("ys", positive, xs);
    let large = b.section(Gt, 10);
    let zs = b.filter("zs", large, ys);
    let f = forms(b.function("nested_filter", &[ys, zs]), &[&["ys", "zs"]]);
    let guards = "      \
      inner guardI (k2_ix : i64) k2_acc with s2_elem
        body { s3_elem = s1_elem
             ; writeVecI k2_ix ys s3_elem
             ; s4_elem = (> 10) s3_elem }
        inner guardI (k3_ix : i64) k3_acc with s4_elem
          body { s5_elem = s3_elem
               ; writeVecI k3_ix zs s5_elem }
      end { sliceVecI k2_acc ys
          ; sliceVecI k3_acc zs }
";
    let text = f.program.to_string();
    assert!(text.contains(guards), "{text}");
}

#[test]
fn the_loop_of_a_cross_is_inside_that_of_its_left_side() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let [l, r] = b.cross(["l", "r"], xs, ys);
    let times = b.operator(Mul);
    let p = b.map("p", times, &[l, r]);
    let f = forms(b.function("outer", &[p]), &[&["l", "p"]]);
    assert_eq!(
        f.program.to_string(),
        "\
function outer (xs : [n_xs]i64) (ys : [n_ys]i64) : [n_l]i64
= { procedure outer_1
    with loopI (k1_ix : i64) (length xs)
      start { p = newVecI (length xs * length ys) }
      body { s1_elem = nextI k1_ix xs }
      inner loopI (k2_ix : i64) (length ys)
        body { s3_elem = nextI k2_ix ys
             ; s2_elem = s1_elem
             ; s4_elem = s3_elem
             ; s5_elem = (*) s2_elem s4_elem
             ; writeVecI (k1_ix * length ys + k2_ix) p s5_elem }
      end { sliceVecI (length xs * length ys) p }
    yields (p)
  ; yield (p) }
"
    );
    f.runs(&[&[1, 2], &[3, 4, 5]]);
}

#[test]
fn the_passes_of_a_worker_are_inside_it() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ys = b.input("ys");
    let distance = b.worker(&[("x", Scalar::I64)], |b, x| {
        let times = b.worker(&[("y", Scalar::I64)], |b, y| {
            vec![b.bin("p", Mul, Atom::Var(x[0]), Atom::Var(y[0]))]
        });
        let products = b.map("products", times, &[ys]);
        let s = b.reduce("s", Add, int(0), products);
        vec![Atom::Var(s)]
    });
    let zs = b.map("zs", distance, &[xs]);
    let f = forms(b.function("nested", &[zs]), &[]);
    let text = f.program.to_string();
    assert_eq!(text.matches("release products").count(), 1, "{text}");
    assert!(text.contains("procedure nested.zs_1"), "{text}");
    f.runs(&[&[1, 2], &[3, 4, 5]]);
    f.runs(&[&[1, 2], &[]]);
}

#[test]
fn branches_are_blocks() {
    let mut b = Builder::new();
    let xs = b.input("xs");
    let ty = b.vars[xs].ty.clone();
    let s = b.reduce("s", Add, int(0), xs);
    let cond = b.bin("c", Gt, Atom::Var(s), int(3));
    let then = b.block(|b| {
        let plus = b.section(Add, 1);
        let more = b.map("more", plus, &[xs]);
        vec![Atom::Var(more), Atom::Var(s)]
    });
    let otherwise = b.block(|_| vec![Atom::Var(xs), int(7)]);
    let results = [b.var("zs", ty), b.var("t", Type::Scalar(Scalar::I64))];
    b.bind(results.to_vec(), Op::If { cond, then, otherwise });
    let f = forms(b.function("either", &results), &[]);
    let text = f.program.to_string();
    let branches = "
  ; zs t = if c
      then { procedure either.then_1
             with loopI (k1_ix : i64) (length xs)
               start { more = newVecI (length xs) }
               body { s1_elem = nextI k1_ix xs
                    ; s2_elem = (+ 1) s1_elem
                    ; writeVecI k1_ix more s2_elem }
               end { sliceVecI (length xs) more }
             yields (more)
           ; yield (more, s) }
      else { xs.2 = share xs; yield (xs.2, 7) }
  ; yield (zs, t) }
";
    assert!(text.ends_with(branches), "{text}");
    f.runs(&[&[1, 2]]);
    f.runs(&[&[1, 2, 3]]);
}

#[test]
fn names_that_are_taken_get_a_number() {
    let mut b = Builder::new();
    let xs = b.input("x");
    let plus = b.section(Add, 1);
    let more = b.map("x", plus, &[xs]);
    let f = forms(b.function("f", &[more]), &[]);
    assert!(f.process.starts_with("f = { x.2 = runSeries x f_1\n"), "{}", f.process);
}

#[test]
fn a_recursive_call_is_a_step() {
    let mut b = Builder::new();
    let n = b.scalar("n", Scalar::I64);
    let xs = b.input("xs");
    let ty = b.vars[xs].ty.clone();
    let cond = b.bin("c", Gt, Atom::Var(n), int(0));
    let then = b.block(|b| {
        let less = b.bin("less", Add, Atom::Var(n), int(-1));
        let double = b.section(Mul, 2);
        let ys = b.map("ys", double, &[xs]);
        let zs = b.var("zs", ty.clone());
        let args = vec![less, Atom::Var(ys)];
        b.bind(
            vec![zs],
            Op::Call { callee: Callee::Function(FuncId::new(0)), args, effect: Effect::Pure },
        );
        vec![Atom::Var(zs)]
    });
    let otherwise = b.block(|_| vec![Atom::Var(xs)]);
    let result = b.var("result", ty.clone());
    b.bind(vec![result], Op::If { cond, then, otherwise });
    let f = forms(b.function("doubled", &[result]), &[]);
    let text = f.program.to_string();
    assert!(text.contains("; zs = doubled less ys\n           ; release ys\n"), "{text}");
    let n = Value::Scalar(Const::i64(3));
    assert_eq!(f.run(&[n, ints(&[1, 2])]), Ok(vec![ints(&[8, 16])]));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// On functions at random, under every strategy: each form verifies, and the loop nests give what
    /// the reference interpreter gives.
    #[test]
    fn loop_nests_do_what_functions_mean(
        choices in collection::vec(0_u16..500, 0..36),
        xs in collection::vec(-5_i64..6, 0..5),
        ys in collection::vec(-5_i64..6, 0..4),
        c in -3_i64..4,
    ) {
        let args = [ints(&xs), ints(&ys), Value::Scalar(Const::i64(c))];
        for strategy in Strategy::ALL {
            let forms = forms_by(function(&choices), strategy);
            prop_assert!(forms.run(&args).is_ok());
        }
    }
}
