"""Type hints of entries, from the description of their types."""

import json

from ._arguments import python_name

_DTYPES = {
    "bool": "bool_",
    **{f"i{n}": f"int{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"uint{n}" for n in (8, 16, 32, 64)},
    "f32": "float32",
    "f64": "float64",
}


def shapes(description):
    """What each entry takes and gives."""
    return json.loads(description)


def hint(shape, is_result):
    """A type hint as text."""
    if "elem" in shape:
        if shape["rank"]:
            return f"numpy.typing.NDArray[numpy.{_DTYPES[shape['elem']]}]"
        return {"b": "bool", "f": "float"}.get(shape["elem"][0], "int")
    if "tuple" in shape:
        parts = ", ".join(hint(part, is_result) for part in shape["tuple"])
        return f"tuple[{parts or '()'}]"
    if "sum" in shape and shape["rank"] == 0:
        cases = [", ".join([f'typing.Literal["{name}"]', *(hint(part, is_result) for part in parts)]) for name, parts in shape["sum"]]
        return " | ".join(f"tuple[{case}]" for case in cases)
    return "typing.Any"


def stub(module):
    """The text of a `.pyi` file."""
    lines = ["import typing", "", "import numpy", "import numpy.typing", ""]
    for function, shape in zip(module, module._shapes):
        hints = [hint(param["shape"], False) for param in shape["params"]]
        params = ", ".join(f"{name}: {of}" for name, of in zip(function.param_names, hints))
        doc = function.__doc__.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        result = hint(shape["result"], True)
        lines += [f"def {python_name(function.name)}({params}) -> {result}:", f'    """{doc}"""', ""]
    return "\n".join(lines)
