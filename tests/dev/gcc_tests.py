#!/usr/bin/env python3
"""Verdicts on the execution tests of gcc, which call abort() where a compiler is wrong, against a native run of each.

    tests/dev/gcc_tests.py --binary target/release/provident --tests gcc-14.2.0/gcc/testsuite [--cpu-limit 5] [--jobs 2]

The tests are in gcc's sources (`apt-get source gcc-14` with the sources of Debian testing). A program is compiled without optimisation and run. If it ends with
status 0, no call of abort() is reachable unless inputs decide; if abort() ends it, one is. It is also asked about undefined operations and accesses: a violation has to be one that gcc's
sanitizers report, too. UNKNOWN is never wrong. Each line of the output has to be looked at: natively there is one number of arguments, a test may depend on gcc's choices or on options of which
only the standard is taken, and sanitizers see nothing of what is folded.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

from corpus import read_arguments, verdict

# Threads, devices, other languages than C, decimal numbers, and what needs sanitizers, plugins or debuggers.
LEFT_OUT = re.compile(r"goacc|gomp|/[at]san/|/ubsan/|hwasan|/dfp/|guality|simulate-thread|/cpp/|transactional|/tm/|plugin|/rtl/|/sso")
CHECKS = "overflow,division,shift,bounds,null,valid-deref,valid-free"
SANITIZERS = ["-fsanitize=undefined,address", "-fno-sanitize=alignment"]
PROPERTY = "CHECK( init(main()), LTL(G ! call(abort())) )\n"


def tests(root):
    """The programs that are made to be run."""
    torture = root / "gcc.c-torture" / "execute"
    yield from sorted([*torture.glob("*.c"), *torture.glob("ieee/*.c")])
    for folder in ("gcc.dg", "c-c++-common"):
        for path in sorted((root / folder).rglob("*.c")):
            if not LEFT_OUT.search(str(path)) and "dg-do run" in path.read_text(errors="replace"):
                yield path


def native(program, options, folder):
    """The status of a run, and what a sanitizer said; `None` if the program does not compile or does not end."""
    binary = folder / "program"
    build = ["gcc", "-w", "-O0", *options, str(program), "-o", str(binary), "-lm", "-lpthread"]
    try:
        if subprocess.run(build, capture_output=True, timeout=120).returncode != 0:
            return None
        run = subprocess.run([binary], capture_output=True, text=True, errors="replace", timeout=20, stdin=subprocess.DEVNULL, cwd=folder)
    except subprocess.TimeoutExpired:
        return None
    return run.returncode, re.search(r"runtime error: |ERROR: \w+Sanitizer", run.stderr) is not None


def main():
    arguments = read_arguments(__doc__)
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        abort = scratch / "abort.prp"
        abort.write_text(PROPERTY)

        def one(program):
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                folder = pathlib.Path(folder)
                standard = re.findall(r"-std=([\w+:]+)", program.read_text(errors="replace"))[:1]
                options = [f"-std={name}" for name in standard]
                ran = native(program, options, folder)
                if ran is None:
                    return program, None, None, None, None
                aborts = verdict(arguments, program, [*options, "--property", abort])
                checked = verdict(arguments, program, [*options, "--checks", CHECKS]) if aborts != "ERROR" else "ERROR"
                reported = native(program, options + SANITIZERS, folder) if checked == "FALSE" else None
                return program, ran[0], aborts, checked, reported

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for program, status, aborts, checked, reported in pool.map(one, list(tests(arguments.tests))):
                counts["not run" if status is None else f"status {status}", str(aborts)] += 1
                is_wrong = aborts == "ERROR" or (aborts, status) == ("FALSE", 0) or (aborts, status) == ("TRUE", -6)
                if is_wrong or checked == "FALSE" and reported is not None and not reported[1]:
                    wrong.append(f"{program.relative_to(arguments.tests)}: status {status}, here {aborts}, checks {checked}")
    for (status, found), number in sorted(counts.items()):
        print(f"{number:5} {status:12} {found}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
