//! A place where two types met that should be equal, and the message about it.
//!
//! Invariant: the first label is at the found expression. The other labels show the origin of the expectation.
//!
//! ```text
//! Branch { then, otherwise }   ⇒   "this is `i64`" at the one, "this is `bool`" at the other
//! ```

use super::{Origin, QuotedOperand, ShownType};
use arrc_syntax::diagnostics::{Code, Diagnostic, Subject};
use arrc_syntax::names::Name;
use arrc_syntax::prim::Scalar;
use arrc_syntax::source::Span;

/// Where two types met.
#[derive(Clone, Debug)]
pub(crate) enum ConstraintSite {
    /// An argument of a function.
    Argument { span: Span, callee: Callee, position: usize, others: Vec<Origin> },
    /// The branches of an `if`.
    Branch { then: Span, otherwise: Span },
    /// The cases of a `match`: the result of the first case, and that of this case.
    Case { first: Span, span: Span },
    /// A value in a constructor.
    Payload { span: Span, constructor: Name, position: usize },
    /// The condition of an `if`.
    Condition { span: Span },
    /// The condition of an `assert`.
    Assertion { span: Span },
    /// The operands of an operator, with their texts if both stand in the program, and the type that the context of
    /// the whole operation asks for, if it is known.
    Operands {
        sign: Name,
        left: Span,
        right: Span,
        written: [Option<QuotedOperand>; 2],
        wanted: Option<Scalar>,
    },
    /// An operand of `&&`, `||` or `!`.
    Logic { sign: Name, span: Span },
    /// The elements of an array.
    Element { first: Span, span: Span },
    /// Something with its type written after it.
    Annotation { span: Span, ty: Span },
    /// The result of a function, which has a name if it is no lambda.
    Result { function: Option<Name>, span: Span, ty: Span },
    /// An index.
    Index { span: Span },
    /// The new value of a field.
    Update { span: Span, field: Name },
    /// The carried value of a loop: before the first step, and after a step.
    Loop { init: Span, body: Span },
    /// The condition of a loop.
    LoopCondition { span: Span },
    /// The new element of an array.
    Replace { span: Span, array: Span },
    /// The new elements of a slice.
    ReplaceSlice { span: Span, slice: Span },
    /// The element that a generator gives to an operator, or the operator's neutral element.
    Yield { span: Span, operator: Span },
    /// The uses of an expression whose sizes could only be compared at the end of the definition.
    Later { span: Span },
}

/// The called function, as messages name it.
#[derive(Clone, Default, Debug)]
pub(crate) struct Callee {
    /// Its name, if it has one.
    pub(crate) name: Option<Name>,
    /// Its whole type.
    pub(crate) ty: Option<String>,
    /// Where it is defined, in the user's file.
    pub(crate) declared: Option<Span>,
    /// Its parameters, as far as they are known.
    pub(crate) params: Vec<CalleeParam>,
    /// The number of arguments that it has already.
    pub(crate) given: usize,
}

/// A parameter of a called function.
#[derive(Clone, Debug)]
pub(crate) struct CalleeParam {
    /// Its name, if it is one variable.
    pub(crate) name: Option<Name>,
    /// Where it is declared, in the user's file.
    pub(crate) declared: Option<Span>,
}

impl Callee {
    /// `` `f` ``, or words for a function without a name.
    pub(super) fn words(&self) -> String {
        self.name.as_ref().map_or_else(|| "this function".to_owned(), |name| format!("`{name}`"))
    }
}

impl ConstraintSite {
    /// The places of both sides, where neither is more likely to be wrong.
    pub(crate) fn sides(&self) -> Option<(Span, Span)> {
        match self {
            Self::Operands { left, right, .. } => Some((*left, *right)),
            Self::Branch { then, otherwise } => Some((*then, *otherwise)),
            Self::Case { first, span } | Self::Element { first, span } => Some((*first, *span)),
            Self::Argument { .. }
            | Self::Payload { .. }
            | Self::Condition { .. }
            | Self::Assertion { .. }
            | Self::Logic { .. }
            | Self::Annotation { .. }
            | Self::Result { .. }
            | Self::Index { .. }
            | Self::Update { .. }
            | Self::Loop { .. }
            | Self::LoopCondition { .. }
            | Self::Replace { .. }
            | Self::ReplaceSlice { .. }
            | Self::Yield { .. }
            | Self::Later { .. } => None,
        }
    }

