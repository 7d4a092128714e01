"""Programs as arrc compiles them: a library, whose entries are called through the C interface.

The calls run in a child process, so that a crash is an outcome as others are. Each array of the input ends where a page
begins that cannot be read. Arrays may lie in memory in other orders than row after row.
"""

import ctypes
import json
import mmap
import os
import pickle
import re
import signal
import struct
import subprocess

import numpy as np

C_TYPES = {"double": "f64", "float": "f32", "bool": "bool"}
C_TYPES |= {f"{'u' * (sign == 'u')}int{bits}_t": f"{sign}{bits}" for sign in "iu" for bits in (8, 16, 32, 64)}
DTYPES = {"bool": np.bool_, "f64": np.float64, "f32": np.float32}
DTYPES |= {f"{sign}{bits}": np.dtype(f"{sign}{bits // 8}").type for sign in "iu" for bits in (8, 16, 32, 64)}
PAGE = mmap.PAGESIZE
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.mmap.restype = ctypes.c_void_p
LIBC.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
# The codes of errors that say nothing about the program.
UNRELATED = (5, 6)


class Rejected(Exception):
    """The compiler's errors, as objects of JSON."""


class Broken(Exception):
    """The compiler ended in another way than with a result or errors."""


def build(arrc, source, library, options, timeout=600):
    """Compiles a program.

    Raises `Rejected` or `Broken`.
    """
    command = [arrc, "build", "--message-format=json", "--lib=shared", *options, source, "-o", library]
    # A sanitizer is for the calls, which this process makes.
    env = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    folder = os.path.dirname(source)
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=folder, env=env)
    except subprocess.TimeoutExpired as error:
        raise Broken("the compiler does not end") from error
    if result.returncode == 1:
        found = [json.loads(line) for line in result.stderr.splitlines() if line.startswith("{")]
        errors = [diagnostic for diagnostic in found if diagnostic["severity"] == "error"]
        if errors and all(error["labels"] for error in errors):
            raise Rejected(errors)
    if result.returncode:
        raise Broken(f"status {result.returncode}: {result.stderr[-1500:]}")


def signatures(header):
    """For each entry of a header the types of its outputs and inputs: the name of the scalar type, and the rank."""
    found = {}
    for name, parameters in re.findall(r"^int (\w+)\(arr_context \*ctx,? ?([^;(){}]*)\)", header, re.M):
        outputs, inputs = [], []
        for parameter in filter(None, re.split(r",\s*", parameters.strip())):
            of, star, _ = re.fullmatch(r"(?:const )?(\w+) (\*?)(\w+)", parameter.strip()).groups()
            array = re.fullmatch(r"arr_(\w+?)_(\d+)d", of)
            kind = (array.group(1), int(array.group(2))) if array else (C_TYPES.get(of), 0)
            if kind[0]:
                (outputs if star else inputs).append(kind)
        found[name] = (outputs, inputs)
    return found


def structure(rank):
    """The struct of an array."""
    sizes = ctypes.c_int64 * rank
    fields = [("data", ctypes.c_void_p), ("shape", sizes), ("stride", sizes), ("owner", ctypes.c_void_p)]
    return type(f"array{rank}", (ctypes.Structure,), {"_fields_": fields})


STRUCTURES = {rank: structure(rank) for rank in range(1, 9)}
SCALARS = {"bool": ctypes.c_bool, "f64": ctypes.c_double, "f32": ctypes.c_float}
SCALARS |= {f"{s}{b}": getattr(ctypes, f"c_{'u' * (s == 'u')}int{b}") for s in "iu" for b in (8, 16, 32, 64)}


def laid_out(values, layout):
    """An array with the elements of `values` in another order in memory: its buffer, and the position of its first element."""
    if layout == "columns":
        buffer = np.asfortranarray(values)
        return buffer.ravel(order="K"), buffer, 0
    if layout == "reversed":
        buffer = np.ascontiguousarray(values[(slice(None, None, -1),) * values.ndim])
        view = buffer[(slice(None, None, -1),) * values.ndim]
        return buffer.ravel(), view, max(values.size - 1, 0)
    if layout == "apart":
        buffer = np.full([2 * extent for extent in values.shape], 77, dtype=values.dtype)
        view = buffer[(slice(None, None, 2),) * values.ndim]
        view[...] = values
        return buffer.ravel(), view, 0
    return np.ascontiguousarray(values).ravel(), np.ascontiguousarray(values), 0


