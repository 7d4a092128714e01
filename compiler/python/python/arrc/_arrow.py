"""Columns of Arrow (pyarrow, polars, pandas) by its C data interface, without its libraries and without a copy.

Invariant: a missing element never becomes a number; an array keeps the column alive that contains its elements.
"""

import ctypes

import numpy as np


class Missing(Exception):
    """The column has elements without a value, or no numbers."""


class _Schema(ctypes.Structure):
    pass


_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
    ("dictionary", ctypes.POINTER(_Schema)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("private_data", ctypes.c_void_p),
]


class _Array(ctypes.Structure):
    pass


_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(_Array))),
    ("dictionary", ctypes.POINTER(_Array)),
    ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
    ("private_data", ctypes.c_void_p),
]


class _Stream(ctypes.Structure):
    _fields_ = [
        ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Schema))),
        ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Array))),
        ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)),
        ("release", ctypes.CFUNCTYPE(None, ctypes.c_void_p)),
        ("private_data", ctypes.c_void_p),
    ]


_FORMATS = {
    b"c": np.int8,
    b"C": np.uint8,
    b"s": np.int16,
    b"S": np.uint16,
    b"i": np.int32,
    b"I": np.uint32,
    b"l": np.int64,
    b"L": np.uint64,
    b"f": np.float32,
    b"g": np.float64,
}

_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype = ctypes.c_void_p
_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class _Owned:
    """A struct that another library has filled. It is released when nothing uses it any more."""

    def __init__(self, kind):
        self.struct = kind()

    def __del__(self):
        if self.struct.release:
            self.struct.release(ctypes.addressof(self.struct))


def array(value):
    """The column as an array of NumPy; None if it is no column of Arrow."""
    if hasattr(value, "__arrow_c_array__"):
        schema, column = value.__arrow_c_array__()
        return _chunk(
            _Schema.from_address(_pointer(schema, b"arrow_schema")),
            _Array.from_address(_pointer(column, b"arrow_array")),
            (schema, column),
        )
    if hasattr(value, "__arrow_c_stream__"):
        try:
            capsule = value.__arrow_c_stream__()
        except ImportError:
            return None
        return _stream(_Stream.from_address(_pointer(capsule, b"arrow_array_stream")), capsule)
    return None


def _stream(stream, capsule):
    address = ctypes.addressof(stream)
    schema = _Owned(_Schema)
    _check(stream, stream.get_schema(address, schema.struct))
    chunks = []
    while True:
        column = _Owned(_Array)
        _check(stream, stream.get_next(address, column.struct))
        if not column.struct.release:
            break
        chunks.append(_chunk(schema.struct, column.struct, (schema, column)))
    del capsule
    if not chunks:
        return np.empty(0, _dtype(schema.struct))
    return chunks[0] if len(chunks) == 1 else np.concatenate(chunks)


def _check(stream, code):
    if code != 0:
        said = stream.get_last_error(ctypes.addressof(stream))
        raise Missing(f"its elements cannot be read: {(said or b'').decode(errors='replace')}")


def _dtype(schema):
    found = schema.format
    if schema.dictionary:
        raise Missing("it has a dictionary: give its codes, as by `.indices`")
    if found == b"b":
        return np.dtype(np.bool_)
    if found == b"+s":
        raise Missing(
            "it is a table: give its columns to a record, or make an array of rows and columns of it, as by `.to_numpy()`"
        )
    if found not in _FORMATS:
        raise Missing(f"its elements are of Arrow's type `{found.decode()}`, which are no numbers: convert them first")
    return np.dtype(_FORMATS[found])


def _chunk(schema, column, keep):
    dtype = _dtype(schema)
    length, offset = column.length, column.offset
    missing = column.null_count
    if missing < 0:
        missing = length - int(np.count_nonzero(_bits(column.buffers[0], offset, length))) if column.buffers[0] else 0
    if missing:
        raise Missing(
            f"{missing} of its {length} elements are missing: fill them, as by `.fill_null(0)`, "
            "or drop them, as by `.drop_nulls()`"
        )
    if length == 0:
        return np.empty(0, dtype)
    if dtype == np.bool_:
        return _bits(column.buffers[1], offset, length)
    return _memory(column.buffers[1], (offset + length) * dtype.itemsize, keep).view(dtype)[offset:]


def _bits(address, offset, length):
    """Truth values, which Arrow keeps as bits: a copy."""
    first, last = offset // 8, (offset + length + 7) // 8
    bits = np.unpackbits(_memory(address + first, last - first, None), bitorder="little")
    return bits[offset - 8 * first :][:length].astype(np.bool_)


def _memory(address, count, keep):
    """Bytes at an address, which can be read as long as `keep` is kept."""
    buffer = (ctypes.c_uint8 * count).from_address(address)
    buffer.kept = keep
    found = np.frombuffer(buffer, np.uint8)
    found.flags.writeable = False
    return found
