#!/usr/bin/env python3
"""Random formulas in a few processes, answered by this solver, z3 and cvc5; a development tool, not a test.

usage: differential.py BINARY [--count N] [--batch N] [--seed S] [--logic L]... [--cvc5] [--proofs] [--keep DIR]
BINARY is called as BINARY smt - and reads one script of many small problems, separated by (reset) or by push and pop, which also tests
that nothing of one problem reaches the next. z3 (PyPI: z3-solver) answers each problem by itself; with --cvc5, so does cvc5 (PyPI: cvc5).
Logics: QF_LIA, QF_IDL, QF_UF, QF_UFLIA, QF_UFIDL, QF_LRA, QF_UFLRA, QF_AX, QF_AUFLIA. With --proofs, each problem's refutation is asked for as well, which the solver checks first. Where answers differ, the script is written to DIR with its number. Exit status 1 if any do.
"""
import argparse, os, random, subprocess, sys
import z3

ap = argparse.ArgumentParser(usage=__doc__)
ap.add_argument('binary'); ap.add_argument('--count', type=int, default=1000); ap.add_argument('--batch', type=int, default=250)
ap.add_argument('--seed', type=int, default=1); ap.add_argument('--logic', action='append', default=[])
ap.add_argument('--cvc5', action='store_true'); ap.add_argument('--proofs', action='store_true'); ap.add_argument('--keep', default='.')
args = ap.parse_args()
if args.cvc5: import cvc5
INTS = [f'x{i}' for i in range(4)]; REALS = [f'y{i}' for i in range(4)]; BOOLS = [f'b{i}' for i in range(3)]; ELEMENTS = [f'u{i}' for i in range(4)]
COMMON = ''.join(f'(declare-const {b} Bool)' for b in BOOLS)
NUMBERS = ''.join(f'(declare-const {x} Int)' for x in INTS)
REAL_NUMBERS = ''.join(f'(declare-const {y} Real)' for y in REALS)
REAL_FUNCTIONS = '(declare-fun f (Real) Real)(declare-fun g (Real Real) Real)(declare-fun p (Real) Bool)'
FUNCTIONS = '(declare-fun f (Int) Int)(declare-fun g (Int Int) Int)(declare-fun p (Int) Bool)'
SORTS = '(declare-sort U 0)(declare-fun h (U) U)(declare-fun k (U U) U)(declare-fun q (U Bool) Bool)' + ''.join(
    f'(declare-const {u} U)' for u in ELEMENTS)
ARRAYS = ''.join(f'(declare-const a{i} (Array Int Int))' for i in range(3)) + '(declare-const r0 (Array Int Bool))(declare-const r1 (Array Int Bool))'
SORTED = ''.join(f'(declare-const s{i} (Array U U))' for i in range(3))
DECLARATIONS = {'QF_LIA': COMMON + NUMBERS, 'QF_IDL': COMMON + NUMBERS, 'QF_UF': COMMON + SORTS, 'QF_UFLIA': COMMON + NUMBERS + FUNCTIONS + SORTS,
                'QF_UFIDL': COMMON + NUMBERS + FUNCTIONS + SORTS, 'QF_LRA': COMMON + REAL_NUMBERS, 'QF_UFLRA': COMMON + REAL_NUMBERS + REAL_FUNCTIONS + SORTS,
                'QF_AX': COMMON + SORTS + SORTED, 'QF_AUFLIA': COMMON + NUMBERS + FUNCTIONS + SORTS + ARRAYS + SORTED}
numeral = lambda c: str(c) if c >= 0 else f'(- {-c})'