class Guarded:
    """Memory that ends where a page begins that cannot be read."""

    def __init__(self, flat):
        self.length = (max(flat.nbytes, 1) + PAGE - 1) // PAGE * PAGE + PAGE
        self.base = LIBC.mmap(None, self.length, 3, 0x22, -1, 0)
        LIBC.mprotect(self.base + self.length - PAGE, PAGE, 0)
        self.address = self.base + self.length - PAGE - flat.nbytes
        ctypes.memmove(self.address, flat.ctypes.data, flat.nbytes)

    def free(self):
        LIBC.munmap(self.base, self.length)


def argument(kind, component, layout, held):
    """An input of a call."""
    of, rank = kind
    shape, items = component
    if rank == 0:
        return SCALARS[of](items[0].item() if hasattr(items[0], "item") else items[0])
    values = np.array(items, dtype=DTYPES[of]).reshape(shape)
    flat, view, first = laid_out(values, layout)
    memory = Guarded(flat)
    held.append(memory)
    structure = STRUCTURES[rank]()
    structure.data = memory.address + first * values.itemsize
    structure.shape[:] = shape
    structure.stride[:] = [stride // values.itemsize for stride in view.strides]
    return structure


def result(kind, output):
    """A component of a result."""
    of, rank = kind
    if rank == 0:
        return ((), [DTYPES[of](output.value)])
    shape = tuple(output.shape)
    count = int(np.prod(shape, dtype=object))
    if not 0 <= count < 1 << 22 or min(shape) < 0:
        return (shape, [])
    dtype = np.dtype(DTYPES[of])
    text = ctypes.string_at(output.data, count * dtype.itemsize) if count else b""
    return (shape, list(np.frombuffer(text, dtype)))


class Options(ctypes.Structure):
    """`arr_options` of the C interface."""

    _fields_ = [(name, ctypes.c_size_t) for name in ("size", "memory", "stack", "alloc", "free", "user", "pool")]
    _fields_ += [("threads", ctypes.c_size_t), ("parallel", ctypes.c_void_p), ("lent", ctypes.c_void_p)]
    _fields_ += [("grain", ctypes.c_uint64)]


class Library:
    """A library and a context of it."""

    def __init__(self, path, threads):
        self.library = ctypes.CDLL(path)
        self.library.arr_context_new.restype = ctypes.c_void_p
        self.library.arr_context_new.argtypes = [ctypes.c_void_p]
        self.library.arr_context_error.restype = ctypes.c_char_p
        self.library.arr_context_error.argtypes = [ctypes.c_void_p]
        self.library.arr_buffer_release.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        options = Options(size=ctypes.sizeof(Options), memory=1 << 30, threads=threads, grain=1)
        self.context = self.library.arr_context_new(ctypes.byref(options))

    def call(self, name, signature, components, layout):
        """The components of the result, or the code and the message of an error."""
        outputs, inputs = signature
        held = []
        results = [STRUCTURES[rank]() if rank else SCALARS[of]() for of, rank in outputs]
        given = [argument(kind, part, layout, held) for kind, part in zip(inputs, components)]
        function = getattr(self.library, name)
        code = function(ctypes.c_void_p(self.context), *map(ctypes.byref, results), *given)
        if code:
            found = (code, self.library.arr_context_error(self.context).decode())
        else:
            found = [result(kind, output) for kind, output in zip(outputs, results)]
            for (_, rank), output in zip(outputs, results):
                if rank and output.owner:
                    self.library.arr_buffer_release(self.context, output.owner)
        for memory in held:
            memory.free()
        return found


def run(path, calls, threads=1, seconds=10):
    """The outcomes of calls, each a name, a signature, the components of its inputs and a layout. A crash is the name of
    its signal.
    """
    outcomes = []
    while len(outcomes) < len(calls):
        found, ended = in_child(path, calls[len(outcomes) :], threads, seconds)
        outcomes += found
        if len(outcomes) < len(calls):
            outcomes.append(ended)
    return outcomes


def in_child(path, calls, threads, seconds):
    """The outcomes up to the first crash, and how the child ended."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(reader)
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            answer(path, calls, threads, seconds, writer)
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    found = []
    with os.fdopen(reader, "rb") as stream:
        while len(head := stream.read(8)) == 8:
            text = stream.read(struct.unpack("q", head)[0])
            found.append(pickle.loads(text))
    _, status = os.waitpid(child, 0)
    ended = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else f"status {status >> 8}"
    return found, "it does not end" if ended == "SIGALRM" else ended


def answer(path, calls, threads, seconds, writer):
    """Makes calls, and writes their outcomes."""
    library = Library(path, threads)
    with os.fdopen(writer, "wb", buffering=0) as stream:
        for call in calls:
            signal.alarm(seconds)
            text = pickle.dumps(library.call(*call))
            stream.write(struct.pack("q", len(text)) + text)
