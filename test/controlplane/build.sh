#!/usr/bin/env bash
# Builds the control plane that tests and the playground run: from the Go module
# proxy, with nothing but Go installed.
#
#   build.sh [out-dir [binary…]]
#
# The default folder is .cache/controlplane/bin under the repository's root; the
# default binaries are all of them but kruise-manager, which takes minutes of its
# own and needs kubectl. Prints nothing when there is nothing to do. The first
# build takes some minutes.
set -euo pipefail
# The flags of the caller's module are not for these.
export GOWORK=off CGO_ENABLED=0 GOFLAGS='-mod=readonly -buildvcs=false'

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
out=${1:-$root/.cache/controlplane/bin}
[ $# -eq 0 ] || shift
[ $# -gt 0 ] || set -- etcd kube-apiserver kube-controller-manager kube-scheduler kubectl kwok

# folder_of and package_of say which module under tools/ holds a binary, and
# which package it is. Plain functions, for shells without associative arrays.
folder_of() {
  case $1 in
  etcd | kube-apiserver | kube-controller-manager | kube-scheduler | kubectl) echo kubernetes ;;
  kwok) echo kwok ;;
  kruise-manager) echo kruise ;;
  *) echo "build.sh: unknown binary $1" >&2 && return 1 ;;
  esac
}

package_of() {
  case $1 in
  etcd) echo go.etcd.io/etcd/server/v3 ;;
  kwok) echo sigs.k8s.io/kwok/cmd/kwok ;;
  kruise-manager) echo github.com/openkruise/kruise ;;
  *) echo "k8s.io/kubernetes/cmd/$1" ;;
  esac
}

# Unstamped, the Kubernetes binaries say that they are v0.0.0, and clients that
# look at the server's version decide by that. The others know theirs.
ldflags_of() {
  local version major minor pkg=k8s.io/component-base/version
  case $1 in kube*) ;; *) return ;; esac
  version=$(cd "$here/tools/kubernetes" && go list -m -f '{{.Version}}' k8s.io/kubernetes)
  IFS=. read -r major minor _ <<<"${version#v}"
  echo "-X $pkg.gitVersion=$version -X $pkg.gitMajor=$major -X $pkg.gitMinor=$minor"
}

# recipe_of is everything that a binary is made from. A binary whose recipe did
# not change is not built again: even a warm "go build" of all takes seconds.
recipe_of() { cat "$here/build.sh" "$here/tools/$1/go.mod" "$here/tools/$1/go.sum" - <<<"$toolchain" | cksum; }

build() {
  local name=$1 folder recipe
  folder=$(folder_of "$name")
  recipe=$(recipe_of "$folder")
  if [ -x "$out/$name" ] && [ "$(cat "$out/.$name.recipe" 2>/dev/null)" = "$recipe" ]; then return; fi
  echo "building $name" >&2
  (cd "$here/tools/$folder" && nice go build -trimpath \
    -ldflags "-s -w $(ldflags_of "$name")" -o "$out/.$name.new" "$(package_of "$name")")
  # A rename, so that a cluster that runs the old binary is not disturbed.
  mv "$out/.$name.new" "$out/$name"
  case $name in
  kwok) copy_stages ;;
  kruise-manager) render_kruise ;;
  esac
  echo "$recipe" >"$out/.$name.recipe"
}

# The stages say how kwok moves a pod on; they come with the very version of kwok
# that runs them.
copy_stages() {
  local module
  module=$(cd "$here/tools/kwok" && go list -m -f '{{.Dir}}' sigs.k8s.io/kwok)
  rm -rf "$out/stages" && mkdir -p "$out/stages"
  cp "$module/kustomize/stage/node/fast/node-initialize.yaml" \
    "$module"/kustomize/stage/pod/fast/pod-{ready,complete,delete}.yaml "$out/stages"
  chmod -R u+w "$out/stages"
}

# kruise.yaml is what upstream would deploy, without the workloads and their
# Service, in the order in which the parts need each other.
render_kruise() {
  local module parts kind
  module=$(cd "$here/tools/kruise" && go list -m -f '{{.Dir}}' github.com/openkruise/kruise)
  build kubectl
  parts=$(mktemp -d)
  "$out/kubectl" kustomize "$module/config/default" --output "$parts" 2> >(grep -v deprecated >&2)
  for kind in namespace customresourcedefinition clusterrole role clusterrolebinding rolebinding \
    secret mutatingwebhookconfiguration validatingwebhookconfiguration; do
    for part in "$parts"/*_"${kind}"_*.yaml; do cat "$part"; echo ---; done
  done >"$out/kruise.yaml"
  rm -rf "$parts"
}

mkdir -p "$out"
out=$(cd "$out" && pwd)
toolchain=$(go env GOVERSION GOOS GOARCH)
# Test packages run at the same time; only the first of them should compile.
if command -v flock >/dev/null; then
  exec 9>"$out/.lock"
  flock 9
fi
for name in "$@"; do build "$name"; done
