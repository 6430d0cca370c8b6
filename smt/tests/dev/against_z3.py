#!/usr/bin/env python3
"""Random SMT-LIB scripts, answered by this solver and by z3 (PyPI: z3-solver); a development tool, not a test.

usage: against_z3.py BINARY [--count N] [--seed S] [--itp] [--reals] [--nonlinear]
BINARY is called as BINARY smt FILE.smt2. Scripts are incremental and mix linear arithmetic, division, ite, functions, predicates and a
declared sort. With --reals they mix integers and reals, with --nonlinear there are products and divisions of unknowns. With --itp, the script is one binary interpolation problem, and each interpolant is checked with z3.
Disagreeing scripts are written to the current directory.
"""
import argparse, os, random, re, subprocess, tempfile
import z3

ap = argparse.ArgumentParser(usage=__doc__)
ap.add_argument('binary'); ap.add_argument('--count', type=int, default=200); ap.add_argument('--seed', type=int, default=1)
ap.add_argument('--itp', action='store_true'); ap.add_argument('--reals', action='store_true')
ap.add_argument('--nonlinear', action='store_true')
args = ap.parse_args()

DECLARATIONS = '''(declare-sort U 0)
(declare-fun f (Int) Int)
(declare-fun g (Int Int) Int)
(declare-fun p (Int) Bool)
(declare-fun h (U) U)
(declare-fun q (U Bool) Bool)
(declare-fun rf (Real) Real)
(declare-fun rg (Real Int) Int)
(declare-fun rp (Real Bool) Bool)
''' + ''.join(f'(declare-const x{i} Int)\n(declare-const b{i} Bool)\n(declare-const u{i} U)\n(declare-const r{i} Real)\n' for i in range(4))


