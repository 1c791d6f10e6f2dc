package admission

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// Quotas is the need for the ResourceQuotas of a namespace.
func Quotas(namespace string) view.Need {
	return view.Need{Kind: view.ResourceQuotas, Namespace: namespace, IfMissing: "whether a quota refuses creations is not known"}
}

// LimitRanges is the need for the LimitRanges of a namespace.
func LimitRanges(namespace string) view.Need {
	return view.Need{Kind: view.LimitRanges, Namespace: namespace, IfMissing: "whether a LimitRange refuses creations is not known"}
}

// Itself is the need for a namespace.
func Itself(namespace string) view.Need {
	return view.Need{Kind: view.Namespaces, Name: namespace, IfMissing: "whether the namespace is being deleted is not known"}
}

// Read is what admission looks up in a namespace. Its labels are known where Terminating was
// asked. Files are taken to hold all objects of the kinds that they hold none of.
func Read(r *view.Reader, namespace string) Namespace {
	ranges := view.List[*corev1.LimitRange](r, LimitRanges(namespace), nil)
	ns := ReadQuotas(r, namespace)
	ns.LimitRanges, ns.exists = ranges, shown(r)
	if of, held := r.Held(view.Namespaces, "", namespace); held {
		ns.Labels = of.GetLabels()
	}
	return ns
}

// ReadQuotas is what ReviewCount looks up: it counts, and LimitRanges bound sizes.
func ReadQuotas(r *view.Reader, namespace string) Namespace {
	return Namespace{Quotas: view.List[*corev1.ResourceQuota](r, Quotas(namespace), nil), Demands: r.Demands()}
}

// Terminating is the namespace if it is being deleted, nil in any other case.
func Terminating(r *view.Reader, namespace string) *corev1.Namespace {
	ns, ok := view.Get[*corev1.Namespace](r, Itself(namespace))
	if !ok || ns.Status.Phase != corev1.NamespaceTerminating {
		return nil
	}
	return ns
}

// Unread lists what is not known because one of the needs could not be read.
//
//go:noinline
func Unread(r *view.Reader, needs ...view.Need) []string {
	var why []string
	for _, need := range needs {
		if r.Partial(need) {
			why = append(why, need.IfMissing)
		}
	}
	return why
}

// InDoubt is the code of caveats about what the API server accepts.
const InDoubt = "AdmissionInDoubt"

// Caveats are those of the doubts that no caveat about a failed read says, with
// its cause.
func Caveats(doubts []string) []string {
	var out []string
	for _, why := range doubts {
		if why != Quotas("").IfMissing && why != LimitRanges("").IfMissing {
			out = append(out, why)
		}
	}
	return out
}

// What quotas and LimitRanges say when they refuse a Pod.
var (
	quotasSay = []string{"exceeded quota", "failed quota: ", "status unknown for quota: "}
	rangesSay = []string{" usage per Container is ", " usage per Pod is ", "max limit to request ratio per "}
)

// Says reports whether a message is a refusal by a quota or a LimitRange.
func Says(message string) bool { return holds(message, quotasSay) || holds(message, rangesSay) }

// ofClaim is in what is said when a volume claim is refused, and no Pod.
const ofClaim = `persistentvolumeclaims "`

// Known reports whether what refused a Pod with this message was read, so that Review
// tells what it does with the next one. What objects of the other kind do says nothing
// about that, and of volume claims quotas are not modelled.
func Known(r *view.Reader, namespace, message string) bool {
	switch {
	case strings.Contains(message, ofClaim):
		return false
	case holds(message, quotasSay):
		return r.Err(whole(Quotas(namespace))) == nil
	case holds(message, rangesSay):
		return r.Err(whole(LimitRanges(namespace))) == nil
	}
	return false
}

func holds(message string, texts []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(message, text) })
}

func whole(n view.Need) view.Need {
	n.Detail = view.Full
	return n
}
