"""Futhark's client for Python drives a server that arrc has made. The argument is the server."""

import sys

import numpy
from futhark_server import Failure, Server

with Server(sys.argv[1], "--num-threads=2") as server:
    assert server.cmd_entry_points() == ["norms", "doubled", "area", "pick", "middle"]
    assert "[]{x: f64, y: f64}" in server.cmd_types()
    assert server.cmd_inputs("pick") == ["[]i64", "i64"]
    assert server.cmd_output("doubled") == ["([]f64, f64)"]

    xs = numpy.arange(10.0)
    server.put_value("xs", xs)
    server.cmd_call("doubled", "both", "xs")
    twice, total = server.get_value("both")
    assert numpy.array_equal(twice, 2 * xs) and total == 45
    server.cmd_project("total", "both", "1")
    assert server.get_value("total") == 45
    server.cmd_call("doubled", "twice", "sum", "xs")
    assert numpy.array_equal(server.get_value("twice"), 2 * xs)

    for dtype in ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "?"]:
        matrix = numpy.array([[0, 1], [1, 0], [1, 1]], dtype)
        server.put_value("m", matrix)
        back = server.get_value("m")
        assert back.dtype == matrix.dtype and numpy.array_equal(back, matrix), dtype
        server.cmd_free("m")

    server.put_value("is", numpy.array([5, 6, 7]))
    server.put_value("i", numpy.int64(2))
    server.cmd_unpause_profiling()
    server.cmd_call("pick", "seven", "is", "i")
    assert server.get_value("seven") == 7
    assert '"name":"pick"' in server.cmd_report()[0]
    server.put_value("far", numpy.int64(3))
    try:
        server.cmd_call("pick", "none", "is", "far")
        raise AssertionError("an index outside of the array is an error")
    except Failure as failure:
        assert "index 3 is out of bounds for an array of length 3" in str(failure)
    server.cmd_rename("seven", "7")
    server.cmd_clear()
    try:
        server.get_value("7")
        raise AssertionError("no variable is left")
    except Failure as failure:
        assert "Unknown variable: 7" in str(failure)
