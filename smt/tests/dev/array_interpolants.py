#!/usr/bin/env python3
"""Interpolants of partitions with arrays, by several solver binaries, side by side.

    array_interpolants.py random COUNT BINARY...    random partitions, where each side stores and reads at indices of its own
    array_interpolants.py swaps CELLS SWAPS BINARY...    two sequences of the same swaps, whose writes come in different orders

Each binary is called as `BINARY FILE.smt2` (an example of the solver is one: `cargo build --profile quick -p provident-smt --example smt2`). The first form counts how many contradictory problems have an answer, the second one takes the time.
The same problems are made on every run. Whether answers are right is checked by `tests/solver/shared_arrays.rs`.
"""

import collections
import random
import subprocess
import sys
import tempfile
import time

LOGICS = {
    "QF_AX": ("(declare-sort I 0)(declare-sort E 0)", "I", "E"),
    "QF_ALIA": ("", "Int", "Int"),
}


def declarations(logic, arrays, indices, values):
    head, index, element = LOGICS[logic]
    text = f"(set-logic {logic}){head}"
    text += "".join(f"(declare-const {name} (Array {index} {element}))" for name in arrays)
    text += "".join(f"(declare-const {name} {index})" for name in indices)
    return text + "".join(f"(declare-const {name} {element})" for name in values)


def script(head, parts):
    names = [f"P{number}" for number in range(len(parts))]
    asserted = "".join(f"(assert (! {part} :named {name}))" for part, name in zip(parts, names))
    return f"{head}{asserted}(check-sat)(get-interpolants {' '.join(names)})\n"


def answer(binary, text):
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(text)
        file.flush()
        start = time.time()
        out = subprocess.run([binary, file.name], capture_output=True, text=True, timeout=600).stdout
        return out.strip().split("\n"), time.time() - start


def literal(rng, side, has_orders):
    """A literal of one of two partitions, which share a, b, j and v."""
    array = lambda: rng.choice((["a", "b", "c"], ["a", "b", "d"])[side])
    index = lambda: rng.choice((["j", "p", "i"], ["j", "q", "r"])[side])
    value = lambda: rng.choice((["v", "w"], ["v", "z"])[side])
    kind = rng.randrange(10)
    if kind < 3 and side == 0:
        return f"(= {array()} (store {array()} {index()} {value()}))"
    if kind < 3:
        return f"(distinct (select a {index()}) (select b {index()}))"
    if kind < 5:
        at = index()
        return f"(distinct (select {array()} {at}) (select {array()} {at}))"
    if kind == 5:
        return f"(= {array()} (store (store {array()} {index()} {value()}) {index()} {value()}))"
    if kind == 6:
        return f"(distinct {index()} {index()})"
    if kind == 7 and has_orders:
        return f"({rng.choice(['<', '<=', '='])} {index()} {rng.choice([index(), '(+ 1 ' + index() + ')'])})"
    if kind == 7:
        return f"(= {index()} {index()})"
    if kind == 8:
        return f"(= (select {array()} {index()}) {value()})"
    return f"({rng.choice(['=', 'distinct'])} {array()} {array()})"


def random_partitions(count, binaries):
    for logic in LOGICS:
        rng = random.Random(7)
        head = declarations(logic, "abcd", "ijpqr", "vwz")
        found = {binary: collections.Counter() for binary in binaries}
        for _ in range(count):
            sizes = [rng.randrange(2, 5), rng.randrange(2, 6)]
            literals = [[literal(rng, side, logic == "QF_ALIA") for _ in range(size)] for side, size in enumerate(sizes)]
            text = script(head, [f"(and {' '.join(part)})" for part in literals])
            for binary in binaries:
                out, _ = answer(binary, text)
                if out[0] != "unsat":
                    break
                assert "internal" not in out[1], out[1]
                found[binary]["refused" if "(error" in out[1] else "found"] += 1
        for binary, counts in found.items():
            print(logic, binary, dict(counts))


def swaps(cells, count, binaries):
    for logic in LOGICS:
        rng = random.Random(1)
        pairs = [rng.sample(range(cells), 2) for _ in range(count)]
        arrays = [f"{side}{number}" for side in "lr" for number in range(count + 1)]
        head = declarations(logic, arrays, [f"i{number}" for number in range(cells)], [])
        swap = lambda new, old, x, y: f"(= {new} (store (store {old} i{x} (select {old} i{y})) i{y} (select {old} i{x})))"
        parts = ["(= l0 r0)"]
        for at, (x, y) in enumerate(pairs):
            parts.append(f"(and {swap(f'l{at + 1}', f'l{at}', x, y)} {swap(f'r{at + 1}', f'r{at}', y, x)})")
        parts.append(f"(not (= l{count} r{count}))")
        for binary in binaries:
            out, seconds = answer(binary, script(head, parts))
            print(logic, binary, f"{seconds:.2f} s", "refused" if "(error" in out[1] else "found")


if __name__ == "__main__":
    if len(sys.argv) > 3 and sys.argv[1] == "random":
        random_partitions(int(sys.argv[2]), sys.argv[3:])
    elif len(sys.argv) > 4 and sys.argv[1] == "swaps":
        swaps(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    else:
        sys.exit(__doc__)
