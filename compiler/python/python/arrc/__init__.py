"""Arr, a small functional array language, compiled in this process.

    import arrc, numpy as np
    m = arrc.compile(source="entry dot [n] (xs: [n]f64) (ys: [n]f64): f64 = reduce (+) 0 (map2 (*) xs ys)")
    m.dot(np.arange(3.0), np.ones(3))      # 3.0
"""

from ._arrc import VERSION as __version__
from ._diagnostics import CompileError, CompileWarning, InternalError, LoadError
from ._errors import (
    ArgumentError,
    AssertionError,
    CancelledError,
    CoercionError,
    DivisionError,
    Error,
    ExternalError,
    GeneratorError,
    IndexError,
    MemoryError,
    PowerError,
    RangeError,
    RuntimeError,
    ShapeError,
    SizeError,
    SliceError,
    StackError,
)
from ._link import LinkError
from ._module import Explanation, Function, Module, compile, explain, header

__all__ = [
    "ArgumentError",
    "AssertionError",
    "CancelledError",
    "CoercionError",
    "CompileError",
    "CompileWarning",
    "DivisionError",
    "Error",
    "Explanation",
    "ExternalError",
    "Function",
    "GeneratorError",
    "IndexError",
    "InternalError",
    "LinkError",
    "LoadError",
    "MemoryError",
    "Module",
    "PowerError",
    "RangeError",
    "RuntimeError",
    "ShapeError",
    "SizeError",
    "SliceError",
    "StackError",
    "__version__",
    "compile",
    "explain",
    "header",
]


def load_ipython_extension(ipython):
    """What `%load_ext arrc` calls: the cell magic `%%arr`."""
    from ._ipython import register

    register(ipython)
