#!/usr/bin/env bash
# Builds krew, and krew's checker of manifests: from the Go module proxy, with
# nothing but Go installed.
#
#   build.sh [out-dir]
#
# The default folder is .cache/krew/bin under the repository's root.
set -euo pipefail
# The flags of the caller's module are not for these.
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-mod=readonly -buildvcs=false'

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../../.cache/krew/bin}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here/tools"
nice go build -trimpath -ldflags '-s -w' -o "$out/" \
  sigs.k8s.io/krew/cmd/krew sigs.k8s.io/krew/cmd/validate-krew-manifest
