#!/usr/bin/env bash
# Measures the service on large files: time, peak memory and speed, compared with `tabuleiro solve` and `tabuleiro check`
# of the same file, and how soon a stop returns the file to the inbox:
#
#     benches/large.sh [MIB] [FOLDER-ON-DISK]
#
# MIB is the size of a file (default 1024). FOLDER-ON-DISK (default target/large) needs four times as much space. If
# PROGRAM is set, that program is measured. Prints a table.
set -euo pipefail
cd "$(dirname "$0")/.."
mib=${1:-1024} disk=${2:-target/large}
if [ -z "${PROGRAM:-}" ]; then
  cargo build --quiet --locked --release
  PROGRAM=$PWD/target/release/tabuleiro
fi
mkdir -p "$disk"
disk=$(cd "$disk" && pwd)
place=$(mktemp -d "$disk/XXXXXX")
touch "$place/empty.toml"
service=
trap '[ -z "$service" ] || kill "$service" 2> /dev/null || true; rm -rf "$place"' EXIT

# timed COMMAND…: runs the command, and sets `wall` to its seconds by the clock and `peak` to its peak memory in KiB.
timed() {
  local from
  from=$(date +%s.%N)
  "$@" > /dev/null 2> "$place/errors" &
  local child=$!
  peak=0
  while [ -d "/proc/$child" ] && now=$(awk '/VmHWM/ { print $2 }' "/proc/$child/status" 2> /dev/null) && [ -n "$now" ]; do
    peak=$now
    sleep 0.05
  done
  wait "$child" || { cat "$place/errors"; exit 1; }
  wall=$(awk -v from="$from" -v to="$(date +%s.%N)" 'BEGIN { print to - from }')
}

# start FORMATS WITNESS SOLVER: starts a service with these settings.
start() {
  rm -rf "$place/service"
  mkdir -p "$place/service"/{inbox,outbox,var}
  cat > "$place/tabuleiro.toml" << END
[folders]
inbox = "$place/service/inbox"
outbox = "$place/service/outbox"
var = "$place/service/var"
[log]
stderr = false
[intake]
size_limit = "8GiB"
[workers]
stop_timeout = "1ms"
[results]
formats = $1
size_limit = "64GiB"
[[route]]
name = "all"
files = ["**"]
solver = "$3"
options = { witness = $2 }
END
  "$PROGRAM" serve --config "$place/tabuleiro.toml" &
  service=$!
  until grep -qs ' ready ' "$place"/service/var/log/*; do sleep 0.01; done
}

# Prints the service's ticks of processor time.
ticks() { awk '{ print $14 + $15 }' "/proc/$service/stat"; }

row() { printf '| %s | %s | %s | %.1f s | %.1f s | %.0f MiB | %.0f MB/s |\n' "$1" "$2" "$3" "$4" "$5" "$6" "$7"; }

printf '| solver | size | what | by the clock | processor | memory at most | speed |\n|---|---|---|---|---|---|---|\n'
for solver in ${SOLVERS:-checkers-capture 2048-merge jump-game}; do
  sample=$("$PROGRAM" generate "$solver" 1000 --seed 7 | wc -c)
  "$PROGRAM" generate "$solver" $((mib * 1024 * 1024 / sample * 1000)) --seed 7 > "$place/file.txt"
  bytes=$(stat -c %s "$place/file.txt")
  size="$((bytes >> 20)) MiB"
  speed() { awk -v b="$bytes" -v s="$1" 'BEGIN { print b / s / 1e6 }'; }
  for what in check solve; do
    before=$(awk '{ print $16 + $17 }' /proc/$$/stat)
    if [ $what = check ]; then timed "$PROGRAM" check --config "$place/empty.toml" --solver "$solver" "$place/file.txt"
    else timed "$PROGRAM" solve --config "$place/empty.toml" --solver "$solver" -i "$place/file.txt" -o "$place/answer.txt"; fi
    cpu=$(awk -v from="$before" -v to="$(awk '{ print $16 + $17 }' /proc/$$/stat)" 'BEGIN { print (to - from) / 100 }')
    row "$solver" "$size" "\`$what\`" "$wall" "$cpu" $((peak >> 10)) "$(speed "$wall")"
  done
  for form in '["txt"] false' '["txt","json"] true'; do
    read -r formats witness <<< "$form"
    start "$formats" "$witness" "$solver"
    ln "$place/file.txt" "$place/service/file.txt"
    from=$(date +%s.%N) before=$(ticks)
    mv "$place/service/file.txt" "$place/service/inbox/file.txt"
    until [ -e "$place/service/outbox/file.saida.txt" ]; do sleep 0.02; done
    wall=$(awk -v from="$from" -v to="$(date +%s.%N)" 'BEGIN { print to - from }')
    cpu=$((($(ticks) - before)))
    peak=$(awk '/VmHWM/ { print $2 }' "/proc/$service/status")
    row "$solver" "$size" "service, $formats, witness = $witness" "$wall" "$(awk -v t=$cpu 'BEGIN { print t / 100 }')" \
      $((peak >> 10)) "$(speed "$wall")"
    if [ "$formats" = '["txt"]' ]; then
      cmp "$place/service/outbox/file.saida.txt" "$place/answer.txt"
      # Drops the file again and stops the service halfway: measures how soon the file is back in the inbox.
      ln "$place/file.txt" "$place/service/again.txt"
      mv "$place/service/again.txt" "$place/service/inbox/again.txt"
      until [ ! -e "$place/service/inbox/again.txt" ]; do sleep 0.01; done
      sleep "$(awk -v s="$wall" 'BEGIN { print s / 3 }')"
      from=$(date +%s.%N)
      kill "$service"
      until [ -e "$place/service/inbox/again.txt" ]; do sleep 0.002; done
      awk -v from="$from" -v to="$(date +%s.%N)" 'BEGIN { printf "put back %.0f ms after the stop signal\n", (to - from) * 1000 }' >&2
    else
      kill "$service"
    fi
    wait "$service" || true
    service=
  done
done
