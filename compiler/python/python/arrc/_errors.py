"""The exceptions of calls, those among them that are also exceptions of Python.

Invariant: each has a code of `arrc.explain`, where there is a page for it, and says what to do. Packages that
`arrc build --python` makes have this file, too.
"""

import builtins
import re


class Error(Exception):
    """What goes wrong in arrc."""

    #: The code of the diagnostic, such as "A0301"; `arrc.explain` says more.
    code = ""


class ArgumentError(Error, TypeError):
    """An argument that a function does not take."""

    code = "A0508"
    #: The function and its parameter, where it is one of them.
    function = parameter = None


class RuntimeError(Error, builtins.RuntimeError):
    """A call that failed."""

    def __init__(self, kind, code, message):
        super().__init__(message)
        #: What failed, in one word, such as "index".
        self.kind = kind
        self.code = code
        #: The whole message: place, reason, and the calls that led there.
        self.message = message
        first, *calls = message.split("\n")
        place = re.match(r"(.*?):(\d+):(\d+): (.*)", first)
        #: The file, line and column in the program; None where there is no place.
        self.file, self.line, self.column = (
            (place[1], int(place[2]), int(place[3])) if place else (None, None, None)
        )
        #: Why the call failed.
        self.reason = place[4] if place else first
        #: The calls that led there, inner ones first.
        self.calls = [call.strip() for call in calls]
        #: The numbers in the reason, in order: an index and a length, for instance.
        self.values = [_number(found) for found in re.findall(_NUMBER, self.reason)]

    def __reduce__(self):
        return type(self), (self.kind, self.code, self.message)


_NUMBER = r"(?<![\w.])-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan)(?![\w.])"


class IndexError(RuntimeError, builtins.IndexError):
    """An index lies outside its array."""


class DivisionError(RuntimeError, builtins.ZeroDivisionError):
    """An integer was divided by zero."""


class SizeError(RuntimeError, builtins.ValueError):
    """An array would have a negative size."""


class ShapeError(RuntimeError, builtins.ValueError):
    """Two arguments whose sizes have to be equal differ."""


class MemoryError(RuntimeError, builtins.MemoryError):
    """Memory ran out, or the `memory_limit` was reached."""


class StackError(RuntimeError, builtins.RecursionError):
    """A recursion went too deep."""


class PowerError(RuntimeError, builtins.ValueError):
    """An integer was raised to a negative power."""


class SliceError(RuntimeError, builtins.IndexError):
    """A slice does not lie in its array."""


class RangeError(RuntimeError, builtins.ValueError):
    """A range does not lead from its first number to its last."""


class CoercionError(RuntimeError, builtins.ValueError):
    """An array is not of the size that the program says with `:>`."""


class AssertionError(RuntimeError, builtins.AssertionError):
    """What the program asserts does not hold."""


class ExternalError(RuntimeError):
    """A function of C that the program calls failed."""


class GeneratorError(RuntimeError, builtins.ValueError):
    """The generators of a with-loop overlap, leave the array, or miss some of it."""


class CancelledError(RuntimeError):
    """The call was stopped before it was done."""


_KINDS = {
    "index": IndexError,
    "division": DivisionError,
    "size": SizeError,
    "shape": ShapeError,
    "memory": MemoryError,
    "stack": StackError,
    "power": PowerError,
    "slice": SliceError,
    "range": RangeError,
    "coercion": CoercionError,
    "assertion": AssertionError,
    "external": ExternalError,
    "generator": GeneratorError,
    "cancelled": CancelledError,
}


def run_time_error(kind, code, message):
    return _KINDS.get(kind, RuntimeError)(kind, code, message)


def _number(text):
    try:
        return int(text)
    except ValueError:
        return float(text)
