// The grammar of Arr for tree-sitter. It follows compiler/syntax/src/parse/grammar; a test of arrc compares the trees of
// both for the programs of the project.

/* global grammar, seq, choice, repeat, repeat1, optional, field, token, prec, alias */

// From loose to tight. Behind LET, an expression takes all that follows.
const LET = -1;
const ASCRIBED = 1;
const RANGED = 2;
const UPDATED = 3;
const BACKQUOTED = 4;
const PREFIXED = 20;
const APPLIED = 21;
const POSTFIX = 22;

const NAME = /[A-Za-z_][A-Za-z0-9_']*/;

// An operator binds as its longest known prefix does: the prefixes of each level, from loose to tight. Longer prefixes
// win against shorter ones of other levels by the second number.
const LEVELS = [
  ['pipe', 5, 'left', [[/\|>/, 2]]],
  ['pipe_back', 6, 'right', [[/<\|/, 2]]],
  ['or', 7, 'left', [[/\|\|/, 2]]],
  ['and', 8, 'left', [[/&&/, 2]]],
  ['compare', 9, 'left', [[/<=/, 2], [/>=/, 2], [/>/, 1], [/</, 1], [/==/, 2], [/!=/, 2], [/=/, 1], [/!/, 1]]],
  ['bits', 10, 'left', [[/&/, 1], [/\^/, 1], [/\|/, 1]]],
  ['shift', 11, 'left', [[/<</, 2], [/>>/, 2]]],
  ['add', 12, 'left', [[/\+/, 1], [/-/, 1]]],
  ['multiply', 13, 'left', [[/\*/, 1], [/\//, 1], [/%/, 1]]],
  ['power', 14, 'left', [[/\*\*/, 2]]],
];

const SIGNS = /[+\-*\/%=!><|&^]*/;
const MORE_SIGNS = /[+\-*\/%=!><|&^]+/;

// `=`, `!` and `-` alone are tokens of their own; behind qualifiers the last two are operators.
function operator(prefixes) {
  const plain = prefixes.map(([prefix, rank]) => {
    const alone = ['=', '!', '-'].includes(prefix.source);
    return token(prec(rank, seq(prefix, alone ? MORE_SIGNS : SIGNS)));
  });
  const qualified = prefixes.map(([prefix, rank]) => {
    const more = prefix.source === '=' ? MORE_SIGNS : SIGNS;
    return token(prec(rank, seq(repeat1(seq(NAME, '.')), prefix, more)));
  });
  return choice(...plain, ...qualified);
}

const operators = {};
for (const [name, , , prefixes] of LEVELS) {
  operators[`_${name}_operator`] = _ => operator(prefixes);
}

const comma1 = rule => seq(rule, repeat(seq(',', rule)));
const comma = rule => optional(comma1(rule));
// A comma may stand behind the last item.
const items1 = rule => seq(comma1(rule), optional(','));
const items = rule => optional(items1(rule));

module.exports = grammar({
  name: 'arr',
  word: $ => $.name,
  extras: $ => [/\s/, '\u{feff}', $.comment],
  supertypes: $ => [],
  conflicts: $ => [
    [$._type, $.function_type],
    [$._binder, $.part],
    [$._pattern, $.parenthesized_pattern],
    [$.named_parameter, $.type_name],
  ],
  rules: {
    source_file: $ => repeat($._declaration),

    comment: _ => token(prec(9, seq('--', /[^\n\r]*/))),

    // Declarations.
    _declaration: $ => seq(repeat($.attribute), optional('local'), choice(
      $.definition, $.type_definition, $.module_definition, $.module_type_definition, $.open, $.import,
    )),
    definition: $ => prec.right(seq(
      field('keyword', choice('def', 'let', 'entry', 'intrinsic', 'external')),
      choice(
        seq(field('name', $._binder), repeat($._type_binder), repeat(field('parameter', $._pattern))),
        $._infix_head,
      ),
      optional(seq(':', field('result', $._type))),
      optional(seq('=', field('body', $._expression))),
    )),
    // An operator between its parameters: `def f -1` defines `-`.
    _infix_head: $ => prec(1, seq(
      field('parameter', choice($.name, $.wildcard, $.parenthesized_pattern, $.tuple_pattern)),
      field('name', $._infix_operator),
      field('parameter', $._pattern),
    )),
    _infix_operator: $ => choice($._section_operator, alias('-', $.operator)),
    _binder: $ => choice($.name, $.operator_name),
    operator_name: $ => seq('(', $._any_operator, ')'),
    _type_binder: $ => choice($.size_binder, $.shape_binder, $.type_variable),
    size_binder: $ => seq($._open_square, $.name, ']'),
    shape_binder: $ => seq($._open_square, '..', $.name, ']'),
    type_definition: $ => seq(
      'type', optional($._lift), field('name', $.name), repeat($._type_binder), '=', field('body', $._type),
    ),
    // What the values of a type may be made of.
    _lift: _ => choice('^', '~'),
    open: $ => seq('open', $._module),
    import: $ => seq('import', $.text),

    // Modules.
    module_definition: $ => seq(
      'module', field('name', $.name), repeat($.module_parameter), optional($._module_result),
      '=', field('body', $._module),
    ),
    module_parameter: $ => seq('(', field('name', $.name), ':', $._module_type, ')'),
    _module_result: $ => seq(choice(':', ':>'), $._module_type),
    _module: $ => choice($._module_chain, $.module_ascription, $.module_function),
    module_function: $ => seq(
      '\\', $.module_parameter, optional(seq(choice(':', ':>'), $._refined_type)),
      '->', field('body', $._module),
    ),
    module_ascription: $ => seq(
      choice($._module_chain, $.module_ascription), choice(':', ':>'), $._module_type,
    ),
    _module_chain: $ => choice($.module_application, $._module_argument, $.import),
    module_application: $ => seq(
      field('function', $._module_chain), field('argument', $._module_argument),
    ),
    // An import behind a module begins a declaration.
    _module_argument: $ => choice($.path, $.module_body, seq('(', $._module, ')')),
    module_body: $ => seq('{', repeat($._declaration), '}'),

    // Module types.
    module_type_definition: $ => seq(
      'module', 'type', field('name', $.name), '=', field('body', $._module_type),
    ),
    _module_type: $ => choice($.module_function_type, $._refined_type),
    module_function_type: $ => seq(
      choice($._refined_type, $.named_module_type), '->', $._module_type,
    ),
    named_module_type: $ => seq('(', $.name, ':', $._module_type, ')'),
    _refined_type: $ => choice(
      $.path, $.refined_type, $.module_type_body, seq('(', $._module_type, ')'),
    ),
    refined_type: $ => seq($._refined_type, 'with', $.refinement),
    refinement: $ => seq(field('type', $.path), repeat($._type_binder), '=', field('body', $._type)),
    module_type_body: $ => seq('{', repeat($._item), '}'),
    _item: $ => seq(repeat($.attribute), choice(
      $.value_item, $.type_item, $.module_item, $.include,
    )),
    value_item: $ => seq(
      'val', field('name', choice($._binder, alias($._any_operator, $.operator))),
      repeat($._type_binder), ':', field('type', $._type),
    ),
    type_item: $ => seq(
      'type', optional($._lift), field('name', $.name), repeat($._type_binder),
      optional(seq('=', field('body', $._type))),
    ),
    module_item: $ => seq('module', field('name', $.name), ':', $._module_type),
    include: $ => seq('include', $._module_type),
    path: $ => prec.left(seq($.name, repeat(seq('.', $.name)))),

    // Attributes.
    attribute: $ => seq('#[', $._attribute, ']'),
    _attribute: $ => seq(choice($.name, $.number), optional(seq('(', comma($._attribute), ')'))),

    // Types.
    _type: $ => choice($.function_type, $._plain_type),
    function_type: $ => prec.right(seq(
      choice($._plain_type, $.named_parameter), '->', $._type,
    )),
    named_parameter: $ => seq('(', $.name, ':', $._type, ')'),
    _plain_type: $ => choice($.exists_type, $.sum_type, $.unique_type, $._array_type),
    exists_type: $ => prec.right(1, seq('?', repeat1($.size_binder), '.', $._type)),
    unique_type: $ => seq('*', $._array_type),
    sum_type: $ => prec.right(seq($.variant, repeat(seq('|', $.variant)))),
    variant: $ => prec.right(seq($.constructor, repeat($._payload_type))),
    _payload_type: $ => choice(
      alias($.bare_type_name, $.type_name), $._closed_type, alias($.payload_array, $.array_type),
    ),
    payload_array: $ => seq($.size, $._payload_type),
    _array_type: $ => choice($.array_type, $.type_name, $._closed_type),
    array_type: $ => seq($.size, $._array_type),
    type_name: $ => prec.right(seq(
      $.path, repeat(choice($.size, alias($.bare_type_name, $.type_name), $._closed_type)),
    )),
    bare_type_name: $ => $.path,
    _closed_type: $ => choice($.type_variable, $.tuple_type, $.record_type),
    tuple_type: $ => choice(
      seq('(', items($._type), ')'),
      seq('{', items1(seq(field('field', $.number), ':', $._type)), '}'),
    ),
    record_type: $ => seq('{', items(seq(field('field', $.name), ':', $._type)), '}'),
    size: $ => seq($._open_square, optional(choice($._expression, seq('..', $.name))), ']'),
    type_variable: _ => /'[~^]?[A-Za-z_][A-Za-z0-9_']*/,

    // Patterns.
    _pattern: $ => choice(
      $.wildcard, $.name, $.operator_name, alias($.constructor, $.constructor_pattern),
      $.literal_pattern, $.tuple_pattern, $.parenthesized_pattern, $.record_pattern,
    ),
    wildcard: _ => '_',
    literal_pattern: $ => seq(optional('-'), choice($.number, $.character, $.boolean)),
    _whole_pattern: $ => choice($._pattern, $.constructor_pattern),
    constructor_pattern: $ => prec.right(seq($.constructor, repeat1($._pattern))),
    _inner_pattern: $ => choice($._whole_pattern, $.typed_pattern),
    typed_pattern: $ => seq($._whole_pattern, ':', $._type),
    parenthesized_pattern: $ => seq('(', $._inner_pattern, ')'),
    tuple_pattern: $ => choice(
      seq('(', optional(seq($._inner_pattern, ',', items1($._inner_pattern))), ')'),
      seq('{', items1(seq(field('field', $.number), '=', $._inner_pattern)), '}'),
    ),
    record_pattern: $ => seq('{', items(choice(
      field('field', $.name),
      seq(field('field', $.name), '=', $._inner_pattern),
      seq(field('field', $.name), ':', $._type),
    )), '}'),

    // Expressions.
    _expression: $ => choice($._chain, $.update, $.range, $.ascription),
    ascription: $ => prec.left(ASCRIBED, seq($._expression, choice(':', ':>'), $._type)),
    range: $ => prec.left(RANGED, seq(
      choice($._chain, $.update), optional(seq('..', $._chain)), choice('...', '..<', '..>'), $._chain,
    )),
    update: $ => prec.left(UPDATED, seq(choice($._chain, $.update), 'with', $._path, '=', $._chain)),
    _path: $ => prec.right(seq(
      choice(seq(optional('.'), choice($.name, $.number, $.field_number)), seq(optional('.'), '[', $._dims, ']')),
      repeat(choice(seq('.', choice($.name, $.field_number)), $.brackets)),
    )),
    brackets: $ => seq($._index_open, $._dims, ']'),
    _dims: $ => comma1(choice($._chain, $.slice)),
    slice: $ => prec.right(seq(
      optional($._chain), ':', optional($._chain), optional(seq(':', optional($._chain))),
    )),

    _chain: $ => choice($.infix, $._operand),
    infix: $ => choice(
      ...LEVELS.map(([name, level, side]) => prec[side](level, seq(
        field('left', $._chain),
        field('operator', alias(
          name === 'add' ? choice($[`_${name}_operator`], '-')
            : name === 'bits' ? choice($[`_${name}_operator`], '|')
            : name === 'multiply' ? choice($[`_${name}_operator`], '*')
            : $[`_${name}_operator`],
          $.operator,
        )),
        field('right', $._chain),
      ))),
      prec.left(BACKQUOTED, seq(
        field('left', $._chain), field('operator', $.backquoted), field('right', $._chain),
      )),
    ),
    ...operators,
    _any_operator: $ => choice($._section_operator, '-', '!'),
    _section_operator: $ => alias(
      choice(...LEVELS.map(([name]) => $[`_${name}_operator`]), '|', '*', $.backquoted), $.operator,
    ),
    backquoted: _ => /`[A-Za-z_][A-Za-z0-9_'.]*`/,

    _operand: $ => choice(
      $.let, $.if, $.loop, $.with_loop, $.match, $.lambda, $.assert, $.attributed, $.prefix,
      $.application, $._primary,
    ),
    prefix: $ => prec(PREFIXED, seq(choice('-', '!'), $._operand)),
    application: $ => prec.left(APPLIED, seq(
      field('function', $._primary),
      choice(
        seq(repeat1(field('argument', $._primary)), optional(field('argument', $.lambda))),
        field('argument', $.lambda),
      ),
    )),
    assert: $ => prec.left(APPLIED, seq('assert', $._primary, $._primary)),
    attributed: $ => prec.right(LET, seq($.attribute, $._expression)),
    lambda: $ => prec.right(LET, seq(
      '\\', repeat1(field('parameter', $._pattern)), optional(seq(':', $._plain_type)), '->',
      field('body', $._expression),
    )),
    if: $ => prec.right(LET, seq(
      'if', $._expression, 'then', $._expression, 'else', $._expression,
    )),
    let: $ => prec.right(LET, seq(
      'let', $._binding, '=', field('value', $._expression),
      choice(seq('in', field('body', $._expression)), field('body', $.let)),
    )),
    _binding: $ => choice(
      seq(repeat($.size_binder), $._whole_pattern, optional(seq(':', $._type))),
      $.function_head,
      $.part,
    ),
    function_head: $ => seq(
      field('name', $._binder),
      choice(
        seq(repeat1($._type_binder), repeat(field('parameter', $._pattern))),
        repeat1(field('parameter', $._pattern)),
      ),
      optional(seq(':', $._type)),
    ),
    part: $ => seq($.name, repeat1(choice(seq('.', choice($.name, $.field_number)), $.brackets))),
    match: $ => prec.right(LET, seq('match', $._expression, repeat1($.case))),
    case: $ => prec.right(LET, seq('case', $._whole_pattern, '->', field('body', $._expression))),
    loop: $ => prec.right(LET, seq(
      'loop', repeat($.size_binder), $._pattern, optional(seq('=', $._expression)),
      choice(
        seq('for', $._pattern, choice(alias($._below, '<'), 'in'), $._expression),
        seq('while', $._expression),
      ),
      'do', field('body', $._expression),
    )),
    _below: _ => token(prec(3, '<')),
    with_loop: $ => prec.right(LET, seq(
      'with', '{', $.generator, repeat(seq(';', $.generator)), optional(';'), '}', ':',
      choice($.operation, seq('(', comma1($.operation), ')')),
    )),
    generator: $ => seq($.generator_head, ':', field('body', $._expression)),
    generator_head: $ => prec(1, seq(
      '(', $._bound, $._up_to, choice($.name, $.index_names), $._up_to, $._bound,
      optional($.step), optional($.width), ')',
    )),
    step: $ => prec.dynamic(1, seq('step', $._bound_expression)),
    width: $ => prec.dynamic(1, seq('width', $._bound_expression)),
    _up_to: $ => choice(alias($._below, '<'), alias($._at_most, '<=')),
    _at_most: _ => token(prec(3, '<=')),
    index_names: $ => seq($._open_square, comma1(choice($.name, $.wildcard)), ']'),
    _bound: $ => choice('.', $._bound_expression),
    _bound_expression: $ => $._chain,
    operation: $ => choice(
      seq('genarray', '(', comma1($._expression), ')'),
      seq('modarray', $._primary),
      seq('fold', '(', choice(alias($._any_operator, $.operator), $._expression), ',', $._expression, ')'),
    ),

    _primary: $ => choice(
      $.name, alias($._soft_word, $.name), $.number, $.character, $.boolean, $.text, $.hole, $.constructor, $.field, $.index, $.opened,
      $.operator_name, $.section, $.parenthesized, $.tuple, $.array, $.record,
    ),
    // The words of a generator are names everywhere else.
    _soft_word: _ => choice('step', 'width'),
    field: $ => prec(POSTFIX, seq(
      field('value', $._primary), '.', field('field', choice($.name, $.field_number, $.operator_name)),
    )),
    index: $ => prec(POSTFIX, seq(field('array', $._primary), $._index_open, $._dims, ']')),
    opened: $ => prec(POSTFIX, seq(
      field('module', $._primary), '.', choice($.parenthesized, $.tuple, $.section),
    )),
    parenthesized: $ => seq('(', $._expression, ')'),
    tuple: $ => choice(
      seq('(', ')'),
      seq('(', $._expression, ',', items1($._expression), ')'),
      seq('{', items1(seq(field('field', $.number), '=', $._expression)), '}'),
    ),
    section: $ => choice(
      seq('(', $._section_operator, $._expression, ')'),
      seq('(', $._chain, choice($._section_operator, '-'), ')'),
      seq('(', '.', choice($.name, $.field_number, seq('[', $._dims, ']'), seq($._index_open, $._dims, ']')),
        repeat(choice(seq('.', choice($.name, $.field_number)), $.brackets)), ')'),
    ),
    array: $ => seq('[', items($._expression), ']'),
    record: $ => seq('{', items(choice(
      field('field', $.name), seq(field('field', $.name), '=', $._expression),
    )), '}'),

    _open_square: $ => choice('[', $._index_open),
    _index_open: _ => token.immediate(prec(1, '[')),
    name: _ => NAME,
    field_number: _ => token.immediate(/[0-9]+/),
    number: _ => token(prec(1, choice(
      /0[xX][0-9a-fA-F_]+(\.[0-9a-fA-F_]+)?([pP][+-]?[0-9_]+)?([iuf][0-9]+)?/,
      /0[bBoO][0-9_]+([iuf][0-9]+)?/,
      /[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9_]+)?([iuf][0-9]+)?/,
    ))),
    boolean: _ => choice('true', 'false'),
    character: _ => token(prec(2, /'([^'\\\n\r]|\\[^xu\n\r]|\\x[0-9a-fA-F]{2}|\\u\{[0-9a-fA-F]+\})'/)),
    text: _ => /"([^"\\\n\r]|\\[^\n\r])*"/,
    constructor: _ => /#[A-Za-z_][A-Za-z0-9_']*/,
    hole: _ => /\?\?\?+/,
  },
});
