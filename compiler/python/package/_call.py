"""Entries of a compiled library as functions, by ctypes: NumPy is all that it needs.

Invariant: memory that a call returned is given back to the runtime once, when no array uses it any more. A context, and
the memory for the words of a call, are used by one call at a time.
"""

import ctypes
import importlib
import inspect
import json
import pathlib
import struct

import numpy as np

from . import _arguments, _errors

# A scalar in the lowest bytes of a word.
_FORMATS = {
    "bool": "?7x",
    **{"i8": "b7x", "i16": "h6x", "i32": "i4x", "i64": "q"},
    **{"u8": "B7x", "u16": "H6x", "u32": "I4x", "u64": "Q"},
    **{"f32": "f4x", "f64": "d"},
}
_WORD = 8


def load(package):
    """The entries of a package, by their names in Arr and by those that Python can write."""
    folder = pathlib.Path(importlib.import_module(package).__file__).parent
    description = json.loads((folder / "_description.json").read_text(encoding="utf-8"))
    library = _Library(folder / description["library"], description["codes"])
    found = {}
    for index, entry in enumerate(description["entries"]):
        function = Function(package, library, index, entry)
        found[entry["name"]] = found[function.__name__] = function
    return found


class _Library:
    """The shared library, and the contexts that no call uses."""

    def __init__(self, path, codes):
        self.functions = ctypes.CDLL(str(path))
        self.codes = codes
        self._contexts = []
        self._new = self._function("arr_context_new", ctypes.c_void_p, 1)
        self.error = self._function("arr_context_error", ctypes.c_char_p, 1)
        self.release = self._function("arr_buffer_release", None, 2)

    def _function(self, name, result, count):
        function = self.functions[name]
        function.restype, function.argtypes = result, [ctypes.c_void_p] * count
        return function

    def uniform(self, index):
        return self._function(f"entry_{index}__uniform", ctypes.c_int, 3)

    def context(self):
        try:
            return self._contexts.pop()
        except IndexError:
            context = self._new(None)
        if context is None:
            raise MemoryError("there is no memory for a call")
        return context

    def give_back(self, context):
        self._contexts.append(context)


class _Frame:
    """Memory for the words of a call, and the lists of pointers to the words of each leaf."""

    def __init__(self, inputs, outputs):
        sizes = [_size(leaves) for leaves in (inputs, outputs)]
        self.inputs, self.outputs = (ctypes.create_string_buffer(max(size, 1)) for size in sizes)
        self._lists = _places(self.inputs, inputs), _places(self.outputs, outputs)
        self.lists = tuple(ctypes.addressof(places) for places in self._lists)


def _words(rank):
    return 2 * rank + 2 if rank else 1


def _size(leaves):
    return sum(_WORD * _words(rank) for _, rank in leaves)


def _places(buffer, leaves):
    places, address = [], ctypes.addressof(buffer)
    for _, rank in leaves:
        places.append(address)
        address += _WORD * _words(rank)
    return (ctypes.c_void_p * max(len(places), 1))(*places)


def _struct(leaves):
    formats = (f"Q{2 * rank}qQ" if rank else _FORMATS[elem] for elem, rank in leaves)
    return struct.Struct("=" + "".join(formats))


def _leaves(shape):
    """The scalars and arrays that a value is made of, in order."""
    if "elem" in shape:
        return [(shape["elem"], shape["rank"])]
    if "tuple" in shape:
        parts = shape["tuple"]
    elif "record" in shape:
        parts = [part for _, part in shape["record"]]
    else:
        tag = {"elem": "i64", "rank": shape["rank"]}
        parts = [tag, *(part for _, payloads in shape["sum"] for part in payloads)]
    return [leaf for part in parts for leaf in _leaves(part)]


class _Filler:
    """The words of the arguments of a call, as they are found."""

    def __init__(self, function):
        self.function = function
        self.words = []
        # The copies of arguments.
        self.kept = []

    def value(self, shape, value, place):
        if "elem" in shape:
            if shape["rank"]:
                self._array(shape["elem"], shape["rank"], value, place)
            else:
                self._scalar(shape["elem"], value, place)
        elif "tuple" in shape:
            parts = self._parts(_arguments.items, value, (len(shape["tuple"]), place))
            for index, (part, item) in enumerate(zip(shape["tuple"], parts)):
                self.value(part, item, f"{place}[{index}]")
        elif "record" in shape:
            parts = self._parts(_arguments.fields, value, ([name for name, _ in shape["record"]], place))
            for (name, part), field in zip(shape["record"], parts):
                self.value(part, field, f"{place}.{name}")
        else:
            self._sum(shape["rank"], shape["sum"], value, place)

    def _parts(self, function, value, told):
        parts = function(value, self.function, told)
        self.kept.append(parts)
        return parts

    def _scalar(self, elem, value, place):
        if type(value) is not float or elem != "f64":
            value = _arguments.scalar(value, elem, self.function, place)
        self.words.append(value)

    def _array(self, elem, rank, value, place):
        dtype = _arguments._DTYPES[elem]
        if not _fits(value, dtype, rank):
            value = _arguments.array(value, elem, rank, self.function, place)
            self.kept.append(value)
        self.words.append(value.__array_interface__["data"][0])
        self.words += value.shape
        self.words += [stride // dtype.itemsize for stride in value.strides]
        self.words.append(0)

    def _sum(self, rank, cases, value, place):
        told = rank, [(name, len(payloads)) for name, payloads in cases], place
        tag, *parts = self._parts(_arguments.constructor, value, told)
        self.value({"elem": "i64", "rank": rank}, tag, place)
        parts = iter(parts)
        for at, (name, payloads) in enumerate(cases):
            for index, shape in enumerate(payloads):
                if rank == 0 and tag != at:
                    self.words += [0] * sum(_words(rank) for _, rank in _leaves(shape))
                else:
                    self.value(shape, next(parts), f"{place}.{name}[{index}]")


def _fits(value, dtype, rank):
    """Whether calls can take an array as it is."""
    if type(value) is not np.ndarray or value.dtype != dtype or value.ndim != rank or not value.flags.aligned:
        return False
    itemsize = dtype.itemsize
    return not any(stride % itemsize for stride in value.strides)


class _Memory:
    """Memory of the runtime, as NumPy takes it."""

    __slots__ = ("__array_interface__", "_owner", "_release")

    def __init__(self, release, owner, data, shape, dtype):
        self._release, self._owner = release, owner
        self.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str, "data": (data, False)}

    def __del__(self):
        self._release(None, self._owner)


