package cloneset

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/answer"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/reconcile"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/cloneset/rules"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/kruise"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/cloneset/states"
)

// Predict is the plugin's answer to a request: the Decision as users get it,
// sentences included.
func Predict(version string, req *contract.Request) (*decision.Decision, error) {
	v, err := viewOf(version, req)
	if err != nil {
		return nil, err
	}
	p, err := profile.New(profile.Options{Emulate: kubernetes(version)})
	if err != nil {
		return nil, err
	}
	given, err := givenBy(req)
	if err != nil {
		return nil, err
	}
	t := view.Target{Kind: view.CloneSets, Namespace: states.Namespace, Name: states.Name}
	d, err := cloneset.Decide(v.Reader(), p, t, given)
	if err != nil {
		return nil, err
	}
	rules.All.Phrase(d)
	d.Answer = answer.Of(d)
	return d, nil
}

// kubernetes is the version of the cluster: before Kruise 1.9, which resizes Pods by
// /resize, one whose API server lets an update of a Pod resize it, as the oracles' does.
func kubernetes(kruise string) string {
	if v, err := profile.ParseVersion(kruise); err == nil && !v.AtLeast(9, 0) {
		return "1.31"
	}
	return "1.36"
}

// viewOf holds the objects of a request, and the manager as a cluster shows it.
func viewOf(version string, req *contract.Request) (*view.View, error) {
	b := view.NewBuilder(states.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	set := &unstructured.Unstructured{}
	if err := set.UnmarshalJSON(req.CloneSet); err != nil {
		return nil, err
	}
	b.Add(view.CloneSets, set)
	b.Add(view.Deployments, manager(version, req))
	for _, p := range req.Pods {
		b.Add(view.Pods, p)
	}
	for _, c := range req.PVCs {
		b.Add(view.PersistentVolumeClaims, c)
	}
	for _, r := range req.ControllerRevisions {
		b.Add(view.ControllerRevisions, r)
	}
	for _, n := range req.Nodes {
		b.Add(view.Nodes, n)
	}
	for _, raw := range req.PodUnavailableBudgets {
		u := &unstructured.Unstructured{}
		if err := u.UnmarshalJSON(raw); err != nil {
			return nil, err
		}
		b.Add(view.PodUnavailableBudgets, u)
	}
	return b.View(), nil
}

// manager is the Deployment that tells release, gates and flags. No webhook stands
// between the oracle's controller and its API server.
func manager(version string, req *contract.Request) *appsv1.Deployment {
	gates := []string{kruise.UnavailableBudgetDelete + "=false"}
	for name, on := range req.Gates {
		if name != kruise.UnavailableBudgetDelete {
			gates = append(gates, fmt.Sprintf("%s=%v", name, on))
		}
	}
	sort.Strings(gates)
	d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: "kruise-system", Name: "kruise-controller-manager", UID: "uid-manager"}}
	d.Spec.Template.Spec.Containers = []corev1.Container{{
		Name: "manager", Image: "openkruise/kruise-manager:v" + version,
		Args: []string{
			"--feature-gates=" + strings.Join(gates, ","),
			fmt.Sprintf("--cloneset-scaling-exclude-preparing-delete=%v", req.Flags.ScalingExcludePreparingDelete),
		},
	}}
	return d
}

// givenBy is what a request says besides its objects.
func givenBy(req *contract.Request) (reconcile.Given, error) {
	g := reconcile.Given{Refuse: refuses(req)}
	if req.Expectations == nil {
		return g, nil
	}
	if e := req.Expectations.Scale; e != nil {
		since, err := since(e.UnsatisfiedFor)
		if err != nil {
			return g, err
		}
		g.Scale = &reconcile.ScaleRecord{Creates: e.Create, Deletes: e.Delete, Since: since}
	}
	for _, e := range req.Expectations.ResourceVersions {
		at, err := since(e.UnsatisfiedFor)
		if err != nil {
			return g, err
		}
		if at.IsZero() {
			at = states.Now // the first check is this sync's
		}
		for _, p := range req.Pods {
			if string(p.UID) == e.UID && number(p.ResourceVersion) < number(e.Version) {
				if g.Versions == nil {
					g.Versions = map[string]time.Time{}
				}
				g.Versions[p.Name] = at
			}
		}
	}
	return g, nil
}

func number(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(err) // drawn as a number
	}
	return n
}

func since(age string) (time.Time, error) {
	if age == "" {
		return time.Time{}, nil
	}
	d, err := time.ParseDuration(age)
	return states.Now.Add(-d), err
}

// stepOf lets states be stored as the plugin says; whether that is right does
// not matter for a state.
func stepOf(version string) states.Step {
	return func(req *contract.Request) (map[string]any, error) {
		d, err := Predict(version, req)
		if err != nil {
			return nil, err
		}
		out := map[string]any{}
		if caveat(d, "RevisionNameUnknown") {
			return out, nil
		}
		for _, f := range d.Status.Fields {
			if f.Next == "unset" {
				continue
			}
			if n, err := strconv.Atoi(f.Next); err == nil && f.Field != "labelSelector" && !strings.HasSuffix(f.Field, "Revision") {
				out[f.Field] = n
			} else {
				out[f.Field] = f.Next
			}
		}
		return out, nil
	}
}

// decode reads JSON that a program wrote.
func decode[T any](raw json.RawMessage) (T, error) {
	var out T
	if len(raw) == 0 {
		return out, nil
	}
	return out, json.Unmarshal(raw, &out)
}
