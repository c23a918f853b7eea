#!/bin/sh
# Three calls with curl: a plain answer, a streamed one, and one that the gateway refuses.
set -eu
: "${GATEWAY_URL:?the address of the gateway, for example http://127.0.0.1:6001}"
: "${GATEWAY_KEY:?your account key, gwk_…}"
ENDPOINT=${ENDPOINT:-demo}

call() {
  key=$1
  body=$2
  curl --silent --show-error --no-buffer "$GATEWAY_URL/$ENDPOINT/v1/chat/completions" \
    --header "authorization: Bearer $key" \
    --header 'content-type: application/json' \
    --data "$body"
}

echo 'A plain answer:'
call "$GATEWAY_KEY" '{"messages":[{"role":"user","content":"Say hello."}]}'
echo

echo 'A streamed answer:'
call "$GATEWAY_KEY" '{"stream":true,"messages":[{"role":"user","content":"Say hello."}]}'

echo 'A call with a wrong key:'
call gwk_000000000000000000000000000000000000000000000000 '{"messages":[]}'
echo
