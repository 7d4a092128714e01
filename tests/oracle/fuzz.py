"""Random programs: compiled code against the oracle, for a time or a number of programs.

    python fuzz.py --arrc target/debug/arrc --seconds 600 --state fuzz.json --found found/

A program depends on the seed and its number alone. The state file has the next number and all counts, so that a later
run goes on. Each difference is made as small as possible and written to a folder, unless one like it is there.
"""

import argparse
import collections
import hashlib
import json
import os
import random
import re
import shutil
import sys
import tempfile
import time

import families
from outcome import Options, Subject, differences
from smaller import reduced
from words import Unsupported
from values import Array

# The ways to compile, by turns. Optimised code takes several times as long to make.
WAYS = [
    Options("ilp", 0, 1),
    Options("none", 0, 1),
    Options("ilp", 1, 1),
    Options("greedy", 0, 3),
    Options("ilp", 0, 3),
    Options("stream", 0, 1),
    Options("ilp", 3, 1),
    Options("megiddo", 0, 1),
]
# How many differences of one family and kind are made small.
LIKE_IT = 3


class Run:
    """The counts of a run, and where its differences go."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.counts = collections.Counter()
        self.features = collections.Counter()
        self.number = 0
        self.families = families.named(arguments.families.split(",")) if arguments.families else families.FAMILIES
        self.seen = collections.Counter()
        self.shapes = {}
        if arguments.state and os.path.exists(arguments.state):
            self.load()

    def load(self):
        with open(self.arguments.state) as file:
            state = json.load(file)
        self.number = state["number"]
        self.features.update(state["features"])
        self.counts.update({tuple(key.split("|", 1)): count for key, count in state["counts"].items()})
        self.seen.update(state["seen"])
        self.shapes = state["shapes"]

    def save(self):
        if not self.arguments.state:
            return
        counts = {"|".join(key): count for key, count in self.counts.items()}
        state = {"number": self.number, "counts": counts, "features": self.features, "seen": self.seen}
        temporary = self.arguments.state + ".new"
        with open(temporary, "w") as file:
            json.dump({**state, "shapes": self.shapes, "seed": self.arguments.seed}, file, indent=1)
        os.replace(temporary, self.arguments.state)

    def batch(self, folder):
        """Makes and checks some programs."""
        size = self.arguments.batch
        options = WAYS[self.number // size % len(WAYS)]._replace(sanitizer=self.arguments.sanitize)
        subjects = [self.subject(number) for number in range(self.number, self.number + size)]
        subjects = [subject for subject in subjects if subject]
        found, accepted = differences(self.arguments.arrc, subjects, options, folder, self.counts)
        self.counts["programs", ""] += len(subjects)
        self.counts["accepted", ""] += len(accepted)
        self.number += size
        for number, difference in found.items():
            self.report(difference, subjects[number].family, folder)

    def subject(self, number):
        seed = f"{self.arguments.seed}-{number}"
        text, features = families.program(random.Random(seed), f"p{number}", number, self.families)
        self.features.update(features)
        try:
            subject = Subject(text, None, seed, self.arguments.inputs, "family.floats" in features)
        except Unsupported as why:
            self.counts["fault of the oracle", f"{why} in {text[:60]}"] += 1
            return None
        subject.family = next(feature for feature in features if feature.startswith("family."))
        return subject

    def report(self, difference, family, folder):
        """Counts a difference; makes it small and writes it, if there are few like it."""
        self.counts["difference", difference.kind] += 1
        like = f"{family} {difference.kind} {message(difference)}"
        self.seen[like] += 1
        if self.seen[like] > LIKE_IT:
            return
        if not self.arguments.keep:
            difference = reduced(self.arguments.arrc, difference, folder)
        shape = shape_of(difference)
        self.shapes[shape] = self.shapes.get(shape, 0) + 1
        if self.shapes[shape] == 1 and self.arguments.found:
            self.write(difference, family, shape)

    def write(self, difference, family, shape):
        os.makedirs(self.arguments.found, exist_ok=True)
        name = f"{difference.kind.replace(' ', '_')}_{shape}.arr"
        with open(os.path.join(self.arguments.found, name), "w") as file:
            file.write(explained(difference, family) + difference.text)

    def text(self):
        """The report."""
        lines = [f"seed {self.arguments.seed}, programs 0 to {self.number - 1}"]
        for (kind, what), count in sorted(self.counts.items(), key=lambda one: (one[0][0], -one[1])):
            lines.append(f"{count:8} {kind}{': ' if what else ''}{what}")
        lines.append("features: " + ", ".join(f"{name} {count}" for name, count in sorted(self.features.items())))
        return "\n".join(lines)


def message(difference):
    """What a failing compiler or call said, without numbers."""
    if difference.kind not in ("the compiler", "an error"):
        return ""
    what = re.sub(r"^.*?(?=arrc has a bug|panicked|error)", "", str(difference.found), flags=re.S)
    return re.sub(r"p?q?\d+", "N", what)[:90]


def shape_of(difference):
    """A short name of programs that differ in names and numbers only."""
    text = re.sub(r"\b[a-z]\d+(_\w+)?\b", "v", difference.text)
    text = difference.kind + message(difference) + re.sub(r"\d+", "N", text)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def shown(value):
    """The text of an argument."""
    if isinstance(value, Array):
        return "[" + ", ".join(map(shown, value.items)) + "]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def explained(difference, family):
    """A comment with the call, and both results."""
    way = difference.options
    lines = [f"{difference.kind}; {family}; --fusion={way.strategy} -O{way.level}, {way.threads} threads"]
    if difference.call:
        lines.append("input    " + " ".join(map(shown, difference.call.arguments)) + f"   ({difference.call.layout})")
    lines.append(f"expected {components_text(difference.expected)}")
    lines.append(f"found    {components_text(difference.found)}")
    return "".join(f"-- {line}\n" for text in lines for line in text.splitlines()[:12])


def components_text(found):
    if not isinstance(found, list):
        return str(found)
    return "; ".join("?" if part is None else f"{list(part[0])} {[str(x) for x in part[1]]}" for part in found)


def parsed_arguments():
    names = {family.__name__ for family in families.FAMILIES}
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--arrc", required=True, help="the compiler")
    parser.add_argument("--seed", default="1", help="the programs depend on it and on their numbers")
    parser.add_argument("--seconds", type=float, help="how long to run")
    parser.add_argument("--count", type=int, help="how many programs to run")
    parser.add_argument("--inputs", type=int, default=5, help="how many calls of each entry")
    parser.add_argument("--batch", type=int, default=48, help="how many programs are compiled at once")
    parser.add_argument("--state", help="a file for the next number and the counts")
    parser.add_argument("--found", help="a folder for the differences")
    parser.add_argument("--families", help="only these, by commas: " + ", ".join(sorted(names)))
    parser.add_argument(
        "--sanitize", choices=["address"], help="the checks in the code, whose library LD_PRELOAD names for this process"
    )
    parser.add_argument("--keep", action="store_true", help="do not make differences smaller")
    return parser.parse_args()


def main():
    arguments = parsed_arguments()
    arguments.arrc = os.path.abspath(arguments.arrc)
    run, start, first = Run(arguments), time.monotonic(), None
    first = run.number
    folder = tempfile.mkdtemp(prefix="arr-fuzz-")
    try:
        while not ended(arguments, run.number - first, time.monotonic() - start):
            run.batch(folder)
            run.save()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(run.text())
    return 1 if any(kind == "difference" for kind, _ in run.counts) else 0


def ended(arguments, programs, seconds):
    if arguments.count is not None:
        return programs >= arguments.count
    return seconds >= (600 if arguments.seconds is None else arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
