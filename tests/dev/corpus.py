"""Questions about the programs of a corpus: the arguments of a script that asks them, and a verdict."""

import argparse
import pathlib
import re
import subprocess


def read_arguments(text):
    """The arguments of a script with this docstring."""
    parser = argparse.ArgumentParser(description=text.split("\n")[0])
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--tests", type=pathlib.Path, required=True)
    parser.add_argument("--cpu-limit", type=int, default=5)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    arguments.binary = arguments.binary.resolve()
    return arguments


def verdict(arguments, program, more):
    command = [arguments.binary, "verify", program, "-I", program.parent, "--threads", "1", "--cpu-limit", str(arguments.cpu_limit), *more]
    run = subprocess.run(list(map(str, command)), capture_output=True, text=True, errors="replace", timeout=60 + 10 * arguments.cpu_limit)
    found = re.findall(r"^VERDICT: (\w+)", run.stdout, re.M)
    return found[-1] if found else "ERROR"
