"""With-loops: an element for each index of an index space.

    with { ([1, 1] <= iv < [3, 4]) : iv[0] + iv[1] } : genarray ([3, 5], 0)

Generators are boxes or grids in the space. They have no index in common, and lie in the array that is made or changed.
"""

import itertools

import numpy as np

from values import Array, Failure, Poison, Skip, apply, array, force, integer

# The most indices of a generator.
MOST = 5_000


def vector(value, rank):
    """The components of an index vector. A number stands for each component."""
    value = force(value)
    if isinstance(value, Array):
        return [integer(part) for part in value.items]
    if rank is None:
        raise Skip("an index space of an unknown rank")
    return [integer(value)] * rank


def shape_of(value):
    """The sizes of an array."""
    found = []
    while isinstance(value, Array):
        found.append(len(value.items))
        value = value.sample()
    return found


class Spaces:
    """The part of the evaluator that knows with-loops."""

    def do_withloop(self, node, env):
        _, generators, operations = node
        is_one = isinstance(operations[0], str)
        shapes = [self.space_of(one, generators, env) for one in ([operations] if is_one else operations)]
        shape = next((shape for shape in shapes if shape is not None), None)
        if is_one:
            return self.operated(None, operations, generators, shape, env)
        return tuple([self.operated(at, operation, generators, shape, env) for at, operation in enumerate(operations)])

    def space_of(self, operation, generators, env):
        """The shape of the array that an operation makes or changes; none of a fold."""
        if operation[0] == "modarray":
            return self.rank_of(generators, shape_of(force(self.value(operation[1], env))))
        return vector(self.value(operation[1], env), None) if operation[0] == "genarray" else None

    def operated(self, at, operation, generators, shape, env):
        """The result of one operation; the elements are tuples if there are several."""
        kind, first = operation[:2]
        if kind == "fold":
            op, result = self.value(first, env), self.value(operation[2], env)
            for generator in generators:
                shape = shape or self.shape_indexed(generator, env)
                for _, element in self.elements(generator, shape, env):
                    result = apply(op, [result, self.chosen(element, at)])
            return result
        start = force(self.value(first, env)) if kind == "modarray" else None
        return self.made(start, self.space_of(operation, generators, env), operation, at, generators, env)

    def made(self, start, shape, operation, at, generators, env):
        """The array that a generator fills."""
        if any(extent < 0 for extent in shape):
            raise Failure("negative size")
        found = {}
        for generator in generators:
            for index, element in self.elements(generator, shape, env, is_bounded=True):
                if index in found:
                    raise Failure("generators that have an index in common")
                found[index] = self.chosen(element, at)
        default = self.lazy(operation[2], env) if len(operation) > 2 and operation[2] else None
        return filled(shape, (), found, start, default)

    def chosen(self, element, at):
        """The element of one operation of several; none if there is one operation."""
        return element if at is None or isinstance(element, Poison) else element[at]

    def rank_of(self, generators, shape):
        """The sizes of the dimensions that the generators have."""
        index = generators[0][3]
        return shape[: len(index[1])] if index[0] == "pvector" else shape

    def shape_indexed(self, generator, env):
        """The shape of an array that the element takes at its index."""
        index = generator[3]
        if index[0] == "pvar":
            for name in indexed_by(generator[8], index[1]):
                if name in env:
                    return shape_of(env[name])
        return None

    def elements(self, generator, shape, env, is_bounded=False):
        """The indices of a generator, in row-major order, and their elements. The whole box of a grid lies in the array."""
        _, lower, is_open, pattern, below, upper, step, width, element = generator
        rank = len(pattern[1]) if pattern[0] == "pvector" else shape and len(shape)
        low = self.edge(lower, [0] * len(shape or ()), rank, shape, env)
        high = self.edge(upper, [extent - 1 for extent in shape or ()], rank or len(low), shape, env)
        low = [bound + is_open for bound in low]
        high = [bound + (not below) for bound in high]
        steps = vector(self.value(step, env), len(low)) if step else [1] * len(low)
        widths = vector(self.value(width, env), len(low)) if width else [1] * len(low)
        if any(s < 1 or not 1 <= w <= max(s, 1) for s, w in zip(steps, widths)):
            raise Failure("a step that is not positive")
        if is_bounded and all(a < b for a, b in zip(low, high)):
            if any(a < 0 or b > extent for a, b, extent in zip(low, high, shape)):
                raise Failure("a generator that leaves the array")
        ranges = [[i for i in range(a, b) if (i - a) % s < w] for a, b, s, w in zip(low, high, steps, widths)]
        if np.prod([len(part) for part in ranges]) > MOST:
            raise Skip("a large index space")
        for index in itertools.product(*ranges):
            inner = dict(env)
            places = [np.int64(part) for part in index]
            if pattern[0] == "pvector":
                for part, place in zip(pattern[1], places):
                    self.match(part, place, inner)
            else:
                self.match(pattern, Array(places), inner)
            yield index, self.lazy(element, inner)

    def edge(self, bound, known, rank, shape, env):
        """A bound; `.` is the first or the last index."""
        if bound == ("edge",):
            if shape is None:
                raise Skip("the edge of an unknown space")
            return known
        return vector(self.value(bound, env), rank)


def filled(shape, index, found, start, default):
    """The array with these elements, and others from `start` or the default."""
    if not shape:
        if index in found:
            return found[index]
        if start is not None:
            return start
        return Poison("generators that leave out an element") if default is None else default
    rows = start.items if start is not None else [None] * shape[0]
    items = [filled(shape[1:], index + (at,), found, rows[at], default) for at in range(shape[0])]
    if items:
        return array(items)
    if start is not None:
        return start
    return Array([], None if default is None else empty(shape[1:], default))


def empty(shape, default):
    """A sample of the rows."""
    return Array([empty(shape[1:], default)] * shape[0], empty(shape[1:], default)) if shape else default


def indexed_by(node, name):
    """The variables that are indexed by a variable."""
    if node[:1] == ("index",) and node[1][0] == "var" and node[2] == (("at", ("var", name)),):
        yield node[1][1]
    for part in node:
        if isinstance(part, tuple):
            yield from indexed_by(part, name)
