#!/bin/sh
# Runs all our programs with every planted fault under --check (see the head of tests/slow/mutation.rs), the tests of random scripts with every planted fault of their reader, and the tests that tamper with evidence with every planted fault of those who check
# it: they have to fail.
#
#     tests/dev/mutation.sh [FAULT,FAULT]
# So do the tests of preferences with every planted fault of the choice among refinements, and those of the laws of summaries and of values with theirs.
set -eu
cd "$(dirname "$0")/../.."
profile="--profile ${PROFILE:-release}"
if [ $# -eq 0 ]; then
    tests="$profile --features faults --test integration"
    # shellcheck disable=SC2086
    cargo test $tests --no-run
    tests="$tests obligations:: -- guess:: listed_paths::"
    # shellcheck disable=SC2086
    cargo test -q $tests > /dev/null 2>&1 || { echo "the tests fail without a fault"; exit 1; }
    for fault in $(grep -oE '"(coverage|discharge|audit)-[a-z]+"' smt/src/fault.rs | tr -d '"'); do
        # shellcheck disable=SC2086
        if failed=$(PROVIDENT_FAULT=$fault cargo test -q --no-fail-fast $tests 2>&1); then
            echo "checkers      $fault: no test notices it"
            exit 1
        fi
        echo "checkers      $fault noticed by $(echo "$failed" | grep -cE '^test .* FAILED$|^    [a-z_:]+$') tests"
    done
    certificates="$profile -p provident-smt --features faults --test solver certificates::"
    # shellcheck disable=SC2086
    cargo test -q $certificates > /dev/null 2>&1 || { echo "the tests of certificates fail without a fault"; exit 1; }
    for fault in certificate-first-step certificate-vocabulary; do
        # shellcheck disable=SC2086
        if PROVIDENT_FAULT=$fault cargo test -q $certificates > /dev/null 2>&1; then
            echo "checkers      $fault: no test notices it"
            exit 1
        fi
        echo "checkers      $fault noticed"
    done
    scripts="$profile -p provident-smt --features faults --test solver nested_arrays::"
    # shellcheck disable=SC2086
    cargo test -q $scripts > /dev/null 2>&1 || { echo "the tests of scripts fail without a fault"; exit 1; }
    for fault in arrays-one-identity arrays-no-facts unnamed-arrays-zero; do
        # shellcheck disable=SC2086
        if PROVIDENT_FAULT=$fault cargo test -q $scripts > /dev/null 2>&1; then
            echo "arrays        $fault: no test notices it"
            exit 1
        fi
        echo "arrays        $fault noticed"
    done
    # shellcheck disable=SC2086
    choices="$profile --features faults --lib refine::"
    # shellcheck disable=SC2086
    cargo test -q $choices > /dev/null 2>&1 || { echo "the tests of the choice fail without a fault"; exit 1; }
    for fault in contradiction-kept score-inverted; do
        # shellcheck disable=SC2086
        if PROVIDENT_FAULT=$fault cargo test -q $choices > /dev/null 2>&1; then
            echo "refinement    $fault: no test notices it"
            exit 1
        fi
        echo "refinement    $fault noticed"
    done
    # shellcheck disable=SC2086
    laws="$profile --features faults --test unit -- memo:: values::"
    # shellcheck disable=SC2086
    cargo test -q $laws > /dev/null 2>&1 || { echo "the tests of summaries and values fail without a fault"; exit 1; }
    for fault in expand-keeps-changed reduce-confuses-frames recursion-not-repeated summary-forgets-entry loop-exit-lost loop-write-overlooked loop-exit-precision contradiction-kept; do
        # shellcheck disable=SC2086
        if PROVIDENT_FAULT=$fault cargo test -q $laws > /dev/null 2>&1; then
            echo "laws          $fault: no test notices it"
            exit 1
        fi
        echo "laws          $fault noticed"
    done
else
    export PROVIDENT_FAULT_ONLY="$1"
fi
# shellcheck disable=SC2086
PROVIDENT_FAULT_ALL=1 exec cargo test $profile --features faults --test slow mutation:: -- --nocapture
