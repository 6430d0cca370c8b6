#!/usr/bin/env python3
"""Verifies functions of released C libraries with harnesses of ours, and compares with what is known about each.

    tests/dev/projects/run.py PROVIDENT CACHE [--confirm] [--only TEXT] [--cpu-limit S] [--jobs N]

cargo downloads the sources of `index.toml` into the folder CACHE; a later run finds them there and needs no network. Each harness is verified with its units. The table has the expected and the actual
verdict, the processor time in seconds and the reason of an UNKNOWN; the last line sums it up. Exit status 1 if a verdict is wrong.

`--confirm` asks gcc instead of the verifier: each harness is compiled with its units (with sanitizers if operations are checked) and runs. One that is violated has to fail with the inputs of the index; one that
holds must not fail with many random inputs. `--only` takes the harnesses whose PROJECT/FILE holds TEXT.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
RANDOM_RUNS = 300

DRIVER = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static const long long inputs[] = { %(inputs)s 0 };
static unsigned long taken, seed, allocations;
static unsigned long long next(void)
{
    unsigned long at = taken++;
    if (!seed)
        return at < sizeof inputs / sizeof *inputs ? (unsigned long long)inputs[at] : 0;
    unsigned long r = 0;
    for (int i = 0; i < 8; i++)
        r = r << 8 | (rand() >> 7 & 255);
    /* Every other run has small inputs only, which pass assumptions more often. */
    switch (seed %% 2 ? 4 : rand() %% 4) {
    case 0: return r;
    case 1: return r & 7;
    case 2: return r & 0x7f;
    case 3: return -(r & 15);
    default: return r & 3;
    }
}
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
void __VERIFIER_assume(int holds)
{
    if (!holds)
        _Exit(77);
}
static int fails(void) { return ++allocations == %(failing)s; }
void *__real_malloc(size_t), *__real_calloc(size_t, size_t);
void *__wrap_malloc(size_t n) { return fails() ? NULL : __real_malloc(n); }
void *__wrap_calloc(size_t n, size_t m) { return fails() ? NULL : __real_calloc(n, m); }
__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("HARNESS_SEED");
    seed = text ? strtoul(text, NULL, 10) : 0;
    srand((unsigned)seed);
}
"""


def harnesses(text):
    """All harnesses of the index whose PROJECT/FILE holds `text`, each with its project and with the project's units and flags where it has none."""
    with open(os.path.join(HERE, "index.toml"), "rb") as file:
        projects = tomllib.load(file)["project"]
    found = []
    for project in projects:
        for harness in project["harness"]:
            name = f"{project['name']}/{harness['file']}"
            if text in name:
                found.append({"units": project["units"], **harness, "name": name, "project": project, "flags": project.get("flags", []) + harness.get("flags", [])})
    return projects, found


def fetch(projects, cache):
    """The folder of each crate's sources in `cache`. What is not there is downloaded by cargo, which compares it with the registry's checksum; here it is compared with ours."""
    sources = os.path.join(cache, "sources")
    folders = {project["name"]: os.path.join(sources, f"{project['crate']}-{project['version']}") for project in projects}
    if not all(os.path.isdir(folder) for folder in folders.values()):
        os.makedirs(os.path.join(cache, "src"), exist_ok=True)
        open(os.path.join(cache, "src", "lib.rs"), "w").close()
        with open(os.path.join(cache, "Cargo.toml"), "w") as file:
            file.write('[package]\nname = "sources"\nversion = "0.0.0"\nedition = "2021"\n\n[workspace]\n\n[dependencies]\n')
            for project in projects:
                file.write(f'{project["crate"]} = {{ version = "={project["version"]}", default-features = false }}\n')
        subprocess.run(["cargo", "vendor", "--quiet", "--versioned-dirs", "sources"], cwd=cache, check=True, stdout=subprocess.DEVNULL)
    for project in projects:
        with open(os.path.join(folders[project["name"]], ".cargo-checksum.json")) as file:
            actual = json.load(file)["package"]
        if actual != project["sha256"]:
            sys.exit(f"{project['crate']} {project['version']} has the checksum {actual}, the index has {project['sha256']}")
    return folders


