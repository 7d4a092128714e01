"""The oracle against the test blocks of programs: it gives the outputs that people wrote.

    python blocks.py tests/run/*.arr
"""

import re
import sys

from compare import differs
from evaluate import Evaluator
from syntax import Parser, parse
from words import Unsupported
from values import Skip, components, poisoned


def calls(text):
    """The entries, inputs and expected results of a program's test blocks. A result of none is an error."""
    for comment in re.findall(r"(?:^--[^\n]*\n)+", text, re.M):
        for block in re.split(r"^-- ==.*\n", comment, flags=re.M)[1:]:
            yield from calls_of(re.sub(r"^--", "", block, flags=re.M))


def calls_of(block):
    names = re.search(r"entry:((?:[ \t]+\w+)+)", block)
    names = names.group(1).split() if names else ["main"]
    for given, kind, output in re.findall(r"(?<!random )(?<!compiled )input \{([^}]*)\}\s*(output \{|error:)([^}\n]*\n?[^}]*)", block):
        if kind == "error:":
            yield names, given, None
        elif "@" not in given and "(" not in given:
            yield names, given, output


def literals(text):
    """The values of a test block."""
    parser, found, evaluator = Parser(text), [], Evaluator(())
    while parser.peek()[0] != "end":
        parser.tokens[parser.at] = (*parser.peek()[:2], True)
        is_negative = parser.take("-")
        node = parser.primary()
        found.append(evaluator.value(("neg", node) if is_negative else node, NAMES))
    return found


NAMES = {"nan": float("nan"), "inf": float("inf")}


def check(path):
    """How many calls agree and how many the oracle does not know; and a text for each that differs."""
    with open(path) as file:
        text = file.read()
    try:
        evaluator = Evaluator(parse(text))
    except Unsupported:
        return 0, 1, []
    agreed, unknown, wrong = 0, 0, []
    for names, given, output in calls(text):
        for name in names:
            try:
                problem = call(evaluator, name, given, output)
            except (Skip, Unsupported):
                unknown += 1
                continue
            agreed += problem is None
            wrong += [f"{path}: {name} {given}: {problem}"] if problem else []
    return agreed, unknown, wrong


def call(evaluator, name, given, output):
    """What is wrong with a call, or none."""
    if name not in evaluator.definitions:
        raise Skip("another entry")
    arguments = literals(given)
    if len(arguments) != len(evaluator.definitions[name][3]):
        raise Skip("arguments that are records")
    value = evaluator.call(name, arguments)
    if output is None:
        return None if poisoned(value) or evaluator.failed else f"{components(value)}, not an error"
    if poisoned(value):
        return f"{poisoned(value)}, not {output}"
    return differs(components(value), [part for literal in literals(output) for part in components(literal)])


def main(paths):
    agreed, unknown, wrong = 0, 0, []
    for path in paths:
        found = check(path)
        agreed, unknown, wrong = agreed + found[0], unknown + found[1], wrong + found[2]
    print(*wrong, sep="\n")
    print(f"{agreed} calls agree, {len(wrong)} differ, {unknown} are not known")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
