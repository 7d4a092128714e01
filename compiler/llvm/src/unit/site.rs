//! Constants of the program: the scalars of literals, and places in the source, which the runtime reads when a call
//! fails.
//!
//! A place in an inlined function also refers to the place of the call. For a place in the library, messages point at
//! the user's call, and name the place in the library in addition.
//!
//! Invariant: each place is one constant, `{ file, what, line, column, caller }`, with C strings.

use arrc_front::data::Data;
use arrc_syntax::ids::FuncId;
use arrc_syntax::source::Span;
use inkwell::module::Linkage;
use inkwell::values::{BasicValue, GlobalValue, PointerValue, UnnamedAddress};

use super::place::ErrorPlace;
use crate::unit::Unit;

/// The widest vectors.
const VECTOR_BYTES: u32 = 64;

impl<'ctx> Unit<'ctx, '_> {
    /// The constant for the place of an operation that may fail.
    pub(crate) fn site(&mut self, span: Span, what: &str) -> PointerValue<'ctx> {
        match self.users_call(span) {
            Some(call) => {
                let inside = self.written(span);
                self.place(Span { calls: span.calls, ..call }, what, Some(inside))
            }
            None => self.place(span, what, None),
        }
    }

    /// For a place in the library, the first call on the way there that the user has written.
    pub(super) fn users_call(&self, span: Span) -> Option<Span> {
        let mut at = span;
        while self.sources.get(at.file).is_library {
            at = self.program.calls.get(at.calls)?.at;
        }
        (at != span).then_some(at)
    }

    /// `file:line:column`.
    fn written(&self, span: Span) -> String {
        let at = self.sources.line_col(span);
        format!("{}:{}:{}", self.sources.get(span.file).path, at.line, at.column)
    }

    /// The constant for a place, reached through its calls. `inside` is the place in the library where the operation
    /// failed, if it is there.
    fn place(&mut self, span: Span, what: &str, inside: Option<String>) -> PointerValue<'ctx> {
        let at = self.sources.line_col(span);
        let file = arr_printable::line(&self.sources.get(span.file).path).into_owned();
        let (line, column, calls) = (at.line, at.column, span.calls);
        let place = ErrorPlace { file, what: what.to_owned(), line, column, calls, inside };
        if let Some(&known) = self.sites.get(&place) {
            return known;
        }
        let caller = match (self.program.calls.get(calls), &place.inside) {
            (Some(call), Some(inside)) => {
                let name = format!("{} ({inside})", call.name);
                self.place(call.at, &name, None)
            }
            (Some(call), None) => self.place(call.at, &call.name, None),
            (None, _) => self.types.ptr.const_null(),
        };
        let (file, what) = (self.string(&place.file), self.string(&place.what));
        let number = |n: u32| self.types.i32.const_int(u64::from(n), false).into();
        let (line, column) = (number(place.line), number(place.column));
        let value = self.types.site().const_named_struct(&[
            file.into(),
            what.into(),
            line,
            column,
            caller.into(),
        ]);
        let constant = self.constant("arr.site", &value).as_pointer_value();
        self.sites.insert(place, constant);
        constant
    }

    /// The constant for a call of a function, which is named as in the source. None for a part of a function, which the
    /// source does not call.
    pub(crate) fn call_site(&mut self, span: Span, function: FuncId) -> Option<PointerValue<'ctx>> {
        let function = &self.program.functions[function];
        let name = self.sources.text(function.span).to_owned();
        function.recursive.then(|| self.place(span, &name, None))
    }

    /// The word that the source text at a place begins with: the combinator, where one is applied.
    pub(crate) fn first_word(&self, span: Span) -> String {
        let in_word = |c: &char| c.is_alphanumeric() || *c == '_' || *c == '.';
        let word: String = self.sources.text(span).chars().take_while(in_word).collect();
        let is_name = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if is_name { word } else { String::new() }
    }

    fn string(&mut self, text: &str) -> PointerValue<'ctx> {
        if let Some(&known) = self.strings.get(text) {
            return known;
        }
        // A NUL would end the text early; paths and names have none.
        let value = self.context.const_string(text.replace('\0', " ").as_bytes(), true);
        let constant = self.constant("arr.text", &value).as_pointer_value();
        self.strings.insert(text.to_owned(), constant);
        constant
    }

    /// Memory of the program that holds these scalars, with the alignment of the elements of a buffer if they fill a
    /// vector.
    pub(crate) fn data(&self, data: &Data) -> PointerValue<'ctx> {
        let value = self.context.const_string(data.bytes(), false);
        let constant = self.constant("arr.data", &value);
        let is_long = data.bytes().len() >= VECTOR_BYTES as usize;
        constant.set_alignment(if is_long { VECTOR_BYTES } else { data.elem().bytes() });
        constant.as_pointer_value()
    }

    /// Constant data that only this module has.
    pub(crate) fn constant(&self, name: &str, value: &dyn BasicValue<'ctx>) -> GlobalValue<'ctx> {
        let ty = value.as_basic_value_enum().get_type();
        let global = self.module.add_global(ty, None, name);
        global.set_linkage(Linkage::Private);
        global.set_constant(true);
        global.set_unnamed_address(UnnamedAddress::Global);
        global.set_initializer(value);
        global
    }

    /// The place for an [`arr_abi::layout::Pace`].
    pub(crate) fn pace(&self, name: &str) -> PointerValue<'ctx> {
        let ty = self.context.i32_type().array_type(2);
        let global = self.module.add_global(ty, None, name);
        global.set_linkage(Linkage::Private);
        global.set_initializer(&ty.const_zero());
        global.as_pointer_value()
    }
}
