#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Results files for the benchmark of the site: `generate.py PUBLISHED.json COUNT FOLDER` writes COUNT files of 220 cells.

Each is a published file of a real run with other drivers, dates and counts: the first litmus cell of each case and the
first native cells, without pictures, as a quick run has them. What is derived is left as the published file has it where
the evidence stays, so a file may not hold (`pdlcts verify`); to read and to show it costs the same.
"""
import copy
import hashlib
import json
import pathlib
import random
import sys

CELLS = 220


def cells_of(results):
    seen = set()
    chosen = []
    for cell in results["cells"]:
        if cell["case"] not in seen and len(chosen) < CELLS - 20:
            seen.add(cell["case"])
            chosen.append({key: value for key, value in cell.items() if key != "picture"})
    return chosen, results["native"][: CELLS - len(chosen)]


def main(published, count, folder):
    results = json.loads(pathlib.Path(published).read_text())
    results["every_case"] = False
    results["cells"], results["native"] = cells_of(results)
    chosen = pathlib.Path(folder)
    chosen.mkdir(parents=True, exist_ok=True)
    choice = random.Random(1)
    for number in range(count):
        file = copy.deepcopy(results) if number == 0 else results
        file["environment"]["gpu"] = ["NVIDIA H100", "NVIDIA H200", "NVIDIA B200"][number % 3]
        file["environment"]["driver_version"] = f"{550 + number // 30}.{number % 30}.0{number % 7}"
        file["environment"]["gpu_uuid_hash"] = hashlib.sha256(str(number).encode()).hexdigest()[:16]
        file["seed"] = number + 1
        file["started"] = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:{number % 60:02}:00Z"
        file["seconds"] = round(30 + choice.random(), 3)
        lines = json.dumps(file, separators=(",", ":"))
        (chosen / f"results-{number:04}.json").write_text(lines + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3])
