#!/usr/bin/env bash
# Compares the service with alternatives (a loop around inotifywait, a Python watchdog script, each calling `tabuleiro
# solve`, which starts faster than the courses' programs) and with the bare system calls, all in one run, on a disk and in
# memory:
#
#     benches/daemon.sh [--quick] [FOLDER-ON-DISK]
#
# Prints tables with ratios, and the file system of FOLDER-ON-DISK (default target/daemon). An alternative that is not
# installed is skipped with a message: inotify-tools comes from the distribution, watchdog from Python's index.
set -euo pipefail
cd "$(dirname "$0")/.."
quick=false
if [ "${1:-}" = --quick ]; then
  quick=true
  shift
fi
disk=${1:-target/daemon}
files=10000 peer_files=2000 lone=200
$quick && files=1000 peer_files=200 lone=30

export CARGO_TERM_QUIET=true
cargo build --locked --release
load=$(cargo bench --locked --bench daemon_load --no-run --message-format json \
  | sed -n 's/.*"name":"daemon_load".*"executable":"\([^"]*\)".*/\1/p' | tail -n 1)
program=$PWD/target/release/tabuleiro
results=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$results"' EXIT

skip() { printf 'SKIPPED: %s\n' "$*" >&2; }

# new_place FOLDER: makes a new place for a measurement, with the folders staging, inbox, outbox and var.
new_place() {
  place=$(mktemp -d "$1/XXXXXX")
  mkdir "$place"/{staging,inbox,outbox,var}
}

# start_service DURABILITY: starts the service in the place.
start_service() {
  cat > "$place/tabuleiro.toml" << END
[folders]
inbox = "$place/inbox"
outbox = "$place/outbox"
var = "$place/var"
[log]
stderr = false
[intake]
free_space_min = "0B"
[results]
durability = "$1"
END
  "$program" serve --config "$place/tabuleiro.toml" &
  service=$!
  until grep -qs ' ready ' "$place"/var/log/*; do sleep 0.01; done
}

start_inotifywait() {
  # In its own process group, so that it ends together with everything that it started.
  setsid benches/daemon/peers/inotifywait.sh "$place/inbox" "$place/outbox" "$program" solve -i 2> /dev/null &
  service=$!
  # It does not say when its watch is ready; the first answer shows it.
  until [ -s "$place/outbox/warm-saida.txt" ]; do
    printf '3 3\n2 1 2 0 1\n0 0\n' > "$place/inbox/warm-entrada.txt"
    sleep 0.2
  done
}

start_watchdog() {
  "$python" benches/daemon/peers/watchdog_peer.py "$place/inbox" "$place/outbox" "$program" solve -i > "$place/ready" 2> /dev/null &
  service=$!
  until [ -s "$place/ready" ]; do sleep 0.01; done
}

stop_service() {
  kill -- "-$service" 2> /dev/null || kill "$service" 2> /dev/null || true
  wait "$service" 2> /dev/null || true
  rm -rf "$place"
}

# run SERIES WHAT COUNT START…: measures, and writes one figure per line into results/WHAT-FS-SERIES.
run() {
  local series=$1 what=$2 count=$3
  shift 3
  new_place "$root"
  "$@"
  "$load" "$what" "$place/staging" "$place/inbox" "$place/outbox" "$count" > "$results/$what-$fs-$series" 2> "$results/errors" \
    || { cat "$results/errors"; skip "$series did not answer ($what, $fs)"; rm -f "$results/$what-$fs-$series"; }
  stop_service 2> /dev/null
}

# bare SERIES COUNT GROUP SYNC CALLS: measures the bare system calls.
bare() {
  new_place "$root"
  "$load" bare "$place/bare" "$2" "$3" "$4" "$5" > "$results/throughput-$fs-$1"
  rm -rf "$place"
}

percentile() { sort -n "$2" | awk -v p="$1" '{ v[NR] = $1 } END { i = int(NR * p / 100 + 0.999999); print v[i < 1 ? 1 : i] }'; }

python=python3
if ! "$python" -c 'import watchdog' 2> /dev/null; then
  python3 -m venv target/tools/watchdog 2> /dev/null && target/tools/watchdog/bin/pip install --quiet watchdog 2> /dev/null || true
  python=target/tools/watchdog/bin/python
fi
has_watchdog=true has_inotifywait=true
"$python" -c 'import watchdog' 2> /dev/null || { has_watchdog=false; skip "the Python watchdog is not installed"; }
command -v inotifywait > /dev/null || { has_inotifywait=false; skip "inotifywait is not installed"; }

mkdir -p "$disk"
disk=$(cd "$disk" && pwd)
for fs in disk memory; do
  root=$disk
  if [ $fs = memory ]; then
    root=/dev/shm
    [ "$(stat -f -c %T $root 2> /dev/null)" = tmpfs ] || { skip "there is no tmpfs at $root"; continue; }
  fi
  printf '\n## %s (%s)\n\n' "$fs" "$(stat -f -c %T "$root")"

  for durability in full none; do
    run "service-$durability" latency "$lone" start_service $durability
    run "service-$durability" throughput "$files" start_service $durability
  done
  bare bare-same "$files" 64 group same
  bare bare-least "$files" 64 group least
  bare bare-each "$((files / 10))" 1 each least
  bare bare-none "$files" 64 none least
  new_place "$root"
  "$load" bare-syncs "$place/bare" "$lone" > "$results/latency-$fs-bare-sync"
  rm -rf "$place"
  if $has_inotifywait; then
    run inotifywait latency "$lone" start_inotifywait
    run inotifywait throughput "$peer_files" start_inotifywait
  fi
  if $has_watchdog; then
    run watchdog latency "$lone" start_watchdog
    run watchdog throughput "$peer_files" start_watchdog
  fi

  printf '| one file at a time | median | p90 | p99 |\n|---|---|---|---|\n'
  for file in "$results"/latency-$fs-*; do
    printf '| %s |' "${file##*/latency-"$fs"-}"
    for p in 50 90 99; do printf ' %.2f ms |' "$(percentile $p "$file" | awk '{ print $1 / 1e6 }')"; done
    printf '\n'
  done

  printf '\n| files dropped at once | files | seconds | files/s | service-full to it |\n|---|---|---|---|---|\n'
  ours=$(awk -v n="$files" '{ print n / $1 }' "$results/throughput-$fs-service-full")
  for file in "$results"/throughput-$fs-*; do
    series=${file##*/throughput-"$fs"-} count=$files
    case $series in inotifywait | watchdog) count=$peer_files ;; bare-each) count=$((files / 10)) ;; esac
    awk -v s="$series" -v n="$count" -v ours="$ours" \
      '{ printf "| %s | %d | %.2f | %.0f | %.2f |\n", s, n, $1, n / $1, ours * $1 / n }' "$file"
  done
done
