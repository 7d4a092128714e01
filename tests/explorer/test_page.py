"""The page of `arrc explain --html` in a browser: what it shows, clicks, keys, zoom, light and dark.

The folder PAGES has the pages, as arrc made them. Each test looks at all of them, or at those that have what it is about.
"""

import itertools
import json
import os
import re
import tempfile
import unittest
from pathlib import Path

from browser import Browser, Keys, data_of

PAGES = sorted(Path(os.environ["PAGES"]).glob("*.html"))

# The contrast of all texts that are visible, after the web's accessibility guidelines (WCAG 2.2, 1.4.3). Colours of any
# notation become bytes on a canvas.
CONTRASTS = """
const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const bytes = (color) => {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  return [...canvas.getImageData(0, 0, 1, 1).data];
};
const light = (color) => {
  const [r, g, b] = color.map((byte) => byte / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let one = element; one; one = one.parentElement) {
    const color = bytes(getComputedStyle(one).backgroundColor);
    if (color[3] === 255) return color;
    if (color[3] !== 0) return null;
  }
  return bytes(getComputedStyle(document.body).backgroundColor);
};
const found = new Map();
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let text = texts.nextNode(); text; text = texts.nextNode()) {
  const element = text.parentElement;
  if (!text.data.trim() || !element.checkVisibility() || element.closest("script, noscript, .sr")) continue;
  const [front, back] = [bytes(getComputedStyle(element).color), behind(element)];
  const pair = back === null ? [0, 0] : [light(front.slice(0, 3)), light(back.slice(0, 3))];
  const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  const key = `${front} on ${back}`;
  if (!found.has(key)) found.set(key, [contrast, `${element.tagName} ${element.className}: ${text.data.trim().slice(0, 30)}`]);
}
return [...found.values()];
"""

# The lines of a file as the page shows them.
LINES = """
const tables = [...document.querySelectorAll("table.source")].filter((one) => one.dataset.file === arguments[0]);
return tables.flatMap((one) => [...one.querySelectorAll("code[data-line]")].map((line) => line.textContent));
"""

# Of each array its name, its bytes, its life in words, and the width of its bar.
ROWS = """
return [...document.querySelectorAll(".lives tbody tr")].map((row) => [
  ...["code", ".bytes", ".life .words"].map((part) => row.querySelector(part).textContent),
  row.querySelector(".bar")?.getBoundingClientRect().width ?? 0,
]);
"""

# Elements that a keyboard reaches and that have no name for a screen reader.
NAMELESS = """
return [...document.querySelectorAll("button, select, input, summary, a, [tabindex], [role=region]")]
  .filter((one) => one.checkVisibility())
  .filter((one) => !(one.getAttribute("aria-label") ?? "").trim() && !one.textContent.trim() && !one.labels?.[0]?.textContent.trim())
  .map((one) => one.outerHTML.slice(0, 80));
"""


def inner(item):
    return item.get("items", []) + item.get("then", []) + item.get("else", [])


def preorder(items):
    """All items, outer ones first."""
    for item in items:
        yield item
        yield from preorder(inner(item))


def passes(function):
    return [item for item in preorder(function["items"]) if item["item"] == "pass" and item["pass"] is not None]


def call(item):
    """The call of the library that all of an item comes from: its name and its place. None if there is no such call."""
    own = item["nodes"] if item["item"] == "pass" else [] if item["item"] == "if" else [item]
    calls = [(one["library"], one["file"], one["start"]["byte"]) if one["library"] else None for one in own]
    calls += [call(one) for one in inner(item)]
    return calls[0] if calls and all(one == calls[0] for one in calls) else None


def folded_groups(items):
    """How many groups of neighbours come from one call of the library, also inside other items and groups. One pass, with its
    fills, is no group."""
    count = 0
    for found, group in itertools.groupby(items, call):
        group = list(group)
        numbered = [one for one in preorder(group) if one["item"] == "pass" and one["pass"] is not None]
        count += found is not None and (len(numbered) > 1 or any(one["item"] != "pass" for one in group))
        for item in group:
            for inside in (item.get("items"), item.get("then"), item.get("else")):
                count += folded_groups(inside or [])
    return count


def characters(sources, place):
    """The text of a place, with the indentation of its later lines left out, as it is marked."""
    text = sources[place["file"]].encode()[place["start"]["byte"] : place["end"]["byte"]].decode()
    return "".join(line if at == 0 else line.lstrip() for at, line in enumerate(text.splitlines()))


