#!/usr/bin/env bash
# Random programs with known results, for a night: 20,000 of our own generator in three configurations each, with shrinking, then programs of csmith
# where it is installed. Needs gcc with its sanitizers. Wrong programs are kept in the folder that is printed at the end.
#
#     tests/dev/random.sh [NUMBER] [FIRST SEED]
set -euo pipefail
cd "$(dirname "$0")/../.."
export PROVIDENT_RANDOM=${1:-20000}
export PROVIDENT_RANDOM_SEED=${2:-1000000}
export PROVIDENT_RANDOM_KEEP=${PROVIDENT_RANDOM_KEEP:-$(mktemp -d)}
status=0
cargo test --release --test random_programs -- --nocapture || status=$?
echo "wrong programs, if any: $PROVIDENT_RANDOM_KEEP"
[ "$status" -eq 0 ] && tests/dev/differential.sh
exit "$status"
