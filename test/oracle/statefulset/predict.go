package statefulset

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/expectations"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/statefulset"
	oracle "github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/statefulset/states"
)

// Predict is the plugin's answer to a request, sentences included.
func Predict(version string, req *contract.Request) (*statefulset.Result, error) {
	return predict(version, req, statefulset.Given{Behind: behind(req), Exact: true, API: apiOf(req)})
}

func predict(version string, req *contract.Request, given statefulset.Given) (*statefulset.Result, error) {
	p, err := profile.New(profile.Options{Emulate: version, Gates: req.Gates, Releases: statefulset.Controller().Releases})
	if err != nil {
		return nil, err
	}
	namespace, name, _ := strings.Cut(req.Key, "/")
	t := view.Target{Kind: view.StatefulSets, Namespace: namespace, Name: name}
	r, err := statefulset.Sync(viewOf(req).Reader(), p, t, given)
	if err != nil {
		return nil, err
	}
	statefulset.Rules.Phrase(r.Decision)
	r.Decision.Answer = statefulset.Answer(r.Decision)
	return r, nil
}

func viewOf(req *contract.Request) *view.View {
	b := view.NewBuilder(states.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, set := range req.StatefulSets {
		b.Add(view.StatefulSets, set)
	}
	for _, pod := range req.Pods {
		b.Add(view.Pods, pod)
	}
	for _, claim := range req.Claims {
		b.Add(view.PersistentVolumeClaims, claim)
	}
	for _, cr := range req.Revisions {
		b.Add(view.ControllerRevisions, cr)
	}
	return b.View()
}

func behind(req *contract.Request) []*expectations.Stale {
	var all []*expectations.Stale
	for _, resource := range req.Behind {
		all = append(all, &expectations.Stale{Resource: schema.ParseGroupResource(resource), Read: oracle.ReadVersion, Wrote: oracle.WroteVersion})
	}
	return all
}

// refusal is an error of the API server that keeps its message.
type refusal struct {
	message string
	kind    error
}

func (r *refusal) Error() string { return r.message }
func (r *refusal) Unwrap() error { return r.kind }

var kinds = map[string]error{
	"NotFound": cluster.ErrNotFound, "Invalid": cluster.ErrInvalid, "Conflict": cluster.ErrConflict,
	"AlreadyExists": cluster.ErrAlreadyExists,
}

// faults answers for the faults of a request.
type faults struct {
	all []contract.Fault
	// met is how often each has failed a call.
	met []int
}

func (fs faults) of(call, name string) error {
	for i, f := range fs.all {
		if f.Call != call || f.Name != "" && f.Name != name || f.Times > 0 && fs.met[i] >= f.Times {
			continue
		}
		fs.met[i]++
		return &refusal{f.Message, kinds[f.Reason]}
	}
	return nil
}

// written are the objects that the API server has in a newer version than the caches,
// which do not change during a sync.
type written map[string]bool

// refuse answers an update that is made from a cached copy of an object that this sync
// wrote before.
func (all written) refuse(w cluster.Write) error {
	key := w.Kind.Kind + "/" + w.Name
	if all[key] && w.Verb == cluster.Update {
		return &refusal{fmt.Sprintf("Operation cannot be fulfilled on %s %q: the object has been modified; please apply your changes to the latest version and try again",
			w.Kind.GroupResource(), w.Name), cluster.ErrConflict}
	}
	all[key] = all[key] || w.Verb != cluster.Create
	return nil
}

func apiOf(req *contract.Request) statefulset.API {
	fs, newer := faults{req.Faults, make([]int, len(req.Faults))}, written{}
	return statefulset.API{
		Lenient: true, // as the oracles' API server is
		Refuse: func(w cluster.Write) error {
			if err := fs.of(callOf(w), w.Name); err != nil {
				return err
			}
			return newer.refuse(w)
		},
		Live: func() (metav1.Object, error) {
			if req.Live != nil {
				return req.Live, fs.of(contract.CallRecheck, "")
			}
			return req.StatefulSets[0], fs.of(contract.CallRecheck, "")
		},
		Named: func(name string) (*appsv1.ControllerRevision, error) { return named(req, name) },
	}
}

// named is the revision that has a name already.
func named(req *contract.Request, name string) (*appsv1.ControllerRevision, error) {
	for _, cr := range req.Revisions {
		if cr.Name == name {
			return cr, nil
		}
	}
	if req.Twin == nil {
		return nil, &refusal{fmt.Sprintf("controllerrevisions.apps %q not found", name), cluster.ErrNotFound}
	}
	twin := req.Twin.DeepCopy()
	twin.Name = name
	return twin, nil
}

// writesOf are the plugin's writes in the form of the contract.
func writesOf(r *statefulset.Result) ([]contract.Write, error) {
	var all []contract.Write
	for _, w := range r.Writes {
		c := contract.Write{Call: callOf(w), Name: w.Name, Patch: w.Patch}
		if w.Err != nil {
			c.Error = w.Err.Error()
		}
		if w.Object != nil {
			var err error
			if c.Object, err = json.Marshal(w.Object); err != nil {
				return nil, fmt.Errorf("%s %s: %w", c.Call, w.Name, err)
			}
		}
		all = append(all, c)
	}
	return all, nil
}

// callOf is the name of a request in the contract: "updateStatefulSetStatus".
func callOf(w cluster.Write) string {
	name := string(w.Verb) + w.Kind.Kind
	if w.Status {
		name += "Status"
	}
	return name
}