def number(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        c = rng.randint(-6, 6)
        return f'x{rng.randrange(4)}' if rng.random() < 0.7 else (str(c) if c >= 0 else f'(- {-c})')
    n = lambda: number(rng, depth - 1)
    if args.reals and rng.random() < 0.2:
        return rng.choice([lambda: f'(to_int {real(rng, depth - 1)})', lambda: f'(rg {real(rng, depth - 1)} {n()})'])()
    if args.nonlinear and rng.random() < 0.2:
        return rng.choice([lambda: f'(* {n()} {n()})', lambda: f'(div {n()} {n()})', lambda: f'(mod {n()} {n()})'])()
    c = rng.choice([-4, -3, -2, 2, 3, 5])
    c = str(c) if c > 0 else f'(- {-c})'
    return rng.choice([
        lambda: f'(+ {n()} {n()})', lambda: f'(- {n()} {n()})', lambda: f'(* {c} {n()})', lambda: f'(f {n()})',
        lambda: f'(g {n()} {n()})', lambda: f'(ite {formula(rng, depth - 1)} {n()} {n()})', lambda: f'(div {n()} {c})',
        lambda: f'(mod {n()} {c})', lambda: f'(abs {n()})'])()


def real(rng, depth):
    if depth == 0 or rng.random() < 0.25:
        c = rng.randint(0, 12) / 4
        return f'r{rng.randrange(4)}' if rng.random() < 0.7 else rng.choice([f'{c}', f'(- {c})', f'(/ {rng.randint(1, 9)} 3)'])
    n = lambda: real(rng, depth - 1)
    if args.nonlinear and rng.random() < 0.1:
        return rng.choice([lambda: f'(* {n()} {n()})', lambda: f'(/ {n()} {n()})'])()
    c = rng.choice(['(- 2.0)', '3.0', '0.5', '(/ 2 3)', '(- 0.75)'])
    return rng.choice([
        lambda: f'(+ {n()} {n()})', lambda: f'(- {n()} {n()})', lambda: f'(* {c} {n()})', lambda: f'(rf {n()})', lambda: f'(/ {n()} 4.0)',
        lambda: f'(ite {formula(rng, depth - 1)} {n()} {n()})', lambda: f'(to_real {number(rng, depth - 1)})'])()


def element(rng, depth):
    if depth == 0 or rng.random() < 0.4:
        return f'u{rng.randrange(4)}'
    e = lambda: element(rng, depth - 1)
    return rng.choice([lambda: f'(h {e()})', lambda: f'(ite {formula(rng, depth - 1)} {e()} {e()})'])()


def formula(rng, depth):
    n, e = (lambda: number(rng, max(depth - 1, 0))), (lambda: element(rng, max(depth - 1, 0)))
    r = lambda: real(rng, max(depth - 1, 0))
    if args.reals and (depth == 0 or rng.random() < 0.3):
        return rng.choice([
            lambda: f'(<= {r()} {r()})', lambda: f'(< {r()} {r()})', lambda: f'(= {r()} {r()})', lambda: f'(>= {r()} {r()})',
            lambda: f'(> {r()} {r()})', lambda: f'(distinct {r()} {r()} {r()})', lambda: f'(is_int {r()})',
            lambda: f'(rp {r()} b{rng.randrange(4)})'])()
    if depth == 0 or rng.random() < 0.3:
        return rng.choice([
            lambda: f'b{rng.randrange(4)}', lambda: f'(<= {n()} {n()})', lambda: f'(< {n()} {n()})', lambda: f'(= {n()} {n()})',
            lambda: f'(distinct {n()} {n()} {n()})', lambda: f'(= {e()} {e()})', lambda: f'(p {n()})',
            lambda: f'(q {e()} b{rng.randrange(4)})'])()
    a = lambda: formula(rng, depth - 1)
    return rng.choice([
        lambda: f'(not {a()})', lambda: f'(and {a()} {a()} {a()})', lambda: f'(or {a()} {a()})', lambda: f'(=> {a()} {a()})',
        lambda: f'(xor {a()} {a()})', lambda: f'(= {a()} {a()})', lambda: f'(ite {a()} {a()} {a()})',
        lambda: f'(let ((b0 {a()}) (x0 {n()})) {a()})'])()


def incremental(rng):
    lines, level = [], 0
    for _ in range(rng.randint(3, 14)):
        kind = rng.random()
        if kind < 0.15:
            lines.append('(push 1)'); level += 1
        elif kind < 0.25 and level:
            lines.append('(pop 1)'); level -= 1
        elif kind < 0.7:
            lines.append(f'(assert {formula(rng, 3)})')
        elif kind < 0.85:
            lines.append('(check-sat)')
        else:
            lines.append('(check-sat-assuming (b0 (not b1) b2))')
    return DECLARATIONS + '\n'.join(lines) + '\n(check-sat)\n'


def run(text):
    with tempfile.NamedTemporaryFile('w', suffix='.smt2', delete=False) as file:
        file.write(text)
    try:
        done = subprocess.run([args.binary, 'smt', file.name], capture_output=True, text=True, timeout=20)
        return done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 'timeout'
    finally:
        os.unlink(file.name)


def keep(text, seed, why):
    name = f'disagree-{seed}.smt2'
    open(name, 'w').write(f'; {why}\n' + text)
    print(name, why)


def z3_answers(text):
    solver, answers = z3.Solver(), []
    solver.set('timeout', 5000)
    declared, stack = DECLARATIONS, []
    for line in text[len(DECLARATIONS):].splitlines():
        if line.startswith('(push'): solver.push()
        elif line.startswith('(pop'): solver.pop()
        elif line.startswith('(assert'): solver.add(z3.parse_smt2_string(declared + line))
        elif line.startswith('(check-sat-assuming'):
            b = [z3.Bool(f'b{i}') for i in range(3)]
            answers.append(str(solver.check(b[0], z3.Not(b[1]), b[2])))
        elif line.startswith('(check-sat'): answers.append(str(solver.check()))
    return answers


def check_interpolant(a, b, printed):
    body = printed.split('\n', 1)[1].strip()[1:-1]
    names = lambda text: set(re.findall(r'\b(?:[xbur]\d|r?[fgphq])\b', text))
    if '(error' in printed: return printed.split('\n', 1)[1].strip()[:100], False
    fml = lambda text: z3.And(list(z3.parse_smt2_string(DECLARATIONS + f'(assert {text})')))
    for left, right in ((fml(a), z3.Not(fml(body))), (fml(body), fml(b))):
        solver = z3.Solver(); solver.set('timeout', 5000); solver.add(left, right)
        if solver.check() == z3.sat: return 'wrong interpolant', True
    if not names(body) <= names(a) & names(b): return 'vocabulary', True
    return 'ok', False


counts = {}
for seed in range(args.seed, args.seed + args.count):
    rng = random.Random(seed)
    if args.itp:
        # `let` rebinds names, which the vocabulary test on texts does not see through.
        a, b = (f'(and {" ".join(formula(rng, 2) for _ in range(rng.randint(2, 5)))})' for _ in range(2))
        if '(let' in a + b: continue
        text = DECLARATIONS + f'(assert (! {a} :named IA))\n(assert (! {b} :named IB))\n(check-sat)\n(get-interpolants IA IB)\n'
        printed = run(text)
        result, bad = check_interpolant(a, b, printed) if printed.startswith('unsat') else (printed.split('\n')[0], False)
        if 'panicked' in printed: result, bad = 'panic', True
    else:
        text = incremental(rng)
        printed, expected = run(text), z3_answers(text)
        got = [line for line in printed.splitlines() if line in ('sat', 'unsat', 'unknown')]
        bad = len(got) != len(expected) or any({g, e} == {'sat', 'unsat'} for g, e in zip(got, expected))
        result = 'disagree' if bad else 'unknown' if 'unknown' in got else 'agree'
    counts[result] = counts.get(result, 0) + 1
    if bad: keep(text, seed, result)
print(counts)
