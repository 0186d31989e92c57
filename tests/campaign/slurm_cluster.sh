#!/bin/sh
# A Slurm cluster of one node, this machine, below a folder of its own:
#   slurm_cluster.sh start|stop|kill-node|crash-node|start-node|kill-controller|start-controller DIR
# Afterwards `SLURM_CONF=DIR/slurm.conf squeue` and the like talk to it. Nothing outside of DIR is
# written, no service of the machine is used or disturbed. Status 77: it cannot be started here.
set -u
PATH=$PATH:/usr/sbin:/sbin
action=${1:?action missing}
mkdir -p "${2:?folder missing}" && dir=$(cd "$2" && pwd -P) || exit 2

cannot() { printf 'slurm_cluster.sh: %s\n' "$*" >&2; exit 77; }

alive() { # PIDFILE
  [ -s "$1" ] && kill -0 "$(cat "$1")" 2>/dev/null
}

end() { # PIDFILE SIGNAL
  alive "$1" || return 0
  kill "-$2" "$(cat "$1")" 2>/dev/null
  for _ in $(seq 50); do
    alive "$1" || break
    sleep 0.1
  done
  alive "$1" && kill -KILL "$(cat "$1")" 2>/dev/null
  rm -f "$1"
}

# Steps outlive the slurmd that started them, and what runs in a step outlives the step.
end_steps() {
  for step in $(pgrep -f '^slurmstepd: \['); do
    tr '\0' '\n' <"/proc/$step/environ" 2>/dev/null | grep -qxF "SLURM_CONF=$dir/slurm.conf" || continue
    jobs=$(pgrep -P "$step")
    kill -KILL "$step"
    for job in $jobs; do kill -KILL -- "-$job" 2>/dev/null; done
  done
  return 0
}

configure() {
  node=$(uname -n | cut -d. -f1)
  user=$(id -un)
  port=$((20000 + 2 * ($$ % 10000)))
  cat >"$dir/slurm.conf" <<CONF
ClusterName=faultline
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket,cred_expire=5
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobRequeue=1
SlurmdTimeout=3
SlurmctldTimeout=5
MessageTimeout=5
KillWait=2
MinJobAge=2
InactiveLimit=0
MaxArraySize=301
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=0,requeue_setup_env_fail
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$node NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
}

start_munge() {
  [ -s "$dir/munge.key" ] || head -c 1024 /dev/urandom >"$dir/munge.key"
  chmod 600 "$dir/munge.key"
  munged --force --num-threads=2 --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
    --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" ||
    cannot "munged does not start: $(tail -n 1 "$dir/munged.log" 2>/dev/null)"
}

start_controller() {
  slurmctld -f "$dir/slurm.conf" >"$dir/slurmctld.out" 2>&1 ||
    cannot "slurmctld does not start: $(tail -n 1 "$dir/slurmctld.out")"
}

# A controller that was killed may launch a job that runs already; it drains the node then, until
# an operator has looked at it. Here that is this loop, as long as the controller lives.
resume_drained_node() {
  export SLURM_CONF="$dir/slurm.conf"
  for _ in $(seq 120); do
    sleep 1
    alive "$dir/slurmctld.pid" || return 0
    sinfo -h -o %T | grep -q drain && scontrol update "nodename=$(uname -n | cut -d. -f1)" state=resume
  done
}

start_node() {
  slurmd -f "$dir/slurm.conf" >"$dir/slurmd.out" 2>&1 ||
    cannot "slurmd does not start: $(tail -n 1 "$dir/slurmd.out")"
}

wait_for_node() {
  for _ in $(seq 150); do
    SLURM_CONF=$dir/slurm.conf sinfo --noheader --format %t 2>/dev/null | grep -Eq '^(idle|mix|alloc)$' && return 0
    sleep 0.1
  done
  cannot "the node does not come up: $(tail -n 1 "$dir/slurmd.log" 2>/dev/null)"
}

case $action in
start)
  for tool in munged slurmctld slurmd sbatch squeue scancel sinfo; do
    command -v "$tool" >/dev/null || cannot "$tool is not installed"
  done
  mkdir -p "$dir/state" "$dir/spool"
  chmod 755 "$dir"
  configure
  start_munge
  start_controller
  start_node
  wait_for_node
  ;;
stop)
  end "$dir/slurmd.pid" TERM
  end "$dir/slurmctld.pid" TERM
  end_steps
  end "$dir/munged.pid" TERM
  ;;
kill-node) end "$dir/slurmd.pid" KILL ;; # only the daemon: its jobs go on
crash-node) # as when the power fails
  end "$dir/slurmd.pid" KILL
  end_steps
  ;;
start-node) start_node ;;
kill-controller) end "$dir/slurmctld.pid" KILL ;;
start-controller)
  start_controller
  resume_drained_node >/dev/null 2>&1 </dev/null &
  ;;
*)
  echo "slurm_cluster.sh: unknown action $action" >&2
  exit 2
  ;;
esac
