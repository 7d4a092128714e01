"""Entries over arrays that are larger than memory, or that lie on several machines, by Dask.

    import arrc, arrc.dask
    m = arrc.compile("normalize.arr")
    ys, zs = arrc.dask.run(m.normalize2, xs)      # xs: a dask array, in chunks along its first axis
    ys.mean().compute()

The passes over the data are those that `explain` prints. Each is one task for each chunk; a chunk of an input is loaded
once for each pass that reads it.

Invariant: nothing runs before a result is computed, except the tasks that decide a condition, a number of steps, the
position of an element or the size of an argument of a recursive function.
"""

import collections
import functools
import itertools
import json
import math
import os
import uuid
import warnings

import dask
import dask.array
import dask.core
import dask.graph_manipulation
import dask.optimization
import dask.utils
import numpy
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

from . import _arguments, _cache, _errors, _plan
from ._module import Module

__all__ = ["WholeArrayWarning", "plan", "run"]


class WholeArrayWarning(UserWarning):
    """An array in chunks is needed in one place."""


def plan(function):
    """The steps of an entry over chunks: one entry of what `arrc build --emit=passes` prints, as a dict."""
    return _program(function).plan(function.name)


def run(function, *args, **kwargs):
    """Runs an entry over dask arrays.

    Arrays may be dask arrays, NumPy arrays and memory maps, zarr arrays, columns of dask dataframes, and paths of `.npy`
    files. An array without chunks is cut if it is larger than Dask's chunk size. Records are dicts, tuples are tuples.

    Gives dask arrays, with no axis for a scalar, in the form of the entry's result. Warns by `WholeArrayWarning` of arrays
    that have to be in one place, before anything runs.
    """
    names = list(function.param_names)
    args = _arguments.bind(function.name, function.type_text, names, args, kwargs)
    program = _program(function)
    engine = _Engine(program)
    leaves = []
    for param, arg in zip(function._shape["params"], args):
        _leaves(param["shape"], arg, param["name"], leaves)
    inputs = [engine.input(leaf, value, name) for leaf, value, name in leaves]
    walk = _plan.Walk(program.plan(function.name), engine, program, engine.program)
    walk.begin(_unified(inputs, walk.plan))
    results = iter(engine.results(walk, walk.run()))
    return _shaped(function._shape["result"], results)


class _Program:
    """The functions of a program's passes. Each process compiles it once, or takes it from the cache."""

    def __init__(self, job, limits):
        self.job, self.limits = job, limits
        made = _cache.compile(job)
        plans = json.loads(made["passes"])
        self.plans = {plan["entry"]: plan for plan in plans["entries"] + plans["functions"]}
        self.module = Module(job, made, limits)

    def __reduce__(self):
        return _loaded, (tuple(sorted(self.job.items())), tuple(sorted(self.limits.items())))

    def __getitem__(self, name):
        return self.module[name]

    def plan(self, name):
        return self.plans[name]


@functools.lru_cache(maxsize=32)
def _loaded(job, limits):
    return _Program(dict(job), dict(limits))


def _program(function):
    job = {**function._module._job, "passes": True}
    return _loaded(tuple(sorted(job.items())), tuple(sorted(function._module._limits.items())))


def _leaves(shape, value, name, into):
    """The scalars and arrays that a value is made of, in the order of the entry's inputs."""
    if "elem" in shape:
        into.append((shape, value, name))
    elif "record" in shape:
        for field, inner in shape["record"]:
            part = value[field] if isinstance(value, dict) else getattr(value, field)
            _leaves(inner, part, f"{name}.{field}", into)
    elif "tuple" in shape:
        if len(value) != len(shape["tuple"]):
            raise _errors.ArgumentError(f"`{name}` is a tuple of {len(shape['tuple'])} values, not of {len(value)}")
        for at, (inner, part) in enumerate(zip(shape["tuple"], value)):
            _leaves(inner, part, f"{name}.{at}", into)
    else:
        raise _errors.ArgumentError(f"`{name}` is a sum: pass its arrays to an entry that takes them apart")


def _shaped(shape, results):
    """The results in the form of the entry's type."""
    if "elem" in shape:
        return next(results)
    if "record" in shape:
        return {field: _shaped(inner, results) for field, inner in shape["record"]}
    if "tuple" in shape:
        return tuple(_shaped(inner, results) for inner in shape["tuple"])
    return tuple(next(results) for _ in range(_width(shape)))


def _width(shape):
    if "elem" in shape:
        return 1
    if "record" in shape:
        return sum(_width(inner) for _, inner in shape["record"])
    if "tuple" in shape:
        return sum(map(_width, shape["tuple"]))
    return 1 + sum(_width(inner) for _, payload in shape["sum"] for inner in payload)


