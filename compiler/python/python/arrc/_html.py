"""Texts with the colours of a terminal, as HTML.

Invariant: text is escaped; the page shows the colours of the terminal, and none of its other escapes. The colours are
readable on light and on dark pages, though those of terminals are made for dark ones.
"""

import html
import re

#: The most that a channel has.
_BRIGHTEST = 130
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
    # Pages have rules for their own blocks of text, which need not be of one width.
    return f"<pre style=\"font-family: monospace; line-height: 1.25\">{''.join(parts)}{'</span>' if is_open else ''}</pre>"


def _style(codes):
    """The style that the codes of a terminal begin; nothing if they end one."""
    numbers = [int(code or 0) for code in codes.split(";")]
    if numbers[:2] == [38, 5] and len(numbers) == 3:
        return f"color: {_color(numbers[2])}"
    styles = [f"color: {_BASIC[number % 10]}" for number in numbers if number // 10 in (3, 9) and number % 10 < 8]
    return "; ".join(styles + ["font-weight: bold"] * (1 in numbers))


def basic(colored):
    """The text with the 8 basic colours, which IPython shows, in place of the 256 colours."""
    return re.sub(r"\x1b\[38;5;([0-9]+)m", lambda found: f"\x1b[{_nearest(int(found[1]))}m", colored)


def _nearest(number):
    if number < 16:
        return 30 + number % 8
    channels = _channels(number)
    if max(channels) == min(channels):
        return 39
    return 30 + sum(1 << at for at, channel in enumerate(channels) if channel > 0.9 * max(channels))


def _color(number):
    """One of the 256 colours of terminals."""
    if number < 16:
        return _BASIC[number % 8]
    channels = _channels(number)
    most = max(*channels, _BRIGHTEST)
    return f"rgb({', '.join(str(channel * _BRIGHTEST // most) for channel in channels)})"


def _channels(number):
    """Red, green and blue."""
    if number >= 232:
        return [8 + 10 * (number - 232)] * 3
    number -= 16
    return [55 + 40 * step if step else 0 for step in (number // 36, number // 6 % 6, number % 6)]
