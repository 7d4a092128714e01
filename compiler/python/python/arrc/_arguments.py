"""Arguments that are not NumPy arrays of the right type, and the messages about those that fit nothing.

Invariant: a value becomes an argument only if no number changes. What can be taken without a copy is not copied.
"""

import collections
import functools
import keyword
import math
import operator

import numpy as np

from . import _arrow
from ._errors import ArgumentError

_DTYPES = {
    "bool": np.dtype(np.bool_),
    **{f"i{8 * n}": np.dtype(f"i{n}") for n in (1, 2, 4, 8)},
    **{f"u{8 * n}": np.dtype(f"u{n}") for n in (1, 2, 4, 8)},
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
}


class _Wrong(Exception):
    """What is wrong with an argument, and what to do."""


def python_name(name):
    """A name of Arr as a name of Python."""
    name = name.replace("'", "_prime")
    return f"{name}_" if keyword.iskeyword(name) else name


def named(function, names):
    """A class of tuples with names."""
    return _named(function, tuple(names))


@functools.lru_cache(maxsize=None)
def _named(function, names):
    found = [python_name(name) for name in names]
    result = collections.namedtuple(f"{python_name(function)}_result", found, rename=True)
    # No module has the class under its name, so other processes make it as this one did.
    result.__reduce__ = lambda self: (_again, (function, names, tuple(self)))
    return result


def _again(function, names, values):
    """A result that was pickled."""
    return _named(function, names)(*values)


def bind(function, text, names, args, kwargs):
    """The arguments of a call, in the order of the parameters."""
    kwargs = dict(kwargs or {})
    if len(args) > len(names):
        raise _count_error(function, text, names, f"but {len(args)} were given")
    for name in kwargs:
        if name not in names:
            raise _count_error(function, text, names, f"and `{name}` is none of them")
    values = list(args)
    for name in names[len(args) :]:
        if name not in kwargs:
            raise _count_error(function, text, names, f"and `{name}` is missing")
        values.append(kwargs.pop(name))
    for name in kwargs:
        raise _count_error(function, text, names, f"and `{name}` was given twice")
    return tuple(values)


def _count_error(function, text, names, why):
    takes = f"{function}() takes {_count(len(names), 'argument')}"
    listed = f" ({', '.join(names)})" if names else ""
    error = ArgumentError(f"{takes}{listed}, {why}; its type is {text}")
    error.code, error.function = "A0507", function
    return error


def scalar(value, elem, function, place):
    """A scalar as one of Python's own."""
    try:
        return _scalar(value, elem)
    except _Wrong as wrong:
        raise _argument_error(function, place, elem, wrong) from None


def array(value, elem, rank, function, place):
    """An array of exactly the type that is wanted."""
    dtype = _DTYPES[elem]
    try:
        found = _array(value, dtype)
        return _fitting(found, dtype, rank)
    except _Wrong as wrong:
        raise _argument_error(function, place, "[]" * rank + elem, wrong) from None


def destinations(out, types, function):
    """The arrays that `out=` gives for the arrays among the results, of these elements and ranks."""
    arrays = out if isinstance(out, (tuple, list)) else (out,)
    try:
        if len(arrays) != len(types):
            raise _Wrong(f"{_count(len(arrays), 'array')} {'was' if len(arrays) == 1 else 'were'} given")
        return tuple(_destination(array, *type) for array, type in zip(arrays, types))
    except _Wrong as wrong:
        wanted = _list("[]" * rank + elem for elem, rank in types)
        kind = "array" if len(types) == 1 else "arrays"
        raise _argument_error(function, "out", f"the memory for the {kind} {wanted}", wrong) from None


def _destination(array, elem, rank):
    if not isinstance(array, np.ndarray):
        raise _Wrong(f"{_shown(array)} was given")
    dtype = _DTYPES[elem]
    if array.dtype != dtype or array.ndim != rank:
        raise _Wrong(f"an array of {array.dtype} with {_count(array.ndim, 'dimension')} was given")
    if not array.flags.writeable:
        raise _Wrong("the array is read-only")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise _Wrong("the array is not contiguous: its elements must lie one after the other, in the order of C")
    return np.asarray(array)


def written(array, shape):
    """The elements that a call wrote to an array: all of it, or the first ones."""
    if array.shape == shape:
        return array
    return array.reshape(-1)[: math.prod(shape)].reshape(shape)


def fields(value, function, told):
    """The fields of a record."""
    names, place = told
    try:
        return tuple(_fields(value, names))
    except _Wrong as wrong:
        raise _argument_error(function, place, f"a record of {_list(names)}", wrong) from None


def items(value, function, told):
    """The components of a tuple."""
    count, place = told
    try:
        return tuple(_items(value, count))
    except _Wrong as wrong:
        raise _argument_error(function, place, f"a tuple of {count}", wrong) from None


