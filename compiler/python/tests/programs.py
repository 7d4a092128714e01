"""Programs that several tests call."""

import functools
import pathlib

import arrc

FOLDER = pathlib.Path(__file__).parent
SOURCE = (FOLDER / "programs.arr").read_text(encoding="utf-8")
SCALARS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"]


@functools.cache
def module():
    return arrc.compile(source=SOURCE, name="programs.arr")


@functools.cache
def scalars():
    """`s_T` gives a scalar of each type, `a_T` an array."""
    return arrc.compile(FOLDER / "scalars.arr")
