package cli

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/decision"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/view/bundle"
	"github.com/kubectl-ctrl/kubectl-ctrl/pkg/whatif"
	"github.com/kubectl-ctrl/kubectl-ctrl/plugins"
)

// manifests is the what-if of --filename: all objects are laid over the View.
// Without arguments the answer is about the controllers among them.
func (f *planFlags) manifests(env Env, args []string) (change, []subject, error) {
	if f.replicas >= 0 {
		return nil, nil, usageError("--replicas and --filename are two different changes: give one of them")
	}
	objs, err := bundle.ReadObjects(f.filenames, env.In)
	if err != nil {
		return nil, nil, err
	}
	subjects, err := f.manifestSubjects(objs, args)
	if err != nil {
		return nil, nil, err
	}
	return func(r *view.Reader, v *view.View, _ plugins.Plugin, t view.Target) (*view.View, []decision.Change, error) {
		return overlay(r, v, objs, t.Namespace)
	}, subjects, nil
}

func (f *planFlags) manifestSubjects(objs []bundle.Object, args []string) ([]subject, error) {
	if len(args) > 0 {
		return parseSubjects(args)
	}
	var subjects []subject
	for _, o := range objs {
		if s, err := subjectOf(o.Kind.Resource); err == nil {
			s.names = []string{o.Obj.GetName()}
			subjects = append(subjects, s)
		}
	}
	if len(subjects) == 0 {
		return nil, usageError("none of the objects in %s is of a modelled kind (%s): name the one to look at, such as rs/web", join(f.filenames), plugins.KindNames())
	}
	return subjects, nil
}

// overlay lays manifests over the View. One without a namespace goes into the
// target's.
func overlay(r *view.Reader, v *view.View, objs []bundle.Object, namespace string) (*view.View, []decision.Change, error) {
	var all []decision.Change
	for _, o := range objs {
		m := whatif.Manifest{Kind: o.Kind, Namespace: o.Obj.GetNamespace(), Name: o.Obj.GetName(), JSON: o.Raw}
		if m.Namespace == "" {
			m.Namespace = namespace
		}
		live, _ := view.Get[metav1.Object](r, view.Need{
			Kind: m.Kind, Namespace: m.Namespace, Name: m.Name,
			Without: "the manifest is taken as a new object",
		})
		changed, changes, err := m.Apply(live, metav1.Time{Time: v.Now()})
		if err != nil {
			return nil, nil, err
		}
		v = v.With(m.Kind, changed)
		all = append(all, changes...)
	}
	return v, all, nil
}
