#!/usr/bin/env python3
"""Measures the enumeration of models on generated problems of predicate-abstraction shape; a development tool, not a test.

usage: allsat.py EXAMPLE [--generator PATH] [--seeds N] [--blocks N]
EXAMPLE is the built example allsat_script; GENERATOR is called as GENERATOR PREDICATES BLOCKS SEED and prints a script
(by default ../shared/tools/allsat_gen, beside the repository). Prints milliseconds of processor time per model for 8, 16 and 24 predicates.
"""
import argparse, os, subprocess, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
ap = argparse.ArgumentParser(usage=__doc__)
ap.add_argument('example'); ap.add_argument('--generator', default=os.path.join(here, '../../../../shared/tools/allsat_gen'))
ap.add_argument('--seeds', type=int, default=20); ap.add_argument('--blocks', type=int, default=4)
args = ap.parse_args()
if not os.path.exists(args.generator):
    sys.exit(f'skipped: there is no {args.generator}')
with tempfile.TemporaryDirectory() as folder:
    for predicates in (8, 16, 24):
        files = []
        for seed in range(1, args.seeds + 1):
            files.append(os.path.join(folder, f'{predicates}-{seed}.smt2'))
            command = [args.generator, str(predicates), str(args.blocks), str(seed)]
            with open(files[-1], 'w') as file: subprocess.run(command, stdout=file, check=True)
        done = subprocess.run([args.example] + files, capture_output=True, text=True, check=True)
        print(predicates, 'predicates:', done.stdout.splitlines()[-1])
