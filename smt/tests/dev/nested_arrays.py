#!/usr/bin/env python3
"""Random scripts with arrays of arrays and functions over arrays, answered by this solver and by z3; a development tool, not a test.

usage: nested_arrays.py BINARY [--count N] [--seed S] [--itp] [--keep DIR]
BINARY is called as BINARY smt FILE. Where it says `sat`, z3 (PyPI: z3-solver) evaluates the script in the printed model; the values that it prints for terms have to be those of the model, too. With --itp the
script is a binary interpolation problem, and z3 checks the interpolant. What differs is written to DIR. Exit status 1 if anything does.
"""
import argparse, os, random, re, subprocess, sys, tempfile
import z3

ap = argparse.ArgumentParser(usage=__doc__)
ap.add_argument('binary'); ap.add_argument('--count', type=int, default=300); ap.add_argument('--seed', type=int, default=1)
ap.add_argument('--itp', action='store_true'); ap.add_argument('--keep', default='.'); ap.add_argument('--check', action='store_true')
args = ap.parse_args()
A, M, R, T, K = '(Array Int Int)', '(Array Int (Array Int Int))', '(Array Int Bool)', '(Array Bool Int)', '(Array (Array Int Int) Int)'
L = '(Array Int (Array Int Bool))'
NAMES = {'Int': ['i', 'j', 'x'], 'Bool': ['p', 'q'], A: ['a', 'b', 'c'], M: ['m', 'n'], R: ['r', 's'], T: ['t', 'v'], K: ['k', 'l'], L: ['y', 'z']}
FUNCTIONS = {'f': ([A], 'Int'), 'g': (['Int'], A), 'h': ([A, 'Bool'], 'Bool'), 'e': ([A, A], 'Int'), 'd': ([R], R), 'w': ([M], 'Bool'), 'o': ([T, 'Int'], T)}
DECLARATIONS = ''.join(f'(declare-const {n} {s})' for s, ns in NAMES.items() for n in ns) + ''.join(
    f'(declare-fun {f} ({" ".join(ps)}) {r})' for f, (ps, r) in FUNCTIONS.items())
PARTS = {A: ('Int', 'Int'), M: ('Int', A), R: ('Int', 'Bool'), T: ('Bool', 'Int'), K: (A, 'Int'), L: ('Int', R)}


def term(rng, sort, depth, weights):
    names = weights['names'][sort]
    if depth <= 0 or rng.random() < 0.25:
        if sort == 'Int' and rng.random() < 0.3: return str(rng.randint(0, 3))
        if sort in (A, M, T, K, R) and rng.random() < 0.04:
            return f'((as const {sort}) {term(rng, PARTS[sort][1], 0, weights)})'
        return rng.choice(names)
    t = lambda s: term(rng, s, depth - 1, weights)
    forms = [lambda: f'(ite {t("Bool")} {t(sort)} {t(sort)})']
    for array, (index, element) in PARTS.items():
        if element == sort: forms += [lambda array=array, index=index: f'(select {t(array)} {t(index)})'] * 2
    for f, (parameters, result) in FUNCTIONS.items():
        if result == sort: forms += [lambda f=f, parameters=parameters: f'({f} {" ".join(map(t, parameters))})'] * 2
    if sort in PARTS: forms += [lambda: f'(store {t(sort)} {t(PARTS[sort][0])} {t(PARTS[sort][1])})'] * 4
    if sort == 'Int': forms += [lambda: f'(+ {t("Int")} 1)', lambda: f'(- {t("Int")} {t("Int")})']
    if sort == 'Bool':
        s = rng.choice(list(PARTS) + ['Int', 'Int'])
        forms += [lambda: f'(= {t(s)} {t(s)})'] * 4 + [lambda: f'(distinct {t(s)} {t(s)} {t(s)})', lambda: f'(not {t("Bool")})',
                  lambda: f'(and {t("Bool")} {t("Bool")})', lambda: f'(or {t("Bool")} {t("Bool")})', lambda: f'(< {t("Int")} {t("Int")})']
    return rng.choice(forms)()


def run(text):
    with tempfile.NamedTemporaryFile('w', suffix='.smt2', delete=False) as file: file.write(text)
    try:
        done = subprocess.run([args.binary, 'smt', *(['--check'] if args.check else []), file.name], capture_output=True, text=True, timeout=20)
        return done.stdout + done.stderr
    except subprocess.TimeoutExpired:
        return 'timeout'
    finally:
        os.unlink(file.name)


def ask(text):
    solver = z3.Solver(); solver.set('timeout', 4000); solver.from_string(text)
    return str(solver.check())


