"""The tree of a program as text, for the reduction of failing programs.

Invariant: `parse(program_text(parse(text)))` is `parse(text)`. Expressions have parentheses wherever they may be needed.

    expression_text(("op", "+", ("var", "x"), ("int", 1, None)))        "(x + 1)"
"""


def program_text(declarations):
    """The text of a program."""
    return "\n\n".join(declaration_text(declaration) for declaration in declarations) + "\n"


def declaration_text(node):
    if node[0] == "type":
        return f"type {node[1]} = {type_text(node[3])}"
    kind, name, binders, parameters, result, body = node
    return f"{kind} {signature(operator_in(name), binders, parameters, result)} =\n  {open_text(body)}"


def operator_in(name):
    """A name of a definition; an operator is in parentheses."""
    return name if name[0].isalpha() or name[0] == "_" else f"({name})"


def signature(name, binders, parameters, result):
    words = [name] + [f"[{of}]" if kind == "size" else of for kind, of in binders] + [pattern_text(part) for part in parameters]
    return " ".join(words) + (f": {type_text(result)}" if result else "")


def pattern_text(node):
    kind = node[0]
    if kind == "pvar":
        return operator_in(node[1])
    if kind == "pwild":
        return "_"
    if kind == "plit":
        return str(node[1]).lower()
    if kind == "ptuple":
        return "(" + ", ".join(map(pattern_text, node[1])) + ")"
    if kind == "prec":
        return "{" + ", ".join(f"{name} = {pattern_text(part)}" for name, part in node[1]) + "}"
    if kind == "pcon":
        return "(" + " ".join([f"#{node[1]}"] + [pattern_text(part) for part in node[2]]) + ")"
    return f"({pattern_text(node[1])}: {type_text(node[2])})"


def case_text(node):
    """A pattern behind `case`: a constructor needs no parentheses there."""
    return pattern_text(node)[1:-1] if node[0] == "pcon" else pattern_text(node)


def type_text(node):
    kind = node[0]
    if kind == "tname":
        return node[1]
    if kind == "tarr":
        dimension = "" if node[1] is None else open_text(node[1])
        return f"[{dimension}]{type_text(node[2])}"
    if kind == "ttuple":
        return "(" + ", ".join(map(type_text, node[1])) + ")"
    if kind == "trec":
        return "{" + ", ".join(f"{name}: {type_text(part)}" for name, part in node[1]) + "}"
    if kind == "tsum":
        return "(" + " | ".join(" ".join([f"#{name}", *map(type_text, parts)]) for name, parts in node[1]) + ")"
    if kind == "texist":
        return "?" + "".join(f"[{name}]" for name in node[1]) + f".{type_text(node[2])}"
    return f"({type_text(node[1])} -> {type_text(node[2])})"


def literal(value, suffix):
    """The text of a number."""
    text = repr(value)
    if suffix in ("f32", "f64") and isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        text = f"{value:.1f}"
    return f"({text}{suffix or ''})" if text.startswith("-") else text + (suffix or "")


ATOMS = frozenset(["int", "float", "bool", "var", "arr", "rec", "tuple", "index", "field"])


def expression_text(node):
    """The text of an expression, as an atom."""
    text = open_text(node)
    return text if node[0] in ATOMS or text.startswith("(") and closed(text) else f"({text})"


def closed(text):
    """Whether the first parenthesis of a text ends with the text."""
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def open_text(node):
    """The text of an expression where none follows and no operator is around."""
    return WRITERS[node[0]](node)


def parts_text(parts):
    return ", ".join(part_text(part) for part in parts)


def part_text(part):
    if part[0] == "at":
        return open_text(part[1])
    start, end, step = ("" if bound is None else expression_text(bound) for bound in part[1:])
    return f"{start}:{end}" + (f":{step}" if step else "")


def path_text(path):
    text = "".join(f".{step[1]}" if step[0] == "path_field" else f"[{parts_text(step[1])}]" for step in path)
    return text


def let_text(node):
    _, sizes, pattern, declared, value, body = node
    names = "".join(f"[{size}] " for size in sizes)
    typed = f": {type_text(declared)}" if declared else ""
    return f"let {names}{pattern_text(pattern)}{typed} = {open_text(value)}\n  in {open_text(body)}"


def letfun_text(node):
    _, name, binders, parameters, result, value, body = node
    return f"let {signature(name, binders, parameters, result)} = {open_text(value)}\n  in {open_text(body)}"


