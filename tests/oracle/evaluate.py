"""The meaning of a program, from its text: eager, with sizes that are values.

Sizes in types are compared when the program runs, in every place where a type is written. Each function does what the
language reference says of its construct, and nothing is optimised.

    call(parse("entry f [n] (xs: [n]i64): i64 = n"), "f", [Array([np.int64(7)])])       np.int64(1)
"""

import numpy as np

import library
from places import Places, ranged
from spaces import Spaces
from scalars import BINARY, UNARY, binary, cast, constant, inverted, negative
from words import SCALARS
from values import (
    TYPES,
    Array,
    Failure,
    Function,
    Poison,
    Skip,
    Sum,
    apply,
    array,
    force,
    integer,
    same,
)

# The most expressions that a call evaluates, and the most elements of an array.
STEPS = 20_000


class Evaluator(Places, Spaces):
    """A program, and how much of it has been evaluated."""

    def __init__(self, declarations):
        self.definitions = {node[1]: node for node in declarations if node[0] != "type"}
        self.types = {node[1]: node[3] for node in declarations if node[0] == "type"}
        self.steps = 0
        self.failed = None
        self.depth = 0

    def call(self, name, arguments):
        """The value of an entry for these arguments; `Poison` if it fails."""
        self.steps, self.failed, self.depth = 0, None, 0
        node = self.definitions[name]
        try:
            if not node[3]:
                return self.definition(node)
            return apply(self.definition(node), arguments)
        except Failure as error:
            self.failed = self.failed or str(error)
            return Poison(str(error))
        except RecursionError as error:
            raise Skip("a recursion that is too deep") from error
        except OverflowError as error:
            raise Skip("a number that its type does not hold") from error

    # Functions.

    def definition(self, node):
        """A definition as a value."""
        _, _, binders, parameters, result, body = node
        return self.closure(binders, parameters, result, body, {})

    def closure(self, binders, parameters, result, body, env):
        """A function, or the value of its body if it has no parameters."""

        def call(*arguments):
            inner = dict(env)
            self.bound(parameters, arguments, binders, inner)
            self.depth += 1
            if self.depth > 60:
                raise Skip("a recursion that is too deep")
            value = self.value(body, inner) if result is None else self.expected(body, result, inner)
            self.depth -= 1
            return value

        return Function(len(parameters), call) if parameters else call()

    def bound(self, parameters, arguments, binders, env):
        """Binds parameters. Sizes are bound by the first array that has them as a dimension, and compared with others.
        A dimension that is an expression waits until its sizes are bound.
        """
        unknown = {name for kind, name in binders if kind == "size"}
        for name in unknown:
            env.pop(name, None)
        waiting = []
        for pattern, argument in zip(parameters, arguments):
            self.match(pattern, argument, env, unknown, waiting)
        self.settled(waiting, env, unknown)

    def settled(self, waiting, env, unknown):
        """Compares the dimensions that wait for sizes, and solves for those that are the only unknown."""
        for dimension, length in waiting:
            free = [name for name in variables(dimension) if name in unknown and name not in env]
            if len(free) == 1:
                env[free[0]] = np.int64(self.solved(dimension, length, free[0], env))
            elif free:
                raise Skip("a size that follows from the result")
        for dimension, length in waiting:
            if integer(self.value(dimension, env)) != length:
                raise Failure("sizes that must be equal are not")

    def solved(self, dimension, length, name, env):
        """The size for which a dimension has a length."""
        for size in range(length + 8):
            if integer(self.value(dimension, {**env, name: np.int64(size)})) == length:
                return size
        raise Failure("no size fits")

    # Patterns and types.

    def match(self, pattern, value, env, unknown=frozenset(), waiting=None):
        """Binds the names of a pattern that fits every value."""
        kind = pattern[0]
        if kind == "pvar":
            env[pattern[1]] = value
        elif kind == "pann":
            value = self.conformed(value, pattern[2], env, unknown, waiting)
            self.match(pattern[1], value, env, unknown, waiting)
        elif kind == "ptuple":
            parts = value if isinstance(value, tuple) else [value] * len(pattern[1])
            for part, inner in zip(pattern[1], parts):
                self.match(part, inner, env, unknown, waiting)
        elif kind == "prec":
            for name, part in pattern[1]:
                self.match(part, value if isinstance(value, Poison) else value[name], env, unknown, waiting)
        elif kind != "pwild":
            raise Skip("a pattern that may not fit")

    def fits(self, pattern, value, env):
        """Whether a case fits; binds its names."""
        kind = pattern[0]
        if kind == "plit":
            return bool(force(value) == pattern[1])
        if kind == "pcon":
            value = force(value)
            return value.name == pattern[1] and all(
                self.fits(part, inner, env) for part, inner in zip(pattern[2], value.parts)
            )
        if kind == "ptuple" and not isinstance(value, Poison):
            return all([self.fits(part, inner, env) for part, inner in zip(pattern[1], value)])
        if kind == "prec" and not isinstance(value, Poison):
            return all([self.fits(part, value[name], env) for name, part in pattern[1]])
        self.match(pattern, value, env)
        return True

    def conformed(self, value, of, env, unknown=frozenset(), waiting=None):
        """The value as one of a type: sizes are compared or bound, and literals get their type."""
        if isinstance(value, Poison):
            return value
        kind = of[0]
        if kind == "tname":
            if of[1] in TYPES:
                return typed(of[1], value)
            return self.conformed(value, self.types[of[1]], env, unknown, waiting) if of[1] in self.types else value
        if kind == "tarr":
            return self.conformed_array(value, of, env, unknown, waiting)
        if kind == "ttuple" and isinstance(value, tuple):
            return tuple(self.conformed(part, inner, env, unknown, waiting) for part, inner in zip(value, of[1]))
        if kind == "trec":
            inner = {name: self.conformed(value[name], part, env, unknown, waiting) for name, part in of[1]}
            return inner
        if kind == "tsum":
            parts = dict(of[1])[value.name]
            return Sum(value.name, tuple(self.conformed(x, t, env, unknown, waiting) for x, t in zip(value.parts, parts)))
        if kind == "texist":
            for name in of[1]:
                env.pop(name, None)
            late = []
            value = self.conformed(value, of[2], env, set(unknown) | set(of[1]), late)
            self.settled(late, env, set(of[1]))
            return value
        return value

    def conformed_array(self, value, of, env, unknown, waiting):
        if not isinstance(value, Array):
            raise Skip("an array was expected")
        _, dimension, inner = of
        length = len(value.items)
        if dimension is not None:
            self.measured(dimension, length, env, unknown, waiting)
        if inner[0] == "tname" and inner[1] in TYPES:
            items = [typed(inner[1], item) for item in value.items]
            return Array(items, TYPES[inner[1]](0))
        if not value.items:
            return Array([], self.zero(inner, env, unknown, value.of))
        return array([self.conformed(item, inner, env, unknown, waiting) for item in value.items])

    def measured(self, dimension, length, env, unknown, waiting):
        """Compares a dimension with a length, or binds its size."""
        if dimension[0] == "var" and dimension[1] in unknown and dimension[1] not in env:
            env[dimension[1]] = np.int64(length)
            return
        if any(name not in env and name not in self.definitions for name in variables(dimension)):
            if waiting is None:
                raise Skip("a size that is not known yet")
            waiting.append((dimension, length))
        elif integer(self.value(dimension, env)) != length:
            raise Failure("sizes that must be equal are not")

    def zero(self, of, env, unknown, known):
        """A sample of a type, or what is known of one."""
        kind = of[0]
        if kind == "tname" and of[1] in TYPES:
            return TYPES[of[1]](0)
        if kind == "tname" and of[1] in self.types:
            return self.zero(self.types[of[1]], env, unknown, known)
        if kind == "ttuple":
            parts = known if isinstance(known, tuple) else [None] * len(of[1])
            return tuple(self.zero(part, env, unknown, of) for part, of in zip(of[1], parts))
        if kind == "trec":
            return {name: self.zero(part, env, unknown, known and known[name]) for name, part in of[1]}
        if kind != "tarr":
            return known
        length = len(known.items) if isinstance(known, Array) else None
        if of[1] is not None and all(name in env for name in variables(of[1])):
            said = integer(self.value(of[1], env))
            if said < 0:
                raise Failure("negative size")
            if length is not None and said != length:
                raise Failure("sizes that must be equal are not")
            length = said
        elif length is not None and of[1] is not None and of[1][0] == "var" and of[1][1] in unknown:
            env[of[1][1]] = np.int64(length)
        if length is None:
            return None
        inner = self.zero(of[2], env, unknown, known.sample() if isinstance(known, Array) else None)
        return Array([inner] * length, inner)

    # Expressions.

    def value(self, node, env):
        """The value of an expression."""
        self.steps += 1
        if self.steps > STEPS:
            raise Skip("a computation that is too long")
        return getattr(self, "do_" + node[0])(node, env)

    def lazy(self, node, env):
        """The value of an expression that may not be needed."""
        try:
            return self.value(node, env)
        except Failure as error:
            self.failed = self.failed or str(error)
            return Poison(str(error))

    def expected(self, node, of, env):
        """The value of an expression in a place that has a type."""
        if node[0] == "app" and node[1][0] == "var" and node[1][1] in library.BY_RESULT and node[1][1] not in env:
            arguments = [self.lazy(argument, env) for argument in node[2]]
            value = library.BY_RESULT[node[1][1]](self, of, env, *arguments)
            if value is not None:
                return self.conformed(value, of, env)
        if node[0] == "if":
            taken = node[2] if force(self.value(node[1], env)) else node[3]
            return self.expected(taken, of, env)
        return self.conformed(self.value(node, env), of, env)

    def do_int(self, node, _env):
        return cast(node[2], node[1]) if node[2] else node[1]

    do_float = do_int

    def do_bool(self, node, _env):
        return node[1]

    def do_var(self, node, env):
        name = node[1]
        if name in env:
            return env[name]
        if name in self.definitions:
            return self.definition(self.definitions[name])
        if "." in name:
            return scalar_member(*name.split(".", 1))
        if name in library.FUNCTIONS:
            function = library.FUNCTIONS[name]
            return Function(function.__code__.co_argcount - 1, lambda *given: function(self, *given))
        raise Skip(f"the name {name}")

    def do_app(self, node, env):
        return apply(self.value(node[1], env), [self.lazy(argument, env) for argument in node[2]])

    def do_op(self, node, env):
        sign = node[1]
        if sign in self.definitions or sign in env:
            return self.do_app(("app", ("var", sign), node[2:]), env)
        if sign in ("&&", "||"):
            left = force(self.value(node[2], env))
            return force(self.value(node[3], env)) if left == (sign == "&&") else left
        if sign in ("|>", "<|"):
            function, argument = (node[3], node[2]) if sign == "|>" else node[2:]
            return apply(self.value(function, env), [self.lazy(argument, env)])
        if sign in (">->", "<-<"):
            first, second = (self.value(part, env) for part in (node[2:] if sign == ">->" else node[:1:-1]))
            return Function(1, lambda x: apply(second, [apply(first, [x])]))
        return infix(sign)(self.value(node[2], env), self.value(node[3], env))

    def do_opfun(self, node, env):
        if node[1] in self.definitions or node[1] in env:
            return self.value(("var", node[1]), env)
        return Function(2, infix(node[1]))

    def do_secl(self, node, env):
        return apply(self.do_opfun(("opfun", node[2]), env), [self.lazy(node[1], env)])

    def do_secr(self, node, env):
        function, right = self.do_opfun(("opfun", node[1]), env), self.lazy(node[2], env)
        return Function(1, lambda left: apply(function, [left, right]))

    def do_secpath(self, node, env):
        def part(value):
            return self.part_of(value, node[1], env)

        return Function(1, part)

    def part_of(self, value, path, env):
        for step in path:
            value = field(value, step[1]) if step[0] == "path_field" else self.indexed(value, step[1], env)
        return value

    def do_neg(self, node, env):
        value = self.value(node[1], env)
        if isinstance(value, Array):
            return Array(list(map(negative, value.items)))
        return negative(value)

    def do_not(self, node, env):
        return inverted(self.value(node[1], env))

    def do_lam(self, node, env):
        return self.closure((), node[1], node[2], node[3], env)

    def do_let(self, node, env):
        _, sizes, pattern, declared, value, body = node
        inner = dict(env)
        for size in sizes:
            inner.pop(size, None)
        try:
            if declared:
                bound = self.expected(value, declared, dict(env)) if not sizes else self.value(value, env)
                bound = self.conformed(bound, declared, inner, set(sizes), [])
            else:
                bound = self.value(value, env)
        except Failure as error:
            self.failed = self.failed or str(error)
            bound = Poison(str(error))
            inner.update((size, bound) for size in sizes)
        self.match(pattern, bound, inner, set(sizes), [])
        return self.value(body, inner)

    def do_letfun(self, node, env):
        _, name, binders, parameters, result, value, body = node
        return self.value(body, {**env, name: self.closure(binders, parameters, result, value, env)})

    def do_if(self, node, env):
        chosen = self.lazy(node[1], env)
        # The compiler may leave out a condition that makes no difference, with its errors.
        if isinstance(chosen, Poison) and node[2] == node[3]:
            return self.value(node[2], env)
        return self.value(node[2] if force(chosen) else node[3], env)

    def do_loop(self, node, env):
        _, sizes, pattern, initial, form, body = node
        carried = self.lazy(initial, env) if initial else named(pattern, env)
        turns = self.turns(form, env)

        def around(value, names=()):
            inner = dict(env)
            for size in sizes:
                inner.pop(size, None)
            self.match(pattern, value, inner, set(sizes), [])
            for turn, part in names:
                self.match(turn, part, inner)
            return inner

        if turns is None:
            while force(self.value(form[1], around(carried))):
                carried = self.lazy(body, around(carried))
        else:
            for turn in turns:
                carried = self.lazy(body, around(carried, [(form[1], turn)]))
        return self.loop_result(carried, pattern, around)

    def loop_result(self, carried, pattern, around):
        """The value after the last step. Its literals have the type of the pattern."""
        if pattern[0] == "pann":
            return named(pattern, around(carried))
        return carried

    def turns(self, form, env):
        """What the counter or the element is in each step; none of `while`."""
        if form[0] == "while":
            return None
        bound = force(self.value(form[2], env))
        if form[0] == "in":
            return bound.items
        of = type(bound) if isinstance(bound, np.generic) else int
        if integer(bound) > STEPS:
            raise Skip("a computation that is too long")
        return [of(turn) for turn in range(integer(bound))]

    def do_assert(self, node, env):
        if not force(self.value(node[1], env)):
            raise Failure("assertion failed")
        return self.value(node[2], env)

    def do_match(self, node, env):
        subject = self.value(node[1], env)
        for pattern, body in node[2]:
            inner = dict(env)
            if self.fits(pattern, subject, inner):
                return self.value(body, inner)
        raise Skip("no case fits")

    def do_tuple(self, node, env):
        return tuple([self.lazy(part, env) for part in node[1]])

    def do_rec(self, node, env):
        return {name: self.lazy(part, env) for name, part in node[1]}

    def do_con(self, node, env):
        return Sum(node[1], tuple([self.lazy(part, env) for part in node[2]]))

    def do_arr(self, node, env):
        return array(library.met_items([self.lazy(part, env) for part in node[1]]))

    def do_field(self, node, env):
        return field(self.value(node[1], env), node[2])

    def do_index(self, node, env):
        return self.indexed(self.value(node[1], env), node[2], env)

    def do_with(self, node, env):
        return self.updated(self.value(node[1], env), node[2], self.lazy(node[3], env), env)

    def do_ann(self, node, env):
        return self.expected(node[1], node[2], dict(env))

    do_coerce = do_ann

    def do_range(self, node, env):
        _, first, second, kind, last = node
        parts = [part and self.value(part, env) for part in (first, second, last)]
        of = next((type(part) for part in parts if isinstance(part, np.generic)), int)
        start, after, end = (None if part is None else integer(part) for part in parts)
        step = (-1 if kind == "..>" else 1) if after is None else after - start
        return ranged(start, step, end, kind, of)