class Maker:
    """Makes one random problem of a logic."""
    def __init__(self, rng, logic):
        self.rng, self.logic = rng, logic
        self.is_real = logic.endswith('RA')
        self.variables = REALS if self.is_real else INTS

    def constant(self, limit):
        value = numeral(self.rng.randint(-limit, limit))
        if not self.is_real: return value
        return f'(/ {value} {self.rng.randint(1, 4)})' if self.rng.random() < 0.3 else value

    def number(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.3: return rng.choice(self.variables) if rng.random() < 0.75 else self.constant(7)
        n = lambda: self.number(depth - 1)
        c = rng.choice([-5, -4, -3, -2, 2, 3, 4, 7])
        forms = [lambda: f'(+ {n()} {n()})', lambda: f'(- {n()} {n()})', lambda: f'(* {numeral(c)} {n()})', lambda: f'(- {n()})',
                 lambda: f'(ite {self.formula(depth - 1)} {n()} {n()})']
        if self.logic == 'QF_LIA': forms += [lambda: f'(div {n()} {numeral(c)})', lambda: f'(mod {n()} {numeral(c)})', lambda: f'(abs {n()})']
        if self.logic == 'QF_UFIDL': forms = [lambda: f'(ite {self.formula(depth - 1)} {n()} {n()})', lambda: f'(+ {n()} {rng.randint(1, 3)})']
        if 'UFL' in self.logic or self.logic == 'QF_UFIDL': forms += [lambda: f'(f {n()})', lambda: f'(g {n()} {n()})'] * 2
        if self.logic == 'QF_AUFLIA': forms += [lambda: f'(select {self.array(depth - 1)} {n()})'] * 6
        return rng.choice(forms)()

    def element(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.35: return rng.choice(ELEMENTS)
        e = lambda: self.element(depth - 1)
        forms = [lambda: f'(h {e()})', lambda: f'(k {e()} {e()})', lambda: f'(ite {self.formula(depth - 1)} {e()} {e()})']
        if 'A' in self.logic[3:5]: forms += [lambda: f'(select {self.array(depth - 1, "s")} {e()})'] * 5
        return rng.choice(forms)()

    def array(self, depth, kind='a'):
        rng = self.rng
        name = lambda: f'{kind}{rng.randint(0, 1 if kind == "r" else 2)}'
        if depth <= 0 or rng.random() < 0.3: return name()
        at = self.element if kind == 's' else self.number
        value = {'s': self.element, 'a': self.number, 'r': self.formula}[kind]
        d = depth - 1
        forms = [lambda: f'(store {self.array(d, kind)} {at(d)} {value(d)})'] * 4
        return rng.choice(forms + [lambda: f'(ite {self.formula(d)} {self.array(d, kind)} {self.array(d, kind)})'])()

    def atom(self, depth):
        rng = self.rng
        n, e = (lambda: self.number(depth)), (lambda: self.element(depth))
        relation = rng.choice(['<=', '<', '>=', '>', '=', '=', 'distinct'])
        if self.logic == 'QF_IDL':
            x, y = rng.sample(INTS, 2)
            return rng.choice([f'({relation} (- {x} {y}) {numeral(rng.randint(-4, 4))})', f'({relation} {x} {y})'])
        forms = [lambda: rng.choice(BOOLS)]
        if self.logic not in ('QF_UF', 'QF_AX'):
            forms += [lambda: f'({relation} {n()} {n()})'] * 3 + [lambda: f'(< {n()} {n()} {n()})', lambda: f'(distinct {n()} {n()} {n()})']
        if 'UFL' in self.logic or self.logic == 'QF_UFIDL': forms += [lambda: f'(p {n()})'] * 2
        if 'A' in self.logic[3:5]:
            kinds = ['s'] if self.logic == 'QF_AX' else ['a', 'a', 's', 'r']
            pair = lambda k: f'{self.array(depth + 1, k)} {self.array(depth + 1, k)}'
            forms += [lambda: f'(= {pair(rng.choice(kinds))})'] * 2 + [lambda: f'(distinct {pair(rng.choice(kinds))})']
            if 'r' in kinds: forms += [lambda: f'(select {self.array(depth, "r")} {n()})']
        if self.logic not in ('QF_LIA', 'QF_IDL', 'QF_LRA'):
            forms += [lambda: f'(= {e()} {e()})'] * 3 + [lambda: f'(distinct {e()} {e()} {e()})', lambda: f'(q {e()} {self.formula(max(depth - 1, 0))})']
        return rng.choice(forms)()

    def formula(self, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.25: return self.atom(max(depth - 1, 0)) if depth else self.atom(0)
        a = lambda: self.formula(depth - 1)
        return rng.choice([
            lambda: f'(not {a()})', lambda: f'(and {a()} {a()} {a()})', lambda: f'(or {a()} {a()} {a()})', lambda: f'(=> {a()} {a()})',
            lambda: f'(xor {a()} {a()})', lambda: f'(= {a()} {a()})', lambda: f'(ite {a()} {a()} {a()})',
            lambda: f'(let ((b0 {a()}) (b1 {a()})) {a()})'])()

    def problem(self):
        return [self.formula(self.rng.randint(1, 3)) for _ in range(self.rng.randint(1, 7))]


def z3_answer(text):
    solver = z3.Solver()
    solver.set('timeout', 3000)
    solver.from_string(text)
    return str(solver.check())


def cvc5_answer(text):
    solver = cvc5.Solver()
    solver.setOption('tlimit-per', '3000')
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text + '(check-sat)', 'problem')
    symbols, answer = parser.getSymbolManager(), ''
    while True:
        command = parser.nextCommand()
        if command.isNull(): return answer.strip() or 'unknown'
        answer += command.invoke(solver, symbols)


def batch(number):
    rng = random.Random(args.seed * 1_000_003 + number)
    logic = rng.choice(args.logic or sorted(DECLARATIONS))
    scoped = rng.random() < 0.5
    problems = [Maker(rng, logic).problem() for _ in range(args.batch)]
    # Functions beside arrays are in no logic that all three know, and what a difference is they do not agree on.
    head = f'(set-logic {"ALL" if "A" in logic[3:5] or logic == "QF_UFIDL" else logic}){DECLARATIONS[logic]}'
    options = '(set-option :produce-proofs true)(set-option :proof-format native)' if args.proofs else ''
    script = options + head if scoped else ''
    ask = '(check-sat)(get-proof)' if args.proofs else '(check-sat)'
    for formulas in problems:
        asserts = ''.join(f'(assert {f})' for f in formulas)
        script += f'(push 1){asserts}{ask}(pop 1)\n' if scoped else f'{options}{head}{asserts}{ask}(reset)\n'
    done = subprocess.run([args.binary, 'smt', '-'], input=script, capture_output=True, text=True)
    answers = done.stdout.split('\n')[:-1]
    if args.proofs:
        for line in answers:
            if 'internal error' in line: keep(number, 'proof', script, line)
        answers = [line for line in answers if line in ('sat', 'unsat', 'unknown')]
    if len(answers) != len(problems) or done.returncode not in ((0, 3) if args.proofs else (0,)):
        keep(number, 'batch', script, f'{len(answers)} answers for {len(problems)} problems, status {done.returncode}: {done.stderr[:200]}')
        return
    for at, (formulas, ours) in enumerate(zip(problems, answers)):
        text = head + ''.join(f'(assert {f})\n' for f in formulas)
        theirs = {'z3': z3_answer(text)}
        if args.cvc5: theirs['cvc5'] = cvc5_answer(text)
        counts[(logic, ours)] = counts.get((logic, ours), 0) + 1
        if any({ours, other} == {'sat', 'unsat'} for other in theirs.values()) or ours not in ('sat', 'unsat', 'unknown'):
            keep(number, at, text + '(check-sat)\n', f'ours {ours}, {theirs}; in a batch of {"scopes" if scoped else "resets"}')


def keep(number, at, text, why):
    global bad
    bad += 1
    name = os.path.join(args.keep, f'differ-{args.seed}-{number}-{at}.smt2')
    with open(name, 'w') as file: file.write(f'; {why}\n{text}')
    print(name, why)


counts, bad = {}, 0
for number in range((args.count + args.batch - 1) // args.batch):
    batch(number)
for key in sorted(counts): print(*key, counts[key])
print(sum(counts.values()), 'formulas,', bad, 'disagreements')
sys.exit(1 if bad else 0)