def loop_text(node):
    _, sizes, pattern, initial, form, body = node
    names = "".join(f"[{size}] " for size in sizes)
    start = f" = {open_text(initial)}" if initial else ""
    if form[0] == "while":
        steps = f"while {open_text(form[1])}"
    else:
        steps = f"for {pattern_text(form[1])} {'<' if form[0] == 'below' else 'in'} {open_text(form[2])}"
    return f"loop {names}{pattern_text(pattern)}{start} {steps} do {open_text(body)}"


def range_text(node):
    middle = f" .. {expression_text(node[2])}" if node[2] else ""
    return f"{expression_text(node[1])}{middle} {node[3]} {expression_text(node[4])}"


def match_text(node):
    cases = "".join(f" case {case_text(pattern)} -> {expression_text(body)}" for pattern, body in node[2])
    return f"(match {expression_text(node[1])}{cases})"


def lambda_text(node):
    result = f": {type_text(node[2])}" if node[2] else ""
    return "\\" + " ".join(map(pattern_text, node[1])) + f"{result} -> {open_text(node[3])}"


def with_loop_text(node):
    generators = "; ".join(map(generator_text, node[1]))
    operations = node[2]
    if isinstance(operations[0], str):
        return f"with {{ {generators} }} : {operation_text(operations)}"
    return f"with {{ {generators} }} : ({', '.join(map(operation_text, operations))})"


def generator_text(node):
    _, lower, is_open, index, below, upper, step, width, element = node
    end = lambda bound: "." if bound == ("edge",) else expression_text(bound)
    names = pattern_text(index) if index[0] != "pvector" else "[" + ", ".join(map(pattern_text, index[1])) + "]"
    grid = (f" step {expression_text(step)}" if step else "") + (f" width {expression_text(width)}" if width else "")
    signs = ["<" if is_less else "<=" for is_less in (is_open, below)]
    return f"({end(lower)} {signs[0]} {names} {signs[1]} {end(upper)}{grid}) : {open_text(element)}"


def operation_text(node):
    if node[0] == "modarray":
        return f"modarray {expression_text(node[1])}"
    first = node[1][1] if node[1][0] == "opfun" and node[0] == "fold" else open_text(node[1])
    return f"{node[0]} ({first}" + (f", {open_text(node[2])}" if node[2] else "") + ")"


WRITERS = {
    "withloop": with_loop_text,
    "int": lambda node: literal(node[1], node[2]),
    "float": lambda node: literal(node[1], node[2]),
    "bool": lambda node: str(node[1]).lower(),
    "var": lambda node: node[1],
    "app": lambda node: " ".join(map(expression_text, (node[1],) + node[2])),
    "op": lambda node: f"({expression_text(node[2])} {node[1]} {expression_text(node[3])})",
    "neg": lambda node: f"(-{expression_text(node[1])})",
    "not": lambda node: f"(!{expression_text(node[1])})",
    "lam": lambda_text,
    "let": let_text,
    "letfun": letfun_text,
    "if": lambda node: f"if {open_text(node[1])} then {open_text(node[2])} else {open_text(node[3])}",
    "loop": loop_text,
    "assert": lambda node: f"assert {expression_text(node[1])} {expression_text(node[2])}",
    "match": match_text,
    "tuple": lambda node: "(" + ", ".join(map(open_text, node[1])) + ")",
    "rec": lambda node: "{" + ", ".join(f"{name} = {open_text(part)}" for name, part in node[1]) + "}",
    "arr": lambda node: "[" + ", ".join(map(open_text, node[1])) + "]",
    "index": lambda node: f"{expression_text(node[1])}[{parts_text(node[2])}]",
    "field": lambda node: f"{expression_text(node[1])}.{node[2]}",
    "with": lambda node: f"({expression_text(node[1])} with {path_text(node[2])} = {expression_text(node[3])})",
    "range": range_text,
    "ann": lambda node: f"({expression_text(node[1])}: {type_text(node[2])})",
    "coerce": lambda node: f"({expression_text(node[1])} :> {type_text(node[2])})",
    "secpath": lambda node: f"({path_text(node[1]) if node[1][0][0] == 'path_field' else '.' + path_text(node[1])})",
    "opfun": lambda node: f"({node[1]})",
    "secr": lambda node: f"({node[1]} {expression_text(node[2])})",
    "secl": lambda node: f"({expression_text(node[1])} {node[2]})",
    "con": lambda node: " ".join([f"#{node[1]}", *map(expression_text, node[2])]),
}
