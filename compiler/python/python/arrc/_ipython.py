"""The cell magic `%%arr`: a program in a cell, whose entries become functions of the notebook."""

import shlex

from ._module import compile


def register(ipython):
    """Adds the magic to a shell."""
    ipython.register_magic_function(lambda line, cell: arr(ipython, line, cell), "cell", "arr")


def arr(ipython, line, cell):
    """Compiles the cell. Its line takes options of `arrc.compile`, as in `%%arr opt_level=2 fusion=none`."""
    options = {}
    for word in shlex.split(line):
        name, sign, value = word.partition("=")
        if not sign or name not in ("opt_level", "fusion", "target_cpu", "memory_limit", "threads", "name", "link"):
            raise TypeError(f"%%arr takes options such as opt_level=2, and {word!r} is none")
        if name == "link":
            value = options.get(name, []) + [value]
        options[name] = int(value) if name in ("opt_level", "memory_limit", "threads") else value
    module = compile(source=cell, **{"name": "<cell>", **options})
    ipython.push({function.__name__: function for function in module})
    return module
