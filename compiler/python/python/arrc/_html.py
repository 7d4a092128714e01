"""Texts with the colours of a terminal, as HTML.

Invariant: the text of others is escaped; what is shown has the colours, and no other escapes of terminals.
"""

import html
import re

_BASIC = ["black", "firebrick", "forestgreen", "darkgoldenrod", "royalblue", "darkmagenta", "teal", "dimgray"]


def page(colored):
    """The text as a block."""
    parts, is_open = [], False
    for index, part in enumerate(re.split(r"\x1b\[([0-9;]*)m", colored)):
        if index % 2 == 0:
            parts.append(html.escape(part))
            continue
        style = _style(part)
        parts.append(("</span>" if is_open else "") + (f'<span style="{style}">' if style else ""))
        is_open = bool(style)
    return f"<pre>{''.join(parts)}{'</span>' if is_open else ''}</pre>"


def _style(codes):
    """What the codes of a terminal ask for; nothing if they end it."""
    numbers = [int(code or 0) for code in codes.split(";")]
    if numbers[:2] == [38, 5] and len(numbers) == 3:
        return f"color: {_color(numbers[2])}"
    styles = [f"color: {_BASIC[number % 10]}" for number in numbers if number // 10 in (3, 9) and number % 10 < 8]
    return "; ".join(styles + ["font-weight: bold"] * (1 in numbers))


def _color(number):
    """One of the 256 colours of terminals."""
    if number < 16:
        return _BASIC[number % 8]
    if number >= 232:
        return f"rgb({', '.join([str(8 + 10 * (number - 232))] * 3)})"
    number -= 16
    steps = [number // 36, number // 6 % 6, number % 6]
    return f"rgb({', '.join(str(55 + 40 * step if step else 0) for step in steps)})"
