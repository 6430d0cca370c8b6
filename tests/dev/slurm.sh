#!/usr/bin/env bash
# A real Slurm, from nothing to a joined result: installs Debian's slurm-wlm, starts a cluster of one node in a folder of its own, submits an array of 10 over shipped programs, kills one of its tasks, resumes it, and looks at what
# was joined. Needs root (it installs packages and starts daemons), 2 processors and Debian; no systemd and no munge.
#
#   tests/dev/slurm.sh [PROVIDENT]
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
binary=$(realpath "${1:-target/x86_64-unknown-linux-gnu/quick/provident}")
folder=$(mktemp -d "${TMPDIR:-/tmp}/provident-slurm.XXXXXX")
say() { printf '\n== %s\n' "$1"; }

say "install"
command -v slurmctld >/dev/null || { apt-get update -q >/dev/null; DEBIAN_FRONTEND=noninteractive apt-get install -qy slurm-wlm >/dev/null; }
slurmctld -V

say "start"
conf=$folder/slurm.conf
host=$(hostname -s)
cat > "$conf" <<END
ClusterName=provident
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/filetxt
JobCompLoc=$folder/completed.txt
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
MailProg=/bin/true
KillWait=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
mkdir -p "$folder/state" "$folder/spool"
export SLURM_CONF=$conf
slurmctld -D & controller=$!
slurmd -D & node=$!
finish() {
    scancel --user=root 2>/dev/null || true
    kill "$node" "$controller" 2>/dev/null || true
    wait "$node" "$controller" 2>/dev/null || true
}
trap finish EXIT
for _ in $(seq 100); do sinfo -h -o %T 2>/dev/null | grep -q idle && break; sleep 0.2; done
sinfo

say "write and submit an array of 10"
# Shipped programs, and one that takes its time, in the first shard, to be killed.
mkdir -p "$folder/tasks"
property=$root/tests/programs/unreach-call.prp
cat > "$folder/tasks/a_long.c" <<'END'
extern void reach_error(void);
int main(void) { unsigned long i = 0, s = 1; while (i < 1000000000000UL) { i++; s = s * 3 + i; } if (s == 7) reach_error(); return 0; }
END
cp "$root"/tests/programs/*_true.c "$root"/tests/programs/*_false.c "$folder/tasks/"
# Their expectation is that of another property, or of no one.
rm -f "$folder"/tasks/disputed_* "$folder"/tasks/data_model_*
for program in "$folder"/tasks/*.c; do
    name=$(basename "$program" .c)
    case $name in *_false) expected=false ;; *) expected=true ;; esac
    grep -q reach_error "$program" || continue
    cat > "$folder/tasks/$name.yml" <<END
format_version: '2.0'
input_files: '$name.c'
properties:
  - property_file: $property
    expected_verdict: $expected
options:
  language: C
  data_model: LP64
END
done
find "$folder/tasks" -name '*.yml' | sort | head -n 30 > "$folder/tasks.txt"
cat > "$folder/e.toml" <<'END'
name = "slurm-test"
counters = ["refinements"]
[limits]
cpu = 15
memory = 400
[[configuration]]
name = "multi"
[[configuration]]
name = "single"
arguments = "--refine single"
END
"$binary" slurm "$folder/e.toml" "$folder/tasks.txt" --out "$folder/job" --shards 10 --submit | tee "$folder/said"
array=$(sed -n 's/^submitted: array \([0-9]*\), join.*/\1/p' "$folder/said")
join=$(sed -n 's/^submitted: array .*, join \([0-9]*\)$/\1/p' "$folder/said")
squeue

say "kill task 1 while it runs"
for _ in $(seq 300); do
    [ -s "$folder/job/shard-1-of-10/journal.jsonl" ] && squeue -h -j "${array}_1" -t R 2>/dev/null | grep -q . && break
    sleep 0.1
done
# As when a node dies: nobody is asked. (`scancel` and the end of the time send SIGTERM first; then the task queues itself again and goes on by itself.)
for _ in $(seq 300); do child=$(pgrep -f -- "--out $folder/job/shard-1-of-10" | head -n 1 || true); [ -n "$child" ] && break; sleep 0.1; done
sleep 0.5
script=$(ps -o ppid= -p "$child" | tr -d ' ')
kill -9 "$script" "$child" && echo "killed task 1: script $script, provident $child"

# No line of squeue: the job is over.
wait_for() { for _ in $(seq 1200); do squeue -h -j "$1" 2>/dev/null | grep -q . || return 0; sleep 0.5; done; echo "job $1 does not end"; exit 1; }
wait_for "$array"
wait_for "$join"
cat "$folder/job/slurm-join-$join.out"
grep -q "shard 1/10 has" "$folder/job/slurm-join-$join.out" || { echo "the join should have named shard 1/10"; exit 1; }
[ ! -e "$folder/job/journal.jsonl" ] || { echo "nothing should have been joined"; exit 1; }
before=$(grep -c '^{"run"' "$folder/job/shard-1-of-10/journal.jsonl" || true)

say "resume task 1, and join after it"
again=$(sbatch --parsable --array=1 "$folder/job/array.sh")
last=$(sbatch --parsable --dependency=afterok:"$again" "$folder/job/join.sh")
wait_for "$again"
wait_for "$last"
cat "$folder/job/slurm-join-$last.out"

say "look"
python3 - "$folder" "$before" <<'PY'
import json, sys
folder, before = sys.argv[1], int(sys.argv[2])
runs = [json.loads(line)["run"] for line in open(f"{folder}/job/journal.jsonl") if line.startswith('{"run"')]
keys = [(run["task"], run["configuration"]) for run in runs if not run.get("interrupted")]
assert len(keys) == len(set(keys)) == 60, (len(keys), len(set(keys)))
wrong = [run["task"] for run in runs for p in run["properties"] if p["verdict"] in ("true", "false") and p.get("expected") is not None and p["verdict"] != str(p["expected"]).lower()]
assert not wrong, wrong
print(f"{len(keys)} runs, none twice, none wrong; {before} runs of shard 1 were there before the kill;", sum(run["cpu_s"] for run in runs), "s CPU")
PY
finish
trap - EXIT
rm -rf "$folder"
echo "all is well"
