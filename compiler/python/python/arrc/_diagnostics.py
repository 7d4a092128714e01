"""The exceptions of the compiler, and the functions that raise those of its extension.

Invariant: each exception says what to do; the errors of a program are reported as `arrc check` reports them.
"""

import json
import os
import sys

from . import _html
from ._errors import Error, run_time_error

__all__ = ["CompileError", "CompileWarning", "InternalError", "LoadError", "run_time_error"]


class CompileError(Error):
    """The program is wrong."""

    def __init__(self, rendered, colored, lines):
        super().__init__(rendered)
        #: The diagnostics as `arrc check` prints them.
        self.rendered = rendered
        #: The same with the colours of a terminal.
        self.colored = colored
        #: The diagnostics, each as one JSON object on a line.
        self.json = "\n".join(lines)
        #: The same as dicts.
        self.diagnostics = [json.loads(line) for line in lines]
        errors = [found for found in self.diagnostics if found["severity"] == "error"]
        self.code = errors[0]["code"] if errors else ""

    def __reduce__(self):
        return type(self), (self.rendered, self.colored, self.json.splitlines())

    def __str__(self):
        text = self.colored if _colors(sys.stderr) else self.rendered
        return "\n" + text.rstrip()

    def _repr_html_(self):
        return _html.page(self.colored)

    def _render_traceback_(self):
        """What IPython shows: the diagnostics, and not the frames of the package."""
        shown = self.colored if _colors(sys.stderr) else _html.basic(self.colored)
        return shown.rstrip().splitlines()


class CompileWarning(UserWarning):
    """What is suspicious in a program."""


class LoadError(Error):
    """A program cannot be loaded into this process."""


class InternalError(Error):
    """A mistake of arrc, and not of the program."""


def compile_error(rendered, colored, lines):
    return CompileError(rendered, colored, lines)


def load_error(problem):
    if "undefined symbol: arr_" in problem:
        # The extension exports no other names.
        problem += ": shared libraries do not see the functions of the runtime; link the object file that calls it instead"
    return LoadError(f"the program cannot be loaded: {problem}")


def internal_error(what):
    return InternalError(
        f"arrc has a bug: {what}\nThis is not your program's fault. Please report it with the program and this message."
    )


def _colors(stream):
    return not os.environ.get("NO_COLOR") and bool(getattr(stream, "isatty", bool)())