    /// The place of the found side.
    pub(crate) fn span(&self) -> Span {
        match self {
            Self::Argument { span, .. }
            | Self::Case { span, .. }
            | Self::Payload { span, .. }
            | Self::Condition { span }
            | Self::Assertion { span }
            | Self::Logic { span, .. }
            | Self::Element { span, .. }
            | Self::Annotation { span, .. }
            | Self::Result { span, .. }
            | Self::Index { span }
            | Self::Update { span, .. }
            | Self::LoopCondition { span }
            | Self::Replace { span, .. }
            | Self::ReplaceSlice { span, .. }
            | Self::Yield { span, .. }
            | Self::Later { span } => *span,
            Self::Loop { body, .. } => *body,
            Self::Branch { otherwise, .. } => *otherwise,
            Self::Operands { right, .. } => *right,
        }
    }

    /// The diagnostic of two types that differ here.
    pub(super) fn types(&self, [expected, found]: [&ShownType; 2]) -> Diagnostic {
        let code = match self {
            Self::Branch { .. } | Self::Case { .. } => Code::BRANCH_MISMATCH,
            Self::Condition { .. } | Self::Assertion { .. } | Self::LoopCondition { .. } => {
                Code::CONDITION_NOT_BOOL
            }
            Self::Loop { .. } => Code::LOOP_TYPE,
            Self::Operands { .. } => Code::OPERAND_TYPE,
            Self::Argument { .. }
            | Self::Payload { .. }
            | Self::Logic { .. }
            | Self::Element { .. }
            | Self::Annotation { .. }
            | Self::Result { .. }
            | Self::Index { .. }
            | Self::Update { .. }
            | Self::Replace { .. }
            | Self::ReplaceSlice { .. }
            | Self::Yield { .. }
            | Self::Later { .. } => Code::TYPE_MISMATCH,
        };
        let needs_array = expected.is_array && !found.is_array;
        let be = if needs_array { "be an array," } else { "be" };
        let is_about_array = expected.is_array || found.is_array;
        let (expected, found) = (expected.text.as_str(), found.text.as_str());
        let message = self.message("types", (be, "is"), expected, found);
        let error =
            Diagnostic::error(code, self.span(), message).label(format!("this is `{found}`"));
        let error = self.with_callee(self.labels(error, &format!("this is `{expected}`")));
        if is_about_array { error.about(Subject::Array) } else { error }
    }

    /// Adds the type of the function that is called, where its definition cannot be shown.
    fn with_callee(&self, error: Diagnostic) -> Diagnostic {
        if let Self::Argument { callee, .. } = self
            && let Callee { declared: None, ty: Some(ty), .. } = callee
        {
            return error.note(format!("{} is `{ty}`", callee.words()));
        }
        error
    }

    /// The diagnostic of two sizes that differ here.
    pub(super) fn sizes(&self, expected: &str, found: &str) -> Diagnostic {
        let mut message = self.message("sizes", ("have size", "has size"), expected, found);
        if let Self::Argument { callee, others, .. } = self
            && !others.is_empty()
        {
            message = format!("the arguments of {} have different sizes", callee.words());
        }
        let error = Diagnostic::error(Code::SIZE_MISMATCH, self.span(), message);
        self.labels(
            error.label(format!("this has size `{found}`")),
            &format!("this has size `{expected}`"),
        )
    }

