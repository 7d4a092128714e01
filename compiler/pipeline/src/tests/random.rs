//! Loop nests of random functions; `tests/passes` has the loop nests of paper 002, and blocks inside blocks.

use proptest::collection;
use proptest::prelude::*;

use crate as pipeline;
use crate::Options;
use arrc_fusion::clusters::{Method, Strategy};
use arrc_fusion::eval;
use arrc_fusion::eval::cnf::Value;
use arrc_fusion::testing::{function, ints, program};
use arrc_loops::concrete::eval as nests;
use arrc_syntax::ids::{EntityRef, FuncId};
use arrc_syntax::prim::Const;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// Random functions under every strategy: each form verifies, and the loop nests give the results of the reference
    /// interpreter.
    #[test]
    fn loop_nests_do_what_functions_mean(
        choices in collection::vec(0_u16..500, 0..36),
        xs in collection::vec(-5_i64..6, 0..5),
        ys in collection::vec(-5_i64..6, 0..4),
        c in -3_i64..4,
    ) {
        let args = [ints(&xs), ints(&ys), Value::Scalar(Const::i64(c))];
        let meaning = program(&function(&choices));
        let main = FuncId::new(0);
        let meant = eval::cnf::run(&meaning, main, args.to_vec());
        prop_assert!(meant.is_ok());
        for strategy in Strategy::ALL {
            let method = Method { strategy, ..Method::default() };
            let options = Options { method, ..Options::default() };
            let (nests, _) = pipeline::nests(meaning.clone(), &options);
            prop_assert_eq!(&nests::run(&nests, main, args.to_vec()), &meant);
            let complete = pipeline::complete(nests);
            prop_assert_eq!(&nests::run(&complete, main, args.to_vec()), &meant);
        }
    }
}
