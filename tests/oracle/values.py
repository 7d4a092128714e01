"""Values of the oracle: NumPy's scalars, tuples, dicts for records, `Sum`, `Array` and `Function`.

A literal without a suffix is a Python number: it takes the type of the value that it meets, as NumPy has it. The size
of an array is the number of its elements. An array without elements keeps a sample of one, so that the sizes of its
rows are known.

An operation that fails gives `Poison`, which is an error only where it is used: the compiler may leave out what a program
does not need, with its errors.
"""

import numpy as np

np.seterr(all="ignore")

TYPES = {
    "bool": bool,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "u8": np.uint8,
    "u16": np.uint16,
    "u32": np.uint32,
    "u64": np.uint64,
    "f32": np.float32,
    "f64": np.float64,
}
BITS = {name: 8 * np.dtype(of).itemsize for name, of in TYPES.items()}
FLOATS = ("f32", "f64")
NAMES = {of: name for name, of in TYPES.items()}


class Failure(Exception):
    """An error at run time, as the language defines it."""


class Skip(Exception):
    """The oracle does not know the value."""


class Poison:
    """The value of an expression that failed."""

    __slots__ = ("error",)

    def __init__(self, error):
        self.error = error


class Array:
    """The elements, and a sample of one if there are none (`None` if it is not known)."""

    __slots__ = ("items", "of")

    def __init__(self, items, of=None):
        self.items = items
        self.of = of

    def sample(self):
        """A value of the shape of the elements, or none."""
        for item in self.items:
            if not isinstance(item, Poison):
                return item
        return self.of


class Sum:
    """A constructor with its values."""

    __slots__ = ("name", "parts")

    def __init__(self, name, parts):
        self.name = name
        self.parts = parts


class Function:
    """A function of several arguments, some of which are there already."""

    __slots__ = ("arity", "call", "given")

    def __init__(self, arity, call, given=()):
        self.arity = arity
        self.call = call
        self.given = given


def apply(function, arguments):
    """The application of a function to any number of arguments."""
    function = force(function)
    given = function.given + tuple(arguments)
    if len(given) < function.arity:
        return Function(function.arity, function.call, given)
    result = function.call(*given[: function.arity])
    rest = given[function.arity :]
    return apply(result, rest) if rest else result


def force(value):
    """The value, unless its computation failed."""
    if isinstance(value, Poison):
        raise Failure(value.error)
    return value


def integer(value):
    """A number of Python, of a size or an index."""
    value = force(value)
    if isinstance(value, (bool, float, np.floating)):
        raise Skip("a size that is no integer")
    return int(value)


def zero_like(value):
    """A value of the same shape, for the function of an array without elements."""
    if isinstance(value, tuple):
        return tuple(map(zero_like, value))
    if isinstance(value, dict):
        return {name: zero_like(part) for name, part in value.items()}
    if isinstance(value, Array):
        return Array([zero_like(item) for item in value.items], value.of)
    if isinstance(value, bool):
        return False
    if isinstance(value, np.generic):
        return type(value)(0)
    return value if isinstance(value, (Sum, Poison)) or value is None else type(value)(0)


def same_shape(left, right):
    """Whether two elements can be in one array. What is not known fits."""
    if isinstance(left, Array) and isinstance(right, Array):
        if len(left.items) != len(right.items):
            return False
        left, right = left.sample(), right.sample()
        return left is None or right is None or same_shape(left, right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return all(map(same_shape, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return all(same_shape(left[name], right[name]) for name in left)
    return True


def array(items, of=None):
    """An array of these elements.

    Raises `Failure` if they are of different sizes.
    """
    sample = None
    for item in items:
        if isinstance(item, (Array, tuple, dict)):
            if sample is None:
                sample = item
            elif not same_shape(sample, item):
                raise Failure("the rows of an array are of different sizes")
    return Array(items, of)


def same(left, right):
    """Whether two values are equal, as `==` has it."""
    left, right = force(left), force(right)
    if isinstance(left, tuple):
        return all(map(same, left, right))
    if isinstance(left, dict):
        return all(same(left[name], right[name]) for name in left)
    if isinstance(left, Sum):
        return left.name == right.name and all(map(same, left.parts, right.parts))
    return bool(left == right)


def poisoned(value):
    """The first error in a value, or none."""
    if isinstance(value, Poison):
        return value.error
    parts = ()
    if isinstance(value, Array):
        parts = value.items
    elif isinstance(value, tuple):
        parts = value
    elif isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, Sum):
        parts = value.parts
    for part in parts:
        error = poisoned(part)
        if error:
            return error
    return None


def components(value):
    """The scalars and arrays of scalars of a value, as callers see it: shape and elements. `None` in the place of one
    whose shape is not known.
    """
    if isinstance(value, tuple):
        return [part for inner in value for part in components(inner)]
    if isinstance(value, dict):
        return [part for inner in value.values() for part in components(inner)]
    if isinstance(value, Sum):
        raise Skip("a sum in a result")
    if isinstance(value, Function):
        raise Skip("a function in a result")
    if not isinstance(value, Array):
        return [((), [value])]
    if not value.items:
        if value.of is None:
            return [None]
        inner = components(value.of)
        return [part and ((0,) + part[0], []) for part in inner]
    rows = [components(item) for item in value.items]
    found = []
    for column in zip(*rows):
        known = [part for part in column if part is not None]
        if len(known) < len(column):
            found.append(None)
        elif any(part[0] != known[0][0] for part in known):
            raise Failure("the rows of an array are of different sizes")
        else:
            found.append(((len(column),) + known[0][0], [x for part in known for x in part[1]]))
    return found