    /// The message, in one line.
    fn message(
        &self,
        kind: &str,
        (verb, found_verb): (&str, &str),
        expected: &str,
        found: &str,
    ) -> String {
        let should = format!("should {verb} `{expected}`, but {found_verb} `{found}`");
        match self {
            Self::Argument { callee, position, .. } => {
                format!("argument {} of {} {should}", position + 1, callee.words())
            }
            Self::Branch { .. } => format!("the branches of this `if` have different {kind}"),
            Self::Case { .. } => format!("the cases of this `match` have different {kind}"),
            Self::Payload { constructor, position, .. } => {
                format!("value {} of `#{constructor}` {should}", position + 1)
            }
            Self::Condition { .. } => format!("the condition of an `if` {should}"),
            Self::Assertion { .. } => format!("the condition of an `assert` {should}"),
            Self::Operands { sign, .. } => {
                format!("the operands of `{sign}` have different {kind}")
            }
            Self::Logic { sign, .. } => format!("an operand of `{sign}` {should}"),
            Self::Element { .. } => format!("the elements of this array have different {kind}"),
            Self::Annotation { .. } => format!("this {should}"),
            Self::Result { function: Some(name), .. } => format!("the result of `{name}` {should}"),
            Self::Result { function: None, .. } => format!("the result of this function {should}"),
            Self::Index { .. } => format!("an index {should}"),
            Self::Update { field, .. } => format!("the new value of the field `{field}` {should}"),
            Self::Loop { .. } if found_verb == "is" => {
                format!("this loop starts with `{expected}`, but its body gives `{found}`")
            }
            Self::Loop { .. } => format!("what this loop carries {should}"),
            Self::LoopCondition { .. } => format!("the condition of a `while` {should}"),
            Self::Replace { .. } => format!("the new element of this array {should}"),
            Self::ReplaceSlice { .. } => format!("what replaces this slice {should}"),
            Self::Yield { .. } => format!("this part of the with-loop {should}"),
            Self::Later { .. } if found_verb == "is" => {
                format!("these {kind} differ: `{expected}` and `{found}`")
            }
            Self::Later { .. } => format!("this {should}"),
        }
    }

    /// Adds the origin of the expectation; `side` is the text for the other side.
    fn labels(&self, error: Diagnostic, side: &str) -> Diagnostic {
        match self {
            Self::Argument { callee, position, others, .. } => {
                let param = callee.params.get(*position);
                let declared = param.and_then(|param| Some((param.declared?, param)));
                let error =
                    others.iter().fold(error, |error, (span, text)| error.also(*span, text));
                match declared {
                    Some((span, CalleeParam { name: Some(name), .. })) if others.is_empty() => {
                        error.also(
                            span,
                            format!(
                                "the parameter `{name}` of {} is declared here",
                                callee.words()
                            ),
                        )
                    }
                    Some((span, _)) if others.is_empty() => error.also(
                        span,
                        format!("this parameter of {} is declared here", callee.words()),
                    ),
                    _ => error,
                }
            }
            Self::Branch { then, .. } => error.also(*then, side),
            Self::Case { first, .. } => error.also(*first, side),
            Self::Operands { left, .. } => error.also(*left, side),
            Self::Element { first, .. } => error.also(*first, side),
            Self::Annotation { ty, .. } => error.also(*ty, "because of this annotation"),
            Self::Result { ty, .. } => error.also(*ty, "the result is declared here"),
            Self::Loop { init, .. } => error
                .also(*init, side)
                .help("what a loop carries has the same type before each step, and after the last"),
            Self::Replace { array, .. } => {
                error.also(*array, side.replace("this is", "its elements are"))
            }
            Self::Yield { operator, .. } => error.also(*operator, "because of this"),
            Self::ReplaceSlice { slice, .. } => {
                error.also(*slice, side.replacen("this", "this slice", 1))
            }
            Self::Payload { .. }
            | Self::Condition { .. }
            | Self::Assertion { .. }
            | Self::Logic { .. }
            | Self::Index { .. }
            | Self::Update { .. }
            | Self::LoopCondition { .. }
            | Self::Later { .. } => error,
        }
    }
}
