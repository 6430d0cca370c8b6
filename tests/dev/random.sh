#!/usr/bin/env bash
# Random programs with known results, for a night: 20,000 of our own generator in four configurations each, with shrinking; then programs of csmith
# where it is installed, their verdicts and the machine's numbers. Needs gcc with its sanitizers. Wrong programs are kept in the folder that is printed
# at the end. On one idle processor about 10,000 programs take an hour.
#
#     tests/dev/random.sh [NUMBER] [FIRST SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
export PROVIDENT_RANDOM=${1:-20000}
export PROVIDENT_RANDOM_SEED=${2:-1000000}
export PROVIDENT_RANDOM_KEEP=${PROVIDENT_RANDOM_KEEP:-$(mktemp -d)}
status=0
cargo test --release --test slow random_programs:: -- --nocapture || status=$?
if command -v csmith >/dev/null; then
    cargo build --release
    python3 tests/dev/csmith.py --binary target/x86_64-unknown-linux-gnu/release/provident --number $((PROVIDENT_RANDOM / 20)) --seed "$PROVIDENT_RANDOM_SEED" \
        --keep "$PROVIDENT_RANDOM_KEEP" || status=$?
fi
echo "wrong programs, if any: $PROVIDENT_RANDOM_KEEP"
[ "$status" -eq 0 ] && tests/dev/differential.sh
exit "$status"
