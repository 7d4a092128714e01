"""The time of a call on small arrays, compared with NumPy's own: an optimised extension keeps to the limit here."""

import timeit

import numpy as np
import programs

#: The most microseconds that a call with three arrays of 10 elements takes more than `numpy.add`.
MOST = 2.0


def microseconds(call, count=20_000):
    return min(timeit.repeat(call, number=count, repeat=7)) / count * 1e6


def main():
    add3, x = programs.module().add3, np.arange(10.0)
    numpy, ours = microseconds(lambda: np.add(x, x)), microseconds(lambda: add3(x, x, x))
    named = microseconds(lambda: add3(xs=x, ys=x, zs=x))
    print(f"numpy.add {numpy:.2f} µs, add3 {ours:.2f} µs, by names {named:.2f} µs")
    if ours > numpy + MOST:
        raise SystemExit("a call costs too much")


if __name__ == "__main__":
    main()
