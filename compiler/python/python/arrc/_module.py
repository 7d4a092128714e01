"""Programs, and their entries as functions."""

import inspect
import json
import os
import sys
import time
import warnings

from . import _arrc, _cache, _diagnostics, _html, _link


def compile(
    path=None,
    /,
    *,
    source=None,
    name="<source>",
    fusion="ilp",
    opt_level=3,
    target_cpu="native",
    memory_limit=None,
    threads=None,
    link=(),
    trace=False,
    cache=True,
):
    """Compiles a program, and loads it into this process.

    path: the file of the program; or else
    source: its text, which messages call by `name`.
    fusion: how passes are fused: "ilp", "greedy", "megiddo", "stream" or "none".
    opt_level: how much is optimised: 0 to 3.
    target_cpu: the processor: "native" is this machine's.
    memory_limit: the most bytes that the arrays of a call may take.
    threads: the most threads that a call uses; None: as many as the variable ARR_NUM_THREADS says, or all that the
        process may use. Results do not depend on it.
    link: object files, static and shared libraries, which define the program's externals; `header` has what they need.
    trace: whether the values of `trace` and `trace_as` are printed to standard error.
    cache: whether a program that was compiled before is taken from the disk, and this one kept there.

    Gives a `Module`, whose attributes are the program's entries. Raises `CompileError` if the program is wrong, and
    warns by `CompileWarning` of what is suspicious in it.
    """
    limits = {"memory_limit": memory_limit or 0, "threads": threads or 0}
    for option, value in limits.items():
        if value < 0:
            raise ValueError(f"{option} is a positive number or None, not {value}")
    job = _job(path, source, name, fusion=fusion, opt_level=opt_level, cpu=target_cpu, link=_link.read(link), trace=trace)
    made = _cache.compile(job) if cache else _arrc.compile(job)
    rendered, _, lines = made["warnings"]
    if lines:
        warnings.warn(_diagnostics.CompileWarning("\n" + rendered.rstrip()), stacklevel=2)
    return Module(job, made, limits)


def header(path=None, /, *, source=None, name="<source>"):
    """The C header of a program's externals, as a text: the prototypes of the functions, and what they need.

    path: the file of the program; or else
    source: its text, which messages call by `name`.
    """
    return _arrc.header(_job(path, source, name))


def _job(path, source, name, *, fusion="ilp", opt_level=3, cpu="native", link=(), trace=False):
    """A program, and how to compile it."""
    if (path is None) == (source is None):
        raise TypeError("give a file's path, or a program's text as `source=…`")
    if path is not None:
        path = os.fspath(path)
        if "\n" in path:
            raise TypeError("the first argument is a path: give a program's text as `source=…`")
    return {
        "path": path,
        "source": source,
        "name": name,
        "files": None,
        "fusion": fusion,
        "opt_level": opt_level,
        "cpu": cpu,
        "passes": False,
        "trace": bool(trace),
        "link": link,
    }


def explain(code):
    """The page on a diagnostic's code, such as "A0301"."""
    page = _arrc.page(code.upper())
    if page is None:
        raise ValueError(f"there is no diagnostic with the code {code!r}; codes look like 'A0301'")
    return page


