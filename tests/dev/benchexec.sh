#!/usr/bin/env bash
# The real BenchExec and table-generator, from nothing to tables: installs BenchExec from PyPI into a folder of its own, lets it run this program by the shipped tool-info module, imports its results into a page of ours, exports a
# journal of ours, and makes a table of both. Runs without cgroups: BenchExec's own measurement is then left out (`--no-container`, one task at a time), as containers need rights that CI rarely has.
#
#   tests/dev/benchexec.sh [PROVIDENT]
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
binary=$(realpath "${1:-target/x86_64-unknown-linux-gnu/quick/provident}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/provident-benchexec.XXXXXX")
say() { printf '\n== %s\n' "$1"; }

say "install"
python3 -m venv "$folder/venv"
"$binary" benchexec-tool "$folder/tool"
"$folder/venv/bin/pip" install -q benchexec "$folder/tool"
"$folder/venv/bin/benchexec" --version

say "check the tool-info module by BenchExec's own checker"
mkdir "$folder/bin"
cp "$binary" "$folder/bin/provident"
(cd "$folder/bin" && "$folder/venv/bin/python" -m benchexec.test_tool_info provident_benchexec.tool --no-container --tool-directory "$folder/bin" \
    --task-definition "$root/tests/programs/goto_labels.yml" | tail -n 25)

say "the journal of ours"
mkdir "$folder/tasks"
for name in loop_count_true loop_count_false locks_true loop_invariant_true; do
    case $name in *_false) expected=false ;; *) expected=true ;; esac
    cp "$root/tests/programs/$name.c" "$root/tests/programs/unreach-call.prp" "$folder/tasks/"
    printf "format_version: '2.0'\ninput_files: '%s.c'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: %s\noptions:\n  language: C\n  data_model: LP64\n" "$name" "$expected" > "$folder/tasks/$name.yml"
done
echo '*.yml' > "$folder/tasks/all.set"
"$binary" campaign "$folder/tasks/all.set" --out "$folder/ours"
"$binary" benchexec-export "$folder/ours" --out "$folder/exported"

say "table-generator makes a table of our journal"
(cd "$folder/exported" && "$folder/venv/bin/table-generator" --no-diff --outputpath "$folder/table" --name ours ./*.xml)
grep -c loop_count "$folder/table/ours.csv"

say "BenchExec runs this program"
cat > "$folder/benchmark.xml" <<END
<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN" "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
<benchmark tool="provident_benchexec.tool" timelimit="30s">
  <rundefinition name="default"/>
  <tasks name="examples"><includesfile>tasks/all.set</includesfile></tasks>
  <propertyfile>tasks/unreach-call.prp</propertyfile>
  <columns><column title="predicates">predicates</column><column title="reason">reason</column></columns>
</benchmark>
END
if (cd "$folder" && "$folder/venv/bin/benchexec" benchmark.xml --no-container --tool-directory "$folder/bin" --no-compress-results -o results/ -n 1) > "$folder/log" 2>&1; then
    tail -n 12 "$folder/log"
    grep -q "correct: *4$" "$folder/log"
    result=$(find "$folder/results" -name '*.results.*.xml' | head -n 1)
    say "our page of its results, and one table of both"
    "$binary" benchexec-import "$result" --out "$folder/imported"
    # The columns that the benchmark asks for come from the tool-info module.
    grep -q '<column title="predicates" value="[0-9]' "$result"
    (cd "$folder" && "$folder/venv/bin/table-generator" --no-diff --outputpath "$folder/table" --name both "$result" exported/*.xml)
    # The run set of the benchmark is ours as well.
    "$binary" campaign "$folder/benchmark.xml" --out "$folder/same" 2>&1 | grep "4 correct (3 true, 1 false)"
else
    tail -n 12 "$folder/log"
    # Without cgroups BenchExec refuses to measure; everything else was shown.
    grep -qi cgroup "$folder/log" || exit 1
    echo "BenchExec cannot measure on this machine: no cgroups for it"
fi
rm -rf "$folder"
echo "all is well"
