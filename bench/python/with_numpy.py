"""The programs as one writes them with NumPy: whole arrays, masks, and Python's recursion."""

import numpy as np


def normalize2(xs):
    return xs // xs.sum(), xs // xs[xs > 0].sum()


def filter_max(limit, xs):
    kept = xs + 1
    kept = kept[kept > limit]
    return kept, kept.max(initial=0)


def convolution(a, eps):
    b = a + np.roll(a, -1, 0) + np.roll(a, 1, 0) + np.roll(a, -1, 1) + np.roll(a, 1, 1)
    b *= 1 / 5
    return b, bool((np.abs(b - a) > eps).any())


def quickhull(xs, ys):
    order = np.lexsort((ys, xs)) if len(xs) < 1000 else _ends(xs, ys)
    first, last = (xs[order[0]], ys[order[0]]), (xs[order[-1]], ys[order[-1]])
    hull = _side(first, last, xs, ys) + _side(last, first, xs, ys)
    return np.array([x for x, _ in hull]), np.array([y for _, y in hull])


def _ends(xs, ys):
    """The first and the last point by x and then y."""
    left, right = np.flatnonzero(xs == xs.min()), np.flatnonzero(xs == xs.max())
    return left[ys[left].argmin()], right[ys[right].argmax()]


def _side(a, b, xs, ys):
    areas = (b[0] - a[0]) * (ys - a[1]) - (b[1] - a[1]) * (xs - a[0])
    left = areas > 0
    if not left.any():
        return [a]
    xs, ys, areas = xs[left], ys[left], areas[left]
    most = np.flatnonzero(areas == areas.max())
    at = most[0] if len(most) == 1 else most[np.lexsort((ys[most], xs[most]))[0]]
    far = (xs[at], ys[at])
    return _side(a, far, xs, ys) + _side(far, b, xs, ys)


def closest_points(xs, ys):
    return np.sqrt(_closest(len(xs) + 1, xs, ys))


def _closest(whole, xs, ys):
    n = len(xs)
    if n < 100 or n == whole:
        squares = (xs[:, None] - xs) ** 2 + (ys[:, None] - ys) ** 2
        return squares[np.triu_indices(n, 1)].min(initial=np.inf)
    middle = ys.mean()
    above = ys > middle
    ax, ay, bx, by = xs[above], ys[above], xs[~above], ys[~above]
    border = min(_closest(n, ax, ay), _closest(n, bx, by))
    near_a, near_b = (ay - middle) ** 2 < border, (by - middle) ** 2 < border
    ax, ay, bx, by = ax[near_a], ay[near_a], bx[near_b], by[near_b]
    return ((ax[:, None] - bx) ** 2 + (ay[:, None] - by) ** 2).min(initial=border)


def quadtree(xs, ys, capacity):
    leaves, points = [], []
    box = (xs.min(), ys.min(), xs.max(), ys.max())
    _divide(capacity, box, 0, 0, xs, ys, leaves, points)
    columns = [np.array(column) for column in zip(*leaves)]
    return (*columns, np.concatenate([x for x, _ in points]), np.concatenate([y for _, y in points]))


def _divide(capacity, box, depth, offset, xs, ys, leaves, points):
    """Divides a box, and gives the position behind its points."""
    n = len(xs)
    if n == 0:
        return offset
    x1, y1, x2, y2 = box
    if n <= capacity or depth == 32:
        leaves.append((*box, depth, offset, n))
        points.append((xs, ys))
        return offset + n
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
    west, south = xs < cx, ys < cy
    parts = ((x1, y1, cx, cy), (cx, y1, x2, cy), (x1, cy, cx, y2), (cx, cy, x2, y2))
    for part, mask in zip(parts, (west & south, ~west & south, west & ~south, ~west & ~south)):
        offset = _divide(capacity, part, depth + 1, offset, xs[mask], ys[mask], leaves, points)
    return offset
