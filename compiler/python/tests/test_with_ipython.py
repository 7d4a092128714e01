"""The cell magic `%%arr`, in a shell of IPython."""

import io
import contextlib
import unittest

from IPython.core.interactiveshell import InteractiveShell


class Shell(unittest.TestCase):
    def setUp(self):
        self.shell = InteractiveShell.instance()
        self.shell.run_line_magic("load_ext", "arrc")

    def test_a_cell_is_a_program(self):
        found = self.shell.run_cell("%%arr opt_level=1\nentry triple (x: i64): i64 = 3 * x\n")
        self.assertTrue(found.success)
        self.assertEqual(self.shell.run_cell("triple(14)").result, 42)

    def test_a_wrong_cell_shows_the_diagnostics_only(self):
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown):
            found = self.shell.run_cell("%%arr\nentry f (x: i64): i64 = y\n")
        self.assertFalse(found.success)
        self.assertIn("error[A0201]", shown.getvalue())
        self.assertIn("<cell>:1:25", shown.getvalue())
        self.assertNotIn("_module.py", shown.getvalue())

    def test_wrong_options(self):
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            self.shell.run_cell("%%arr quick\nentry f (x: i64): i64 = x\n")
        self.assertIn("'quick' is none", shown.getvalue())


if __name__ == "__main__":
    unittest.main()
