#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where the assembler puts memory accesses around the wait and the trigger: no GPU is needed, and PTX does not show it.

`sass_test.py [--nvdisasm-in FOLDER]` compiles small kernels with NVRTC for sm_90, sm_100 and sm_120 and reads the SASS.
By a plain pointer, a volatile one and a relaxed load nothing may be moved: that is what the suite relies on
(wait.compiler-barrier), and a move is an error. Through const __restrict__ and __ldg it may (tool.restrict-nc-hazard):
what was seen stands in sass-VERSION.txt, one file for each NVRTC, and has to be seen again. `--write` writes that file.

Exit codes: 0 as it should be, 1 something moved or differs from the record, 3 NVRTC or nvdisasm is missing.
"""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ARCHITECTURES = ["sm_90", "sm_100", "sm_120"]
WAIT, TRIGGER, BARRIER = "ACQBULK", "PREEXIT", "BAR.SYNC"
MISSING = 3

PRELUDE = """
__device__ __forceinline__ void trigger() { asm volatile("griddepcontrol.launch_dependents;"); }
__device__ __forceinline__ void wait() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
__device__ __forceinline__ unsigned relaxed(const unsigned* x) {
    unsigned value;
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(x) : "memory");
    return value;
}
"""

# Name, type of the pointer, the load; whether the order is relied upon.
FORMS = [
    ("a plain pointer", "unsigned*", "*x", True),
    ("a volatile pointer", "volatile unsigned*", "*x", True),
    ("a relaxed load", "unsigned*", "relaxed(x)", True),
    ("const __restrict__", "const unsigned* __restrict__", "*x", False),
    ("__ldg", "const unsigned*", "__ldg(x)", False),
]

# Name, body, the instruction that the load must stay behind, how many loads there are.
PLACES = [
    ("behind the wait", "wait(); sum += LOAD;", WAIT, 1),
    ("in a loop with the wait",
     "_Pragma(\"unroll 1\") for (unsigned turn = 0; turn < turns; ++turn) { wait(); sum += LOAD; }", WAIT, 1),
    ("behind another thread's wait and a barrier", "if (threadIdx.x == 0) { wait(); } __syncthreads(); sum += LOAD;",
     BARRIER, 1),
    ("before and behind the wait", "sum += LOAD; wait(); sum += LOAD;", WAIT, 2),
]

# Name, body: stores to one word on either side of the trigger.
STORES = [
    ("a store on either side of the trigger", "y[0] = turns; trigger(); y[1] = turns + 1;"),
    ("a store, a fence and the trigger", "y[0] = turns; __threadfence(); trigger(); y[1] = turns + 1;"),
    ("two stores to one word around the trigger", "y[0] = turns; trigger(); y[0] = turns + 1;"),
]


def nvrtc():
    """The library: the one that PDLCTS_NVRTC names, the loader's, or a toolkit's."""
    named = os.environ.get("PDLCTS_NVRTC")
    names = ["libnvrtc.so.13", "libnvrtc.so.12"]
    if named:
        candidates = [named] if os.path.isfile(named) else [os.path.join(named, name) for name in names]
    else:
        roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
        candidates = names + [os.path.join(root, "lib64", name) for root in roots if root for name in names]
    for candidate in candidates:
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            continue
    return None


def compile_for(library, source, architecture):
    program = ctypes.c_void_p()
    library.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"sass.cu", 0, None, None)
    options = [f"--gpu-architecture={architecture}".encode(), b"--std=c++17"]
    status = library.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
    size = ctypes.c_size_t()
    if status != 0:
        library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
        log = ctypes.create_string_buffer(size.value)
        library.nvrtcGetProgramLog(program, log)
        raise RuntimeError(f"{architecture}: {log.value.decode()}")
    library.nvrtcGetCUBINSize(program, ctypes.byref(size))
    code = ctypes.create_string_buffer(size.value)
    library.nvrtcGetCUBIN(program, code)
    library.nvrtcDestroyProgram(ctypes.byref(program))
    return code.raw


def find_nvdisasm(folder):
    """On the path, in a toolkit, or from its wheel, which is fetched once."""
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for found in [shutil.which("nvdisasm")] + [os.path.join(root, "bin/nvdisasm") for root in roots if root]:
        if found and os.access(found, os.X_OK):
            return found
    program = folder / "nvdisasm"
    if program.exists():
        return program
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as wheels:
        command = ["/usr/bin/python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-input",
                   "--no-deps", "--only-binary=:all:", "--require-hashes", "--retries", "2", "--timeout", "20",
                   "--dest", wheels, "--requirement", HERE / "nvdisasm.txt"]
        fetched = subprocess.run(command, capture_output=True, text=True)
        if fetched.returncode != 0:
            print(f"skipped: nvdisasm is neither installed nor to be fetched: {fetched.stderr.strip()[-300:]}")
            return None
        with zipfile.ZipFile(next(pathlib.Path(wheels).glob("*.whl"))) as wheel:
            name = next(each for each in wheel.namelist() if each.endswith("bin/nvdisasm"))
            unpacked = pathlib.Path(wheels) / "nvdisasm"
            unpacked.write_bytes(wheel.read(name))
            unpacked.chmod(0o755)
            unpacked.rename(program)
    return program


def instructions(nvdisasm, code):
    """The opcodes of each kernel in the order of the code: {name: [opcode, ...]}."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(code)
        file.flush()
        text = subprocess.run([nvdisasm, "-c", file.name], capture_output=True, text=True, check=True).stdout
    kernels = {}
    name = None
    for line in text.splitlines():
        section = re.match(r"\.text\.(\w+):", line)
        if section:
            name = section.group(1)
            kernels[name] = []
        opcode = re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\d+\s+)?([A-Z][A-Z0-9_.]*)", line)
        if opcode and name:
            kernels[name].append(opcode.group(1))
    return kernels


