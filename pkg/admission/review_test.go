package admission_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/admission"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
)

// TestReview shows each check. "review version=1.36 n=5" reads a Pod, and the
// LimitRanges and ResourceQuotas of its namespace; "count of=replicasets.apps"
// quotas alone. A Demand is what another object creates, by its name, and by that of the
// resource where it is no Pod.
func TestReview(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, td *datadriven.TestData) string {
			ns, pod := read(t, td)
			if td.Cmd == "count" {
				return say(ns.ReviewCount(schema.ParseGroupResource(arg(td, "of", ""))), td)
			}
			v, err := profile.ParseVersion(arg(td, "version", "1.37"))
			if err != nil {
				t.Fatal(err)
			}
			before := pod.DeepCopy()
			verdict := ns.Review(pod, admission.FeaturesOf(v))
			if pod.String() != before.String() {
				t.Error("the Pod was changed")
			}
			return say(verdict, td)
		})
	})
}

func arg(td *datadriven.TestData, key, otherwise string) string {
	for _, a := range td.CmdArgs {
		if a.Key == key {
			return a.Vals[0]
		}
	}
	return otherwise
}

func say(v admission.Verdict, td *datadriven.TestData) string {
	var b strings.Builder
	if v.Refusal == nil {
		b.WriteString("no bound\n")
	} else {
		fmt.Fprintf(&b, "room for %d; %s by %s: %s\n", v.Room, v.Refusal.Reason, by(v.Refusal), v.Refusal.Message)
	}
	var n int64 = 1
	fmt.Sscan(arg(td, "n", "1"), &n)
	for _, why := range v.Doubted(n) {
		fmt.Fprintf(&b, "doubt: %s\n", why)
	}
	return b.String()
}

func by(r *admission.Refusal) string {
	switch o := r.By.(type) {
	case *corev1.LimitRange:
		return "limitrange/" + o.Name
	case *corev1.ResourceQuota:
		return "resourcequota/" + o.Name
	}
	return "validation"
}

func read(t *testing.T, td *datadriven.TestData) (ns admission.Namespace, pod *corev1.Pod) {
	t.Helper()
	for doc := range strings.SplitSeq(td.Input, "\n---\n") {
		decode := func(into any) {
			if err := yaml.UnmarshalStrict([]byte(doc), into); err != nil {
				td.Fatalf(t, "%v", err)
			}
		}
		var kind struct{ Kind string }
		if err := yaml.Unmarshal([]byte(doc), &kind); err != nil {
			td.Fatalf(t, "%v", err)
		}
		switch kind.Kind {
		case "Pod":
			pod = &corev1.Pod{}
			decode(pod)
		case "LimitRange":
			l := &corev1.LimitRange{}
			decode(l)
			ns.LimitRanges = append(ns.LimitRanges, l)
		case "ResourceQuota":
			q := &corev1.ResourceQuota{}
			decode(q)
			if q.Spec.Hard == nil {
				q.Spec.Hard = q.Status.Hard
			}
			ns.Quotas = append(ns.Quotas, q)
		case "Demand":
			var d struct {
				Kind string
				view.Demand
			}
			decode(&d)
			if d.Pod == nil {
				d.Resource = schema.ParseGroupResource(d.By)
			}
			ns.Demands = append(ns.Demands, d.Demand)
		default:
			td.Fatalf(t, "kind %q", kind.Kind)
		}
	}
	return ns, pod
}
