package e2e

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/lineage"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/orphans"
)

// predictOrphans reads a report as a forecast. What it does not speak of
// stays.
func predictOrphans(rep *orphans.Report, before population) *forecast {
	f := newForecast(rep.Answer)
	for _, finding := range rep.Findings {
		f.fates[uid(finding.Object)] = fatesOf(finding, before[uid(finding.Object)])
		if finding.Patch != "" {
			f.patches[uid(finding.Object)] = finding.Patch
		}
	}
	for _, finding := range rep.Findings {
		for _, c := range finding.Then {
			f.then(c, uid(finding.Object), finding.Group == orphans.Contested)
		}
	}
	return f
}

// fatesOf are those that a finding leaves open.
func fatesOf(finding orphans.Finding, was being) []string {
	var fates []string
	for _, c := range finding.Candidates {
		if c.Adopts {
			fates = append(fates, fate(was, adopted(freed(was, finding), c.Controller)))
		}
	}
	if finding.Group == orphans.Released && len(fates) == 0 {
		fates = append(fates, fate(was, freed(was, finding)))
	}
	if finding.Collector != nil {
		fates = append(fates, fate(was, collected(was, finding)))
	}
	switch {
	case finding.Rule == orphans.BeyondHistory:
		return []string{"deleted"}
	case len(fates) == 0:
		return []string{unchanged}
	}
	return fates
}

func adopted(b being, by decision.Ref) being {
	b.owners = append(slices.Clone(b.owners), metav1.OwnerReference{
		APIVersion: by.APIVersion, Kind: by.Kind, Name: by.Name, UID: types.UID(by.UID), Controller: new(true),
	})
	return b
}

// freed is an object without the controller that releases it.
func freed(b being, finding orphans.Finding) being {
	if finding.Group != orphans.Released {
		return b
	}
	return without(b, func(l lineage.Link) bool { return l.Controller }, finding.Links)
}

func collected(b being, finding orphans.Finding) being {
	switch finding.Collector.Rule {
	case lineage.Collected:
		b.going = true
	case lineage.ReferenceDropped:
		return without(b, func(l lineage.Link) bool { return l.State == lineage.Dangling || l.State == lineage.Waiting }, finding.Links)
	}
	return b
}

func without(b being, gone func(lineage.Link) bool, links []lineage.Link) being {
	b.owners = slices.DeleteFunc(slices.Clone(b.owners), func(ref metav1.OwnerReference) bool {
		return slices.ContainsFunc(links, func(l lineage.Link) bool { return l.Owner.UID == string(ref.UID) && gone(l) })
	})
	return b
}

// then adds the consequences for a controller. Those of a contested object
// come true for one of its adopters only.
func (f *forecast) then(c orphans.Consequence, object types.UID, contested bool) {
	if c.Rule == orphans.ThenCondemned {
		f.only(object, "deleted")
	}
	for _, o := range c.Deletes {
		if contested {
			f.also(uid(o), "deleted")
			continue
		}
		f.only(uid(o), "deleted")
	}
	var among []types.UID
	for _, o := range c.Possible {
		f.also(uid(o), "deleted")
		among = append(among, uid(o))
	}
	if contested {
		return
	}
	if len(among) > 0 {
		f.choices = append(f.choices, choice{number(c.Facts, "deletePossible"), among})
	}
	if _, counts := c.Facts.Get("create"); counts {
		f.makes[c.Controller.String()] = number(c.Facts, "create")
	}
}
