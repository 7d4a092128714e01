"""Whether two results are equal, up to the rounding of reductions.

Invariant: shapes, integers and truth values are equal or they are not; nan equals nan; -0.0 equals 0.0.
"""

import math

# How far two floats may be apart, as a part of the larger one: a reduction may add up in another order.
ROUNDING = {4: 1e-4, 8: 1e-9}


def differs(expected, found, rounding=ROUNDING[8]):
    """What differs between two lists of components, or none."""
    if len(expected) != len(found):
        return f"{len(found)} results, not {len(expected)}"
    for place, (left, right) in enumerate(zip(expected, found)):
        if left is None or right is None:
            continue
        if not same_shape(left, right):
            return f"result {place} has the shape {list(right[0])}, not {list(left[0])}"
        for at, (x, y) in enumerate(zip(left[1], right[1])):
            if not close(x, y, rounding):
                return f"result {place} has {y} at {at}, not {x}"
    return None


def same_shape(left, right):
    """Whether two components have one shape. The literal `[]` has no rows, whatever their length."""
    return left[0] == right[0]


def close(x, y, rounding):
    if x == y or (x != x and y != y):
        return True
    if not isinstance(y, float) and not hasattr(y, "dtype") or math.isinf(x) or math.isinf(y) or x != x or y != y:
        return False
    return abs(float(x) - float(y)) <= rounding * max(abs(float(x)), abs(float(y)))