def keep(text, seed, why):
    name = os.path.join(args.keep, f'nested-{seed}.smt2')
    with open(name, 'w') as file: file.write(f'; {why}\n{text}')
    print(name, why, flush=True)


def model_problem(rng, seed):
    weights = {'names': NAMES}
    formulas = [term(rng, 'Bool', rng.randint(1, 3), weights) for _ in range(rng.randint(2, 14))]
    extra = [term(rng, s, 2, weights) for s in rng.sample(list(NAMES), 3)]
    asserts = ''.join(f'(assert {f})\n' for f in formulas)
    text = DECLARATIONS + '\n' + asserts + '(check-sat)\n'
    answer = run(text).split('\n')[0]
    expected = ask(DECLARATIONS + asserts)
    if {answer, expected} == {'sat', 'unsat'} or answer not in ('sat', 'unsat', 'unknown', 'timeout'):
        keep(text, seed, f'ours {answer}, z3 {expected}')
        return 'DIFFER'
    if answer != 'sat': return answer
    values = ' '.join(formulas + extra)
    printed = run(text + f'(get-model)\n(get-value ({values}))\n')
    lines = printed.split('\n')
    if lines[0] != 'sat' or '(error' in printed: keep(text + f'(get-model)\n(get-value ({values}))', seed, 'no model: ' + printed[-200:]); return 'DIFFER'
    end = next(at for at, line in enumerate(lines) if line == ')')
    definitions, said = '\n'.join(lines[2:end]), '\n'.join(lines[end + 1:])
    for f in formulas:
        if f'({f} true)' not in said: keep(text, seed, f'get-value says that {f} is false'); return 'DIFFER'
    verdict = ask(definitions + asserts)
    if verdict == 'unsat': keep(text + '(get-model)\n', seed, 'the printed model is none'); return 'DIFFER'
    if verdict != 'sat': return 'model unknown'
    for e in extra:
        at = said.rindex(f'({e} ') + len(e) + 2
        depth, stop = 0, at
        while depth or said[stop] not in ')': 
            depth += {'(': 1, ')': -1}.get(said[stop], 0); stop += 1
        if ask(definitions + f'(assert (distinct {e} {said[at:stop]}))') == 'sat':
            keep(text + f'(get-value ({e}))(get-model)', seed, f'a value that is not that of the model: {e} {said[at:stop]}'); return 'DIFFER'
    return 'sat, model checked'


def interpolation_problem(rng, seed):
    local = lambda drop: {'names': {s: [n for n in ns if n not in drop] for s, ns in NAMES.items()}}
    sides = [local({'i', 'a', 'r', 't'}), local({'j', 'b', 's', 'v'})]
    a, b = (f'(and {" ".join(term(rng, "Bool", 2, side) for _ in range(rng.randint(3, 8)))})' for side in sides)
    alone = [ask(DECLARATIONS + f'(assert {side})') for side in (a, b)]
    if alone != ['sat', 'sat'] or ask(DECLARATIONS + f'(assert {a})(assert {b})') != 'unsat': return 'no problem'
    text = DECLARATIONS + f'\n(assert (! {a} :named IA))\n(assert (! {b} :named IB))\n(check-sat)\n(get-interpolants IA IB)\n'
    printed = run(text)
    if not printed.startswith('unsat'):
        if not printed.startswith(('unknown', 'timeout')): keep(text, seed, printed[:80]); return 'DIFFER'
        return printed.split('\n')[0]
    if 'internal error' in printed or 'panicked' in printed: keep(text, seed, printed[:200]); return 'DIFFER'
    if '(error' in printed: return printed.split('\n')[1][15:90]
    body = printed.split('\n', 1)[1].strip()[1:-1]
    names = lambda text: set(re.findall(r'\b[a-z]\b', text))
    if ask(DECLARATIONS + f'(assert {a})(assert (not {body}))') == 'sat' or ask(DECLARATIONS + f'(assert {b})(assert {body})') == 'sat':
        keep(text, seed, 'a wrong interpolant'); return 'DIFFER'
    if not names(body) <= names(a) & names(b): keep(text, seed, 'vocabulary: ' + body); return 'DIFFER'
    return 'interpolant' if body not in ('true', 'false') else 'trivial interpolant'


counts = {}
for seed in range(args.seed, args.seed + args.count):
    result = (interpolation_problem if args.itp else model_problem)(random.Random(seed), seed)
    counts[result] = counts.get(result, 0) + 1
for key in sorted(counts): print(counts[key], key)
sys.exit(1 if 'DIFFER' in counts else 0)
