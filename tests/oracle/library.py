"""The functions that every program can use, as the language reference defines them.

Each takes the evaluator first, which only `unflatten` and its like need. An element whose computation fails is `Poison`,
and an error only where it is used.
"""

import numpy as np

import ordered
from scalars import binary, cast, greatest, least
from values import (
    NAMES,
    TYPES,
    Array,
    Failure,
    Function,
    Poison,
    Skip,
    Sum,
    apply,
    array,
    force,
    integer,
    zero_like,
)

LARGEST = 3_000


def attempt(evaluator, function, *arguments):
    """The result of a function for an element, which may never be used."""
    try:
        return apply(function, arguments)
    except Failure as error:
        if evaluator is not None:
            evaluator.failed = evaluator.failed or str(error)
        return Poison(str(error))


def size(value):
    """A number of elements that is not negative."""
    count = integer(value)
    if count < 0:
        raise Failure("negative size")
    if count > LARGEST:
        raise Skip("a large array")
    return count


def items(value):
    """The elements of an array."""
    value = force(value)
    if not isinstance(value, Array):
        raise Skip("an array was expected")
    return value.items


def sample(value):
    return force(value).sample()


def element(xs, at):
    """An element, if there is one at the position."""
    at = integer(at)
    if not 0 <= at < len(items(xs)):
        raise Failure("an index that is out of bounds")
    return items(xs)[at]


def met_items(items):
    """The elements of a literal: plain numbers take the type of the others."""
    of = next((type(item) for item in items if isinstance(item, np.generic)), None)
    if of is None:
        return items
    return [cast(NAMES[of], item) if type(item) in (int, float) else item for item in items]


def equal_sizes(*arrays):
    if len({len(items(xs)) for xs in arrays}) > 1:
        raise Failure("arrays of different sizes meet")


def mapped(evaluator, function, *arrays):
    """The results of a function for the elements at each place. If there are none, the function of zeros tells their size."""
    equal_sizes(*arrays)
    found = [attempt(evaluator, function, *parts) for parts in zip(*map(items, arrays))]
    if found:
        return array(found)
    return Array([], probe(evaluator, function, *(sample(xs) for xs in arrays)))


def probe(evaluator, function, *samples):
    """The result of a function for elements that are not there; none if it is not known."""
    if any(part is None for part in samples):
        return None
    try:
        return zero_like(apply(function, [zero_like(part) for part in samples]))
    except Failure as error:
        # A size of the rows that is negative is an error even where there are none.
        if evaluator:
            evaluator.failed = evaluator.failed or str(error)
        return None


def do_map(evaluator, f, xs):
    return mapped(evaluator, f, xs)


def do_map2(evaluator, f, xs, ys):
    return mapped(evaluator, f, xs, ys)


def do_map3(evaluator, f, xs, ys, zs):
    return mapped(evaluator, f, xs, ys, zs)


def do_map4(evaluator, f, xs, ys, zs, us):
    return mapped(evaluator, f, xs, ys, zs, us)


def do_zip(_evaluator, xs, ys):
    return zipped(xs, ys)


def do_zip3(_evaluator, xs, ys, zs):
    return zipped(xs, ys, zs)


def zipped(*arrays):
    equal_sizes(*arrays)
    return Array(list(zip(*map(items, arrays))), tuple(sample(xs) for xs in arrays))


def do_unzip(_evaluator, xs):
    return unzipped(xs, 2)


def do_unzip3(_evaluator, xs):
    return unzipped(xs, 3)


def unzipped(xs, count):
    of = sample(xs) or (None,) * count
    rows = [(row,) * count if isinstance(row, Poison) else row for row in items(xs)]
    return tuple(Array([row[at] for row in rows], of[at]) for at in range(count))


def do_filter(_evaluator, p, xs):
    return Array([x for x in items(xs) if force(apply(p, [x]))], sample(xs))


def do_partition(_evaluator, p, xs):
    flags = [force(apply(p, [x])) for x in items(xs)]
    return tuple(Array([x for x, flag in zip(items(xs), flags) if flag == side], sample(xs)) for side in (True, False))


def do_fold(_evaluator, f, z, xs):
    for x in items(xs):
        z = apply(f, [z, x])
    return z


def do_reduce(evaluator, op, ne, xs):
    return met(do_fold(evaluator, op, ne, xs), xs)