class Explorer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        self.where = ""

    def _formatMessage(self, msg, standardMsg):
        """Each message says on which page, and for which function, a test fails."""
        return f"{self.where}: {super()._formatMessage(msg, standardMsg)}"

    def tearDown(self):
        self.assertEqual(self.browser.problems(), [])

    def pages(self):
        """Each page, opened, with its data."""
        for page in PAGES:
            self.where = page.name
            self.browser.open(page)
            yield page, data_of(page)

    def shown(self, data):
        """Each function under each strategy, chosen in turn. Long programs are shown under the first and the last one."""
        many = len(data["strategies"][0]["functions"]) > 6
        for strategy in data["strategies"][:: 4 if many else 1]:
            self.browser.choose(strategy=strategy["strategy"])
            for function in strategy["functions"]:
                self.browser.choose(function=function["function"])
                self.where = f"{data['file']}, {strategy['strategy']}, {function['function']}"
                yield strategy["strategy"], function

    def test_there_are_pages(self):
        self.assertGreaterEqual(len(PAGES), 3)

    def test_the_page_has_the_name_and_the_text_of_the_program(self):
        for _, data in self.pages():
            self.assertEqual(self.browser.driver.title, data["file"])
            self.assertEqual(self.browser.one("h1 code").text, data["file"])
            for source in data["sources"]:
                lines = self.browser.run(LINES, source["file"])
                self.assertEqual(lines, source["text"].rstrip("\n").split("\n"))
            self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').length"), 0)

    def test_every_pass_is_shown_with_its_vectors_and_threads(self):
        for _, data in self.pages():
            for strategy, function in self.shown(data):
                found = passes(function)
                numbers = self.browser.texts("#items .pass > .head > .chip:not(.fill)")
                self.assertEqual(sorted(map(int, numbers)), list(range(1, function["passes"] + 1)))
                self.assertIn(f"with {strategy}", self.browser.one("#status").text)
                if function["passes"]:
                    self.assertIn(f"{function['passes']} pass", self.browser.one("#status").text)
                for step in (item for item in preorder(function["items"]) if item["item"] == "step"):
                    heads = self.browser.texts("#items .step > .head")
                    self.assertTrue(any(re.fullmatch(rf"{step['what'].split('-')[0]}[a-z, C]+ {re.escape(step['name'])}", head) for head in heads), step)
                vectors = [item["vectors"]["state"] for item in preorder(function["items"]) if item.get("vectors")]
                states = "#items .pass > .tags > .{0}"
                for state in ("vectors", "llvm", "scalar", "none"):
                    self.assertEqual(len(self.browser.all(states.format(state))), vectors.count(state))
                threads = [item["threads"]["shared"] for item in preorder(function["items"]) if item.get("threads")]
                self.assertEqual(len(self.browser.all(states.format("shared"))), threads.count(True))
                self.assertEqual(len(self.browser.all(states.format("alone"))), threads.count(False))
                files = {source["file"] for source in data["sources"]}
                in_source = {item["pass"] for item in found if any(node["file"] in files for node in item["nodes"])}
                gutter = set(map(int, self.browser.texts("button.chip")))
                self.assertEqual(gutter, in_source)

    def test_loops_are_frames_with_trip_counts(self):
        seen = 0
        for _, data in self.pages():
            for _, function in self.shown(data):
                loops = [item for item in preorder(function["items"]) if item["item"] == "loop"]
                names = self.browser.texts("#items .loop > .head b")
                for loop in loops:
                    trips = loop["steps"]
                    self.assertTrue(any(name.startswith(f"{trips} turn") if trips else "turns" in name for name in names), trips)
                self.assertEqual(len(names), len(loops))
                seen += len(loops)
                files = {source["file"] for source in data["sources"]}
                places = {(loop["start"]["byte"], loop["end"]["byte"]) for loop in loops if loop["file"] in files}
                self.assertEqual(len(self.browser.all(".source .trips")), len(places))
        self.assertGreater(seen, 0)

    def test_arrays_are_bars_with_their_bytes(self):
        seen = set()
        for _, data in self.pages():
            for _, function in self.shown(data):
                folded = self.browser.all("#lives details")
                self.assertEqual(bool(folded), any(array["library"] for array in function["arrays"]))
                for details in folded:
                    self.assertIsNone(details.get_attribute("open"))
                    details.find_element("css selector", "summary").click()
                rows = self.browser.run(ROWS)
                self.assertEqual(sorted(row[0] for row in rows), sorted(array["name"] for array in function["arrays"]))
                for array in function["arrays"]:
                    row = next(row for row in rows if row[0] == array["name"] and row[1] == bytes_of(array))
                    self.assertTrue(row[2])
                    if array["born"] is not None:
                        self.assertGreaterEqual(row[3], 4)
                    seen.add(array["memory"])
        self.assertIn("registers", seen)
        self.assertIn("allocated", seen)

    def test_a_click_on_a_cut_shows_its_reason_and_its_places(self):
        seen = 0
        for _, data in self.pages():
            sources = {source["file"]: source["text"] for source in data["sources"]}
            for _, function in self.shown(data):
                heads = self.browser.all(".cut > .head")
                self.assertEqual(bool(heads), bool(function["cuts"]))
                shown = []
                for place in range(len(heads)):
                    head = f"#cut-{place} > .head"
                    self.open_around(head)
                    self.assertFalse(self.browser.one(f"#cut-{place}-body").is_displayed())
                    self.browser.click(head)
                    self.assertTrue(self.browser.one(f"#cut-{place}-body").is_displayed())
                    shown += self.browser.texts(f"#cut-{place}-body .reason > p")
                    marked = "".join(self.browser.texts("mark"))
                    for cut in function["cuts"]:
                        if cut["text"].replace("`", "") in "".join(self.browser.texts(f"#cut-{place}-body .reason > p")):
                            for end in cut["places"]:
                                if end["file"] in sources:
                                    self.assertTrue(set(characters(sources, end)) <= set(marked), end)
                                    seen += 1
                for cut in function["cuts"]:
                    self.assertTrue(any(cut["text"].replace("`", "") in text for text in shown), cut["text"])
        self.assertGreater(seen, 0)

    def open_around(self, selector):
        """Unfolds the library calls around an element."""
        self.browser.run(
            "for (let one = document.querySelector(arguments[0]).closest('details'); one; one = one.parentElement.closest('details'))"
            " one.open = true",
            selector,
        )

    def test_a_click_in_the_gutter_opens_the_pass_and_marks_its_text(self):
        for _, data in self.pages():
            sources = {source["file"]: source["text"] for source in data["sources"]}
            function = data["strategies"][-1]["functions"][0]
            self.browser.choose(strategy=data["strategies"][-1]["strategy"], function=function["function"])
            chip = self.browser.all("button.chip")[0]
            number = int(chip.text)
            chip.click()
            self.assertEqual(self.browser.focused("data-stop"), "plan")
            self.assertEqual(self.browser.focused("aria-expanded"), "true")
            self.assertEqual(chip.get_attribute("aria-current"), "true")
            item = next(item for item in passes(function) if item["pass"] == number)
            node = next(node for node in item["nodes"] if node["file"] in sources)
            self.assertIn(characters(sources, node)[:10], "".join(self.browser.texts("mark")))
            self.browser.press(Keys.ESCAPE)
            self.assertEqual(self.browser.all("mark"), [])
            self.assertEqual(self.browser.focused("aria-expanded"), "false")

    def test_the_keyboard_reaches_everything(self):
        for _, data in self.pages():
            self.browser.run("document.getElementById('plan').focus()")
            self.browser.press(Keys.TAB)
            visible = self.browser.run("return [...document.querySelectorAll('[data-stop=plan]')].filter((one) => one.checkVisibility()).length")
            reached = [self.browser.driver.switch_to.active_element]
            for _ in range(visible - 1):
                self.browser.press(Keys.ARROW_DOWN)
                reached.append(self.browser.driver.switch_to.active_element)
            self.assertEqual(len({one.id for one in reached}), visible)
            self.browser.press(Keys.ARROW_DOWN)
            self.assertEqual(self.browser.driver.switch_to.active_element, reached[-1])
            self.browser.press(Keys.HOME)
            self.assertEqual(self.browser.driver.switch_to.active_element, reached[0])
            first = next(one for one in reached if one.get_attribute("aria-expanded"))
            while self.browser.driver.switch_to.active_element != first:
                self.browser.press(Keys.ARROW_DOWN)
            self.browser.press(Keys.ENTER)
            self.assertEqual(first.get_attribute("aria-expanded"), "true")
            body = self.browser.one(f"#{first.get_attribute('aria-controls')}")
            self.assertTrue(body.is_displayed())
            self.browser.press(Keys.ESCAPE)
            self.assertFalse(body.is_displayed())
            self.assertEqual(self.browser.driver.switch_to.active_element, first)
            # One stop of Tab for the passes, so the next Tab leaves them.
            self.browser.press(Keys.TAB)
            self.assertNotEqual(self.browser.focused("data-stop"), "plan")

    def test_arrows_switch_between_strategies(self):
        for _, data in self.pages():
            names = [strategy["strategy"] for strategy in data["strategies"]]
            self.browser.run("document.querySelector('input[name=strategy]:checked').focus()")
            for _ in names:
                self.browser.press(Keys.ARROW_RIGHT)
                shown = self.browser.focused("value")
                self.assertIn(f"with {shown}", self.browser.one("#status").text)
                self.assertIn(shown, self.browser.one("tr.chosen").text)
            self.assertEqual(shown, data["strategy"])

    def test_calls_of_the_library_are_folded(self):
        seen = 0
        for _, data in self.pages():
            for _, function in self.shown(data):
                libraries = {node["library"] for item in passes(function) for node in item["nodes"]} - {None}
                shown = " ".join(self.browser.texts("#items .pass > .head, #items summary"))
                for library in libraries:
                    self.assertIn(library, shown)
                    seen += 1
                groups = self.browser.all("#items .library > details")
                self.assertEqual(len(groups), folded_groups(function["items"]))
                for folded in groups + self.browser.all("#items .body details"):
                    self.assertIsNone(folded.get_attribute("open"))
                own = self.browser.texts("#items .pass > .head .node")
                inside = {node["name"] for item in passes(function) for node in item["nodes"] if node["library"]}
                self.assertFalse(inside & {text.split(" ", 1)[-1] for text in own} - libraries)
        self.assertGreater(seen, 0)

    def test_hints_are_differences_of_the_text(self):
        for page in PAGES:
            with self.subTest(page=page.name), tempfile.TemporaryDirectory() as folder:
                changed = Path(folder) / page.name
                changed.write_text(with_hints(page), encoding="utf-8")
                data = data_of(changed)
                self.browser.open(changed)
                sources = {source["file"]: source["text"] for source in data["sources"]}
                for _, function in self.shown(data):
                    titles = self.browser.texts(".hint h3")
                    self.assertEqual(len(titles), len(function["hints"]))
                    for title, hint in zip(titles, function["hints"]):
                        self.assertIn(hint["message"].replace("`", ""), title)
                        self.assertIn(hint["code"], title)
                    removed, added = (self.browser.texts(f"#changes {tag}") for tag in ("del", "ins"))
                    edits = [help["edits"] for hint in function["hints"] for help in hint["helps"]]
                    expected = [difference(sources, part) for part in edits]
                    self.assertEqual(removed, [line for before, _ in expected for line in before])
                    self.assertEqual(added, [line for _, after in expected for line in after])
                    self.assertGreater(len(added), 0)

    def test_the_page_is_read_at_400_percent(self):
        for page in PAGES:
            for width in (320, 640, 1280):
                with self.subTest(page=page.name, width=width):
                    self.browser.open(page, width=width, height=256)
                    for head in self.browser.all("#items .head")[:12]:
                        self.browser.run("arguments[0].click()", head)
                        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), width)
                    if width == 320:
                        self.assertLessEqual(*self.browser.run("const one = document.getElementById('files'); return [one.scrollWidth, one.clientWidth]"))

    def test_light_and_dark_have_contrast(self):
        for page in PAGES:
            backgrounds = {}
            for scheme in ("light", "dark"):
                with self.subTest(page=page.name, scheme=scheme):
                    self.browser.open(page, scheme=scheme)
                    self.see_contrast()
                    backgrounds[scheme] = self.browser.run("return getComputedStyle(document.body).backgroundColor")
                    self.browser.click("#theme")
                    self.see_contrast()
                    backgrounds[f"not {scheme}"] = self.browser.run("return getComputedStyle(document.body).backgroundColor")
            self.assertEqual(backgrounds["light"], backgrounds["not dark"])
            self.assertEqual(backgrounds["dark"], backgrounds["not light"])
            self.assertNotEqual(backgrounds["light"], backgrounds["dark"])

    def see_contrast(self):
        """Opens a cut, or a pass, and looks at all texts."""
        self.browser.run("(document.querySelector('.cut > .head') ?? document.querySelector('.item > .head'))?.click()")
        found = self.browser.run(CONTRASTS)
        self.assertGreater(len(found), 5)
        self.assertEqual([text for contrast, text in found if contrast < 4.5], [])

    def test_a_screen_reader_finds_names_and_headings(self):
        for _, data in self.pages():
            self.browser.run("document.querySelector('.item > .head')?.click()")
            self.assertEqual(self.browser.run(NAMELESS), [])
            levels = self.browser.run("return [...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))")
            self.assertEqual(levels.count(1), 1)
            self.assertEqual(levels.count(2), 5)
            self.assertEqual(self.browser.run("return document.documentElement.lang"), "en")
            # A pass in the gutter says its number and its combinators.
            for label in self.browser.run("return [...document.querySelectorAll('button.chip')].map((one) => one.ariaLabel)"):
                self.assertRegex(label, r"^pass \d+: .")

    def test_an_address_leads_to_what_was_shown(self):
        for page, data in self.pages():
            strategy = data["strategies"][0]
            self.browser.choose(strategy=strategy["strategy"], function=strategy["functions"][-1]["function"])
            self.browser.run("document.querySelector('.item > .head')?.click()")
            address = self.browser.run("return location.hash")
            shown = self.browser.texts("#items, #status, #function")
            self.browser.open(page, address=address)
            self.assertEqual(self.browser.texts("#items, #status, #function"), shown)
            self.assertEqual(len(self.browser.all(".open")), 1)


