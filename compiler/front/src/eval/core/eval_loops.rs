//! Loops.
//!
//! Invariant: the scope of a step has the variables around the loop and the carried values, and nothing from other
//! steps.
//!
//! ```text
//! loop (a, b) = (0, 1) for i < 3 do (b, a + b)   ⇒   (0, 1), (1, 1), (1, 2), (2, 3)
//! ```

use super::{Machine, Run};
use crate::core::{Loop, LoopForm};
use crate::eval::core::eval_scope::Env;
use crate::eval::core::eval_value::Value;
use arrc_syntax::prim::Const;

impl<'a> Machine<'a> {
    /// Evaluates a loop.
    pub(super) fn eval_loop(&mut self, scope: &mut Env<'a>, data: &'a Loop) -> Run<Value<'a>> {
        let mut carried = self.eval(scope, &data.init)?;
        match &data.form {
            LoopForm::For(counter, bound) => {
                let bound = self.eval(scope, bound)?.expect_scalar();
                for step in 0..bound.as_i128() {
                    let mut inner = self.step(scope, data, &carried);
                    let index = Value::Scalar(Const::int(bound.ty, step));
                    inner.bind(self.program, counter, &index);
                    carried = self.eval(&mut inner, &data.body)?;
                }
            }
            LoopForm::In(pat, array) => {
                let array = self.eval(scope, array)?;
                for each in &array.expect_array().elems {
                    let mut inner = self.step(scope, data, &carried);
                    inner.bind(self.program, pat, each);
                    carried = self.eval(&mut inner, &data.body)?;
                }
            }
            LoopForm::While(condition) => loop {
                let mut inner = self.step(scope, data, &carried);
                if !self.eval(&mut inner, condition)?.expect_bool() {
                    break;
                }
                carried = self.eval(&mut inner, &data.body)?;
            },
        }
        Ok(carried)
    }

    /// The scope of a step.
    fn step(&self, scope: &Env<'a>, data: &'a Loop, carried: &Value<'a>) -> Env<'a> {
        let mut inner = scope.clone();
        inner.learn(self.program, &data.ty, carried);
        inner.bind(self.program, &data.pat, carried);
        inner
    }
}
