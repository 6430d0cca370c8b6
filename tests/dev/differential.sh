#!/usr/bin/env bash
# Random programs against gcc: a thousand of our own generator, and a hundred of csmith where it is installed.
#
#     tests/dev/differential.sh [NUMBER]
set -euo pipefail
cd "$(dirname "$0")/../.."
number=${1:-1000}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if command -v csmith >/dev/null; then
    include=$(dirname "$(find /usr/include /usr/local/include -name csmith.h 2>/dev/null | head -n 1)")
    for seed in $(seq 1 100); do
        csmith --seed "$seed" --no-argc --no-float --max-funcs 4 --output "$folder/$seed.c" >/dev/null
        gcc -E -w -I"$include" "$folder/$seed.c" -o "$folder/$seed.i"
    done
    export PROVIDENT_CSMITH=$folder
else
    echo "csmith is not installed: only programs of our own generator"
fi
PROVIDENT_PROGRAMS=$number cargo test --release --test slow differential:: -- --nocapture
