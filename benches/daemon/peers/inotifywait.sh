#!/usr/bin/env bash
# A typical home-made script: a loop around inotifywait that calls a program for every file.
#     inotifywait.sh INBOX OUTBOX PROGRAM…
set -u
inbox=$1 outbox=$2
shift 2
inotifywait --quiet --monitor --event close_write --event moved_to --format '%f' "$inbox" | while IFS= read -r name; do
  "$@" "$inbox/$name" > "$outbox/${name/entrada/saida}"
  rm "$inbox/$name"
done
