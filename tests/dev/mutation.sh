#!/bin/sh
# Runs all our programs with every planted fault under --check: see the head of tests/mutation.rs.
#
#     tests/dev/mutation.sh [FAULT,FAULT]
set -eu
cd "$(dirname "$0")/../.."
[ $# -eq 0 ] || export PROVIDENT_FAULT_ONLY="$1"
PROVIDENT_FAULT_ALL=1 exec cargo test --release --features faults --test mutation -- --nocapture
