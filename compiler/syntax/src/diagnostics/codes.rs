//! The registry: every code with its short name and its page.
//!
//! Invariant: codes are never reused. `A01xx` syntax, `A02xx` names, `A03xx` types and sizes,
//! `A04xx` programs that cannot be compiled, `A05xx` the command line and files, `A06xx` run time,
//! `A070x` and `A072x` warnings,
//! `A071x` hints.

/// A stable code, such as `A0301`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Code(pub &'static str);

impl Code {
    /// Its name in words, such as `size-mismatch`.
    ///
    /// # Panics
    /// If the code is not in the registry. Codes are made nowhere else.
    #[must_use]
    pub fn name(self) -> &'static str {
        let entry = REGISTRY.iter().find(|entry| entry.code == self);
        entry.map(|entry| entry.name).expect("every code is in the registry")
    }
}

/// An entry of the registry.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its name in words, such as `size-mismatch`.
    pub name: &'static str,
    /// Its page in `docs/errors/`.
    pub page: &'static str,
}

macro_rules! registry {
    ($($(#[$doc:meta])* $ident:ident = $code:literal, $name:literal;)*) => {
        impl Code {$(
            $(#[$doc])*
            pub const $ident: Self = Self($code);
        )*}

        /// Every code, in order.
        pub const REGISTRY: &[Entry] = &[$(Entry {
            code: Code($code),
            name: $name,
            page: include_str!(concat!("../../../../docs/errors/", $code, ".md")),
        }),*];
    };
}

registry! {
    /// The parser met something that cannot stand there.
    SYNTAX = "A0101", "syntax";
    /// A bracket is opened and never closed, or closed by one of another shape.
    UNCLOSED_BRACKET = "A0102", "unclosed-bracket";
    /// A bracket closes nothing.
    UNOPENED_BRACKET = "A0103", "unopened-bracket";
    /// A number has a bad digit or suffix, or no type can hold it.
    INVALID_NUMBER = "A0104", "invalid-number";
    /// A character that begins no token.
    STRAY_CHARACTER = "A0105", "stray-character";
    /// Phrases are nested too deeply.
    TOO_DEEP = "A0106", "too-deep";
    /// A `let` has no body: an expression in which its name means something.
    LET_WITHOUT_BODY = "A0107", "let-without-body";
    /// A definition or a binding lacks its `=`.
    MISSING_EQUALS = "A0108", "missing-equals";
    /// An `if` lacks its `then` or its `else`.
    INCOMPLETE_IF = "A0109", "incomplete-if";
    /// The text has lines that a version control system left in two versions.
    CONFLICT = "A0110", "merge-conflict";
    /// A name that means nothing where it stands.
    UNDEFINED_NAME = "A0201", "undefined-name";
    /// A type name that is not defined.
    UNDEFINED_TYPE = "A0202", "undefined-type";
    /// A size name that is not defined.
    UNDEFINED_SIZE = "A0203", "undefined-size";
    /// Two definitions of one name.
    DUPLICATE_DEFINITION = "A0204", "duplicate-definition";
    /// Two parameters, variables of a pattern or fields of one name.
    DUPLICATE_NAME = "A0205", "duplicate-name";
    /// A field that the type does not have.
    UNDEFINED_FIELD = "A0206", "undefined-field";
    /// An intrinsic outside of the prelude.
    MISPLACED_INTRINSIC = "A0207", "misplaced-intrinsic";
    /// An import of a file that is not there, or that cannot be read.
    IMPORT_NOT_FOUND = "A0208", "import-not-found";
    /// Files that import each other.
    IMPORT_CYCLE = "A0209", "import-cycle";
    /// A module name that is not defined.
    UNDEFINED_MODULE = "A0210", "undefined-module";
    /// A module where a value is needed.
    MODULE_AS_VALUE = "A0211", "module-as-value";
    /// A parametric module without an argument, or another module with one.
    PARAMETRIC_MODULE = "A0212", "parametric-module";
    /// A `???` in a program.
    HOLE = "A0213", "hole";
    /// An external whose type has no equivalent in C.
    EXTERNAL_TYPE = "A0214", "external-type";
    /// An external has an attribute that has no meaning there.
    EXTERNAL_ATTRIBUTE = "A0215", "external-attribute";
    /// Two functions of C with one name.
    SAME_SYMBOL = "A0216", "same-symbol";
    /// An external whose name is not allowed in C.
    EXTERNAL_NAME = "A0217", "external-name";
    /// The name of a module type that is not defined.
    UNDEFINED_MODULE_TYPE = "A0218", "undefined-module-type";
    /// A module lacks an item of its type.
    MISSING_ITEM = "A0219", "missing-item";
    /// A value of a module has another type than the module type says.
    MODULE_VALUE_TYPE = "A0220", "module-value-type";
    /// A type of a module is another one than the module type says.
    MODULE_TYPE_DIFFERS = "A0221", "module-type-differs";
    /// A type behind `with` that the module type does not leave open.
    REFINEMENT = "A0222", "refinement";
    /// Two sizes that must be equal are not.
    SIZE_MISMATCH = "A0301", "size-mismatch";
    /// Two types that must be equal are not.
    TYPE_MISMATCH = "A0302", "type-mismatch";
    /// The branches of an `if` differ in type.
    BRANCH_MISMATCH = "A0303", "branch-mismatch";
    /// The condition of an `if` is not a `bool`.
    CONDITION_NOT_BOOL = "A0304", "condition-not-bool";
    /// An operator is used on types that it does not have.
    OPERAND_TYPE = "A0305", "operand-type";
    /// Something is applied to more arguments than it takes.
    NOT_A_FUNCTION = "A0306", "not-a-function";
    /// A size is needed where it is not known.
    SIZE_ESCAPES = "A0307", "size-escapes";
    /// A pattern does not fit its value.
    PATTERN_MISMATCH = "A0308", "pattern-mismatch";
    /// A number does not fit in its type.
    LITERAL_RANGE = "A0309", "literal-range";
    /// A recursive definition lacks some of its types.
    UNANNOTATED_RECURSION = "A0310", "unannotated-recursion";
    /// An entry has a type that C cannot call.
    ENTRY_TYPE = "A0311", "entry-type";
    /// A type would contain itself.
    INFINITE_TYPE = "A0312", "infinite-type";
    /// A function is stored or chosen at run time.
    FUNCTION_IN_DATA = "A0313", "function-in-data";
    /// `==` on arrays or functions.
    NOT_COMPARABLE = "A0314", "not-comparable";
    /// A type abbreviation has too many or too few arguments.
    TYPE_ARGUMENTS = "A0315", "type-arguments";
    /// A field of something whose type is not known.
    UNKNOWN_SUBJECT = "A0316", "unknown-subject";
    /// A size parameter whose value no argument determines.
    UNDETERMINED_SIZE = "A0317", "undetermined-size";
    /// An expression in the brackets of a type cannot be a size.
    BAD_SIZE = "A0318", "bad-size";
    /// `?[k]` stands outside of a function's result type.
    MISPLACED_EXISTS = "A0319", "misplaced-exists";
    /// A type abbreviation contains itself.
    RECURSIVE_TYPE = "A0320", "recursive-type";
    /// A recursive definition that could never be computed.
    RECURSION = "A0321", "recursion";
    /// A loop whose body gives another type than it starts with.
    LOOP_TYPE = "A0322", "loop-type";
    /// A loop whose body needs a size that it does not keep.
    LOOP_SIZE = "A0323", "loop-size";
    /// A loop that counts to something that is no integer.
    LOOP_BOUND = "A0324", "loop-bound";
    /// A loop has no initial value, and its pattern cannot be one.
    LOOP_INIT = "A0325", "loop-init";
    /// An array that is used after it was consumed.
    CONSUMED = "A0326", "consumed";
    /// An array that is consumed where it may not be.
    NOT_CONSUMABLE = "A0327", "not-consumable";
    /// A result marked `*` that others use.
    SHARED_RESULT = "A0328", "shared-result";
    /// A `*` where it means nothing.
    MISPLACED_MARK = "A0329", "misplaced-mark";
    /// A constructor whose sum type is not known.
    UNKNOWN_SUM = "A0330", "unknown-sum";
    /// A constructor that the type does not have.
    UNDEFINED_CONSTRUCTOR = "A0331", "undefined-constructor";
    /// A constructor with too many or too few payloads.
    PAYLOADS = "A0332", "payloads";
    /// A `match` without a case for some values.
    NOT_EXHAUSTIVE = "A0333", "not-exhaustive";
    /// A case that no value reaches.
    UNREACHABLE_CASE = "A0334", "unreachable-case";
    /// A pattern outside of a `match` that does not fit every value.
    REFUTABLE_PATTERN = "A0335", "refutable-pattern";
    /// A function where only data can be.
    FUNCTION_VALUE = "A0402", "function-value";
    /// An array whose elements are `()`.
    UNIT_ELEMENT = "A0403", "unit-element";
    /// A recursive function that needs endlessly many specialisations.
    ENDLESS_SPECIALISATION = "A0405", "endless-specialisation";
    /// A program that is too large when its calls are inlined.
    TOO_LARGE = "A0406", "too-large";
    /// A size with too many terms or factors, or too large a number.
    SIZE_TOO_LARGE = "A0407", "size-too-large";
    /// A program cannot be read.
    UNREADABLE = "A0501", "unreadable-file";
    /// A program is not text.
    NOT_UTF8 = "A0502", "not-utf-8";
    /// A result cannot be written.
    UNWRITABLE = "A0503", "unwritable-file";
    /// `arrc explain` is asked for a code that does not exist.
    UNKNOWN_CODE = "A0504", "unknown-code";
    /// A program without an entry.
    NO_ENTRY = "A0505", "no-entry";
    /// An entry that is not there.
    UNKNOWN_ENTRY = "A0506", "unknown-entry";
    /// The wrong number of arguments.
    ARGUMENT_COUNT = "A0507", "argument-count";
    /// An argument that does not fit its type.
    ARGUMENT = "A0508", "argument";
    /// An unknown processor or target.
    TARGET = "A0509", "target";
    /// The linker is missing or failed.
    LINK = "A0510", "link";
    /// An entry whose name is not allowed in C.
    ENTRY_NAME = "A0512", "entry-name";
    /// A size that a `let` names, but that its pattern does not determine.
    UNBOUND_SIZE = "A0340", "unbound-size";
    /// A function that consumes its argument stands where a function must not consume it.
    CONSUMING_FUNCTION = "A0341", "consuming-function";
    /// A size parameter that a type abbreviation does not use.
    UNUSED_SIZE = "A0342", "unused-size";
    /// An index or a slice that is out of bounds for every input.
    OUT_OF_BOUNDS = "A0350", "out-of-bounds";
    /// A definition has a type that was chosen by default, and is used at another type.
    DEFAULTED = "A0351", "defaulted";
    /// Vectors of different lengths, or of an unknown one, where an index space needs one length.
    INDEX_RANK = "A0360", "index-rank";
    /// Generators that give the same elements.
    OVERLAP = "A0361", "overlapping-generators";
    /// A generator that leaves the array.
    OUTSIDE_SHAPE = "A0362", "generator-outside";
    /// Some elements are in no generator, and there is no default.
    NO_DEFAULT = "A0363", "missing-default";
    /// A step that is not positive, or a width greater than the step.
    GRID = "A0364", "generator-step";
    /// An expression that is no index vector stands where an index vector must stand.
    INDEX_VECTOR = "A0365", "index-vector";
    /// A function of arrays of any rank is used where the rank is not determined, or where only one rank is possible.
    RANK = "A0366", "rank";
    /// A test block lacks a brace.
    TEST_BRACE = "A0513", "test-brace";
    /// A word that means nothing in a test block.
    TEST_WORD = "A0514", "test-word";
    /// Something is missing in a test block, or stands where it cannot.
    TEST_ORDER = "A0515", "test-order";
    /// A test block has an invalid regular expression.
    TEST_REGEX = "A0516", "test-regex";
    /// A test block names an entry or a block that the program does not have.
    TEST_SUBJECT = "A0517", "test-subject";
    /// A test has too many or too few values.
    TEST_COUNT = "A0518", "test-count";
    /// A value of a test does not fit its type.
    TEST_VALUE = "A0519", "test-value";
    /// There is nothing to test.
    NO_TESTS = "A0520", "no-tests";
    /// A value that cannot be drawn, or a file name with an unknown picture format.
    PLOT = "A0521", "plot";
    /// A command line that no command has.
    USAGE = "A0522", "usage";
    /// `arrc bench` finds no call to measure.
    NOTHING_TO_MEASURE = "A0530", "nothing-to-measure";
    /// Two fusion strategies give results that differ.
    DISAGREEMENT = "A0531", "disagreement";
    /// There is no installation to remove.
    NOT_INSTALLED = "A0532", "not-installed";
    /// Index out of bounds.
    RUN_INDEX = "A0601", "run-index";
    /// Division by zero.
    RUN_DIVISION = "A0602", "run-division";
    /// Negative size.
    RUN_SIZE = "A0603", "run-size";
    /// Sizes differ on entry.
    RUN_SHAPE = "A0604", "run-shape";
    /// Out of memory.
    RUN_MEMORY = "A0605", "run-memory";
    /// Recursion too deep.
    RUN_STACK = "A0606", "run-stack";
    /// Negative exponent.
    RUN_POWER = "A0607", "run-power";
    /// A slice that does not lie in its array.
    RUN_SLICE = "A0608", "run-slice";
    /// A range that does not lead from its first number to its last.
    RUN_RANGE = "A0609", "run-range";
    /// An array that is not of the size that `:>` says.
    RUN_COERCION = "A0610", "run-coercion";
    /// An `assert` that does not hold.
    RUN_ASSERTION = "A0611", "run-assertion";
    /// An external function reported that it failed.
    RUN_EXTERNAL = "A0612", "run-external";
    /// An external function is called, but nothing defines it.
    UNDEFINED_EXTERNAL = "A0613", "undefined-external";
    /// A file that `--link` names cannot be compiled.
    LINKED_SOURCE = "A0614", "linked-source";
    /// An external function is called in the interpreter.
    INTERPRETED_EXTERNAL = "A0615", "interpreted-external";
    /// Generators that overlap, leave the array, or miss some of it.
    RUN_GENERATOR = "A0616", "run-generator";
    /// The call was stopped before it was done.
    RUN_CANCELLED = "A0617", "run-cancelled";
    /// A `let` whose name is never used.
    UNUSED_BINDING = "A0701", "unused-binding";
    /// A `let` that hides a definition of the file.
    HIDDEN_DEFINITION = "A0702", "hidden-definition";
    /// An attribute that means nothing to the compiler.
    UNKNOWN_ATTRIBUTE = "A0703", "unknown-attribute";
    /// A parameter that is hidden, and used nowhere.
    HIDDEN_PARAMETER = "A0704", "hidden-parameter";
    /// A loop whose variable is never used.
    UNUSED_LOOP_VARIABLE = "A0705", "unused-loop-variable";
    /// A loop whose body uses no value that it carries.
    FORGETFUL_LOOP = "A0706", "forgetful-loop";
    /// A `reduce` or a `scan` whose operator is not associative.
    NOT_ASSOCIATIVE = "A0707", "not-associative";
    /// A `reduce` or a `scan` whose initial value is not neutral.
    NOT_NEUTRAL = "A0708", "not-neutral";
    /// A `^` of integers where a power is probably meant.
    XOR_AS_POWER = "A0709", "xor-as-power";
    /// Two filters by one condition, where one would save a pass.
    FILTERED_TWICE = "A0710", "filtered-twice";
    /// A fold of floats whose order need not matter.
    ORDERED_FOLD = "A0711", "ordered-fold";
    /// A `:>` makes two sizes equal only after the pass that makes the array.
    LATE_COERCION = "A0712", "late-coercion";
    /// An array is indexed where its elements could be streamed.
    INDEXED_IN_ORDER = "A0713", "indexed-in-order";
    /// An array that each step of a pass allocates.
    ARRAY_IN_STEP = "A0714", "array-in-step";
    /// A quotient of integers that is converted to a float.
    INTEGER_QUOTIENT = "A0720", "integer-quotient";
    /// A constant that its type cannot hold.
    WRAPPED_CONSTANT = "A0721", "wrapped-constant";
    /// A comparison that the range of a type decides.
    CONSTANT_COMPARISON = "A0722", "constant-comparison";
}
