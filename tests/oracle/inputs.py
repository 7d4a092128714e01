"""Random inputs of an entry, from the types that its parameters are written with.

Arrays are short. The elements of floats have exact sums, and among them are zeros of both signs, infinities and nan where
the program's family asks for them. A size argument lies in some calls, and so does the length of an array.
"""

import numpy as np

from scalars import cast
from values import TYPES, Array, components

LAYOUTS = ("dense", "dense", "dense", "reversed", "columns", "apart")
PLAIN = (0, 1, 2, -1, 3, 5, -4, 7, 0.5, -1.5, 2.25)
SPECIAL = (0.0, -0.0, float("nan"), float("inf"), float("-inf"), 1.0, -1.0, 2.5)


class Inputs:
    """The inputs of one call: sizes are chosen once."""

    def __init__(self, random, special, count):
        self.random = random
        self.special = special
        self.sizes = {}
        self.largest = (0, 1, 4, 9, random.choice((3, 5, 17, 37)))[count % 5]

    def arguments(self, definition):
        """The values of an entry's parameters."""
        return [self.value(pattern[2]) for pattern in definition[3]]

    def named(self, definition):
        """The values of parameters; a number whose name is a size is that size, in most calls."""
        found = []
        for pattern in definition[3]:
            name = pattern[1][1] if pattern[1][0] == "pvar" else None
            if pattern[2] == ("tname", "i64", ()) and name in ("n", "m") and self.random.randrange(6):
                found.append(np.int64(self.size(name)))
            elif pattern[2] == ("tname", "i64", ()) and name in ("k", "i", "j"):
                found.append(np.int64(self.random.choice((0, 1, 1, 2, 2, 3, 4, -1))))
            else:
                found.append(self.value(pattern[2]))
        return found

    def size(self, name):
        if name not in self.sizes:
            self.sizes[name] = self.random.randrange(self.largest + 1)
        return self.sizes[name]

    def dimension(self, node):
        """The length of a dimension, which lies in some calls."""
        if node is None:
            return self.size("n") if self.random.randrange(2) else self.random.randrange(self.largest + 1)
        length = self.length(node)
        return self.random.randrange(self.largest + 1) if self.random.randrange(25) == 0 else max(0, length)

    def length(self, node):
        if node[0] == "int":
            return node[1]
        if node[0] == "var":
            return self.size(node[1])
        left, right = self.length(node[2]), self.length(node[3])
        return {"+": left + right, "-": left - right, "*": left * right}[node[1]]

    def value(self, of):
        """A value of a type."""
        if of[0] == "ttuple":
            return tuple(self.value(part) for part in of[1])
        if of[0] == "tarr":
            shape = []
            while of[0] == "tarr":
                shape.append(self.dimension(of[1]))
                of = of[2]
            return self.array(of[1], shape)
        return self.scalar(of[1])

    def array(self, of, shape):
        if not shape:
            return self.scalar(of)
        inner = self.array(of, shape[1:]) if len(shape) > 1 else TYPES[of](0)
        return Array([self.array(of, shape[1:]) for _ in range(shape[0])], inner)

    def scalar(self, of):
        if of == "bool":
            return bool(self.random.randrange(2))
        if of in ("f32", "f64"):
            return TYPES[of](self.random.choice(SPECIAL if self.special else PLAIN))
        if self.random.randrange(30) == 0:
            limits = np.iinfo(TYPES[of])
            return TYPES[of](self.random.choice((limits.min, limits.max)))
        return cast(of, int(self.random.choice(PLAIN)))


def flattened(arguments):
    """The components of the arguments, as the C interface takes them."""
    return [part for argument in arguments for part in components(argument)]
