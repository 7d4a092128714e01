"""The words of a text: names, numbers, operators with their levels, and signs."""

import re


class Unsupported(Exception):
    """The program has a construct that the oracle does not know."""


WORDS = frozenset(
    "assert case def do else entry external false for if import in intrinsic let local loop match module open then "
    "true type while with".split()
)
SCALARS = ("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64")
SIGNS = "+-*/%=!<>|&^"
TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t\r\n]+|--[^\n]*)+)
      | (?P<number>0x[0-9a-fA-F_]+(?:\.[0-9a-fA-F_]+)?p[+-]?\d+(?:f32|f64)?
                  |(?:0x[0-9a-fA-F_]+|0b[01_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)
                   (?:i8|i16|i32|i64|u8|u16|u32|u64|f32|f64)?)
      | (?P<name>[A-Za-z_][A-Za-z0-9_']*)
      | (?P<tick>'[A-Za-z_][A-Za-z0-9_]*(?!'))
      | (?P<mark>\#[A-Za-z_][A-Za-z0-9_']*|\#\[)
      | (?P<dots>\.\.\.|\.\.<|\.\.>|\.\.)
      | (?P<sign>[-+*/%=!<>|&^]+|:>|[()\[\]{},:;.\\?`])
    """,
    re.X,
)
# The levels of infix operators, from loose to tight.
LEVELS = [
    ["`"],
    ["|>"],
    ["<|"],
    ["||"],
    ["&&"],
    ["==", "!=", "<", "<=", ">", ">="],
    [">->", "<-<"],
    ["&", "^", "|"],
    ["<<", ">>", ">>>"],
    ["+", "-", "++"],
    ["*", "/", "%", "//", "%%"],
    ["**"],
]
LEVEL_OF = {sign: level for level, signs in enumerate(LEVELS) for sign in signs}
RESERVED_SIGNS = frozenset(["=", "->", "!"])


def level_of(sign):
    """The level of an operator: that of the longest known operator that it begins with."""
    for length in range(len(sign), 0, -1):
        if sign[:length] in LEVEL_OF:
            return LEVEL_OF[sign[:length]]
    raise Unsupported(f"the operator {sign}")


def tokens(text):
    """The tokens of a text: kind, text, and whether a blank is before it."""
    found, at, blank = [], 0, True
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise Unsupported(f"the sign {text[at]!r}")
        at = match.end()
        kind = match.lastgroup
        if kind == "blank":
            blank = True
            continue
        word = match.group()
        if kind == "name" and word in WORDS:
            kind = "word"
        found.append((kind, word, blank))
        blank = False
    found.append(("end", "", True))
    return found


def number(text):
    """The node of a literal."""
    match = re.fullmatch(r"(.*?)(i8|i16|i32|i64|u8|u16|u32|u64|f32|f64)?", text)
    digits, suffix = match.groups()
    if digits.startswith("0x") and "p" not in digits and suffix in ("f32", "f64"):
        digits, suffix = text, None
    digits = digits.replace("_", "")
    if digits.startswith("0x") and "p" in digits:
        return ("float", float.fromhex(digits), suffix)
    if digits.startswith(("0x", "0b")):
        return ("int", int(digits, 0), suffix)
    if "." in digits or "e" in digits or "E" in digits:
        return ("float", float(digits), suffix)
    if suffix in ("f32", "f64"):
        return ("float", float(digits), suffix)
    return ("int", int(digits), suffix)