def constructor(value, function, told):
    """The tag of a sum and the payloads of that constructor; of an array of sums, all tags and payloads."""
    rank, cases, place = told
    try:
        return tuple(_chosen(value, cases) if rank == 0 else _tagged(value, cases))
    except _Wrong as wrong:
        kind = "one of " + _list(name for name, _ in cases)
        raise _argument_error(function, place, kind, wrong) from None


def _argument_error(function, place, wanted, wrong):
    error = ArgumentError(f"the argument `{place}` of {function}() is {wanted}, but {wrong}")
    error.function, error.parameter = function, place
    return error


def _scalar(value, elem):
    if isinstance(value, (np.generic, np.ndarray)) or hasattr(value, "__array__"):
        value = _of_numpy(value)
    if isinstance(value, complex):
        raise _Wrong(f"{_shown(value)} was given: {complex_parts('numbers')}")
    if elem == "bool":
        if isinstance(value, bool):
            return value
        raise _Wrong(f"{_shown(value)} is no truth value: write `bool(…)`")
    if isinstance(value, bool):
        raise _Wrong(f"{value} is a truth value: write `int({value})` for the number")
    return _float(value, elem) if elem.startswith("f") else _integer(value, elem)


def _of_numpy(value):
    value = np.asarray(value)
    if value.ndim != 0:
        raise _Wrong(f"an array of shape {value.shape} was given: take one element of it")
    return value.item()


def _integer(value, elem):
    try:
        value = operator.index(value)
    except TypeError:
        raise _Wrong(f"{_shown(value)} is no integer: write `int(…)` if its fraction does not count") from None
    info = np.iinfo(_DTYPES[elem])
    if info.min <= value <= info.max:
        return int(value)
    raise _Wrong(f"{value} does not fit: it is not between {info.min} and {info.max}")


def _float(value, elem):
    if not isinstance(value, (int, float)):
        raise _Wrong(f"{_shown(value)} is no float: write `float(…)`")
    try:
        with np.errstate(over="ignore"):
            found = float(np.float32(value)) if elem == "f32" else float(value)
    except OverflowError:
        raise _Wrong(f"{_shown(value)} is too large") from None
    if isinstance(value, int) and found != value:
        raise _Wrong(f"{value} is not a float: write `float({value})`, which rounds it to {found:.0f}")
    if math.isinf(found) and not math.isinf(value):
        raise _Wrong(f"{value} is too large")
    return found


