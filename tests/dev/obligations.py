"""Discharges proof obligations by three solvers: ours, z3 and cvc5.

    python tests/dev/obligations.py PROVIDENT TASKS [COUNT] [FOLDER]

PROVIDENT is the binary, TASKS a folder with `core.tsv` (columns task, property, expected verdict). The first COUNT (60) tasks that are answered
TRUE have their obligations written to FOLDER (a temporary one) and discharged. Needs the packages `z3-solver` and `cvc5`. Prints a line for each task and one with the sums; the exit
status says whether all obligations were discharged by all three.
"""

import csv
import json
import pathlib
import subprocess
import sys
import tempfile

SECONDS = 20


def z3_answers(text):
    import z3

    solver = z3.Solver()
    solver.set("timeout", SECONDS * 1000)
    solver.from_string(text)
    return str(solver.check())


def cvc5_answers(text):
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(SECONDS * 1000))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols = parser.getSymbolManager()
    answer = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            return answer.strip()
        answer += command.invoke(solver, symbols)


def main():
    binary, tasks = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    folder = pathlib.Path(sys.argv[4] if len(sys.argv) > 4 else tempfile.mkdtemp())
    rows = list(csv.DictReader(open(tasks / "core.tsv"), delimiter="\t"))
    totals = {"tasks": 0, "with": 0, "obligations": 0, "ours": 0, "z3": 0, "cvc5": 0}
    for number, row in enumerate(row for row in rows if row["expected"] == "true"):
        if totals["tasks"] == count:
            break
        out = folder / str(number)
        command = [binary, "verify", row["task"], "--cpu-limit", "5", "--out", str(out)]
        run = subprocess.run(command, cwd=tasks, capture_output=True, text=True)
        if not run.stdout.endswith("VERDICT: TRUE\n"):
            continue
        totals["tasks"] += 1
        report = json.load(open(out / "report.json"))
        proof = report.get("proof") or {}
        if not proof.get("folder"):
            print(f"{row['task']}: no obligations: {proof.get('without')}", flush=True)
            continue
        totals["with"] += 1
        scripts = sorted((out / proof["folder"]).glob("*.smt2"))
        ours = subprocess.run([binary, "discharge", str(out / proof["folder"])], capture_output=True, text=True)
        good = {"ours": len(scripts) if ours.returncode == 0 else 0, "z3": 0, "cvc5": 0}
        for script in scripts:
            text = script.read_text()
            for name, answers in (("z3", z3_answers), ("cvc5", cvc5_answers)):
                answer = answers(text)
                good[name] += answer == "unsat"
                if answer != "unsat":
                    print(f"{script}: {name} says {answer}", flush=True)
        totals["obligations"] += len(scripts)
        for name, number_good in good.items():
            totals[name] += number_good
        print(f"{row['task']}: {len(scripts)} obligations, discharged {good}", flush=True)
    print(totals)
    return 0 if all(totals[name] == totals["obligations"] for name in ("ours", "z3", "cvc5")) else 1


if __name__ == "__main__":
    sys.exit(main())
