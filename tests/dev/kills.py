#!/usr/bin/env python3
"""1,000 tasks in two configurations, killed ten times at random: the journal has to be complete, without a run twice, with processor times that are right.

    tests/dev/kills.py PROVIDENT [TASKS [KILLS [SECONDS]]]

Kills come at random moments at most SECONDS apart. Processor times are compared with what the kernel counts for all children together; what the runs report themselves lacks their start and their end. The last lines say what the experiment's own process took for a run.
"""

import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

binary = os.path.abspath(sys.argv[1])
tasks, kills, most = (int(word) for word in (sys.argv[2:] + ["1000", "10", "1"][len(sys.argv) - 2:]))
folder = tempfile.mkdtemp(prefix="provident-kills-")
os.chdir(folder)
for number in range(tasks):
    with open(f"t{number:04}.c", "w") as file:
        file.write(f"extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {{ int x = __VERIFIER_nondet_int(); if (x == {number} && {int(number % 3 == 0)}) reach_error(); return 0; }}\n")
    with open(f"t{number:04}.yml", "w") as file:
        file.write(f"format_version: '2.0'\ninput_files: t{number:04}.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: {str(number % 3 != 0).lower()}\noptions:\n  language: C\n  data_model: LP64\n")
open("p.prp", "w").write("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
open("all.set", "w").write("t*.yml\n")
open("e.toml", "w").write('name = "kills"\narguments = "--threads 1"\n[limits]\ncpu = 60\n[[configuration]]\nname = "multi"\n[[configuration]]\nname = "single"\narguments = "--refine single"\n')
command = [binary, "study", "e.toml", "all.set", "--out", "out", "--jobs", "2"]
random.seed(7)
killed = 0
for _ in range(kills):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        process.wait(timeout=random.uniform(0.2, most))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        killed += 1
assert killed == kills, f"the experiment was over after {killed} kills; give a smaller SECONDS"
before = sum(line.startswith('{"run"') for line in open("out/journal.jsonl"))
process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
own, children, peak = 0.0, 0.0, "0"
# What the process itself took, without its children: the last reading before it ends.
while process.poll() is None:
    try:
        fields = open(f"/proc/{process.pid}/stat").read().rsplit(")", 1)[1].split()
        own, memory = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), open(f"/proc/{process.pid}/status").read()
        children = (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")
        peak = next((line.split()[1] for line in memory.splitlines() if line.startswith("VmHWM")), None) or peak
    except (OSError, IndexError):
        break
    time.sleep(0.02)
assert process.wait() == 0
runs = [json.loads(line)["run"] for line in open("out/journal.jsonl") if line.startswith('{"run"')]
keys = {(run["task"], run["configuration"]) for run in runs}
assert len(runs) == len(keys) == 2 * tasks, (len(runs), len(keys))
wrong = [run["task"] for run in runs if run["verdict"] != ("false" if int(run["task"][1:5]) % 3 == 0 else "true")]
assert not wrong, wrong[:5]
cpu, reported = sum(run["cpu_s"] for run in runs), sum(run["reported"]["cpu_s"] for run in runs)
print(f"{len(runs)} runs, none twice, none wrong; killed {killed} times; {before} runs were there before the last start")
last = sum(run["cpu_s"] for run in runs[before:])
print(f"processor time of the runs of the last start: {last:.2f} s in the journal, {children:.2f} s that the kernel counts for all children together, {100 * (last / children - 1):+.2f} %")
print(f"processor time by the kernel {cpu:.2f} s, by the runs themselves {reported:.2f} s, {100 * (cpu / reported - 1):+.2f} %")
print(f"the experiment's own process, last start: {1000 * own / max(1, len(runs) - before):.2f} ms for a run, {int(peak) / 1024:.0f} MB; the journal is {os.path.getsize('out/journal.jsonl') / len(runs):.0f} bytes for a run")
shutil.rmtree(folder)
