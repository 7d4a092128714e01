"""Sorting, searching and runs of equal elements.

Floats that an operator compares have one order: nan is above all numbers, and zeros of both signs are equal.
"""

import functools

import numpy as np

from scalars import order
from values import Array, Failure, Function, Skip, apply, force


def items(value):
    """The elements of an array."""
    return force(value).items


def sample(value):
    return force(value).sample()


def ordering(le, of):
    """The comparison of a sort. Floats that are compared by an operator have one order, with nan above all numbers."""
    if isinstance(of, (float, np.floating)):
        zero, one = type(of)(0), type(of)(1)
        up, down = (bool(force(apply(le, pair))) for pair in ([zero, one], [one, zero]))
        if up != down:
            return lambda x, y: order(force(x)) <= order(force(y)) if up else order(force(x)) >= order(force(y))
    return lambda x, y: force(apply(le, [x, y]))


def sorted_items(le, keyed):
    """The second parts, in the order of the first ones; equal ones keep their order."""
    before = ordering(le, keyed[0][0] if keyed else None)
    if not all(before(x, x) for x, _ in keyed):
        raise Skip("an order of elements with nan")

    def compared(p, q):
        return (0 if before(q[0], p[0]) else -1) if before(p[0], q[0]) else 1

    return [x for _, x in sorted(keyed, key=functools.cmp_to_key(compared))]


def do_sort(_evaluator, le, xs):
    return Array(sorted_items(le, [(x, x) for x in items(xs)]), sample(xs))


def do_sort_by_key(_evaluator, key, le, xs):
    return Array(sorted_items(le, [(apply(key, [x]), x) for x in items(xs)]), sample(xs))


def do_order_of(_evaluator, le, xs):
    return Array(sorted_items(le, [(x, np.int64(i)) for i, x in enumerate(items(xs))]), np.int64(0))


def do_binary_search(_evaluator, le, xs, x):
    before, (low, high) = ordering(le, force(x)), (0, len(items(xs)))
    while low < high:
        middle = low + (high - low) // 2
        low, high = (low, middle) if before(x, items(xs)[middle]) else (middle + 1, high)
    return np.int64(low)


def do_argmin(_evaluator, le, xs):
    if not items(xs):
        raise Failure("an index that is out of bounds")
    before, best = ordering(le, sample(xs)), 0
    for at, x in enumerate(items(xs)):
        if before(x, items(xs)[best]) and not before(items(xs)[best], x):
            best = at
    return np.int64(best)


def do_argmax(evaluator, le, xs):
    return do_argmin(evaluator, Function(2, lambda x, y: apply(le, [y, x])), xs)


def do_unique(_evaluator, eq, xs):
    found = [x for at, x in enumerate(items(xs)) if at == 0 or not force(apply(eq, [items(xs)[at - 1], x]))]
    return Array(found, sample(xs))


def do_run_lengths(_evaluator, eq, xs):
    starts = [at for at in range(len(items(xs))) if at == 0 or not force(apply(eq, items(xs)[at - 1 : at + 1]))]
    counts = [np.int64(end - start) for start, end in zip(starts, [*starts[1:], len(items(xs))])]
    return (Array([items(xs)[start] for start in starts], sample(xs)), Array(counts, np.int64(0)))
