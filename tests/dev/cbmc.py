#!/usr/bin/env python3
"""Verdicts on the regression tests of CBMC (Clarke, Kroening, Lerda, TACAS 2004), which state what they expect.

    tests/dev/cbmc.py --binary target/release/provident --tests cbmc-6.6.0/regression [--cpu-limit 5] [--jobs 2]

The tests are in CBMC's sources (`apt-get source cbmc` with the sources of Debian testing). A test is a program, options, and lines that the output has to have. A program is asked twice: about
its assertions, and about undefined operations and accesses, which CBMC checks unless it is told otherwise. SUCCESSFUL means that neither is violated, and a failed assertion that the first one is.
Left out are tests whose options change the meaning of the program, programs of several files, and those that need more of CBMC's language than assertions, assumptions and tests of
floating-point values. UNKNOWN is never wrong. Each line of the output has to be looked at: CBMC lets malloc fail, knows no effects of gcc's choices, and has loops cut.
Needs gcc, which says whether a refused program is one of C.
"""

import collections
import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

from corpus import read_arguments, verdict

FOLDERS = ["cbmc", "cbmc-library", "cbmc-incr-oneloop", "acceleration", "book-examples", "k-induction"]
# Options of a test under which the program means something else, or is looked at in part.
OTHER_MEANING = re.compile(
    r"unwind|partial-loops|big-endian|depth|--function|--property|--cover|string-abstraction|nondet-static|16|win32|unsigned-char|"
    r"round-to|error-label|memory-leak|malloc-(may-)?fail|enum-range|nan-check|float-|conversion-check|unsigned-overflow|pointer-overflow|object-bits"
)
FLOATS = "isnan isinf isfinite isnormal".split()
PRELUDE = """#include <assert.h>
extern void reach_error(void);
extern void __VERIFIER_assume(int);
#define __CPROVER_bool _Bool
#define __CPROVER_size_t unsigned long
static void __CPROVER_assert(_Bool holds, const char *text) { if (!holds) reach_error(); }
static void __CPROVER_assume(_Bool holds) { __VERIFIER_assume(holds); }
"""
NONDET = {
    "int": "int", "uint": "unsigned", "unsigned": "unsigned", "long": "long", "ulong": "unsigned long", "char": "char", "uchar": "unsigned char",
    "short": "short", "ushort": "unsigned short", "float": "float", "double": "double", "size_t": "unsigned long",
}  # fmt: skip
CHECKS = "overflow,division,shift,bounds,null,valid-deref,valid-free"
KNOWN = re.compile(r"__CPROVER_(bool|size_t|assert|assume|(isnan|isinf|isfinite|isnormal)(f|d|ld)|sign(f|d|ld))\b")


def expectation(text):
    """What a test expects: of everything, and whether an assertion fails; `None` if it is none of this."""
    if re.search(r"VERIFICATION SUCCESSFUL", text):
        return True
    if re.search(r"assertion\\?\.\d+.*FAIL", text):
        return False
    return None


def tests(root):
    """The tests: name, program, what is expected."""
    for folder in FOLDERS:
        for path in sorted((root / folder).glob("*/*.desc")):
            lines = path.read_text(errors="replace").split("\n--\n")[0].split("\n")
            if len(lines) < 3 or lines[0].split()[:1] != ["CORE"]:
                continue
            program, options = path.parent / lines[1].strip(), lines[2]
            if not program.is_file() or OTHER_MEANING.search(options) or re.search(r"\.c\b", options):
                continue
            text = program.read_text(errors="replace")
            if re.search(r"__CPROVER_\w+", KNOWN.sub("", text)):
                continue
            expected = expectation("\n".join(lines[3:]))
            if expected is not None:
                yield path.relative_to(root), program, expected, bool(re.search(r"no-\S*check", options)), text


def models(text, folder):
    """Definitions of the inputs that a program declares."""
    lines = []
    for name, ty in NONDET.items():
        if re.search(rf"\bnondet_{name}\s*\(", text):
            source = {"unsigned": "uint", "size_t": "ulong"}.get(name, name)
            lines += [f"extern {ty} __VERIFIER_nondet_{source}(void);", f"{ty} nondet_{name}(void) {{ return __VERIFIER_nondet_{source}(); }}"]
    path = folder / f"{abs(hash(text))}.c"
    path.write_text("\n".join(lines) + "\n")
    return path


def main():
    arguments = read_arguments(__doc__)
    counts, wrong = collections.Counter(), []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        prelude = folder / "prelude.h"
        floats = [f"#define __CPROVER_{f}{s}(x) __builtin_{f}(x)\n" for f in FLOATS for s in ("f", "d", "ld")]
        signs = [f"#define __CPROVER_sign{s}(x) (__builtin_signbit(x) != 0)\n" for s in ("f", "d", "ld")]
        prelude.write_text(PRELUDE + "".join(floats + signs))

        def one(test):
            name, program, expected, is_plain, text = test
            head = ["-include", prelude, "--models", models(text, folder)]
            asserted = verdict(arguments, program, head)
            checked = "TRUE" if is_plain or not expected else verdict(arguments, program, [*head, "--checks", CHECKS])
            return name, program, expected, asserted, checked

        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            for name, program, expected, asserted, checked in pool.map(one, list(tests(arguments.tests))):
                counts["SUCCESSFUL" if expected else "FAILED", asserted] += 1
                if asserted == "ERROR":
                    accepted = subprocess.run(["gcc", "-w", "-fsyntax-only", "-include", prelude, program], capture_output=True).returncode == 0
                    is_wrong = accepted
                else:
                    is_wrong = asserted == ("FALSE" if expected else "TRUE") or checked == "FALSE"
                if is_wrong:
                    wrong.append(f"{name}: {'SUCCESSFUL' if expected else 'an assertion fails'}, here {asserted}, checks {checked}")
    for (expected, found), number in sorted(counts.items()):
        print(f"{number:5} {expected:10} {found}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