def typed(name, value):
    """A scalar of a type. A literal gets the type, and others have it."""
    if isinstance(value, Poison) or isinstance(value, TYPES[name]) and not isinstance(value, float):
        return value
    if isinstance(value, np.generic):
        return value
    if not isinstance(value, (bool, int, float)):
        raise Skip("a value of another type")
    return cast(name, value)


def field(value, name):
    """A component of a tuple or a field of a record."""
    value = force(value)
    return value[int(name)] if isinstance(value, tuple) else value[name]


def named(pattern, env):
    """The values of the names of a pattern."""
    if pattern[0] == "pvar":
        return env[pattern[1]]
    if pattern[0] == "pann":
        return named(pattern[1], env)
    if pattern[0] == "ptuple":
        return tuple(named(part, env) for part in pattern[1])
    raise Skip("a loop that names no value")


def variables(node):
    """The names in a size."""
    if node[0] == "var":
        return [node[1]]
    return [name for part in node[1:] if isinstance(part, tuple) for name in variables(part)]


def infix(sign):
    """An operator as a function of values."""
    if sign == "++":
        return lambda left, right: library.append(None, left, right)
    if sign in ("==", "!="):
        return lambda left, right: same_values(left, right) == (sign == "==")
    if sign in ("&&", "||"):
        return lambda left, right: force(right) if force(left) == (sign == "&&") else force(left)
    return lambda left, right: elementwise(sign, left, right)


