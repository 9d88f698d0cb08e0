#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schema of results files against the program that reads and writes them.

schema_test.py SCHEMA CORPUS_TOOL PUBLISHED... : a validator of somebody else, told nothing but the schema, accepts what is
published and what the writer writes, and of thousands of spoilt documents it accepts none that the reader refuses, nor
refuses one that the reader accepts - but for the rules that the schema's description says it cannot state."""
import copy
import gzip
import json
import pathlib
import re
import subprocess
import sys
import unittest

try:
    import jsonschema_rs
except ImportError:
    print("skipped: there is no wheel of the validator for this processor")
    sys.exit(3)

SCHEMA, TOOL, *PUBLISHED = sys.argv[1:]

# What a schema cannot say: the reader's word for it, and the words of the description that own up to it.
BEYOND = {
    r"units_from_cache: expected a whole number from 0 to \d+, found": "more units from the cache than units",
    r"expected a whole number from -?\d+ to \d+, found -?[\d.e+]+$": "a whole number written with a fraction or an exponent",
    r"a string of \d+ bytes, at most|a key of \d+ bytes, at most": "a string of more than 65536 bytes",
    r"times of a block that do not follow one another|a node that ends before it begins": "times do not follow one another",
    r"more armed trials than trials": "more armed trials than trials",
    r"more blocks shown than stamped, or stamped than there are": "more stamped blocks than blocks",
    r"quantiles that do not follow one another": "quantiles that do not follow one another",
}


def written(count):
    output = subprocess.run([TOOL, "write", str(count)], capture_output=True, check=True).stdout
    return [json.loads(line) for line in output.decode().splitlines()]


def read(documents):
    lines = "".join(json.dumps(each) + "\n" for each in documents)
    output = subprocess.run([TOOL, "read"], input=lines.encode(), capture_output=True, check=True).stdout
    answers = output.decode().splitlines()
    assert len(answers) == len(documents), (len(answers), len(documents))
    return answers


def places(value, shape=(), path=()):
    """Every value with its path; of those that differ in an index or a free key alone, the first."""
    yield shape, path, value
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    free = shape and shape[-1] in ("outcomes", "variations", "variables")
    for key, entry in entries:
        yield from places(entry, shape + ("*" if free or isinstance(key, int) else key,), path + (key,))


def spoilt(document):
    """The document with one thing changed: a key gone, an unknown key, and every value replaced by every other kind."""
    seen = set()
    for shape, path, value in places(document):
        if shape in seen:
            continue
        seen.add(shape)

        def change(edit):
            changed = copy.deepcopy(document)
            parent = changed
            for key in path[:-1]:
                parent = parent[key]
            edit(parent, path[-1])
            return changed

        if isinstance(value, dict):
            yield change(lambda p, k: p[k].update(unknown=1)) if path else {**document, "unknown": 1}
        if not path:
            continue
        if isinstance(path[-1], str):
            yield change(lambda p, k: p.pop(k))
        replacements = [None, True, 0, 1, -1, 1.5, 1e300, 2**31, 10**12 + 1, 2**64 - 1, -(60 * 10**9) - 1, "", "PASS", [], [1], ["a"], {}, {"a": 1}, {"a": "b"}, {"a": {}}]
        if isinstance(value, str):
            replacements += [value + " ", value.lower(), value.upper(), "2026-11-30T12:00:00Z", "2026-11-30",
                             "x" * 65536, "x" * 65537, "\u00e9" * 40000]
        if isinstance(value, list):
            replacements += [value * 2, [value], value[:1] * 300, value[:1] * 1100]
        for other in replacements:
            if type(other) is not type(value) or other != value:
                yield change(lambda p, k, other=other: p.__setitem__(k, other))


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(pathlib.Path(SCHEMA).read_text())
        cls.validator = jsonschema_rs.validator_for(cls.schema)

    def accepts(self, document):
        return self.validator.is_valid(document)

    def why(self, document):
        error = next(self.validator.iter_errors(document), None)
        return error and f"/{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"

    def test_it_is_a_schema_of_draft_2020_12_and_describes_itself(self):
        jsonschema_rs.meta.validate(self.schema)
        self.assertEqual(self.schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        for words in BEYOND.values():
            self.assertIn(words, self.schema["description"])

    def test_what_is_published_is_valid(self):
        self.assertTrue(PUBLISHED)
        for name in PUBLISHED:
            data = pathlib.Path(name).read_bytes()
            document = json.loads(gzip.decompress(data) if name.endswith(".gz") else data)
            self.assertIsNone(self.why(document), name)

    def test_what_the_writer_writes_is_valid_and_uses_every_key(self):
        documents = written(300)
        for document in documents:
            self.assertIsNone(self.why(document))
        used = {shape[-1] for document in documents for shape, _, _ in places(document) if shape}
        keys = set(self.schema["properties"])
        for part in json.dumps(self.schema["$defs"]).split('"properties": ')[1:]:
            keys |= set(json.JSONDecoder().raw_decode(part)[0])
        self.assertEqual(keys - used, set())

    def test_schema_and_reader_agree_on_spoilt_documents(self):
        documents = [each for document in written(0) for each in spoilt(document)]
        documents += [each for document in written(12)[2:] for each in list(spoilt(document))[::17]]
        agreed = {True: 0, False: 0}
        for document, answer in zip(documents, read(documents)):
            accepted = self.accepts(document)
            if accepted and answer != "ok":
                self.assertTrue(any(re.search(rule, answer) for rule in BEYOND), answer)
                continue
            self.assertEqual(accepted, answer == "ok", answer if accepted else self.why(document))
            agreed[accepted] += 1
        self.assertGreater(agreed[True], 300)
        self.assertGreater(agreed[False], 3000)
        print(f"{agreed[True]} accepted and {agreed[False]} refused by both, of {len(documents)}")

    def test_every_enumeration_has_the_same_words(self):
        document = written(0)[0]
        native = document["native"][0]
        cell = document["cells"][0]
        cells = [("strength", cell), ("basis", cell), ("route", cell), ("incident", cell), ("verdict", cell)]
        for name, owner in cells:
            for word in self.schema["$defs"][name]["enum"]:
                owner[name] = word
                self.assertEqual(read([document]), ["ok"], word)
            words = ", ".join(self.schema["$defs"][name]["enum"])
            owner[name] = "?"
            self.assertIn(f"expected one of {words}, found", read([document])[0])
            owner[name] = self.schema["$defs"][name]["enum"][0]
        words = self.schema["$defs"]["probe"]["properties"]["kind"]["enum"]
        native["probes"][0]["kind"] = "?"
        self.assertIn(f"expected one of {', '.join(words)}, found", read([document])[0])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=1)
