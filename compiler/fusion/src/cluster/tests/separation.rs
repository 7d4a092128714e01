//! Separation of solutions that the random blocks rarely lead to.
//!
//! Invariant: a separated clustering is illegal, and the constraint found holds for every legal clustering.
//!
//! ```text
//! f1 = filter xs; f2 = filter xs; i = map f1 zs; u = map f2 zs     -- the sizes coerced to be equal
//! {f1} {f2 i u}   ⇒   x[i,u] + x[f2,u] ≥ x[f1,i]: i runs inside f1
//! ```

use super::super::analysis::{GraphAnalysis, SizeCompatibility};
use super::super::components::components;
use super::super::cutting_planes::Formulation;
use super::super::model::Model;
use super::super::pairs::pairs;
use super::super::partition::Partition;
use crate::testing;
use arrc_syntax::ids::{EntityRef, NodeId, SecondaryMap};

#[test]
fn a_chain_of_pairs_calls_for_the_concestors_of_its_ends() {
    let graph = testing::coerced(
        r"def coerced [n] [k] (xs: [n]i64) (zs: [k]i64): ?[l][m].([l]i64, [m]i64) =
            let f1 = filter (\x -> x > 0i64) xs
            let f2 = filter (\x -> x < 0i64) xs
            let i = map2 (\x z -> x + z) f1 zs
            let u = map2 (\x z -> x + z) f2 zs
            in (i, u)",
    );
    let facts = GraphAnalysis::new(&graph, SizeCompatibility::Related);
    let apart = Partition::singletons(&facts);
    let pairs = pairs(&facts, &apart);
    let components = components(&facts, &apart, &pairs);
    let [component] = &components[..] else { panic!("all is one component") };
    let model = Model::new(&facts, component, &Partition::singletons(&facts));
    let [f1, f2, i, u] = [0, 1, 2, 3].map(NodeId::new);

    // Every consumer starts its own read, every array is written, and one node is apart from the others.
    let values_of = |apart: NodeId| {
        let mut values: SecondaryMap<_, f64> = SecondaryMap::with_default(1.0);
        for (&(a, b), &column) in &model.program.fused {
            values[column] = if a == apart || b == apart { 1.0 } else { 0.0 };
        }
        values
    };
    let illegal = values_of(f1);
    let violated = model.separate(&facts, &illegal, usize::MAX);
    let expected = model.program.x(f1, i) - model.program.x(i, u) - model.program.x(f2, u);
    assert!(violated.rows.iter().any(|row| *row.expression() == expected));
    assert!(violated.rows.iter().all(|row| model.program.violation(row, &illegal) > 0.0));

    // All together, or each by itself, is legal.
    let nobody = NodeId::new(4);
    assert!(model.separate(&facts, &values_of(nobody), usize::MAX).rows.is_empty());
    let alone = SecondaryMap::with_default(1.0);
    assert!(model.separate(&facts, &alone, usize::MAX).rows.is_empty());
}
