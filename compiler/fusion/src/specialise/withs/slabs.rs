//! `modarray` with thin generators: only their elements are written.
//!
//! A generator is thin if it has only one index in some dimension, as an edge of an array does. Its elements are made
//! first, in arrays of their own, and then written into the array, in place if the array ends there. So the edges of an
//! array of n × m elements cost n + m writes. Other generators make the whole array anew, since then the with-loop
//! shares passes with what makes the array and with what reads the result.
//!
//! Invariant: all elements are made before one is written.
//!
//! ```text
//! with { ([0, 0] <= [i, j] < [1, m]) : a[1, j] } : modarray a
//! ⇒ t = generate m (\j -> a[1, j]); loop a for j < m do a with [0, j] = t[j]
//! ```

use super::super::Specialiser;
use super::super::check::number;
use super::super::error::Eval;
use super::super::expected_result::CallSite;
use super::super::update::WrittenDim;
use super::super::value::{Array, Env, Leaf, Value};
use super::EvaluatedOperator;
use super::bounds::GeneratorBounds;
use crate::cnf::{Atom, Type};
use crate::specialise::slice_expr::SliceRange;
use crate::specialise::value_tree::Tree;
use arrc_front::core::{Generator, With};
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// The array that a with-loop changes, if all its generators are thin boxes.
pub(super) fn changed<'m>(data: &With, made: &'m [EvaluatedOperator<'_>]) -> Option<&'m Array> {
    let [EvaluatedOperator::Changed(array)] = made else { return None };
    let is_thin = |generator: &Generator| {
        generator.grid.is_none() && generator.is_single.iter().any(|&is_single| is_single)
    };
    data.generators.iter().all(is_thin).then_some(array)
}

impl<'a> Specialiser<'a> {
    /// The array with the elements of thin generators.
    pub(super) fn slabs(
        &mut self,
        env: &Env<'a>,
        data: &'a With,
        (array, all): (&Array, &[GeneratorBounds]),
        span: Span,
    ) -> Eval<Value<'a>> {
        let mut made = Vec::new();
        for (generator, own) in data.generators.iter().zip(all) {
            let places = self.dimension_positions(generator, own, span);
            let elements = self.elements(env, generator, &places, &mut Vec::new())?;
            made.push((places, elements, generator.span));
        }
        let mut vars = array.vars();
        for (places, elements, span) in made {
            vars = self.written(&vars, &elements, &places, span);
        }
        Ok(Tree::Leaf(Leaf::Array(array.resized(array.size, vars))))
    }

    /// The positions of a generator's elements in each dimension.
    fn dimension_positions(
        &mut self,
        generator: &Generator,
        own: &GeneratorBounds,
        span: Span,
    ) -> Vec<WrittenDim> {
        let place = |(at, &is_single): (usize, &bool)| {
            let start = own.lower[at];
            if is_single {
                return WrittenDim::Index(start);
            }
            let count = self.length_at(own, at, span);
            WrittenDim::Cut(SliceRange { start, step: number(1), count })
        };
        generator.is_single.iter().enumerate().map(place).collect()
    }

    /// The elements of a generator at the indices that begin with `index`: an array with the dimensions that have
    /// several indices.
    fn elements(
        &mut self,
        env: &Env<'a>,
        generator: &'a Generator,
        places: &[WrittenDim],
        index: &mut Vec<Atom>,
    ) -> Eval<Value<'a>> {
        let Some((place, rest)) = places.split_first() else {
            return self.body(env, generator, index);
        };
        let span = generator.span;
        let cut = match *place {
            WrittenDim::Index(only) => {
                index.push(only);
                let value = self.elements(env, generator, rest, index);
                index.pop();
                return value;
            }
            WrittenDim::Cut(cut) => cut,
        };
        self.build.open();
        let counter = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        index.push(self.plus(cut.start, counter.into(), span));
        let value = self.elements(env, generator, rest, index)?;
        index.pop();
        self.finish_generate((cut.count, None), counter, &value, CallSite::span(span))
    }
}
