#!/bin/sh
# Builds the container image from the artifact of one build profile, without a daemon: in a release, or in the sources.
# Usage: deploy/image/build.sh [--profile on-premise|serverless] [--tag NAME] [--base IMAGE] [--output FILE]
set -eu
cd "$(dirname "$0")/../.."

usage() {
  echo "Usage: deploy/image/build.sh [--profile on-premise|serverless] [--tag NAME] [--base IMAGE] [--output FILE]" >&2
  exit 2
}

profile=on-premise
tag=
base=docker.io/library/debian:bookworm-slim
output=
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || usage
  case $1 in
    --profile) profile=$2 ;;
    --tag) tag=$2 ;;
    --base) base=$2 ;;
    --output) output=$2 ;;
    *) usage ;;
  esac
  shift 2
done
case $profile in
  on-premise) : "${tag:=gateway}" ;;
  serverless) : "${tag:=gateway-serverless}" ;;
  *) usage ;;
esac

for program in buildah podman docker none; do
  if command -v "$program" >/dev/null; then break; fi
done
if [ "$program" = none ]; then
  echo "buildah, podman or docker is needed. Debian: apt-get install buildah" >&2
  exit 1
fi
artifact=dist/$profile manual=dist/manual node=node_modules/node/bin/node
if [ -f release.json ]; then
  artifact=$profile manual=manual node=runtime/node
fi
for path in "$artifact/gateway.js" "$manual/index.html" "$node"; do
  if [ ! -e "$path" ]; then
    echo "$path is missing. Run: npm ci && npm run build:manual && GATEWAY_DEPLOYMENT_PROFILE=$profile npm run build" >&2
    exit 1
  fi
done

context=$(mktemp -d)
trap 'rm -rf "$context"' EXIT
cp deploy/image/Containerfile "$context/Containerfile"
cp -L "$node" "$context/node"
cp -r "$artifact" "$context/artifact"
rm -rf "$context/artifact/gw" "$context/artifact/gw.js" # the client runs on workstations
cp -r "$manual" "$context/manual"

"$program" build --build-arg "BASE=$base" --file "$context/Containerfile" --tag "$tag" "$context"
if [ -n "$output" ]; then
  case $program in
    buildah) buildah push "$tag" "oci-archive:$output:$tag" ;;
    *) "$program" save --output "$output" "$tag" ;;
  esac
fi