def positions(opcodes, prefix):
    return [index for index, opcode in enumerate(opcodes) if opcode.startswith(prefix)]


def place_of_loads(opcodes, mark, count):
    marks = positions(opcodes, mark)
    loads = [index for index in positions(opcodes, "LDG")]
    if len(marks) != 1 or not loads:
        return f"unreadable: {len(marks)} of {mark}, {len(loads)} loads"
    above = sum(1 for index in loads if index < marks[0])
    behind = len(loads) - above
    if count == 1:
        return "kept behind" if above == 0 else "moved above" if behind == 0 else "moved above, and kept behind"
    return "one on either side" if (above, behind) == (1, 1) else f"{above} above, {behind} behind"


def place_of_stores(opcodes):
    triggers = positions(opcodes, TRIGGER)
    if len(triggers) != 1:
        return f"unreadable: {len(triggers)} triggers"
    stores = positions(opcodes, "STG")
    above = sum(1 for index in stores if index < triggers[0])
    return f"{above} above, {len(stores) - above} behind"


def sources():
    """All kernels, and for each how its code is read: [(title, kernel, relied upon, wanted, reader)]."""
    text, readers = PRELUDE, []
    for form, pointer, load, relied_upon in FORMS:
        for place, body, mark, count in PLACES:
            kernel = f"load_{len(readers)}"
            text += (f'extern "C" __global__ void {kernel}({pointer} x, unsigned* y, unsigned turns) {{\n'
                     f'    unsigned sum = 0;\n    {body.replace("LOAD", load)}\n    y[threadIdx.x] = sum;\n}}\n')
            wanted = "kept behind" if count == 1 else "one on either side"
            readers.append((f"{form} {place}", kernel, relied_upon, wanted,
                            lambda code, mark=mark, count=count: place_of_loads(code, mark, count)))
    for title, body in STORES:
        kernel = f"store_{len(readers)}"
        text += f'extern "C" __global__ void {kernel}(unsigned* y, unsigned turns) {{\n    {body}\n}}\n'
        readers.append((title, kernel, False, None, place_of_stores))
    return text, readers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvdisasm-in", type=pathlib.Path, default=HERE.parent.parent / "build/toolkits/nvdisasm")
    parser.add_argument("--write", action="store_true", help="write the record of this NVRTC")
    options = parser.parse_args()
    library = nvrtc()
    if library is None:
        print("skipped: no NVRTC")
        return MISSING
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    count = ctypes.c_int()
    library.nvrtcGetNumSupportedArchs(ctypes.byref(count))
    known = (ctypes.c_int * count.value)()
    library.nvrtcGetSupportedArchs(known)
    nvdisasm = find_nvdisasm(options.nvdisasm_in)
    if nvdisasm is None:
        return MISSING

    text, readers = sources()
    lines, moved = [], []
    for architecture in [each for each in ARCHITECTURES if int(each[3:]) in list(known)]:
        kernels = instructions(nvdisasm, compile_for(library, text, architecture))
        for title, kernel, relied_upon, wanted, reader in readers:
            found = reader(kernels[kernel])
            lines.append(f"{architecture}: {title}: {found}")
            if (relied_upon and found != wanted) or found.startswith("unreadable"):
                moved.append(f"{lines[-1]}; expected {wanted}")
    record = HERE / f"sass-{major.value}.{minor.value}.txt"
    if options.write:
        record.write_text("# SPDX-License-Identifier: Apache-2.0\n"
                          "# Where NVRTC of this version puts accesses around wait and trigger. Written by sass_test.py.\n"
                          + "\n".join(lines) + "\n")
    for line in moved:
        print(f"moved: {line}")
    differences = []
    if record.exists():
        recorded = [line for line in record.read_text().splitlines() if line and not line.startswith("#")]
        differences = [f"expected {old}\n   found {new}" for old, new in zip(recorded, lines) if old != new]
        if len(recorded) != len(lines):
            differences.append(f"{len(recorded)} lines recorded, {len(lines)} found")
    else:
        print(f"no record of NVRTC {major.value}.{minor.value}; what was found:\n" + "\n".join(lines))
    for difference in differences:
        print(difference)
    hazards = sum("moved above" in line for line in lines)
    print(f"{len(lines)} places in the SASS of {', '.join(dict.fromkeys(line.split(':')[0] for line in lines))}: "
          f"{len(moved)} moved that are relied upon, {hazards} moved that are not, {len(differences)} unlike the record")
    return 1 if moved or differences else 0


if __name__ == "__main__":
    sys.exit(main())
