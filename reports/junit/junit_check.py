#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads JUnit XML as CI servers do, holds it to their published schema, and prints what it says.

The schema is the one that Jenkins' xUnit plug-in publishes (junit-10.xsd): which elements and attributes there are, in
which order, and of which type. Counts have to be those of the test cases. A line a test case:
suite|class|name|outcome|message, and behind a failure or an error the lines of its text.
"""
import re
import sys
import xml.etree.ElementTree as ElementTree

DECIMAL = re.compile(r"[0-9]+(\.[0-9]+)?")
WHOLE = re.compile(r"[0-9]+")
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}")
ANY = re.compile(r".*", re.S)

# Of each element: the attributes with their types, those that have to be there, and the children in their order.
ELEMENTS = {
    "testsuites": ({"name": ANY, "time": DECIMAL, "tests": WHOLE, "failures": WHOLE, "errors": WHOLE, "skipped": WHOLE},
                   (), ("testsuite",)),
    "testsuite": ({"name": ANY, "tests": WHOLE, "failures": WHOLE, "errors": WHOLE, "skipped": WHOLE, "time": DECIMAL,
                   "timestamp": MOMENT}, ("name", "tests"), ("properties", "testcase")),
    "properties": ({}, (), ("property",)),
    "property": ({"name": ANY, "value": ANY}, ("name", "value"), ()),
    "testcase": ({"name": ANY, "classname": ANY, "time": DECIMAL}, ("name",), ("skipped", "error", "failure")),
    "skipped": ({"message": ANY, "type": ANY}, (), ()),
    "error": ({"message": ANY, "type": ANY}, ("message", "type"), ()),
    "failure": ({"message": ANY, "type": ANY}, ("message", "type"), ()),
}
problems = []


def check(element):
    if element.tag not in ELEMENTS:
        problems.append(f"unknown element {element.tag}")
        return
    attributes, needed, children = ELEMENTS[element.tag]
    for key, value in element.attrib.items():
        if key not in attributes or not attributes[key].fullmatch(value):
            problems.append(f"{element.tag} has {key}={value!r}")
    problems.extend(f"{element.tag} without {key}" for key in needed if key not in element.attrib)
    order = [children.index(child.tag) if child.tag in children else -1 for child in element]
    if -1 in order or order != sorted(order):
        problems.append(f"{element.tag} has {[child.tag for child in element]}")
    if element.tag == "testcase" and len(element) > 1:
        problems.append("a test case with several outcomes")
    if element.tag not in ("error", "failure") and (element.text or "").strip():
        problems.append(f"{element.tag} has text")
    for child in element:
        check(child)


def check_counts(element):
    cases = list(element.iter("testcase"))
    expected = {"tests": len(cases)}
    for key, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        expected[key] = sum(case.find(tag) is not None for case in cases)
    for key, count in expected.items():
        if element.get(key) != str(count):
            problems.append(f"{element.tag} {element.get('name')} says {element.get(key)} {key}, there are {count}")


def main():
    root = ElementTree.parse(sys.argv[1]).getroot()
    if root.tag != "testsuites":
        problems.append(f"the root is {root.tag}")
    check(root)
    check_counts(root)
    for suite in root.iter("testsuite"):
        check_counts(suite)
        for case in suite.iter("testcase"):
            outcome = case[0] if len(case) else None
            parts = [suite.get("name"), case.get("classname"), case.get("name"),
                     "green" if outcome is None else outcome.tag, "" if outcome is None else outcome.get("message")]
            text = "" if outcome is None else (outcome.text or "")
            # A message of several lines is one here, and a text follows its message.
            print("|".join(part.replace("\n", " ") for part in parts) + "|" + text.replace("\n", " / "))
    for problem in problems:
        print(problem.encode("ascii", "backslashreplace").decode(), file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(main())