def same_values(left, right):
    left, right = force(left), force(right)
    if isinstance(left, (tuple, dict, Sum)):
        return same(left, right)
    return binary("==", left, right)


def elementwise(sign, left, right):
    """An operator of scalars, or of index vectors component by component."""
    left, right = force(left), force(right)
    if isinstance(left, Array) and isinstance(right, Array):
        return Array([binary(sign, x, y) for x, y in zip(left.items, right.items)])
    if isinstance(left, Array):
        return Array([binary(sign, x, right) for x in left.items])
    if isinstance(right, Array):
        return Array([binary(sign, left, y) for y in right.items])
    return binary(sign, left, right)


def scalar_member(of, name):
    """A member of a scalar type's module."""
    known = constant(of, name)
    if known is not None:
        return known
    if name in SCALARS:
        return Function(1, lambda x: cast(of, typed(name, force(x))))
    if name in UNARY:
        return Function(1, lambda x: UNARY[name](typed(of, force(x))))
    if name in BINARY:
        return Function(2, lambda x, y: BINARY[name](typed(of, force(x)), typed(of, force(y))))
    if name in library.OF_NUMBERS:
        return Function(1, lambda xs: library.OF_NUMBERS[name](of, force(xs)))
    if name[0] in "+-*/%=!<>|&^":
        return Function(2, lambda x, y: infix(name)(typed(of, force(x)), typed(of, force(y))))
    raise Skip(f"the function {of}.{name}")
