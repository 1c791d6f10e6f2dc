#!/usr/bin/env bash
# Builds the oracles: build.sh <out-dir> [version...]
# A version is that of Kubernetes, such as 1.36, or kruise- and that of kruise, or
# manager- and that of a kube-controller-manager, which takes minutes more.
# Without versions, every kubernetes-* and kruise-* module is built, those in
# the folder more as well. Go's build
# cache makes an unchanged oracle a matter of seconds; the first build takes
# about a minute per version of Kubernetes and three per version of kruise, one
# after another, so that a small machine can do it.
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
	for dir in "$here"/{,more/}kubernetes-*; do
		set -- "$@" "${dir##*/kubernetes-}"
	done
	for dir in "$here"/{,more/}kruise-*; do
		set -- "$@" "${dir##*/}"
	done
fi
for version in "$@"; do
	echo "oracle-$version" >&2
	case $version in
	manager-*) # every version from one folder, with a .mod file of its own
		(cd "$here/manager" && CGO_ENABLED=0 go build -trimpath -modfile="${version#manager-}.mod" -ldflags='-s -w' -o "$out/oracle-$version" .)
		continue
		;;
	esac
	module=kubernetes-$version
	tags=
	case $version in
	kruise-1.5) module=$version tags=kruise1_5 ;;
	kruise-*) module=$version ;;
	esac
	if [ ! -d "$here/$module" ]; then
		module=more/$module
	fi
	# Trimmed as the control plane's builds are, so that both share what they compile.
	(cd "$here/$module" && CGO_ENABLED=0 go build -trimpath -tags "$tags" -ldflags='-s -w' -o "$out/oracle-$version" .)
done
