#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hostile_test.py PROGRAM CORPUS_TOOL: results files of an attacker are refused with a clear line, or shown inert.

A corpus is made: attacks in every string and every key of results that are otherwise sound, and files that are broken in
every way that JSON can be. Each form of the report is then read by a reader of that form."""
import csv
import gzip
import html.parser
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from markdown_it import MarkdownIt
from prometheus_client.openmetrics.parser import text_string_to_metric_families

PROGRAM, TOOL = sys.argv[1:3]

ATTACKS = {
    "script": "<script>xhostile()</script><xhostile onerror=xhostile()>",
    "attribute": "\"' onmouseover=xhostile() <img src=x onerror=xhostile()><xhostile>",
    "link": "[xhostile](javascript:xhostile()) <javascript:xhostile()> ![x](https://xhostile.invalid/x) www.xhostile.invalid "
            "https://xhostile.invalid @xhostile",
    "traversal": "../../../../xhostile/../..//etc/passwd",
    "traversal-encoded": "..%2f..%2fxhostile\\..\\..\\",
    "formula": "=HYPERLINK(\"https://xhostile.invalid\",\"x\")",
    "formula-plus": "+xhostile|' /C calc'!A0",
    "formula-at": "@SUM(1+1)*cmd|'xhostile'",
    "formula-minus": "-2+3+xhostile",
    "formula-behind-a-tab": "\t=xhostile()",
    "terminal": "\x1b[31mxhostile\x1b[0m\x1b]0;xhostile\x07\x1b]8;;https://xhostile.invalid\x1b\\\x9b31m\b\b\b\r\x00\x7f",
    "lines": "xhostile\n# TYPE xhostile gauge\nxhostile 1\n# EOF\r\n| xhostile |\n\n## xhostile\u2028\u2029\v\f\u0085",
    "labels": "xhostile\"} 1\nxhostile{a=\"b\\",
    "bidi": "\u202exhostile\u202c\u2066x\u2069\u200f\u061c",
    "invisible": "x\u200bh\u200co\u200d\u2060\ufeff\u00adstile\U000e0041",
    "markdown": "`xhostile` **x** | x | ~~x~~ # x\n\n---\n1. x\n> x\n    code <!-- x --> &lt;x&gt; $x$ \\",
    "entities": "&#60;xhostile&#62; &lt;xhostile&gt; &amp;",
    "long": "xhostile " * 7000,
    "styles": "</style><style>*{background:url(//xhostile.invalid)}</style><svg onload=xhostile()>",
}
REFUSED = {
    "empty.json": (b"", "not JSON"),
    "not-a-number.json": (b'{"schema": NaN}', "not JSON"),
    "infinite.json": (b'{"schema": -Infinity}', "not JSON"),
    "too-large-a-number.json": (b'{"schema": 1e999}', "not JSON"),
    "a-million-digits.json": (b'{"schema": ' + b"9" * 1000000 + b"}", "not JSON"),
    "deep.json": (b"[" * 100000, "nested too deeply"),
    "deep-objects.json": (b'{"a":' * 100000, "nested too deeply"),
    "twice.json": (b'{"schema": 1, "schema": 1}', "stands twice"),
    "twice-by-escape.json": (b'{"schema": 1, "sch\\u0065ma": 1}', "stands twice"),
    "not-utf-8.json": (b'{"schema": "\xff\xfe"}', "not JSON"),
    "overlong.json": (b'{"schema": "\xc0\xaf"}', "not JSON"),
    "surrogate.json": (b'{"schema": "\\ud800"}', "not JSON"),
    "control.json": (b'{"schema": "\x1b[31m"}', "not JSON"),
    "list.json": (b"[1]", "expected an object"),
    "another-schema.json": (b'{"schema": 99}', "this program reads schema 1"),
    "a-key-that-attacks.json": (b'{"schema": 1, "\\u001b]0;x\\u0007<script>\\u202e": 1}', "unknown key"),
    "comment.json": (b"{} // x", "not JSON"),
    "bomb.json.gz": (gzip.compress(b"\0" * 80_000_000), "unpacked it is larger"),
    "cut.json.gz": (gzip.compress(b"{}" * 1000)[:-9], "ends too early"),
    "html.json": (b"<html><script>xhostile()</script>", "not JSON"),
}
# As results files have it: what is shown is one line, and nothing in it steers a terminal or turns text around.
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")


def run(*arguments):
    result = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, timeout=120)
    return result.returncode, result.stdout.decode(), result.stderr.decode()


def attacked(value, attack, path=()):
    """The value with the attack in every string and every free key, as far as the reader lets it in."""
    fixed = ("strength", "basis", "route", "verdict", "incident", "answer", "kind", "measure", "started")
    if isinstance(value, dict):
        free = path and path[-1] in ("outcomes", "variations", "variables")
        return {(f"{attack}{key}" if free else key): attacked(entry, attack, path + (key,)) for key, entry in value.items()}
    if isinstance(value, list):
        return [attacked(entry, attack, path + (0,)) for entry in value]
    return attack if isinstance(value, str) and path[-1] not in fixed else value


class Tags(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags = []

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))


class Hostile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        written = subprocess.run([TOOL, "write", "0"], capture_output=True, check=True).stdout.decode().splitlines()[0]
        cls.sound = json.loads(written)
        cls.files = []
        for name, attack in ATTACKS.items():
            document = attacked(cls.sound, attack)
            for cell, other in zip(document["cells"], cls.sound["cells"]):
                # Claims and outcomes that read, in every other file: so that verdicts of every kind get reasons.
                if len(cls.files) % 2:
                    cell["claim"] = other["claim"]
            cls.files.append(cls.folder / f"{name}.json")
            cls.files[-1].write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        cls.out = cls.folder / "out"
        cls.out.mkdir()
        cls.code, cls.output, cls.complaints = run(
            "report", *cls.files, "--text", cls.out / "t", "--markdown", cls.out / "m", "--csv", cls.out / "c", "--json",
            cls.out / "j", "--openmetrics", cls.out / "o")

    def text_of(self, name):
        text = (self.out / name).read_bytes().decode("utf-8")
        found = STEERS.search(text.replace("\r\n", "\n") if name == "c" else text)
        self.assertIsNone(found and text[max(0, found.start() - 30):found.end() + 10])
        self.assertIn("xhostile", text)
        return text

    def test_they_are_read_and_said_not_to_hold(self):
        self.assertEqual(self.code, 1)
        lines = self.complaints.splitlines()
        self.assertEqual(len(lines), len(ATTACKS))
        for line in lines:
            self.assertIn("does not hold", line)
            self.assertIsNone(STEERS.search(line))

    def test_text(self):
        self.text_of("t")

    def test_markdown(self):
        rendered = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable("table").render(self.text_of("m"))
        tags = Tags()
        tags.feed(rendered)
        self.assertLessEqual({tag for tag, _ in tags.tags}, {
            "h1", "h2", "p", "table", "thead", "tbody", "tr", "th", "td", "br", "sup", "strong", "ul", "ol", "li", "code"})
        attributes = {(tag, *attributes) for tag, attributes in tags.tags if attributes}
        self.assertLessEqual(attributes, {("ol", "start")})
        self.assertFalse(re.search(r"(?<!\\)(https?:/|www\.)", self.text_of("m")))

    def test_csv(self):
        text = self.text_of("c")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual({len(row) for row in rows}, {30})
        cells = sum(len(self.sound[kind]) for kind in ("cells", "native"))
        self.assertEqual(len(rows), 1 + len(ATTACKS) * cells)
        for row in rows:
            for field in row:
                self.assertNotRegex(field, r"^\s*[=+\-@\t\r|%]")
                self.assertNotIn("\n", field)
        self.assertEqual(text.count("\n"), text.count("\r\n"))

    def test_json(self):
        def unique(pairs):
            self.assertEqual(len(pairs), len(dict(pairs)))
            return dict(pairs)
        merged = json.loads(self.text_of("j"), object_pairs_hook=unique)
        self.assertEqual(len(merged["columns"]), len(ATTACKS))
        for cell in merged["cells"]:
            for value in cell.values():
                self.assertLess(len(str(value)), 1100)

    def test_open_metrics(self):
        families = list(text_string_to_metric_families(self.text_of("o")))
        self.assertTrue(families)
        for family in families:
            self.assertRegex(family.name, r"^pdlcts_[a-z_]+$")
            for sample in family.samples:
                self.assertLessEqual(set(sample.labels), {
                    "run", "gpu", "driver", "toolkit", "compute_capability", "fault", "suite_version", "suite_git_hash",
                    "every_case", "verdict", "statement", "case", "route"})

    def test_pictures_and_latencies(self):
        for arguments in (["--latency"], ["--picture", "*"]):
            code, output, complaints = run("report", *self.files, *arguments)
            self.assertEqual(code, 1)
            self.assertIsNone(STEERS.search(output))
        run("report", *self.files, "--latency", "--markdown", self.out / "latency")
        rendered = MarkdownIt("commonmark", {"html": True}).enable("table").render((self.out / "latency").read_text())
        tags = Tags()
        tags.feed(rendered)
        self.assertFalse({tag for tag, _ in tags.tags} & {"script", "a", "img", "xhostile", "svg", "style", "h3"})

    def test_verify_says_what_differs_in_lines_of_its_own(self):
        for file in self.files:
            code, output, _ = run("verify", file)
            self.assertEqual(code, 1)
            self.assertIsNone(STEERS.search(output))

    def test_site(self):
        if "--html" not in run("report", "--help")[1]:
            self.skipTest("this version writes no site")
        site = self.folder / "site"
        before = {path for path in self.folder.rglob("*")}
        worst = ("script", "attribute", "link", "traversal", "terminal", "entities", "styles")
        code, _, _ = run("report", *(file for file in self.files if file.stem in worst), "--html", site)
        self.assertEqual(code, 1)
        for path in self.folder.rglob("*"):
            self.assertTrue(path in before or path == site or site in path.parents, path)
        for page in site.rglob("*"):
            self.assertRegex(page.name, r"^[a-z0-9][a-z0-9._-]{0,200}$")
            self.assertNotIn("..", page.name)
            if page.suffix not in (".html", ".svg"):
                continue
            text = page.read_bytes().decode("utf-8")
            tags = Tags()
            tags.feed(text)
            for tag, attributes in tags.tags:
                self.assertFalse(tag.startswith("xhostile"), page)
                for name, value in attributes.items():
                    self.assertFalse(name.startswith("on"), (page, tag, name))
                    if name in ("href", "src", "action"):
                        self.assertNotRegex(value or "", r"(?i)^\s*(javascript|data|https?://xhostile|//)", page)
                        self.assertFalse("xhostile" in (value or "") and ".." in value.split("#")[0].replace("../", "", 3), page)

    def test_what_is_broken_is_refused_in_one_line_each_and_leaves_the_others(self):
        names = []
        for name, (data, _) in REFUSED.items():
            names.append(self.folder / name)
            names[-1].write_bytes(data)
        text = self.files[0].read_bytes()
        for cut in range(0, len(text), len(text) // 40):
            names.append(self.folder / f"cut-{cut}.json")
            names[-1].write_bytes(text[:cut])
        code, output, complaints = run("report", *names, self.files[0], "--csv", "-")
        self.assertEqual(code, 3)
        self.assertGreater(len(output.splitlines()), 1)
        lines = [line for line in complaints.splitlines() if "does not hold" not in line]
        self.assertEqual(len(lines), len(names))
        for name, line in zip(names, lines):
            self.assertIsNone(STEERS.search(line))
            self.assertIn(f"{name}:", line)
            self.assertLess(len(line), 400)
            self.assertIn(REFUSED.get(name.name, (b"", "not JSON"))[1], line)
        code, output, _ = run("report", *names[:2], self.files[0], "--csv", "-", "--strict")
        self.assertEqual((code, output), (3, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
