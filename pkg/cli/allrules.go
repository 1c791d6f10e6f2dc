package cli

import (
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/controller"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/handlers"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/inference"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/simulate"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/trace"
)

// allRules is the catalogue of everything that answers refer to, each rule
// once: plugins have those of claims in common with questions about owners.
func allRules(controllers controller.Registry) decision.Catalogue {
	var all decision.Catalogue
	for _, c := range []decision.Catalogue{controllers.Rules(), orphans.Rules, lineage.Rules, handlers.Rules, trace.Rules, inference.Rules, simulate.Rules} {
		for _, rule := range c {
			if _, known := all.Find(rule.ID); !known {
				all = append(all, rule)
			}
		}
	}
	return all
}
