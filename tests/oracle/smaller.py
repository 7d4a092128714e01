"""A failing program made as small as possible, while it fails in the same way.

In each round, all programs that are one step smaller are compiled in one file and run. The smallest that fails goes to the next
round. A step replaces an expression by a part of it or by a constant, leaves out a `let`, an element or a parameter, or
makes an input smaller.
"""

import re

import numpy as np

from outcome import Subject, differences
from words import Unsupported
from text import program_text
from values import Array, Skip, same_shape

CONSTANTS = (("int", 0, None), ("int", 1, None), ("bool", True), ("int", 2, None))
EXPRESSIONS = frozenset(
    "int float bool var app op neg not lam let letfun if loop assert match tuple rec arr index field with range ann coerce "
    "secpath opfun secr secl con withloop".split()
)
AT_ONCE = 48


def is_expression(node):
    return isinstance(node, tuple) and bool(node) and isinstance(node[0], str) and node[0] in EXPRESSIONS


def inner_expressions(node):
    """The expressions right below a node."""
    found = []
    for part in node[1:] if isinstance(node[0], str) else node:
        if is_expression(part):
            found.append(part)
        elif isinstance(part, tuple) and part:
            found += inner_expressions(part)
    return found


def steps(node, others):
    """The nodes that are one step smaller than a node. `others` may stand in the place of any expression."""
    if is_expression(node):
        yield from inner_expressions(node)
        if node[0] not in ("int", "bool", "float", "var", "lam", "opfun"):
            yield from others
        if node[0] == "let" and node[2][0] == "pvar":
            yield replaced(node[5], node[2][1], node[4])
        if node[0] in ("tuple", "arr") and len(node[1]) > 1:
            for at in range(len(node[1])):
                rest = node[1][:at] + node[1][at + 1 :]
                yield rest[0] if node[0] == "tuple" and len(rest) == 1 else (node[0], rest)
    for at, part in enumerate(node):
        if isinstance(part, tuple):
            for smaller in steps(part, others):
                yield node[:at] + (smaller,) + node[at + 1 :]


def replaced(node, name, value):
    """A tree with a value in the place of a variable."""
    if node == ("var", name):
        return value
    return tuple(replaced(part, name, value) if isinstance(part, tuple) else part for part in node)


def smaller_programs(tree, call):
    """Programs that are one step smaller, with their calls."""
    for at, node in enumerate(tree):
        if node[0] == "def" and len(tree) > 1 or node[0] == "entry" and call and node[1] != call.entry:
            yield tree[:at] + tree[at + 1 :], call
        names = {part[1][1] for part in node[3] if part[0] == "pann" and part[1][0] == "pvar"} if node[0] != "type" else ()
        others = CONSTANTS + tuple(("var", name) for name in sorted(names))
        for body in steps(node[5], others) if node[0] != "type" else ():
            yield tree[:at] + (node[:5] + (body,),) + tree[at + 1 :], call
        if node[0] == "entry":
            yield from without_parts(tree, at, call)


def without_parts(tree, at, call):
    """Programs whose entry has a parameter, a size or a result type less."""
    node = tree[at]
    change = lambda *parts: tree[:at] + (node[:2] + parts + (node[5],),) + tree[at + 1 :]
    if node[4]:
        yield change(node[2], node[3], None), call
    for place in range(len(node[3])):
        arguments = call and call._replace(arguments=call.arguments[:place] + call.arguments[place + 1 :])
        yield change(node[2], node[3][:place] + node[3][place + 1 :], node[4]), arguments
    for place in range(len(node[2])):
        yield change(node[2][:place] + node[2][place + 1 :], node[3], node[4]), call


def smaller_values(value):
    """Values that are smaller than a value."""
    if isinstance(value, Array):
        for at in range(len(value.items)):
            yield Array(value.items[:at] + value.items[at + 1 :], value.of)
        if value.items and isinstance(value.items[0], Array) and value.items[0].items:
            yield Array([Array(row.items[:-1], row.of) for row in value.items], value.of)
        for at, item in enumerate(value.items):
            for smaller in smaller_values(item):
                if same_shape(item, smaller):
                    yield Array(value.items[:at] + [smaller] + value.items[at + 1 :], value.of)
    elif isinstance(value, np.generic) and value == value:
        for less in (0, 1, 2, 3):
            if abs(value) > less:
                yield type(value)(less)


def smaller_calls(call):
    """Calls with one smaller input."""
    if call is None:
        return
    if call.layout != "dense":
        yield call._replace(layout="dense")
    for at, value in enumerate(call.arguments):
        for smaller in smaller_values(value):
            yield call._replace(arguments=call.arguments[:at] + [smaller] + call.arguments[at + 1 :])


def renamed(tree, call, number):
    """A program whose definitions have names of their own, so that several can be in one file."""
    text = program_text(tree)
    text = re.sub(r"\b(p\d+|q\d+)_", f"q{number}_", text)
    return text, call and call._replace(entry=re.sub(r"^(p\d+|q\d+)_", f"q{number}_", call.entry))


def reduced(arrc, found, folder, rounds=20):
    """The smallest program that was found with a difference of the same kind."""
    while rounds > 0:
        rounds -= 1
        subject = Subject(found.text, [found.call] if found.call else [])
        tried = candidates(subject.tree, found.call, len(found.text))
        better = None
        for group in (tried[at : at + AT_ONCE] for at in range(0, min(len(tried), 5 * AT_ONCE), AT_ONCE)):
            better = first_failing(arrc, group, found, folder)
            if better:
                break
        if better is None:
            return found
        found = better
    return found


def candidates(tree, call, size):
    """The smaller programs, the smallest first, then those with smaller inputs."""
    programs, seen = [], set()
    for smaller, other in smaller_programs(tree, call):
        try:
            text = program_text(smaller)
        except (TypeError, IndexError, KeyError):
            continue
        if len(text) < size and text not in seen:
            seen.add(text)
            programs.append((len(text), smaller, other))
    programs.sort(key=lambda one: one[0])
    inputs = [(size, tree, other) for other in smaller_calls(call)]
    return [(smaller, other) for _, smaller, other in programs + inputs[:AT_ONCE]]


def first_failing(arrc, group, found, folder):
    """The first program of a group that fails in the same way."""
    subjects = []
    for number, (tree, call) in enumerate(group):
        text, call = renamed(tree, call, number)
        try:
            subjects.append(Subject(text, [call] if call else []))
        except (Unsupported, Skip, IndexError):
            continue
    # Where most programs break the compiler, to look for them by halves takes longer than one by one.
    for part in [[one] for one in subjects] if found.kind == "the compiler" else [subjects]:
        failing, _ = differences(arrc, part, found.options, folder, Quiet())
        same = [number for number, one in failing.items() if is_like(one, found)]
        if same:
            return failing[min(same)]
    return None


def is_like(one, found):
    """Whether two differences are of one kind. A compiler that breaks says the same, but for numbers."""
    return one.kind == found.kind and (one.kind != "the compiler" or place(one) == place(found))


def place(difference):
    """Where a compiler broke."""
    return re.sub(r"[pq]?\d+", "N", str(difference.found).partition("arrc has a bug:")[2][:40])


class Quiet(dict):
    """Counts that nobody reads."""

    def __missing__(self, _key):
        return 0
