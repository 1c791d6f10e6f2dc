package deployment

import (
	"encoding/json"
	"fmt"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/cluster"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/profile"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins/deployment"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/contract"
	"github.com/kubectl-ctrl/kubectl-ctrl/test/oracle/deployment/states"
)

// Predict is the plugin's answer to a request, sentences included.
func Predict(version string, req *contract.Request) (*deployment.Result, error) {
	p, err := profile.New(profile.Options{Emulate: version, Gates: req.Gates})
	if err != nil {
		return nil, err
	}
	namespace, name, _ := strings.Cut(req.Key, "/")
	t := view.Target{Kind: view.Deployments, Namespace: namespace, Name: name}
	r, err := deployment.Sync(viewOf(req).Reader(), p, t, deployment.Given{API: apiOf(req)})
	if err != nil {
		return nil, err
	}
	deployment.Rules.Phrase(r.Decision)
	r.Decision.Answer = deployment.Answer(r.Decision)
	return r, nil
}

func viewOf(req *contract.Request) *view.View {
	b := view.NewBuilder(states.Now)
	for _, k := range view.Kinds() {
		b.Reads(view.Need{Kind: k, Detail: view.Full}, nil)
	}
	for _, d := range req.Deployments {
		b.Add(view.Deployments, d)
	}
	for _, rs := range req.ReplicaSets {
		b.Add(view.ReplicaSets, rs)
	}
	for _, pod := range req.Pods {
		b.Add(view.Pods, pod)
	}
	return b.View()
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
	"AlreadyExists": cluster.ErrAlreadyExists, "NamespaceTerminating": cluster.ErrNamespaceTerminating,
}

func apiOf(req *contract.Request) deployment.API {
	counted := 0
	api := deployment.API{
		SameName: func() *appsv1.ReplicaSet {
			if req.Twin == nil {
				return nil
			}
			twin := req.Twin.DeepCopy()
			twin.Name = states.Name + "-" + deployment.UnknownHash
			return twin
		},
		Refuse: func(w cluster.Write) error {
			if w.Verb == cluster.Patch {
				return faultOf(req, contract.CallPatchSet, w.Name, 0)
			}
			counted++
			return faultOf(req, contract.CallAny, "", counted-1)
		},
		Live: func() (metav1.Object, error) {
			if req.Live != nil {
				return req.Live, faultOf(req, contract.CallRecheck, "", 0)
			}
			return req.Deployments[0], faultOf(req, contract.CallRecheck, "", 0)
		},
	}
	return api
}

func faultOf(req *contract.Request, call, name string, index int) error {
	for _, f := range req.Faults {
		if f.Call == call && f.Name == name && f.Index == index {
			return &refusal{f.Message, kinds[f.Reason]}
		}
	}
	return nil
}

// writesOf are the plugin's writes in the form of the contract.
func writesOf(r *deployment.Result) ([]contract.Write, error) {
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

// callOf is the name of a request in the contract: "updateDeploymentStatus".
func callOf(w cluster.Write) string {
	name := string(w.Verb) + w.Kind.Kind
	if w.Status {
		name += "Status"
	}
	return name
}
