package render

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/format"
)

// PodDocument is the JSON form of a report on a Pod.
type PodDocument struct {
	metav1.TypeMeta `json:",inline"`
	*decision.PodReport
}

// DeepCopyObject makes PodDocument a runtime.Object. Reports are never changed once
// made, so the copy may share them.
func (d *PodDocument) DeepCopyObject() runtime.Object { c := *d; return &c }

// PodDocumentList is the JSON form of several.
type PodDocumentList struct {
	metav1.TypeMeta `json:",inline"`
	// Items are the answers, one for each Pod.
	Items []PodDocument `json:"items"`
}

// DeepCopyObject makes PodDocumentList a runtime.Object.
func (l *PodDocumentList) DeepCopyObject() runtime.Object { c := *l; return &c }

// NewPodDocument wraps reports: the one that was asked for, or a list.
func NewPodDocument(all []*decision.PodReport) runtime.Object {
	kind := typeOf("PodExplanation")
	if len(all) == 1 {
		return &PodDocument{kind, all[0].Listed()}
	}
	list := &PodDocumentList{TypeMeta: typeOf("PodExplanationList"), Items: []PodDocument{}}
	for _, rep := range all {
		list.Items = append(list.Items, PodDocument{kind, rep.Listed()})
	}
	return list
}

// Pods writes reports with an empty line between.
func Pods(w io.Writer, all []*decision.PodReport, o Options) error {
	for i, rep := range all {
		if i > 0 {
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
		if err := podReport(w, rep, o); err != nil {
			return err
		}
	}
	return nil
}

func podReport(w io.Writer, rep *decision.PodReport, o Options) error {
	p := newPage(&decision.Decision{Target: rep.Target, Standing: rep.Standing, AsOf: rep.AsOf, Caveats: rep.Caveats}, o)
	p.headlined()
	if len(rep.BlockedBy)+len(rep.WaitingFor) > 0 {
		if err := p.causes(); err != nil {
			return err
		}
	}
	p.WriteByte('\n')
	p.note("CONTROLLER", controllers(rep))
	p.note("COUNTED", claimed(rep))
	p.note("REVISION", revision(rep.Revision))
	p.note("DELETED", nearness(rep.Deletion))
	p.note("TAINT", tainted(rep))
	if rep.Modelled.Controller != "" {
		p.modelled(rep.Modelled, rep.AsOf)
	}
	p.caveats()
	p.nextCommand()
	_, err := io.WriteString(w, p.String())
	return err
}

// controllers is the chain above a Pod.
func controllers(rep *decision.PodReport) string {
	switch {
	case rep.Adopters != "":
		return "none yet: " + rep.Adopters + " adopts the Pod"
	case len(rep.Owners) == 0:
		return "none; the command orphans shows whether one adopts the Pod"
	}
	if c := rep.Claim; c != nil && c.Decision == decision.ToAdopt {
		return "none yet: " + chain(rep) + " adopts the Pod"
	}
	return chain(rep)
}

// chain names the controllers above a Pod, root first.
func chain(rep *decision.PodReport) string {
	names := make([]string, len(rep.Owners))
	for i, o := range rep.Owners {
		names[i] = o.String()
	}
	return strings.Join(names, " › ")
}

// claimed says whether the controller counts the Pod towards its replicas.
func claimed(rep *decision.PodReport) string {
	c := rep.Claim
	switch {
	case c == nil:
		return ""
	case c.Decision == decision.Owned:
		return "yes, by " + rep.Owners[len(rep.Owners)-1].String()
	case c.Decision == decision.ToAdopt:
		return "once it is adopted: " + c.Message
	}
	return "no: " + c.Message
}

// revision says whether a Pod is up to date.
func revision(of *decision.PodRevision) string {
	switch {
	case of == nil:
		return ""
	case of.Name == of.Update:
		return of.Name + ", the update revision"
	}
	return fmt.Sprintf("%s, outdated: the update revision is %s", of.Name, of.Update)
}

// tainted says when a taint of its node deletes the Pod, where no cause says so.
func tainted(rep *decision.PodReport) string {
	if rep.TaintEviction == nil || slices.ContainsFunc(rep.Causes(), func(c decision.Cause) bool { return c.TaintEviction != nil }) {
		return ""
	}
	return rep.TaintEviction.Message
}

// nearness says under which change a Pod is deleted.
func nearness(d *decision.PodDeletion) string {
	switch {
	case d == nil:
		return ""
	case d.Now == decision.Doomed:
		return "without any change: " + d.Message
	case d.Now == decision.AtRisk:
		return "possibly, without any change: " + d.Message
	case d.Replaced:
		kept := *d
		kept.Replaced = false
		return fmt.Sprintf("without any change: replaced by the rollout of %s, once enough new Pods are available; %s", d.Scaled, nearness(&kept))
	case d.PossibleAt == nil && d.Incomplete:
		return fmt.Sprintf("by no scale-down of %s that was simulated%s", d.Scaled, notAll)
	case d.PossibleAt == nil:
		return fmt.Sprintf("by no scale-down of %s", d.Scaled)
	}
	when := fmt.Sprintf("when %s is scaled from %d to %d", d.Scaled, d.Replicas, *d.PossibleAt)
	switch {
	case !d.Steady():
		when = sizes(d)
	case d.CertainAt == nil:
		when = "possible " + when
	case *d.CertainAt < *d.PossibleAt:
		when = fmt.Sprintf("possible %s, certain at %d", when, *d.CertainAt)
	}
	if d.Incomplete {
		when += notAll
	}
	if d.Message != "" {
		when += ": " + d.Message
	}
	return when
}

const notAll = " (not every number of replicas was simulated to its end)"

// mostSizes is how many ranges of replicas are listed.
const mostSizes = 8

// sizes says at which numbers of replicas a Pod is deleted that fewer replicas may
// spare.
func sizes(d *decision.PodDeletion) string {
	said := make([]string, 0, mostSizes)
	for i, r := range d.Sizes {
		if i == mostSizes {
			said = append(said, "… (-o json lists all)")
			break
		}
		at := strconv.Itoa(r.From)
		if r.To < r.From {
			at = fmt.Sprintf("%d–%d", r.To, r.From)
		}
		said = append(said, map[decision.Fate]string{decision.Safe: "kept", decision.AtRisk: "may be deleted", decision.Doomed: "deleted"}[r.Fate]+" at "+at)
	}
	return fmt.Sprintf("depends on the replicas of %s, now %d: %s", d.Scaled, d.Replicas, format.List(said))
}
