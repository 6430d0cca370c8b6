#!/usr/bin/env python3
"""The cost of a large experiment in its own process: a journal with all its runs is made, and the experiment goes on with it, which reads the journal, finds nothing to run, and writes tables and page.

    tests/dev/large.py PROVIDENT [RUNS [FOLDER]]

The journal is made by running the first task and copying its records: every run has its own name, times and counters. Some runs are UNKNOWN, some died. The page stays in FOLDER, if it is given, for `page.mjs`. The last line says the greatest
resident memory and the processor time.
"""

import copy
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

binary = os.path.abspath(sys.argv[1])
runs = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
kept = os.path.abspath(sys.argv[3]) if len(sys.argv) > 3 else None
folder = tempfile.mkdtemp(prefix="provident-large-")
os.chdir(folder)
configurations = ["multi", "single"]
tasks = runs // len(configurations)
name = "drivers-linux-{:06}-staging-module-{:06}"
for number in range(tasks):
    stem = name.format(number // 1000, number)
    with open(stem + ".c", "w") as file:
        file.write("extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) { int n = __VERIFIER_nondet_int(), i = 0; if (n < 0) return 0; while (i < n) i++; if (i != n) reach_error(); return 0; }\n")
    with open(stem + ".yml", "w") as file:
        file.write(f"format_version: '2.0'\ninput_files: {stem}.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: LP64\n")
open("p.prp", "w").write("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
open("all.set", "w").write("*.yml\n")
counters = ["iterations", "targets", "provident refinements", "refinements", "predicates", "explored states", "merges", "abstractions", "refinement ticks", "solver ticks"]
lines = [f'name = "large"\ntitle = "A large experiment"\nevaluation = "provident"\narguments = "--threads 1"\ncounters = {json.dumps(counters)}\n[limits]\ncpu = 60\n']
lines += [f'[[configuration]]\nname = "{c}"\narguments = "--refine {c}"\n' for c in configurations]
open("e.toml", "w").write("".join(lines))
command = [binary, "study", "e.toml", "all.set", "--out", "out"]
journal = "out/journal.jsonl"
process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while not os.path.exists(journal) or sum(line.startswith('{"run"') for line in open(journal)) < len(configurations):
    time.sleep(0.05)
process.kill()
process.wait()
text = open(journal).read()
given = [json.loads(line) for line in text[: text.rindex("\n")].split("\n")]
samples = {line["run"]["configuration"]: line["run"] for line in given if "run" in line}
random.seed(7)
with open(journal, "w") as file:
    for line in given:
        if "run" not in line:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")
    for number in range(tasks):
        for configuration in configurations:
            run = copy.deepcopy(samples[configuration])
            run["task"] = name.format(number // 1000, number) + ".yml"
            factor = random.lognormvariate(0, 1)
            for key in ("cpu_s", "wall_s", "memory_mb"):
                run[key] = round(run[key] * factor, 4)
            run["ticks"] = int(run["ticks"] * factor)
            run["statistics"] = {key: int(value * factor) for key, value in run["statistics"].items()}
            if number % 9 == 4:
                run["verdict"], run["reason_code"] = "unknown", "cpu-limit"
                run["reason"] = f"CPU time limit reached after {run['ticks']} ticks"
                run["properties"][0].update(verdict="unknown", reason_code="cpu-limit", reason=run["reason"])
            if number % 99 == 7:
                run.update(verdict="none", reason_code="process-died", reason="signal 9: it said nothing", properties=[], statistics={}, ended="signal 9")
                run.pop("reported", None)
            file.write(json.dumps({"run": run}, separators=(",", ":")) + "\n")
before = resource.getrusage(resource.RUSAGE_CHILDREN)
pid = os.posix_spawn(binary, command, os.environ, file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
_, status, usage = os.wait4(pid, 0)
assert status == 0, status
size = lambda file: os.path.getsize(os.path.join("out", file)) / 2**20
print(f"{runs} runs: {usage.ru_maxrss / 1024:.0f} MB at most, {usage.ru_utime + usage.ru_stime:.2f} s CPU; journal {size('journal.jsonl'):.1f} MB, page {size('index.html'):.1f} MB, table {size('runs.csv'):.1f} MB")
if kept:
    shutil.copytree("out", kept, dirs_exist_ok=True)
shutil.rmtree(folder)
