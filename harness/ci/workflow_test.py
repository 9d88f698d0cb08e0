#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The workflow file is one that GitHub takes, and its steps do what they say: workflow_test.py PROGRAM SOURCE_DIR.

The file is held to the schema that SchemaStore publishes for workflows; the options that its steps give to pdlcts are
ones that pdlcts has; and the gate's step runs, as GitHub would run it, on results that must not pass.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema_rs
from ruamel.yaml import YAML

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
SOURCE = pathlib.Path(sys.argv[2]).resolve()
WORKFLOW = SOURCE / ".github/workflows/hopper.yml"


def require(condition, what):
    if not condition:
        sys.exit(f"workflow_test: {what}")


def schema():
    # The package cannot be imported without its dependencies, and its data need not be.
    for folder in sys.path:
        path = pathlib.Path(folder) / "check_jsonschema/builtin_schemas/vendor/github-workflows.json"
        if path.exists():
            return json.loads(path.read_text())
    sys.exit("workflow_test: the schema of workflows is not among the packages")


def run_steps(workflow):
    (job,) = workflow["jobs"].values()
    return {step["name"]: step for step in job["steps"]}, job


def check_options(steps):
    used = 0
    for step in steps.values():
        script = step.get("run", "").replace("\\\n", " ")
        for command, options in re.findall(r"build/release/pdlcts (\S+)([^\n|]*)", script):
            text = subprocess.run([PROGRAM, command, "--help"], capture_output=True, text=True, check=True).stdout
            for option in re.findall(r"(?<=\s)--?[a-z][a-z-]*", options):
                require(re.search(rf"(^|[\s,]){re.escape(option)}([\s,=]|$)", text), f"{command} has no option {option}")
                used += 1
    require(used >= 8, f"only {used} options were found in the steps")


def run_gate_step(steps, job):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "build/release").mkdir(parents=True)
        (folder / "build/release/pdlcts").symlink_to(PROGRAM)
        subprocess.run([PROGRAM, "run", "--on", "machine", "--case", "trigger/implicit-on-exit", "-o", "results.json"],
                       cwd=folder, check=True, capture_output=True)
        environment = {**os.environ, **job["env"], "GITHUB_STEP_SUMMARY": str(folder / "step-summary.md")}
        for variable in ("BASELINE", "WAIVERS"):
            environment[variable] = str(SOURCE / job["env"][variable])
            require(pathlib.Path(environment[variable]).exists(), f"{variable} is no file of the repository")

        def step(title):
            return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", steps[title]["run"]],
                                  cwd=folder, env=environment, capture_output=True, text=True)

        gate = step("Gate")
        require(gate.returncode == 1, f"the gate's step ended with {gate.returncode}: {gate.stderr}")
        require(gate.stdout.startswith("::error "), "the gate's step prints no annotation first")
        for line in gate.stdout.splitlines():
            require(re.fullmatch(r"::(error|notice) (file=[^:,]+(,line=\d+)?,)?title=[^:,]+::.+", line), line)
        summary = (folder / "step-summary.md").read_text()
        require(summary.startswith("## PDL conformance gate: shut"), "no summary")
        require((folder / "junit.xml").exists(), "no JUnit XML")
        require(step("Show what changed").returncode == 0, "the step that shows what changed failed")
        require((folder / "changes.md").exists(), "no difference")
        kept = [step for step in steps.values() if "upload-artifact" in step.get("uses", "")]
        require({"results.json", "junit.xml", "summary.md", "changes.md"} == set(kept[0]["with"]["path"].split()),
                "not every output is kept")


def main():
    workflow = YAML(typ="safe", pure=True).load(WORKFLOW.read_text())
    workflow = json.loads(json.dumps(workflow))
    errors = list(jsonschema_rs.validator_for(schema()).iter_errors(workflow))
    require(not errors, "\n".join(str(error) for error in errors))
    broken = json.loads(json.dumps(workflow))
    broken["jobs"]["conformance"]["stepz"] = broken["jobs"]["conformance"].pop("steps")
    require(not jsonschema_rs.validator_for(schema()).is_valid(broken), "the schema takes anything")
    require("pull_request" not in workflow["on"], "strangers' pull requests would run on the machine")
    steps, job = run_steps(workflow)
    for step in steps.values():
        subprocess.run(["bash", "-n", "-c", step.get("run", "")], check=True)
    check_options(steps)
    run_gate_step(steps, job)
    print("workflow_test: the workflow is sound")


if __name__ == "__main__":
    main()
