; What is said last wins.

(name) @variable

["def" "entry" "intrinsic" "external"] @keyword.function
["type" "module" "open" "local" "val" "include" "let" "in" "with" "do" "assert"] @keyword
"import" @keyword.import
["if" "then" "else" "match" "case"] @keyword.conditional
["loop" "for" "while"] @keyword.repeat
["genarray" "modarray" "fold"] @keyword
(step "step" @keyword)
(width "width" @keyword)

(definition name: (name) @function)
(definition name: (operator_name) @function)
(definition parameter: (name) @variable.parameter)
(function_head name: (name) @function)
(function_head parameter: (name) @variable.parameter)
(lambda parameter: (name) @variable.parameter)
(application function: (name) @function.call)
(application function: (field field: (name) @function.call))

(type_definition name: (name) @type.definition)
(type_item name: (name) @type.definition)
(module_definition name: (name) @module)
(module_parameter name: (name) @module)
(named_module_type (name) @module)
(module_item name: (name) @module)
(module_application (path (name) @module))
(module_type_definition name: (name) @type.definition)
(refinement type: (path (name) @type))
(value_item name: (name) @function)
(value_item name: (operator_name) @function)
(type_name (path (name) @type))
(type_variable) @type
(size_binder (name) @variable.parameter)

(field field: (name) @variable.member)
(record field: (name) @variable.member)
(record_type field: (name) @variable.member)
(record_pattern field: (name) @variable.member)

(number) @number
(field_number) @number
(boolean) @boolean
(character) @character
(text) @string
(constructor) @constructor
(hole) @comment.error
(attribute) @attribute
(wildcard) @variable.builtin

(operator) @operator
(backquoted) @operator
["=" "->" "^" "~" "\\" "-" "!" "|" "*" "?" ":>" ".." "..." "..<" "..>" "<" "<="] @operator
["(" ")" "[" "]" "{" "}" "#["] @punctuation.bracket
["," ";" "." ":"] @punctuation.delimiter

(comment) @comment
((comment) @comment.documentation
  (#match? @comment.documentation "^-- *\\|"))
