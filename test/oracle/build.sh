#!/usr/bin/env bash
# Builds the oracles: build.sh <out-dir> [version...]
# Without versions, every kubernetes-* module is built. Go's build cache makes
# an unchanged oracle a matter of seconds; the first build takes about a minute
# per version, one after another, so that a small machine can do it.
set -euo pipefail

if [ $# -lt 1 ]; then
	echo "usage: $0 <out-dir> [version...]" >&2
	exit 2
fi
mkdir -p "$1"
out=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)

if [ $# -eq 0 ]; then
	for dir in "$here"/kubernetes-*; do
		set -- "$@" "${dir##*/kubernetes-}"
	done
fi
for version in "$@"; do
	echo "oracle-$version" >&2
	(cd "$here/kubernetes-$version" && CGO_ENABLED=0 go build -ldflags='-s -w' -o "$out/oracle-$version" .)
done