def _unified(inputs, plan):
    """Arrays of one size are all in chunks if one of them is."""
    chunked = {
        described["shape"][0]
        for described, value in zip(plan["inputs"], inputs)
        if isinstance(value, _plan.Parts)
    }
    return [
        value.parts() if isinstance(value, _Small) and described["shape"][0] in chunked
        else value.array if isinstance(value, _Small)
        else value
        for described, value in zip(plan["inputs"], inputs)
    ]


class _Small:
    """An array that may stay whole."""

    def __init__(self, engine, array):
        self.engine, self.array = engine, array

    def parts(self):
        ref = _plan.Ref(self.engine.data(self.array))
        return _plan.Parts([ref], [len(self.array)], self.array.shape[1:], self.array.dtype)


class _Task:
    """A task of Dask, or its result. A task refers to the tasks that it needs, so a task ends when nothing needs it.

    function: what is called with `args`; None if `there` is the result, or the key is one of the dask arrays `sources`.
    loads: whether it is a chunk of an input.
    """

    __slots__ = ("key", "function", "args", "there", "sources", "loads")

    def __init__(self, key, function=None, args=(), sources=(), loads=False):
        self.key, self.function, self.args, self.there = key, function, args, None
        self.sources, self.loads = sources, loads

    def keep(self, there):
        """Keeps the result. The tasks that it was made from are not needed any more."""
        self.function, self.args, self.there = None, (), there

    def spelt(self):
        """The task in the form of Dask's graphs."""
        if self.function is None:
            return self.there
        return (self.function, *map(_key, self.args))


class _Loads:
    """The tasks that load the chunks of a graph. If a single task needs a chunk, it loads the chunk itself. So the
    chunk is not sent from one worker to another, and ends with the task.
    """

    def __init__(self, layer):
        self.layer = layer
        self.needs = {key: dask.core.get_dependencies(layer, key) for key in layer}
        self.users = collections.Counter(itertools.chain.from_iterable(self.needs.values()))

    def into(self, task):
        """The task in the form of Dask's graphs, with the loads that it alone needs."""
        keys = {arg.key for arg in task.args if isinstance(arg, _Task) and arg.loads}
        graphs = {key: graph for key in keys if (graph := self.graph(key)) is not None}
        if not graphs:
            return task.spelt()
        loaded = {
            at: (arg.key, graphs[arg.key])
            for at, arg in enumerate(task.args)
            if isinstance(arg, _Task) and arg.key in graphs
        }
        rest = [_key(arg) for at, arg in enumerate(task.args) if at not in loaded]
        return (functools.partial(_with_loads, task.function, loaded), *rest)

    def graph(self, key):
        """The tasks that load a chunk, if nothing else uses them."""
        if not self.is_own(key):
            return None
        graph = {key: self.layer[key]}
        for need in self.needs[key]:
            needed = self.graph(need)
            if needed is None:
                return None
            graph.update(needed)
        return graph

    def is_own(self, key):
        """Whether a single task needs it. Nodes that describe a file may be copied into several tasks."""
        node = self.layer[key]
        is_description = not self.needs[key] and not dask.core.istask(node) and not _is_task(node) and not _is_array(node)
        return self.users[key] == 1 or is_description


