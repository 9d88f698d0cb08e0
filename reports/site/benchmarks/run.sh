#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh PDLCTS PUBLISHED.json [FOLDER]: the site of 10, 100 and 1,000 results files of 220 cells, on two cores: seconds,
# the largest memory, and what came out.
set -euo pipefail
program=$(realpath "$1")
published=$(realpath "$2")
folder=${3:-$(mktemp -d)}
here=$(dirname "$(realpath "$0")")
[[ -d $folder/results ]] || "$here/generate.py" "$published" 1000 "$folder/results"
echo "| files | megabytes in | seconds | processor's seconds | MiB of memory | pages | megabytes out |"
echo "|---|---|---|---|---|---|---|"
# Sites are removed when all are measured: for minutes after many files were removed, some file systems are slow to make
# new ones (ext4 without a journal for six), which would be taken for the program's time. That holds of a second run too.
sites=$(mktemp -d "$folder/sites.XXXXXX")
trap 'rm -rf "$sites"' EXIT
for count in 10 100 1000; do
    files=("$folder"/results/*.json)
    files=("${files[@]:0:$count}")
    python3 - "$count" "$sites/$count" "$program" "${files[@]}" <<'PYTHON'
import os, resource, subprocess, sys, time
count, site, program, *files = sys.argv[1:]
cores = sorted(os.sched_getaffinity(0))[:2]
start = time.monotonic()
done = subprocess.run([program, "report", *files, "--html", site], stdout=subprocess.PIPE,
                      stderr=subprocess.DEVNULL, preexec_fn=lambda: os.sched_setaffinity(0, cores))
seconds = time.monotonic() - start
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
if done.returncode not in (0, 1):
    sys.exit(f"pdlcts ended with {done.returncode}")
read = sum(os.path.getsize(file) for file in files)
sizes = [os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(site) for name in names]
print(f"| {count} | {read / 1e6:.0f} | {seconds:.1f} | {usage.ru_utime + usage.ru_stime:.1f} | "
      f"{usage.ru_maxrss / 1024:.0f} | {len(sizes)} | {sum(sizes) / 1e6:.0f} |")
PYTHON
done