def _array(value, dtype):
    """The value as an array of NumPy, of whatever type it is."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        raise _Wrong("it has masked elements, which have no value: fill them, as by `.filled(0)`")
    if isinstance(value, np.ndarray):
        return np.asarray(value)
    if isinstance(value, (list, tuple, range)):
        return _of_sequence(value, dtype)
    if not _is_numpy_inside(value):
        try:
            found = _arrow.array(value)
        except _arrow.Missing as missing:
            raise _Wrong(str(missing)) from None
        if found is not None:
            return found
    if hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__"):
        return _of_dlpack(value)
    if hasattr(value, "__array__") or _is_buffer(value):
        return np.asarray(value)
    raise _Wrong(f"a {type(value).__name__} was given: make an array of it, as by `numpy.asarray`")


def _is_numpy_inside(value):
    """Whether a column or a table keeps arrays of NumPy of one type, where no value is missing but NaN."""
    dtypes = getattr(value, "dtypes", None)
    if hasattr(value, "columns") and dtypes is not None:
        dtypes = set(dtypes)
        return len(dtypes) == 1 and isinstance(dtypes.pop(), np.dtype)
    return isinstance(getattr(value, "dtype", None), np.dtype)


def _is_buffer(value):
    try:
        memoryview(value).release()
    except TypeError:
        return False
    return not isinstance(value, str)


def _of_dlpack(value):
    cpu = 1
    device = value.__dlpack_device__()[0]
    if device != cpu:
        raise _Wrong("its elements are not in the memory of the processor: bring it there first, as by `.cpu()`")
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        raise _Wrong(f"it gives no array: {error}") from None


def _of_sequence(value, dtype):
    """Numbers of Python have no types of their own: they take the wanted one if none changes."""
    try:
        found = np.asarray(value)
    except ValueError as error:
        raise _Wrong(f"its rows are no array: {error}") from None
    if found.size == 0 and found.dtype == np.float64:
        return found.astype(dtype)
    kinds = {"b": "b", "i": "iuf", "u": "iuf", "f": "f"}.get(found.dtype.kind, "")
    if found.dtype == dtype or dtype.kind not in kinds:
        return found
    with np.errstate(over="ignore", invalid="ignore"):
        narrow = found.astype(dtype)
        if found.dtype.kind == "f":
            same = np.isfinite(narrow) == np.isfinite(found)
        elif dtype.kind == "f":
            same = narrow.astype(found.dtype) == found
        else:
            info = np.iinfo(dtype)
            same = np.array([info.min <= int(number) <= info.max for number in found.flat])
    if np.all(same):
        return narrow
    wrong = found.flat[int(np.argmin(np.reshape(same, -1)))]
    raise _Wrong(f"{wrong} in it does not fit")


def _fitting(found, dtype, rank):
    if found.dtype.newbyteorder("=") != dtype:
        raise _Wrong(_conversion(found, dtype))
    if found.ndim != rank:
        raise _Wrong(f"an array of {_count(found.ndim, 'dimension')} was given, of shape {found.shape}")
    in_order = found.astype(dtype, copy=False)
    steps = zip(in_order.shape, in_order.strides)
    whole = all(size <= 1 or stride % dtype.itemsize == 0 for size, stride in steps)
    if whole and in_order.flags.aligned:
        return in_order
    return np.array(in_order, order="C", copy=True)


def _conversion(found, dtype):
    name = found.dtype.name if found.dtype.kind not in "OUSV" else str(found.dtype)
    if found.dtype.kind in "OUSVMm":
        return f"an array of {name} was given: its elements are no numbers of one type"
    if found.dtype.kind == "c":
        return f"an array of {name} was given: {complex_parts('arrays')}"
    # NumPy 1 has no `numpy.bool`.
    wanted = "bool_" if dtype == np.bool_ else dtype.name
    if np.can_cast(found.dtype, dtype, "safe"):
        return f"an array of {name} was given: convert it by `.astype(numpy.{wanted})`, which copies it"
    return (
        f"an array of {name} was given: `.astype(numpy.{wanted})` converts it, "
        "if numbers that do not fit may change"
    )


def complex_parts(kind):
    """What to do with complex numbers."""
    return f"numbers of Arr are real: pass the parts, `.real` and `.imag`, as two {kind}"


def _fields(value, names):
    if isinstance(value, complex) or isinstance(value, np.ndarray) and value.dtype.kind == "c":
        what = _shown(value) if isinstance(value, complex) else f"an array of {value.dtype}"
        raise _Wrong(f"{what} was given: pass its parts as a record, as by `{{\"{names[0]}\": z.real, …}}`")
    if isinstance(value, np.ndarray):
        if value.dtype.names is None:
            raise _Wrong(f"an array of {value.dtype} was given, which has no fields")
        has, get = set(value.dtype.names), value.__getitem__
    elif isinstance(value, collections.abc.Mapping):
        has, get = set(value), value.__getitem__
    elif hasattr(value, "columns") or hasattr(value, "column_names"):
        columns = value.column_names if hasattr(value, "column_names") else value.columns
        has, get = set(columns), value.__getitem__
    else:
        has, get = {name for name in names for name in (name, python_name(name)) if hasattr(value, name)}, None
        get = lambda name: getattr(value, name)
    found = []
    for name in names:
        own = name if name in has else python_name(name)
        if own not in has:
            raise _Wrong(f"{_shown(value)} has no `{name}`")
        found.append(get(own))
    if isinstance(value, collections.abc.Mapping):
        more = has - set(names) - {python_name(name) for name in names}
        if more:
            raise _Wrong(f"it also has {_list(more)}: leave that out")
    return found


def _items(value, count):
    if isinstance(value, np.ndarray) and value.dtype.names is not None:
        value = [value[name] for name in value.dtype.names]
    elif isinstance(value, np.ndarray) and value.ndim >= 1 and value.shape[-1] == count:
        return [value[..., index] for index in range(count)]
    elif not isinstance(value, (list, tuple)):
        raise _Wrong(f"{_shown(value)} was given: give a tuple")
    if len(value) != count:
        raise _Wrong(f"a {type(value).__name__} of {len(value)} was given")
    return value


def _chosen(value, cases):
    name, *payloads = (value,) if isinstance(value, str) else value if isinstance(value, tuple) and value else (None,)
    counts = dict(cases)
    if name not in counts:
        first = cases[0][0]
        raise _Wrong(f'{_shown(value)} was given: give a tuple such as ("{first}", …), with the payloads behind it')
    if len(payloads) != counts[name]:
        raise _Wrong(f"`{name}` has {_count(counts[name], 'payload')}, and {len(payloads)} were given")
    return [list(counts).index(name), *payloads]


def _tagged(value, cases):
    return _fields(value, _names(cases))


def columns(cases):
    """The names of the arrays of an array of sums."""
    return _names([(name, len(payloads)) for name, payloads in cases])


def _names(cases):
    names = ["tag"]
    for name, count in cases:
        names += [name] if count == 1 else [f"{name}_{index}" for index in range(count)]
    return names


def _shown(value):
    text = repr(value) if isinstance(value, (bool, int, float, complex, str, type(None))) else ""
    return text if 0 < len(text) <= 40 else f"a {type(value).__name__}"


def _count(number, what):
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _list(names):
    return ", ".join(f"`{name}`" for name in names)
