#!/bin/bash
# Runs the scripts of the test: one line of base64 arrives at the second serial port, one line with exit code and output leaves it.
stty --file=/dev/ttyS1 raw -echo
exec <>/dev/ttyS1 3>&0
output=$(mktemp)
printf 'ready\n' >&3
while IFS= read -r line; do
  bash -c "$(base64 --decode <<<"$line")" </dev/null >"$output" 2>&1 3>&-
  printf '%s %s\n' "$?" "$(base64 --wrap=0 "$output")" >&3
done
