#!/bin/sh
# kubectl runs the program kubectl_complete-NAME to complete what is typed after
# "kubectl NAME". It has to be on PATH beside kubectl-NAME; which one that is, is
# told by the name that this file goes by.
set -eu
exec "kubectl-${0##*kubectl_complete-}" __complete "$@"
