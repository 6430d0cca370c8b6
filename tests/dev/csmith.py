#!/usr/bin/env python3
"""Verdicts on programs of csmith (Yang, Chen, Eide, Regehr, PLDI 2011), against gcc.

    tests/dev/csmith.py --binary target/release/provident [--number 300] [--seed 1] [--keep DIR]

A program of csmith has no inputs, and passes the values of its global variables to `transparent_crc`. It is built without optimisation and with
sanitizers, and once more with optimisation; where both builds end, print the same and no sanitizer complains, the numbers are the truth.
Two claims are made of each program: one about its checksum, for which everything counts, and one about a single value, from which slices leave
something out and which formulas can decide. Each holds or is violated, by turns. UNKNOWN is never wrong; a refused program is.
Needs csmith with its headers (`apt-get install csmith libcsmith-dev`) and gcc.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILDS = [
    ["-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"],
    ["-O2"],
]
LIMITS = ["--threads", "1", "--ticks", "1000000", "--cpu-limit", "60"]
SETTINGS = {"ideal.ticks": "150000", "explicit.steps": "500000", "concrete.steps": "50000000"}
CONFIGURATIONS = {
    "default": ([], {}),
    "explicit=off": ([], {"explicit": "off"}),
    "slice=off": ([], {"slice": "off", "concrete.steps": "0"}),
}
# No formula gets through the checksum: these are asked for single values only.
FORMULAS = {"explicit=off", "single", "ideal off"}
# Each program is asked in one of these too.
OTHERS = {
    "explored": ([], {"concrete.steps": "0"}),
    "single": (["--refine", "single"], {"explicit": "off", "ideal.ticks": "0"}),
    "ideal off": ([], {"ideal.ticks": "0", "explicit.steps": "2000", "concrete.steps": "0"}),
    "check": (["--check"], {}),
}
# What csmith makes, from small to large.
SHAPES = [
    ["--max-funcs", "1", "--max-block-depth", "1", "--max-block-size", "3", "--max-expr-complexity", "2", "--no-arrays"],
    ["--max-funcs", "1", "--max-block-depth", "2", "--max-block-size", "3", "--max-expr-complexity", "3", "--max-array-dim", "1", "--max-array-len-per-dim", "4"],
    ["--max-funcs", "2", "--max-block-depth", "3", "--max-expr-complexity", "5", "--max-array-dim", "2", "--max-array-len-per-dim", "5", "--packed-struct"],
    ["--max-funcs", "4", "--max-pointer-depth", "4", "--builtins"],
    [],
]
# Every value that is hashed is printed; then the checksum is.
OBSERVED = """
#define transparent_crc(v, n, f) (printf("%lld\\n", (long long)(v)), (transparent_crc)((v), (n), 0))
#define platform_main_end(c, f) printf("%u\\n", (unsigned)(c))
"""
CHECKSUM = """
extern void reach_error(void);
#define platform_main_end(c, f) do {{ if ((unsigned)(c) {operator} {value}u) reach_error(); }} while (0)
"""
# Nothing is hashed: only the value counts, at the right one of the calls.
SINGLE = """
extern void reach_error(void);
static int seen_calls;
#define transparent_crc(v, n, f) do {{ if (seen_calls++ == {call} && (long long)(v) {operator} {value}) reach_error(); }} while (0)
#define crc32_gentab()
#define platform_main_end(c, f)
"""


def generate(folder, seed):
    shape = SHAPES[seed % len(SHAPES)]
    done = subprocess.run(["csmith", "--seed", str(seed), "--no-argc", *shape], cwd=folder, stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def with_macros(text, macros):
    return text.replace('#include "csmith.h"', '#include "csmith.h"\n' + macros, 1)


def truth(folder, include, text):
    """The numbers that the program prints, or None where its behaviour is not defined, or where it takes long."""
    source = folder / "observed.c"
    source.write_text(with_macros(text, OBSERVED))
    outputs = []
    for options in BUILDS:
        built = subprocess.run(["gcc", "-w", f"-I{include}", *options, "-o", folder / "observed", source], stderr=subprocess.DEVNULL)
        # Some builtins are there for some processors only.
        if built.returncode != 0:
            return None
        try:
            done = subprocess.run([folder / "observed"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=3)
        except subprocess.TimeoutExpired:
            return None
        if done.returncode != 0:
            return None
        outputs.append([int(line) for line in done.stdout.split()])
    return outputs[0] if outputs[0] == outputs[1] else None


def claims(seed, numbers):
    """For each claim its kind, its macros, and whether it holds."""
    turn = seed // len(SHAPES)
    holds = turn % 2 == 0
    yield "checksum", CHECKSUM.format(operator="!=" if holds else "==", value=numbers[-1]), holds
    if len(numbers) > 1:
        holds = turn % 3 == 0
        call = seed * 7 % (len(numbers) - 1)
        number = numbers[call]
        value = f"{number}ll" if number > -(2**63) else "(-9223372036854775807ll - 1)"
        yield "value", SINGLE.format(operator="!=" if holds else "==", value=value, call=call), holds


def ask(binary, file, options, settings):
    chosen = SETTINGS | settings
    sets = [word for key, value in chosen.items() for word in ["--set", f"{key}={value}"]]
    prop = ROOT / "tests/programs/unreach-call.prp"
    command = [binary, "verify", file, "--property", prop, *LIMITS, *options, *sets]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    lines = (done.stdout if done.returncode < 3 else done.stderr).decode(errors="replace").strip().split("\n")
    return done.returncode, lines[-1 if done.returncode < 3 else 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", required=True)
    parser.add_argument("--include", default="/usr/include/csmith", help="the folder of csmith.h")
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for programs with wrong answers")
    arguments = parser.parse_args()
    rows = collections.defaultdict(collections.Counter)
    reasons, undefined, wrong = collections.Counter(), 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(arguments.seed, arguments.seed + arguments.number):
            text = generate(folder, seed)
            numbers = truth(folder, arguments.include, text)
            if numbers is None:
                undefined += 1
                continue
            names = list(OTHERS)
            other = names[seed // len(SHAPES) % len(names)]
            asked = CONFIGURATIONS | {other: OTHERS[other]}
            for kind, macros, holds in claims(seed, numbers):
                source, file = folder / "claim.c", folder / f"{seed}-{kind}.i"
                source.write_text(with_macros(text, macros))
                subprocess.run(["gcc", "-E", "-w", f"-I{arguments.include}", source, "-o", file], check=True)
                for configuration, (options, settings) in asked.items():
                    if kind == "checksum" and configuration in FORMULAS:
                        continue
                    start = time.time()
                    code, line = ask(arguments.binary, file, options, settings)
                    row = rows[configuration, kind]
                    row["seconds"] += time.time() - start
                    if code == 2:
                        row["UNKNOWN"] += 1
                        reasons[re.sub(r"`[^`]*`|/\S*|\d+", "_", line)] += 1
                    elif code == (0 if holds else 1):
                        row["right"] += 1
                    else:
                        row["WRONG"] += 1
                        wrong += 1
                        print(f"seed {seed}, {kind}, {configuration}: exit status {code}, holds: {holds}: {line}", flush=True)
                        if arguments.keep:
                            arguments.keep.mkdir(parents=True, exist_ok=True)
                            (arguments.keep / file.name).write_text(file.read_text())
                file.unlink()
    print(f"{arguments.number} programs, {undefined} left out: their behaviour is not defined, or they take long")
    for (configuration, kind), row in sorted(rows.items()):
        count = row["right"] + row["UNKNOWN"] + row["WRONG"]
        share = 100 * row["right"] / count
        print(f"{configuration:<14} {kind:<9} right {row['right']:>5} UNKNOWN {row['UNKNOWN']:>5} WRONG {row['WRONG']:>3} {share:>6.1f}% {row['seconds']:>8.1f} s")
    for reason, count in reasons.most_common(15):
        print(f"{count:>6} {reason}")
    sys.exit(1 if wrong else 0)


main()
