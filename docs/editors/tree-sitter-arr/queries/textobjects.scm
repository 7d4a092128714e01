(definition body: (_) @function.inside) @function.around
(lambda body: (_) @function.inside) @function.around
(definition parameter: (_) @parameter.inside)
(lambda parameter: (_) @parameter.inside)
(application argument: (_) @parameter.inside)
(type_definition body: (_) @class.inside) @class.around
(module_definition) @class.around
(module_type_definition) @class.around
(if) @conditional.around
(match) @conditional.around
(loop body: (_) @loop.inside) @loop.around
(comment)+ @comment.around
