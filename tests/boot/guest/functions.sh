set -euo pipefail
export DATABASE_URL=postgres://owner:password@localhost:5432/gateway

# Makes a call and shows the answer.
call() {
  curl --silent --show-error --fail-with-body --max-time 60 --cacert /root/authority.pem \
    "https://localhost:${1:-6001}/chat/v1/chat/completions" --header "Authorization: Bearer $(cat /root/key)" \
    --json '{"messages":[{"role":"user","content":"Hello"}]}'
}

# The end of the journal now.
cursor() {
  journalctl --lines=0 --show-cursor | sed --quiet 's/^-- cursor: //p'
}

# Waits until a unit has logged a line that matches: journal_shows CURSOR UNIT PATTERN
journal_shows() {
  exec 9< <(exec timeout 120 journalctl --follow --no-tail --after-cursor="$1" --unit="$2" --output=cat)
  local follower=$! found=0
  grep --quiet --extended-regexp --max-count=1 "$3" <&9 || found=1
  kill "$follower" 2>/dev/null || true
  exec 9<&-
  [ "$found" = 0 ] || echo "No line of $2 matches $3 within two minutes."
  return "$found"
}

fail() {
  echo "$*"
  exit 1
}
