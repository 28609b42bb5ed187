#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Runs conform.sbatch as an array of three on a Slurm of this test's own (Debian's slurm-wlm, one node, this machine), merges
# the shards and compares the merged run with a whole one. Usage: array_test.sh BUILD_DIR. Exit code 77: no Slurm here.
set -euo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for program in slurmctld slurmd sbatch; do
  PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || { echo "SKIPPED: no $program; it is in Debian's slurm-wlm"; exit 77; }
done
[ -d /sys/devices/system/cpu ] || { echo "SKIPPED: no /sys here, from which slurmd reads the processors and cgroups"; exit 77; }
[ "$(id -u)" -eq 0 ] || { echo "SKIPPED: slurmd needs root to start tasks"; exit 77; }
PATH=$PATH:/usr/sbin
work=$(mktemp -d)
stop() {
  for daemon in slurmd slurmctld; do
    [ -f "$work/$daemon.pid" ] || continue
    pid=$(cat "$work/$daemon.pid")
    kill "$pid" 2>/dev/null || continue
    tail --pid="$pid" -f /dev/null  # it writes its state before it goes
  done
  rm -rf "$work"
}
trap stop EXIT
host=$(hostname -s)
# Ports that nobody else's Slurm has.
port=$((20000 + $$ % 20000))
mkdir "$work/state" "$work/spool"
cat >"$work/slurm.conf" <<TEXT
ClusterName=npukit
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmctldPort=$port
SlurmdPort=$((port + 1))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=main Nodes=$host Default=YES State=UP
TEXT
export SLURM_CONF=$work/slurm.conf
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"

conform=$build/bin/npukit-conform
plugins=$build/faulty_plugins/healthy
arguments=(--suite smoke --suite dispatch)
# --wait ends with the array; its exit code is the worst task's. From 1: an array may count from any number.
if ! sbatch --wait --array=1-3 --chdir="$work" --output="$work/task_%a.txt" "$here/conform.sbatch" "$build/bin/npukit" \
    "$plugins" "$work/results" "${arguments[@]}"; then
  tail -n 20 "$work"/task_*.txt "$work"/*.log
  exit 1
fi
ls "$work/results"
[ "$(find "$work/results" -name 'results.json' | wc -l)" -eq 3 ]
"$conform" --plugin-dir "$plugins" "${arguments[@]}" --report "$work/whole" >"$work/whole.txt"
"$conform" merge "$work"/results/shard_* --report "$work/merged" --compare "$work/whole" | tee "$work/merged.txt"
grep -q 'nothing changed' "$work/merged.txt"
grep -q 'Mimic: conformant' "$work/merged.txt"
