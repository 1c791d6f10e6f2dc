#!/usr/bin/env bash
# Builds what the tool is timed against: from the Go module proxy, with nothing
# but Go installed.
#
#   build.sh [out-dir]
#
# The default folder is .cache/bench/bin under the repository's root.
set -euo pipefail
# The flags of the caller's module are not for these.
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-mod=readonly -buildvcs=false'

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-$here/../../.cache/bench/bin}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cd "$here/tools"
nice go build -trimpath -ldflags '-s -w' -o "$out/kube-lineage" github.com/tohjustin/kube-lineage/cmd/kube-lineage
