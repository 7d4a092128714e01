//! Loop nests at random; `tests/passes` has those of paper 002, and blocks inside blocks.

use proptest::collection;
use proptest::prelude::*;

use crate::eval::cnf::Value;
use crate::ir::clusters::Strategy;
use crate::pass::testing::{forms_by, function, ints};
use crate::prim::Const;

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
