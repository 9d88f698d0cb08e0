#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""package_test.py SOURCE BUILD: what `cmake --install` and `cpack` make is complete, runs by itself, and needs no library
but those of C and C++."""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE, BUILD = (pathlib.Path(name).resolve() for name in sys.argv[1:3])
DEB = shutil.which("cpack") and shutil.which("dpkg-deb") and shutil.which("dpkg-shlibdeps")


def run(*command, code=0, **options):
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, **options)
    assert result.returncode == code, f"{command}: {result.returncode}\n{result.stdout}{result.stderr}"
    return result.stdout


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


class Installed:
    """What both ways of installing have to hold. `self.root` is where `bin` and `share` are."""

    def test_everything_is_there_and_nothing_else(self):
        files = files_below(self.root)
        cases = {name for name in files if name.startswith("share/pdlcts/cases/")}
        expected = {f"share/pdlcts/{path.relative_to(SOURCE)}" for path in (SOURCE / "cases").rglob("*")
                    if path.suffix in (".litmus", ".check", ".toml") or path.name == "README.md"}
        self.assertEqual(cases, expected)
        self.assertEqual(files - cases, {
            "bin/pdlcts", "share/man/man1/pdlcts.1.gz", "share/bash-completion/completions/pdlcts",
            "share/zsh/vendor-completions/_pdlcts", "share/fish/vendor_completions.d/pdlcts.fish",
            "share/pdlcts/results.schema.json", "share/doc/pdlcts/changelog.gz", "share/doc/pdlcts/changelog.Debian.gz",
            "share/doc/pdlcts/copyright", "share/doc/pdlcts/README.md"})
        for name in files:
            mode = (self.root / name).stat().st_mode & 0o777
            self.assertEqual(mode, 0o755 if name == "bin/pdlcts" else 0o644, name)

    def test_no_path_of_the_building_machine(self):
        for name in ("share/man/man1/pdlcts.1.gz", "share/doc/pdlcts/changelog.gz"):
            self.assertFalse(str(SOURCE).encode() in gzip.decompress((self.root / name).read_bytes()), name)
        for name in ("share/bash-completion/completions/pdlcts", "share/zsh/vendor-completions/_pdlcts"):
            self.assertFalse(str(SOURCE) in (self.root / name).read_text(), name)

    def test_the_program_runs_from_there(self):
        program = self.root / "bin/pdlcts"
        version = run(program, "--version").splitlines()
        self.assertRegex(version[0], r"^pdlcts \d+\.\d+\.\d+ \(([0-9a-f]{40}|unknown)(, modified)?\)$")
        self.assertRegex(version[1], r"^results schema 1, cases [0-9a-f]{12}$")
        self.assertRegex(version[2], r"^built by (GCC|clang) [\d.]+.*, with(out a)? CUDA Toolkit( \d+\.\d+.*)?$")
        self.assertEqual(run(program, "schema"), (self.root / "share/pdlcts/results.schema.json").read_text())
        case = self.root / "share/pdlcts/cases/visibility/post-trigger-writes.litmus"
        self.assertIn("PROVED", run(program, "check", case, cwd="/"))

    def test_the_manual_page_is_clean_and_names_every_option(self):
        page = self.root / "share/man/man1/pdlcts.1.gz"
        text = gzip.decompress(page.read_bytes()).decode()
        plain = text.replace("\\-", "-")
        program = self.root / "bin/pdlcts"
        commands = re.findall(r"(?m)^  ([a-z-]+) +[A-Z]", run(program, "--help").split("Subcommands:")[1])
        self.assertGreater(len(commands), 12)
        for command in commands:
            self.assertTrue(f".SS pdlcts {command}\n" in plain, command)
            for option in re.findall(r"--[a-z][a-z-]+", run(program, command, "--help")):
                self.assertTrue(option in plain, f"{command} {option}")
        for code in ("  0  done", " 70  an internal error"):
            self.assertTrue(code in plain, code)
        if shutil.which("man"):
            result = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page], capture_output=True,
                                    text=True, env={**os.environ, "LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "120"})
            self.assertEqual((result.returncode, result.stderr), (0, ""))
        if shutil.which("mandoc"):
            run("mandoc", "-T", "lint", "-W", "error", page)

    def test_bash_completes(self):
        script = self.root / "share/bash-completion/completions/pdlcts"
        def complete(*words):
            program = f"""source {script}
                COMP_WORDS=({' '.join(f"'{word}'" for word in words)}); COMP_CWORD={len(words) - 1}
                _pdlcts; printf '%s\\n' "${{COMPREPLY[@]}}" """
            return run("bash", "--norc", "-c", program, cwd=self.root).split()
        self.assertEqual(complete("pdlcts", "ver"), ["verify"])
        self.assertIn("--version", complete("pdlcts", "--"))
        self.assertEqual(complete("pdlcts", "run", "--qu"), ["--quick"])
        self.assertEqual(complete("pdlcts", "run", "--image", "p"), ["ptx"])
        self.assertEqual(complete("pdlcts", "export", "--route", "cl"), ["cloned"])
        self.assertEqual(complete("pdlcts", "completion", "z"), ["zsh"])
        self.assertEqual(complete("pdlcts", "verify", "bi"), ["bin"])
        self.assertEqual(complete("pdlcts", "run", "-o", "sha"), ["share"])
        self.assertEqual(complete("pdlcts", "run", "--seed", ""), [])

    def test_zsh_and_fish_take_theirs_where_they_are_installed(self):
        for shell, name in (("zsh", "share/zsh/vendor-completions/_pdlcts"),
                            ("fish", "share/fish/vendor_completions.d/pdlcts.fish")):
            if shutil.which(shell):
                run(shell, "-n", self.root / name)


class Staged(Installed, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        run("cmake", "--install", BUILD, "--prefix", "/usr", env={**os.environ, "DESTDIR": cls.folder.name})
        cls.root = pathlib.Path(cls.folder.name) / "usr"


@unittest.skipUnless(DEB, "cpack, dpkg-deb or dpkg-shlibdeps is missing")
class Debian(Installed, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = pathlib.Path(cls.folder.name)
        run("cpack", "-G", "DEB", "--config", BUILD / "CPackConfig.cmake", "-B", folder / "made")
        packages = list((folder / "made").glob("*.deb"))
        assert len(packages) == 1, packages
        cls.package = packages[0]
        run("dpkg-deb", "--extract", cls.package, folder / "root")
        cls.root = folder / "root/usr"

    def test_the_package_says_what_it_is_and_what_it_needs(self):
        fields = dict(re.findall(r"(?m)^([A-Z][\w-]+): (.*)$", run("dpkg-deb", "--field", self.package)))
        version = re.search(r"project\(pdlcts VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual((fields["Package"], fields["Version"]), ("pdlcts", f"{version}-1"))
        self.assertRegex(self.package.name, rf"^pdlcts_{re.escape(version)}-1_\w+\.deb$")
        needed = {each.split()[0] for each in fields["Depends"].split(", ")}
        self.assertLessEqual(needed, {"libc6", "libgcc-s1", "libstdc++6"})
        self.assertIn("libc6", needed)
        if shutil.which("lintian"):
            # The program is one file that is copied to GPU machines, so zlib is in it; nobody asks for it in Debian.
            run("lintian", "--allow-root", "--fail-on", "error,warning", "--suppress-tags",
                "embedded-library,initial-upload-closes-no-bugs,bad-distribution-in-changes-file", self.package)
        changelog = gzip.decompress((self.root / "share/doc/pdlcts/changelog.Debian.gz").read_bytes()).decode()
        self.assertTrue(changelog.startswith(f"pdlcts ({version}-1) "))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
