"""Random programs, in families. Each family writes what one kind of fault needs; the parts are random expressions.

A program is a text with entries whose names begin with its prefix, so that many programs can be in one file. The types
of parameters are written, so that the oracle's parser tells the inputs.
"""

import itertools

from expressions import Scope, Writer, array_of, written

# Shapes of every small array with up to three dimensions.
SHAPES = [shape for rank in (1, 2, 3) for shape in itertools.product((0, 1, 2), repeat=rank)]


def program(random, prefix, number, families=None):
    """The text of a program and its features. The number chooses the family, and what it enumerates."""
    write, families = Writer(random), families or FAMILIES
    family = families[number % len(families)]
    write.features.add("family." + family.__name__)
    return family(write, prefix, number // len(families)), write.features


def named(names):
    """The families with these names."""
    return [family for family in FAMILIES if family.__name__ in names]


def typed(name, of):
    return f"({name}: {written(of)})"


def parameters(write, sizes, count):
    """Parameters: names and types."""
    found = []
    for _ in range(count):
        of = write.one_of("i64", "i64", "f64", "i32", "bool", "u8", "f32")
        if write.chance(65):
            of = array_of(write.random.choice(sizes), of)
        elif write.chance(30):
            of = array_of(*(write.random.choice(sizes) for _ in range(2)), of)
        found.append((write.name("a"), of))
    return found


def general(write, prefix, _number):
    """Some `let`s, and a result of several values."""
    sizes = ["n", "m"][: write.random.randrange(1, 3)]
    given = parameters(write, sizes, write.random.randrange(1, 4))
    used = [size for size in sizes if any(size in written(of) for _, of in given)]
    scope, lets = Scope(given + [(size, "i64") for size in used]), []
    for _ in range(write.random.randrange(0, 3)):
        name, of = write.name(), write.simple_type(scope)
        lets.append(f"let {name} = {write.expression(of, scope, 3)}")
        if of[0] == "array" and of[1] is None:
            of = ("array", f"?{name}", of[2])
        scope = scope.with_((name, of))
    results = [write.expression(write.simple_type(scope), scope, 3) for _ in range(write.random.randrange(1, 4))]
    result = results[0] if len(results) == 1 else "(" + ", ".join(results) + ")"
    return entry(f"{prefix}_general", used, given, result, lets)


def entry(name, sizes, given, result, lets=(), declared=None):
    """The text of an entry."""
    head = " ".join([name, *(f"[{size}]" for size in sizes), *(typed(*one) for one in given)])
    body = "\n  ".join([*lets, ("in " if lets else "") + result])
    return f"entry {head}{f': {declared}' if declared else ''} =\n  {body}\n"


# Sizes that are parameters.


def size_arguments(write, prefix, _number):
    """A size that is a number of the call, before or after the arrays, through helpers, tuples, rows and local functions."""
    of = write.one_of("i64", "f64")
    inner = write.one_of("", "", "[2]", "[m]")
    element = f"{inner}{of}"
    form = write.one_of("result", "meet", "coerce", "helper", "tuple", "local", "made", "row", "pair", "lambda")
    write.features.add(f"size.{form}")
    rows = ["m"] if inner == "[m]" else []
    zero = f"0{of}" if not inner else f"(replicate {inner[1:-1]} 0{of})"
    made = write.one_of(f"replicate n {zero}", f"tabulate n (\\_ -> {zero})")
    if not inner and of == "i64":
        made = write.one_of(made, "sort (<=) (iota n)", "map (+ 1) (iota n)", "reverse (iota n)", "scan (+) 0 (iota n)")
    arrays = [("xs", write.one_of(f"[]{element}", f"[n]{element}", f"[k]{element}"))]
    if write.chance(40):
        arrays.append(("ys", write.one_of(f"[]{element}", f"[n]{element}", f"[k]{element}")))
    given = arrays + [("n", "i64")]
    write.random.shuffle(given)
    if not first_is_bound(given):
        given = [("n", "i64")] + arrays if write.chance(50) else [
            (name, of.replace("[n]", "[]", 1)) for name, of in given
        ]
    sizes = rows + [size for size in "k" if any(text.startswith("[k]") for _, text in given)]
    return size_program(write, prefix, form, sizes, given, made, element)


def first_is_bound(given):
    """Whether no type mentions the size parameter before it is there."""
    for name, of in given:
        if name == "n":
            return True
        if "[n]" in of:
            return False
    return True


def size_program(write, prefix, form, sizes, given, made, element):
    head = " ".join([f"{prefix}_size", *(f"[{size}]" for size in sizes), *(f"({x}: {of})" for x, of in given)])
    last = given[-1][0] if given[-1][0] != "n" else "xs"
    if form == "result":
        return f"entry {head}: [n]{element} = {write.one_of('xs', last)}\n"
    if form == "meet":
        met = write.one_of("zip xs MADE", "map2 (\\x _ -> x) MADE xs", "map2 (\\x _ -> x) xs MADE")
        return f"entry {head} = {met.replace('MADE', f'({made})')}\n"
    if form == "coerce":
        return f"entry {head} = (xs :> [{write.one_of('n', 'n + 1', 'n - 1', '2 * n')}]{element})\n"
    if form == "lambda":
        return f"entry {head} = (\\(zs: [n]{element}) -> (length zs, zs)) xs\n"
    if form == "made":
        return f"entry {head} = ({made}, let (ys: [n]{element}) = xs in ys)\n"
    if form == "local":
        return f"entry {head} =\n  let f (zs: [n]{element}): [n]{element} = reverse zs\n  in f xs\n"
    if form == "row":
        return f"entry {head} =\n  map (\\_ -> let (r: [n]{element}) = xs in r[::-1]) (iota {write.one_of('0', '1', '3')})\n"
    if form == "pair":
        binders = "[k] [m]" if "[m]" in element else "[k]"
        body = f"((zs, c): ([k]{element}, i64)): [k]{element} = if c > 0 then zs else reverse zs"
        return f"def {prefix}_h {binders} {body}\nentry {head}: [n]{element} = {prefix}_h (xs, n)\n"
    # A function that is no entry takes the size first; the other order is rejected.
    order = f"(zs: []{element}) (n: i64)" if write.chance(10) else f"(n: i64) (zs: [n]{element})"
    call = f"{prefix}_h n xs" if order.startswith("(n") else f"{prefix}_h xs n"
    of = f"[n]{element}" if form == "helper" else f"([n]{element}, i64)"
    body = "zs" if form == "helper" else "(zs, n)"
    binder = "[m] " if "[m]" in element else ""
    helper = f"def {prefix}_h {binder}{order}: {of} = {body}\n"
    return helper + f"entry {head} = {call}\n"


def computed_sizes(write, prefix, _number):
    """Sizes that are expressions: of entries, helpers and results."""
    of = write.one_of("i64", "f64", "i32")
    scope = Scope([("xs", array_of("?xs", of)), ("n", "i64")])
    x = write.scalar(of, Scope(), 0)
    form = write.one_of(
        f"entry P [k] (xs: [2 * k]{of}): ([k]{of}, [k]{of}) = (xs[:k], xs[k:])\n",
        f"entry P [k] (xs: [k + 1]{of}) (ys: [k]{of}) = (zip ys (tail xs), length xs)\n",
        f"entry P [n] (xs: [n]{of}) (ys: [n + 1]{of}) = zip (xs ++ [{x}]) ys\n",
        f"entry P [n] [m] (xs: [n]{of}) (ys: [m]{of}): [n + m]{of} = map2 (\\x _ -> x) (ys ++ xs :> [n + m]{of}) (xs ++ ys)\n",
        f"entry P [n] (xs: [n][n]{of}) = (transpose xs, map (\\i -> xs[i, i]) (iota n))\n",
        f"entry P (n: i64) (m: i64) (xs: [n * m]{of}) = (unflatten xs: [n][m]{of})\n",
        f"entry P [n] [m] (xs: [n]{of}) (ys: [m]{of}) (k: i64): [k]{of} = (xs ++ ys) :> [k]{of}\n",
        f"entry P (n: i64) (m: i64) (xs: [n][m]{of}) = (transpose xs, flatten xs)\n",
        f"entry P (n: i64) (xs: [n]{of}) = let g (k: i64) (zs: [k]{of}) = (zs[:k], zs) in g n xs\n",
        f"entry P [n] (xs: [n]{of}) (is: [n]i64) = let [k] ys: [k]{of} = {write.any_array(of, scope, 3)}"
        " in (map (\\i -> if k == 0 then -1 else i % k) is, zip ys (iota k), xs)\n",
    )
    return form.replace("P", f"{prefix}_computed")


# Loops that change the shape of what they carry.


CHANGES = {
    1: ["V[1:]", "V[:length V - 1]", "V ++ V", "V ++ [X]", "[X] ++ V", "V[::2]", "filter (\\q -> q != X) V", "V"],
    2: ["V[:, 1:]", "V[1:]", "V[1:, 1:]", "transpose V", "V ++ V", "map (\\r -> r ++ r) V", "map (\\r -> r ++ [X]) V"],
    3: ["V[:, :, 1:]", "V[:, 1:]", "V[1:]", "map transpose V", "transpose V", "V ++ V", "map (map (\\r -> r ++ r)) V"],
}
CHANGES[2] += ["V[:, ::2]", "V[::-1, 1:]", "transpose V[:, 1:]", "map (\\r -> [X] ++ r) V", "map reverse V"]
CHANGES[3] += ["V[::-1, ::-1, ::-1]", "V[1:, 1:, 1:]", "map (map reverse) V"]


def start_of(write, of, rank):
    """An array of a rank, of constant or other sizes."""
    shape = [write.random.randrange(0, 4) for _ in range(rank)]
    kind = write.one_of("literal", "parameter", "replicate", "tabulate")
    if kind == "literal" and min(shape) > 0:
        return literal(write, of, shape)
    if kind == "parameter":
        return "a"
    return built(write, of, shape, kind == "replicate")


def parameter(write, change, rank, of):
    """The parameters of a loop's entry. Sizes without a name could be taken to be equal where dimensions change places."""
    if "transpose" in change or write.chance(50):
        names = "pqr"[:rank]
        return "".join(f"[{name}] " for name in names) + f"(a: {''.join(f'[{name}]' for name in names)}{of}) (k: i64)"
    return f"(a: {'[]' * rank}{of}) (k: i64)"


def literal(write, of, shape):
    if not shape:
        return write.literal(of)
    return "[" + ", ".join(literal(write, of, shape[1:]) for _ in range(shape[0])) + "]"


def built(write, of, shape, constant):
    """An array of replicates, or of elements that differ."""
    if not shape:
        return write.literal(of)
    if constant or not of.startswith(("i", "f")):
        return f"(replicate {shape[0]} {built(write, of, shape[1:], constant)})"
    names = [write.name("i") for _ in shape]
    body = " + ".join(f"{name} * {3 ** at}" for at, name in enumerate(names))
    text = f"{of}.i64 ({body})" if of != "i64" else f"({body})"
    for extent, name in zip(reversed(shape), reversed(names)):
        text = f"(tabulate {extent} (\\{name} -> {text}))"
    return text


def changing_loops(write, prefix, _number):
    """A loop whose arrays change their sizes, of one to three dimensions."""
    of, rank = write.one_of("i64", "f64", "u8", "bool"), write.one_of(1, 2, 2, 2, 3)
    change = write.random.choice(CHANGES[rank]).replace("X", write.literal(of))
    if write.chance(30):
        change = write.random.choice(CHANGES[rank]).replace("X", write.literal(of)).replace("V", f"({change})")
    write.features.add(f"loop.rank{rank}")
    start = start_of(write, of, rank)
    given = parameter(write, change, rank, of)
    step, form = change.replace("V", "v"), write.one_of("for", "for", "in", "while", "pair", "record", "if", "twice", "step")
    write.features.add(f"loop.{form}")
    if form == "for":
        text = f"loop v = {start} for _i < k do {step}"
    elif form == "in":
        text = f"loop v = {start} for _x in iota k do {step}"
    elif form == "while":
        text = f"(loop (v, i) = ({start}, 0i64) while i < k do ({step}, i + 1)).0"
    elif form == "pair":
        other = write.one_of("w ++ [i]", "if null w then w else w[1:]", "map (+ i) w")
        text = f"loop (v, w) = ({start}, iota 2) for i < k do ({step}, {other})"
    elif form == "record":
        text = f"(loop r = {{v = {start}, c = 0i64}} for _i < k do {{v = {change.replace('V', 'r.v')}, c = r.c + length r.v}}).v"
    elif form == "if":
        text = f"loop v = {start} for i < k do if i % 2 == 0 then {step} else v"
    elif form == "twice":
        text = f"loop v = (loop v = {start} for _i < k do {step}) for _i < k do {step}"
    else:
        total = {1: "length v", 2: "length (flatten v)", 3: "length (flatten (flatten v))"}[rank]
        text = f"map (\\s -> let v = (loop v = {start} for _i < s do {step}) in ({total}, length v)) (iota (k + 1))"
    return f"entry {prefix}_loop {given} =\n  {text}\n"


def changing_functions(write, prefix, _number):
    """Recursive functions, branches and helpers whose results have other sizes than their arguments."""
    of, rank = write.one_of("i64", "f64", "u8", "bool"), write.one_of(1, 2, 2, 3)
    change = lambda: write.random.choice(CHANGES[rank]).replace("X", write.literal(of)).replace("V", "v")
    binders = "".join(f"[{size}]" for size in "abc"[:rank])
    results = "".join(f"[{size}]" for size in "def"[:rank])
    helper = f"def {prefix}_h {binders} (k: i64) (v: {binders}{of}): ?{results}.{results}{of} =\n  "
    start, form = start_of(write, of, rank), write.one_of("recursive", "branch", "match", "twice", "loop", "rows")
    write.features.add(f"change.{form}")
    if form == "recursive":
        helper += f"if k <= 0 then v else {prefix}_h (k - 1) ({change()})\n"
    elif form == "branch":
        helper += f"if k > 1 then {change()} else if k == 1 then {change()} else v\n"
    elif form == "match":
        helper += f"match k case 0 -> v case 1 -> {change()} case _ -> {change()}\n"
    else:
        helper += f"if k % 2 == 0 then {change()} else {change()}\n"
    call = f"{prefix}_h k ({start})"
    if form == "twice":
        call = f"{prefix}_h (k + 1) ({call})"
    elif form == "loop":
        call = f"loop w = {start} for i < k do {prefix}_h i w"
    elif form == "rows":
        call = f"map (\\i -> length (flatten [{prefix}_h i ({start})])) (iota (k + 1))"
    used = write.one_of("R", "R", "let r = R in (length r, r)", "let r = R in (r[::-1], r)", "let r = R in r ++ r")
    given = parameter(write, helper, rank, of)
    return f"{helper}entry {prefix}_change {given} =\n  {used.replace('R', '(' + call + ')')}\n"


# Literals and replicates of every small shape.


def small_shapes(write, prefix, number):
    """A literal or a replicate of an enumerated shape, in one of several places."""
    shape = SHAPES[number % len(SHAPES)]
    of = write.one_of("i64", "f64", "i32", "bool", "u8", "f32")
    rank = len(shape)
    if min(shape) > 0 and write.chance(60):
        text = literal(write, of, shape)
    else:
        text = built(write, of, shape, write.chance(60))
    param = f"(a: {'[]' * rank}{of})"
    of_type = "".join(f"[{extent}]" for extent in shape) + of
    same = f"(a: {of_type})"
    place = write.one_of(
        (f"(c: bool): {of_type}", text),
        ("(c: bool)", text),
        (f"(c: bool) {param}", f"if c then {text} else a"),
        (f"(c: bool) {same}", f"(a ++ {text}, {text} ++ {text})"),
        (f"(c: bool) {same}", f"loop v = {text} for i < 3i64 do if c then v else a"),
        (f"(c: bool) {same}", f"loop v = a for i < 2i64 do if c then v else {text}"),
        ("(c: bool) (k: i64)", f"loop v = {text} for i < k do v[::-1]"),
        ("(c: bool)", f"map id {text}"),
        ("(c: bool)", f"({'flatten (' * (rank - 1)}{text}{')' * (rank - 1)}, length {text})"),
        ("(c: bool) (k: i64)", f"tabulate k (\\i -> if i == 0 then {text} else {text})"),
        ("(c: bool) (k: i64)", f"map (\\i -> let w = {text} in (length w, w)) (iota k)"),
        ("(c: bool) (k: i64)", f"(replicate k {text})[k / 2:]"),
        (f"(c: bool) {same}", f"fold (\\v i -> if i == 1 then {text} else v) a (iota 3)"),
        (f"(c: bool) {same}", f"reduce (\\v w -> if c then v else w) {text} [a, {text}]"),
        (f"(c: bool) {same}", f"scan (\\v w -> w) {text} [a, {text}]"),
        ("(c: bool)", f"let f [n] (v: [n]{of_type[of_type.index(']') + 1:]}) = (n, v) in f {text}"),
        (f"(c: bool) {same}", f"let r = {{v = {text}, c}} in (if r.c then r with v = a else r).v"),
        (f"(c: bool) {same}", f"if c then ({text}, a) else (a, {text})"),
        ("(c: bool)", f"transpose {text}" if rank > 1 else f"reverse {text}"),
    )
    return f"entry {prefix}_small {place[0]} =\n  {place[1]}\n"


# Arrays that the steps of a pass make.


def rows_in_steps(write, prefix, _number):
    """A row or an element, at a computed position, of an array of arrays that a step makes."""
    of = write.one_of("i64", "f64", "i32")
    name, count, width = write.name("w"), write.one_of("1", "2", "3", "k"), write.one_of("1", "2", "3", "k")
    number = (lambda text: text) if of == "i64" else (lambda text: f"({of}.i64 ({text}))")
    made = write.one_of(
        f"tabulate {count} (\\i -> replicate {width} ({number('i + 5')}))",
        f"tabulate {count} (\\i -> tabulate {width} (\\j -> {number('i * 10 + j + s')}))",
        f"map (\\i -> map (\\j -> {number('i - j')}) (iota {width})) (iota {count})",
        f"replicate {count} (replicate {width} ({number('s')}))",
        f"[[{number('s')}, {number('2')}], [{number('3')}, {number('s * s')}]]",
        f"loop v = tabulate {count} (\\i -> replicate {width} ({number('i')})) for t < 2i64 do map reverse v",
        f"loop v = tabulate {count} (\\i -> replicate {width} ({number('i')})) for t < s do v[::-1]",
        f"scan (map2 (+)) (replicate {width} {number('0')}) (tabulate {count} (\\i -> replicate {width} ({number('i + s')})))",
        f"transpose (tabulate {count} (\\i -> tabulate {width} (\\j -> {number('i * 10 + j')})))",
        f"map (map (+ {number('1')})) (tabulate {count} (\\i -> replicate {width} ({number('i + s')})))",
    )
    at = write.one_of("s", "(s + 1)", "(s * s)", "x", "(k - s)")
    place = f"({at} % length {name})"
    used = write.one_of(
        f"{name}[{place}]",
        f"map (+ {number('1')}) {name}[{place}]",
        f"(reduce (+) {number('0')} {name}[{place}], {at})",
        f"let r = {name}[{place}] in (length r, r)",
        f"reverse {name}[{place}]",
        f"{name} with [{place}] = {name}[0]",
        f"({name}[{place}], {name}[0])",
        f"{name}[{place}] ++ {name}[0]",
        f"({name}[::-1])[{place}]",
    )
    step = f"let {name} = {made} in {used}"
    total = f"let s = i in let x = s in let {name} = {made} in reduce (+) {number('0')} {name}[{place}]"
    whole = write.one_of(
        f"map (\\s -> let x = s in {step}) (iota (k + 1))",
        f"map (\\x -> let s = x % 3 in {step}) xs",
        f"map2 (\\x s -> {step}) xs (indices xs)",
        f"reduce (+) {number('0')} (map (\\i -> {total}) (iota k))",
        f"fold (\\acc i -> acc + ({total})) {number('1')} (iota k)",
        f"scan (+) {number('0')} (map (\\i -> {total}) (iota k))",
        f"filter (> {number('1')}) (map (\\i -> {total}) (iota k))",
        f"loop acc = {number('0')} for i < k do acc + ({total})",
        f"loop acc = [] for i < k do acc ++ [{total}]",
        f"tabulate_2d 2 k (\\_ i -> {total})",
        f"flatmap (\\i -> let s = i in let x = s in {step.replace('in ' + used, 'in ' + name + '[' + place + ']')}) (iota k)",
    )
    return f"entry {prefix}_rows (k: i64) (xs: []i64) =\n  if k < 1 then [] else {whole}\n".replace(
        "if k < 1 then [] else ", "let k = i64.max 1 k in "
    )


def named_sizes(write, prefix, _number):
    """`let [k] v = filter …`, whose size then makes other arrays."""
    of = write.one_of("i64", "f64", "i32")
    number = (lambda text: text) if of == "i64" else (lambda text: f"({of}.i64 ({text}))")
    scope = Scope([("xs", array_of("n", of)), ("c", of)])
    made = write.one_of(
        "filter (> c) xs",
        "filter (\\x -> x != c) xs",
        write.growing(of)[0](of, scope, 2),
        "flatmap (\\x -> replicate (if x > c then 2 else 0) x) xs",
        write.any_array(of, scope, 3),
    )
    used = write.one_of(
        f"transpose (generate 4 (\\j -> tabulate k (\\i -> {number('i * j')})))",
        f"generate 3 (\\j -> map (+ {number('j')}) v)",
        "map (\\x -> replicate k x) v",
        "loop w = v for i < 3i64 do map2 (+) w v",
        "loop w = generate 2 (\\_ -> v) for i < 3i64 do map (map2 (+) v) w",
        f"loop w = replicate 2 (replicate k (0{of})) for i < k do w with [i % 2] = v",
        f"scan (map2 (+)) (replicate k (0{of})) [v, v, v]",
        f"reduce (map2 (+)) (replicate k (0{of})) [v, v]",
        "(zip v (iota k), k, tabulate k (\\i -> v[k - 1 - i]))",
        "map (\\i -> v[i]) (iota k)",
        "let u = tabulate k (\\i -> [v[i], v[k - 1 - i]]) in (transpose u, u)",
        "flatten (tabulate k (\\i -> v))",
        "(map (\\r -> r ++ v) [v, v], v)",
        f"tabulate (k + 1) (\\i -> if i == k then {number('k')} else v[i])",
        "fold (\\w x -> map (+ x) w) v v",
        f"map (\\x -> let z = tabulate k (\\i -> v[i] + x) in reduce (+) (0{of}) z) v",
    )
    return f"entry {prefix}_named [n] (xs: [n]{of}) (c: {of}) =\n  let [k] v: [k]{of} = {made}\n  in {used}\n"


# Floats that are nan or zeros of both signs.


def floats(write, prefix, _number):
    """Each function of the library on floats, among them nan, infinities and zeros of both signs."""
    of = write.one_of("f64", "f32")
    le = write.one_of("(<=)", "(>=)")
    x = write.one_of("x", f"{of}.nan", "(-x)", f"0{of}", f"(-0.0{of})")
    op, neutral = write.one_of((f"{of}.min", f"{of}.inf"), (f"{of}.max", f"(-{of}.inf)"), ("(+)", f"0{of}"), ("(*)", f"1{of}"))
    ys = write.one_of("xs", "xs", "map (\\y -> y * y) xs", "map (\\y -> y / x) xs", "map (\\y -> -y) xs")
    text = write.one_of(
        f"sort {le} ({ys})",
        f"let v = sort (<=) ({ys}) in (v, binary_search (<=) v {x})",
        f"let v = sort (>=) ({ys}) in (v, binary_search (>=) v {x})",
        f"let v = {ys} in if null v then (0, 0) else (argmin {le} v, argmax {le} v)",
        f"({of}.minimum ({ys}), {of}.maximum ({ys}))",
        f"(minimum ({ys}), maximum ({ys}))",
        f"reduce {op} {neutral} ({ys})",
        f"(scan {op} {neutral} ({ys}), exscan {op} {neutral} ({ys}))",
        f"unique (==) ({ys})",
        f"run_lengths (==) ({ys})",
        f"order_of {le} ({ys})",
        f"sort_by_key (\\y -> y * {x}) {le} ({ys})",
        f"map (\\y -> ({of}.isnan y, {of}.isinf y, y == {x}, y < {x}, y <= {x}, y != {x})) ({ys})",
        f"map (\\y -> ({of}.copysign 1 y, {of}.abs y, {of}.sgn y)) ({ys})",
        f"map (\\y -> ({of}.min y {x}, {of}.max {x} y)) ({ys})",
        f"map (\\y -> (i64.{of} y, i32.{of} y, u8.{of} y, i8.{of} y)) ({ys})",
        f"map (\\y -> ({of}.floor y, {of}.ceil y, {of}.round y, {of}.trunc y)) ({ys})",
        f"(count (\\y -> y == y) ({ys}), any (> {x}) ({ys}), all (<= {x}) ({ys}))",
        f"filter (\\y -> !(y < {x})) ({ys})",
        f"(match find_first (\\y -> y >= {x}) ({ys}) case #some i -> i case #none -> -1)",
        f"hist {op} {neutral} 2 (map (\\y -> i64.bool (y > 0)) ({ys})) ({ys})",
        f"fold (\\m y -> if y > m then y else m) {x} ({ys})",
        f"map (\\y -> y % 2) ({ys})",
        f"map (\\y -> {of}.copysign 1 ({of}.min y (-0.0))) ({ys})",
        f"map (\\y -> {of}.copysign 1 ({of}.max y 0)) ({ys})",
        f"map (\\y -> {of}.copysign 1 (y + {x})) ({ys})",
        f"map (\\y -> {of}.copysign 1 (y * 0)) ({ys})",
        f"map (\\y -> {of}.copysign 1 (0 - y)) ({ys})",
        f"(take (i64.min 2 (length xs)) (sort {le} ({ys})), if null xs then x else (sort {le} ({ys}))[length xs / 2])",
    )
    return f"entry {prefix}_floats (xs: []{of}) (x: {of}) =\n  {text}\n"


# Slices.


def slices(write, prefix, _number):
    """Slices of one to three dimensions with steps of both signs; read, changed and carried."""
    of, rank = write.one_of("i64", "f64", "u8"), write.one_of(1, 2, 2, 3)
    bounds = lambda: write.one_of("", "", "0", "1", "i", "j", "-1")
    part = lambda: write.one_of(
        ":", "::-1", "::2", "::-2", f"{bounds()}:{bounds()}", f"{bounds()}:{bounds()}:{write.one_of('1', '2', '-1')}", "i:j", "i", "1:", ":j"
    )
    parts = ", ".join(part() for _ in range(write.random.randrange(1, rank + 1)))
    text = f"a[{parts}]"
    used = write.one_of(
        text,
        f"({text}, a)",
        f"let b = a[::-1] in b[{parts}]",
        f"let b = copy a in b with [{parts}] = {text}",
        f"a with [{parts}] = a[{parts}]",
        f"map (\\k -> a[{parts}]) (iota i)",
        f"map (\\k -> let i = k in a[{parts.replace('j', '(k + 1)')}]) (iota 2)" if parts in ("i:j", "i") else text,
        "loop b = a for _k < 2i64 do b[::-1]",
        f"loop b = a for k < 2i64 do b with [{parts}] = b[{parts}]",
    )
    return f"entry {prefix}_slices (a: {'[]' * rank}{of}) (i: i64) (j: i64) =\n  {used}\n"


# With-loops.


def with_loops(write, prefix, _number):
    """With-loops over boxes and grids of one and two dimensions: made, changed in place and folded."""
    of, rank = write.one_of("i64", "f64", "i32"), write.one_of(1, 2)
    element = lambda: write.scalar(of, Scope([("i", "i64"), ("x", of)] + [("j", "i64")] * (rank - 1)), 2)
    index, here, sizes = ("[i]", "a[i]", "[n]") if rank == 1 else ("[i, j]", "a[i, j]", "[n, m]")
    whole = lambda: f"let x = {here} in {element()}"
    around = write.one_of("a[iv] + a[iv - 1]", "a[iv + 1] - a[iv]", "a[iv - 1] + a[iv + 1] * a[iv]")
    low, high = [", ".join([bound] * rank) for bound in (write.one_of("0", "1", "k"), write.one_of("k", "n - 1", "k + 1"))]
    cut = "k" if rank == 1 else write.one_of("k, 0", "k, m")
    second = "[k]" if rank == 1 else "[k, 0]"
    grid = write.one_of("", " step 2", " step 3 width 2", " step 2 width 2", " step k" )
    op, neutral = write.operator(of)
    op = op.strip("()") if op.startswith("(") else op
    text = write.one_of(
        f"with {{ (. <= {index} <= .) : {whole()} }} : genarray ({sizes})",
        "with { (. < iv < .) : AROUND } : modarray a".replace("AROUND", around),
        f"with {{ ([{low}] <= {index} < [{high}]{grid}) : {whole()} }} : modarray a",
        f"with {{ ([{low}] <= {index} < [{high}]{grid}) : {whole()} }} : genarray ({sizes}, {write.literal(of)})",
        f"with {{ ([{', '.join(['0'] * rank)}] <= {index} < {'[k]' if rank == 1 else '[k, m]'}) : {whole()};"
        f" ({second} <= {index} < {sizes}) : {whole()} }} : genarray ({sizes})",
        f"with {{ (. <= {index} <= .{grid}) : let x = {here} in ({element()}, {element()}) }} : "
        f"(genarray ({sizes}, {write.literal(of)}), fold ({op}, {neutral}))",
        f"with {{ ([{low}] <= {index} < [{high}]{grid}) : {whole()} }} : fold ({op}, {neutral})",
        f"with {{ (. <= iv <= .) : a[iv] }} : fold ({op}, {neutral})",
        f"with {{ ([0] <= [i] < [k]) : replicate 2 ({write.literal(of)}) }} : genarray ([n], replicate 2 ({write.literal(of)}))",
        f"loop b = a for t < k do with {{ ([{cut}] <= {index} < {sizes}) : {here.replace('a[', 'b[')} }} : modarray b",
    )
    parameters = "[n] (a: [n]T)" if rank == 1 else "[n] [m] (a: [n][m]T)"
    return f"entry {prefix}_with {parameters.replace('T', of)} (k: i64) =\n  {text}\n"


# Several entries, and recursion.


def several_entries(write, prefix, _number):
    """Entries that share definitions: each use has its own sizes."""
    of = write.one_of("i64", "f64")
    scope = Scope([("xs", array_of("n", of)), ("ys", array_of("n", of)), ("n", "i64")])
    helper = f"def {prefix}_h [n] (xs: [n]{of}) (ys: [n]{of}) = {write.array('n', of, scope, 3)}\n"
    other = Scope([("as", array_of("k", of)), ("bs", array_of("m", of)), ("k", "i64"), ("m", "i64")])
    first = f"{prefix}_h as {write.array('k', of, other, 2)}"
    second = f"let v = {write.any_array(of, other, 3)} in {prefix}_h v v"
    third = f"map (\\x -> reduce (+) (0{of}) ({prefix}_h bs (replicate m x))) as"
    head = f"[k] [m] (as: [k]{of}) (bs: [m]{of})"
    entries = [f"entry {prefix}_e{at} {head} =\n  {text}\n" for at, text in enumerate((first, second, third))]
    return helper + "".join(write.random.sample(entries, 2))


def tuples_and_sums(write, prefix, _number):
    """Records, tuples and `match` around arrays."""
    of = write.one_of("i64", "f64", "i32")
    scope = Scope([("xs", array_of("n", of)), ("x", of), ("c", "bool")])
    value, size = write.any_array(of, scope, 3), write.array("n", of, scope, 2)
    x = write.scalar(of, scope, 2)
    text = write.one_of(
        f"let r = {{a = {value}, b = {x}, c}} in (if r.c then r with b = {x} else r with a = r.a ++ [r.b]).a",
        f"let r = {{a = {size}, b = {x}}} in (loop r for i < 3i64 do {{a = map (+ r.b) r.a, b = r.b + {x}}}).a",
        f"let ps = zip xs {size} in (map (\\(p, q) -> if p == q then (q, p) else (p, q)) ps, unzip ps)",
        f"map (\\s -> match (if s > {x} then #some s else #none) : (#some {of} | #none) case #some v -> v case #none -> {x}) xs",
        f"match (length {value}, c) case (0, _) -> {value} case (1, true) -> {value} case (_, true) -> xs case _ -> xs ++ xs",
        f"let ps = map (\\y -> {{p = y, q = (y, {x})}}) {value} in (map (.q.1) ps, map (\\r -> r.p) ps[::-1])",
        f"let (a, b) = if c then ({value}, {x}) else (xs, {x}) in (a, b)",
        f"let (a, b) = partition (> {x}) {value} in (b ++ a, length a)",
        f"let ps = map (\\y -> (y, replicate 2 y)) {value} in (unzip ps).1",
        f"(loop (a, b) = (xs, {x}) while length a > 1 do (a[1:], b + a[0])).1",
        f"let ps = map2 (\\y z -> {{y, z = [z, y]}}) xs {size} in if null ps then [] else (ps with [0].z = [{x}, {x}])[0].z",
        f"let t = (xs, ({value}, c)) in (t.1.0, t with 0 = t.0[::-1])",
    )
    return f"entry {prefix}_parts [n] (xs: [n]{of}) (x: {of}) (c: bool) =\n  {text}\n"


FAMILIES = [
    general,
    general,
    changing_loops,
    changing_functions,
    size_arguments,
    small_shapes,
    general,
    general,
    rows_in_steps,
    named_sizes,
    floats,
    slices,
    with_loops,
    several_entries,
    computed_sizes,
    tuples_and_sums,
]
