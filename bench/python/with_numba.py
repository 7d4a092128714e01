"""The programs as loops for Numba, fused by hand: each array is read as often as C reads it."""

import numpy as np
from numba import njit

jit = njit(cache=False, error_model="numpy")


@jit
def normalize2(xs):
    every, some = 0, 0
    for x in xs:
        every += x
        if x > 0:
            some += x
    first, second = np.empty_like(xs), np.empty_like(xs)
    for i in range(len(xs)):
        first[i] = xs[i] // every
        second[i] = xs[i] // some
    return first, second


@jit
def filter_max(limit, xs):
    kept, count, most = np.empty_like(xs), 0, 0
    for x in xs:
        if x + 1 > limit:
            kept[count] = x + 1
            count += 1
            most = max(most, x + 1)
    return kept[:count], most


@jit
def convolution(a, eps):
    n, m = a.shape
    b, more = np.empty_like(a), False
    for i in range(n):
        up, down = a[i - 1 if i > 0 else n - 1], a[i + 1 if i < n - 1 else 0]
        here, out = a[i], b[i]
        for j in range(m):
            left, right = j - 1 if j > 0 else m - 1, j + 1 if j < m - 1 else 0
            out[j] = (here[j] + (down[j] + up[j]) + (here[right] + here[left])) * (1 / 5)
            more |= abs(out[j] - here[j]) > eps
    return b, more


@jit
def _side(ax, ay, bx, by, xs, ys, hx, hy, count):
    px, py = np.empty_like(xs), np.empty_like(ys)
    kept, best, fx, fy = 0, 0.0, ax, ay
    for i in range(len(xs)):
        x, y = xs[i], ys[i]
        area = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if area > 0:
            px[kept], py[kept] = x, y
            kept += 1
            if area > best or (area == best and (x < fx or (x == fx and y < fy))):
                best, fx, fy = area, x, y
    if kept == 0:
        hx[count], hy[count] = ax, ay
        return count + 1
    count = _side(ax, ay, fx, fy, px[:kept], py[:kept], hx, hy, count)
    return _side(fx, fy, bx, by, px[:kept], py[:kept], hx, hy, count)


@jit
def quickhull(xs, ys):
    lx, ly, rx, ry = xs[0], ys[0], xs[0], ys[0]
    for i in range(len(xs)):
        x, y = xs[i], ys[i]
        if x < lx or (x == lx and y < ly):
            lx, ly = x, y
        if x > rx or (x == rx and y > ry):
            rx, ry = x, y
    hx, hy = np.empty(len(xs) + 2), np.empty(len(xs) + 2)
    count = _side(lx, ly, rx, ry, xs, ys, hx, hy, 0)
    count = _side(rx, ry, lx, ly, xs, ys, hx, hy, count)
    return hx[:count].copy(), hy[:count].copy()


@jit
def _closest(whole, xs, ys):
    n, least = len(xs), np.inf
    if n < 100 or n == whole:
        for i in range(n):
            for j in range(i + 1, n):
                least = min(least, (xs[i] - xs[j]) ** 2 + (ys[i] - ys[j]) ** 2)
        return least
    middle = 0.0
    for y in ys:
        middle += y
    middle /= n
    ax, ay, bx, by = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    j, k = 0, 0
    for i in range(n):
        if ys[i] > middle:
            ax[j], ay[j] = xs[i], ys[i]
            j += 1
        else:
            bx[k], by[k] = xs[i], ys[i]
            k += 1
    least = min(_closest(n, ax[:j], ay[:j]), _closest(n, bx[:k], by[:k]))
    border, j, k = least, 0, 0
    for i in range(n):
        if (ys[i] - middle) ** 2 < border:
            if ys[i] > middle:
                ax[j], ay[j] = xs[i], ys[i]
                j += 1
            else:
                bx[k], by[k] = xs[i], ys[i]
                k += 1
    for i in range(j):
        for l in range(k):
            least = min(least, (ax[i] - bx[l]) ** 2 + (ay[i] - by[l]) ** 2)
    return least


@jit
def closest_points(xs, ys):
    return np.sqrt(_closest(len(xs) + 1, xs, ys))


@jit
def _divide(capacity, x1, y1, x2, y2, depth, xs, ys, boxes, numbers, px, py, at):
    n = len(xs)
    if n == 0:
        return
    if n <= capacity or depth == 32:
        leaf, point = at[0], at[1]
        boxes[0, leaf], boxes[1, leaf], boxes[2, leaf], boxes[3, leaf] = x1, y1, x2, y2
        numbers[0, leaf], numbers[1, leaf], numbers[2, leaf] = depth, point, n
        px[point:point + n] = xs
        py[point:point + n] = ys
        at[0] += 1
        at[1] += n
        return
    cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
    qx, qy = np.empty((4, n)), np.empty((4, n))
    a, b, c, d = 0, 0, 0, 0
    for i in range(n):
        x, y = xs[i], ys[i]
        if y < cy:
            if x < cx:
                qx[0, a], qy[0, a] = x, y
                a += 1
            else:
                qx[1, b], qy[1, b] = x, y
                b += 1
        elif x < cx:
            qx[2, c], qy[2, c] = x, y
            c += 1
        else:
            qx[3, d], qy[3, d] = x, y
            d += 1
    _divide(capacity, x1, y1, cx, cy, depth + 1, qx[0, :a], qy[0, :a], boxes, numbers, px, py, at)
    _divide(capacity, cx, y1, x2, cy, depth + 1, qx[1, :b], qy[1, :b], boxes, numbers, px, py, at)
    _divide(capacity, x1, cy, cx, y2, depth + 1, qx[2, :c], qy[2, :c], boxes, numbers, px, py, at)
    _divide(capacity, cx, cy, x2, y2, depth + 1, qx[3, :d], qy[3, :d], boxes, numbers, px, py, at)


@jit
def quadtree(xs, ys, capacity):
    n = len(xs)
    x1, y1, x2, y2 = np.inf, np.inf, -np.inf, -np.inf
    for i in range(n):
        x1, y1, x2, y2 = min(x1, xs[i]), min(y1, ys[i]), max(x2, xs[i]), max(y2, ys[i])
    boxes, numbers = np.empty((4, n)), np.empty((3, n), np.int64)
    px, py, at = np.empty(n), np.empty(n), np.zeros(2, np.int64)
    _divide(capacity, x1, y1, x2, y2, 0, xs, ys, boxes, numbers, px, py, at)
    m = at[0]
    return (
        boxes[0, :m].copy(), boxes[1, :m].copy(), boxes[2, :m].copy(), boxes[3, :m].copy(),
        numbers[0, :m].copy(), numbers[1, :m].copy(), numbers[2, :m].copy(), px, py,
    )
