; Two columns, as `arrc fmt` has it.
[
  (definition)
  (type_definition)
  (module_body)
  (module_type_body)
  (lambda)
  (case)
  (loop)
  (generator)
  (array)
  (tuple)
  (record)
  (parenthesized)
] @indent.begin

[")" "]" "}"] @indent.branch @indent.end
["in" "then" "else" "case"] @indent.branch