def compilation(harness, folders):
    """The files of a harness, and the options with which they are preprocessed."""
    project = harness["project"]
    root = os.path.join(folders[project["name"]], project["root"])
    files = [os.path.join(HERE, harness["name"])] + [os.path.join(root, unit) for unit in harness["units"]]
    include = ["-I", os.path.join(HERE, project["name"])]
    for folder in project["include"]:
        include += ["-I", os.path.normpath(os.path.join(root, folder))]
    return files, include + harness["flags"]


def run(command, environment=None):
    """Runs `command` and returns its exit status, its output, and its processor time in seconds."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", env=environment)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, usage.ru_utime + usage.ru_stime


def verify(harness, folders, arguments):
    files, options = compilation(harness, folders)
    command = [os.path.abspath(arguments.provident), "verify", *files, *options, "--cpu-limit", str(arguments.cpu_limit), "--threads", "1", *harness.get("options", [])]
    if "checks" in harness:
        command += ["--checks", harness["checks"]]
    _, output, seconds = run(command)
    verdict = re.search(r"^VERDICT: (\w+)\s*(.*)$", output, re.MULTILINE)
    if verdict:
        return verdict[1], verdict[2], seconds
    return "ERROR", (output.strip().splitlines() or ["no output"])[0], seconds


def confirm(harness, folders, cache):
    """What the compiled harness does: the text `as expected`, or what is not."""
    files, options = compilation(harness, folders)
    stem = os.path.join(cache, "confirm", harness["name"].replace("/", "-").removesuffix(".c"))
    os.makedirs(os.path.dirname(stem), exist_ok=True)
    with open(stem + "-driver.c", "w") as file:
        file.write(DRIVER % {"inputs": "".join(f"{value}LL, " for value in harness.get("inputs", [])), "failing": harness.get("failing", 0)})
    # Functions of the library outside of the units are not called: nothing has to define them.
    command = ["gcc", "-g", "-w", "-ffunction-sections", "-no-pie", "-Wl,--gc-sections,--wrap=malloc,--wrap=calloc,--unresolved-symbols=ignore-all", *options, *files, stem + "-driver.c", "-lm", "-o", stem]
    if "checks" in harness:
        command += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    status, output, _ = run(command)
    if status:
        return "gcc: " + output.strip().splitlines()[0]
    if harness["expected"] == "FALSE":
        status, output, _ = run([stem])
        said = re.search(r"Assertion|runtime error|AddressSanitizer|LeakSanitizer", output)
        return "as expected" if status not in (0, 77) and said else f"status {status}: {output.strip()[:200]}"
    inside = 0
    for seed in range(1, RANDOM_RUNS + 1):
        status, output, _ = run([stem], {**os.environ, "HARNESS_SEED": str(seed)})
        if status not in (0, 77):
            return f"seed {seed}, status {status}: {output.strip()[:200]}"
        inside += status == 0
    return "as expected" if inside else "no random inputs fit the assumptions"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("provident")
    parser.add_argument("cache")
    parser.add_argument("--confirm", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--cpu-limit", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=1)
    arguments = parser.parse_args()
    cache = os.path.abspath(arguments.cache)
    projects, chosen = harnesses(arguments.only)
    folders = fetch(projects, cache)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.confirm:
            differ = 0
            for harness, said in zip(chosen, pool.map(lambda harness: confirm(harness, folders, cache), chosen)):
                print(f"{harness['name']:32} {harness['expected']:5}  {said}", flush=True)
                differ += said != "as expected"
            print(f"as expected {len(chosen) - differ} of {len(chosen)}")
            return 1 if differ else 0
        right = wrong = unknown = 0
        print(f"{'harness':32} {'checks':28} {'expected':8} {'verdict':8} {'CPU s':>6}  reason")
        for harness, (verdict, reason, seconds) in zip(chosen, pool.map(lambda harness: verify(harness, folders, arguments), chosen)):
            print(f"{harness['name']:32} {harness.get('checks', 'assertions'):28} {harness['expected']:8} {verdict:8} {seconds:6.1f}  {reason}", flush=True)
            if verdict == harness["expected"]:
                right += 1
            elif verdict in ("TRUE", "FALSE"):
                wrong += 1
            else:
                unknown += 1
    print(f"right {right} of {len(chosen)}, wrong {wrong}, unknown {unknown}")
    return 1 if wrong else 0


sys.exit(main())
