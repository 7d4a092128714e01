"""The programs as one writes them with dask.array, and with NumPy chunk by chunk.

Each program has one function or more for dask.array: which one is fastest depends on the scheduler.
"""

import dask
import dask.array as da
import numpy as np
import with_numpy


def normalize2_masked(xs):
    return _sums(xs // xs.sum(), xs // xs[xs > 0].sum())


def normalize2_where(xs):
    return _sums(xs // xs.sum(), xs // da.where(xs > 0, xs, 0).sum())


def _sums(*arrays):
    return dask.compute(*(array.sum() for array in arrays))


def normalize2_numpy(chunks):
    one = other = 0
    for (xs,) in chunks():
        one, other = one + xs.sum(), other + xs[xs > 0].sum()
    found = [((xs // one).sum(), (xs // other).sum()) for (xs,) in chunks()]
    return tuple(np.sum(found, 0))


def histogram(k, xs):
    return (da.bincount(xs, minlength=k).compute(),)


def histogram_numpy(chunks, k):
    return (sum(np.bincount(xs, minlength=k) for (xs,) in chunks()),)


def _logistic(steps, xs, ys, finish):
    w = b = 0.0
    for _ in range(steps):
        errors = 1 / (1 + np.exp(-(w * xs + b))) - (ys > 0.5)
        w, b = finish(w - (errors * xs).sum() / xs.size, b - errors.sum() / xs.size)
    return dask.compute(w, b)


def logistic_at_once(steps, xs, ys):
    return _logistic(steps, xs, ys, lambda *sums: sums)


def logistic_step_by_step(steps, xs, ys):
    return _logistic(steps, xs, ys, dask.compute)


def logistic_numpy(chunks, steps):
    w = b = 0.0
    for _ in range(steps):
        slope = offset = size = 0
        for xs, ys in chunks():
            errors = 1 / (1 + np.exp(-(w * xs + b))) - (ys > 0.5)
            slope, offset, size = slope + (errors * xs).sum(), offset + errors.sum(), size + len(xs)
        w, b = w - slope / size, b - offset / size
    return w, b


def quickhull(xs, ys):
    """As in Arr: a pass for each side, as long as the points are more than a chunk."""
    lows, highs = dask.compute(xs.min(), xs.max())
    first, last = (
        (x, found) for x, found in zip((lows, highs), dask.compute(ys[xs == lows].min(), ys[xs == highs].max()))
    )
    few = max(xs.chunks[0])
    hull = _side(first, last, xs, ys, few) + _side(last, first, xs, ys, few)
    return np.array([x for x, _ in hull]), np.array([y for _, y in hull])


def _side(a, b, xs, ys, few):
    areas = (b[0] - a[0]) * (ys - a[1]) - (b[1] - a[1]) * (xs - a[0])
    left = areas > 0
    xs, ys, areas = dask.persist(xs[left], ys[left], areas[left])
    for array in (xs, ys, areas):
        array.compute_chunk_sizes()
    if xs.size <= few:
        return with_numpy._side(a, b, *dask.compute(xs, ys))
    most = areas == areas.max()
    far = min(zip(*dask.compute(xs[most], ys[most])))
    return _side(a, far, xs, ys, few) + _side(far, b, xs, ys, few)


def quickhull_of_hulls(xs, ys):
    """The hull of the hulls of chunks."""
    hulls = [dask.delayed(with_numpy.quickhull)(*pair) for pair in zip(xs.to_delayed(), ys.to_delayed())]
    return _hull(dask.compute(*hulls))


def quickhull_numpy(chunks):
    return _hull([with_numpy.quickhull(xs, ys) for xs, ys in chunks()])


def _hull(hulls):
    return with_numpy.quickhull(*(np.concatenate(parts) for parts in zip(*hulls)))