def with_hints(page):
    """A page, where each function has a hint more: one of its lines is written in another way, a line is put in, and a line
    is taken out."""
    data = data_of(page)
    source = data["sources"][0]
    lines = source["text"].split("\n")
    middle = len(lines) // 2
    place = lambda line, column: {
        "byte": len("".join(text + "\n" for text in lines[: line - 1]).encode()) + len(lines[line - 1][: column - 1].encode()),
        "line": line,
        "column": column,
    }
    edit = lambda start, end, text: {"file": source["file"], "start": start, "end": end, "replacement": text}
    last = len(lines[middle - 1]) + 1
    edits = [
        [edit(place(middle, max(1, last - 3)), place(middle, last), "é</script>\n  𝔘 more")],
        [edit(place(middle, 1), place(middle, 1), "-- first\n"), edit(place(middle, last), place(middle, last), " -- end")],
        [edit(place(middle, last), place(middle + 1, 1), "")],
        [edit(place(middle, last), place(middle, last), "\n  one more")],
        [],
    ]
    hint = {"code": "A0700", "name": "added", "severity": "hint", "message": "`this` <b>can</b> change", "notes": ["a note"]}
    hint["labels"] = [{"primary": True, **edits[0][0], "text": "here"}]
    hint["helps"] = [{"text": "write", "edits": part} for part in edits]
    for strategy in data["strategies"]:
        for function in strategy["functions"]:
            function["hints"].append(hint)
    text = page.read_text(encoding="utf-8")
    start = text.index('<script id="data"')
    before, rest = text[: text.index(">", start) + 1], text[text.index("</script>", start) :]
    return before + json.dumps(data).replace("<", "\\u003c") + rest


def bytes_of(array):
    if array["memory"] == "registers":
        return "in registers"
    return "not known" if array["bytes"] is None else array["bytes"]


def difference(sources, edits):
    """The lines that edits of one file take away and add, without the equal ones at both ends."""
    if not edits:
        return [], []
    text = sources[edits[0]["file"]].encode()
    fresh = text
    for edit in sorted(edits, key=lambda edit: -edit["start"]["byte"]):
        fresh = fresh[: edit["start"]["byte"]] + edit["replacement"].encode() + fresh[edit["end"]["byte"] :]
    before, after = text.decode().split("\n"), fresh.decode().split("\n")
    while before and after and before[0] == after[0]:
        del before[0], after[0]
    while before and after and before[-1] == after[-1]:
        del before[-1], after[-1]
    return before, after


if __name__ == "__main__":
    unittest.main()
