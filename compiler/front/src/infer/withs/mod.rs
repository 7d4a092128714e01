//! With-loops: index spaces, the elements of generators, and operators.
//!
//! Invariant: all vectors of a with-loop have the same length. It is a constant, the rank of the with-loop. The
//! elements of one operator have one type.
//!
//! ```text
//! with { (. <= iv <= .) : a[iv] } : fold (+, 0)   ⇒   With { ([0] <= [i] < [n]) : a[i], Fold(+, 0) } : i64
//! ```

mod positions;

use super::Checker;
use super::error::{ConstraintSite, WithError};
use super::name::function;
use super::operator::BoundValue;
use super::solve::Scheme;
use super::typed::{Expr, ExprKind, Generator, Operator, Pat, With};
use super::vectors::IndexVector;
use crate::core::{Size, SizeOrigin, Type};
use arrc_syntax::ast;
use arrc_syntax::ids::LocalId;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// An operator with typed parts.
struct TypedOperator {
    operator: Operator,
    /// The shape of a `genarray`.
    shape: Option<Vec<Expr>>,
    /// The type that its elements must have.
    element: Type,
    span: Span,
}

/// The typed bounds of a generator. A bound is none if it is written as `.`.
struct TypedBounds<'e> {
    written: &'e ast::Generator,
    lower: Option<IndexVector>,
    upper: Option<IndexVector>,
    grid: Option<[IndexVector; 2]>,
}

/// The vectors that tell the rank of a with-loop, each with its length.
#[derive(Default)]
struct RankEvidence {
    vectors: Vec<(usize, Span)>,
}

impl RankEvidence {
    fn note(&mut self, vector: &IndexVector, span: Span) {
        self.vectors.extend(vector.rank().map(|rank| (rank, span)));
    }

    /// The rank, if a vector tells it. An error if they tell different ranks.
    fn agreed_rank(mut self) -> Result<Option<usize>, WithError> {
        let count = |rank| self.vectors.iter().filter(|(own, _)| *own == rank).count();
        // The first of those that occur most often.
        let most = self.vectors.iter().rev().max_by_key(|(rank, _)| count(*rank));
        let Some(&(most, _)) = most else { return Ok(None) };
        match self.vectors.iter().position(|(rank, _)| *rank != most) {
            Some(odd) => {
                let odd = self.vectors.remove(odd);
                Err(WithError::Ranks { odd, others: self.vectors })
            }
            None => Ok(Some(most)),
        }
    }
}

/// The index space of a with-loop.
struct IndexSpace {
    rank: usize,
    /// The sizes of the space, if the with-loop makes an array.
    shape: Option<Vec<Expr>>,
    /// The sizes that `.` stands for in a with-loop that makes no array.
    dot_sizes: Option<Vec<Expr>>,
}