def _arrays(library, leaves, words):
    """The scalars and arrays that a call gave."""
    found, owners, at = [], set(), 0
    for elem, rank in leaves:
        if rank == 0:
            found.append(words[at])
            at += 1
            continue
        data, shape, owner = words[at], words[at + 1 : at + 1 + rank], words[at + 2 * rank + 1]
        at += _words(rank)
        dtype = _arguments._DTYPES[elem]
        if owner == 0:
            found.append(np.empty(shape, dtype))
            continue
        array = np.asarray(_Memory(library.release, owner, data, shape, dtype))
        # Two results share a buffer, and a write to one would change the other.
        found.append(array.copy() if owner in owners else array)
        owners.add(owner)
    return found


def _builder(function, shape):
    """Puts a result together from an iterator over its leaves."""
    if "elem" in shape:
        return next
    if "tuple" in shape:
        parts = [_builder(function, part) for part in shape["tuple"]]
        return lambda leaves: tuple([part(leaves) for part in parts])
    if "record" in shape:
        parts = [_builder(function, part) for _, part in shape["record"]]
        result = _arguments.named(function, [name for name, _ in shape["record"]])
        return lambda leaves: result(*[part(leaves) for part in parts])
    cases = [(name, [_builder(function, part) for part in parts]) for name, parts in shape["sum"]]
    if shape["rank"] == 0:
        return lambda leaves: _chosen(cases, leaves)
    result = _arguments.named(function, _arguments.columns(shape["sum"]))
    parts = [next, *(part for _, parts in cases for part in parts)]
    return lambda leaves: result(*[part(leaves) for part in parts])


def _chosen(cases, leaves):
    tag = next(leaves)
    payloads = [[part(leaves) for part in parts] for _, parts in cases]
    return (cases[tag][0], *payloads[tag])


class Function:
    """An entry of a compiled program."""

    def __init__(self, package, library, index, entry):
        self.name, self.type_text = entry["name"], entry["text"]
        self.__name__ = self.__qualname__ = _arguments.python_name(self.name)
        self.__module__ = package
        self.__doc__ = f"{entry['doc']}\n\n{self.type_text}".strip()
        self.param_names = [_arguments.python_name(param["name"]) for param in entry["params"]]
        self._library, self._entry = library, entry
        self._params = [(param["shape"], param["name"]) for param in entry["params"]]
        self._inputs = [leaf for shape, _ in self._params for leaf in _leaves(shape)]
        self._outputs = _leaves(entry["result"])
        self._pack, self._unpack = _struct(self._inputs), _struct(self._outputs)
        self._build = _builder(self.name, entry["result"])
        self._uniform = library.uniform(index)
        self._frames = []

    def __call__(self, *args, **kwargs):
        if kwargs or len(args) != len(self._params):
            args = _arguments.bind(self.name, self.type_text, self.param_names, args, kwargs)
        filler = _Filler(self.name)
        for (shape, name), value in zip(self._params, args):
            filler.value(shape, value, name)
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = _Frame(self._inputs, self._outputs)
        self._pack.pack_into(frame.inputs, 0, *filler.words)
        context = self._library.context()
        inputs, outputs = frame.lists
        code = self._uniform(context, outputs, inputs)
        del filler
        message = self._library.error(context) if code else None
        self._library.give_back(context)
        words = self._unpack.unpack_from(frame.outputs)
        self._frames.append(frame)
        if code:
            kind, told = self._library.codes.get(str(code), ("unknown", ""))
            raise _errors.run_time_error(kind, told, message.decode("utf-8", "replace"))
        return self._build(iter(_arrays(self._library, self._outputs, words)))

    def __repr__(self):
        return f"<{self.__module__}.{self.__name__} {self.type_text}>"

    def __reduce__(self):
        return _function, (self.__module__, self.__name__)

    @property
    def __signature__(self):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        named = zip(self.param_names, self._entry["params"])
        params = [inspect.Parameter(name, kind, annotation=param["hint"]) for name, param in named]
        return inspect.Signature(params, return_annotation=self._entry["hint"])


def _function(package, name):
    return getattr(importlib.import_module(package), name)
