[
  (definition)
  (lambda)
  (let)
  (case)
  (loop)
  (generator)
  (module_body)
] @local.scope

(definition name: (name) @local.definition.function)
(definition parameter: (name) @local.definition.parameter)
(function_head name: (name) @local.definition.function)
(function_head parameter: (name) @local.definition.parameter)
(lambda parameter: (name) @local.definition.parameter)
(typed_pattern (name) @local.definition.var)
(tuple_pattern (name) @local.definition.var)
(let (name) @local.definition.var)
(size_binder (name) @local.definition.parameter)
(type_definition name: (name) @local.definition.type)
(module_definition name: (name) @local.definition.namespace)

(name) @local.reference
