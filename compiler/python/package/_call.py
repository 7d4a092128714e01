"""Entries of a compiled library as functions, by ctypes: NumPy is all that it needs.

Invariant: memory that a call returned is given back to the runtime once, when no array uses it any more. A context, and
the memory for the words of a call, are used by one call at a time. Ctrl-C during a call on the main thread cancels it.
"""

import ctypes
import functools
import importlib
import inspect
import json
import os
import pathlib
import select
import signal
import struct
import threading
import time

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


def load(package, names):
    """Adds the entries of a package to its names, as they are in Arr and as Python can write them. Gives all of these."""
    folder = pathlib.Path(importlib.import_module(package).__file__).parent
    description = json.loads((folder / "_description.json").read_text(encoding="utf-8"))
    library = _Library(folder / description["library"], description["codes"])
    found = {}
    for index, entry in enumerate(description["entries"]):
        function = Function(package, library, index, entry)
        found[entry["name"]] = found[function.__name__] = function
    names.update(found)
    return list(found)


class _Library:
    """The shared library, and the contexts that no call uses."""

    def __init__(self, path, codes):
        self.functions = ctypes.CDLL(str(path))
        self.codes = codes
        self._contexts = []
        self._new = self._function("arr_context_new", ctypes.c_void_p, 1)
        self.error = self._function("arr_context_error", ctypes.c_char_p, 1)
        self.release = self._function("arr_buffer_release", None, 2)
        self.cancel = self._function("arr_context_cancel", None, 1)

    def _function(self, name, result, count):
        function = self.functions[name]
        function.restype, function.argtypes = result, [ctypes.c_void_p] * count
        return function

    def uniform(self, index, suffix=""):
        return self._function(f"entry_{index}__uniform{suffix}", ctypes.c_int, 3)

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


class _Interrupts:
    """Cancels the call on the main thread if Ctrl-C is pressed.

    Python's own handler of SIGINT only sets a flag, which is looked at when the call has ended. But it also writes the number
    of the signal to the file that `signal.set_wakeup_fd` names, and a thread waits for that during calls.
    """

    def __init__(self):
        self._lock = threading.Lock()
        # The file, the process that made it, and what cancels the call that runs.
        self._reader = self._writer = self._process = self._cancel = None

    def call(self, cancel, function, *args):
        """Calls a function of the library; `cancel` ends it early."""
        if threading.current_thread() is not threading.main_thread():
            return function(*args)
        if self._process != os.getpid():
            self._begin()
        try:
            before = signal.set_wakeup_fd(self._writer, warn_on_full_buffer=False)
        except ValueError:
            # This is the main thread of an interpreter that does not handle signals.
            return function(*args)
        try:
            self._cancel = cancel
            return function(*args)
        except BaseException:
            # What is there was meant for this call, and not for the next one.
            self._read()
            raise
        finally:
            with self._lock:
                self._cancel = None
            signal.set_wakeup_fd(-1 if before == self._writer else before)

    def _begin(self):
        self._lock, self._cancel = threading.Lock(), None
        self._reader, self._writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(self._writer, False)
        threading.Thread(target=self._watch, args=(self._reader,), daemon=True).start()
        self._process = os.getpid()

    def _watch(self, reader):
        while True:
            select.select([reader], [], [])
            with self._lock:
                cancel = self._cancel if signal.SIGINT in self._read() else None
            # A call that has not begun yet is not cancelled.
            for _ in range(100):
                with self._lock:
                    if cancel is None or cancel is not self._cancel:
                        break
                    cancel()
                time.sleep(0.01)

    def _read(self):
        """The signals since the last time."""
        try:
            return os.read(self._reader, 4096)
        except BlockingIOError:
            return b""


_INTERRUPTS = _Interrupts()


class _Frame:
    """Memory for the words of a call, and the lists of pointers to the words of each leaf."""

    def __init__(self, inputs, outputs):
        sizes = [_size(leaves) for leaves in (inputs, outputs)]
        self.inputs, self.outputs = (ctypes.create_string_buffer(max(size, 1)) for size in sizes)
        self.zeros = bytes(len(self.outputs))
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


def _lent(leaves, arrays):
    """The words of outputs, with the arrays to which results are written."""
    words, arrays = [], iter(arrays)
    for elem, rank in leaves:
        if rank == 0:
            words.append(0)
            continue
        array = next(arrays)
        words.append(array.__array_interface__["data"][0])
        words += array.shape
        words += [stride // array.itemsize for stride in array.strides]
        words.append(0)
    return words


def _written(leaves, words, arrays):
    """The scalars that a call gave, and the arrays that it wrote."""
    found, arrays, at = [], iter(arrays), 0
    for _, rank in leaves:
        if rank == 0:
            found.append(words[at])
        else:
            found.append(_arguments.written(next(arrays), words[at + 1 : at + 1 + rank]))
        at += _words(rank)
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
        self._arrays = [(elem, rank) for elem, rank in self._outputs if rank]
        # The function that writes arrays to arrays of the caller. A parameter `out` is an argument.
        self._into = library.uniform(index, "_into") if entry["out"] else None
        self._frames = []

    def __call__(self, *args, **kwargs):
        out = kwargs.pop("out", None) if self._into else None
        if kwargs or len(args) != len(self._params):
            args = _arguments.bind(self.name, self.type_text, self.param_names, args, kwargs)
        filler = _Filler(self.name)
        for (shape, name), value in zip(self._params, args):
            filler.value(shape, value, name)
        if out is not None:
            out = _arguments.destinations(out, self._arrays, self.name)
        try:
            frame = self._frames.pop()
        except IndexError:
            frame = _Frame(self._inputs, self._outputs)
        self._pack.pack_into(frame.inputs, 0, *filler.words)
        frame.outputs.raw = frame.zeros
        if out is not None:
            self._unpack.pack_into(frame.outputs, 0, *_lent(self._outputs, out))
        uniform = self._uniform if out is None else self._into
        context = self._library.context()
        inputs, outputs = frame.lists
        cancel = functools.partial(self._library.cancel, context)
        message = None
        try:
            code = _INTERRUPTS.call(cancel, uniform, context, outputs, inputs)
            del filler
            message = self._library.error(context) if code else None
            words = self._unpack.unpack_from(frame.outputs)
        except BaseException:
            # A handler of signals raised it; the call may have ended well.
            if out is None:
                _arrays(self._library, self._outputs, self._unpack.unpack_from(frame.outputs))
            raise
        finally:
            self._library.give_back(context)
            self._frames.append(frame)
        if code:
            kind, told = self._library.codes.get(str(code), ("unknown", ""))
            raise _errors.run_time_error(kind, told, message.decode("utf-8", "replace"))
        if out is not None:
            return self._build(iter(_written(self._outputs, words, out)))
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
        if out := self._entry["out"]:
            params.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=out))
        return inspect.Signature(params, return_annotation=self._entry["hint"])


def _function(package, name):
    return getattr(importlib.import_module(package), name)
