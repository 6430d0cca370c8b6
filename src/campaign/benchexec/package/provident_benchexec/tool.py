"""Provident for BenchExec: `<benchmark tool="provident_benchexec.tool">`, with this package on PYTHONPATH or installed.

Columns: `<column title="..."/>` takes the name of a counter as `provident verify --statistics` prints it ("refinements", "solver ticks"), or `reason`, the stable code of
an UNKNOWN.
"""

import os
import re

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for Provident, a software model checker for C."""

    REQUIRED_PATHS = ["provident"]

    def name(self):
        return "Provident"

    def executable(self, tool_locator):
        return tool_locator.find_executable("provident")

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="provident")

    def program_files(self, executable):
        return [executable]

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "verify", "--statistics"]
        if task.property_file:
            option = "--spec" if task.property_file.endswith(".spc") else "--property"
            command += [option, task.property_file]
        given = " ".join(options)
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model and "--data-model" not in options:
            command += ["--data-model", model]
        # BenchExec kills at its limits; the tool's own ones, below them, give an answer and statistics.
        if rlimits.cputime and "--cpu-limit" not in given:
            command += ["--cpu-limit", str(max(1, rlimits.cputime - 2))]
        if rlimits.memory and "--memory-limit" not in given:
            command += ["--memory-limit", str(rlimits.memory * 95 // 100 // 1000000)]
        if rlimits.cpu_cores and "--threads" not in given:
            command += ["--threads", str(rlimits.cpu_cores)]
        # The witnesses lie in the folder of --out, which BenchExec collects: <resultfiles>output/*.yml</resultfiles> with <option name="--out">output</option>.
        return command + list(options) + list(task.input_files)

    def determine_result(self, run):
        verdict = None
        for line in run.output:
            if line.startswith("VERDICT: "):
                verdict = line[len("VERDICT: "):].strip()
        if verdict == "TRUE":
            return result.RESULT_TRUE_PROP
        if verdict == "FALSE":
            return self._part(run) or self._violation(run)
        if verdict and verdict.startswith("UNKNOWN"):
            code = self._code(verdict)
            words = {"cpu-limit": "TIMEOUT", "wall-limit": "TIMEOUT", "tick-limit": "TIMEOUT", "memory-limit": "OUT OF MEMORY"}
            if code in words:
                return words[code]
            if code == "internal-error":
                return result.RESULT_ERROR + "(internal-error)"
            return f"{result.RESULT_UNKNOWN}({code})" if code else result.RESULT_UNKNOWN
        if run.exit_code.value == 3:
            return result.RESULT_ERROR + "(bad-input)"
        return result.RESULT_ERROR

    @staticmethod
    def _part(run):
        """The part of memory safety that is violated, as the competition names it."""
        for line in run.output:
            found = re.match(r"PROPERTY [^ ]*/(valid-[a-z]+): FALSE", line)
            if found:
                return f"{result.RESULT_FALSE_PROP}({found[1]})"
        return None

    def _violation(self, run):
        """The name that the competition gives to the property of the run."""
        for position, word in enumerate(run.cmdline):
            if word in ("--property", "--spec") and position + 1 < len(run.cmdline):
                name = os.path.splitext(os.path.basename(run.cmdline[position + 1]))[0]
                return f"{result.RESULT_FALSE_PROP}({name})"
        return result.RESULT_FALSE_PROP

    @staticmethod
    def _code(verdict):
        found = re.match(r"UNKNOWN \(([a-z-]+)\)", verdict)
        return found[1] if found else ""

    def get_value_from_output(self, output, identifier):
        if identifier == "reason":
            for line in output:
                if line.startswith("VERDICT: "):
                    return self._code(line[len("VERDICT: "):])
            return ""
        for line in output:
            found = re.match(r"\s+" + re.escape(identifier) + r"\s\s*(\d+)\s*$", line)
            if found:
                return found[1]
        return ""
