"""Random expressions of a given type, as text.

Invariant: an expression has the type and the sizes that were asked for, so nearly every program is accepted. A size is a
text: a size parameter or a number; one that begins with `?` belongs to a variable and cannot be written. `None` is
any size.

A type is the name of a scalar, `("array", size, type)`, or `("tuple", types)`.
"""

INTEGERS = ("i64", "i32", "u8")
FLOATS = ("f64", "f32")
SMALL = (0, 1, 2, 3, 5, -1, -2, 7)


def array_of(size, of, *more):
    """The type of an array, of several dimensions if there are more."""
    return ("array", size, array_of(of, *more)) if more else ("array", size, of)


def writable(size):
    return size is not None and not size.startswith("?")


class Scope:
    """The variables that an expression may use, with their types."""

    def __init__(self, variables=()):
        self.variables = list(variables)

    def with_(self, *variables):
        return Scope(self.variables + list(variables))

    def of(self, test):
        return [(name, of) for name, of in self.variables if test(of)]


class Writer:
    """Writes expressions. Two writers with one source of random numbers and one history write the same."""

    def __init__(self, random):
        self.random = random
        self.count = 0
        self.features = set()

    # Choices.

    def name(self, stem="v"):
        self.count += 1
        return f"{stem}{self.count}"

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def one_of(self, *choices):
        return self.random.choice(choices)

    def chosen(self, feature, writers):
        """The text of one of these writers, most of which are bound methods."""
        writer = self.random.choice(writers)
        self.features.add(f"{feature}.{getattr(writer, '__name__', feature).strip('_')}")
        return writer

    # Scalars.

    def literal(self, of):
        if of == "bool":
            return self.one_of("true", "false")
        if of in FLOATS:
            return f"({self.one_of('0.0', '1.0', '2.0', '-1.5', '0.5', '3.0', '-4.0', '0.25')}{of})"
        value = self.random.choice(SMALL)
        if of.startswith("u"):
            value = abs(value)
        return f"({value}{of})" if self.chance(80) or value < 0 else str(value)

    def expression(self, of, scope, depth):
        """An expression of any type."""
        if isinstance(of, str):
            return self.scalar(of, scope, depth)
        if of[0] == "tuple":
            return "(" + ", ".join(self.expression(part, scope, depth - 1) for part in of[1]) + ")"
        return self.array(of[1], of[2], scope, depth)

    def scalar(self, of, scope, depth):
        variables = scope.of(lambda known: known == of)
        if variables and self.chance(60 if depth <= 0 else 20):
            return self.random.choice(variables)[0]
        if depth <= 0:
            return self.literal(of)
        writers = [self.choice, self.let, self.element, self.folded, self.looped, self.reduced]
        if of == "bool":
            writers = [self.choice, self.compared, self.compared, self.logic, self.quantified, self.element]
        elif of in FLOATS:
            writers += [self.arithmetic] * 3 + [self.extreme, self.converted]
        else:
            writers += [self.arithmetic] * 3 + [self.divided, self.converted, self.extreme, self.bits]
            writers += [self.counted, self.counted] if of == "i64" else []
        return self.chosen("scalar", writers)(of, scope, depth - 1)

    def choice(self, of, scope, depth):
        condition = self.scalar("bool", scope, depth)
        return f"(if {condition} then {self.expression(of, scope, depth)} else {self.expression(of, scope, depth)})"

    def let(self, of, scope, depth):
        name, bound = self.name(), self.simple_type(scope)
        value = self.expression(bound, scope, depth)
        if bound[0] == "array" and bound[1] is None:
            bound = ("array", f"?{name}", bound[2])
        return f"(let {name} = {value} in {self.expression(of, scope.with_((name, bound)), depth)})"

    def simple_type(self, scope):
        """The type of a value that something is computed from."""
        of = self.one_of("i64", "i64", "f64", "i32", "bool")
        if self.chance(35):
            return of
        sizes = self.sizes(scope)
        size = self.random.choice(sizes) if sizes and self.chance(60) else None
        if self.chance(20):
            return ("array", size, ("array", self.inner_size(scope), of))
        return ("array", size, of)

    def inner_size(self, scope):
        """The size of rows."""
        sizes = self.sizes(scope)
        return self.random.choice(sizes) if sizes and self.chance(50) else self.one_of("0", "1", "2", "3")

    def sizes(self, scope):
        """The sizes that arrays around have."""
        return sorted({of[1] for _, of in scope.variables if of[0] == "array" and of[1] is not None})

    def element(self, of, scope, depth):
        """An element at a position that is mostly in the array."""
        name = self.name()
        value = self.any_array(of, scope, depth)
        at = self.scalar("i64", scope, depth - 1)
        if self.chance(8):
            return f"({value}[{at}])"
        other = self.scalar(of, scope, 0)
        return f"(let {name} = {value} in if null {name} then {other} else {name}[{at} % length {name}])"

    def operator(self, of):
        """An operator with its laws, and its neutral element."""
        if of == "bool":
            return self.one_of(("(&&)", "true"), ("(||)", "false"))
        if of in FLOATS:
            return self.one_of(("(+)", f"0{of}"), (f"{of}.min", f"{of}.inf"), (f"{of}.max", f"(-{of}.inf)"))
        extremes = ((f"{of}.max", f"{of}.lowest"), (f"{of}.min", f"{of}.highest"))
        return self.one_of(("(+)", f"0{of}"), ("(*)", f"1{of}"), ("(^)", f"0{of}"), *extremes)

    def reduced(self, of, scope, depth):
        op, neutral = self.operator(of)
        return f"(reduce {op} {neutral} {self.any_array(of, scope, depth)})"

    def folded(self, of, scope, depth):
        inner, acc, x = self.one_of("i64", "f64", "bool", "i32"), self.name(), self.name()
        body = self.scalar(of, scope.with_((acc, of), (x, inner)), depth)
        return f"(fold (\\{acc} {x} -> {body}) {self.scalar(of, scope, 0)} {self.any_array(inner, scope, depth)})"

    def looped(self, of, scope, depth):
        name, turn = self.name(), self.name("i")
        start = self.scalar(of, scope, depth)
        body = self.scalar(of, scope.with_((name, of), (turn, "i64")), depth)
        return f"(loop {name} = {start} for {turn} < {self.one_of('0i64', '1i64', '2i64', '3i64')} do {body})"

    def arithmetic(self, of, scope, depth):
        left, right = self.scalar(of, scope, depth), self.scalar(of, scope, depth)
        return f"({left} {self.one_of('+', '-', '*')} {right})"

    def divided(self, of, scope, depth):
        sign = self.one_of("/", "%", "//", "%%")
        by = self.scalar(of, scope, depth) if self.chance(10) else f"{self.random.randrange(1, 6)}{of}"
        return f"({self.scalar(of, scope, depth)} {sign} {by})"

    def bits(self, of, scope, depth):
        sign = self.one_of("&", "|", "^", "<<", ">>", ">>>")
        return f"({self.scalar(of, scope, depth)} {sign} {self.scalar(of, scope, depth)})"

    def extreme(self, of, scope, depth):
        name = self.one_of("min", "max")
        return f"({of}.{name} {self.scalar(of, scope, depth)} {self.scalar(of, scope, depth)})"

    def converted(self, of, scope, depth):
        source = self.one_of(*(other for other in ("i64", "i32", "u8", "f64", "f32") if other != of))
        return f"({of}.{source} {self.scalar(source, scope, depth)})"

    def counted(self, _of, scope, depth):
        name = self.name()
        of = self.one_of("i64", "f64", "bool", "i32")
        value = self.any_array(of, scope, depth)
        if self.chance(40):
            return f"(length {value})"
        body = self.scalar("bool", scope.with_((name, of)), depth)
        return f"(count (\\{name} -> {body}) {value})"

    def compared(self, _of, scope, depth):
        of = self.one_of("i64", "i64", "f64", "i32", "u8")
        sign = self.one_of("==", "!=", "<", "<=", ">", ">=")
        return f"({self.scalar(of, scope, depth)} {sign} {self.scalar(of, scope, depth)})"

    def logic(self, of, scope, depth):
        if self.chance(25):
            return f"(!{self.scalar(of, scope, depth)})"
        return f"({self.scalar(of, scope, depth)} {self.one_of('&&', '||')} {self.scalar(of, scope, depth)})"

    def quantified(self, _of, scope, depth):
        of, name = self.one_of("i64", "f64"), self.name()
        body = self.scalar("bool", scope.with_((name, of)), depth)
        return f"({self.one_of('all', 'any')} (\\{name} -> {body}) {self.any_array(of, scope, depth)})"

    # Arrays of any size.

    def any_array(self, of, scope, depth):
        return self.array(None, of, scope, depth)

    def array(self, size, of, scope, depth):
        """An array of a size, or of any."""
        fits = scope.of(lambda known: known[0] == "array" and known[2] == of and (size is None or known[1] == size))
        if fits and self.chance(75 if depth <= 0 else 25):
            return self.random.choice(fits)[0]
        sizes = [known for known in self.sizes(scope) if depth > 0 or writable(known)]
        if size is None:
            if depth > 0 and self.chance(60):
                return self.chosen("any", self.growing(of))(of, scope, depth - 1)
            size = self.random.choice(sizes) if sizes and self.chance(70) else str(self.random.randrange(4))
        if depth <= 0:
            return self.plain(size, of, scope)
        writers = [self.mapped, self.mapped, self.mapped2, self.scanned, self.changed, self.rotated, self.sorted]
        writers += [self.chosen_arrays, self.carried, self.segments, self.unzipped, self.picked, self.row, self.accumulated]
        if not isinstance(of, str):
            writers += [self.transposed, self.transposed, self.scanned_rows]
        if writable(size):
            writers += [self.tabulated, self.tabulated, self.replicated, self.coerced, self.gathered, self.scattered]
            writers += [self.literal_array] if size.isdigit() and int(size) > 0 else []
        return self.chosen("array", writers)(size, of, scope, depth - 1)

    def plain(self, size, of, scope):
        """An array of a size without much computation."""
        if writable(size):
            if self.chance(50) and size.isdigit() and int(size) > 0:
                return self.literal_array(size, of, scope, 0)
            return self.tabulated(size, of, scope, 0) if self.chance(50) else self.replicated(size, of, scope, 0)
        around = scope.of(lambda known: known[0] == "array" and known[1] == size)
        return f"(map (\\_ -> {self.expression(of, scope, 0)}) {self.random.choice(around)[0]})"

    def source(self, size, scope, depth):
        """An array of a size, with elements of some type, and the type."""
        around = scope.of(lambda known: known[0] == "array" and known[1] == size)
        if around and (not writable(size) or self.chance(60)):
            name, known = self.random.choice(around)
            return name, known[2]
        of = self.one_of("i64", "f64", "bool", "i32")
        return self.array(size, of, scope, depth), of

    def mapped(self, size, of, scope, depth):
        value, inner = self.source(size, scope, depth)
        name = self.name()
        return f"(map (\\{name} -> {self.expression(of, scope.with_((name, inner)), depth)}) {value})"

    def mapped2(self, size, of, scope, depth):
        (left, x), (right, y) = self.source(size, scope, depth), self.source(size, scope, depth)
        p, q = self.name(), self.name()
        body = self.expression(of, scope.with_((p, x), (q, y)), depth)
        return f"(map2 (\\{p} {q} -> {body}) {left} {right})"

    def scanned(self, size, of, scope, depth):
        if not isinstance(of, str):
            return self.mapped(size, of, scope, depth)
        op, neutral = self.operator(of)
        return f"({self.one_of('scan', 'exscan')} {op} {neutral} {self.array(size, of, scope, depth)})"

    def segments(self, size, of, scope, depth):
        if not isinstance(of, str):
            return self.mapped(size, of, scope, depth)
        op, neutral = self.operator(of)
        flags, values = self.array(size, "bool", scope, depth), self.array(size, of, scope, depth)
        return f"({self.one_of('segmented_scan', 'segmented_exscan')} {op} {neutral} {flags} {values})"

    def changed(self, size, of, scope, depth):
        name, value = self.name(), self.array(size, of, scope, depth)
        at, new = self.scalar("i64", scope, depth - 1), self.expression(of, scope, depth)
        known = ("array", size, of)
        if self.chance(40) and isinstance(of, str):
            new = self.expression(of, scope.with_((name, known)), depth)
        guard = "" if self.chance(10) else f" % length {name}"
        changed = f"{name} with [({at}){guard}] = {new}"
        return f"(let {name} = {value} in {changed if not guard else f'if null {name} then {name} else {changed}'})"

    def rotated(self, size, of, scope, depth):
        value = self.array(size, of, scope, depth)
        by = self.scalar("i64", scope, 0)
        return self.one_of(f"(rotate {by} {value})", f"(reverse {value})", f"({value}[::-1])")

    def sorted(self, size, of, scope, depth):
        if not isinstance(of, str) or of == "bool":
            return self.mapped(size, of, scope, depth)
        name = self.name()
        value, le = self.array(size, of, scope, depth), self.one_of("(<=)", "(>=)")
        key = self.scalar("i64", scope.with_((name, of)), depth - 1)
        return self.one_of(f"(sort {le} {value})", f"(sort_by_key (\\{name} -> {key}) {le} {value})")

    def chosen_arrays(self, size, of, scope, depth):
        return self.choice(("array", size, of), scope, depth)

    def picked(self, size, of, scope, depth):
        flags = self.array(size, "bool", scope, depth)
        return f"(pick {flags} {self.array(size, of, scope, depth)} {self.array(size, of, scope, depth)})"

    def carried(self, size, of, scope, depth):
        name, turn = self.name(), self.name("i")
        start, known = self.array(size, of, scope, depth), ("array", size, of)
        body = self.array(size, of, scope.with_((name, known), (turn, "i64")), depth)
        return f"(loop {name} = {start} for {turn} < {self.one_of('0i64', '1i64', '2i64', '3i64')} do {body})"

    def unzipped(self, size, of, scope, depth):
        other, which = self.one_of("i64", "bool"), self.random.randrange(2)
        parts = [of, other] if which == 0 else [other, of]
        value, inner = self.source(size, scope, depth)
        name = self.name()
        body = self.expression(("tuple", parts), scope.with_((name, inner)), depth)
        return f"((unzip (map (\\{name} -> {body}) {value})).{which})"

    def row(self, size, of, scope, depth):
        """A row of an array of arrays, at a position that is mostly in it."""
        name = self.name()
        rows, at = self.any_array(("array", size, of), scope, depth), self.scalar("i64", scope, depth - 1)
        other = self.array(size, of, scope, 0)
        return f"(let {name} = {rows} in if null {name} then {other} else {name}[({at}) % length {name}])"

    def transposed(self, size, of, scope, depth):
        return f"(transpose {self.array(of[1], ('array', size, of[2]), scope, depth)})"

    def accumulated(self, size, of, scope, depth):
        """A fold that carries an array."""
        inner, acc, x = self.one_of("i64", "f64", "bool"), self.name(), self.name()
        body = self.array(size, of, scope.with_((acc, ("array", size, of)), (x, inner)), depth)
        return f"(fold (\\{acc} {x} -> {body}) {self.array(size, of, scope, 0)} {self.any_array(inner, scope, depth)})"

    def scanned_rows(self, size, of, scope, depth):
        if not isinstance(of[2], str):
            return self.mapped(size, of, scope, depth)
        op, neutral = self.operator(of[2])
        rows, start = self.array(size, of, scope, depth), self.name()
        zero = f"map (\\_ -> {neutral}) {self.array(of[1], of[2], scope, 0)}"
        return f"(let {start} = {zero} in scan (map2 {op}) {start} {rows})"

    def tabulated(self, size, of, scope, depth):
        name = self.name("i")
        return f"(tabulate {size} (\\{name} -> {self.expression(of, scope.with_((name, 'i64')), depth)}))"

    def replicated(self, size, of, scope, depth):
        return f"(replicate {size} {self.expression(of, scope, depth)})"

    def literal_array(self, size, of, scope, depth):
        return "[" + ", ".join(self.expression(of, scope, depth - 1) for _ in range(int(size))) + "]"

    def coerced(self, size, of, scope, depth):
        if self.chance(70):
            name = self.name()
            value = self.array(size, of, scope, depth)
            return f"(let {name} = {value} in take {size} ({name} ++ {name}))"
        return f"({self.any_array(of, scope, depth)} :> [{size}]{written(of)})" if known(of) else self.tabulated(
            size, of, scope, depth
        )

    def gathered(self, size, of, scope, depth):
        name, turn = self.name(), self.name("i")
        value, at = self.any_array(of, scope, depth), self.scalar("i64", scope.with_((turn, "i64")), depth)
        other = self.expression(of, scope, 0)
        return (
            f"(let {name} = {value} in tabulate {size} (\\{turn} ->"
            f" if null {name} then {other} else {name}[{at} % length {name}]))"
        )

    def scattered(self, size, of, scope, depth):
        name = self.name()
        start, values = self.array(size, of, scope, depth), self.any_array(of, scope, depth)
        at = self.scalar("i64", scope.with_((name, "i64")), depth)
        return (
            f"(let {name} = {values} in scatter (copy {start}) (map (\\{name} -> {at}) (indices {name})) {name})"
        )

    # Arrays whose size is new.

    def growing(self, of):
        writers = [self.filtered, self.filtered, self.appended, self.sliced, self.sliced, self.flatmapped, self.shrinking]
        writers += [self.branches, self.grown, self.flattened]
        if isinstance(of, str):
            writers += [self.uniques]
        return writers + ([self.ranges] if of == "i64" else [])

    def filtered(self, of, scope, depth):
        if not isinstance(of, str):
            return self.appended(of, scope, depth)
        name = self.name()
        body = self.scalar("bool", scope.with_((name, of)), depth)
        value = self.any_array(of, scope, depth)
        filtered = f"filter (\\{name} -> {body}) {value}"
        return f"({filtered})" if self.chance(75) else f"((partition (\\{name} -> {body}) {value}).1)"

    def appended(self, of, scope, depth):
        return f"({self.any_array(of, scope, depth)} ++ {self.any_array(of, scope, depth)})"

    def sliced(self, of, scope, depth):
        name = self.name()
        value = self.any_array(of, scope, depth)
        step = self.one_of("", "", ":2", ":-1", ":-2", ":3")
        low = self.one_of("", "length V / 2", "i64.min 1 (length V)", "0")
        high = self.one_of("", "length V", "length V - length V / 3")
        if step.startswith(":-"):
            low, high = self.one_of("", "length V - 1"), ""
        if self.chance(5):
            low = self.literal("i64")
        low, high = low.replace("V", name), high.replace("V", name)
        return f"(let {name} = {value} in {name}[{low}:{high}{step}])"

    def flatmapped(self, of, scope, depth):
        inner, name = self.one_of("i64", "f64", "i32"), self.name()
        body = self.any_array(of, scope.with_((name, inner)), depth - 1)
        return f"(flatmap (\\{name} -> {body}) {self.any_array(inner, scope, depth)})"

    def branches(self, of, scope, depth):
        condition = self.scalar("bool", scope, depth)
        return f"(if {condition} then {self.any_array(of, scope, depth)} else {self.any_array(of, scope, depth)})"

    def shrinking(self, of, scope, depth):
        name, turn = self.name(), self.name("i")
        start = self.any_array(of, scope, depth)
        step = self.one_of("V[1:]", "V[:length V - 1]", "V[::2]", "V ++ take 1 V", "V ++ V", "(reverse V)[1:]")
        step = step.replace("V", name)
        return f"(loop {name} = {start} for {turn} < {self.one_of('1i64', '2i64', '3i64')} do if null {name} then {name} else {step})"

    def grown(self, of, scope, depth):
        name, turn = self.name(), self.name("i")
        body = self.any_array(of, scope.with_((name, ("array", f"?{name}", of)), (turn, "i64")), depth)
        start = self.any_array(of, scope, depth)
        return f"(loop {name} = {start} for {turn} < {self.one_of('1i64', '2i64', '3i64')} do {body})"

    def flattened(self, of, scope, depth):
        return f"(flatten {self.any_array(('array', self.inner_size(scope), of), scope, depth)})"

    def uniques(self, of, scope, depth):
        return f"(unique (==) {self.any_array(of, scope, depth)})"

    def ranges(self, _of, scope, depth):
        value = self.scalar("i64", scope, depth)
        return self.one_of(f"(0i64..<({value} & 3))", f"(1i64...({value} & 3) + 1)", f"(iota ({value} & 3))")


def known(of):
    """Whether a type can be written."""
    return isinstance(of, str) or of[0] == "array" and writable(of[1]) and known(of[2])


def written(of):
    """The text of a type."""
    if isinstance(of, str):
        return of
    if of[0] == "array":
        return f"[{of[1] or ''}]{written(of[2])}"
    return "(" + ", ".join(map(written, of[1])) + ")"
