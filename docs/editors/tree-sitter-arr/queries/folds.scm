[
  (definition)
  (type_definition)
  (module_body)
  (let)
  (if)
  (match)
  (loop)
  (with_loop)
  (lambda)
  (array)
  (tuple)
  (record)
] @fold
