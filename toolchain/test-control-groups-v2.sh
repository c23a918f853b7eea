#!/bin/sh
# Tests the sandbox of agent commands under version 2 of the control groups, on a host that has version 1 as well: in a
# kernel of its own (Debian: apt-get install user-mode-linux), with this machine's file system, read only, below it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)

if [ $$ -ne 1 ]; then
  said=$(mktemp)
  linux.uml mem=3G rootfstype=hostfs rootflags=/ ro quiet cgroup_no_v1=all init="$root/toolchain/$(basename "$0")" \
    con=null con0=null,fd:1 </dev/null | tee "$said"
  grep -q '^All of them passed' "$said" && passed=0 || passed=1
  rm -f "$said"
  exit $passed
fi

# From here on the first process of that kernel.
mount -t proc proc /proc
mount -t sysfs sys /sys
for place in /tmp /run /dev/shm; do
  mkdir -p "$place"
  mount -t tmpfs tmpfs "$place"
done
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ip link set lo up
ln -s /proc/self/fd /dev/fd
export HOME=/tmp PATH="$root/node_modules/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
cd "$root"
result=0
timeout 600 vitest run --no-cache --configLoader runner apps/gateway/src/commands/sandbox >/tmp/said 2>&1 || result=$?
cat /tmp/said
if [ $result -eq 0 ]; then
  echo "All of them passed with the controllers $(cat /sys/fs/cgroup/cgroup.controllers)."
fi
echo o >/proc/sysrq-trigger
sleep 10
