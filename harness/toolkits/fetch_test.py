#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of `fetch` without a network: pip takes wheels that the test has made from a folder."""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

FETCH = pathlib.Path(__file__).with_name("fetch")
RUNTIME = {"nvidia/cuda_runtime/include/cuda_runtime_api.h": "#define CUDART_VERSION  12040\n",
           "nvidia/cuda_runtime/include/crt/host_defines.h": "",
           "nvidia/cuda_runtime/lib/libcudart.so.12": "runtime",
           "nvidia/cuda_runtime/lib/../../escaped.h": "",
           "nvidia/cuda_runtime/bin/tool": ""}
NVRTC = {"nvidia/cuda_nvrtc/lib/libnvrtc.so.12": "nvrtc", "nvidia/cuda_nvrtc/lib/libnvrtc.alt.so.12": "",
         "nvidia/cuda_nvrtc/lib/libnvrtc-builtins.so.12.4": ""}


class Fetch(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "wheels").mkdir()
        shutil.copy(FETCH, self.folder / "fetch")
        self.pins = ""

    def add_wheel(self, package, files):
        name = package.replace("-", "_")
        wheel = self.folder / "wheels" / f"{name}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
            archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
            archive.writestr(f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
            archive.writestr(f"{name}-1.0.dist-info/RECORD", "")
            archive.writestr(f"{name}-1.0.dist-info/License.txt", "licence")
        self.pins += f"{package}==1.0 \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"
        (self.folder / "12.4.txt").write_text(self.pins)
        return wheel

    def fetch(self, *arguments):
        environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.folder / "wheels")}
        result = subprocess.run([sys.executable, self.folder / "fetch", *arguments, "--to", self.folder / "out"],
                                capture_output=True, text=True, env=environment)
        return result.returncode, result.stdout + result.stderr

    def test_a_toolkit_is_laid_out_as_cmake_expects_it_and_kept(self):
        self.add_wheel("nvidia-cuda-runtime-cu12", RUNTIME)
        self.add_wheel("nvidia-cuda-nvrtc-cu12", NVRTC)
        code, output = self.fetch("12.4")
        self.assertEqual(code, 0, output)
        tree = self.folder / "out/12.4"
        self.assertEqual(output.strip(), str(tree))
        self.assertEqual((tree / "version.txt").read_text(), "CUDA Version 12.4.0\n")
        self.assertEqual((tree / "lib64/libcudart.so").read_text(), "runtime")
        self.assertEqual(sorted(path.name for path in (tree / "lib64").iterdir()),
                         ["libcudart.so", "libcudart.so.12", "libnvrtc-builtins.so", "libnvrtc-builtins.so.12.4",
                          "libnvrtc.so", "libnvrtc.so.12"])
        self.assertEqual(len(list((tree / "licences").iterdir())), 2)
        self.assertEqual([path for path in self.folder.rglob("escaped.h")], [])
        shutil.rmtree(self.folder / "wheels")
        self.assertEqual(self.fetch("12.4")[0], 0)

    def test_a_wheel_that_is_not_the_pinned_one_is_refused(self):
        wheel = self.add_wheel("nvidia-cuda-runtime-cu12", RUNTIME)
        wheel.write_bytes(wheel.read_bytes() + b"x")
        code, output = self.fetch("12.4", "--headers-only")
        self.assertEqual(code, 1, output)
        self.assertIn("HASHES", output.upper())
        self.assertFalse((self.folder / "out/12.4-headers").exists())

    def test_wheels_without_the_runtime_of_the_version_are_refused(self):
        self.add_wheel("nvidia-cuda-runtime-cu12", {**RUNTIME, "nvidia/cuda_runtime/include/cuda_runtime_api.h":
                                                    "#define CUDART_VERSION 12090\n"})
        code, output = self.fetch("12.4", "--headers-only")
        self.assertEqual(code, 1)
        self.assertEqual(output, "fetch: the wheels of toolkit 12.4 do not hold its cuda_runtime_api.h\n")

    def test_that_nothing_is_reached_is_told_apart(self):
        self.add_wheel("nvidia-cuda-runtime-cu12", RUNTIME).unlink()
        code, output = self.fetch("12.4", "--headers-only")
        self.assertEqual(code, 3)
        self.assertEqual(len(output.splitlines()), 1)
        self.assertTrue(output.startswith("fetch: toolkit 12.4 cannot be fetched: no package index answers"))

    def test_another_version_is_refused_with_those_that_there_are(self):
        self.add_wheel("nvidia-cuda-runtime-cu12", RUNTIME)
        self.assertEqual(self.fetch("11.0"), (2, "fetch: there is no toolkit `11.0`; there are: 12.4\n"))
        self.assertEqual(self.fetch("--list"), (0, "12.4\n"))


if __name__ == "__main__":
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode != 0:
        print("skipped: pip is missing")
        sys.exit(3)
    unittest.main()
