"""Files with functions of C that programs call: what `link=` names.

Invariant: object files and static libraries are read once, and travel with a pickled program; shared libraries stay where
they are. Each error names the file or the function, and says what to do.
"""

import os
import stat

from . import _arrc
from ._diagnostics import LoadError

_HEAD = 18
_EXPECTED = "`link=` takes object files (.o), static libraries (.a) and shared libraries (.so)"


class LinkError(LoadError):
    """A file in `link=` cannot be linked."""

    code = "A0614"


def read(link):
    """The files: their names, each with its contents, or with None if it is a shared library."""
    if isinstance(link, (str, bytes, os.PathLike)):
        raise TypeError("link= takes a list of files: write `link=[…]`")
    return tuple(_read(os.fsdecode(file)) for file in link)


def linked(files, externals, job):
    """The files, which have to define all externals of a program."""
    found = _arrc.Linked(list(files))
    missing = [name for name in externals if not found.defines(name)]
    if missing:
        _arrc.undefined(job, missing)
    return found


def _read(path):
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise LinkError(f"`{path}` is no plain file: {_EXPECTED}")
        with open(path, "rb") as file:
            head = file.read(_HEAD)
            kind = _kind(path, head)
            return (os.path.abspath(path), None) if kind == "shared" else (path, head + file.read())
    except FileNotFoundError:
        if os.sep not in path and ".so" in path:
            # The system knows where it is.
            return path, None
        folder = os.getcwd()
        raise LinkError(f"there is no file `{path}`: paths in `link=` are taken from the current folder, {folder}") from None
    except OSError as error:
        raise LinkError(f"`{path}` cannot be read: {error.strerror}") from None


def _kind(path, head):
    if head.startswith((b"!<arch>\n", b"!<thin>\n")):
        return "static"
    if head.startswith(b"\x7fELF"):
        kind = {1: "object", 3: "shared"}.get(int.from_bytes(head[16:18], "little"))
        if kind:
            return kind
    if path.endswith((".c", ".cc", ".cpp", ".cxx", ".f90", ".rs")):
        raise LinkError(f"`{path}` is a source: compile it, as by `cc -O2 -fPIC -c {path}`, and link the object file")
    raise LinkError(f"`{path}` is of another kind: {_EXPECTED} of this machine")
