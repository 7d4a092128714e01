"""Entries over arrays in chunks: walks the plan of an entry, and makes tasks for an engine.

A plan is one entry or function of what `arrc build --emit=passes` prints. While it is walked, a value is concrete, or a `Ref`
to the result of a task, or an array in `Parts`. A step that depends on concrete values only is computed at once. A call
of a function walks its plan if an argument is larger than a chunk; else it is one task.

Invariant: each pass makes one task for each chunk. How the results of chunks are combined depends on their number only.
"""

import collections
import itertools
import math

import numpy

#: How many accumulators one task combines.
FAN = 8

#: How many small chunks one of them must replace on average. They may have to come from other workers.
FEWER = 8

#: How deeply calls over chunks may be nested. A deeper call takes whole arrays.
DEPTH = 64

#: The result of a task, or its part at `path`. The key is the engine's; a task lives as long as its keys.
Ref = collections.namedtuple("Ref", "key path", defaults=((),))


class Parts:
    """An array in chunks along its first axis.

    refs: the chunks. lengths: how many elements each has, or None if that is not known before the tasks run. rows: the shape of
    an element. origin: an object that arrays with chunks of the same lengths share: the lengths, if known.
    again: for an input, a function that gives references to its chunks, each time to tasks that load them anew.
    """

    def __init__(self, refs, lengths, rows, dtype, origin=None, again=None):
        self.refs, self.lengths, self.rows, self.dtype = list(refs), lengths, tuple(rows), numpy.dtype(dtype)
        self.origin = tuple(lengths) if lengths is not None else origin
        self.again = again

    @property
    def nbytes(self):
        """How many bytes the elements take, or None if that is not known."""
        if self.lengths is None or None in self.rows:
            return None
        return sum(self.lengths) * math.prod(self.rows) * self.dtype.itemsize

    @property
    def chunk_bytes(self):
        """How many bytes the largest chunk takes, or 0 if that is not known."""
        size = self.nbytes
        return max(self.lengths) * (size // max(1, sum(self.lengths))) if size else 0


def follow(value, path):
    """The part of a task's result that a reference leads to."""
    for at in path:
        value = value[at]
    return value


# The functions of tasks. The first arguments are constants, the last ones are results of other tasks.


def call(name, paths, program, *args):
    """Calls a function of a program, and gives a tuple of its results."""
    result = program[name](*map(follow, args, paths))
    return result if isinstance(result, tuple) else (result,)


def lift(folds, paths, value):
    """The accumulators of one chunk, by folds."""
    return [tuple(value[at] for at in places) for _, places, _ in folds]


def combine(folds, is_lowest, count, paths, program, *args):
    """Combines the accumulators of neighbours until one is left."""
    values, others = args[:count], list(map(follow, args[count:], paths))
    values = [lift(folds, paths, value) for value in values] if is_lowest else list(values)
    while len(values) > 1:
        pairs = zip(values[::2], values[1::2])
        joined = [_both(folds, program, left, right, others) for left, right in pairs]
        values = joined + values[2 * len(joined) :]
    return values[0]


def _both(folds, program, left, right, others):
    sides = zip(folds, left, right)
    return [
        call(name, [()] * (2 * len(one) + len(env)), program, *one, *other, *(others[at] for at in env))
        for (name, _, env), one, other in sides
    ]


def concatenate(paths, *parts):
    """A whole array from its chunks."""
    return numpy.concatenate(list(map(follow, parts, paths)))


def recut(cuts, paths, *parts):
    """A chunk that is made of slices of others."""
    parts = [part[first:last] for part, (first, last) in zip(map(follow, parts, paths), cuts)]
    return parts[0] if len(parts) == 1 else numpy.concatenate(parts)


def extent(dim, paths, part):
    """The extent of a dimension of a chunk."""
    return follow(part, paths[0]).shape[dim]


def several(paths, *values):
    """A tuple of integers."""
    return tuple(int(value) for value in map(follow, values, paths))


def total(paths, *values):
    """The sum of integers."""
    return sum(int(value) for value in map(follow, values, paths))


def element(paths, array, *indices):
    """One element of an array."""
    array, *indices = map(follow, (array, *indices), paths)
    for index, size in zip(indices, array.shape):
        in_bounds(index, size)
    return array[tuple(int(index) for index in indices)]


def in_bounds(index, size):
    from . import _errors

    if not 0 <= index < size:
        raise _errors.run_time_error("index", None, f"index {index} is out of bounds for length {size}")


class Walk:
    """One run of an entry, or of a function that another walk calls.

    engine: makes tasks (`task(function, *args)`), waits for values (`wait(ref, live)`), names the size of chunks in bytes
    (`chunk_bytes`), and is told which arrays are needed in one place (`whole(name, parts)`).
    program: gives functions by name, and their plans (`plan(name)`); task_program stands for it in tasks.
    around: the walk that calls.
    """

    def __init__(self, plan, engine, program, task_program, around=None):
        self.plan, self.engine, self.program, self.task_program = plan, engine, program, task_program
        self.around, self.depth = around, around.depth + 1 if around else 0
        self.described = {value["name"]: value for value in plan["inputs"] + plan["values"]}
        #: The values, the lengths of arrays, and the arrays that were put in one place.
        self.values, self.lengths, self.wholes = {}, {}, {}
        #: Tasks that give nothing but may fail.
        self.checks = around.checks if around else []
        #: The bytes of an array that is small enough for a call of its own.
        self.small = around.small if around else engine.chunk_bytes

    def begin(self, inputs):
        """Takes the arguments of the entry."""
        names = [described["name"] for described in self.plan["inputs"]]
        self._bind(names, inputs)
        if self.around is None:
            parts = [value for value in self.values.values() if isinstance(value, Parts)]
            self.small = max((each.chunk_bytes for each in parts), default=0) or self.engine.chunk_bytes

    def run(self):
        """The results, in the order of the outputs."""
        self._steps(self.plan["steps"])
        return [self._atom(atom) for atom in self.plan["results"]]

    def live(self):
        """The references that this walk and those around it hold."""
        for value in self._held():
            if isinstance(value, Parts):
                yield from value.refs
            elif isinstance(value, Ref):
                yield value

    def _held(self):
        walk = self
        while walk is not None:
            yield from walk.values.values()
            yield from walk.lengths.values()
            yield from (whole for _, whole in walk.wholes.values())
            walk = walk.around

    def _steps(self, steps):
        for step in steps:
            getattr(self, "_" + step["step"])(step)

    def _task(self, function, *args, program=()):
        """A task; its arguments that are references become the results that they refer to."""
        paths = [arg.path if isinstance(arg, Ref) else () for arg in args]
        keys = [arg.key if isinstance(arg, Ref) else arg for arg in args]
        return Ref(self.engine.task(function, (paths,), *program, *keys))

    def _apply(self, name, args):
        """The results of a function of the program: computed at once if all arguments are known."""
        if any(isinstance(arg, Ref) for arg in args):
            paths = [arg.path if isinstance(arg, Ref) else () for arg in args]
            keys = [arg.key if isinstance(arg, Ref) else arg for arg in args]
            key = self.engine.task(call, (name, paths), self.task_program, *keys)
            return lambda count: [Ref(key, (at,)) for at in range(count)]
        results = call(name, [()] * len(args), self.program, *args)
        return lambda count: list(results)

    def _atom(self, atom):
        if "const" in atom:
            kind = numpy.dtype(_dtype(atom["type"]))
            return kind.type(atom["const"])
        return self.values[atom["var"]]

    def _given(self, atom):
        """A value in the form that a function takes."""
        return self._whole(atom["var"]) if "var" in atom else self._atom(atom)

    def _bind(self, names, values):
        for name, value in zip(names, values):
            described = self.described[name]
            if isinstance(value, Ref) and described["rank"] > 0:
                rows = [_extent_named(extent) for extent in described["shape"][1:]]
                value = Parts([value], None, rows, _dtype(described["type"]), object())
            self.values[name] = value
            self.lengths.pop(name, None)

    def _end(self, names):
        """Gives arrays up: nothing uses them any more."""
        for name in names:
            self.values.pop(name, None)
            self.wholes.pop(name, None)

    def _whole(self, name):
        """A value in the form that a function takes, with arrays whole."""
        value = self.values[name]
        if not isinstance(value, Parts) or len(value.refs) == 1:
            return value.refs[0] if isinstance(value, Parts) else value
        parts, whole = self.wholes.get(name, (None, None))
        if parts is not value:
            self.engine.whole(name, value)
            whole = self._joined(value)
            self.wholes[name] = (value, whole)
        return whole

    def _joined(self, parts):
        """An array in chunks as one."""
        refs = self._fresh(parts)
        return refs[0] if len(refs) == 1 else self._task(concatenate, *refs)

    @staticmethod
    def _fresh(parts):
        """References to the chunks of an array for one more use of all of them."""
        return parts.again() if parts.again is not None else parts.refs

    def _wait(self, value):
        return self.engine.wait(value, self.live()) if isinstance(value, Ref) else value

    def _measured(self, parts):
        """The array, after finding out its shape if that is not known."""
        if None in parts.rows:
            extents = [self._extent_of(parts.refs[0], dim + 1) for dim in range(len(parts.rows))]
            parts.rows = self._wait(self._task(several, *extents))
        if parts.lengths is None:
            self._measure([parts])
        return parts

    def _measure(self, arrays, *values):
        """Finds out the lengths of chunks of arrays; gives integers that are waited for at the same time."""
        extents = [self._extent_of(ref, 0) for parts in arrays for ref in parts.refs]
        found = iter(self._wait(self._task(several, *values, *extents)))
        values = [next(found) for _ in values]
        for parts in arrays:
            self._settle(parts, [next(found) for _ in parts.refs])
        return values

    def _settle(self, parts, lengths):
        """Sets the lengths of the chunks of an array, and of others of its origin; joins many small neighbours."""
        same = {id(value): value for value in [parts, *self._held()] if isinstance(value, Parts)}
        same = [value for value in same.values() if value.lengths is None and value.origin == parts.origin]
        row = max(value.dtype.itemsize * math.prod(extent or 1 for extent in value.rows) for value in same)
        groups = _groups(lengths, self.small // max(1, row))
        for value in same:
            value.lengths = lengths
            # While chunks are joined, their elements are in memory twice.
            if value.again is None and len(groups) * FEWER <= len(lengths):
                merged = [value.refs[first:last] for first, last in groups]
                value.refs = [self._task(concatenate, *refs) if len(refs) > 1 else refs[0] for refs in merged]
                value.lengths = [sum(lengths[first:last]) for first, last in groups]
            value.origin = tuple(value.lengths)

    def _bytes(self, value):
        """How many bytes an array takes; 0 for a scalar."""
        if isinstance(value, Parts):
            return self._measured(value).nbytes
        return value.nbytes if isinstance(value, numpy.ndarray) else 0

    # The steps.

    def _once(self, step):
        args = [self._argument(arg) for arg in step["arguments"]]
        results = self._apply(step["function"], args)
        if step["out"]:
            self._bind(step["out"], results(len(step["out"])))
        else:
            self.checks += [value for value in results(1) if isinstance(value, Ref)]

    def _call(self, step):
        args = [self._atom(arg) for arg in step["arguments"]]
        large = [at for at, arg in enumerate(args) if self._bytes(arg) > self.small]
        self._end(step["ends"])
        if large and self.depth < DEPTH:
            inner = Walk(self.program.plan(step["function"]), self.engine, self.program, self.task_program, self)
            inner.begin(args)
            # The arrays end when the callee does not need them any more.
            del args
            results = inner.run()
        else:
            for at in large:
                self.engine.whole(step["arguments"][at]["var"], args[at])
            args = [self._joined(arg) if isinstance(arg, Parts) else arg for arg in args]
            results = self._apply(step["function"], args)(len(step["out"]))
        self._bind(step["out"], results)

    def _argument(self, arg):
        if "var" in arg:
            return self._whole(arg["var"])
        return self._extent(*arg["extent"])

    def _extent(self, name, dim):
        """The extent of a dimension of an array over all chunks."""
        if dim == 0 and name in self.lengths:
            return self.lengths[name]
        value = self.values[name]
        if isinstance(value, numpy.ndarray):
            return value.shape[dim]
        if dim > 0:
            known = value.rows[dim - 1]
            return known if known is not None else self._extent_of(value.refs[0], dim)
        if value.lengths is not None:
            return sum(value.lengths)
        self.lengths[name] = self._task(total, *(self._extent_of(ref, 0) for ref in value.refs))
        return self.lengths[name]

    def _extent_of(self, ref, dim):
        return Ref(self.engine.task(extent, (dim, [ref.path]), ref.key))

    def _element(self, step):
        array = self.values[step["array"]]
        indices = [self._atom(index) for index in step["indices"]]
        if isinstance(array, Parts):
            chunk, indices = self._found(array, indices)
            value = self._task(element, chunk, *indices)
        elif any(isinstance(index, Ref) for index in indices):
            value = self._task(element, array, *indices)
        else:
            value = element([()] * (1 + len(indices)), array, *indices)
        self._bind([step["out"]], [value])

    def _found(self, parts, indices):
        """The chunk that has an element, and the indices in it. No other chunk is loaded."""
        if len(parts.refs) == 1:
            return self._fresh(parts)[0], indices
        index, *rest = indices
        index = int(self._wait(index))
        lengths = self._measured(parts).lengths
        in_bounds(index, sum(lengths))
        spans = enumerate(_spans(lengths))
        at, first = next((at, first) for at, (first, last) in spans if index < last)
        return self._fresh(parts)[at], [index - first, *rest]

    def _append(self, step):
        for left, right, out in zip(step["left"], step["right"], step["out"]):
            left, right = (self._parts(self.values[name]) for name in (left, right))
            lengths = None
            if left.lengths is not None and right.lengths is not None:
                lengths = left.lengths + right.lengths
            rows = [one if one is not None else other for one, other in zip(left.rows, right.rows)]
            origin = ("append", left.origin, right.origin)
            again = None
            if left.again is not None or right.again is not None:

                def again(left=left, right=right):
                    return self._fresh(left) + self._fresh(right)

            self.values[out] = Parts(left.refs + right.refs, lengths, rows, left.dtype, origin, again)

    def _parts(self, value):
        """An array in chunks: one chunk if it is whole."""
        if isinstance(value, Parts):
            return value
        value = numpy.asarray(value)
        return Parts([self._data(value)], [len(value)], value.shape[1:], value.dtype)

    def _data(self, array):
        """A reference to an array in memory."""
        return Ref(self.engine.data(array))

    def _if(self, step):
        condition = self._atom(step["condition"])
        branches = (step["then"], step["else"])
        if isinstance(condition, Ref) and any(inner["step"] == "call" for of in branches for inner in of["steps"]):
            # Calls ask how large their arrays are.
            values = [value for value in self.values.values() if isinstance(value, Parts)]
            unknown = {value.origin: value for value in values if value.lengths is None and value.again is None}
            [condition] = self._measure(unknown.values(), condition)
        branch = step["then"] if self._wait(condition) else step["else"]
        self._steps(branch["steps"])
        self._bind(step["out"], [self._atom(atom) for atom in branch["results"]])

    def _loop(self, step):
        carried = [self._atom(atom) for atom in step["first"]]
        if "for" in step:
            form = step["for"]
            turns = range(int(self._wait(self._atom(form["count"]))))
        else:
            form = step["while"]
            turns = itertools.count()
        for turn in turns:
            if "while" in step:
                self._bind(form["carried"], carried)
                self._steps(form["steps"])
                if not self._wait(self._atom(form["results"][0])):
                    break
            else:
                self.values[form["counter"]] = turn
            self._bind(step["carried"], carried)
            del carried
            self._steps(step["steps"])
            carried = [self._atom(atom) for atom in step["results"]]
        self._bind(step["out"], carried)

    def _pass(self, step):
        streams = {name: self._parts(self.values[name]) for name in step["reads"]}
        streams = self._aligned(streams)
        pass_ = _Pass(self, step, streams)
        pass_.run()

    def _aligned(self, streams):
        """The arrays with chunks of the same lengths."""
        if not streams:
            return {}
        if len({parts.origin for parts in streams.values()}) > 1:
            for parts in streams.values():
                self._measured(parts)
        first = max(streams.values(), key=lambda parts: len(parts.refs))
        return {name: self._cut(parts, first, name) for name, parts in streams.items()}

    def _cut(self, parts, like, name):
        refs = self._fresh(parts)
        if parts.origin == like.origin:
            return Parts(refs, parts.lengths, parts.rows, parts.dtype, parts.origin)
        if parts.lengths == like.lengths:
            return Parts(refs, parts.lengths, parts.rows, parts.dtype)
        if sum(parts.lengths) != sum(like.lengths):
            from . import _errors

            raise _errors.run_time_error(
                "shape", None, f"`{name}` has the length {sum(parts.lengths)}, and another array of that size {sum(like.lengths)}"
            )
        cut = [self._recut(refs, parts.lengths, *span) for span in _spans(like.lengths)]
        return Parts(cut, like.lengths, parts.rows, parts.dtype)

    def _recut(self, refs, lengths, first, last):
        cuts, paths, keys = [], [], []
        for ref, (begin, end) in zip(refs, _spans(lengths)):
            low, high = max(first, begin), min(last, end)
            if low < high or (first == last == begin and not keys):
                cuts.append((low - begin, max(low, high) - begin))
                paths.append(ref.path)
                keys.append(ref.key)
        return Ref(self.engine.task(recut, (cuts, paths), *keys))


class _Pass:
    """One pass of a walk."""

    def __init__(self, walk, step, streams):
        self.walk, self.step, self.streams = walk, step, streams
        #: The origin of arrays whose lengths the pass decides.
        self.made = object()
        self.lengths, self.origin = self._steps()
        #: How many steps come before each chunk.
        self.offsets = self._offsets() if step["offset"] else None
        #: The value of each carry before the next chunk.
        self.carries = [walk._given(carry["first"]) for carry in step["carries"]]

    def _steps(self):
        """The number of steps in each chunk, or None if unknown; and the origin of arrays with as many elements."""
        if self.streams:
            first = next(iter(self.streams.values()))
            return (first.lengths, first.origin) if first.lengths is not None else ([None] * len(first.refs), first.origin)
        count = int(self.walk._wait(self.walk._atom(self.step["count"])))
        most = max(1, self.walk.engine.chunk_bytes // 8)
        lengths = [min(most, count - at) for at in range(0, count, most)] or [max(count, 0)]
        return lengths, tuple(lengths)

    def _offsets(self):
        if None not in self.lengths:
            return [first for first, _ in _spans(self.lengths)]
        first = next(iter(self.streams.values()))
        offsets = [0]
        for ref in first.refs[:-1]:
            offsets.append(self.walk._task(total, offsets[-1], self.walk._extent_of(ref, 0)))
        return offsets

    def run(self):
        results = [self._chunk(at) for at in range(len(self.lengths))]
        self._folds(results)
        self.walk._bind([carry["out"] for carry in self.step["carries"]], self.carries)
        for at, out in enumerate(self.step["results"]):
            if "array" in out:
                self._array(out["array"], [result[at] for result in results])
            elif "length" in out:
                self.walk.lengths[out["length"]] = self._sum([result[at] for result in results])

    def _chunk(self, at):
        args = [self._argument(arg, at) for arg in self.step["arguments"]]
        results = self.walk._apply(self.step["slice"], args)(len(self.step["results"]))
        for out, result in zip(self.step["results"], results):
            if "carry" in out:
                self.carries[out["carry"]] = result
        return results

    def _argument(self, arg, at):
        if "chunk" in arg:
            return self.streams[arg["chunk"]].refs[at]
        if "offset" in arg:
            return self.offsets[at]
        if "count" in arg:
            return self.lengths[at]
        if "total" in arg:
            return sum(self.lengths) if None not in self.lengths else self._extent()
        if "carry" in arg:
            return self.carries[arg["carry"]]
        return self.walk._argument(arg)

    def _extent(self):
        first = next(iter(self.streams.values()))
        return self._sum([self.walk._extent_of(ref, 0) for ref in first.refs])

    def _sum(self, values):
        if any(isinstance(value, Ref) for value in values):
            return self.walk._task(total, *values)
        return sum(int(value) for value in values)

    def _array(self, name, refs):
        walk = self.walk
        described = walk.described[name]
        dtype = _dtype(described["type"])
        if len(refs) == 1 and isinstance(refs[0], numpy.ndarray):
            walk._bind([name], refs)
            return
        refs = [ref if isinstance(ref, Ref) else walk._data(ref) for ref in refs]
        rows = [_extent_named(extent) for extent in described["shape"][1:]]
        same = self._has_steps(name)
        lengths = self.lengths if same and None not in self.lengths else None
        walk._bind([name], [Parts(refs, lengths, rows, dtype, (self.made, described["shape"][0]))])

    def _has_steps(self, name):
        """Whether an array has one element for each step."""
        size = self.walk.described[name]["shape"][0]
        sizes = [self.walk.described[read]["shape"][0] for read in self.step["reads"]]
        return size == sizes[0] if sizes else True

    def _folds(self, results):
        if not self.step["folds"]:
            return
        walk = self.walk
        places = {out["fold"]: at for at, out in enumerate(self.step["results"]) if "fold" in out}
        if len(results) == 1:
            walk._bind(places, [results[0][at] for at in places.values()])
            return
        others = []
        for fold in self.step["folds"]:
            others += [arg for arg in fold["env"] if arg not in others]
        folds = [
            (fold["combine"], [places[name] for name in fold["out"]], [others.index(arg) for arg in fold["env"]])
            for fold in self.step["folds"]
        ]
        others = [walk._argument(arg) for arg in others]
        keys = [self._key(result) for result in results]
        # Accumulators alone travel to where they are combined.
        is_lowest = not self.step["arrays"]
        if not is_lowest:
            keys = [walk.engine.task(lift, (folds, [()]), key) for key in keys]
        while len(keys) > 1 or is_lowest:
            groups = [keys[at : at + FAN] for at in range(0, len(keys), FAN)]
            keys = [self._combined(folds, is_lowest, group, others) for group in groups]
            is_lowest = False
        for at, fold in enumerate(self.step["folds"]):
            for place, name in enumerate(fold["out"]):
                walk._bind([name], [Ref(keys[0], (at, place))])

    def _key(self, result):
        """The task whose results these are."""
        if isinstance(result[0], Ref):
            return result[0].key
        return self.walk.engine.data(tuple(result))

    def _combined(self, folds, is_lowest, group, others):
        paths = [other.path if isinstance(other, Ref) else () for other in others]
        keys = [other.key if isinstance(other, Ref) else other for other in others]
        constants = (folds, is_lowest, len(group), paths)
        return self.walk.engine.task(combine, constants, self.walk.task_program, *group, *keys)


def _spans(lengths):
    ends = list(itertools.accumulate(lengths, initial=0))
    return list(zip(ends, ends[1:]))


def _groups(lengths, most):
    """Runs of neighbours that together have at most `most` elements, or are one chunk: where they begin and end."""
    groups, begin, count = [], 0, 0
    for at, length in enumerate(lengths):
        if at > begin and count + length > most:
            groups.append((begin, at))
            begin, count = at, 0
        count += length
    return [*groups, (begin, len(lengths))]


def _extent_named(name):
    """The extent that a plan names, if it is a number."""
    return int(name) if name.isdecimal() else None


def _dtype(name):
    """The dtype of a scalar type of Arr: `f64` is float64."""
    if name == "bool":
        return numpy.dtype(bool)
    kind = {"i": "int", "u": "uint", "f": "float"}[name[0]]
    return numpy.dtype(kind + name[1:])
