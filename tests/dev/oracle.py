#!/usr/bin/env python3
"""Holds two builds against each other: runs repeat exactly, so a change that is none of behaviour leaves every report equal.

    tests/dev/oracle.py record BINARY FOLDER [--tasks DIR] [--number N] [--ticks N] [--jobs N]
    tests/dev/oracle.py compare FOLDER FOLDER

`record` verifies the programs of tests/programs and tests/specifications and, where there is a folder of tasks with an index, N of these, each
with and without `--out`, under a limit on ticks. It keeps a text for each: the report without times and versions, then the files of `--out`.
`compare` prints which texts differ, and the first lines of each difference.
"""

import argparse
import concurrent.futures
import csv
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Keys of reports that tell when, where and by which build a report was made.
OF_THE_RUN = {"resources", "provident", "options", "configuration", "solver", "uuid", "creation_time", "version"}

# Seconds after which a run is given up. Ticks end almost all of them long before.
PATIENCE = 60


def shipped():
    """Name and arguments of each program in the tests that states its property."""
    for file in sorted((ROOT / "tests/programs").rglob("*.c")):
        heads = re.findall(r"^//# (call|label) ([^:\n]+): ", file.read_text(), re.M)
        model = re.search(r"^//# data-model (\w+)", file.read_text(), re.M)
        formulas = [f"CHECK( init(main()), LTL(G ! {kind}({name}{'()' if kind == 'call' else ''})) )" for kind, name in heads]
        if formulas:
            more = ["--data-model", model[1]] if model else []
            yield str(file.relative_to(ROOT / "tests")), [str(file), *more], formulas
    for file in sorted((ROOT / "tests/specifications").glob("*.c")):
        rule = re.match(r"rule_(\w+?_\w+)_(true|false)$", file.stem)
        specification = file.with_name(file.stem.split("_")[0] + ".spc")
        name = str(file.relative_to(ROOT / "tests"))
        if rule:
            yield name, [str(file), "--rule", rule[1]], []
        elif specification.exists():
            yield name, [str(file), "--spec", str(specification)], []


def tasks(folder, number):
    with open(folder / "index.tsv", newline="") as index:
        rows = list(csv.DictReader(index, delimiter="\t"))
    step = max(1, len(rows) // number)
    for row in rows[step // 2 :: step][:number]:
        yield row["task"], [str(folder / row["task"])], []


def without_the_run(value):
    if isinstance(value, dict):
        return {key: without_the_run(inner) for key, inner in value.items() if key not in OF_THE_RUN}
    if isinstance(value, list):
        return [without_the_run(inner) for inner in value]
    return value


def run(binary, arguments, formulas, ticks, with_files):
    """The text of one run."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        for number, formula in enumerate(formulas):
            (scratch / f"p{number}.prp").write_text(formula)
            arguments = [*arguments, "--property", str(scratch / f"p{number}.prp")]
        out = scratch / "out"
        command = [binary, "verify", *arguments, "--json", "--ticks", str(ticks), "--threads", "1"]
        command += ["--out", str(out)] if with_files else []
        environment = {**os.environ, "SOURCE_DATE_EPOCH": "0"}
        try:
            done = subprocess.run(
                command, capture_output=True, env=environment, stdin=subprocess.DEVNULL, timeout=PATIENCE
            )
        except subprocess.TimeoutExpired:
            return "not finished"
        texts = [f"exit {done.returncode}"]
        try:
            texts.append(json.dumps(without_the_run(json.loads(done.stdout)), indent=1))
        except ValueError:
            texts.append((done.stdout + done.stderr).decode(errors="replace"))
        files = sorted(out.rglob("*")) if with_files else []
        for file in files:
            if file.suffix in {".yml", ".jsonl", ".c", ".smt2"} and file.is_file():
                texts.append(f"== {file.relative_to(out)}\n{file.read_text(errors='replace')}")
        text = "\n".join(texts).replace(str(scratch), "FOLDER")
        return re.sub(r"(uuid|creation_time|version): .*", r"\1: -", text)


def record(options):
    binary = str(pathlib.Path(options.binary).resolve())
    if options.folder.exists():
        shutil.rmtree(options.folder)
    options.folder.mkdir(parents=True)
    cases = list(shipped())
    if (options.tasks / "index.tsv").exists():
        cases += tasks(options.tasks, options.number)
    runs = [(case, with_files) for case in cases for with_files in (False, True)]

    def keep(job):
        (name, arguments, formulas), with_files = job
        text = run(binary, arguments, formulas, options.ticks, with_files)
        file = name.replace("/", "-") + (".out" if with_files else "")
        (options.folder / file).write_text(text)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(keep, runs))
    print(f"{len(runs)} runs of {len(cases)} programs")


def compare(options):
    before, after = ({file.name: file.read_text() for file in folder.iterdir()} for folder in (options.before, options.after))
    differing = [name for name in sorted(before.keys() | after.keys()) if before.get(name) != after.get(name)]
    for name in differing:
        lines = difflib.unified_diff(
            before.get(name, "").splitlines(), after.get(name, "").splitlines(), "before", "after", lineterm="", n=0
        )
        print(f"{name}:")
        print("\n".join(f"    {line[:160]}" for line in list(lines)[2:10]))
    print(f"{len(before.keys() | after.keys())} runs compared, {len(differing)} differ")
    return 1 if differing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    recorder = commands.add_parser("record")
    recorder.add_argument("binary")
    recorder.add_argument("folder", type=pathlib.Path)
    recorder.add_argument("--tasks", type=pathlib.Path, default=ROOT.parent / "shared/tasks")
    recorder.add_argument("--number", type=int, default=150)
    recorder.add_argument("--ticks", type=int, default=3_000_000)
    recorder.add_argument("--jobs", type=int, default=1)
    recorder.set_defaults(do=record)
    comparer = commands.add_parser("compare")
    comparer.add_argument("before", type=pathlib.Path)
    comparer.add_argument("after", type=pathlib.Path)
    comparer.set_defaults(do=compare)
    options = parser.parse_args()
    sys.exit(options.do(options))


if __name__ == "__main__":
    main()