def met(value, xs):
    """A neutral element that is a literal has the type of the elements."""
    of = sample(xs)
    return cast(NAMES[type(of)], value) if isinstance(of, np.generic) and type(value) in (int, float) else value


def do_foldr(_evaluator, f, z, xs):
    for x in reversed(items(xs)):
        z = apply(f, [x, z])
    return z


def do_fold_index(_evaluator, f, z, xs):
    for i, x in enumerate(items(xs)):
        z = apply(f, [z, np.int64(i), x])
    return z


def do_scan(evaluator, op, ne, xs):
    found, z = [], ne
    for x in items(xs):
        z = attempt(evaluator, op, z, x)
        found.append(z)
    return array(found, sample(xs))


def do_exscan(evaluator, op, ne, xs):
    found, z = [], met(ne, xs)
    for x in items(xs):
        found.append(z)
        z = attempt(evaluator, op, z, x)
    return array(found, sample(xs))


def do_segmented_scan(evaluator, op, ne, flags, xs):
    equal_sizes(flags, xs)
    found, z = [], ne
    for flag, x in zip(items(flags), items(xs)):
        z = x if force(flag) else attempt(evaluator, op, z, x)
        found.append(z)
    return array(found, sample(xs))


def do_segmented_exscan(evaluator, op, ne, flags, xs):
    equal_sizes(flags, xs)
    found, z = [], met(ne, xs)
    for flag, x in zip(items(flags), items(xs)):
        found.append(met(ne, xs) if force(flag) else z)
        z = x if force(flag) else attempt(evaluator, op, z, x)
    return array(found, sample(xs))


def do_segmented_reduce(evaluator, op, ne, flags, xs):
    scanned = items(do_segmented_scan(evaluator, op, ne, flags, xs))
    ends = [*map(force, items(flags)[1:]), True]
    return Array([z for z, end in zip(scanned, ends) if end], sample(xs))


def do_iota(_evaluator, n):
    return Array([np.int64(i) for i in range(size(n))], np.int64(0))


def do_replicate(_evaluator, n, x):
    return Array([x] * size(n), None if isinstance(x, Poison) else x)


def do_generate(evaluator, n, f):
    return mapped(evaluator, f, do_iota(evaluator, n))


def do_tabulate_2d(evaluator, n, m, f):
    return generated(evaluator, [n, m], f)


def do_tabulate_3d(evaluator, n, m, o, f):
    return generated(evaluator, [n, m, o], f)


def generated(evaluator, sizes, f):
    """An array of several dimensions from a function of the index."""
    if len(sizes) == 1:
        return do_generate(evaluator, sizes[0], f)

    def row(i):
        return generated(evaluator, sizes[1:], Function(len(sizes) - 1, lambda *rest: apply(f, [i, *rest])))

    return do_generate(evaluator, sizes[0], Function(1, row))


def do_gather(evaluator, xs, places):
    xs = force(xs)
    of = sample(xs)
    found = [attempt(evaluator, Function(1, lambda at: element(xs, at)), place) for place in items(places)]
    return array(found, of)


def do_scatter(_evaluator, xs, places, values):
    equal_sizes(places, values)
    found = list(items(xs))
    for place, value in zip(items(places), items(values)):
        if 0 <= integer(place) < len(found):
            found[integer(place)] = value
    return array(found, sample(xs))


def do_spread(evaluator, k, x, places, values):
    return do_scatter(evaluator, do_replicate(evaluator, k, x), places, values)


def do_reduce_by_index(evaluator, xs, op, _ne, places, values):
    equal_sizes(places, values)
    found = list(items(xs))
    for place, value in zip(items(places), items(values)):
        at = integer(place)
        if 0 <= at < len(found):
            found[at] = attempt(evaluator, op, found[at], value)
    return array(found, sample(xs))


def do_hist(evaluator, op, ne, k, places, values):
    return do_reduce_by_index(evaluator, do_replicate(evaluator, k, met(ne, values)), op, ne, places, values)


def do_group_reduce(evaluator, k, key, val, op, ne, xs):
    return do_hist(evaluator, op, ne, k, mapped(evaluator, key, xs), mapped(evaluator, val, xs))


def do_cross(_evaluator, xs, ys):
    return Array([(x, y) for x in items(xs) for y in items(ys)], (sample(xs), sample(ys)))


