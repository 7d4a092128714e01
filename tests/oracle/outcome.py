"""What the oracle and compiled code say of a program, and in which way they differ.

A difference is a `Difference` with one of the kinds of `KINDS`. A call that the oracle does not know is not compared.
"""

import collections
import itertools
import os
import random

import native
from compare import ROUNDING, differs
from evaluate import Evaluator
from inputs import LAYOUTS, Inputs, flattened
from scalars import cast
from syntax import parse
from words import Unsupported
from values import Failure, Skip, components, poisoned

KINDS = ("wrong value", "wrong shape", "no error", "an error", "a crash", "no end", "the compiler")
Call = collections.namedtuple("Call", "entry arguments layout")
Options = collections.namedtuple("Options", "strategy level threads sanitizer", defaults=(None,))
Difference = collections.namedtuple("Difference", "kind text call options expected found")


class Subject:
    """A program with calls of its entries."""

    def __init__(self, text, calls=None, seed=0, count=0, special=False):
        self.text = text
        self.tree = parse(text)
        self.evaluator = Evaluator(self.tree)
        self.calls = calls if calls is not None else self.random_calls(random.Random(seed), count, special)

    def entries(self):
        return [node for node in self.tree if node[0] == "entry"]

    def random_calls(self, source, count, special):
        calls = []
        for number in range(count):
            for entry in self.entries():
                arguments = Inputs(source, special, number).named(entry)
                calls.append(Call(entry[1], arguments, source.choice(LAYOUTS)))
        return calls

    def expected(self, call):
        """The components of the result; a text if the call fails; and whether it may fail."""
        value = self.evaluator.call(call.entry, call.arguments)
        error = poisoned(value)
        if error:
            return error, True
        try:
            return components(value), self.evaluator.failed is not None
        except Failure as failure:
            return str(failure), True


def compiled(arrc, subjects, options, folder):
    """The subjects that are accepted, with the library of them all; the codes of the errors of the others; and those that break
    the compiler.
    """
    rejected, broken, accepted = {}, {}, dict(enumerate(subjects))
    while accepted:
        try:
            return accepted, library_of(arrc, accepted, options, folder), rejected, broken
        except native.Rejected as error:
            found = culprits(accepted, error.args[0])
            for number, code in found.items():
                rejected[number] = code
                del accepted[number]
        except native.Broken as error:
            number, what = first_broken(arrc, accepted, options, folder, str(error))
            broken[number] = what
            del accepted[number]
    return accepted, None, rejected, broken


def library_of(arrc, subjects, options, folder):
    source, library = os.path.join(folder, "random.arr"), os.path.join(folder, "librandom.so")
    with open(source, "w") as file:
        file.write("".join(subject.text for subject in subjects.values()))
    checks = [f"--sanitize={options.sanitizer}"] if options.sanitizer else []
    native.build(arrc, source, library, [f"--fusion={options.strategy}", f"-O{options.level}", *checks])
    return library


def culprits(subjects, errors):
    """The subjects with errors, and the first code of each."""
    owners = [number for number, subject in subjects.items() for _ in range(subject.text.count("\n"))]
    found = {}
    for error in errors:
        place = next(label for label in error["labels"] if label["primary"])
        found.setdefault(owners[min(place["start"]["line"], len(owners)) - 1], error["code"])
    return found


def first_broken(arrc, subjects, options, folder, what):
    """A subject that breaks the compiler, by halves."""
    numbers = list(subjects)
    while len(numbers) > 1:
        half = numbers[: len(numbers) // 2]
        try:
            library_of(arrc, {number: subjects[number] for number in half}, options, folder)
            numbers = numbers[len(half) :]
        except native.Rejected:
            numbers = numbers[len(half) :]
        except native.Broken as error:
            numbers, what = half, str(error)
    return numbers[0], what


def differences(arrc, subjects, options, folder, counts):
    """How compiled code and the oracle differ: for each subject the first difference."""
    accepted, library, rejected, broken = compiled(arrc, subjects, options, folder)
    for code in rejected.values():
        counts["rejected", code] += 1
    found = {number: Difference("the compiler", subjects[number].text, None, options, None, what) for number, what in broken.items()}
    if library is None:
        return found, accepted
    with open(os.path.join(folder, "random.h")) as file:
        signatures = native.signatures(file.read())
    known = known_calls(accepted, counts)
    for (number, call, expected), outcome in zip(known, outcomes(library, known, signatures, options.threads)):
        counts["calls", ""] += 1
        problem = difference(expected, outcome, signatures[call.entry][0])
        if problem and number not in found:
            found[number] = Difference(problem[0], subjects[number].text, call, options, expected[0], problem[1])
    return found, accepted


def outcomes(library, known, signatures, threads):
    """The outcomes of calls. Each program has a process of its own, since one that writes outside of its arrays harms
    those that come after it.
    """
    for _, group in itertools.groupby(known, key=lambda one: one[0]):
        calls = [(call.entry, signatures[call.entry], flattened(call.arguments), call.layout) for _, call, _ in group]
        yield from native.run(library, calls, threads)


def known_calls(subjects, counts):
    """The calls whose results the oracle knows."""
    known = []
    for number, subject in subjects.items():
        for call in subject.calls:
            try:
                known.append((number, call, subject.expected(call)))
            except (Skip, Unsupported) as why:
                counts["unknown", str(why)[:60]] += 1
            except (AttributeError, KeyError, TypeError, IndexError, ValueError, AssertionError) as fault:
                counts["fault of the oracle", f"{type(fault).__name__}: {str(fault)[:80]} in {call.entry}"] += 1
    return known


def difference(expected, outcome, outputs):
    """The kind of a difference and what was found, or none."""
    value, may_fail = expected
    if isinstance(outcome, str):
        return ("no end" if outcome == "it does not end" else "a crash", outcome)
    if isinstance(outcome, tuple):
        return None if isinstance(value, str) or may_fail else ("an error", outcome[1].split("\n")[0])
    if isinstance(value, str):
        return ("no error", outcome)
    if len(value) != len(outputs):
        return None if None in value else ("wrong shape", outcome)
    converted = [part and (part[0], [cast(of, x) for x in part[1]]) for part, (of, _) in zip(value, outputs)]
    rounding = max([ROUNDING[4] if of == "f32" else ROUNDING[8] for of, _ in outputs], default=0)
    problem = differs(converted, outcome, rounding)
    if problem:
        return ("wrong shape" if "shape" in problem else "wrong value", outcome)
    return None