class _Engine:
    """Makes tasks of Dask."""

    def __init__(self, program):
        self.name = f"arrc-{uuid.uuid4().hex}"
        self.count = 0
        self.chunk_bytes = dask.utils.parse_bytes(dask.config.get("array.chunk-size"))
        self.program = self.data(program)
        self.told = set()

    def task(self, function, constants, *args):
        """A task that calls the function with constants, followed by the results of other tasks."""
        self.count += 1
        return _Task((self.name, self.count), functools.partial(function, *constants), args)

    def data(self, value):
        """A value in memory, as a task."""
        return self.task(_given, (value,))

    def whole(self, name, parts):
        """Warns that an array is needed in one place."""
        if name in self.told:
            return
        self.told.add(name)
        size = parts.nbytes
        size = "of unknown size" if size is None else f"of {dask.utils.format_bytes(size)}"
        warnings.warn(
            f"the array `{name}`, {size}, is needed in one place: it is read by index, or by a step that is no pass",
            WholeArrayWarning,
            stacklevel=2,
        )

    def input(self, shape, value, name):
        """An input of the entry: a scalar, a whole array, or one in chunks."""
        dtype = _plan._dtype(shape["elem"])
        if shape["rank"] == 0:
            if isinstance(value, Delayed) or isinstance(value, dask.array.Array):
                value = value.compute()
            return _scalar(value, dtype, name)
        if isinstance(value, (str, os.PathLike)):
            if not os.fspath(value).endswith(".npy"):
                raise _errors.ArgumentError(f"`{name}` is a path, but not of a `.npy` file: open {value!r} by Dask")
            value = numpy.load(os.fspath(value), mmap_mode="r")
        if hasattr(value, "to_dask_array"):
            value = value.to_dask_array(lengths=True)
        if isinstance(value, (list, tuple)):
            value = numpy.asarray(value)
        if not hasattr(value, "shape"):
            raise _errors.ArgumentError(f"`{name}` is an array, not {value!r}")
        if isinstance(value, numpy.memmap) and value.filename and value.flags.c_contiguous:
            return self.mapped(_checked(value, dtype, shape["rank"], name))
        if isinstance(value, numpy.ndarray) and value.nbytes <= self.chunk_bytes:
            return _Small(self, _checked(value, dtype, shape["rank"], name))
        if not isinstance(value, dask.array.Array):
            is_zarr = hasattr(value, "chunks") and hasattr(value, "store")
            value = dask.array.from_zarr(value) if is_zarr else dask.array.from_array(value)
        _checked(value, dtype, shape["rank"], name)
        lengths = [int(length) for length in value.chunks[0]] if not any(map(math.isnan, value.chunks[0])) else None
        refs = self.load(value)
        return _plan.Parts(refs, lengths, value.shape[1:], dtype, object(), functools.partial(self.load, value))

    def mapped(self, array):
        """An array in a file, whose chunks are maps of the file: only the file's name is sent to a worker."""
        row = max(1, array.nbytes // max(1, len(array)))
        step = max(1, self.chunk_bytes // row)
        spans = [(first, min(first + step, len(array))) for first in range(0, len(array), step)] or [(0, 0)]
        base = array.base if isinstance(array.base, numpy.memmap) else array
        offset = base.offset + array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
        file = (os.path.abspath(array.filename), array.dtype.str, array.shape[1:], row, offset)

        def again():
            tasks = [self.task(_mapped, (*file, *span)) for span in spans]
            for task in tasks:
                task.loads = True
            return list(map(_plan.Ref, tasks))

        lengths = [last - first for first, last in spans]
        return _plan.Parts(again(), lengths, array.shape[1:], array.dtype, again=again)

    def load(self, array):
        """References to the chunks of an array, whose tasks are new ones."""
        sources = []
        if not _is_loaded(array):
            # A clone refers to the data in the graph of the original, which stays there.
            sources.append(array)
            array = dask.graph_manipulation.clone(array)
        array = array.rechunk({axis: -1 for axis in range(1, array.ndim)})
        sources.append(array)
        keys = dask.core.flatten(array.__dask_keys__())
        return [_plan.Ref(_Task(key, sources=sources, loads=True)) for key in keys]

    def graph(self, tasks):
        """Tasks and all that they need, in one layer, so that Dask sees which keys of the sources they need."""
        own, sources, waiting = {}, {}, list(tasks)
        while waiting:
            task = waiting.pop()
            if task.sources:
                sources.update((id(source), source) for source in task.sources)
            elif task.key not in own:
                own[task.key] = task
                waiting += [arg for arg in task.args if isinstance(arg, _Task)]
        layer = {}
        for source in sources.values():
            layer.update(dict(source.__dask_graph__()))
        layer.update({key: task.spelt() for key, task in own.items()})
        loads = _Loads(layer)
        layer.update({key: loads.into(task) for key, task in own.items() if task.function is not None})
        layer, _ = dask.optimization.cull(layer, list(own))
        return HighLevelGraph({self.name: layer}, {self.name: set()})

    def wait(self, ref, live):
        """The value of a reference. Intermediate results that are still needed are kept, and not computed again."""
        wanted = self.task(_result_of, (_given, ref.path), ref.key)
        tasks = {each.key for each in [ref, *live] if not each.key.loads and each.key.function is not None}
        tasks = sorted({wanted, *tasks}, key=lambda task: task.key[1])
        graph = self.graph(tasks)
        kept = dask.persist(*(Delayed(task.key, graph, layer=self.name) for task in tasks))
        for task, delayed in zip(tasks, kept):
            task.keep(dict(delayed.__dask_graph__())[task.key])
        if hasattr(wanted.there, "result"):
            return wanted.there.result()
        [found] = dask.compute(Delayed(wanted.key, self.graph([wanted]), layer=self.name))
        return found

    def results(self, walk, values):
        """Dask arrays of the results."""
        values = [self._checked_by(walk.checks, value) for value in values]
        kinds = [_kind(atom, walk.described) for atom in walk.plan["results"]]
        names = [f"{walk.plan['entry']}-{uuid.uuid4().hex}" for _ in values]
        named = [(name, value, *kind) for name, value, kind in zip(names, values, kinds)]
        tasks = [self._tasks(*result) for result in named]
        graph = self.graph(itertools.chain.from_iterable(tasks))
        # Each array has a layer of its own name.
        own, layers = graph.layers[self.name], {}
        for (name, *_), chunks in zip(named, tasks):
            layers[name] = {task.key: own.mapping.pop(task.key) for task in chunks}
        needs = {name: {self.name} for name in layers}
        graph = HighLevelGraph({self.name: own, **layers}, {self.name: set(), **needs})
        return [self._result(graph, *result) for result in named]

    def _checked_by(self, checks, value):
        """The value, after checks that give nothing."""
        if not checks:
            return value
        keys = [check.key for check in checks]

        def after(of):
            if not isinstance(of, _plan.Ref):
                of = _plan.Ref(self.data(of))
            return _plan.Ref(self.task(_after, ([of.path],), of.key, *keys))

        if isinstance(value, _plan.Parts):
            refs = [after(ref) for ref in value.refs]
            return _plan.Parts(refs, value.lengths, value.rows, value.dtype, value.origin)
        return after(value)

    def _tasks(self, name, value, dtype, rank):
        """The tasks that give the chunks of a result, or a scalar of its type. Their keys are those of a dask array."""
        if isinstance(value, _plan.Parts):
            refs = value.again() if value.again is not None else value.refs
        else:
            refs = [value if isinstance(value, _plan.Ref) else _plan.Ref(self.data(value))]
        make = _given if rank else dtype.type
        tasks = [self.task(_result_of, (make, ref.path), ref.key) for ref in refs]
        for at, task in enumerate(tasks):
            task.key = (name, *((at, *[0] * (rank - 1)) if rank else ()))
        return tasks

    @staticmethod
    def _result(graph, name, value, dtype, rank):
        """The dask array of a result, whose chunks are in the graph."""
        if rank == 0:
            return dask.array.Array(graph, name, (), dtype=dtype)
        if isinstance(value, _plan.Parts):
            lengths = value.lengths or [math.nan] * len(graph.layers[name])
            rows = [math.nan if extent is None else extent for extent in value.rows]
        else:
            lengths, rows = [len(value)], value.shape[1:]
        chunks = (tuple(lengths), *((extent,) for extent in rows))
        return dask.array.Array(graph, name, chunks, dtype=dtype)


def _kind(atom, described):
    """The dtype and the rank of a result."""
    if "const" in atom:
        return _plan._dtype(atom["type"]), 0
    value = described[atom["var"]]
    return _plan._dtype(value["type"]), value["rank"]


def _key(arg):
    """An argument of a task as graphs have it."""
    return arg.key if isinstance(arg, _Task) else arg


def _with_loads(function, loaded, *args):
    """Calls a function; its arguments at the places of `loaded` are chunks, by their keys in graphs."""
    rest = iter(args)
    count = len(loaded) + len(args)
    return function(*(dask.get(loaded[at][1], loaded[at][0]) if at in loaded else next(rest) for at in range(count)))


def _is_array(node):
    """Whether what a graph has is an array in memory."""
    return isinstance(getattr(node, "value", node), numpy.ndarray)


def _given(value):
    return value


def _mapped(name, dtype, rows, row, offset, first, last):
    """Elements of an array in a file."""
    if first == last:
        return numpy.empty((0, *rows), dtype)
    shape = (last - first, *rows)
    return numpy.memmap(name, dtype, "r", offset + first * row, shape)


def _result_of(make, path, value):
    return make(_plan.follow(value, path))


def _after(paths, value, *_checks):
    return _plan.follow(value, paths[0])


def _is_loaded(array):
    """Whether the chunks of a dask array are there, in this process or on a cluster, so that nothing loads them."""
    return all(dask.core.istask(task) is False and not _is_task(task) for task in dict(array.__dask_graph__()).values())


def _is_task(value):
    """Whether a value of a graph computes something."""
    return type(value).__name__ in {"Task", "Alias", "List", "Dict"}


def _scalar(value, dtype, name):
    found = numpy.asarray(value)
    if found.shape != () or not numpy.can_cast(found.dtype, dtype, "same_kind"):
        raise _errors.ArgumentError(f"`{name}` is a scalar of type {dtype}, not {value!r}")
    return dtype.type(found[()])


def _checked(array, dtype, rank, name):
    if array.ndim != rank:
        raise _errors.ArgumentError(f"`{name}` has {rank} axes, and the array that is passed has {array.ndim}")
    if array.dtype.kind == "c":
        raise _errors.ArgumentError(f"`{name}` has elements of type {array.dtype}: {_arguments.complex_parts('arrays')}")
    if array.dtype != dtype:
        raise _errors.ArgumentError(
            f"`{name}` has elements of type {dtype}, and the array that is passed {array.dtype}: convert it by `.astype({str(dtype)!r})`"
        )
    return array