def append(_evaluator, xs, ys):
    left, right = items(xs), items(ys)
    if len(left) + len(right) > LARGEST:
        raise Skip
    return array(left + right, sample(xs) if sample(xs) is not None else sample(ys))


def do_concat(evaluator, xs, ys):
    return append(evaluator, xs, ys)


def do_concat_to(evaluator, k, xs, ys):
    return do_sized(evaluator, k, append(evaluator, xs, ys))


def do_sized(_evaluator, n, xs):
    if len(items(xs)) != integer(n):
        raise Failure("an array of another size")
    return xs


def measurable(xs):
    """An array of which only the sizes are needed. The compiler may leave out what they do not need, with its errors."""
    if isinstance(xs, Poison):
        raise Skip("a size of a value whose computation fails")
    return xs


def do_length(_evaluator, xs):
    return np.int64(len(items(measurable(xs))))


def do_shape(_evaluator, xs):
    found = []
    xs = measurable(xs)
    while isinstance(xs, Array):
        found.append(np.int64(len(xs.items)))
        xs = xs.sample()
    return Array(found, np.int64(0))


def do_dim(evaluator, xs):
    return np.int64(len(do_shape(evaluator, xs).items))


def do_null(_evaluator, xs):
    return not items(measurable(xs))


def do_head(_evaluator, xs):
    return element(xs, 0)


def do_last(_evaluator, xs):
    return element(xs, len(items(xs)) - 1)


def do_indices(_evaluator, xs):
    return do_iota(_evaluator, len(items(xs)))


def do_indexed(evaluator, xs):
    return zipped(do_indices(evaluator, xs), xs)


def do_map_index(evaluator, f, xs):
    return mapped(evaluator, f, do_indices(evaluator, xs), xs)


def do_flatten(_evaluator, rows):
    if not items(rows):
        of = sample(rows)
        return Array([], of.sample() if isinstance(of, Array) else None)
    joined = [x for row in items(rows) for x in items(row)]
    return Array(joined, items(rows)[0].sample())


def width(rows):
    """The length of the rows of a matrix."""
    of = sample(rows)
    if not isinstance(of, Array):
        raise Skip("rows of an unknown size")
    return len(of.items)


def do_transpose(_evaluator, rows):
    count = width(rows)
    columns = [Array([items(row)[j] for row in items(rows)], sample(sample(rows))) for j in range(count)]
    return Array(columns, Array([zero_like(sample(sample(rows)))] * len(items(rows))))


def do_take(evaluator, k, xs):
    return do_generate(evaluator, k, Function(1, lambda i: element(xs, i))) if items(xs) or integer(k) else xs


def do_drop(evaluator, k, xs):
    rest, k = len(items(xs)) - integer(k), integer(k)
    if k >= 0 and rest >= 0:
        return Array(items(xs)[k:], sample(xs))
    return do_generate(evaluator, rest, Function(1, lambda i: element(xs, int(i) + k)))


def do_tail(evaluator, xs):
    return do_drop(evaluator, 1, xs)


def do_init(evaluator, xs):
    return do_take(evaluator, len(items(xs)) - 1, xs)


def do_reverse(_evaluator, xs):
    return Array(items(xs)[::-1], sample(xs))


def do_rotate(_evaluator, r, xs):
    by = integer(r) % len(items(xs)) if items(xs) else 0
    return Array(items(xs)[by:] + items(xs)[:by], sample(xs))


def do_pick(evaluator, flags, xs, ys):
    return mapped(evaluator, Function(3, lambda flag, x, y: x if force(flag) else y), flags, xs, ys)


def do_combine(evaluator, flags, xs, ys):
    taken, found = {True: 0, False: 0}, []
    for flag in map(force, items(flags)):
        found.append(attempt(evaluator, Function(1, lambda at: element(xs if flag else ys, at)), taken[flag]))
        taken[flag] += 1
    return Array(found, sample(xs))


def do_zip_with_min(evaluator, f, xs, ys):
    count = min(len(items(xs)), len(items(ys)))
    return mapped(evaluator, f, Array(items(xs)[:count], sample(xs)), Array(items(ys)[:count], sample(ys)))


def do_flatmap(evaluator, f, xs):
    parts = [force(apply(f, [x])) for x in items(xs)]
    if not parts:
        of = probe(evaluator, f, sample(xs))
        return Array([], of.sample() if isinstance(of, Array) else None)
    samples = [part.sample() for part in parts if part.sample() is not None]
    return array([x for part in parts for x in part.items], samples[0] if samples else None)


