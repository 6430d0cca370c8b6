#!/usr/bin/env python3
"""Runs the evidence of a set of tasks: verdict, witness, harness; prints a table and the exceptions.

    tests/dev/evidence.py --binary target/release/provident --tasks DIR --index DIR/core.tsv [--filter TEXT] [--verdict false]

An index is a table with the columns task, property, expected. Every run has its own limit of processor seconds.
"""

import argparse
import csv
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time


def limited(memory):
    def set_limits():
        resource.setrlimit(resource.RLIMIT_AS, (memory << 20, memory << 20))

    return set_limits


def call(command, seconds, memory):
    start = time.time()
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=6 * seconds + 20,
            preexec_fn=limited(memory),
        )
        out = done.stdout.decode(errors="replace")
        return out, done.returncode, time.time() - start
    except subprocess.TimeoutExpired:
        return "timeout", -1, time.time() - start


def last_line(text, word):
    lines = [line for line in text.splitlines() if line.startswith(word)]
    return lines[-1][len(word) :].strip() if lines else "none"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--tasks", required=True, type=pathlib.Path)
    parser.add_argument("--index", required=True, type=pathlib.Path)
    parser.add_argument("--filter", default="")
    parser.add_argument("--verdict", choices=["true", "false"])
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--memory", type=int, default=9000)
    parser.add_argument("--every", type=int, default=1, help="take every N-th task")
    parser.add_argument("--offset", type=int, default=0, help="begin with this one")
    parser.add_argument("--witness", action="store_true", help="validate the witnesses")
    parser.add_argument("--check", action="store_true", help="verify with --check")
    parser.add_argument("--keep", type=pathlib.Path, help="keep the files in this folder")
    parser.add_argument("arguments", nargs="*", help="more arguments of verify")
    options = parser.parse_args()
    rows = list(csv.DictReader(options.index.open(), delimiter="\t"))
    rows = [row for row in rows if options.filter in row["task"]]
    if options.verdict:
        rows = [row for row in rows if row["expected"] == options.verdict]
    rows = rows[options.offset :: options.every]
    counts = {}
    exceptions = []

    def count(what):
        counts[what] = counts.get(what, 0) + 1

    cpu = 0.0
    with tempfile.TemporaryDirectory() as scratch:
        for number, row in enumerate(rows):
            folder = (options.keep or pathlib.Path(scratch)) / str(number)
            task = options.tasks / row["task"]
            command = [options.binary, "verify", str(task), "--cpu-limit", str(options.seconds), "--out", str(folder)]
            if (options.tasks / "properties" / (row["property"] + ".prp")).exists():
                command += ["--property", str(options.tasks / "properties" / (row["property"] + ".prp"))]
            command += ["--check"] if options.check else []
            out, status, seconds = call(command + options.arguments, options.seconds, options.memory)
            report = folder / "report.json"
            cpu += json.loads(report.read_text())["resources"]["cpu_s"] if report.exists() else seconds
            verdict = last_line(out, "VERDICT:")
            word = verdict.split(" ")[0]
            count("verdict " + word)
            if options.check:
                for line in re.findall(r"^(?:HARNESS|CHECK)[^\n]*", out, re.M):
                    kind = " ".join(line.split(":")[0].split(" ")[:1]) + ": " + line.split(": ", 1)[1].split(" (")[0]
                    count(kind)
                    if "reaches the violation" not in line and "checks passed" not in line:
                        exceptions.append((row["task"], line))
            if word in ("TRUE", "FALSE") and word.lower() != row["expected"]:
                exceptions.append((row["task"], "verdict " + word + " is not the recorded one"))
            if word == "TRUE":
                proof(options, row, folder, count, exceptions)
            if options.witness and word in ("TRUE", "FALSE"):
                witness = list(folder.glob("witness*.yml"))
                if not witness:
                    count(word + " witness none")
                    exceptions.append((row["task"], "no witness"))
                else:
                    command = [options.binary, "check", str(task), str(witness[0]), "--cpu-limit", str(options.seconds)]
                    command += [a for pair in zip(["--property"], command_property(options, row)) for a in pair]
                    out, status, seconds = call(command, options.seconds, options.memory)
                    answer = last_line(out, "WITNESS:")
                    count(word + " witness " + answer.split(" ")[0])
                    if answer != "CONFIRMED":
                        exceptions.append((row["task"], "witness " + answer[:150] + " (%.1f s)" % seconds))
            print("%4d %-8s %s" % (number, word, row["task"]), file=sys.stderr)
    for what in sorted(counts):
        print("%-50s %5d" % (what, counts[what]))
    print("%-50s %7.1f" % ("processor seconds of the verifications", cpu))
    for task, what in exceptions:
        print("  %s: %s" % (task, what))


def proof(options, row, folder, count, exceptions):
    """Discharges the obligations of what holds, by the path of its own that `provident discharge` is."""
    report = folder / "report.json"
    told = (json.loads(report.read_text()).get("proof") if report.exists() else None) or {}
    if not told.get("folder"):
        count("TRUE proof none")
        reasons = "; ".join(sorted({why for _, why in told.get("without", [])})) or "cut by a limit"
        exceptions.append((row["task"], "no proof: " + reasons[:150]))
        return
    out, status, seconds = call([options.binary, "discharge", str(folder / told["folder"])], options.seconds, options.memory)
    count("TRUE proof discharged" if status == 0 else "TRUE proof open")
    if status != 0:
        exceptions.append((row["task"], "proof " + out[:200].replace("\n", " ") + " (%.1f s)" % seconds))


def command_property(options, row):
    file = options.tasks / "properties" / (row["property"] + ".prp")
    return [str(file)] if file.exists() else []


if __name__ == "__main__":
    main()
