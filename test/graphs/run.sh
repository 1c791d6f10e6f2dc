#!/usr/bin/env bash
# Draws graphs with Graphviz and with mermaid in a browser, for `make graphs`.
# Needs dot, chromium, npm and, the first time, the npm registry.
set -euo pipefail
version=11.17.2
cache=$1/mermaid-$version
for program in dot chromium npm; do
  command -v "$program" >/dev/null || { echo "graphs: $program is missing (Debian: apt-get install graphviz chromium npm)" >&2; exit 1; }
done
if [ ! -e "$cache/package/dist/mermaid.min.js" ]; then
  mkdir -p "$cache"
  (cd "$cache" && npm pack --silent "mermaid@$version" >/dev/null && tar xzf "mermaid-$version.tgz" package/dist/mermaid.min.js)
fi
GRAPHS=1 MERMAID="$cache/package/dist/mermaid.min.js" go test -count 1 ./test/graphs/...
