#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""container_test.py SOURCE: hadolint has nothing to say of the container file, and what it names is there."""
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE = pathlib.Path(sys.argv[1])
FILE = SOURCE / "packaging/Containerfile"


class Container(unittest.TestCase):
    def test_hadolint_is_content(self):
        tool = next((path for folder in sys.path for path in pathlib.Path(folder).glob("bin/hadolint")), None)
        if tool is None:
            self.skipTest("there is no hadolint for this processor")
        result = subprocess.run([str(tool), "--failure-threshold", "style", str(FILE)], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def test_images_are_documented_bases_of_a_toolkit_that_the_suite_supports(self):
        text = FILE.read_text()
        images = re.findall(r"^FROM (\S+)", text, re.MULTILINE)
        self.assertEqual(images, ["nvidia/cuda:${CUDA}-devel-ubuntu24.04", "nvidia/cuda:${CUDA}-runtime-ubuntu24.04"])
        major, minor, _ = re.search(r"^ARG CUDA=(\d+)\.(\d+)\.(\d+)$", text, re.MULTILINE).groups()
        self.assertTrue((SOURCE / f"harness/toolkits/{major}.{minor}.txt").exists())

    def test_it_runs_as_nobody_special_and_builds_as_the_readme_says(self):
        text = FILE.read_text()
        self.assertRegex(text, r"(?m)^USER 1000:1000$")
        self.assertIn("./bootstrap", text)
        self.assertTrue((SOURCE / "bootstrap").exists())
        for preset in re.findall(r"--preset (\S+)", text):
            self.assertIn(f'"name": "{preset}"', (SOURCE / "CMakePresets.json").read_text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
