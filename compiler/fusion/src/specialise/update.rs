//! Updates: a part of a value is replaced.
//!
//! Invariant: all new values are evaluated before anything is checked, and everything is checked before anything is
//! written. Only the components that the path leads to are written, each element once.
//!
//! ```text
//! r with x[i] = e          ⇒   x' = x with [i] = e, and r of x'
//! xs with [1:3] = ys       ⇒   check; loop xs for k < 2 do xs with [1 + k] = ys[k]
//! ```

use std::ops::Range;

use arr_abi::ErrorCode;

use super::Specialiser;
use super::check::number;
use super::error::Eval;
use super::value::{Array, Column, Elem, Env, Leaf, Value};
use crate::cnf::{Atom, LoopForm, Op, Type, Worker};
use crate::specialise::slice_expr::{EvaluatedDim, SliceRange};
use crate::specialise::value_tree::Tree;
use arrc_front::core::{Accessor, Dim, Expr};
use arrc_syntax::diagnostics::Failure;
use arrc_syntax::ids::VarId;
use arrc_syntax::names::Name;
use arrc_syntax::prim::{BinOp, Scalar};
use arrc_syntax::source::Span;

/// A step of a path, evaluated.
enum EvaluatedAccessor<'a> {
    /// A component of a tuple.
    Item(usize),
    /// A field of a record.
    Field(&'a Name),
    /// A part of an array.
    At(Vec<EvaluatedDim>),
}

/// One dimension of the written part.
#[derive(Clone, Copy)]
pub(super) enum WrittenDim {
    /// One position.
    Index(Atom),
    /// The positions of a slice.
    Cut(SliceRange),
}

/// The part of an array that a path leads to.
struct UpdateTarget {
    /// Where it is in the dimensions of each component.
    places: Vec<WrittenDim>,
    /// Which of the array's components it has.
    components: Range<usize>,
}

impl<'a> Specialiser<'a> {
    /// `whole with x[i].y = value`.
    pub(super) fn eval_update(
        &mut self,
        env: &mut Env<'a>,
        (whole, steps, value): (&'a Expr, &'a [Accessor], &'a Expr),
        span: Span,
    ) -> Eval<Value<'a>> {
        let mut whole = self.eval(env, whole)?;
        let mut way = Vec::new();
        for step in steps {
            way.push(match step {
                Accessor::Item(at) => EvaluatedAccessor::Item(*at),
                Accessor::Field(name) => EvaluatedAccessor::Field(name),
                Accessor::At(dims) => EvaluatedAccessor::At(self.dims(env, dims)?),
            });
        }
        let value = self.eval(env, value)?;
        let fields =
            way.iter().take_while(|step| !matches!(step, EvaluatedAccessor::At(_))).count();
        let (fields, way) = way.split_at(fields);
        let part = fields.iter().fold(&mut whole, part_mut);
        *part = if way.is_empty() {
            value
        } else {
            let array = part.expect_array().clone();
            Tree::Leaf(Leaf::Array(self.overwritten(&array, way, &value, span)))
        };
        Ok(whole)
    }

    fn dims(&mut self, env: &mut Env<'a>, dims: &'a [Dim]) -> Eval<Vec<EvaluatedDim>> {
        dims.iter().map(|dim| self.dim(env, dim)).collect()
    }