impl Checker<'_> {
    /// `with { … } : …`.
    pub(super) fn with_loop(&mut self, data: &ast::With, span: Span) -> Expr {
        let mut bound = Vec::new();
        let with = self.with_parts(data, &mut bound, span).unwrap_or_else(|| self.wrong(span));
        bound.into_iter().rev().fold(with, |body, bound| bound.wrap_in_let(body, span))
    }

    fn with_parts(
        &mut self,
        data: &ast::With,
        bound: &mut Vec<BoundValue>,
        span: Span,
    ) -> Option<Expr> {
        let mut rank = RankEvidence::default();
        let mut operators = Vec::new();
        for operator in &data.operators {
            operators.push(self.typed_operator(operator, bound, &mut rank)?);
        }
        let mut heads = Vec::new();
        for generator in &data.generators {
            heads.push(self.generator_head(generator, bound, &mut rank)?);
        }
        let rank = match rank.agreed_rank() {
            Ok(rank) => rank,
            Err(error) => {
                self.report(error);
                return None;
            }
        };
        let space = self.space(&mut operators, &heads, rank, span)?;
        let types = operators.iter().map(|operator| operator.element.clone()).collect::<Vec<_>>();
        let mut generators = Vec::new();
        for head in heads {
            generators.push(self.generator(head, &operators, &types, &space)?);
        }
        let results = self.results(&operators, &space, span)?;
        let ty = if let [one] = results.as_slice() { one.clone() } else { Type::Tuple(results) };
        let operators = operators.into_iter().map(|typed| typed.operator).collect();
        let mut with = With { shape: space.shape, operators, generators, may_overlap: Vec::new() };
        self.places(&mut with, span);
        if space.rank == 0 {
            return Some(at_the_only_index(with, ty, span));
        }
        Some(Expr { kind: ExprKind::With(Box::new(with)), ty, span })
    }

    fn typed_operator(
        &mut self,
        written: &ast::Operator,
        bound: &mut Vec<BoundValue>,
        rank: &mut RankEvidence,
    ) -> Option<TypedOperator> {
        let span = written.span;
        match &written.kind {
            ast::OperatorKind::Genarray(shape, default) => {
                let sizes = match self.vector(shape, bound)? {
                    IndexVector::Components(sizes) => sizes,
                    IndexVector::Each(_) => {
                        self.report(WithError::NoShape { span: shape.span });
                        return None;
                    }
                };
                rank.vectors.push((sizes.len(), shape.span));
                let shape = sizes.into_iter().map(|size| {
                    let (size, binding) = self.bind_once(size);
                    bound.extend(binding);
                    size
                });
                let shape = Some(shape.collect());
                let default = default.as_ref().map(|default| self.expr(default));
                let element = match &default {
                    Some(default) => default.ty.clone(),
                    None => self.u.fresh(),
                };
                Some(TypedOperator { operator: Operator::Genarray(default), shape, element, span })
            }
            ast::OperatorKind::Modarray(array) => {
                let array = self.expr(array);
                let (array, binding) = self.bind_once(array);
                bound.extend(binding);
                let element = array.ty.clone();
                Some(TypedOperator {
                    operator: Operator::Modarray(array),
                    shape: None,
                    element,
                    span,
                })
            }
            ast::OperatorKind::Fold(op, neutral) => {
                let neutral = self.expr(neutral);
                let element = neutral.ty.clone();
                let wanted = function(&[element.clone(), element.clone()], element.clone());
                let op = self.expr_hint(op, Some(&wanted));
                self.u.at = op.span;
                let place = || ConstraintSite::Yield { span: op.span, operator: neutral.span };
                let fits = self.expect(&wanted, &op.ty, place);
                let operator = Operator::Fold(op, neutral);
                fits.then_some(TypedOperator { operator, shape: None, element, span })
            }
        }
    }

    /// Reports a `modarray` of something that is no array.
    fn no_array<T>(&mut self, value: &Expr) -> Option<T> {
        if !self.u.is_error(&value.ty) {
            let ty = self.show(&value.ty);
            self.report(WithError::NoArray { span: value.span, ty });
        }
        None
    }

    fn generator_head<'e>(
        &mut self,
        written: &'e ast::Generator,
        bound: &mut Vec<BoundValue>,
        rank: &mut RankEvidence,
    ) -> Option<TypedBounds<'e>> {
        if let ast::IndexName::Components(names, span) = &written.index {
            self.distinct("components of this index", names.iter().flatten());
            rank.vectors.push((names.len(), *span));
        }
        let lower = self.generator_bound(&written.lower, bound, rank)?;
        let upper = self.generator_bound(&written.upper, bound, rank)?;
        let mut vector = |this: &mut Self, part: &ast::Expr| {
            let vector = this.vector(part, bound)?;
            rank.note(&vector, part.span);
            Some(vector)
        };
        let step = match &written.step {
            Some(step) => Some(vector(self, step)?),
            None => None,
        };
        let width = match &written.width {
            Some(width) => Some(vector(self, width)?),
            None => None,
        };
        let grid = match (step, width) {
            (None, None) => None,
            (step, width) => {
                let mut one = || IndexVector::Each(self.i64_literal(1, written.span));
                let step = step.unwrap_or_else(&mut one);
                Some([step, width.unwrap_or_else(one)])
            }
        };
        Some(TypedBounds { written, lower, upper, grid })
    }

    /// A bound. `Some(None)` is `.`, and `None` is a wrong bound.
    fn generator_bound(
        &mut self,
        written: &ast::Bound,
        bound: &mut Vec<BoundValue>,
        rank: &mut RankEvidence,
    ) -> Option<Option<IndexVector>> {
        let ast::Bound::Expr(expr) = written else { return Some(None) };
        let vector = self.vector(expr, bound)?;
        rank.note(&vector, expr.span);
        Some(Some(vector))
    }

    /// The index space, and the types of the elements of arrays that `modarray` changes.
    fn space(
        &mut self,
        operators: &mut [TypedOperator],
        heads: &[TypedBounds<'_>],
        rank: Option<usize>,
        span: Span,
    ) -> Option<IndexSpace> {
        let changed = operators.iter().find_map(|typed| match &typed.operator {
            Operator::Modarray(array) => Some(array.clone()),
            Operator::Genarray(_) | Operator::Fold(..) => None,
        });
        let swept = self.indexed_array_type(heads);
        let told = changed.as_ref().map(|array| &array.ty).or(swept.as_ref());
        let told = told.map(|ty| self.dimensions_of(ty).len());
        // At rank 0, arrays of any rank are scalars.
        let told = told.filter(|&rank| rank > 0 || !self.walk.shapes.is_empty());
        if let Some(value) = &changed
            && rank.or(told) != Some(0)
            && self.dimensions_of(&value.ty).is_empty()
            && self.u.as_free(&value.ty).is_none()
        {
            return self.no_array(value);
        }
        let Some(rank) = rank.or(told) else {
            let index = heads[0].written.index.span();
            self.report(WithError::UnknownRank { span: index });
            return None;
        };
        let mut shape: Option<(Vec<Expr>, Span)> = None;
        for typed in operators {
            let own = match &typed.operator {
                Operator::Genarray(_) => typed.shape.take(),
                Operator::Modarray(array) => {
                    let mut sizes = Vec::new();
                    let (whole, at) = (array.ty.clone(), array.span);
                    typed.element = self.below(&whole, at, rank, &mut sizes);
                    Some(sizes)
                }
                Operator::Fold(..) => None,
            };
            let Some(own) = own else { continue };
            match &shape {
                Some((first, at)) => self.same_shape((first, *at), (&own, typed.span))?,
                None => shape = Some((own, typed.span)),
            }
        }
        let edges = swept.map(|ty| {
            let mut sizes = Vec::new();
            self.below(&ty, span, rank, &mut sizes);
            sizes
        });
        Some(IndexSpace { rank, shape: shape.map(|(shape, _)| shape), dot_sizes: edges })
    }

    /// The type of the parts of an array below its first `rank` dimensions. Adds the sizes of these dimensions.
    fn below(&mut self, ty: &Type, at: Span, rank: usize, sizes: &mut Vec<Expr>) -> Type {
        let mut ty = ty.clone();
        for depth in 0..rank {
            let element = self.element(&ty, at, depth);
            if let Type::Array(size, _) = self.u.head(&ty) {
                sizes.push(self.size_value(&size, at));
            }
            ty = element;
        }
        ty
    }

    /// Checks that two operators have the same index space.
    fn same_shape(
        &mut self,
        (first, at): (&[Expr], Span),
        (own, span): (&[Expr], Span),
    ) -> Option<()> {
        for (left, right) in first.iter().zip(own) {
            let sizes = (self.size_of(left), self.size_of(right));
            let (Some(left), Some(right)) = sizes else {
                self.report(WithError::Shapes { span, first: at, sizes: None });
                return None;
            };
            if self.u.unify_sizes(&left, &right).is_err() {
                let mut shown = self.shown();
                let sizes = Some([shown.size(&left), shown.size(&right)]);
                self.report(WithError::Shapes { span, first: at, sizes });
                return None;
            }
        }
        Some(())
    }

    /// The type of the arrays that the bodies index by the whole index vector, if all have the same shape.
    fn indexed_array_type(&mut self, heads: &[TypedBounds<'_>]) -> Option<Type> {
        let mut found = Vec::new();
        for head in heads {
            indexed_by(&head.written.body, &head.written.index, &mut found);
        }
        let before = self.reports.mark();
        let types = found.iter().map(|name| {
            let path = ast::QualName { quals: Vec::new(), name: name.clone() };
            self.qualified(&path, name.span).ty
        });
        let types: Vec<Type> = types.collect();
        self.reports.take_since(before);
        let (first, rest) = types.split_first()?;
        let shape = self.dimensions_of(first);
        let is_same = |other: &Type| self.dimensions_of(other) == shape;
        rest.iter().all(is_same).then(|| first.clone())
    }

    fn generator(
        &mut self,
        head: TypedBounds<'_>,
        operators: &[TypedOperator],
        types: &[Type],
        space: &IndexSpace,
    ) -> Option<Generator> {
        let written = head.written;
        let is_inclusive = head.upper.is_some() && !written.is_below;
        let (lower, upper) = self.ends(head.lower, head.upper, written, space)?;
        let grid = head.grid.map(|grid| grid.map(|part| part.of_rank(space.rank)));
        let outer = self.u.level;
        let mark = self.names.scope.mark();
        self.u.level = outer.inner();
        let (index, vector) = self.index_variables(&written.index, space.rank);
        self.u.level = self.u.level.inner();
        let several = Type::Tuple(types.to_vec());
        let wanted = if let [one] = types { one } else { &several };
        let body = self.expr_hint(&written.body, Some(wanted));
        self.u.level = outer;
        self.names.scope.leave(mark);
        self.u.at = body.span;
        let whole = operators[0].span.to(operators[operators.len() - 1].span);
        let place = || ConstraintSite::Yield { span: body.span, operator: whole };
        self.expect(wanted, &body.ty, place);
        let body = with_vector(body, vector, &index);
        let span = written.span;
        let is_single = vec![false; lower.len()];
        let is_inside = false;
        Some(Generator {
            lower,
            upper,
            grid,
            index,
            body,
            is_inside,
            is_inclusive,
            is_single,
            span,
        })
    }

    /// The bounds of a generator: its first index, and the index behind its last one.
    fn ends(
        &mut self,
        lower: Option<IndexVector>,
        upper: Option<IndexVector>,
        written: &ast::Generator,
        space: &IndexSpace,
    ) -> Option<(Vec<Expr>, Vec<Expr>)> {
        let edges = space.shape.as_ref().or(space.dot_sizes.as_ref());
        let by = i64::from(written.is_above);
        let at = written.lower.span();
        let lower = match lower {
            Some(vector) => vector.of_rank(space.rank),
            None if edges.is_none() => return self.no_edge(at),
            None => (0..space.rank).map(|_| self.i64_literal(0, at)).collect(),
        };
        let lower = lower.into_iter().map(|number| self.shifted(number, by)).collect();
        let at = written.upper.span();
        let (upper, by) = match (upper, edges) {
            (Some(vector), _) => (vector.of_rank(space.rank), i64::from(!written.is_below)),
            (None, Some(sizes)) => (sizes.clone(), -i64::from(written.is_below)),
            (None, None) => return self.no_edge(at),
        };
        let upper = upper.into_iter().map(|number| {
            let number = Expr { span: at, ..number };
            self.shifted(number, by)
        });
        Some((lower, upper.collect()))
    }

    fn no_edge<T>(&mut self, span: Span) -> Option<T> {
        self.report(WithError::NoEdge { span });
        None
    }

    /// Variables for the components of an index, and the vector itself if it has a name.
    fn index_variables(
        &mut self,
        name: &ast::IndexName,
        rank: usize,
    ) -> (Vec<Pat>, Option<(LocalId, Type)>) {
        let number = Type::Scalar(Scalar::I64);
        let pat = |var| Pat::Var(var, Type::Scalar(Scalar::I64));
        match name {
            ast::IndexName::Components(names, _) => {
                let vars = names.iter().map(|name| match name {
                    Some(name) => pat(self.bind_var(name, Scheme::mono(number.clone()))),
                    None => Pat::Wild,
                });
                (vars.collect(), None)
            }
            ast::IndexName::Vector(name) => {
                let mark = self.names.scope.mark();
                let vars = (0..rank).map(|at| {
                    let own = format!("{}_{at}", name.name).into();
                    let own = ast::Ident { name: own, span: name.span };
                    self.bind_var(&own, Scheme::mono(number.clone()))
                });
                let vars: Vec<LocalId> = vars.collect();
                self.names.scope.leave(mark);
                let length = Size::constant(i64::try_from(rank).expect("a rank is small"));
                let ty = Type::Array(length, Box::new(number.clone()));
                let vector = self.bind_var(name, Scheme::mono(ty.clone()));
                let component = |&var: &LocalId| Expr::var(var, number.clone(), name.span);
                self.vars.values[vector].components = Some(vars.iter().map(component).collect());
                (vars.into_iter().map(pat).collect(), Some((vector, ty)))
            }
        }
    }

    /// The types of the operators' results.
    fn results(
        &mut self,
        operators: &[TypedOperator],
        space: &IndexSpace,
        span: Span,
    ) -> Option<Vec<Type>> {
        let mut sizes = Vec::new();
        for number in space.shape.iter().flatten() {
            sizes.push(self.size_of(number).unwrap_or_else(|| {
                let origin = SizeOrigin::Exists { maker: "genarray".into() };
                Size::symbol(self.u.rigid_size("k".into(), origin, span))
            }));
        }
        let result = |typed: &TypedOperator| match &typed.operator {
            Operator::Fold(..) => typed.element.clone(),
            Operator::Genarray(_) | Operator::Modarray(_) => {
                let nest = |element, size: &Size| Type::Array(size.clone(), Box::new(element));
                sizes.iter().rev().fold(typed.element.clone(), nest)
            }
        };
        Some(operators.iter().map(result).collect())
    }
}

/// The body, with a binding of the whole index vector if the body uses it.
fn with_vector(body: Expr, vector: Option<(LocalId, Type)>, index: &[Pat]) -> Expr {
    let Some((var, ty)) = vector.filter(|(var, _)| mentions(&body, *var)) else { return body };
    let span = body.span;
    let component = |pat: &Pat| match pat {
        Pat::Var(var, ty) => Expr::var(*var, ty.clone(), span),
        Pat::Wild | Pat::Tuple(_) | Pat::Record(_) | Pat::Constructor(..) | Pat::Const(..) => {
            panic!("a component of an index is a variable")
        }
    };
    let kind = ExprKind::Array(index.iter().map(component).collect());
    let value = Expr { kind, ty: ty.clone(), span };
    let result = body.ty.clone();
    let kind = ExprKind::Let(Pat::Var(var, ty), Box::new(value), Box::new(body));
    Expr { kind, ty: result, span }
}

fn mentions(expr: &Expr, var: LocalId) -> bool {
    let mut work = vec![expr];
    while let Some(expr) = work.pop() {
        if matches!(&expr.kind, ExprKind::Var(used) if used.var == var) {
            return true;
        }
        expr.for_each_child(&mut |child| work.push(child));
    }
    false
}

/// Adds the arrays that an expression indexes by exactly this index vector.
fn indexed_by(expr: &ast::Expr, index: &ast::IndexName, found: &mut Vec<ast::Ident>) {
    let names: Vec<&ast::Ident> = index.names().collect();
    let is_whole = match index {
        ast::IndexName::Vector(_) => true,
        ast::IndexName::Components(components, _) => components.iter().all(Option::is_some),
    };
    let mut work = if is_whole { vec![expr] } else { Vec::new() };
    while let Some(expr) = work.pop() {
        if let ast::ExprKind::Index(array, indices) = &expr.kind
            && indices.len() == names.len()
            && indices.iter().zip(&names).all(|(index, name)| is_name(index, name))
            && let ast::ExprKind::Name(path) = &array.kind
            && path.quals.is_empty()
        {
            found.push(path.name.clone());
        }
        let children = ast::visit::Node::Expr(expr).children().into_iter();
        work.extend(children.filter_map(|child| {
            if let ast::visit::Node::Expr(child) = child { Some(child) } else { None }
        }));
    }
}

fn is_name(expr: &ast::Expr, name: &ast::Ident) -> bool {
    matches!(&expr.kind, ast::ExprKind::Name(path)
        if path.quals.is_empty() && path.name.name == name.name)
}

/// The elements of a with-loop of rank 0, one for each operator. Such a with-loop has a single index.
fn at_the_only_index(with: With, ty: Type, span: Span) -> Expr {
    let body = with.generators.into_iter().next().expect("a with-loop has a generator").body;
    Expr { ty, span, ..body }
}