class Module:
    """A compiled program: its entries are its attributes, and its items by name.

    An entry that has the name of a method comes before it: then `arrc.Module.stats(m)` is the method. The names with `_` in front
    that a module has are Python's and ours, and an entry with one of them is an item only.
    """

    def __init__(self, job, made, limits):
        self._limits = limits
        # The files are those of the time when it was compiled, on each machine and in each folder.
        (_, source), *files = made["files"]
        self._job = {**job, "source": source, "path": None, "files": tuple(map(tuple, files))}
        if job["path"] is not None:
            self._job["name"] = job["path"]
        linked = _link.linked(job["link"], made["externals"], self._job)
        self._code = _arrc.Code(made["object"], made["description"], linked, **limits)
        self._description = made["description"]
        self._shapes = json.loads(made["description"])
        functions = (Function(self._code, index) for index in range(len(self._code)))
        self._entries = {function.name: function for function in functions}
        for function, shape in zip(self._entries.values(), self._shapes):
            function._module, function._shape = self, shape
        self.__dict__.update((name, function) for name, function in self._entries.items() if not name.startswith("_"))

    def __getattr__(self, name):
        entries = self.__dict__.get("_entries", {})
        if name in entries:
            return entries[name]
        known = ", ".join(entries)
        raise AttributeError(f"the program has no entry {name!r}; its entries are {known}")

    def __getitem__(self, name):
        try:
            return self._entries[name]
        except KeyError:
            raise KeyError(f"the program has no entry {name!r}; its entries are {', '.join(self._entries)}") from None

    def __iter__(self):
        return iter(self._entries.values())

    def __len__(self):
        return len(self._entries)

    def __dir__(self):
        return [*super().__dir__(), *self._entries]

    def __repr__(self):
        return f"<arrc.Module {self._job['name']}: {', '.join(self._entries)}>"

    def __reduce__(self):
        return _again, (self._job, self._limits)

    def explain(self, *, verbose=False):
        """Why the program runs in the passes that it runs in."""
        return Explanation(self._job, None, verbose)

    def emit(self, form):
        """A form of the program as text, such as "clusters", "procedure", "llvm" or "asm"."""
        text = _arrc.emit(self._job, form)
        if text is None:
            raise ValueError(f"there is no form {form!r}; the forms are {', '.join(_arrc.forms())}")
        return text

    def stats(self):
        """What the last call that ended knows of its memory: a dict of bytes and counts."""
        return self._code.stats()

    def stub(self):
        """The entries with type hints, as the text of a `.pyi` file."""
        return _arrc.stub(self._description)


def _again(job, limits):
    """A module that was pickled: it is compiled again, or taken from the cache."""
    return Module(job, _cache.compile(job), limits)


def _entry(module, name):
    return module[name]


class Function(_arrc.Function):
    """An entry of a program."""

    def __new__(cls, code, index):
        self = super().__new__(cls, code, index)
        self.__name__ = self.__qualname__ = self.name
        self.__doc__ = f"{self.doc}\n\n{self.type_text}".strip()
        return self

    def __repr__(self):
        return f"<arrc.Function {self.type_text}>"

    def __reduce__(self):
        return _entry, (self._module, self.name)

    @property
    def __signature__(self):
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        hints = [param["hint"] for param in self._shape["params"]]
        named = zip(self.param_names, hints)
        params = [inspect.Parameter(name, kind, annotation=hint) for name, hint in named]
        if out := self._shape["out"]:
            params.append(inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=out))
        return inspect.Signature(params, return_annotation=self._shape["hint"])

    def explain(self, *, verbose=False):
        """Why the function runs in the passes that it runs in."""
        return Explanation(self._module._job, self.name, verbose)

    def emit(self, form):
        """A form of the program as text, such as "clusters", "procedure", "llvm" or "asm"."""
        return Module.emit(self._module, form)

    def stats(self):
        """What the last call that ended knows of its memory: a dict of bytes and counts."""
        return Module.stats(self._module)

    def bench(self, *args, rounds=9, **kwargs):
        """Calls the function again and again: the seconds of the quickest round and of the middle one, for one call."""
        calls = 1
        while (taken := self._time(calls, args, kwargs)) < 0.002 and calls < 1 << 20:
            calls = calls * 2 if taken == 0 else max(calls * 2, int(calls * 0.002 / taken))
        times = sorted(self._time(calls, args, kwargs) / calls for _ in range(rounds))
        return {"best": times[0], "median": times[len(times) // 2], "calls": calls * rounds}

    def _time(self, calls, args, kwargs):
        start = time.perf_counter()
        for _ in range(calls):
            self(*args, **kwargs)
        return time.perf_counter() - start


class Explanation:
    """A text, coloured where it is shown."""

    def __init__(self, job, entry, verbose):
        self.text = _arrc.explain(job, entry, verbose, False)
        self._colored = _arrc.explain(job, entry, verbose, True)

    def __str__(self):
        return self.text

    def __repr__(self):
        return self._colored if _diagnostics._colors(sys.stdout) else self.text

    def _repr_html_(self):
        return _html.page(self._colored)
