"""Operators and functions of scalars, by NumPy.

Integers wrap at their width, `/` and `%` round down, `//` and `%%` towards zero. A shift's distance is taken modulo the
width. Conversions from floats truncate, and stop at the ends of the type.

    binary("/", np.int8(-7), 2)         np.int8(-4)
"""

import math

import numpy as np

from values import BITS, FLOATS, NAMES, TYPES, Failure, Skip, force


def cast(name, value):
    """The conversion to a scalar type, as `i32.f64` and others have it."""
    value = force(value)
    of = TYPES[name]
    if name == "bool":
        return bool(value != 0)
    if name in FLOATS:
        return np.asarray(value).astype(of)[()]
    if isinstance(value, (float, np.floating)):
        if math.isnan(value):
            return of(0)
        limits = np.iinfo(of)
        if math.isinf(value):
            return of(limits.max if value > 0 else limits.min)
        return of(min(max(math.trunc(float(value)), limits.min), limits.max))
    source, value = NAMES.get(type(value)), int(value)
    if source and name.startswith("u") and BITS[name] > BITS[source]:
        value &= (1 << BITS[source]) - 1
    return wrapped(name, value)


def wrapped(name, value):
    """An integer as its lowest bits."""
    bits = BITS[name]
    value &= (1 << bits) - 1
    if name.startswith("i") and value >> (bits - 1):
        value -= 1 << bits
    return TYPES[name](value)


def met(left, right):
    """Two operands of one type: a literal takes the type of the other operand."""
    if type(left) is type(right):
        return left, right
    if isinstance(left, np.generic) and not isinstance(right, np.generic):
        return left, cast(NAMES[type(left)], right)
    if isinstance(right, np.generic) and not isinstance(left, np.generic):
        return cast(NAMES[type(right)], left), right
    if {type(left), type(right)} == {int, float}:
        return float(left), float(right)
    raise Skip(f"operands of {type(left).__name__} and {type(right).__name__}")


def divided(left, right, floor):
    """The quotient and the remainder of integers, rounded down or towards zero."""
    x, y = int(left), int(right)
    if y == 0:
        raise Failure("division by zero")
    quotient, rest = divmod(x, y)
    if not floor and rest and (x < 0) != (y < 0):
        quotient, rest = quotient + 1, rest - y
    return quotient, rest


def whole(left, right, sign):
    """An operation on two integers of one type, before it wraps."""
    x, y = int(left), int(right)
    if sign in ("/", "//"):
        return divided(left, right, sign == "/")[0]
    if sign in ("%", "%%"):
        return divided(left, right, sign == "%")[1]
    if sign == "**":
        if y < 0:
            raise Failure("negative exponent")
        return pow(x, y, 1 << 64) if isinstance(left, np.generic) else x**y
    if sign in ("<<", ">>", ">>>"):
        bits = BITS[NAMES[type(left)]] if isinstance(left, np.generic) else 32
        y %= bits
        if sign == ">>>":
            x &= (1 << bits) - 1
        return x << y if sign == "<<" else x >> y
    return {"&": x & y, "|": x | y, "^": x ^ y}[sign]


COMPARISONS = {
    "==": lambda x, y: bool(x == y),
    "!=": lambda x, y: bool(x != y),
    "<": lambda x, y: bool(x < y),
    "<=": lambda x, y: bool(x <= y),
    ">": lambda x, y: bool(x > y),
    ">=": lambda x, y: bool(x >= y),
}
ARITHMETIC = {"+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y}
FLOATING = {"/": np.divide, "%": np.mod, "**": np.power}


def binary(sign, left, right):
    """An infix operator on two scalars. `&&` and `||` are elsewhere: they may leave out an operand."""
    left, right = met(force(left), force(right))
    if sign in COMPARISONS:
        return COMPARISONS[sign](left, right)
    if isinstance(left, bool):
        return {"&": left and right, "|": left or right, "^": left != right}[sign]
    if sign in ARITHMETIC:
        return ARITHMETIC[sign](left, right)
    if isinstance(left, (float, np.floating)):
        result = FLOATING[sign](left, right)
        return type(left)(result)
    result = whole(left, right, sign)
    return wrapped(NAMES[type(left)], result) if isinstance(left, np.generic) else result


def negative(value):
    """The operand with the other sign."""
    value = force(value)
    return wrapped(NAMES[type(value)], -int(value)) if isinstance(value, np.integer) else -value


def inverted(value):
    """Not, of a truth value; all bits, of an integer."""
    value = force(value)
    return (not value) if isinstance(value, bool) else ~value


def least(x, y):
    """The lower of two; a number, if one of them is nan."""
    x, y = met(force(x), force(y))
    if isinstance(x, (float, np.floating)):
        if x == y:
            return x if np.signbit(x) else y
        return type(x)(np.fmin(x, y))
    return min(x, y)


def greatest(x, y):
    """The higher of two; a number, if one of them is nan."""
    x, y = met(force(x), force(y))
    if isinstance(x, (float, np.floating)):
        if x == y:
            return y if np.signbit(x) else x
        return type(x)(np.fmax(x, y))
    return max(x, y)


def sign_of(x):
    return x if x != x else type(x)(0 if x == 0 else 1 if x > 0 else -1)


def magnitude(x):
    return wrapped(NAMES[type(x)], abs(int(x))) if isinstance(x, np.integer) else abs(x)


def order(x):
    """The number whose order is that of `<=`, with nan last."""
    if isinstance(x, (float, np.floating)):
        return (1, 0.0) if x != x else (0, float(x))
    return (0, x)


UNARY = {
    "abs": magnitude,
    "sgn": sign_of,
    "neg": negative,
    "not": inverted,
    "sqrt": np.sqrt,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "cos": np.cos,
    "atan": np.arctan,
    "tanh": np.tanh,
    "floor": np.floor,
    "ceil": np.ceil,
    "trunc": np.trunc,
    "round": np.rint,
    "isnan": lambda x: bool(np.isnan(x)),
    "isinf": lambda x: bool(np.isinf(x)),
    "to_i64": lambda x: cast("i64", x),
    "to_i32": lambda x: cast("i32", x),
    "to_f64": lambda x: cast("f64", x),
    "popc": lambda x: np.int32(bin(int(x) & ((1 << BITS[NAMES[type(x)]]) - 1)).count("1")),
    "recip": lambda x: 1 / x,
}
BINARY = {
    "min": least,
    "max": greatest,
    "copysign": lambda x, y: type(x)(np.copysign(force(x), force(y))),
    "atan2": lambda x, y: type(x)(np.arctan2(force(x), force(y))),
    "hypot": lambda x, y: type(x)(np.hypot(force(x), force(y))),
}


def constant(of, name):
    """A constant of a scalar type's module, or none."""
    dtype = TYPES[of]
    if of in FLOATS:
        known = {"inf": np.inf, "highest": np.inf, "lowest": -np.inf, "nan": np.nan, "pi": np.pi, "e": np.e}
        known["epsilon"] = np.finfo(dtype).eps
    elif of == "bool":
        return None
    else:
        known = {"highest": np.iinfo(dtype).max, "lowest": np.iinfo(dtype).min}
    return dtype(known[name]) if name in known else None
