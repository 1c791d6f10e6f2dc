package decision

import (
	"slices"
	"strings"
	"time"
)

// PodReport is what is known of one Pod: its state, whether its controller counts
// it, and how near it is to deletion.
type PodReport struct {
	// Target is the Pod.
	Target Ref `json:"target"`
	Standing
	// Partial is true when something was not read that could change the answer; the caveats
	// with partial name it.
	Partial bool `json:"partial,omitempty"`
	// AsOf is the instant that ages are measured at.
	AsOf time.Time `json:"asOf"`
	// Modelled says which controller of which version was modelled.
	Modelled Modelled `json:"model,omitzero"`
	// Owners is the chain of controllers above it, root first. Where claim says so, it is
	// theirs once it is adopted.
	Owners []Ref `json:"owners"`
	// Adopters names those that may adopt it where owners does not, empty for none.
	Adopters string `json:"-"`
	// Claim is the verdict of its controller; absent where that is not modelled.
	Claim *Claim `json:"claim,omitempty"`
	// Revision is that of the Pod; absent where its controller has no ControllerRevisions,
	// or none that its label names.
	Revision *PodRevision `json:"revision,omitempty"`
	// Deletion is how near it is to deletion; absent where no modelled controller scales it,
	// or it is being deleted already.
	Deletion *PodDeletion `json:"deletion,omitempty"`
	// TaintEviction is when the taints of its node delete the Pod; absent where no taint is
	// one of effect NoExecute, and where the node was not read.
	TaintEviction *TaintEviction `json:"taintEviction,omitempty"`
	// Caveats are the limits of the answer.
	Caveats []Caveat `json:"caveats"`
}

// PodRevision is the revision of a Pod beside that of the template.
type PodRevision struct {
	// Name is the name of the ControllerRevision that the Pod was made from.
	Name string `json:"name"`
	// Update is the name of that of the template; the same one for a Pod that is up to date.
	Update string `json:"update"`
}

// RevisionOf is the revision that a label of a Pod names, in full or without what stands
// before its hash; nil for none.
func (d *Decision) RevisionOf(label string) *PodRevision {
	of := PodRevision{}
	for _, r := range d.Revisions {
		if label != "" && (r.Name == label || strings.HasSuffix(r.Name, "-"+label)) {
			of.Name = r.Name
		}
		if slices.Contains(r.Roles, "update") {
			of.Update = r.Name
		}
	}
	if of.Name == "" || of.Update == "" {
		return nil
	}
	return &of
}

// PodDeletion is how near a Pod is to deletion by its controllers.
type PodDeletion struct {
	// Scaled is the object whose spec.replicas decides; absent where the garbage collector
	// deletes the Pod.
	Scaled Ref `json:"scaled,omitzero"`
	// Replicas is spec.replicas of that object now.
	Replicas int `json:"replicas"`
	// Now is what becomes of the Pod without any change.
	Now Fate `json:"now"`
	// Replaced is true where the rollout of that object replaces the Pod without any change,
	// once enough new Pods are available.
	Replaced bool `json:"replaced,omitempty"`
	// PossibleAt is the highest number of replicas at which it may be deleted; absent for
	// none.
	PossibleAt *int `json:"possibleAt,omitempty"`
	// CertainAt is the highest number of replicas at which it is deleted; absent for none.
	CertainAt *int `json:"certainAt,omitempty"`
	// Sizes is what becomes of it at each number of replicas below the present one, highest
	// first. Fewer replicas may spare a Pod that more of them delete.
	Sizes []PodFates `json:"sizes,omitempty"`
	// Incomplete is true where sizes lacks numbers of replicas: it may be deleted at those
	// as well.
	Incomplete bool `json:"incomplete,omitempty"`
	// Message is why it is deleted then, or now.
	Message string `json:"message,omitempty"`
}

// PodFates is what becomes of a Pod at each number of replicas of a range.
type PodFates struct {
	// From is the highest number of replicas of the range.
	From int `json:"from"`
	// To is the lowest number of replicas of the range.
	To int `json:"to"`
	// Fate is what becomes of the Pod.
	Fate Fate `json:"deletion"`
}

// At adds what becomes of the Pod at a number of replicas, each lower than the one
// before.
func (d *PodDeletion) At(replicas int, s Spared) {
	if d.PossibleAt == nil && s.Fate != Safe {
		d.PossibleAt, d.Message = &replicas, s.Message
	}
	if d.CertainAt == nil && s.Fate == Doomed {
		d.CertainAt, d.Message = &replicas, s.Message
	}
	if n := len(d.Sizes); n > 0 && d.Sizes[n-1].To == replicas+1 && d.Sizes[n-1].Fate == s.Fate {
		d.Sizes[n-1].To = replicas
		return
	}
	d.Sizes = append(d.Sizes, PodFates{From: replicas, To: replicas, Fate: s.Fate})
}

// Steady reports whether no number of replicas spares the Pod that is lower than one
// which deletes it.
func (d *PodDeletion) Steady() bool {
	at := map[Fate]int{Safe: 0, AtRisk: 1, Doomed: 2}
	return slices.IsSortedFunc(d.Sizes, func(a, b PodFates) int { return at[a.Fate] - at[b.Fate] })
}
