package plugins

import "github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"

// PodLabels are those that a controller writes on pods that are there.
var PodLabels = cloneset.WrittenLabels
