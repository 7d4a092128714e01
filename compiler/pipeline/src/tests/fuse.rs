//! Processes of clusters that no strategy chooses. `tests/passes` has the clusters that strategies choose.

use arrc_fusion::cluster;
use arrc_fusion::clusters::{Clustered, Clusters, Method};
use arrc_fusion::eval;
use arrc_fusion::fuse::fuse;
use arrc_fusion::simplify::ExecutionFrequency;
use arrc_fusion::testing::{graph, ints, program};
use arrc_loops::concrete;
use arrc_loops::concrete::eval as nests;
use arrc_loops::schedule;
use arrc_syntax::ids::{EntityRef, FuncId};

const PAIRS: &str = r"def pairs [n] [m] (xs: [n]i64) (ys: [m]i64): (i64, i64) =
  let zs = map (\x -> x + 1i64) xs
  let (l, r) = unzip (cross zs ys)
  let d = map2 (\x y -> x - y) l r
  let most = reduce (\x y -> i64.max x y) 0i64 d
  let s = reduce (\x y -> x + y) 0i64 zs
  in (most, s)
";

#[test]
fn a_cross_fuses_with_its_left_side_and_its_consumers() {
    let (graph, tables) = graph(PAIRS);
    let nodes: Vec<_> = graph.nodes.keys().collect();
    let report = cluster::cluster(&graph, Method::default()).report;
    let clusters = Clusters { clusters: [nodes].into_iter().collect(), report };
    let block = fuse(Clustered { graph, clusters }, tables);
    assert_eq!(block.verify(), Ok(()));
    let text = block.to_string();
    let (_, processes) = text.split_once("\n\n").expect("the block has a process");
    assert_eq!(
        processes,
        "\
process pairs_1 (k1 : &) (k2 : &) (s1 : Series k1 i64) (s4 : Series k2 i64)
with { s2 <- map k1 i64 (+ 1i64) s1
     ; s3 s5 <- cross (k3 = k1 * k2) (s2) (s4)
     ; s <= fold k1 i64 s2 with (+) and 0i64
     ; s6 <- map k3 i64 i64 (-) s3 s5
     ; most <= fold k3 i64 s6 with i64.max and 0i64 }
yields (most, s)
"
    );
    let source = program(PAIRS);
    let main = FuncId::new(0);
    let procedures = schedule::schedule(block);
    let (body, tables) =
        schedule::concretise(procedures, ExecutionFrequency::Once, &mut |name, _, _, _| {
            panic!("{name}")
        });
    let function = source.functions[main].clone();
    let function = concrete::Function {
        name: function.name,
        span: function.span,
        params: function.params,
        owned: function.owned,
        body,
        results: function.results,
        tables,
        appends: Vec::new(),
        recursive: false,
    };
    let functions = [function].into_iter().collect();
    let nests = concrete::Program::<concrete::Plain> { functions, ..Default::default() };
    assert_eq!(nests.verify(), Ok(()));
    for (xs, ys) in [(vec![1, 2], vec![3, -4, 5]), (vec![1, 2], vec![])] {
        let args = vec![ints(&xs), ints(&ys)];
        let meant = eval::cnf::run(&source, main, args.clone());
        assert_eq!(nests::run(&nests, main, args), meant);
    }
}