    /// The array with another value for the part that a path leads to.
    fn overwritten(
        &mut self,
        array: &Array,
        way: &[EvaluatedAccessor<'a>],
        value: &Value<'a>,
        span: Span,
    ) -> Array {
        let UpdateTarget { places, components } = self.target(array, way, span);
        let mut vars = array.vars();
        let old = vars[components.clone()].to_vec();
        let cuts = places.iter().filter_map(|place| match place {
            WrittenDim::Index(_) => None,
            WrittenDim::Cut(cut) => Some(cut.count),
        });
        let cuts: Vec<Atom> = cuts.collect();
        if !cuts.is_empty() {
            self.check_lengths(value.expect_array(), &cuts, span);
        }
        let new = self.written(&old, value, &places, span);
        vars.splice(components, new);
        array.resized(array.size, vars)
    }

    /// The components with those of the value at these places.
    pub(super) fn written(
        &mut self,
        components: &[VarId],
        value: &Value<'a>,
        places: &[WrittenDim],
        span: Span,
    ) -> Vec<VarId> {
        if places.iter().any(|place| matches!(place, WrittenDim::Cut(_))) {
            let values = value.expect_array().vars();
            let components = components.iter().zip(values);
            let fill = |(&component, value)| {
                self.fill(component, value, places, &mut Position::default(), span)
            };
            return components.map(fill).collect();
        }
        let parts: Vec<Atom> = value.leaves().into_iter().flat_map(super::atoms).collect();
        let at: Vec<Atom> = places.iter().map(WrittenDim::first).collect();
        let components = components.iter().zip(parts);
        components.map(|(&old, value)| self.replace(old, &at, value, false, span)).collect()
    }

    /// `array with [at] = value`; `inside` if the indices were checked before.
    fn replace(
        &mut self,
        array: VarId,
        at: &[Atom],
        value: Atom,
        inside: bool,
        span: Span,
    ) -> VarId {
        let ty = self.build.vars[array].ty.clone();
        let indices = at.to_vec();
        self.build.emit_one(Op::Replace { array, indices, value, inside }, ty, span)
    }

    /// Checks that the new elements fit slices of these lengths.
    fn check_lengths(&mut self, value: &Array, counts: &[Atom], span: Span) {
        let mut rows = Some(value);
        for &count in counts {
            let Some(array) = rows else { panic!("core is well-typed: a slice is replaced") };
            let length = self.length(array.size, span);
            if length != count {
                let holds = self.build.bin(BinOp::Eq, length, count, span);
                self.check(holds, Failure::replacement(count, length), span);
            }
            rows = match &array.elem {
                Tree::Leaf(Column::Rows(rows)) => Some(rows),
                Tree::Leaf(Column::Scalar(_)) | Tree::Tuple(_) | Tree::Record(_) | Tree::Sum(_) => {
                    None
                }
            };
        }
    }

    /// A component with one of the value at these places: a loop for each slice. Each component has loops of its own,
    /// so that a pass that makes several values can write each of them where it goes.
    fn fill(
        &mut self,
        component: VarId,
        value: VarId,
        places: &[WrittenDim],
        position: &mut Position,
        span: Span,
    ) -> VarId {
        let Some((place, rest)) = places.split_first() else {
            let elem = self.build.index(value, &position.from, true, span);
            return self.replace(component, &position.at, elem.into(), true, span);
        };
        let SliceRange { start, step, count } = match place {
            WrittenDim::Index(index) => {
                position.at.push(*index);
                let out = self.fill(component, value, rest, position, span);
                position.at.pop();
                return out;
            }
            WrittenDim::Cut(cut) => *cut,
        };
        let ty = self.build.vars[component].ty.clone();
        self.build.open();
        let param = self.build.variable(ty.clone(), "a".into());
        let index = self.build.variable(Type::Scalar(Scalar::I64), "i".into());
        let offset = self.times(index.into(), step, span);
        position.at.push(self.plus(start, offset, span));
        position.from.push(index.into());
        let out = self.fill(param, value, rest, position, span);
        position.at.pop();
        position.from.pop();
        let body = self.build.close(vec![out.into()]);
        let worker = Worker { params: vec![param, index], body };
        let init = vec![component.into()];
        self.build.emit_one(Op::Loop { form: LoopForm::For { count }, init, worker }, ty, span)
    }

    /// The part of an array that a path leads to. If the path has a slice, all positions are checked here, since
    /// nothing is written where the slice is empty.
    fn target(&mut self, array: &Array, way: &[EvaluatedAccessor<'a>], span: Span) -> UpdateTarget {
        let has_slice = way.iter().any(EvaluatedAccessor::has_slice);
        let mut places: Vec<WrittenDim> = Vec::new();
        let mut elem: Elem = Tree::Leaf(Column::Rows(Box::new(array.clone())));
        let mut before = 0;
        for step in way {
            let given = match step {
                EvaluatedAccessor::At(given) => given,
                EvaluatedAccessor::Item(_) | EvaluatedAccessor::Field(_) => {
                    before += before_component(&elem, step);
                    elem = component(elem, step);
                    continue;
                }
            };
            // The next step indexes the slices of the last one as dimensions.
            let open = (0..places.len()).filter(|&at| matches!(places[at], WrittenDim::Cut(_)));
            let mut open = open.collect::<Vec<_>>().into_iter();
            for given in given {
                if let Some(at) = open.next()
                    && let WrittenDim::Cut(cut) = places[at]
                {
                    places[at] = self.compose_slices(cut, given, span);
                    continue;
                }
                let Tree::Leaf(Column::Rows(rows)) = elem else {
                    panic!("core is well-typed: an array has no more indices than dimensions");
                };
                let length = self.length(rows.size, span);
                places.push(match given {
                    EvaluatedDim::Index(index) => {
                        if has_slice {
                            self.check_index(ErrorCode::Slice, *index, length, span);
                        }
                        WrittenDim::Index(*index)
                    }
                    EvaluatedDim::Slice(bounds) => WrittenDim::Cut(self.cut(*bounds, length, span)),
                });
                elem = rows.elem;
            }
        }
        UpdateTarget { places, components: before..before + components(&elem) }
    }

    /// An index or a slice of a slice.
    fn compose_slices(
        &mut self,
        outer: SliceRange,
        given: &EvaluatedDim,
        span: Span,
    ) -> WrittenDim {
        let place = |this: &mut Self, at: Atom| {
            let offset = this.times(at, outer.step, span);
            this.plus(outer.start, offset, span)
        };
        match given {
            EvaluatedDim::Index(index) => {
                self.check_index(ErrorCode::Slice, *index, outer.count, span);
                WrittenDim::Index(place(self, *index))
            }
            EvaluatedDim::Slice(bounds) => {
                let inner = self.cut(*bounds, outer.count, span);
                let start = place(self, inner.start);
                let step = self.times(inner.step, outer.step, span);
                WrittenDim::Cut(SliceRange { start, step, count: inner.count })
            }
        }
    }

    /// Checks that an index is in an array of that length.
    pub(super) fn check_index(&mut self, code: ErrorCode, index: Atom, length: Atom, span: Span) {
        let begins = self.build.bin(BinOp::Le, number(0), index, span);
        let ends = self.build.bin(BinOp::Lt, index, length, span);
        let holds = self.and_conditions(begins, ends, span);
        self.check(holds, Failure::index(code, index, length), span);
    }
}

/// The position at which an element is written, and its position in the value.
#[derive(Default)]
struct Position {
    at: Vec<Atom>,
    from: Vec<Atom>,
}

impl EvaluatedAccessor<'_> {
    fn has_slice(&self) -> bool {
        match self {
            Self::Item(_) | Self::Field(_) => false,
            Self::At(given) => given.iter().any(|given| matches!(given, EvaluatedDim::Slice(_))),
        }
    }
}

impl WrittenDim {
    /// The first position.
    fn first(&self) -> Atom {
        match self {
            Self::Index(index) => *index,
            Self::Cut(cut) => cut.start,
        }
    }
}

/// A component of a tuple or record.
fn part_mut<'v, 'a>(whole: &'v mut Value<'a>, step: &EvaluatedAccessor<'a>) -> &'v mut Value<'a> {
    match (whole, step) {
        (Tree::Tuple(items), EvaluatedAccessor::Item(at)) => &mut items[*at],
        (Tree::Record(fields), EvaluatedAccessor::Field(name)) => {
            fields.get_mut(*name).expect("core is well-typed: the record has the field")
        }
        (
            whole,
            EvaluatedAccessor::Item(_) | EvaluatedAccessor::Field(_) | EvaluatedAccessor::At(_),
        ) => {
            panic!("core is well-typed: {whole:?} has components")
        }
    }
}

/// A component of the elements of an array.
fn component(elem: Elem, step: &EvaluatedAccessor<'_>) -> Elem {
    match (elem, step) {
        (Tree::Tuple(mut items), EvaluatedAccessor::Item(at)) => items.swap_remove(*at),
        (Tree::Record(mut fields), EvaluatedAccessor::Field(name)) => {
            fields.remove(*name).expect("core is well-typed: the record has the field")
        }
        (
            elem,
            EvaluatedAccessor::Item(_) | EvaluatedAccessor::Field(_) | EvaluatedAccessor::At(_),
        ) => {
            panic!("core is well-typed: {elem:?} has components")
        }
    }
}

/// How many arrays of scalars come before a component of the elements of an array.
fn before_component(elem: &Elem, step: &EvaluatedAccessor<'_>) -> usize {
    match (elem, step) {
        (Tree::Tuple(items), EvaluatedAccessor::Item(at)) => {
            items[..*at].iter().map(components).sum()
        }
        (Tree::Record(fields), EvaluatedAccessor::Field(name)) => {
            let before = fields.iter().take_while(|(field, _)| field != name);
            before.map(|(_, field)| components(field)).sum()
        }
        (
            elem,
            EvaluatedAccessor::Item(_) | EvaluatedAccessor::Field(_) | EvaluatedAccessor::At(_),
        ) => {
            panic!("core is well-typed: {elem:?} has components")
        }
    }
}

/// The number of arrays of scalars that hold the elements of an array.
fn components(elem: &Elem) -> usize {
    let count = |part: &Column| match part {
        Column::Scalar(_) => 1,
        Column::Rows(rows) => rows.vars().len(),
    };
    elem.leaves().into_iter().map(count).sum()
}
