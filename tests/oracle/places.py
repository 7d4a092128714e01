"""Ranges, indices, slices and updates.

A slice may be of any part that lies in its array. One without elements, whose start is its end, may be anywhere.
"""

from values import Array, Failure, Skip, array, force, integer
import library

# The most numbers of a range.
LONGEST = 20_000


class Places:
    """The part of the evaluator that knows positions in arrays."""

    def indexed(self, value, parts, env):
        """An element, a row or a slice."""
        value, (part, *rest) = force(value), parts
        if part[0] == "at":
            at = force(self.value(part[1], env))
            # An index vector has a component for each dimension.
            for component in at.items if isinstance(at, Array) else [at]:
                value = library.element(force(value), component)
            return self.indexed(value, rest, env) if rest else value
        places = self.places(part, len(value.items), env)
        items = [value.items[place] for place in places]
        if not rest:
            return Array(items, value.sample())
        sample = value.sample()
        of = None if items or sample is None else self.indexed(sample, rest, env)
        return array([self.indexed(item, rest, env) for item in items], of)

    def places(self, part, length, env):
        """The positions of a slice, which lie in the array."""
        start, end, step = (None if bound is None else integer(self.value(bound, env)) for bound in part[1:])
        step = 1 if step is None else step
        if step == 0:
            raise Failure("a slice with the step 0")
        if start is None:
            start = 0 if step > 0 else length - 1
            if end is None:
                return range(start, length if step > 0 else -1, step)
        end = (length if step > 0 else -1) if end is None else end
        places = range(start, end, step)
        if (end - start) * step < 0 or any(not 0 <= place < length for place in places):
            raise Failure("a slice that is out of bounds")
        return places

    def updated(self, value, path, new, env):
        """The value with another part."""
        if not path:
            return new
        value = force(value)
        (kind, step), rest = path[0], path[1:]
        if kind == "path_index":
            return self.updated_at(value, step, rest, new, env)
        if isinstance(value, tuple):
            at = int(step)
            return value[:at] + (self.updated(value[at], rest, new, env),) + value[at + 1 :]
        return {**value, step: self.updated(value[step], rest, new, env)}

    def updated_at(self, value, parts, rest, new, env):
        """The array with other elements."""
        part, inner = parts[0], (("path_index", parts[1:]),) + rest if parts[1:] else rest
        items = list(value.items)
        if part[0] == "at":
            at = integer(self.value(part[1], env))
            if not 0 <= at < len(items):
                raise Failure("an index that is out of bounds")
            items[at] = self.updated(items[at], inner, new, env)
            return array(library.met_items(items), value.of)
        places = self.places(part, len(items), env)
        new = force(new)
        if len(new.items) != len(places):
            raise Failure("a slice is replaced by an array of another size")
        for place, item in zip(places, new.items):
            items[place] = self.updated(items[place], inner, item, env)
        return array(items, value.of)


def ranged(start, step, end, kind, of):
    """The numbers of a range."""
    last = {"...": end + (1 if step > 0 else -1), "..<": end, "..>": end}[kind]
    leads_away = (last - start) * step < 0 or kind == "..<" and step < 0 or kind == "..>" and step > 0
    if step == 0 or leads_away or (kind == "..." and (end - start) * step < 0):
        raise Failure("a range that leads nowhere")
    if len(range(start, last, step)) > LONGEST:
        raise Skip("a large array")
    return Array([of(x) for x in range(start, last, step)], of(0))