def do_find_first(_evaluator, p, xs):
    for at, x in enumerate(items(xs)):
        if force(apply(p, [x])):
            return Sum("some", (np.int64(at),))
    return Sum("none", ())


def do_all(_evaluator, p, xs):
    return all([force(apply(p, [x])) for x in items(xs)])


def do_any(_evaluator, p, xs):
    return any([force(apply(p, [x])) for x in items(xs)])


def do_and(_evaluator, xs):
    return all(map(force, items(xs)))


def do_or(_evaluator, xs):
    return any(map(force, items(xs)))


def do_count(_evaluator, p, xs):
    return np.int64(sum([bool(force(apply(p, [x]))) for x in items(xs)]))


def joined(sign):
    return Function(2, lambda x, y: binary(sign, x, y))


def total(of, xs):
    return do_fold(None, joined("+"), TYPES[of](0), xs)


def product(of, xs):
    return do_fold(None, joined("*"), TYPES[of](1), xs)


def minimum(of, xs):
    return do_fold(None, Function(2, least), cast(of, np.inf), xs)


def maximum(of, xs):
    return do_fold(None, Function(2, greatest), cast(of, -np.inf), xs)


OF_NUMBERS = {"sum": total, "product": product, "minimum": minimum, "maximum": maximum}


def of_elements(function):
    """A function of the module of the elements' type."""

    def of(_evaluator, xs):
        kind = sample(xs)
        if not isinstance(kind, np.generic):
            raise Skip("numbers of an unknown type")
        return function(NAMES[type(kind)], xs)

    return of


def do_copy(_evaluator, x):
    return x


def do_const(_evaluator, x, _y):
    return x


def do_flip(_evaluator, f, y, x):
    return apply(f, [x, y])


def do_curry(_evaluator, f, x, y):
    return apply(f, [(x, y)])


def do_uncurry(_evaluator, f, pair):
    return apply(f, list(force(pair)))


def do_iterate(_evaluator, n, f, x):
    for _ in range(integer(n)):
        x = apply(f, [x])
    return x


def do_matmul(_evaluator, add, mul, zero, xss, yss):
    columns = do_transpose(None, yss)
    rows = []
    for row in items(xss):
        equal_sizes(row, yss)
        found = []
        for column in columns.items:
            z = zero
            for x, y in zip(items(row), items(column)):
                z = apply(add, [z, apply(mul, [x, y])])
            found.append(z)
        rows.append(Array(found, zero))
    return Array(rows, Array([zero] * len(columns.items), zero))


def dimensions(evaluator, of, env, count):
    """The first sizes of the type that a place asks for; none if it does not say."""
    found = []
    for _ in range(count):
        if of[0] != "tarr" or of[1] is None:
            return None
        found.append(size(evaluator.value(of[1], env)))
        of = of[2]
    return found


def unflatten_to(evaluator, of, env, xs):
    sizes = dimensions(evaluator, of, env, 2)
    if sizes is None:
        raise Skip("rows of an unknown size")
    n, m = sizes
    if n * m != len(items(xs)):
        raise Failure("an array of another size is cut into rows")
    rows = [Array(items(xs)[i * m : i * m + m], sample(xs)) for i in range(n)]
    return Array(rows, Array([zero_like(sample(xs))] * m, sample(xs)))


def rep_to(evaluator, of, env, x):
    sizes = dimensions(evaluator, of, env, 1)
    if sizes is None:
        raise Skip("an array of an unknown size")
    return do_replicate(evaluator, sizes[0], x)


# Functions whose result's type says what they give.
BY_RESULT = {"unflatten": unflatten_to, "rep": rep_to}

NAMED = [*globals().items(), *vars(ordered).items()]
FUNCTIONS = {name[3:]: function for name, function in NAMED if name.startswith("do_")}
FUNCTIONS |= {"tabulate": do_generate, "foldl": do_fold, "reduce_comm": do_reduce, "map1": do_map, "id": do_copy}
FUNCTIONS |= {"opaque": do_copy, "manifest": do_copy, "zip2": do_zip, "unzip2": do_unzip}
FUNCTIONS |= {name: of_elements(function) for name, function in OF_NUMBERS.items()}
