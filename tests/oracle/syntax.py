"""The text of a program of Arr as a tree, and back. It shares no code with the compiler.

A node is a tuple: its kind, then its parts. So a walk over any tree is a loop over tuples, which is what the
reduction of a failing program needs. The parser knows the language without modules, imports, with-loops and shape
parameters; a program with these is `Unsupported`.

    parse("entry f (x: i64): i64 = x + 1")
    (("entry", "f", (), (("pann", ("pvar", "x"), ("tname", "i64", ())),), ("tname", "i64", ()),
      ("op", "+", ("var", "x"), ("int", 1, None))),)
"""

from words import LEVELS, LEVEL_OF, RESERVED_SIGNS, SCALARS, SIGNS, Unsupported, level_of, number, tokens


class Parser:
    """A parser by recursive descent, with one token of lookahead in most places."""

    def __init__(self, text):
        self.tokens = tokens(text)
        self.at = 0
        self.ends = ()

    # Tokens.

    def peek(self, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def sees(self, *words):
        kind, word, _ = self.peek()
        return kind in ("sign", "word", "mark", "dots") and word in words

    def take(self, word):
        if self.sees(word):
            self.at += 1
            return True
        return False

    def need(self, word):
        if not self.take(word):
            raise Unsupported(f"{self.peek()[1]!r} in the place of {word!r}")

    def name(self):
        kind, word, _ = self.peek()
        if kind != "name":
            raise Unsupported(f"{word!r} in the place of a name")
        self.at += 1
        return word

    def operator(self):
        """The operator that comes next, or none."""
        kind, word, _ = self.peek()
        is_operator = kind == "sign" and word[0] in SIGNS and word not in RESERVED_SIGNS
        return word if is_operator or (kind == "sign" and word == "`") else None

    # Declarations.

    def program(self):
        found = []
        while self.peek()[0] != "end":
            self.attributes()
            found.append(self.declaration())
        return tuple(found)

    def attributes(self):
        while self.take("#["):
            depth = 1
            while depth:
                depth += self.sees("[", "#[") - self.sees("]")
                if self.peek()[0] == "end":
                    raise Unsupported("an attribute without an end")
                self.at += 1

    def declaration(self):
        if self.take("type"):
            name = self.name()
            binders = self.binders()
            self.need("=")
            return ("type", name, binders, self.type())
        for kind in ("def", "entry"):
            if self.take(kind):
                name = self.operator_name() if self.sees("(") else self.name()
                binders = self.binders()
                parameters = self.parameters()
                result = self.type() if self.take(":") else None
                self.need("=")
                return (kind, name, binders, parameters, result, self.expression())
        raise Unsupported(f"the declaration {self.peek()[1]!r}")

    def operator_name(self):
        self.need("(")
        word = self.operator()
        self.at += 1
        self.need(")")
        return word

    def binders(self):
        found = []
        while True:
            if self.sees("[") and self.peek(1)[0] == "name" and self.peek(2)[1] == "]":
                self.at += 1
                found.append(("size", self.name()))
                self.need("]")
            elif self.peek()[0] == "tick":
                found.append(("type", self.peek()[1]))
                self.at += 1
            else:
                return tuple(found)

    def parameters(self):
        found = []
        while self.peek()[0] == "name" or self.sees("(", "{"):
            found.append(self.pattern_atom())
        return tuple(found)

    # Patterns.

    def pattern(self):
        found = self.pattern_atom()
        if self.take(":"):
            return ("pann", found, self.type())
        return found

    def pattern_atom(self):
        kind, word, _ = self.peek()
        if kind == "name":
            self.at += 1
            return ("pwild",) if word == "_" else ("pvar", word)
        if kind == "number" or self.sees("-"):
            sign = -1 if self.take("-") else 1
            value = number(self.peek()[1])
            self.at += 1
            return ("plit", sign * value[1])
        if self.sees("true", "false"):
            self.at += 1
            return ("plit", word == "true")
        if kind == "mark" and word != "#[":
            self.at += 1
            return ("pcon", word[1:], ())
        if self.take("("):
            if self.operator() and self.peek(1)[1] == ")":
                self.at -= 1
                return ("pvar", self.operator_name())
            parts = self.separated(self.case, ")")
            return parts[0] if len(parts) == 1 else ("ptuple", parts)
        if self.take("{"):
            return ("prec", self.separated(self.field_pattern, "}"))
        raise Unsupported(f"the pattern {word!r}")

    def field_pattern(self):
        name = self.name()
        inner = self.case() if self.take("=") else ("pvar", name)
        return (name, inner)

    def case(self):
        kind, word, _ = self.peek()
        if kind == "mark" and word != "#[":
            self.at += 1
            parts = []
            while self.peek()[0] in ("name", "number") or self.sees("(", "{", "true", "false"):
                parts.append(self.pattern_atom())
            return ("pcon", word[1:], tuple(parts))
        return self.pattern()

    def separated(self, part, end):
        found = []
        while not self.take(end):
            found.append(part())
            if not self.sees(end):
                self.need(",")
        return tuple(found)

    # Types.

    def type(self):
        found = self.type_operand()
        if self.take("->"):
            return ("tfun", found, self.type())
        return found

    def type_operand(self):
        if self.take("?"):
            names = []
            while self.take("["):
                names.append(self.name())
                self.need("]")
            self.need(".")
            return ("texist", tuple(names), self.type())
        if self.take("*"):
            return self.type_operand()
        if self.peek()[0] == "mark":
            constructors = []
            while self.peek()[0] == "mark":
                name = self.peek()[1][1:]
                self.at += 1
                payload = []
                while self.peek()[0] == "name" or self.sees("(", "{", "["):
                    payload.append(self.type_atom())
                constructors.append((name, tuple(payload)))
                self.take("|")
            return ("tsum", tuple(constructors))
        return self.type_atom(arguments=True)

    def type_atom(self, arguments=False):
        if self.take("["):
            dimension = None if self.sees("]") else self.expression()
            self.need("]")
            return ("tarr", dimension, self.type_atom(arguments))
        if self.take("*"):
            return self.type_atom(arguments)
        if self.take("("):
            if self.peek()[0] == "name" and self.peek(1)[1] == ":":
                raise Unsupported("a named argument in a type")
            parts = self.separated(self.type, ")")
            return parts[0] if len(parts) == 1 else ("ttuple", parts)
        if self.take("{"):
            return ("trec", self.separated(self.field_type, "}"))
        if self.peek()[0] == "tick":
            self.at += 1
            return ("tname", self.peek(-1)[1][1:], ())
        name = self.name()
        return ("tname", name, ())

    def field_type(self):
        name = self.name()
        self.need(":")
        return (name, self.type())

    # Expressions.

    def expression(self):
        found = self.chain()
        while self.take("with"):
            path = self.path()
            self.need("=")
            found = ("with", found, path, self.chain())
        if self.peek()[0] == "dots":
            middle = None
            if self.take(".."):
                middle = self.chain()
            kind = self.peek()[1]
            self.at += 1
            found = ("range", found, middle, kind, self.chain())
        while self.sees(":", ":>"):
            kind = "ann" if self.take(":") else "coerce"
            self.take(":>")
            found = (kind, found, self.type())
        return found

    def path(self):
        steps = []
        self.take(".")
        while True:
            if self.peek()[0] in ("name", "number") and (not steps or self.peek(-1)[1] == "."):
                steps.extend(("path_field", part) for part in self.peek()[1].split("."))
                self.at += 1
            elif self.take("["):
                steps.append(("path_index", self.separated(self.part, "]")))
            elif self.take("."):
                continue
            else:
                return tuple(steps)

    def part(self):
        bounds, colons = [None, None, None], 0
        while not self.sees(",", "]"):
            if self.take(":"):
                colons += 1
            else:
                bounds[colons] = self.chain()
        return ("slice", *bounds) if colons else ("at", bounds[0])

    def chain(self, level=0):
        if level == len(LEVELS):
            return self.prefix()
        left = self.chain(level + 1)
        while True:
            sign = self.operator()
            if sign is None or level_of(sign) != level:
                return left
            if self.peek(1)[1] == ")":
                return left
            self.at += 1
            if sign == "`":
                function = ("var", self.name())
                self.need("`")
                left = ("app", function, (left, self.chain(level + 1)))
            else:
                # `f <| g <| x` is `f (g x)`.
                left = ("op", sign, left, self.chain(level + (sign != "<|")))

    def prefix(self):
        if self.take("-"):
            inner = self.prefix()
            if inner[0] in ("int", "float") and inner[1] > 0:
                return (inner[0], -inner[1], inner[2])
            return ("neg", inner)
        if self.take("!"):
            return ("not", self.prefix())
        kind, word, _ = self.peek()
        if kind == "word" or word in ("\\", "#["):
            parse = {
                "\\": self.function,
                "let": self.let,
                "if": self.condition,
                "loop": self.loop,
                "assert": self.assertion,
                "match": self.match,
                "with": self.with_loop,
            }.get(word)
            if word == "#[":
                self.attributes()
                return self.expression()
            if parse:
                self.at += 1
                return parse()
        return self.application()

    def function(self):
        parameters = self.parameters()
        result = self.type_operand() if self.take(":") else None
        self.need("->")
        return ("lam", parameters, result, self.expression())

    def let(self):
        sizes = tuple(name for _, name in self.binders())
        first = self.peek()
        if first[0] == "name" and first[1] != "_" and not sizes and self.peek(1)[1] not in ("=", ":"):
            name = self.name()
            if self.sees("[") and not self.peek()[2]:
                path = self.path()
                self.need("=")
                value = ("with", ("var", name), path, self.expression())
                return ("let", (), ("pvar", name), None, value, self.rest())
            binders = self.binders()
            parameters = self.parameters()
            result = self.type() if self.take(":") else None
            self.need("=")
            value = self.expression()
            return ("letfun", name, binders, parameters, result, value, self.rest())
        pattern = self.case() if not self.sees("(", "{") and first[0] != "name" else self.pattern_atom()
        declared = self.type() if self.take(":") else None
        self.need("=")
        value = self.expression()
        return ("let", sizes, pattern, declared, value, self.rest())

    def rest(self):
        if self.take("let"):
            return self.let()
        self.need("in")
        return self.expression()

    def condition(self):
        condition = self.expression()
        self.need("then")
        yes = self.expression()
        self.need("else")
        return ("if", condition, yes, self.expression())

    def loop(self):
        sizes = tuple(name for _, name in self.binders())
        pattern = self.pattern_atom()
        initial = self.expression() if self.take("=") else None
        if self.take("while"):
            form = ("while", self.expression())
        else:
            self.need("for")
            inner = self.pattern_atom()
            kind = "below" if self.take("<") else "in"
            if kind == "in":
                self.need("in")
            form = (kind, inner, self.expression())
        self.need("do")
        return ("loop", sizes, pattern, initial, form, self.expression())

    def assertion(self):
        condition = self.primary()
        return ("assert", condition, self.primary())

    def match(self):
        subject = self.expression()
        cases = []
        while self.take("case"):
            pattern = self.case()
            self.need("->")
            cases.append((pattern, self.expression()))
        return ("match", subject, tuple(cases))

    def with_loop(self):
        """`with { (lower <= index < upper step s width w) : element; … } : operation`."""
        self.need("{")
        generators = [self.generator()]
        while self.take(";"):
            generators.append(self.generator())
        self.need("}")
        self.need(":")
        if self.take("("):
            operations = self.separated(self.operation, ")")
        else:
            operations = self.operation()
        return ("withloop", tuple(generators), operations)

    def generator(self):
        self.need("(")
        lower, is_open = self.end(), self.below()
        index = self.pattern_of_index()
        below, upper = self.below(), self.end()
        step, width = (self.bound() if self.taken_name(name) else None for name in ("step", "width"))
        self.need(")")
        self.need(":")
        return ("generator", lower, is_open, index, below, upper, step, width, self.expression())

    def below(self):
        """Whether the bound itself is left out."""
        if self.take("<="):
            return False
        self.need("<")
        return True

    def end(self):
        return ("edge",) if self.take(".") else self.bound()

    def bound(self):
        before, self.ends = self.ends, ("step", "width")
        found = self.chain(LEVEL_OF["<"] + 1)
        self.ends = before
        return found

    def taken_name(self, name):
        if self.peek()[:2] != ("name", name):
            return False
        self.at += 1
        return True

    def pattern_of_index(self):
        if self.take("["):
            return ("pvector", self.separated(self.pattern_atom, "]"))
        return self.pattern_atom()

    def operation(self):
        kind = self.name()
        if kind == "modarray":
            return (kind, self.primary())
        self.need("(")
        if kind == "fold" and self.operator() and self.peek(1)[1] == ",":
            first = ("opfun", self.operator())
            self.at += 1
        else:
            first = self.expression()
        rest = self.expression() if self.take(",") else None
        self.need(")")
        return (kind, first, rest)

    def application(self):
        function = self.primary()
        arguments = []
        while self.begins_atom():
            arguments.append(self.primary())
        if function[0] == "con":
            return ("con", function[1], tuple(arguments))
        return ("app", function, tuple(arguments)) if arguments else function

    def begins_atom(self):
        kind, word, blank = self.peek()
        if kind == "name" and word in self.ends:
            return False
        if kind in ("number", "name") or (kind == "mark" and word != "#["):
            return True
        return self.sees("(", "{", "true", "false") or (self.sees("[") and blank)

    def primary(self):
        found = self.atom()
        while True:
            _, _, blank = self.peek()
            if self.sees("[") and not blank:
                self.at += 1
                found = ("index", found, self.separated(self.part, "]"))
            elif self.sees(".") and not blank and self.peek(1)[0] in ("name", "number"):
                self.at += 1
                for part in self.peek()[1].split("."):
                    found = member(found, part)
                self.at += 1
            elif self.sees(".") and self.peek(1)[1] == "(" and found[0] == "var" and found[1] in SCALARS:
                self.at += 1
                found = ("var", f"{found[1]}.{self.operator_name()}")
            else:
                return found

    def atom(self):
        kind, word, _ = self.peek()
        if kind == "number":
            self.at += 1
            return number(word)
        if kind == "name":
            self.at += 1
            return ("var", word)
        if kind == "mark":
            self.at += 1
            return ("con", word[1:], ())
        if self.sees("true", "false"):
            self.at += 1
            return ("bool", word == "true")
        if self.take("["):
            return ("arr", self.separated(self.expression, "]"))
        if self.take("{"):
            return ("rec", self.separated(self.field, "}"))
        if self.take("("):
            return self.parenthesis()
        raise Unsupported(f"the expression {word!r}")

    def field(self):
        name = self.name()
        return (name, self.expression() if self.take("=") else ("var", name))

    def parenthesis(self):
        if self.take(")"):
            return ("tuple", ())
        if self.sees("."):
            path = self.path()
            self.need(")")
            return ("secpath", path)
        sign = self.operator()
        if sign and self.peek(1)[1] == ")":
            self.at += 1
            self.need(")")
            return ("opfun", sign)
        if sign and sign != "-" and sign != "`":
            self.at += 1
            operand = self.expression()
            self.need(")")
            return ("secr", sign, operand)
        first = self.expression()
        sign = self.operator()
        if sign and self.peek(1)[1] == ")":
            self.at += 1
            self.need(")")
            return ("secl", first, sign)
        if self.take(")"):
            return first
        self.need(",")
        return ("tuple", (first,) + self.separated(self.expression, ")"))


def member(base, name):
    """A part of a value, or a member of a scalar type's module."""
    if base[0] == "var" and base[1] in SCALARS:
        return ("var", f"{base[1]}.{name}")
    return ("field", base, name)


def parse(text):
    """The declarations of a program."""
    return Parser(text).program()
