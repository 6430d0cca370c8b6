#!/bin/bash
# Builds the fuzz targets with a stable compiler and runs each for so many seconds, one after the other.
#
#     tests/dev/fuzz.sh SECONDS WORK [TARGET...]
#
# WORK is a folder for the build, the corpora (WORK/corpus/TARGET, kept from run to run; programs, properties and scripts of the tests are the first inputs) and what was found
# (WORK/found/TARGET). An input that makes a target panic belongs into tests/fuzz/regressions/TARGET, where the tests run it ever after. Exit status 1 if anything was found.
set -euo pipefail
seconds=$1 work=$(realpath -m "$2")
shift 2
root=$(realpath "$(dirname "$0")/../..")
[ $# -gt 0 ] || set -- frontend property specification task script manifest witness
# What `cargo fuzz` passes, without the address sanitizer: there is no unsafe code to speak of.
export RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR="$work/target"
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
 -Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing -Cdebug-assertions -Copt-level=3"
host=$(rustc -vV | sed -n 's/^host: //p')
(cd "$root/tests/fuzz" && cargo build --release --target "$host" --bins)
# Texts may be nested deeply; the program itself has a big stack.
ulimit -s 1000000
found=0
for target in "$@"; do
    mkdir -p "$work/corpus/$target" "$work/found/$target"
    first=()
    case $target in
        frontend) first=("$root/tests/programs") ;;
        specification) first=("$root/tests/specifications" "$root/src/spec/rules") ;;
    esac
    "$CARGO_TARGET_DIR/$host/release/$target" "$work/corpus/$target" "${first[@]}" -max_total_time="$seconds" -max_len=4096 -timeout=60 \
        -rss_limit_mb=6000 -artifact_prefix="$work/found/$target/" -print_final_stats=1 2> "$work/$target.log" || found=1
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log") inputs, $(find "$work/found/$target" -type f | wc -l) found"
done
exit $found
